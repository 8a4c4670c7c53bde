r"""How far a dial may be turned within a budget, for ledgers of every notion.

Rules of this file: an end is one only if :func:`exactdp.certify` has decided it, with a
certificate; what is neither proved nor refuted lies between the ends and is said to.

Theory of operation: each place of a dial reveals at least as much as those before it. The search
starts at the multiple of the place by a power of two at which ρ is about what the budget allows.
Where about which ε a place needs is known at once, it moves on to where that is the budget's (ε is
nearly a power of the number on the dial). From there it doubles until the budget is broken, or
halves until it is kept, in steps that are small at first if the boundary is thought to be near;
then it halves what is in between, on decimals of few digits. Places that would cost too much are
not looked for without end. Where the
rules leave a gap (ρ, bounded range), the last place that is proved and the first that is refuted
are found one after the other.

Sources: as for :mod:`exactdp.budgets.monotone_parameters`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import places_within
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.arithmetic.threshold import threshold
from exactdp.budgets.approach import approached, rational
from exactdp.budgets.guess import down_to, rho_within
from exactdp.budgets.monotone_parameters import MonotoneParameter
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.approaches import answering
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import UNDECIDED, Certified, EvidenceKind
from exactdp.errors import CostLimitError, DomainError, InternalError
from exactdp.ledger.model import Ledger

_FARTHEST_STRIDE: Final = mpq(2)
_MOST_REFUSED: Final = 6
_UNKNOWN: Final = mpq(-1)
_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class TurnedLedger:
    """A ledger of a dial, and whether it keeps the budget.

    Attributes:
        at: the number on the dial.
        ledger: the ledger there; that of the beginning where there is none.
        found: whether it keeps the budget, decided; None if that is open.
        reason: why it is open, or "".
        is_beyond: whether there is no ledger at such a number.
        refusal: why the work there was refused; None if it was not, or if the rules leave it open.
    """

    at: mpq
    ledger: Ledger
    found: Certified | None
    reason: str = ""
    is_beyond: bool = False
    refusal: CostLimitError | None = None

    @property
    def holds(self) -> bool | None:
        """Whether it keeps the budget; None if that is open."""
        return None if self.found is None else self.found.holds

    @property
    def proof(self) -> Certificate | None:
        """The certificate of either; None if it is open, or was computed."""
        return None if self.found is None else self.found.proof

    @property
    def evidence(self) -> EvidenceKind:
        """What it rests on."""
        return "computed" if self.found is None else self.found.evidence

    def certificate(self, _epsilon: ExactNumber, _delta: mpq) -> Certificate | None:
        """The proof; None where it was computed that it keeps the budget, or breaks it.

        Raises:
            InternalError: it is open, which is a bug of ours.
        """
        if self.holds is None:
            raise InternalError(
                field="budget",
                value=str(self.at),
                expected="a decided place of a dial",
                remedy="this is a bug in exactdp, please report it",
            )
        return self.proof


@dataclass(frozen=True, slots=True)
class TurnedEnds:
    """The last place that keeps the budget, and the first that is known not to.

    Attributes:
        kept: None if no place does.
        broken: None if none is known.
        between: why the places between the two are open; "" if there are none.
    """

    kept: TurnedLedger | None
    broken: TurnedLedger | None
    between: str = ""


class DialSearch:
    """The search on one dial.

    Args:
        dial: what is turned.
        epsilon: ε of the budget.
        delta: δ of the budget, below 1.
        width: how near the ends shall come, relative to them below 1; whole numbers come next to
            each other.
        max_cost: refuse work that is predicted to cost more.
        stride: the factor of the first step, squared until it is 2: little above 1 where the dial
            is thought to be near the boundary.
    """

    def __init__(
        self,
        dial: MonotoneParameter,
        *,
        epsilon: ExactNumber,
        delta: mpq,
        width: mpq,
        max_cost: int,
        stride: mpq = _FARTHEST_STRIDE,
    ) -> None:
        self._dial = dial
        self._epsilon = epsilon
        self._delta = delta
        self._width = width
        self._max_cost = max_cost
        self._stride = stride
        self._grid = mpq(1) if dial.whole else None
        self._decided: dict[mpq, TurnedLedger] = {}

    @property
    def now(self) -> TurnedLedger:
        """The ledger as it is."""
        return self.decide(self._dial.now)

    def decide(self, at: mpq) -> TurnedLedger:
        """Whether the ledger at ``at`` keeps the budget, as far as limits and rules allow."""
        if at not in self._decided:
            self._decided[at] = self._decide(at)
        return self._decided[at]

    def _decide(self, at: mpq) -> TurnedLedger:
        try:
            ledger = self._dial.ledger(at)
        except DomainError as error:
            start = self._dial.ledger(self._dial.now)
            return TurnedLedger(at, start, None, reason=str(error), is_beyond=True)
        try:
            found = certify(
                ledger, epsilon=self._epsilon, delta=self._delta, max_cost=self._max_cost
            )
        except CostLimitError as error:
            refusal = None if error.field == UNDECIDED else error
            return TurnedLedger(at, ledger, None, reason=str(error), refusal=refusal)
        return TurnedLedger(at, ledger, found)

    def ends(self) -> TurnedEnds:
        """Where the dial leaves the budget."""
        kept, other = self._first_bracket()
        if kept is None:
            return TurnedEnds(None, self._first_broken(other))
        if other is None:
            return TurnedEnds(kept, None)
        step = self._step(min(kept.at, other.at))
        kept, other = self._narrow(kept, other, step, proved=True)
        if other.holds is False:
            return TurnedEnds(kept, other)
        broken = self._first_broken(other)
        if broken is not None:
            broken = self._narrow(other, broken, step, proved=False)[1]
        return TurnedEnds(kept, broken, other.reason)

    def _first_bracket(self) -> tuple[TurnedLedger | None, TurnedLedger | None]:
        """A place that keeps the budget and a farther one that is not proved to, within a factor 2.

        Of these the first is missing where none keeps it, and the second where all do.

        Raises:
            CostLimitError: the work at several places in a row was refused.
        """
        start, stride, refused = self._start(), self._stride, 0
        near = self._approached(start)
        if near is not None:
            start, stride = near, min(stride, 1 + self._step(near) / near)
        here = self.decide(start)
        while True:
            refused = refused + 1 if here.refusal is not None else 0
            if here.refusal is not None and refused == _MOST_REFUSED:
                raise here.refusal
            onward = bool(here.holds)
            at = self._moved(here.at, stride, onward=onward)
            stride = min(stride**2, _FARTHEST_STRIDE)
            if at == here.at:
                return (here, None) if onward else (None, here)
            there = self.decide(at)
            if onward != bool(there.holds):
                return (here, there) if onward else (there, here)
            here = there

    def _start(self) -> mpq:
        """The number as it is, times a power of two at which ρ is about what the budget allows."""
        at = self._dial.now
        if self._stride < _FARTHEST_STRIDE or not 0 < self._delta < 1:
            return at
        allowed = rho_within(self._epsilon, self._delta)
        onward = self._about_rho(at) < allowed
        while True:
            moved = self._moved(at, _FARTHEST_STRIDE, onward=onward)
            rho = self._about_rho(moved)
            if moved == at or rho == _UNKNOWN or (rho < allowed) != onward:
                return at
            at = moved

    def _approached(self, start: mpq) -> mpq | None:
        """About the boundary, by guesses; None where nothing is known at once.

        Places are multiples of its step from then on.
        """
        if not 0 < self._delta < 1:
            return None
        with precision(_BITS):
            epsilon = float(ball(self._epsilon))

        def rounded(number: float) -> tuple[mpq, mpq]:
            at = min(max(rational(number), self._dial.least), self._dial.most)
            step = self._step(at)
            return min(max(down_to(at, step), self._dial.least), self._dial.most), step

        power = 1.0 if self._dial.rising else -1.0
        found = approached(start, epsilon, power, self._nearly, rounded)
        if found is None:
            return None
        at, self._grid = found
        return at

    def _nearly(self, at: mpq, tolerance: mpq) -> mpq | None:
        """About the ε that a place needs, for guesses; None where that is not known at once."""
        try:
            ledger = self._dial.ledger(at)
            return answering(ledger, None, self._max_cost).nearly(self._delta, tolerance)
        except (CostLimitError, DomainError):
            return None

    def _about_rho(self, at: mpq) -> mpq:
        """About ρ of all mechanisms at a place; below 0 if there is no ledger."""
        try:
            ledger = self._dial.ledger(at)
        except DomainError:
            return _UNKNOWN
        return sum((each.rho_estimate() * each.count for each in ledger.mechanisms), mpq(0))

    def _first_broken(self, start: TurnedLedger | None) -> TurnedLedger | None:
        """The first place from ``start`` on, doubling, that is known to break the budget."""
        here = start
        while here is not None and here.holds is not False:
            at = self._moved(here.at, _FARTHEST_STRIDE, onward=True)
            if at == here.at or here.is_beyond:
                return None
            here = self.decide(at)
        return here

    def _moved(self, at: mpq, stride: mpq, *, onward: bool) -> mpq:
        """So many times as far, or as near, towards what reveals more, or less."""
        upward = onward == self._dial.rising
        moved = at * stride if upward else at / stride
        if self._grid is not None:
            moved = down_to(moved, self._grid)
            moved = max(moved, at + self._grid) if upward else min(moved, at - self._grid)
        return min(max(moved, self._dial.least), self._dial.most)

    def _step(self, at: mpq) -> mpq:
        """Of which multiples the ends are; it depends on how far the boundary is from the start."""
        if self._grid is not None:
            return self._grid
        near = self._dial.now
        while near > at:
            near /= self._stride
        while near * self._stride <= at:
            near *= self._stride
        return mpq(1, mpz(10) ** max(0, places_within(self._width * min(mpq(1), near))))

    def _narrow(
        self, first: TurnedLedger, last: TurnedLedger, step: mpq, *, proved: bool
    ) -> tuple[TurnedLedger, TurnedLedger]:
        """Neighbouring multiples of ``step``: up to the first one ``proved`` holds or it is open.

        With ``proved`` the first keeps the budget and the last is not known to; else the first is
        not known to break it and the last is.
        """
        sign = 1 if self._dial.rising else -1
        low, high = int(first.at * sign // step), -int(-(last.at * sign) // step)

        def is_beyond(steps: int) -> bool:
            found = self.decide(steps * sign * step)
            return not found.holds if proved else found.holds is False

        one, other = (self.decide(each * sign * step) for each in threshold(is_beyond, low, high))
        return one, other
