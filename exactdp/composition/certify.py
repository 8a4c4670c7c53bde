r"""From a decision to a certificate: which rule, with which parameters.

Theory of operation: the solver knows on which side of Δ the divergence lies and by how much
(the slack). The digits that the verifier must carry follow from the slack and from how many
roundings it will make; everything else in a certificate follows from the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import floor_log10
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.cost import (
    failure_size,
    grid_cost,
    grid_slots,
    lattice_cost,
    rational_odds_cost,
    sum_cost,
)
from exactdp.certificate.statement import Certificate, Subject
from exactdp.composition.grid import common_grid
from exactdp.composition.lattice import Lattice
from exactdp.composition.optimum import Decision

_SPARE_DIGITS: Final = 3


def certificate(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> Certificate:
    """The certificate of a decided claim: an upper one if it holds, else a lower one."""
    parameters, cost = _RULES[decision.rule](subject, delta, decision.slack)
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


def _without_parameters(subject: Subject, delta: mpq, slack: mpq) -> _Hints:
    del delta, slack
    return {}, sum_cost(len(subject.mechanisms))


def _vacuous(subject: Subject, delta: mpq, slack: mpq) -> _Hints:
    del subject, delta, slack
    return {}, 1


def _rational_odds(subject: Subject, delta: mpq, slack: mpq) -> _Hints:
    groups = subject.positive_epsilons()
    lattice = Lattice.of(groups)
    sums = lattice.most_sums
    largest = sum(int(abs(c)) * int(r).bit_length() * n for e, n in groups for c, r in e.logs)
    digits = _digits(slack, 1 << max(8, largest)) if slack else 30
    deltas: Counter[mpq] = Counter()
    for _, d, count in subject.mechanisms:
        deltas[d] += count
    cost = rational_odds_cost(
        len(subject.mechanisms),
        groups,
        digits=digits,
        sums=sums,
        failure_bits=failure_size(delta, list(deltas.items())),
    )
    return {"digits": str(digits), "sums": str(sums)}, cost


def _grid(subject: Subject, delta: mpq, slack: mpq) -> _Hints:
    del delta
    groups = subject.positive_epsilons()
    grid = common_grid(groups)
    if grid is None:
        raise ValueError("the planner chose a grid for a ledger without one")
    multiples = [(grid.multiple(epsilon), count) for epsilon, count in groups]
    levels = len(groups).bit_length() + 4
    digits = _digits(slack, grid_slots(multiples, 0) * levels)
    digits = _digits(slack, grid_slots(multiples, digits) * levels)
    cost = grid_cost(len(subject.mechanisms), multiples, digits)
    return {"digits": str(digits), "unit": str(grid.unit)}, cost


def _lattice(subject: Subject, delta: mpq, slack: mpq) -> _Hints:
    del delta
    groups = subject.positive_epsilons()
    sums = Lattice.of(groups).most_sums
    digits = _digits(slack, sums * (len(groups) + 3))
    cost = lattice_cost(len(subject.mechanisms), groups, digits=digits, sums=sums)
    return {"digits": str(digits), "sums": str(sums)}, cost


def _digits(slack: mpq, roundings: int) -> int:
    """Decimal digits at which so many roundings stay well below the slack."""
    return max(10, -floor_log10(slack / roundings) + _SPARE_DIGITS)


_RULES: Final[Mapping[str, Callable[[Subject, mpq, mpq], _Hints]]] = {
    "vacuous": _vacuous,
    "sum": _without_parameters,
    "infeasible": _without_parameters,
    "rational-odds": _rational_odds,
    "grid": _grid,
    "lattice": _lattice,
}
