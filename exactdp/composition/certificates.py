r"""From a decision to a certificate: which rule, with which parameters.

Theory of operation: the solver knows on which side of Δ the divergence lies and by how much
(the slack). The digits that the verifier must carry follow from the slack and from how many
roundings it will make; everything else in a certificate follows from the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
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
    dots_slots,
    failure_size,
    grid_cost,
    grid_slots,
    lattice_cost,
    rational_odds_cost,
    sum_cost,
    window,
)
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.engines.bracket import leaf_size, leaves
from exactdp.composition.engines.grid import common_grid
from exactdp.composition.engines.lattice import Lattice
from exactdp.composition.solver import Decision
from exactdp.errors import CostLimitError

_SPARE_DIGITS: Final = 3


def certificate(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> Certificate:
    """The certificate of a decided claim: an upper one if it holds, else a lower one."""
    parameters, cost = _HINTS.get(decision.rule, _formula)(subject, epsilon, delta, decision)
    return Certificate(
        subject,
        "upper" if decision.holds else "lower",
        None if decision.rule == "infeasible" else epsilon,
        delta,
        decision.rule,
        parameters,
        cost,
    )


_Hints = tuple[Mapping[str, str], int]


def _without_parameters(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> _Hints:
    del epsilon, decision
    deltas = {d for _, d, _ in subject.mechanisms if d}
    if deltas:
        # The verifier compares logarithms that lie as near to 0 as the least δ, doubling its bits.
        longest = max(d.denominator.bit_length() for d in (delta, *deltas))
        if (2 * longest) ** 2 * (len(deltas) + 1) > (3 * MOST_DIGITS) ** 2:
            _refuse_beyond(0, longest)
    return {}, sum_cost(len(subject.mechanisms))


def _vacuous(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del subject, epsilon, delta, decision
    return {}, 1


def _rational_odds(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> _Hints:
    del epsilon
    epsilons = subject.positive_epsilons()
    lattice = Lattice.of(epsilons)
    sums = lattice.most_sums
    # D moves by at most as much as y moves in proportion, so the slack alone decides.
    digits = _digits(decision.slack, 1) if decision.slack else _SPARE_DIGITS
    _refuse_beyond(sums, digits)
    deltas: Counter[mpq] = Counter()
    for _, d, count in subject.mechanisms:
        deltas[d] += count
    cost = rational_odds_cost(
        [(epsilon, count) for epsilon, _, count in subject.mechanisms],
        epsilons,
        digits=digits,
        sums=sums,
        failure_bits=failure_size(delta, list(deltas.items())),
    )
    return {"digits": str(digits), "sums": str(sums)}, cost


def _grid(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del epsilon, delta
    epsilons = subject.positive_epsilons()
    grid = common_grid(epsilons)
    if grid is None:
        raise ValueError("the planner chose a grid for a ledger without one")
    multiples = [(grid.multiple(epsilon), count) for epsilon, count in epsilons]
    levels = len(epsilons).bit_length() + 4
    digits = _digits(decision.slack, grid_slots(multiples, 0) * levels)
    digits = _digits(decision.slack, grid_slots(multiples, digits) * levels)
    _refuse_beyond(grid_slots(multiples, digits), digits)
    cost = grid_cost(len(subject.mechanisms), multiples, digits)
    return {"digits": str(digits), "unit": str(grid.unit)}, cost


def _lattice(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del epsilon, delta
    epsilons = subject.positive_epsilons()
    sums = Lattice.of(epsilons).most_sums
    digits = _digits(decision.slack, sums * (len(epsilons) + 3))
    _refuse_beyond(sums, digits)
    cost = lattice_cost(len(subject.mechanisms), epsilons, digits=digits, sums=sums)
    return {"digits": str(digits), "sums": str(sums)}, cost


def _bracket(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del delta
    if decision.mesh is None:
        raise ValueError("a bracket decides at a mesh")
    mesh, epsilons = decision.mesh, subject.positive_epsilons()
    most = leaf_size(epsilons)
    multiples = [(-floor_of(e * (-1 / mesh)), count) for e, count in epsilons]
    gathered = leaves(epsilons, most)
    # The lower bound multiplies what was lost by e^ε.
    factor = 1 if decision.holds else 4 ** (floor_of(epsilon) + 1)
    digits = _SPARE_DIGITS
    for _ in range(2):
        atoms = sum(prod(window(c, digits) + 1 for _, c in leaf) for leaf in gathered)
        roundings = (dots_slots(multiples, digits) + atoms) * (len(epsilons).bit_length() + 16)
        digits = _digits(decision.slack, roundings * factor)
    atoms = sum(prod(window(c, digits) + 1 for _, c in leaf) for leaf in gathered)
    _refuse_beyond(dots_slots(multiples, digits), digits)
    cost = bracket_cost(len(subject.mechanisms), multiples, digits=digits, atoms=atoms)
    return {"digits": str(digits), "sums": str(most), "unit": str(mesh)}, cost


def _formula(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del epsilon, delta
    digits = _digits(decision.slack, 1) if decision.slack else _SPARE_DIGITS
    _refuse_beyond(0, digits)
    entries, epsilons = len(subject.mechanisms), len(subject.positive_epsilons())
    return {"digits": str(digits)}, RULES[decision.rule].cost(entries, epsilons, digits)


def _stepwise(subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision) -> _Hints:
    del epsilon, delta
    multiples = [(1, count) for _, count in subject.positive_epsilons()]
    digits = _digits(decision.slack, 1) if decision.slack else _SPARE_DIGITS
    digits = (
        _digits(decision.slack, 4 * grid_slots(multiples, digits)) if decision.slack else digits
    )
    _refuse_beyond(grid_slots(multiples, digits), digits)
    return {"digits": str(digits)}, grid_cost(len(subject.mechanisms), multiples, digits)


def _refuse_beyond(slots: int, digits: int) -> None:
    """Refuse what the format does not let a certificate ask for.

    Raises:
        CostLimitError: too many cells, or too many digits.
    """
    if slots > MOST_SLOTS or digits > MOST_DIGITS:
        raise CostLimitError(
            field="certificate",
            value=f"{slots} cells of {digits} digits",
            expected=f"at most {MOST_SLOTS} cells of {MOST_DIGITS} digits",
            remedy="ask for a wider --tolerance, or for no certificate",
        )


def _digits(slack: mpq, roundings: int) -> int:
    """Decimal digits at which so many roundings stay well below the slack."""
    return max(10, -floor_log10(slack / roundings) + _SPARE_DIGITS)


_HINTS: Final[Mapping[str, Callable[[Subject, ExactNumber, mpq, Decision], _Hints]]] = {
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
