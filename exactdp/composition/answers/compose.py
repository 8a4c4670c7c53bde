r"""``exactdp.compose``: the least ε for a δ, as a certain interval with a certificate for each end.

Theory of operation: a ledger that (ε, δ) describes in full is solved optimally, and the interval
encloses OptComp; where that is out of reach, ``moments`` answers instead. Ledgers with ρ or μ are
answered in ``conversions``, and those with noise in ``noise``; each is loaded where one is met.
"""

from __future__ import annotations

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.approaches import answering
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_and_delta,
    width_for,
)
from exactdp.composition.answers.results import Composition
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError


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
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them, or events of
            dp-accounting.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        tolerance: the greatest width of the interval, in nats; > 0. None takes 1e-9, or 1e-4 where
            some mechanism is given by its noise; where that does not fit, noise is answered to the
            least power of ten that does, from a hundredth of ε on, and what no tolerance fits by
            Rényi divergences, which is not optimal (``complete`` is False).
        method: force an engine: "atoms", "grid", "bracket" or "fourier". Ledgers with ρ or μ have
            no choice of one.
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
    ('moments', '5.2215344446')
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

    The first certain interval of optimal composition may take ``time_limit`` seconds; after
    ``refining`` seconds, at most as many, no refinement is begun. The other arguments are those of
    :func:`compose`.
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = width_for(ledger, tolerance)
    asked = answering(ledger, method, max_cost)
    chosen = tolerance is not None or method is not None
    if not chosen:
        width = asked.usual_width(target, width)
    try:
        return asked.compose(target, width, time_limit=time_limit, refining=refining)
    except CostLimitError as error:
        if chosen:
            raise
        return asked.settle(target, width, error)
