r"""Correlated noise: the privacy of a matrix factorization is its sensitivity, squared.

Rules of this file: matrices are in integers over one denominator; where entries are not rationals
of a file they are nonnegative, and enclosed by a matrix from below and one from above.

Theory of operation: Cu + σz is released, z normal, and X = CᵀC. The norm of u_i is at most 1 in the
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

Sources: certs/SPEC.md, section 7.7; Denisov, McMahan, Rush, Smith & Thakurta, NeurIPS 2022, Theorem
2.1 (adaptive inputs); Kalinin & Lampert, arXiv:2405.13763, Theorem 2 (Toeplitz); Choquette-Choo et
al., arXiv:2306.08153 (banded; rows).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import lcm
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.enclosures import ceil_div
from ..format.meter import of_division, of_product, pay
from ..format.numbers import parse_canonical, size
from ..format.outcomes import MalformedError
from ..format.shapes import array, increasing, integer, members, rational, string
from ..format.strict_json import Json

MAX_ROUNDS: Final = 10**6
MAX_ROWS: Final = 8192
MAX_LISTED: Final = 4096
"""Rounds of a matrix that is looked at entry by entry."""
MAX_BUFFERS: Final = 64
MAX_BITS: Final = 2048
FIXED: Final = 256
"""Binary digits of coefficients that are enclosed."""
REACHES: Final[Mapping[str, int]] = {"add-remove-one": 1, "replace-one": 2, "zero-out": 1}

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


@dataclass(frozen=True)
class Factorization:
    """C from below and from above, times ``scale``."""

    low: Matrix
    high: Matrix
    scale: int
    falls: bool
    """Whether it is Toeplitz, with coefficients that neither rise nor fall below 0."""


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


# --- an entry -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Factorized:
    """``count`` releases of a factorization, with Gaussian noise of a variance."""

    family: ClassVar[str] = "noise"

    variance: Fraction
    factorization: Factorization
    participation: Apart | tuple[tuple[int, ...], ...]
    count: int
    text: bytes
    """Its bytes in a statement, without the count."""

    def known(self, relation: str, *, upper: bool) -> tuple[int, Fraction]:
        """Its count, and μ² of one: from above, or from below."""
        square, scale = self.squares[upper], self.factorization.scale
        pay(4 * of_division(square.bit_length() + 2 * scale.bit_length() + size(self.variance)))
        reach = REACHES[relation]
        return self.count, Fraction(reach * reach * square, scale * scale) / self.variance

    @cached_property
    def squares(self) -> tuple[int, int]:
        """The square of the sensitivity times that of the scale, from below and from above."""
        low, high, taken = self.factorization.low, self.factorization.high, self.participation
        if isinstance(taken, tuple):
            return _listed(low, high, taken)
        if self.factorization.falls:
            return _regular(low, taken), _regular(high, taken)
        if taken.fixed:
            return _listed(low, high, list(taken.regular(high.rounds)))
        return _apart(high, taken)


def _listed(low: Matrix, high: Matrix, patterns: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The greatest of each; the two matrices differ only where no entry is below 0."""
    above = sums(high, patterns)
    below = above if low is high else sums(low, patterns)
    return max(signed for signed, _ in below), max(absolute for _, absolute in above)


def _regular(matrix: Matrix, taken: Apart) -> int:
    if not isinstance(matrix, Toeplitz):
        raise MalformedError("a matrix whose coefficients fall is not Toeplitz")
    return matrix.regular(taken.most, taken.apart)


def _apart(matrix: Matrix, taken: Apart) -> tuple[int, int]:
    """By the diagonal alone where columns so far apart are orthogonal."""
    if matrix.span() <= taken.apart:
        exact = best(matrix.diagonal(), taken.most, taken.apart)[-1][0]
        return exact, exact
    layers = best(rows_above(matrix, taken.most, taken.apart), taken.most, taken.apart)
    patterns = [*taken.regular(matrix.rounds), pattern(layers, taken.apart)]
    return max(signed for signed, _ in sums(matrix, patterns)), layers[-1][0]


