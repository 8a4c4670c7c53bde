r"""The poster's decision procedure, in the two readings that its text leaves open.

Purpose: what Murtagh and Vadhan's poster proposes in place of a fixed grid, runnable, to be checked
by certificates. Neither reading does what it promises; see :func:`poster_decision`.

Rules of this file: as in :mod:`exactdp.literature.murtagh_vadhan`. Everything that the poster does
not say is said here.

Theory of operation: the decision is one inequality between two sums over the solutions of a
knapsack, counted exactly, weighted in balls, at a precision that doubles until the sides are apart.

Sources: Murtagh & Vadhan, the poster of "The Complexity of Computing the Optimal Composition of
Differential Privacy"; Dyer, "Approximate counting by dynamic programming", STOC 2003.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from flint import arb, arb_poly, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, floor_of
from exactdp.arithmetic.decimal_text import decimal_text, places_within
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.arithmetic.threshold import threshold
from exactdp.composition.answers.arguments import LedgerLike, ledger_and_delta, positive
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import Certified
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.composition.solver import MOST_BITS
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.literature.murtagh_vadhan import multiples_within
from exactdp.readable import Readable

Reading = Literal["rounded", "true-prefactors"]

READINGS: Final[tuple[Reading, ...]] = ("rounded", "true-prefactors")
LABELS: Final = {
    "rounded": "unsound: says True below OptComp",
    "true-prefactors": "sound, but breaks its promise: says False above OptComp",
}
_FIRST_BITS: Final = 192
_ZERO: Final = ExactNumber(mpq(0))


@dataclass(frozen=True, slots=True)
class PosterAnswer(Readable):
    """Where the poster's decision turns from False to True, by bisection.

    Attributes:
        ledger: what was asked about.
        delta: the global δ.
        t: the number of cells that b is divided into.
        reading: which ε stand in the prefactors.
        epsilon: a decimal at which the decision is True; None if no finite ε is enough.
        below: the decimal before it, at which the decision is False; None if ``epsilon`` is 0.
    """

    ledger: Ledger
    delta: mpq
    t: int
    reading: Reading
    epsilon: mpq | None
    below: mpq | None
    max_cost: int = field(repr=False, compare=False)

    def facts(self) -> list[tuple[str, str]]:
        """The reading, and where its decision turns."""
        turns = "no finite ε is enough"
        if self.epsilon is not None:
            below = "" if self.below is None else f"; False at {decimal_text(self.below)}"
            turns = f"True at {decimal_text(self.epsilon)}{below}"
        return [(f"reading {self.reading}", LABELS[self.reading]), ("decision", turns)]

    def judged(self) -> Certified | None:
        """Whether (``epsilon``, δ), which the decision calls True, is true of the ledger."""
        return self._judged(self.epsilon)

    def promise_judged(self) -> Certified | None:
        """Whether (``below``, δ), which the decision calls False, is true: a broken promise."""
        return self._judged(self.below)

    def _judged(self, epsilon: mpq | None) -> Certified | None:
        if epsilon is None:
            return None
        return certify(self.ledger, epsilon=epsilon, delta=self.delta, max_cost=self.max_cost)


def poster_decision(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number | None = None,
    t: Number,
    reading: Reading,
    max_cost: int = DEFAULT_MAX_COST,
) -> bool:
    r"""The poster's decision: is ε* enough? Neither reading decides that; see below.

    With b = (Σε - ε*)/2 and T for the complement of S, the terms of Theorem 1.5 that count are
    those with :math:`\sum_{i\in T}\epsilon_i \le b`: solutions of a knapsack. The poster counts
    them as Dyer does, with a_i = ⌊tε_i/b⌋ and t for the bound. Put f_i = a_i·b/t <= ε_i:

    .. math:: \mathrm{True} \iff
              e^{\Sigma} \sum_T e^{-f(T)} - e^{\epsilon^*} \sum_T e^{f(T)} \le \Delta\, P,
              \qquad \text{sums over } \sum_{i \in T} a_i \le t.

    What the poster leaves open is the prefactors Σ and P:

    - ``rounded``: Σ = Σf_i and P = ∏(1 + e^{f_i}): rounded f_i everywhere, which is a line below
      the divergence of a weaker ledger, that of the f_i; and as b is half of what the true ε_i
      leave, even terms that are negative for the f_i are summed. True below OptComp: *unsound*.
    - ``true-prefactors``: Σ = Σε_i and P = ∏(1 + e^{ε_i}). Every term is then at least that of
      Theorem 1.5, and none is negative: True implies OptComp <= ε*. But the poster promises True
      for every ε* >= OptComp, and that it breaks: it *over-reports*.

    Where ε* >= Σε there is no b > 0, and basic composition answers: True if Δ >= 0. If Δ < 0 no ε
    is enough, and the answer is False. The poster treats neither case.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        epsilon: ε* >= 0.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        t: an integer >= 1: b has t cells.
        reading: ``rounded`` or ``true-prefactors``.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits, or the sides agree to 100 000 bits.

    OptComp of this ledger is 0.41698…:

    >>> claim = {"ledger": [("0.1", 0, 20)], "delta": "1/20", "t": 10}
    >>> poster_decision(epsilon="0.3", reading="rounded", **claim)
    True
    >>> poster_decision(epsilon="0.5", reading="true-prefactors", **claim)
    False
    """
    ledger, target = ledger_and_delta(ledger, delta)
    candidate = as_number(epsilon, "epsilon")
    if compare(candidate, _ZERO) < 0:
        raise DomainError(field="epsilon", value=str(candidate), expected="a number at least 0")
    _require_reading(reading)
    return _Poster(Problem.of(ledger), target, _cells(t), reading, max_cost).says(candidate)


def poster(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    t: Number,
    reading: Reading,
    tolerance: Number = "1e-6",
    max_cost: int = DEFAULT_MAX_COST,
) -> PosterAnswer:
    r"""The least ε that the poster's decision calls enough, by bisection over decimals.

    The decision is not known to be monotone in ε*, as the grid b/t moves with it: what is certain
    is that it says True at ``epsilon`` and False at ``below``.

    Args:
        ledger: as for :func:`poster_decision`.
        delta: as for :func:`poster_decision`.
        t: as for :func:`poster_decision`.
        reading: ``rounded`` or ``true-prefactors``.
        tolerance: > 0; the step is the greatest 10^-p, p >= 0, not above it.
        max_cost: as for :func:`poster_decision`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: as for :func:`poster_decision`.
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width, cells = positive(tolerance, "tolerance"), _cells(t)
    _require_reading(reading)
    problem = Problem.of(ledger)
    ends: tuple[mpq | None, mpq | None] = None, None
    if target >= 1 or problem.allowed(target).sign >= 0:
        ends = _Poster(problem, target, cells, reading, max_cost).least(places_within(width))
    return PosterAnswer(ledger, target, cells, reading, *ends, max_cost)


