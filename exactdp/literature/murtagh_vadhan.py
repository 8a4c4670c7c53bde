r"""The papers' own approximation of optimal composition, in both published versions.

Purpose: Murtagh and Vadhan's algorithm as the journal states it (``mv18``) and as the proceedings
had it (``mv16``), runnable, to be compared with and checked by certificates. Their poster's
decision is in :mod:`exactdp.literature.poster`.

Rules of this file: every answer carries its label; a paper's promise is stated as a promise, and
what is certain comes from :func:`exactdp.certify`, about the ledger as it is;
nothing of an algorithm is repaired silently. No engine builds on this file.

Theory of operation: with every ε_i an integer multiple of one unit ε₀, counts of subset sums give
the optimum (section 5 of the journal version). The journal rounds the ε_i *up* to multiples of
ln(1 + β), β rational: a sound upper bound. The proceedings round them *down* to multiples of η/k:
that composes a weaker ledger, and under-reports. Both answer, by binary search in the papers, with
the least multiple of ε₀ that is enough for the rounded ledger. Here it is found from the enclosed
optimum of that ledger: one product of polynomials instead of two tables for every step.

Sources: Murtagh & Vadhan, "The Complexity of Computing the Optimal Composition of Differential
Privacy", Theory of Computing 14(8), 2018, Thm 1.7; and TCC 2016-A, LNCS 9562.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, floor_of
from exactdp.arithmetic.decimal_text import (
    enclose_in_decimals,
    places_within,
    round_above,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.arguments import LedgerLike, ledger_and_delta, positive
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import Certified
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.readable import Readable

SOUND: Final = "sound: never below OptComp"
UNDER_REPORTS: Final = "historical, under-reports"
_PLACES_OF_A_LOGARITHM: Final = 12
_COST_OF_A_TIE: Final = 10**9
_ZERO: Final = ExactNumber(mpq(0))


class MultipleOfUnit(Readable):
    """An answer a*·ε₀ about a ledger: what an algorithm on a grid says, by its fields."""

    __slots__ = ()

    label: ClassVar[str]
    ledger: Ledger
    delta: mpq
    unit: ExactNumber
    multiple: int | None
    max_cost: int

    @property
    def epsilon(self) -> ExactNumber | None:
        """ε* = a*·ε₀, the algorithm's answer, exactly; None if no finite ε is enough."""
        return None if self.multiple is None else self.unit * self.multiple

    def facts(self) -> list[tuple[str, str]]:
        """The answer, and what is known of the algorithm."""
        found = "no finite ε is enough"
        if self.epsilon is not None:
            found = f"ε* = {shortest_text(self.epsilon)}"
        return [("algorithm", self.label), ("answer", f"{found} at δ = {short_text(self.delta)}")]

    def judged(self) -> Certified | None:
        """Whether (ε*, δ) is true of the ledger itself, with a certificate either way.

        None where the algorithm names no ε.
        """
        if self.epsilon is None:
            return None
        return certify(self.ledger, epsilon=self.epsilon, delta=self.delta, max_cost=self.max_cost)


@dataclass(frozen=True, slots=True)
class GridAnswer(MultipleOfUnit):
    r"""What an algorithm that rounds to a grid answers, and the ledger that it answers for.

    Attributes:
        ledger: what was asked about.
        delta: the global δ.
        eta: η, the accuracy that was asked for.
        unit: ε₀.
        rounded: the ledger with every ε_i replaced by a_i·ε₀.
        multiple: a*, where ε* = a*·ε₀; None if no finite ε is enough. It is the least integer with
            a*·ε₀ >= OptComp(rounded), or the one after if that is so near that it was not decided.
        optimum: decimals around OptComp(rounded, δ), or None if no finite ε is enough.
        max_cost: the limit for the algorithm, and for deciding what is asked of the answer.
    """

    ledger: Ledger
    delta: mpq
    eta: mpq
    unit: ExactNumber
    rounded: Ledger
    multiple: int | None
    optimum: tuple[mpq, mpq] | None
    max_cost: int = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ProceedingsAnswer(GridAnswer):
    """The answer of :func:`mv16`: historical, under-reports."""

    label = UNDER_REPORTS  # of every answer, even one that happens to hold