# --- reading ------------------------------------------------------------------------------------


def read_factorized(
    parts: Mapping[str, Json], variance: Fraction, count: int, text: bytes
) -> Factorized:
    """The releases of an entry, whose variance, count and bytes are known."""
    factorization = _read_factorization(parts["factorization"])
    matrix = factorization.high
    taken = _read_participation(parts["participation"], matrix.rounds)
    one_by_one = not factorization.falls or isinstance(taken, tuple)
    if isinstance(taken, Apart) and not taken.fixed and matrix.span() <= taken.apart:
        one_by_one = False
    if one_by_one and matrix.rounds > MAX_LISTED:
        raise MalformedError(f"such a factorization has more than {MAX_LISTED} rounds")
    return Factorized(variance, factorization, taken, count, text)


def _read_factorization(value: Json) -> Factorization:
    named = value if isinstance(value, dict) else {}
    for key, reader in _READERS.items():
        if key in named:
            return reader(named)
    raise MalformedError(f"factorization has none of {', '.join(_READERS)}")


def _read_toeplitz(value: Mapping[str, Json]) -> Factorization:
    parts = members(dict(value), ("steps", "toeplitz"), "factorization")
    rounds = integer(parts["steps"], 1, MAX_ROUNDS, "steps")
    listed = _numbers(parts["toeplitz"], "toeplitz", rounds)
    [row], scale = _whole([listed])
    matrix = Toeplitz(tuple(row), rounds)
    falls = min(row) >= 0 and all(after <= before for before, after in pairwise(row))
    return Factorization(matrix, matrix, scale, falls)


