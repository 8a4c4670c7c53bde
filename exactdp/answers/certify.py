r"""``exactdp.certify``: a claim (ε, δ), proved or refuted, with a certificate either way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.answers.arguments import (
    ledger_of,
    method_of,
    nonnegative,
    probability,
    refuse_method,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import Problem
from exactdp.composition.solver import INFEASIBLE, VACUOUS, Solver
from exactdp.conversion.certificates import formula_certificate
from exactdp.conversion.derivations import MixtureRoute, Route, Routes
from exactdp.conversion.formulas import FORMULAS, Formula, derive
from exactdp.conversion.parts import Parts
from exactdp.errors import CostLimitError, InputError
from exactdp.ledger.model import Ledger

NOT_DERIVABLE: Final = "not-derivable"


@dataclass(frozen=True, slots=True)
class Certified:
    """A decided claim and its certificate: an upper one if it holds, else a lower one.

    Attributes:
        holds: whether every composition with these parameters is (ε, δ)-DP.
        equality: whether the claimed ε is known to be the least one.
        certificate: the proof or the refutation.
    """

    holds: bool
    equality: bool
    certificate: Certificate


def certify(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: object,
    delta: object,
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
    claimed, target, subject = nonnegative(epsilon), probability(delta), Subject.of(ledger)
    if not ledger.is_approximate:
        refuse_method(method)
        return _certified(subject, Parts.of(ledger), claimed, target)
    solver = Solver(Problem.of(ledger), method=method_of(method), max_cost=max_cost)
    decision = solver.decide(claimed, target)
    return Certified(
        decision.holds, decision.equality, certificate(subject, claimed, target, decision)
    )


def _certified(subject: Subject, parts: Parts, epsilon: ExactNumber, delta: mpq) -> Certified:
    if delta >= 1:
        return Certified(True, False, certificate(subject, epsilon, delta, VACUOUS))
    if parts.allowed(delta).sign <= 0:
        return Certified(False, False, certificate(subject, epsilon, delta, INFEASIBLE))
    routes = Routes(parts)
    refutation = routes.below.certificate(subject, epsilon, delta)
    if refutation is not None:
        return Certified(False, False, refutation)
    for route in routes.above(delta):
        proof = _proof(route, subject, epsilon, delta)
        if proof is not None:
            return Certified(True, False, proof)
    raise CostLimitError(
        field="claim",
        value="neither derivable nor refuted",
        expected="a claim outside the interval that compose prints",
        remedy="rho alone does not decide it: the rules do not derive it, and no composition "
        "known to them refutes it",
        code=NOT_DERIVABLE,
    )


def _proof(route: Route, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
    """The route's certificate, or None if it does not lead there, as far as can be told."""
    if isinstance(route, MixtureRoute):
        return route.certificate(subject, epsilon, delta)
    try:
        return route.certificate(subject, epsilon, delta)
    except CostLimitError:
        return None


@dataclass(frozen=True, slots=True)
class ConvertedClaim:
    """What one formula says of a claim.

    Attributes:
        derivable: whether the formula gives (ε, δ).
        certificate: an ``upper`` one if it does, else an ``underivable`` one.
    """

    derivable: bool
    certificate: Certificate


def certify_conversion(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: object,
    delta: object,
    rule: str = "zcdp-canonne-kamath-steinke",
) -> ConvertedClaim:
    r"""Whether one conversion gives (ε, δ) from these parameters, with a certificate either way.

    "It does not" is about the formula: every mechanism with these parameters may be (ε, δ)-DP.

    Args:
        ledger: as for :func:`exactdp.compose`; every mechanism is taken as zCDP.
        epsilon: the claimed ε >= 0.
        delta: the claimed δ, so that Δ > 0.
        rule: "zcdp-canonne-kamath-steinke" or "zcdp-bun-steinke".

    Raises:
        InputError: bad arguments.
        CostLimitError: undecided within the limits, which only a tie can be.

    >>> from exactdp.ledger.model import ConcentratedMechanism
    >>> census = [ConcentratedMechanism("293764/114921")]
    >>> certify_conversion(census, epsilon="17849145/1041158", delta="1e-10").derivable
    False
    """
    formula: Formula | None = next((name for name in FORMULAS[:2] if name == rule), None)
    if formula is None:
        raise InputError(field="rule", value=rule, expected=" or ".join(FORMULAS[:2]))
    ledger = ledger_of(ledger)
    claimed, target, parts = nonnegative(epsilon), probability(delta), Parts.of(ledger)
    if target >= 1 or parts.allowed(target).sign <= 0:
        raise InputError(
            field="delta",
            value=str(target),
            expected="a δ below 1 that leaves something to convert: above 1 - ∏(1 - δ_i)",
        )
    derived = derive(formula, parts, claimed, parts.allowed(target))
    certificate_of_formula = formula_certificate(
        Subject.of(ledger), formula, derived, claimed, target
    )
    return ConvertedClaim(derived.holds, certificate_of_formula)