@dataclass(frozen=True, slots=True)
class _Poster:
    """The poster's decision for one ledger, δ and t."""

    problem: Problem
    delta: mpq
    t: int
    reading: Reading
    max_cost: int

    def least(self, places: int) -> tuple[mpq, mpq | None]:
        """Neighbouring decimals at which the decision is True and False."""
        scale = 10**places
        if self.says(_ZERO):
            return mpq(0), None
        most = -floor_of(self.problem.total_epsilon * -scale)
        low, high = threshold(lambda n: self.says(ExactNumber(mpq(n, scale))), 0, most)
        return mpq(high, scale), mpq(low, scale)

    def says(self, candidate: ExactNumber) -> bool:
        """The decision."""
        if self.delta >= 1:
            return True
        if self.problem.allowed(self.delta).sign < 0:
            return False
        twice = self.problem.total_epsilon - candidate
        if compare(twice, _ZERO) <= 0:
            return True
        cell = twice * mpq(1, 2 * self.t)
        self._refuse_beyond_limits()
        multiples = [(multiples_within(e, cell), count) for e, count in self.problem.epsilons]
        return self._compared(candidate, cell, multiples, self._counts(multiples))

    def _counts(self, multiples: list[tuple[int, int]]) -> fmpz_poly:
        """How many T have Σ a_i = s, for s = 0…t, as coefficients."""
        counts = fmpz_poly([1])
        for a, count in multiples:
            if not a:
                counts *= 1 << count
            elif a <= self.t:
                factor = fmpz_poly([1] + [0] * (a - 1) + [1]).pow_trunc(count, self.t + 1)
                counts = counts.mul_low(factor, self.t + 1)
        return counts

    def _compared(
        self,
        candidate: ExactNumber,
        cell: ExactNumber,
        multiples: list[tuple[int, int]],
        counts: fmpz_poly,
    ) -> bool:
        bits = _FIRST_BITS + self.problem.mechanisms
        while bits <= MOST_BITS + self.problem.mechanisms:
            with precision(bits):
                left, right = self._sides(candidate, cell, multiples, counts, bits)
                if left <= right:
                    return True
                if left > right:
                    return False
            bits *= 2
        raise CostLimitError(
            field="epsilon",
            value=str(candidate),
            expected="the two sides of the poster's inequality to differ",
            remedy="ask about another ε",
        )

    def _sides(
        self,
        candidate: ExactNumber,
        cell: ExactNumber,
        multiples: list[tuple[int, int]],
        counts: fmpz_poly,
        bits: int,
    ) -> tuple[arb, arb]:
        """Both sides of the inequality, at the precision of the context."""
        step = ball(cell)
        if self.reading == "rounded":
            prefactors = [(step * a, count) for a, count in multiples]
        else:
            prefactors = [(ball(epsilon), count) for epsilon, count in self.problem.epsilons]
        total, normaliser = arb(0), arb(1)
        for epsilon, count in prefactors:
            total += epsilon * count
            normaliser *= (1 + epsilon.exp()) ** count
        weighted = arb_poly(counts)
        first = total.exp() * weighted((-step).exp())
        second = ball(candidate).exp() * weighted(step.exp())
        allowed = self.problem.allowed(self.delta)
        right = allowed.ball(bits) if allowed.sign else arb(0)
        return first - second, right * normaliser

    def _refuse_beyond_limits(self) -> None:
        cost = (self.t + 1) * (self.problem.mechanisms + 64) * (len(self.problem.epsilons) + 8)
        if cost > self.max_cost:
            raise CostLimitError(
                field="t",
                value=f"{self.t} cells for {self.problem.mechanisms} mechanisms",
                expected=f"a predicted cost of at most {self.max_cost}; here it is {cost}",
                remedy="take a smaller t, or raise --max-cost",
            )


def _cells(value: Number) -> int:
    number = as_rational(value, "t")
    if number.denominator != 1 or number < 1:
        raise DomainError(field="t", value=str(number), expected="a whole number at least 1")
    return int(number)


def _require_reading(reading: str) -> None:
    if reading not in READINGS:
        raise InputError(field="reading", value=reading, expected=" or ".join(READINGS))
