r"""The sensitivity of a matrix factorization, squared: from below and from above.

Rules of this file: integers alone; a sum from above is of absolute values, one from below that of a
participation with signs, which some record has.

Theory of operation: with X = CᵀC the squared sensitivity is the greatest Σ_{i,j∈π} ⟨u_i, u_j⟩X_ij
over participations π and vectors of norm at most 1. It is at most Σ|X_ij|, and at least the sum
with signs s_i·s_j instead; where no X_ij is below 0 both are one number. Which of the four rules of
certs/SPEC.md, section 7.7, finds the greatest, the matrix knows: see there for proofs.

Sources: certs/SPEC.md, section 7.7; Kalinin & Lampert, arXiv:2405.13763, Theorem 2; Choquette-Choo
et al., arXiv:2306.08153.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from flint import fmpz_mat
from gmpy2 import mpq

from exactdp.errors import DomainError, UnsupportedError
from exactdp.mechanisms.factorizations import (
    MOST_WRITTEN,
    AtMost,
    Every,
    Factorization,
    Listed,
    Participation,
    Row,
)
from exactdp.timing.deadlines import ask

_KEPT: Final = 64
_MOST_STEPS: Final = 10**9
"""Of a programme, about a tenth of a microsecond each."""

Patterns: TypeAlias = Sequence[Sequence[int]]
Matrix: TypeAlias = Sequence[Row] | Sequence[int]
Gram: TypeAlias = list[list[int]]


@lru_cache(maxsize=_KEPT)
def squared_sensitivity(matrix: Factorization, taken: Participation) -> tuple[mpq, mpq]:
    """Both ends of s²; equal where no product of columns in one participation is negative.

    Raises:
        DomainError: more rounds than are looked at one by one, or no round in which a record has
            any influence.
        UnsupportedError: it would take too long.

    >>> from exactdp.mechanisms.factorizations import Tree
    >>> squared_sensitivity(Tree(16), AtMost(4, 4))
    (mpq(36,1), mpq(36,1))
    """
    enclosed, rounds = matrix.enclosed(), matrix.rounds
    low, high = _ends(matrix, taken, enclosed.low, enclosed.high, rounds)
    if not low:
        raise DomainError(
            field="factorization", value="0", expected="a matrix by which some record has influence"
        )
    return mpq(low, enclosed.scale**2), mpq(high, enclosed.scale**2)


def _ends(
    matrix: Factorization, taken: Participation, low: Matrix, high: Matrix, rounds: int
) -> tuple[int, int]:
    limit = _steps_of(taken, rounds)
    if matrix.falls and limit:
        return tuple(_regular(_coefficients(each), rounds, *limit) for each in (low, high))  # type: ignore[return-value] # of two
    banded = isinstance(taken, AtMost) and matrix.span <= taken.apart
    if not banded and rounds > MOST_WRITTEN:
        raise DomainError(
            field="factorization",
            value=f"{rounds} rounds",
            expected=f"at most {MOST_WRITTEN}, each pair of which would be looked at",
            remedy="coefficients that do not rise, or a band no wider than what lies between two "
            "rounds of a record, have no such limit",
        )
    if isinstance(taken, AtMost):
        most, apart = min(taken.most, -(-rounds // taken.apart)), taken.apart
        if banded:
            exact = best(_diagonal(high, rounds), most, apart)[-1][0]
            return exact, exact
        _refuse_long(rounds * rounds * most)
        return _by_rows(gram(high, rounds), most, apart)
    patterns = taken.patterns if isinstance(taken, Listed) else _regular_patterns(rounds, *limit)
    above = gram(high, rounds)
    below = above if low is high or low == high else gram(low, rounds)
    return max(signed(below, each) for each in patterns), max(
        absolute(above, each) for each in patterns
    )


def _steps_of(taken: Participation, rounds: int) -> tuple[int, int]:
    """How many rounds in equal steps, and how long these are; nothing if they are listed."""
    match taken:
        case AtMost(most, apart):
            return min(most, -(-rounds // apart)), apart
        case Every(every):
            return -(-rounds // every), every
        case Listed():
            return ()  # type: ignore[return-value] # never unpacked


def _refuse_long(steps: int) -> None:
    if steps > _MOST_STEPS:
        raise UnsupportedError(
            field="factorization",
            value=f"{steps} steps",
            expected=f"at most {_MOST_STEPS}: rounds, squared, times participations",
            remedy="list the participations, if they are few",
        )
    ask(100 * steps)


def _coefficients(matrix: Matrix) -> list[int]:
    return [each for each in matrix if isinstance(each, int)]


# --- Gram matrices ------------------------------------------------------------------------------


def gram(matrix: Matrix, rounds: int) -> Gram:
    """X = CᵀC."""
    dense = []
    for first, entries in _as_rows(matrix, rounds):
        dense.append([0] * first + list(entries) + [0] * (rounds - first - len(entries)))
    own = fmpz_mat(dense)
    product = own.transpose() * own
    return [[int(each) for each in row] for row in product.tolist()]


def _as_rows(matrix: Matrix, rounds: int) -> Sequence[Row]:
    coefficients = _coefficients(matrix)
    if not coefficients:
        return matrix  # type: ignore[return-value] # they are rows
    width = len(coefficients)
    return [(max(0, i + 1 - width), tuple(reversed(coefficients[: i + 1]))) for i in range(rounds)]


def _diagonal(matrix: Matrix, rounds: int) -> list[int]:
    """The squares of the norms of the columns."""
    coefficients = _coefficients(matrix)
    if coefficients:
        sums = [0]
        for each in coefficients:
            sums.append(sums[-1] + each * each)
        return [sums[min(rounds - i, len(coefficients))] for i in range(rounds)]
    squares = [0] * rounds
    for first, entries in matrix:  # type: ignore[misc] # rows
        for i, each in enumerate(entries, first):
            squares[i] += each * each
    return squares


def absolute(products: Gram, pattern: Sequence[int]) -> int:
    """Σ|X_ij|."""
    return sum(abs(products[i][j]) for i in pattern for j in pattern)


def signed(products: Gram, pattern: Sequence[int]) -> int:
    """Σ s_i·s_j·X_ij, each sign chosen for what lies behind it."""
    signs: dict[int, int] = {}
    for i in reversed(pattern):
        behind = sum(sign * products[i][j] for j, sign in signs.items())
        signs[i] = -1 if behind < 0 else 1
    return sum(signs[i] * signs[j] * products[i][j] for i in pattern for j in pattern)


# --- patterns -----------------------------------------------------------------------------------


def _regular(coefficients: Sequence[int], rounds: int, most: int, apart: int) -> int:
    """‖Σ C e_{tb}‖² of the first so many columns, so far apart."""
    padded = [*coefficients, *[0] * (rounds - len(coefficients))]
    rows: list[int] = []
    for i, own in enumerate(padded):
        rows.append(own + (rows[i - apart] if i >= apart else 0))
    seen = most * apart
    total = 0
    for i, each in enumerate(rows):
        within = each - (rows[i - seen] if i >= seen else 0)
        total += within * within
    return total


def _regular_patterns(rounds: int, most: int, apart: int) -> list[range]:
    """Equal steps, from each first round."""
    return [range(first, rounds, apart)[:most] for first in range(min(apart, rounds))]


def best(values: Sequence[int], most: int, apart: int) -> list[list[int]]:
    """For each number of rounds, so far apart: the best sum of all from each on."""
    rounds = len(values)
    found = [[0] * (rounds + 1)]
    for _ in range(most):
        before = found[-1]
        after = [0] * (rounds + 1)
        for i in reversed(range(rounds)):
            far = i + apart
            taken = values[i] + (before[far] if far < rounds else 0)
            after[i] = max(after[i + 1], taken)
        found.append(after)
    return found


def traced(layers: list[list[int]], apart: int) -> list[int]:
    """Of the rounds with the best sum those that come last."""
    left, rounds = len(layers) - 1, len(layers[0]) - 1
    pattern: list[int] = []
    i = 0
    while left and i < rounds:
        if layers[left][i] > layers[left][i + 1]:
            pattern.append(i)
            left -= 1
            i += apart
        else:
            i += 1
    return pattern


def _by_rows(products: Gram, most: int, apart: int) -> tuple[int, int]:
    rounds = len(products)
    values = []
    for i, row in enumerate(products):
        ask()
        sizes = [abs(each) for each in row]
        left = best(sizes[: max(0, i - apart + 1)], most - 1, apart)
        right = best(sizes[i + apart :], most - 1, apart)
        values.append(row[i] + max(left[p][0] + right[most - 1 - p][0] for p in range(most)))
    layers = best(values, most, apart)
    patterns: Patterns = [*_regular_patterns(rounds, most, apart), traced(layers, apart)]
    return max(signed(products, each) for each in patterns), layers[-1][0]
