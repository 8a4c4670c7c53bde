r"""Certificates of conversions: which rule, with which parameters, at how many digits.

Rules of this file: a certificate is made only of what was decided; the digits follow from the
slack, as :mod:`exactdp.composition.precision` has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.prediction import grid_slots
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Epsilons, Subject
from exactdp.certificate.theorems import BUN_STEINKE, CONVERSION_OF_ZCDP
from exactdp.composition.engines.gaussian.mixtures import MixtureBound, merge_equal
from exactdp.composition.engines.moments.formulas import Derived, derive
from exactdp.composition.precision import Mesh, digits_for, refuse_beyond
from exactdp.composition.problem import Problem


@dataclass(frozen=True, slots=True)
class ConvertedPair:
    """The pair (ε', δ') into which ρ was converted, and the order α that gives δ'."""

    epsilon: mpq
    alpha: mpq


def moments_certificate(
    subject: Subject, problem: Problem, epsilon: ExactNumber, delta: mpq
) -> Certificate | None:
    """The proof of (ε, δ) by Rényi divergences of one order; None if none gives it.

    Raises:
        CostLimitError: undecided.
    """
    derived = derive("moments", problem, epsilon, problem.allowed(delta))
    if not derived.holds:
        return None
    refuse_beyond(0, derived.digits)
    parameters = {"alpha": str(derived.alpha), "digits": str(derived.digits)}
    return Certificate(subject, "upper", epsilon, delta, "moments", parameters)


def underivable_certificate(
    subject: Subject, derived: Derived, epsilon: ExactNumber, delta: mpq
) -> Certificate:
    """The proof that a formula does not give (ε, δ): at an order, or Bun and Steinke's."""
    refuse_beyond(0, derived.digits)
    alpha = "best" if derived.alpha is None else str(derived.alpha)
    parameters = {"alpha": alpha, "digits": str(derived.digits)}
    theorem = BUN_STEINKE.name if derived.alpha is None else CONVERSION_OF_ZCDP.name
    shown = Certificate(subject, "underivable", epsilon, delta, "formula", parameters)
    return replace(shown, chosen_theorem=theorem)


def mixture_certificate(
    subject: Subject,
    bound: MixtureBound,
    epsilon: ExactNumber,
    delta: mpq,
    slack: mpq,
    pair: ConvertedPair | None = None,
) -> Certificate:
    """The proof that a mixture keeps below Δ by ``slack``, or exceeds it by that."""
    kind: Kind = "upper" if bound.side == "above" else "lower"
    if bound.mesh is None:
        parameters = _listed(subject, slack)
    else:
        parameters = _meshed(subject, bound, bound.mesh, slack, pair)
    if pair is not None:
        parameters = {**parameters, "alpha": str(pair.alpha), "pair": str(pair.epsilon)}
    return Certificate(subject, kind, epsilon, delta, bound.rule, parameters)


def _listed(subject: Subject, slack: mpq) -> Mapping[str, str]:
    counts = [count for _, count in subject.positive_epsilons()]
    digits = digits_for(slack, (len(counts) + 2) * prod(count + 1 for count in counts))
    refuse_beyond(0, digits)
    return {"digits": str(digits)}


def _meshed(
    subject: Subject, bound: MixtureBound, unit: mpq, slack: mpq, pair: ConvertedPair | None
) -> Mapping[str, str]:
    epsilons: Epsilons = subject.positive_epsilons()
    if pair is not None:
        epsilons = merge_equal((*epsilons, (ExactNumber(pair.epsilon), 1)))
    mesh = Mesh(epsilons, unit)
    digits = mesh.digits(slack)
    above = bound.side == "above"
    refuse_beyond(mesh.slots(digits) if above else grid_slots(mesh.multiples, digits), digits)
    return mesh.parameters(digits)
