r"""The sensitivity of a matrix, squared: from above, and from below.

Rules of this file: matrices are in integers, exact, or from one side and without a negative entry.

Theory of operation: Cu is released with noise, and X = CᵀC. The norm of u_i is at most 1 in the
rounds of a participation π and 0 elsewhere, so that |Cu|² <= Σ_{i,j∈π} |X_ij|; signs s_i in one
coordinate have Σ s_i·s_j·X_ij. The upper end is the greatest of the former, or more:

- listed participations, and those of fixed epochs: one by one;
- C lower triangular Toeplitz, coefficients that do not rise or fall below 0: X falls with |i - j|
  and with the later of the two, so that no pattern exceeds 0, b, 2b, …;
- columns b apart orthogonal: the best sum of X_ii at rounds b apart;
- else with g_i = X_ii + the best of what rounds b apart, on both sides of i, have in its row, the
  best sum of g_i.

The lower end is that of the second's pattern, or the greatest over patterns of the programme and of
equal steps, each sign chosen against those behind it.

Sources: certs/SPEC.md, section 7.7; Kalinin & Lampert, arXiv:2405.13763, Theorem 2 (Toeplitz);
Choquette-Choo et al., arXiv:2306.08153 (banded; rows).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TypeAlias

from ..format.meter import of_product, pay

Entries: TypeAlias = Sequence[int]
Layers: TypeAlias = list[list[int]]
"""For so many rounds at most and each first round: the best sum."""


# --- matrices -----------------------------------------------------------------------------------


class Matrix(ABC):
    """C, in integers."""

    rounds: int

    @abstractmethod
    def span(self) -> int:
        """Columns so far apart are orthogonal."""

    @abstractmethod
    def diagonal(self) -> list[int]:
        """The squares of the norms of the columns."""

    @abstractmethod
    def gram(self) -> Iterator[tuple[int, list[int]]]:
        """Each row of X, with its number, from the last to the first."""


@dataclass(frozen=True)
class Toeplitz(Matrix):
    """Lower triangular: the coefficient of i - j, and 0 beyond the last."""

    coefficients: tuple[int, ...]
    rounds: int

    def span(self) -> int:
        """Its band."""
        return len(self.coefficients)

    def diagonal(self) -> list[int]:
        """Partial sums, as the last columns are cut off."""
        pay(self.rounds * self._each())
        squares = [c * c for c in self._padded()]
        return list(accumulate(squares))[::-1]

    def gram(self) -> Iterator[tuple[int, list[int]]]:
        """X_ij = X_{i+1,j+1} + c_{n-1-i}·c_{n-1-j}."""
        padded = self._padded()
        row = [0] * self.rounds
        for own in range(self.rounds):
            pay(self.rounds * self._each())
            moved, factor = chain(row[1:], (0,)), padded[own]
            row = [x + factor * c for x, c in zip(moved, reversed(padded), strict=True)]
            yield self.rounds - 1 - own, row

    def regular(self, most: int, apart: int) -> int:
        """The square of the norm of the sum of so many columns, these apart from the first on."""
        pay(self.rounds * (2 * self._each() + 500))
        padded, total, square = self._padded(), [0] * self.rounds, 0
        for i, own in enumerate(padded):
            before = total[i - apart] if i >= apart else 0
            gone = padded[i - most * apart] if i >= most * apart else 0
            total[i] = before + own - gone
            square += total[i] ** 2
        return square

    def _padded(self) -> list[int]:
        pay(100 * self.rounds)
        return [*self.coefficients, *[0] * (self.rounds - len(self.coefficients))]

    def _each(self) -> int:
        return _of_one(max(self.coefficients, key=abs))


@dataclass(frozen=True)
class Rows(Matrix):
    """Any matrix, each row by its first round and its entries from there on."""

    rows: tuple[tuple[int, Entries], ...]
    rounds: int

    def span(self) -> int:
        """The longest row."""
        return max(len(row) for _, row in self.rows)

    def diagonal(self) -> list[int]:
        """Column by column."""
        squares = [0] * self.rounds
        for first, row in self.rows:
            pay(len(row) * _of_one(max(row, key=abs)))
            for i, entry in enumerate(row, first):
                squares[i] += entry * entry
        return squares

    def gram(self) -> Iterator[tuple[int, list[int]]]:
        """All rows of C that have the round."""
        for i in range(self.rounds - 1, -1, -1):
            pay(100 * (self.rounds + len(self.rows)))
            found = [0] * self.rounds
            for first, row in self.rows:
                if not first <= i < first + len(row) or not row[i - first]:
                    continue
                pay(len(row) * _of_one(max(row, key=abs)))
                own = row[i - first]
                for j, entry in enumerate(row, first):
                    found[j] += own * entry
            yield i, found


def _of_one(greatest: int) -> int:
    """What a product, its sum and its memory take."""
    return 300 + of_product(2 * greatest.bit_length())


# --- participation ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Apart:
    """At most so many rounds, any two so far apart; or with ``fixed`` all that are one step apart.

    With ``fixed`` ``most`` is as many as there are.
    """

    most: int
    apart: int
    fixed: bool = False

    def regular(self, rounds: int) -> Iterator[range]:
        """Equal steps, from each first round."""
        for first in range(min(self.apart, rounds)):
            yield range(first, rounds, self.apart)[: self.most]


def best(values: Sequence[int], most: int, apart: int) -> Layers:
    """For each number of rounds up to ``most``: what they have together at best, from each on."""
    rounds = len(values)
    pay((most + 1) * (rounds + 1) * (400 + max((v.bit_length() for v in values), default=0)))
    layers = [[0] * (rounds + 1)]
    for _ in range(most):
        before, now = layers[-1], [0] * (rounds + 1)
        for i in range(rounds - 1, -1, -1):
            now[i] = max(now[i + 1], values[i] + before[min(i + apart, rounds)])
        layers.append(now)
    return layers


def pattern(layers: Layers, apart: int) -> tuple[int, ...]:
    """Rounds that have the best sum."""
    left, i, found, rounds = len(layers) - 1, 0, [], len(layers[0]) - 1
    pay(200 * rounds)
    while left and i < rounds:
        if layers[left][i] == layers[left][i + 1]:
            i += 1
        else:
            found.append(i)
            left, i = left - 1, i + apart
    return tuple(found)


def rows_above(matrix: Matrix, most: int, apart: int) -> list[int]:
    """The values g_i."""
    found = [0] * matrix.rounds
    for i, row in matrix.gram():
        sizes = [abs(x) for x in row]
        before = best(sizes[: max(0, i - apart + 1)], most - 1, apart)
        after = best(sizes[i + apart :], most - 1, apart)
        beside = (left[0] + right[0] for left, right in zip(before, reversed(after), strict=True))
        found[i] = row[i] + max(beside)
    return found


def sums(matrix: Matrix, patterns: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Of each pattern Σ s_i·s_j·X_ij, with signs from its last round on, and Σ|X_ij|."""
    found, signs = [(0, 0)] * len(patterns), [dict[int, int]() for _ in patterns]
    pay(400 * sum(map(len, patterns)))
    has: list[list[int]] = [[] for _ in range(matrix.rounds)]
    for number, each in enumerate(patterns):
        for i in each:
            has[i].append(number)
    for i, row in matrix.gram():
        for number in has[i]:
            later = signs[number]
            pay(len(later) * (200 + max(map(int.bit_length, row))))
            signed = sum(sign * row[j] for j, sign in later.items())
            size_of = sum(abs(row[j]) for j in later)
            least, most = found[number]
            found[number] = least + row[i] + 2 * abs(signed), most + row[i] + 2 * size_of
            later[i] = -1 if signed < 0 else 1
    return found


# --- both ends ---------------------------------------------------------------------------------


def of_patterns(low: Matrix, high: Matrix, patterns: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The greatest of each; the two matrices differ only where no entry is below 0."""
    above = sums(high, patterns)
    below = above if low is high else sums(low, patterns)
    return max(signed for signed, _ in below), max(absolute for _, absolute in above)


def of_programme(matrix: Matrix, taken: Apart) -> tuple[int, int]:
    """By the diagonal alone where columns so far apart are orthogonal."""
    if matrix.span() <= taken.apart:
        exact = best(matrix.diagonal(), taken.most, taken.apart)[-1][0]
        return exact, exact
    layers = best(rows_above(matrix, taken.most, taken.apart), taken.most, taken.apart)
    patterns = [*taken.regular(matrix.rounds), pattern(layers, taken.apart)]
    return max(signed for signed, _ in sums(matrix, patterns)), layers[-1][0]