def _read_sqrt(value: Mapping[str, Json]) -> Factorization:
    """The values C(2t, t)/4^t, each from the one before it."""
    parts = members(dict(value), ("band", "sqrt"), "factorization")
    rounds = integer(parts["sqrt"], 1, MAX_ROUNDS, "sqrt")
    band = integer(parts["band"], 1, rounds, "band")
    pay(band * 4 * of_division(FIXED))
    low = [1 << FIXED]
    high = [1 << FIXED]
    for t in range(1, band):
        low.append(low[-1] * (2 * t - 1) // (2 * t))
        high.append(ceil_div(high[-1] * (2 * t - 1), 2 * t))
    return _fixed(low, high, rounds)


def _read_blt(value: Mapping[str, Json]) -> Factorization:
    """The values 1, then Σ_j s_j·d_j^{t-1}."""
    parts = members(dict(value), ("blt", "steps"), "factorization")
    rounds = integer(parts["steps"], 1, MAX_ROUNDS, "steps")
    inner = members(parts["blt"], ("decays", "scales"), "blt")
    scales, decays = (
        [rational(each, key) for each in array(inner[key], key)] for key in ("scales", "decays")
    )
    if not 1 <= len(scales) <= MAX_BUFFERS or len(scales) != len(decays):
        raise MalformedError(f"blt does not have 1 to {MAX_BUFFERS} scales, and as many decays")
    bits = max(size(each) for each in (*scales, *decays))
    if bits > MAX_BITS:
        raise MalformedError(f"a number of blt has more than {MAX_BITS} bits")
    pay((rounds + 4) * len(scales) * 4 * of_division(FIXED + bits))
    if max(decays) > 1 or sum(scales) > 1:
        raise MalformedError("a decay of blt, or the sum of its scales, is above 1")
    low, high = [1 << FIXED], [1 << FIXED]
    below = [(s.numerator << FIXED) // s.denominator for s in scales]
    above = [ceil_div(s.numerator << FIXED, s.denominator) for s in scales]
    for _ in range(1, rounds):
        low.append(sum(below))
        high.append(sum(above))
        below = [x * d.numerator // d.denominator for x, d in zip(below, decays, strict=True)]
        above = [
            ceil_div(x * d.numerator, d.denominator) for x, d in zip(above, decays, strict=True)
        ]
    return _fixed(low, high, rounds)


def _fixed(low: list[int], high: list[int], rounds: int) -> Factorization:
    least, most = Toeplitz(tuple(low), rounds), Toeplitz(tuple(high), rounds)
    return Factorization(least, most, 1 << FIXED, falls=True)


def _read_tree(value: Mapping[str, Json]) -> Factorization:
    """Of all complete nodes of a binary tree a row of ones."""
    parts = members(dict(value), ("tree",), "factorization")
    rounds = integer(parts["tree"], 1, MAX_LISTED, "tree")
    pay(4000 * rounds)
    rows: list[tuple[int, Entries]] = []
    width = 1
    while width <= rounds:
        rows += [(first, (1,) * width) for first in range(0, rounds - width + 1, width)]
        width *= 2
    matrix = Rows(tuple(rows), rounds)
    return Factorization(matrix, matrix, 1, falls=False)


def _read_rows(value: Mapping[str, Json]) -> Factorization:
    parts = members(dict(value), ("from", "rows"), "factorization")
    listed = array(parts["rows"], "rows")
    starts = array(parts["from"], "from")
    if not 1 <= len(listed) <= MAX_ROWS or len(listed) != len(starts):
        raise MalformedError(f"rows are not 1 to {MAX_ROWS}, with as many first rounds")
    firsts = [integer(each, 0, MAX_LISTED - 1, "from") for each in starts]
    rows, scale = _whole([_numbers(each, "rows", MAX_LISTED) for each in listed])
    placed = tuple(zip(firsts, rows, strict=True))
    rounds = max(first + len(row) for first, row in placed)
    matrix = Rows(placed, rounds)
    return Factorization(matrix, matrix, scale, falls=False)


def _numbers(value: Json, what: str, most: int) -> list[Fraction]:
    listed = array(value, what)
    if not 1 <= len(listed) <= most:
        raise MalformedError(f"{what} does not have 1 to {most} numbers")
    numbers = [parse_canonical(string(each, what)) for each in listed]
    if any(each.logs or size(each.rational) > MAX_BITS for each in numbers):
        raise MalformedError(f"a number of {what} is no rational of at most {MAX_BITS} bits")
    return [each.rational for each in numbers]


def _whole(rows: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int]:
    """Numbers over their least common denominator."""
    scale = 1
    for each in chain.from_iterable(rows):
        pay(4 * of_division(2 * MAX_BITS) if scale % each.denominator else 500)
        scale = lcm(scale, each.denominator)
        if scale.bit_length() > MAX_BITS:
            raise MalformedError(f"the common denominator has more than {MAX_BITS} bits")
    return [[int(each * scale) for each in row] for row in rows], scale


def _read_participation(value: Json, rounds: int) -> Apart | tuple[tuple[int, ...], ...]:
    if isinstance(value, list):
        if not value:
            raise MalformedError("participation has no rounds")
        return tuple(_read_listed(each, rounds) for each in value)
    if isinstance(value, dict) and "every" in value:
        parts = members(value, ("every",), "participation")
        every = integer(parts["every"], 1, MAX_ROUNDS, "every")
        return Apart(ceil_div(rounds, every), every, fixed=True)
    parts = members(value, ("apart", "most"), "participation")
    most, apart = (integer(parts[key], 1, MAX_ROUNDS, key) for key in ("most", "apart"))
    return Apart(min(most, ceil_div(rounds, apart)), apart)


def _read_listed(value: Json, rounds: int) -> tuple[int, ...]:
    listed = [integer(each, 0, rounds - 1, "round") for each in array(value, "participation")]
    if not listed:
        raise MalformedError("a participation has no rounds")
    return tuple(increasing(listed, "the rounds of a participation"))


_READERS: Final = {
    "blt": _read_blt,
    "rows": _read_rows,
    "sqrt": _read_sqrt,
    "toeplitz": _read_toeplitz,
    "tree": _read_tree,
}