@dataclass(frozen=True, slots=True)
class JournalAnswer(GridAnswer):
    r"""The answer of :func:`mv18`, and certificates for both ends of its guarantee.

    Thm 1.7 promises :math:`OptComp(\delta) \le \epsilon^* \le OptComp(e^{-\eta/2}\delta) + \eta`.

    Attributes:
        beta: β > 0, rational.
    """

    beta: mpq
    label = SOUND

    @property
    def unit_odds(self) -> mpq:
        """The odds ratio q = 1 + β = e^{ε₀} of the unit, rational."""
        return 1 + self.beta

    def upper_certificate(self) -> Certificate | None:
        """The proof that ε* is enough for the ledger itself at δ: OptComp(δ) <= ε*.

        None where no finite ε is enough.

        Raises:
            CostLimitError: undecided within the limits.
        """
        decided = self.judged()
        return None if decided is None else _as_promised(decided, holds=True)

    @property
    def smaller_delta(self) -> mpq:
        r"""A rational δ' next to, and not below, :math:`e^{-\eta/2}\delta`.

        "Not (ε, δ')-DP" implies "not (ε, δ'')-DP" for every δ'' <= δ', so that what is not enough
        at δ' is not enough at :math:`e^{-\eta/2}\delta`; a δ' below that would show nothing about
        it. The proof has room for :math:`\delta' \le e^{-(\eta-\beta)/2}\delta`: rounding adds at
        most η - β to the ε_i, the last β is that of ε* itself. Here δ' exceeds
        :math:`e^{-\eta/2}\delta` by less than a factor 1 + β/3 (1 + 1/3 if β > 1).
        """
        if not self.delta:
            return self.delta
        digits = 2 + places_within(min(self.beta, mpq(1)) / 4)
        with precision(4 * digits + 64):
            return round_above(
                upper_end(ball_of_rational(-self.eta / 2).exp()) * self.delta, digits
            )

    def lower_certificate(self) -> Certificate | None:
        r"""The proof that ε* - η is not enough at δ', and so not at :math:`e^{-\eta/2}\delta`.

        Where ε* is infinite: that no ε is enough at δ. None where ε* < η, as OptComp >= 0.

        Raises:
            CostLimitError: undecided within the limits.
        """
        if self.epsilon is None:
            return self._decided(_ZERO, self.delta, holds=False)
        least = self.epsilon - ExactNumber(self.eta)
        if compare(least, _ZERO) < 0:
            return None
        return self._decided(least, self.smaller_delta, holds=False)

    def _decided(self, epsilon: ExactNumber, delta: mpq, *, holds: bool) -> Certificate:
        decided = certify(self.ledger, epsilon=epsilon, delta=delta, max_cost=self.max_cost)
        return _as_promised(decided, holds=holds)


def mv18(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    eta: Number,
    max_cost: int = DEFAULT_MAX_COST,
) -> JournalAnswer:
    r"""The journal's algorithm: round up to multiples of ln(1 + β), and compose that exactly.

    .. math:: \beta = \frac{\eta}{k(1+\bar\epsilon)+1}, \quad \epsilon_0 = \ln(1+\beta), \quad
              a_i = \lceil \epsilon_i (1/\beta + 1) \rceil

    Up: :math:`\ln(1+\beta) \ge \beta/(1+\beta)`, so a_i·ε₀ >= ε_i. Not far: ln(1 + β) <= β, so the
    ε_i gain at most :math:`c = \beta k(1+\bar\epsilon) = \eta - \beta` together. A gain of c raises
    D by at most a factor :math:`e^{c/2}` if y is raised by a factor :math:`e^c`, as
    :math:`(1 + Ee^c)/(1 + E) \ge e^{c/2}` for E >= 1; and going up to a multiple of ε₀ adds less
    than β.

    Where the mean ε is irrational, a rational number just above it takes its place. β is then
    smaller, c <= η - β, and nothing else of the proof changes.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        eta: η > 0; the work grows with 1/η.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.7.

    >>> answer = mv18([("0.5", 0, 4)], delta="1/100", eta="1/10")
    >>> answer.beta, answer.unit_odds, str(answer.epsilon)
    (mpq(1,70), mpq(71,70), '140*ln(71/70)')
    """
    ledger, target, accuracy = _question(ledger, delta, eta)
    problem = Problem.of(ledger)
    total = _rational_at_least(problem.total_epsilon)
    beta = accuracy / (problem.mechanisms + total + 1)
    factor = -(1 / beta + 1)
    multiples = [-floor_of(each.epsilon * factor) for each in ledger.approximate()]
    unit = ExactNumber.ln(1 + beta)
    rounded = _rounded(ledger, unit, multiples)
    multiple, optimum = _on_the_grid(rounded, target, unit, _narrow(beta), max_cost)
    return JournalAnswer(ledger, target, accuracy, unit, rounded, multiple, optimum, max_cost, beta)


