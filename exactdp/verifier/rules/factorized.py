r"""Correlated noise: Gaussian noise on a matrix factorization of what rounds contribute.

Rules of this file: matrices are in integers over one denominator; where entries are not rationals
of a file they are nonnegative, and enclosed by a matrix from below and one from above.

Theory of operation: Cu + σz is released, z normal. Row by row the release moves by vectors known
given the past, whose squares are together at most s², the squared sensitivity of C: Gaussian noise
with μ² = s²/σ², and all that is asked is s².

Sources: certs/SPEC.md, section 7.7; Denisov, McMahan, Rush, Smith & Thakurta, NeurIPS 2022, Theorem
2.1 (adaptive inputs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise
from math import lcm
from typing import ClassVar, Final

from ..arithmetic.enclosures import ceil_div
from ..format.meter import of_division, pay
from ..format.numbers import parse_canonical, size
from ..format.outcomes import MalformedError
from ..format.shapes import array, increasing, integer, members, rational, string
from ..format.strict_json import Json
from .curves import Normal
from .sensitivity import (
    Apart,
    Entries,
    Matrix,
    Rows,
    Toeplitz,
    of_patterns,
    of_programme,
)

MAX_ROUNDS: Final = 10**6
MAX_ROWS: Final = 8192
MAX_LISTED: Final = 4096
"""Rounds of a matrix that is looked at entry by entry."""
MAX_BUFFERS: Final = 64
MAX_BITS: Final = 2048
FIXED: Final = 256
"""Binary digits of coefficients that are enclosed."""
REACHES: Final[Mapping[str, int]] = {"add-remove-one": 1, "replace-one": 2, "zero-out": 1}


@dataclass(frozen=True)
class Factorization:
    """C from below and from above, times ``scale``."""

    low: Matrix
    high: Matrix
    scale: int
    falling: tuple[Toeplitz, ...] = ()
    """Both ends, if it is Toeplitz with coefficients that neither rise nor fall below 0."""


# --- an entry -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Factorized:
    """``count`` releases of a factorization, with Gaussian noise of a variance."""

    family: ClassVar[str] = "noise"
    relations: ClassVar[tuple[str, ...]] = tuple(REACHES)

    variance: Fraction
    factorization: Factorization
    participation: Apart | tuple[tuple[int, ...], ...]
    count: int
    text: bytes
    """Its bytes in a statement, without the count."""

    def dominating(self, relation: str) -> list[tuple[Normal, int]]:
        """Gaussian noise with μ² from above."""
        return self._known(relation, upper=True)

    def attained(self, relation: str, _tilt: Fraction) -> list[tuple[Normal, int]]:
        """Gaussian noise with μ² from below."""
        return self._known(relation, upper=False)

    def _known(self, relation: str, *, upper: bool) -> list[tuple[Normal, int]]:
        square, scale = self.squares[upper], self.factorization.scale
        pay(4 * of_division(square.bit_length() + 2 * scale.bit_length() + size(self.variance)))
        reach = REACHES[relation]
        influence = Fraction(reach * reach * square, scale * scale) / self.variance
        return [(Normal(influence), self.count)] if square else []

    @cached_property
    def squares(self) -> tuple[int, int]:
        """The square of the sensitivity times that of the scale, from below and from above."""
        low, high, taken = self.factorization.low, self.factorization.high, self.participation
        if isinstance(taken, tuple):
            return of_patterns(low, high, taken)
        if self.factorization.falling:
            below, above = (
                each.regular(taken.most, taken.apart) for each in self.factorization.falling
            )
            return below, above
        if taken.fixed:
            return of_patterns(low, high, list(taken.regular(high.rounds)))
        return of_programme(high, taken)


# --- reading ------------------------------------------------------------------------------------


def read_factorized(
    parts: Mapping[str, Json], variance: Fraction, count: int, text: bytes
) -> Factorized:
    """The releases of an entry, whose variance, count and bytes are known."""
    factorization = _read_factorization(parts["factorization"])
    matrix = factorization.high
    taken = _read_participation(parts["participation"], matrix.rounds)
    one_by_one = not factorization.falling or isinstance(taken, tuple)
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
    return Factorization(matrix, matrix, scale, (matrix, matrix) if falls else ())


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
    return Factorization(least, most, 1 << FIXED, (least, most))


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
    return Factorization(matrix, matrix, 1)


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
    return Factorization(matrix, matrix, scale)


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
