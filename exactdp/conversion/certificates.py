r"""Certificates of conversions: which rule, with which parameters, at how many digits.

Rules of this file: a certificate is made only of what was decided; the digits follow from the
slack. The least number of digits is not sought.

Theory of operation: the verifier compares sums of so many products with Δ, at an absolute error
of a few units of the last digit each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.decimal_text import floor_log10
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.cost import (
    MOST_DIGITS,
    MOST_SLOTS,
    bracket_cost,
    conversion_cost,
    dots_slots,
    gaussian_cost,
    grid_cost,
    grid_slots,
    mesh_cost,
    mixture_cost,
    pair_cost,
    sum_cost,
    window,
)
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Epsilons, Subject
from exactdp.composition.engines.bracket import leaf_size, leaves
from exactdp.conversion.bounds import MixtureBound, merge_equal
from exactdp.conversion.formulas import Derived, Formula
from exactdp.errors import CostLimitError

_SPARE_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class ConvertedPair:
    """The pair (ε', δ') into which ρ was converted, and the order α that gives δ'."""

    epsilon: mpq
    alpha: mpq


def trivial_certificate(subject: Subject, delta: mpq, epsilon: ExactNumber | None) -> Certificate:
    """δ = 1 for an ``epsilon``; that no ε is enough for None."""
    if epsilon is None:
        cost = sum_cost(subject.size)
        return Certificate(subject, "lower", None, delta, "infeasible", {}, cost)
    return Certificate(subject, "upper", epsilon, delta, "vacuous", {}, 1)


def formula_certificate(
    subject: Subject, formula: Formula, derived: Derived, epsilon: ExactNumber, delta: mpq
) -> Certificate:
    """That a formula gives (ε, δ), or that it does not."""
    parameters = {"digits": str(_allowed(derived.digits))}
    if derived.alpha is not None:
        parameters["alpha"] = str(derived.alpha)
    bound: Kind = "upper" if derived.holds else "underivable"
    cost = conversion_cost(subject.size, len(subject.positive_epsilons()), derived.digits)
    return Certificate(subject, bound, epsilon, delta, formula, parameters, cost)


def mixture_certificate(
    subject: Subject,
    bound: MixtureBound,
    epsilon: ExactNumber,
    delta: mpq,
    slack: mpq,
    pair: ConvertedPair | None = None,
) -> Certificate:
    """That a mixture keeps below Δ by ``slack``, or exceeds it."""
    side: Kind = "upper" if bound.direction == "above" else "lower"
    if bound.mesh is None:
        parameters, cost = _listed(subject, bound, slack)
    else:
        parameters, cost = _meshed(subject, bound, bound.mesh, slack, pair)
    if pair is not None:
        parameters = {**parameters, "alpha": str(pair.alpha), "pair": str(pair.epsilon)}
        cost = pair_cost(cost, int(parameters["digits"]))
    return Certificate(subject, side, epsilon, delta, bound.rule, parameters, cost)


def _listed(subject: Subject, bound: MixtureBound, slack: mpq) -> tuple[Mapping[str, str], int]:
    counts = [count for _, count in subject.positive_epsilons()]
    digits = _digits(slack, (len(counts) + 2) * prod(count + 1 for count in counts))
    if bound.rule == "gaussian":
        cost = gaussian_cost(subject.size, digits)
    else:
        cost = mixture_cost(subject.size, counts, digits)
    return {"digits": str(digits)}, cost


def _meshed(
    subject: Subject, bound: MixtureBound, mesh: mpq, slack: mpq, pair: ConvertedPair | None
) -> tuple[Mapping[str, str], int]:
    epsilons: Epsilons = tuple(subject.positive_epsilons())
    entries = len(subject.mechanisms)
    if pair is not None:
        epsilons = merge_equal((*epsilons, (ExactNumber(pair.epsilon), 1)))
        entries += 1
    most = leaf_size(epsilons)
    multiples = [(-floor_of(e * (-1 / mesh)), count) for e, count in epsilons]
    digits = _SPARE_DIGITS
    for _ in range(2):
        slots = dots_slots(multiples, digits) + _atoms(epsilons, most, digits)
        digits = _digits(slack, slots * (len(epsilons).bit_length() + 16))
    if bound.direction == "above":
        slots = dots_slots(multiples, digits)
        atoms = _atoms(epsilons, most, digits)
        rule = bracket_cost(entries, multiples, digits=digits, atoms=atoms)
    else:
        slots = grid_slots(multiples, digits)
        rule = grid_cost(entries, multiples, digits)
    if slots > MOST_SLOTS:
        raise _too_much(f"{slots} cells")
    parameters = {"digits": str(digits), "sums": str(most), "unit": str(mesh)}
    return parameters, mesh_cost(rule, slots, digits)


def _atoms(epsilons: Epsilons, most: int, digits: int) -> int:
    return sum(
        prod(window(count, digits) + 1 for _, count in leaf) for leaf in leaves(epsilons, most)
    )


def _digits(slack: mpq, roundings: int) -> int:
    """Decimal digits at which so many roundings stay well below the slack."""
    return _allowed(max(10, -floor_log10(slack / roundings) + _SPARE_DIGITS))


def _allowed(digits: int) -> int:
    if digits > MOST_DIGITS:
        raise _too_much(f"{digits} digits")
    return digits


def _too_much(value: str) -> CostLimitError:
    return CostLimitError(
        field="certificate",
        value=value,
        expected=f"at most {MOST_SLOTS} cells of {MOST_DIGITS} digits",
        remedy="ask for a wider --tolerance, or for no certificate",
    )
