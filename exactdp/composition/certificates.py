r"""From a decision to a certificate: which rule, with which parameters.

Theory of operation: the solver knows on which side of Δ the divergence lies and by how much
(the slack). The digits that the verifier must carry follow from the slack and from how many
roundings it will make; everything else in a certificate follows from the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.cost import (
    MOST_DIGITS,
    bracket_cost,
    failure_size,
    grid_cost,
    grid_slots,
    lattice_cost,
    rational_odds_cost,
    sum_cost,
)
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.engines.grid import common_grid
from exactdp.composition.engines.lattice import Lattice
from exactdp.composition.precision import Mesh, digits_for, refuse_beyond
from exactdp.composition.solver import Decision


@dataclass(frozen=True, slots=True)
class _Claim:
    """A decided claim."""

    subject: Subject
    epsilon: ExactNumber
    delta: mpq
    decision: Decision

    @property
    def slack(self) -> mpq:
        """By how much it is decided."""
        return self.decision.slack


_Hints = tuple[Mapping[str, str], int]
"""The parameters of a rule, and what it costs to check."""


def certificate(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> Certificate:
    """The certificate of a decided claim: an upper one if it holds, else a lower one."""
    claim = _Claim(subject, epsilon, delta, decision)
    parameters, cost = _HINTS.get(decision.rule, _formula)(claim)
    return Certificate(
        subject,
        "upper" if decision.holds else "lower",
        None if decision.rule == "infeasible" else epsilon,
        delta,
        decision.rule,
        parameters,
        cost,
    )


def _vacuous(_: _Claim) -> _Hints:
    return {}, 1


def _without_parameters(claim: _Claim) -> _Hints:
    deltas = {d for _, d, _ in claim.subject.mechanisms if d}
    if deltas:
        # The verifier compares logarithms that lie as near to 0 as the least δ, doubling its bits.
        longest = max(d.denominator.bit_length() for d in (claim.delta, *deltas))
        if (2 * longest) ** 2 * (len(deltas) + 1) > (3 * MOST_DIGITS) ** 2:
            refuse_beyond(0, longest)
    return {}, sum_cost(claim.subject.size)


def _rational_odds(claim: _Claim) -> _Hints:
    mechanisms, epsilons = claim.subject.mechanisms, claim.subject.positive_epsilons()
    sums = Lattice.of(epsilons).most_sums
    # D moves by at most as much as y moves in proportion, so the slack alone decides.
    digits = digits_for(claim.slack)
    refuse_beyond(sums, digits)
    deltas: Counter[mpq] = Counter()
    for _, d, count in mechanisms:
        deltas[d] += count
    cost = rational_odds_cost(
        [(epsilon, count) for epsilon, _, count in mechanisms],
        epsilons,
        digits=digits,
        sums=sums,
        failure_bits=failure_size(claim.delta, list(deltas.items())),
    )
    return {"digits": str(digits), "sums": str(sums)}, cost


def _grid(claim: _Claim) -> _Hints:
    epsilons = claim.subject.positive_epsilons()
    grid = common_grid(epsilons)
    if grid is None:
        raise ValueError("the planner chose a grid for a ledger without one")
    multiples = [(grid.multiple(epsilon), count) for epsilon, count in epsilons]
    levels = len(epsilons).bit_length() + 4
    digits = digits_for(claim.slack, grid_slots(multiples, 0) * levels)
    digits = digits_for(claim.slack, grid_slots(multiples, digits) * levels)
    refuse_beyond(grid_slots(multiples, digits), digits)
    cost = grid_cost(len(claim.subject.mechanisms), multiples, digits)
    return {"digits": str(digits), "unit": str(grid.unit)}, cost


def _lattice(claim: _Claim) -> _Hints:
    epsilons = claim.subject.positive_epsilons()
    sums = Lattice.of(epsilons).most_sums
    digits = digits_for(claim.slack, sums * (len(epsilons) + 3))
    refuse_beyond(sums, digits)
    cost = lattice_cost(len(claim.subject.mechanisms), epsilons, digits=digits, sums=sums)
    return {"digits": str(digits), "sums": str(sums)}, cost


def _bracket(claim: _Claim) -> _Hints:
    if claim.decision.mesh is None:
        raise ValueError("a bracket decides at a mesh")
    mesh = Mesh(claim.subject.positive_epsilons(), claim.decision.mesh)
    # The lower bound multiplies what was lost by e^ε.
    factor = 1 if claim.decision.holds else 4 ** (floor_of(claim.epsilon) + 1)
    digits = mesh.digits(claim.slack, factor)
    refuse_beyond(mesh.slots(digits), digits)
    entries, atoms = len(claim.subject.mechanisms), mesh.atoms(digits)
    cost = bracket_cost(entries, mesh.multiples, digits=digits, atoms=atoms)
    return mesh.parameters(digits), cost


def _formula(claim: _Claim) -> _Hints:
    digits = digits_for(claim.slack)
    refuse_beyond(0, digits)
    entries, epsilons = len(claim.subject.mechanisms), len(claim.subject.positive_epsilons())
    return {"digits": str(digits)}, RULES[claim.decision.rule].cost(entries, epsilons, digits)


def _stepwise(claim: _Claim) -> _Hints:
    multiples = [(1, count) for _, count in claim.subject.positive_epsilons()]
    digits = digits_for(claim.slack)
    digits = digits_for(claim.slack, 4 * grid_slots(multiples, digits))
    refuse_beyond(grid_slots(multiples, digits), digits)
    return {"digits": str(digits)}, grid_cost(len(claim.subject.mechanisms), multiples, digits)


_HINTS: Final[Mapping[str, Callable[[_Claim], _Hints]]] = {
    "vacuous": _vacuous,
    "sum": _without_parameters,
    "infeasible": _without_parameters,
    "rational-odds": _rational_odds,
    "grid": _grid,
    "lattice": _lattice,
    "connect-the-dots": _bracket,
    "gridded-test": _bracket,
    "murtagh-vadhan-1.4": _stepwise,
}
"""How a rule's parameters and cost are chosen; what is not here evaluates a closed form."""
