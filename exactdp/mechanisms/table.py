r"""Mechanisms written out: the probabilities of their answers on two neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms.checks import checked_law
from exactdp.mechanisms.family import (
    REPLACE_ONE,
    THERE_OR_NOT,
    Attained,
    NeverFails,
    Sampleable,
    set_field,
)
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import Atom, CountedPair, Direction, GreatestLoss, OutputTable


@dataclass(frozen=True, slots=True, init=False)
class PairMechanism(Sampleable, Attained, NeverFails):
    r"""A mechanism written out: the probabilities of its answers on two neighbouring inputs.

    Of neighbours that differ in one record, ``p`` is with it and ``q`` without.

    >>> PairMechanism(["3/4", "1/4"], ["1/4", "3/4"]).p
    (mpq(3,4), mpq(1,4))
    """

    p: tuple[mpq, ...]
    q: tuple[mpq, ...]
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("pair", "", {"p": None, "q": None}, '"epsilon": the largest |ln(p/q)|', in_cells=False),
    )

    def __init__(
        self, p: Iterable[Number], q: Iterable[Number], count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "p", checked_law(p, "p"))
        set_field(self, "q", checked_law(q, "q"))
        if len(self.p) != len(self.q):
            raise InputError(
                field="pair",
                value=f"{len(self.p)} and {len(self.q)} probabilities",
                expected="p and q over the same answers, in the same order",
                remedy="write 0 for an answer that one of them does not give",
            )
        self._counted(count, label)

    @property
    def neighbours(self) -> tuple[str, ...]:
        return THERE_OR_NOT

    def refused(self, relation: str) -> UnsupportedError | None:
        """Where one record is replaced by another, nobody says which of the laws has it."""
        if relation != REPLACE_ONE:
            return None
        return UnsupportedError(
            field="pair",
            value="with replace-one",
            expected="add-remove-one or zero-out, as p is the law with a record and q that without",
            remedy="if p and q are the laws before and after a record is replaced, write "
            '"neighbouring": "add-remove-one" and say so in notes: the ε of two laws is the same',
        )

    def differs_by_direction(self, relation: str) -> bool:
        """``p`` is with the record."""
        return relation != REPLACE_ONE

    def pair(self) -> TablePair:
        """The table."""
        return TablePair(self.p, self.q)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """The table."""
        yield self.pair(), 1

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq] | None:
        """The greatest ratio of answers that both inputs give, and what the others weigh."""
        rows = list(zip(self.p, self.q, strict=True))
        ratios = [max(a / b, b / a) for a, b in rows if a and b]
        if not ratios:
            return None
        apart = (
            sum((a for a, b in rows if not b), mpq(0)),
            sum((b for a, b in rows if not a), mpq(0)),
        )
        return ExactNumber.ln(max(ratios)), max(apart)

    def implied_rho(self) -> None:
        """Its ε says more."""

    def rho_estimate(self) -> mpq:
        """About the square of the total variation, twice."""
        pairs = zip(self.p, self.q, strict=True)
        return sum((abs(p - q) for p, q in pairs), mpq(0)) ** 2 / 2

    def ordering(self) -> Order:
        """Only its equal is like it, but for a rate."""
        return Order(("pair", self.p, self.q))

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()


@dataclass(frozen=True, slots=True)
class TablePair(OutputTable):
    """A pair of laws that is written out."""

    p: tuple[mpq, ...]
    q: tuple[mpq, ...]

    def outputs(self) -> tuple[tuple[mpq, mpq], ...]:
        return tuple(zip(self.p, self.q, strict=True))

    def size(self, _digits: int) -> int:
        """Its outputs."""
        return len(self.p)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """Each output with ln(p/q)."""
        for p, q in zip(self.p, self.q, strict=True):
            if p or q:
                loss = ball_of_rational(p / q).log() if p and q else None
                yield Atom(ball_of_rational(p), ball_of_rational(q), loss)

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        return self.greatest_on_sample(mpq(1), direction)

    def mass_at_infinity(self, direction: Direction) -> mpq:
        return self.mass_on_sample(mpq(1), direction)

    def greatest_on_sample(self, rate: mpq, direction: Direction) -> GreatestLoss:
        """Of the answers that both inputs give."""
        rows = self._rows(rate, direction)
        most = max((p / q for p, q in rows if p and q), default=mpq(1))
        return GreatestLoss(ExactNumber.ln(most))

    def mass_on_sample(self, rate: mpq, direction: Direction) -> mpq:
        """Of the answers that one input gives alone."""
        return sum((p for p, q in self._rows(rate, direction) if not q), mpq(0))

    def _rows(self, rate: mpq, direction: Direction) -> list[tuple[mpq, mpq]]:
        rows = [((1 - rate) * q + rate * p, q) for p, q in zip(self.p, self.q, strict=True)]
        return [(q, p) for p, q in rows] if direction == "add" else rows

    @property
    def has_moments(self) -> bool:
        """Whether every output is possible under both laws."""
        return all(bool(p) == bool(q) for p, q in zip(self.p, self.q, strict=True))

    def moment(self, order: arb) -> arb:
        """The greater of both directions."""
        return _moment(self.p, self.q, order).max(_moment(self.q, self.p, order))


def _moment(p: Sequence[mpq], q: Sequence[mpq], order: arb) -> arb:
    """The logarithm of Σ q·(p/q)^α."""
    total = arb(0)
    for one, other in zip(p, q, strict=True):
        if one and not other:
            return arb("inf")
        if one:
            total += ball_of_rational(other) * (order * ball_of_rational(one / other).log()).exp()
    return total.log()
