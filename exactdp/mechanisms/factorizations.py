r"""Matrices by which noise is correlated over rounds, and the rounds that a record takes part in.

Rules of this file: what is read is exact and in its range, and every other value is refused; rounds
are numbered from 0.

Theory of operation: C is a matrix of rationals, with a column for each round. Where they are many
more digits than anybody needs, as of 4^-t, its entries lie between two matrices of integers over
one denominator; these are nonnegative, as are all that are not written out.

Sources: Denisov, McMahan, Rush, Smith & Thakurta, NeurIPS 2022; Fichtenberger, Henzinger &
Upadhyay, ICML 2023 (square root); Kalinin & Lampert, arXiv:2405.13763 (bands); McMahan, Xu & Zhang,
arXiv:2408.08868 (buffers).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm
from typing import Final, TypeAlias

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.keys import whole_of

MOST_ROUNDS: Final = 10**6
MOST_WRITTEN: Final = 4096
"""Rounds of a matrix that is looked at entry by entry."""
MOST_ROWS: Final = 8192
MOST_BUFFERS: Final = 64
MOST_BITS: Final = 2048
FIXED: Final = 256

Shape: TypeAlias = "dict[str, object]"
Row: TypeAlias = tuple[int, tuple[int, ...]]
"""The first round of a row, and its entries from there on."""
Rows: TypeAlias = tuple[Row, ...]


@dataclass(frozen=True)
class Enclosed:
    """A matrix between two of integers, over ``scale``; one matrix where it is exact.

    Of a lower triangular Toeplitz matrix ``low`` and ``high`` are its coefficients.
    """

    low: Rows | tuple[int, ...]
    high: Rows | tuple[int, ...]
    scale: int


class Factorization(ABC):
    """A matrix C."""

    rounds: int

    @abstractmethod
    def shape(self) -> Shape:
        """Its part of an entry."""

    @abstractmethod
    def enclosed(self) -> Enclosed:
        """The matrix, in integers."""

    @property
    def falls(self) -> bool:
        """Whether it is Toeplitz, with coefficients that neither rise nor fall below 0."""
        return True

    @property
    def span(self) -> int:
        """Columns so far apart are orthogonal."""
        return self.rounds


@dataclass(frozen=True)
class Toeplitz(Factorization):
    """Lower triangular: the coefficients from the diagonal on, 0 beyond the last."""

    coefficients: tuple[mpq, ...]
    rounds: int

    def shape(self) -> Shape:
        return {"toeplitz": list(self.coefficients), "steps": self.rounds}

    def enclosed(self) -> Enclosed:
        [row], scale = _whole([self.coefficients])
        return Enclosed(row, row, scale)

    @property
    def falls(self) -> bool:
        ended = (*self.coefficients, mpq(0))
        return all(after <= before for before, after in pairwise(ended)) and min(ended) >= 0

    @property
    def span(self) -> int:
        return len(self.coefficients)


@dataclass(frozen=True)
class SquareRoot(Factorization):
    """The square root of the prefix sums, C(2t, t)/4^t, as far as its band goes."""

    rounds: int
    band: int

    def shape(self) -> Shape:
        return {"sqrt": self.rounds, "band": self.band}

    def enclosed(self) -> Enclosed:
        low, high = [1 << FIXED], [1 << FIXED]
        for t in range(1, self.band):
            low.append(low[-1] * (2 * t - 1) // (2 * t))
            high.append(-(-high[-1] * (2 * t - 1) // (2 * t)))
        return Enclosed(tuple(low), tuple(high), 1 << FIXED)

    @property
    def span(self) -> int:
        return self.band


@dataclass(frozen=True)
class BufferedToeplitz(Factorization):
    """Buffers that decay: 1, then Σ_j s_j·d_j^{t-1}."""

    scales: tuple[mpq, ...]
    decays: tuple[mpq, ...]
    rounds: int

    def shape(self) -> Shape:
        inner = {"scales": list(self.scales), "decays": list(self.decays)}
        return {"blt": inner, "steps": self.rounds}

    def enclosed(self) -> Enclosed:
        one = 1 << FIXED
        low, high = [0] * self.rounds, [0] * self.rounds
        low[0] = high[0] = one
        for scale, decay in zip(self.scales, self.decays, strict=True):
            above, below = int(decay.numerator), int(decay.denominator)
            least, most = (int(scale.numerator) << FIXED, int(scale.denominator))
            least, most = least // most, -(-least // most)
            for t in range(1, self.rounds):
                low[t] += least
                high[t] += most
                least, most = least * above // below, -(-most * above // below)
        return Enclosed(tuple(low), tuple(high), one)


@dataclass(frozen=True)
class Tree(Factorization):
    """All complete nodes of a binary tree over the rounds, each the sum of its own."""

    rounds: int

    def shape(self) -> Shape:
        return {"tree": self.rounds}

    def enclosed(self) -> Enclosed:
        rows: list[Row] = []
        width = 1
        while width <= self.rounds:
            last = self.rounds - width
            rows += [(first, (1,) * width) for first in range(0, last + 1, width)]
            width *= 2
        return Enclosed(tuple(rows), tuple(rows), 1)

    @property
    def falls(self) -> bool:
        return False

    @property
    def span(self) -> int:
        return 1 << (self.rounds.bit_length() - 1)


@dataclass(frozen=True)
class WrittenRows(Factorization):
    """Any matrix, row by row: the first round of each, and its entries from there on."""

    rows: tuple[tuple[mpq, ...], ...]
    firsts: tuple[int, ...]

    @property
    def rounds(self) -> int:  # type: ignore[override] # it follows from the rows
        return max(first + len(row) for first, row in zip(self.firsts, self.rows, strict=True))

    def shape(self) -> Shape:
        return {"rows": [list(row) for row in self.rows], "from": list(self.firsts)}

    def enclosed(self) -> Enclosed:
        rows, scale = _whole(self.rows)
        placed = tuple(zip(self.firsts, rows, strict=True))
        return Enclosed(placed, placed, scale)

    @property
    def falls(self) -> bool:
        return False

    @property
    def span(self) -> int:
        return max(map(len, self.rows))


# --- participation ------------------------------------------------------------------------------


@dataclass(frozen=True)
class AtMost:
    """At most so many rounds, any two at least so far apart."""

    most: int
    apart: int

    def shape(self) -> object:
        return {"most": self.most, "apart": self.apart}


@dataclass(frozen=True)
class Every:
    """In fixed epochs: any first round, and every so many after it."""

    every: int

    def shape(self) -> object:
        return {"every": self.every}


@dataclass(frozen=True)
class Listed:
    """One of some lists of rounds."""

    patterns: tuple[tuple[int, ...], ...]

    def shape(self) -> object:
        return [list(each) for each in self.patterns]


Participation: TypeAlias = AtMost | Every | Listed


# --- reading ------------------------------------------------------------------------------------


def factorization_of(value: object) -> Factorization:
    """The matrix of an entry, its numbers as texts, or as numbers of Python.

    Raises:
        InputError: keys that name none, floats, or values out of range.

    >>> factorization_of({"sqrt": 3, "band": 2}).span
    2
    """
    if isinstance(value, Factorization):
        return value
    parts = value if isinstance(value, Mapping) else {}
    for key, (others, read) in _READERS.items():
        if key in parts:
            unknown = [each for each in parts if each not in (key, *others)]
            if unknown:
                raise InputError(
                    field=str(unknown[0]),
                    value=f"beside {key}",
                    expected=f"{key} with {' and '.join(others) or 'nothing beside it'}",
                )
            return read(parts)
    raise InputError(
        field="factorization",
        value=", ".join(map(str, parts)) or "nothing",
        expected=f"an object with one of {', '.join(_READERS)}",
    )


def participation_of(value: object, rounds: int) -> Participation:
    """The rounds that a record may take part in, of so many.

    Raises:
        InputError: no such object, or rounds that there are not.
    """
    if isinstance(value, AtMost | Every | Listed):
        return value
    if isinstance(value, list | tuple):
        return _listed(value, rounds)
    parts = value if isinstance(value, Mapping) else {}
    if set(parts) == {"every"}:
        return Every(_integer(parts["every"], "every", MOST_ROUNDS))
    if set(parts) == {"most", "apart"}:
        most, apart = (_integer(parts[key], key, MOST_ROUNDS) for key in ("most", "apart"))
        return AtMost(most, apart)
    raise InputError(
        field="participation",
        value=", ".join(map(str, parts)) or "nothing",
        expected="an object with most and apart, or with every, or an array of arrays of rounds",
        remedy='a record that takes part once has {"most": 1, "apart": 1}',
    )


def _listed(value: Sequence[object], rounds: int) -> Listed:
    patterns = []
    for each in value:
        if not isinstance(each, list | tuple) or not each:
            raise InputError(
                field="participation", value=str(each), expected="arrays of rounds, from 0 on"
            )
        pattern = tuple(whole_or_zero(i, "participation", rounds - 1) for i in each)
        if any(after <= before for before, after in pairwise(pattern)):
            raise InputError(
                field="participation", value=str(list(pattern)), expected="rounds that increase"
            )
        patterns.append(pattern)
    if not patterns:
        raise InputError(field="participation", value="nothing", expected="arrays of rounds")
    return Listed(tuple(patterns))


def _toeplitz(parts: Mapping[str, object]) -> Factorization:
    rounds = _integer(_needed(parts, "steps"), "steps", MOST_ROUNDS)
    listed = _numbers(parts["toeplitz"], "toeplitz", rounds)
    _whole([listed])
    return Toeplitz(listed, rounds)


def _sqrt(parts: Mapping[str, object]) -> Factorization:
    rounds = _integer(parts["sqrt"], "sqrt", MOST_ROUNDS)
    return SquareRoot(rounds, _integer(parts.get("band", rounds), "band", rounds))


def _tree(parts: Mapping[str, object]) -> Factorization:
    return Tree(_integer(parts["tree"], "tree", MOST_WRITTEN))


def _blt(parts: Mapping[str, object]) -> Factorization:
    rounds = _integer(_needed(parts, "steps"), "steps", MOST_ROUNDS)
    inner = parts["blt"] if isinstance(parts["blt"], Mapping) else {}
    scales, decays = (
        _numbers(_needed(inner, key), key, MOST_BUFFERS) for key in ("scales", "decays")
    )
    for name, value, most in (
        *(("scales", each, 1) for each in (*scales, sum(scales, mpq(0)))),
        *(("decays", each, 1) for each in decays),
    ):
        if not 0 <= value <= most:
            raise DomainError(
                field=name,
                value=str(value),
                expected="scales at least 0 whose sum is at most 1, and decays from 0 to 1",
                remedy="write other coefficients out, as toeplitz",
            )
    if len(scales) != len(decays) or len(set(map(len, (scales, decays)))) > 1:
        raise InputError(field="blt", value=str(len(decays)), expected="as many decays as scales")
    return BufferedToeplitz(scales, decays, rounds)


def _rows(parts: Mapping[str, object]) -> Factorization:
    listed = parts["rows"]
    if not isinstance(listed, list | tuple) or not 1 <= len(listed) <= MOST_ROWS:
        raise InputError(
            field="rows", value=str(listed)[:100], expected=f"1 to {MOST_ROWS} arrays of numbers"
        )
    rows = tuple(_numbers(each, "rows", MOST_WRITTEN) for each in listed)
    starts = parts.get("from", [0] * len(rows))
    if not isinstance(starts, list | tuple) or len(starts) != len(rows):
        raise InputError(
            field="from", value=str(starts)[:100], expected="the first round of each row"
        )
    _whole(rows)
    return WrittenRows(rows, tuple(whole_or_zero(i, "from", MOST_WRITTEN - 1) for i in starts))


def _needed(parts: Mapping[str, object], key: str) -> object:
    if key not in parts:
        raise InputError(field=key, value="nothing", expected=f"{key} as well")
    return parts[key]


def _numbers(value: object, field: str, most: int) -> tuple[mpq, ...]:
    """Rationals, of either sign."""
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= most:
        raise InputError(
            field=field, value=str(value)[:100], expected=f"an array of 1 to {most} numbers"
        )
    numbers = tuple(as_rational(each, field) for each in value)
    for each in numbers:
        if each.numerator.bit_length() + each.denominator.bit_length() > MOST_BITS:
            raise DomainError(
                field=field, value="a long number", expected=f"numbers of at most {MOST_BITS} bits"
            )
    return numbers


def _integer(value: object, field: str, most: int) -> int:
    return whole(whole_of(value, field) if isinstance(value, str) else value, field, most)


def whole_or_zero(value: object, field: str, most: int) -> int:
    """A whole number from 0 to ``most``."""
    number = whole_of(value, field) if isinstance(value, str) else value
    return 0 if number == 0 and type(number) is int else whole(number, field, most)


def _whole(rows: Iterable[Sequence[mpq]]) -> tuple[Sequence[tuple[int, ...]], int]:
    """Numbers over their least common denominator.

    Raises:
        DomainError: it is too long.
    """
    listed = list(rows)
    scale = 1
    for denominator in {int(each.denominator) for row in listed for each in row}:
        scale = lcm(scale, denominator)
        if scale.bit_length() > MOST_BITS:
            raise DomainError(
                field="factorization",
                value="its numbers",
                expected=f"a common denominator of at most {MOST_BITS} bits",
                remedy="write decimals: the text of a float is exactly what runs",
            )
    return [tuple(int(each * scale) for each in row) for row in listed], scale


def deviation_of(multiplier: Number, sensitivity: Number) -> mpq:
    """The deviation of noise that a library scaled by a sensitivity of its own."""
    return positive(multiplier, "noise_multiplier") * positive(sensitivity, "sensitivity")


_READERS: Final[
    Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, object]], Factorization]]]
] = {
    "toeplitz": (("steps",), _toeplitz),
    "rows": (("from",), _rows),
    "tree": ((), _tree),
    "sqrt": (("band",), _sqrt),
    "blt": (("steps",), _blt),
}
