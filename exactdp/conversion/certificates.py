r"""Certificates of conversions: which rule, with which parameters, at how many digits.

Rules of this file: a certificate is made only of what was decided; the digits follow from the
slack, as :mod:`exactdp.composition.precision` has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.cost import (
    bracket_cost,
    conversion_cost,
    gaussian_cost,
    grid_cost,
    grid_slots,
    mesh_cost,
    mixture_cost,
    pair_cost,
)
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Epsilons, Subject
from exactdp.composition.precision import Mesh, digits_for, refuse_beyond
from exactdp.conversion.bounds import MixtureBound, merge_equal
from exactdp.conversion.formulas import Derived, Formula


@dataclass(frozen=True, slots=True)
class ConvertedPair:
    """The pair (ε', δ') into which ρ was converted, and the order α that gives δ'."""

    epsilon: mpq
    alpha: mpq


def formula_certificate(
    subject: Subject, formula: Formula, derived: Derived, epsilon: ExactNumber, delta: mpq
) -> Certificate:
    """The proof that a formula gives (ε, δ), or that it does not."""
    refuse_beyond(0, derived.digits)
    parameters = {"digits": str(derived.digits)}
    if derived.alpha is not None:
        parameters["alpha"] = str(derived.alpha)
    kind: Kind = "upper" if derived.holds else "underivable"
    cost = conversion_cost(subject.size, len(subject.positive_epsilons()), derived.digits)
    return Certificate(subject, kind, epsilon, delta, formula, parameters, cost)


def mixture_certificate(
    subject: Subject,
    bound: MixtureBound,
    epsilon: ExactNumber,
    delta: mpq,
    slack: mpq,
    pair: ConvertedPair | None = None,
) -> Certificate:
    """The proof that a mixture keeps below Δ by ``slack``, or exceeds it by that."""
    kind: Kind = "upper" if bound.direction == "above" else "lower"
    if bound.mesh is None:
        parameters, cost = _listed(subject, bound, slack)
    else:
        parameters, cost = _meshed(subject, bound, bound.mesh, slack, pair)
    if pair is not None:
        parameters = {**parameters, "alpha": str(pair.alpha), "pair": str(pair.epsilon)}
        cost = pair_cost(cost, int(parameters["digits"]))
    return Certificate(subject, kind, epsilon, delta, bound.rule, parameters, cost)


def _listed(subject: Subject, bound: MixtureBound, slack: mpq) -> tuple[Mapping[str, str], int]:
    counts = [count for _, count in subject.positive_epsilons()]
    digits = digits_for(slack, (len(counts) + 2) * prod(count + 1 for count in counts))
    refuse_beyond(0, digits)
    if bound.rule == "gaussian":
        cost = gaussian_cost(subject.size, digits)
    else:
        cost = mixture_cost(subject.size, counts, digits)
    return {"digits": str(digits)}, cost


def _meshed(
    subject: Subject, bound: MixtureBound, unit: mpq, slack: mpq, pair: ConvertedPair | None
) -> tuple[Mapping[str, str], int]:
    epsilons: Epsilons = subject.positive_epsilons()
    entries = len(subject.mechanisms)
    if pair is not None:
        epsilons = merge_equal((*epsilons, (ExactNumber(pair.epsilon), 1)))
        entries += 1
    mesh = Mesh(epsilons, unit)
    digits = mesh.digits(slack)
    if bound.direction == "above":
        slots = mesh.slots(digits)
        rule = bracket_cost(entries, mesh.multiples, digits=digits, atoms=mesh.atoms(digits))
    else:
        slots = grid_slots(mesh.multiples, digits)
        rule = grid_cost(entries, mesh.multiples, digits)
    refuse_beyond(slots, digits)
    return mesh.parameters(digits), mesh_cost(rule, slots, digits)
