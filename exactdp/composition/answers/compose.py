r"""``exactdp.compose``: the least ε for a δ, as a certain interval with a certificate for each end.

Theory of operation: a ledger that (ε, δ) describes in full is solved optimally, and the interval
encloses OptComp. Ledgers with ρ or μ are answered in ``conversions``, and those with noise in
``noise``; each is loaded where one is met.
"""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import places_within
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_and_delta,
    method_of,
    refuse_method,
    width_for,
)
from exactdp.composition.answers.results import Composition, Evidence
from exactdp.composition.certificates import certificate
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.ledger.model import Ledger
from exactdp.timing.deadlines import stop_after


def compose(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    tolerance: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: float | None = None,
) -> Composition:
    r"""The least ε for a δ, enclosed: OptComp, or what a ledger with ρ or μ allows to derive.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        tolerance: the greatest width of the interval, in nats; > 0. None takes 1e-9, or 1e-4 where
            some mechanism is given by its noise.
        method: force an engine: "rational-odds", "grid", "lattice" or "bracket". Ledgers with ρ or
            μ have no choice of one.
        max_cost: refuse work predicted to cost more (units of about a nanosecond); what ρ alone
            takes is little, and not predicted. For noise and for μ it limits each side.
        time_limit: seconds; where the next refinement of a bracket would not fit into what is
            left of them, the best certain interval so far is the answer (``complete`` is False);
            with μ, the narrowest that is predicted to fit.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.

    >>> answer = compose([("ln(3)", 0, 2)], delta="1/10")
    >>> print(answer.exact)
    ln(37/5)
    >>> from exactdp import ConcentratedMechanism
    >>> answer = compose([ConcentratedMechanism("1/8", 4)], delta="1e-6")
    >>> answer.method, str(answer.upper)
    ('zcdp-canonne-kamath-steinke', '5.2215344446')
    """
    return compose_refining(
        ledger,
        delta=delta,
        tolerance=tolerance,
        method=method,
        max_cost=max_cost,
        time_limit=time_limit,
        refining=time_limit,
    )


def compose_refining(
    ledger: LedgerLike,
    *,
    delta: Number | None,
    tolerance: Number | None,
    method: str | None,
    max_cost: int,
    time_limit: float | None,
    refining: float | None,
) -> Composition:
    """The least ε for a δ, with less time for what makes it narrower than for having it at all.

    Args:
        ledger: as for :func:`compose`, as is what is not named here.
        delta: see there.
        tolerance: see there.
        method: see there.
        max_cost: see there.
        time_limit: seconds for the first certain interval where (ε, δ) describes the ledger.
        refining: seconds, at most as many, after which no refinement is begun.
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = width_for(ledger, tolerance)
    if ledger.is_noisy:
        from exactdp.composition.answers.noise import compose_noise  # noqa: PLC0415 (most ledgers need none of it)

        refuse_method(method)
        return compose_noise(ledger, target, width, max_cost=max_cost, time_limit=refining)
    if not ledger.is_approximate:
        from exactdp.composition.answers.conversions import compose_converted  # noqa: PLC0415 (most ledgers need none of it)

        refuse_method(method)
        return compose_converted(ledger, target, width, max_cost=max_cost, time_limit=refining)
    solver = Solver(
        Problem.of(ledger), method=method_of(method), max_cost=max_cost, tolerance=width
    )
    solver.refine_within(refining)
    with stop_after(time_limit):
        return _optimal(ledger, solver, target, width)


def optimal_evidence(
    ledger: Ledger,
    delta: mpq,
    solver: Solver,
    places: int,
    open_because: str = "as narrow as the time limit allowed",
) -> Evidence:
    """What optimal composition rests on, of which so many decimal places are shown."""

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate:
        del enough  # whoever decides it anew finds the same
        decision = solver.decide(epsilon, delta)
        return certificate(Subject.of(ledger), epsilon, delta, decision)

    return Evidence(
        solver.problem,
        prove,
        "randomized responses",
        open_because,
        reaches_least_delta=True,
        places=places,
        costs=solver,
    )


def _optimal(ledger: Ledger, solver: Solver, delta: mpq, width: mpq) -> Composition:
    found = solver.optimum(delta, width)
    solver.refine_within(None)  # certificates take their own time
    return Composition(
        ledger,
        delta,
        found.lower,
        found.upper,
        found.exact,
        found.method,
        found.complete,
        (),
        optimal_evidence(ledger, delta, solver, places_within(width) + 1),
    )