def mv16(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    eta: Number,
    max_cost: int = DEFAULT_MAX_COST,
) -> ProceedingsAnswer:
    r"""The proceedings' algorithm: round *down* to multiples of η/k. Historical, under-reports.

    .. math:: \epsilon_0 = \eta/k, \qquad a_i = \lfloor k\epsilon_i/\eta \rfloor

    The rounded ledger is a weaker one, so its optimum is at most the true one, and strictly less
    unless every ε_i is a multiple of η/k. Going up to a multiple of ε₀ in the end, the reading that
    is kindest to the algorithm, may hide that for few mechanisms and does not mend it.

    Args:
        ledger: as for :func:`mv18`.
        delta: as for :func:`mv18`.
        eta: η > 0; the grid is η/k.
        max_cost: as for :func:`mv18`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    Source: Murtagh & Vadhan, TCC 2016-A, Thm 1.7 and its proof.

    >>> answer = mv16([("0.0299", 0, 100)], delta="2^-30", eta="1/10")
    >>> answer.label, str(answer.epsilon), answer.judged().holds
    ('historical, under-reports', '199/125', False)
    """
    ledger, target, accuracy = _question(ledger, delta, eta)
    unit = accuracy / max(1, Problem.of(ledger).mechanisms)
    multiples = [floor_of(each.epsilon * (1 / unit)) for each in ledger.approximate()]
    grid = ExactNumber(unit)
    rounded = _rounded(ledger, grid, multiples)
    multiple, optimum = _on_the_grid(rounded, target, grid, _narrow(unit), max_cost)
    return ProceedingsAnswer(ledger, target, accuracy, grid, rounded, multiple, optimum, max_cost)


def _on_the_grid(
    rounded: Ledger, delta: mpq, unit: ExactNumber, tolerance: mpq, max_cost: int
) -> tuple[int | None, tuple[mpq, mpq] | None]:
    """The least multiple of the unit that is enough for the rounded ledger, and its optimum."""
    problem = Problem.of(rounded)
    found = Solver(problem, method="grid", max_cost=max_cost).optimum(delta, tolerance)
    if found.upper is None or found.lower is None:
        return None, None
    least = _multiple_reaching(found.exact or ExactNumber(found.lower), unit)
    multiple = _multiple_reaching(found.exact or ExactNumber(found.upper), unit)
    if least < multiple and _is_enough(problem, unit * least, delta, max_cost):
        multiple = least
    return multiple, (found.lower, found.upper)


def _is_enough(problem: Problem, epsilon: ExactNumber, delta: mpq, max_cost: int) -> bool:
    """Whether ε is certainly enough; a tie is decided only where rational odds are cheap."""
    try:
        return Solver(problem, max_cost=min(max_cost, _COST_OF_A_TIE)).decide(epsilon, delta).holds
    except CostLimitError:
        return False


def _multiple_reaching(number: ExactNumber, unit: ExactNumber) -> int:
    """The least integer a with a·unit >= number, exactly; number >= 0, unit > 0."""
    within = multiples_within(number, unit)
    return within + (compare(unit * within, number) < 0)


def _narrow(unit: mpq) -> mpq:
    """A tolerance below β - ln(1 + β), so that ε* < OptComp(rounded) + β even if undecided."""
    return min(unit, mpq(1)) ** 2 / 10**6


def _rounded(ledger: Ledger, unit: ExactNumber, multiples: list[int]) -> Ledger:
    mechanisms = tuple(
        Mechanism(unit * a, each.delta, each.count, each.label)
        for each, a in zip(ledger.approximate(), multiples, strict=True)
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def multiples_within(number: ExactNumber, unit: ExactNumber) -> int:
    """The greatest integer a with a·unit <= number, exactly; number >= 0, unit > 0."""
    if number.is_rational and unit.is_rational:
        return int(number.rational // unit.rational)
    width, bits, guess = mpq(1), 32, 0
    while width >= 1:
        bits *= 2
        with precision(bits):
            ratio = ball(number) / ball(unit)
        if ratio.is_finite():
            guess, width = int(lower_end(ratio) // 1), upper_end(ratio) - lower_end(ratio)
    while compare(unit * (guess + 1), number) <= 0:
        guess += 1
    return guess


def _rational_at_least(number: ExactNumber) -> mpq:
    """The number itself if it is rational, else a decimal just above."""
    if number.is_rational:
        return number.rational
    return enclose_in_decimals(number, _PLACES_OF_A_LOGARITHM)[1]


def _as_promised(decided: Certified, *, holds: bool) -> Certificate:
    """The certificate of what Thm 1.7 says.

    Raises:
        InternalError: the theorem, or this program, is wrong.
    """
    if decided.holds != holds:
        raise InternalError(
            field="mv18",
            value=f"ε = {decided.certificate.epsilon} at δ = {decided.certificate.delta}",
            expected=f"a claim that is {'proved' if holds else 'refuted'}, by Thm 1.7",
            remedy="this is a bug in exactdp, please report it",
        )
    return decided.certificate


def _question(ledger: LedgerLike, delta: Number | None, eta: Number) -> tuple[Ledger, mpq, mpq]:
    return *ledger_and_delta(ledger, delta), positive(eta, "eta")
