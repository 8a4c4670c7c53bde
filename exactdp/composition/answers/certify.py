r"""``exactdp.certify``: a claim (ε, δ), proved or refuted, with a certificate either way."""

from __future__ import annotations

from exactdp.arithmetic.numbers import Number
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    method_of,
    nonnegative,
    probability,
    refuse_method,
)
from exactdp.composition.answers.results import Certified
from exactdp.composition.certificates import certificate
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver


def certify(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Certified:
    r"""Prove or refute "every composition is (ε, δ)-DP", with a certificate either way.

    Args:
        ledger: as for :func:`exactdp.compose`.
        epsilon: the claimed ε >= 0, in nats.
        delta: the claimed δ in [0, 1].
        method: as for :func:`exactdp.compose`.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: undecided within the limits, or, with ρ, neither derivable by the rules
            nor refuted.

    >>> certify([("0.1", 0, 12)], epsilon="1.2", delta=0).holds
    True
    """
    ledger = ledger_of(ledger)
    claimed, target = nonnegative(epsilon), probability(delta)
    if ledger.is_noisy:
        from exactdp.composition.answers.noise import certify_noise  # noqa: PLC0415 (most ledgers need none of it)

        refuse_method(method)
        return certify_noise(ledger, claimed, target, max_cost=max_cost)
    if not ledger.is_approximate:
        from exactdp.composition.answers.conversions import certify_converted  # noqa: PLC0415 (most ledgers need none of it)

        refuse_method(method)
        return certify_converted(ledger, claimed, target, max_cost=max_cost)
    solver = Solver(Problem.of(ledger), method=method_of(method), max_cost=max_cost)
    decision = solver.decide(claimed, target)
    return Certified(
        decision.holds,
        decision.equality,
        certificate(Subject.of(ledger), claimed, target, decision),
    )
