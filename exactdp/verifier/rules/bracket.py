r"""The rules for any ledger: ``connect-the-dots`` from above, ``gridded-test`` from below.

Rules of this file: weights are from below; where a loss is moved, it is moved in the direction
that is sound for the bound, and said so. The unit u is rational.

Theory of operation: groups of mechanisms are gathered into leaves. The atoms of a leaf are the
numbers of untruthful answers in each of its groups, with their weight and their privacy loss L.
From above: D averages max(0, 1 - y·z) over z = e^{-L}, which is convex and falls with z; so it does
not fall if an atom's z is split between the two neighbouring e^{-ju} with the mean z, or less. From
below: an atom's score is the multiple of u next to its loss, and an event is a set of scores; the
loss of the opposite answers is the opposite, so that one product holds both its probabilities.

Sources: certs/SPEC.md, sections 7.7 and 7.8; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ..arithmetic.enclosures import (
    Enclosure,
    ceil_div,
    enclose,
    exp_fixed,
    exp_floating,
    one_minus_exp,
)
from ..arithmetic.products import Weights, product, two_factors
from ..arithmetic.weights import Terms
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Step, finite_epsilon
from .costs import Group, dots_stretch, leaves
from .fixed_point import MAX_STRETCH, compare_on_grid, delta_of, exact_block, working_bits

_Atom: TypeAlias = tuple[int, int, int]
"""A weight from below, a loss from above, and a loss that opposite answers have opposite."""


def check_connect_the_dots(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """``upper``: every atom of a leaf split between the multiples of the unit next to its loss."""
    total, factors = on_mesh(mechanisms, step)
    compare_on_grid(mechanisms, step, factors, total, 1)


def on_mesh(mechanisms: Sequence[Mechanism], step: Step) -> tuple[int, tuple[Weights, Weights]]:
    """The highest loss A·unit, and two factors of the weights of the losses (A - t)·unit at t."""
    unit, bits = _prepared(mechanisms, step)
    u_low, u_high = enclose(step.unit, bits)
    _, v_high = exp_fixed((-u_high, -u_low), bits)
    factors = []
    total = 0
    for leaf in leaves(mechanisms, step):
        highest, weights = _split(_atoms(leaf, step, bits), unit, v_high, bits)
        factors.append(weights)
        total += highest
    return total, two_factors(factors, 0, (), step.digits)


def _split(atoms: Sequence[_Atom], unit: Fraction, v_high: int, bits: int) -> tuple[int, Terms]:
    """The highest multiple j, and the weights of the losses (highest - t)·u at t."""
    one = 1 << bits
    cells: dict[int, int] = {}
    for weight, loss, _ in atoms:
        j = loss * unit.denominator // (unit.numerator << bits)
        rest = loss - (j * unit.numerator << bits) // unit.denominator  # from above
        share = ceil_div(one_minus_exp(rest, bits) << bits, one - v_high)
        moved = min(weight, ceil_div(weight * share, one))
        cells[j + 1] = cells.get(j + 1, 0) + moved
        cells[j] = cells.get(j, 0) + weight - moved
    highest = max(cells, default=0)  # no cell: no weight was left at these digits
    return highest, {highest - j: weight for j, weight in cells.items() if weight}


def check_gridded_test(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """``lower``: the event that the scores of the leaves add up to one of certain numbers.

    The other hypothesis gives a score the probability that this one gives its opposite.
    """
    epsilon = finite_epsilon(step.bound)
    unit, bits = _prepared(mechanisms, step)
    factors = []
    total = 0
    for leaf in leaves(mechanisms, step):
        scores: dict[int, int] = {}
        for weight, _, loss in _atoms(leaf, step, bits):
            score = _nearest(abs(loss), unit, bits) * (1 if loss >= 0 else -1)
            scores[score] = scores.get(score, 0) + weight
        highest = max(map(abs, scores), default=0)
        factors.append({highest - score: weight for score, weight in scores.items() if weight})
        total += 2 * highest
    first, values = product(factors, step.digits)
    _, y_high, exponent = exp_floating(enclose(epsilon, bits), bits)
    y, one = y_high << max(exponent, 0), 1 << (bits + max(-exponent, 0))
    last = first + len(values) - 1
    opposite = (
        values[total - s - first] if first <= total - s <= last else 0
        for s in range(first, last + 1)
    )
    scale = 10**step.digits
    kept = sum(max(0, one * w - y * v) for w, v in zip(values, opposite, strict=True))
    kept -= y * (scale - sum(values))
    if kept << bits <= delta_of(mechanisms, step, bits)[1] * scale * one:
        raise RejectedError("the divergence is not proved to be above Δ")


def _nearest(loss: int, unit: Fraction, bits: int) -> int:
    """The multiple of the unit next to a loss >= 0."""
    return (2 * loss * unit.denominator + (unit.numerator << bits)) // (unit.numerator << bits + 1)


def _prepared(mechanisms: Sequence[Mechanism], step: Step) -> tuple[Fraction, int]:
    """The unit, and the bits to work with."""
    if step.unit.logs:
        raise RejectedError("the unit is not rational")
    slots = dots_stretch(mechanisms, step)
    if slots > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    finer = step.unit.rational.denominator.bit_length()
    return step.unit.rational, working_bits(step, slots) + finer


def _atoms(leaf: Sequence[Group], step: Step, bits: int) -> list[_Atom]:
    """Every choice of a number of untruthful answers for each group of a leaf."""
    scale = 10**step.digits
    atoms = [(scale, 0, 0)]
    for group, count in leaf:
        ends = enclose(group, bits)
        block = exact_block(group, count, step.digits)
        choices = [(w, _loss(count - 2 * j, ends)) for j, w in block.items()]
        atoms = [
            (weight * w // scale, high + loss_high, middle + loss)
            for weight, high, middle in atoms
            for w, (loss_high, loss) in choices
        ]
    return atoms


def _loss(times: int, epsilon: Enclosure) -> tuple[int, int]:
    """times·ε from above, and about, so that the opposite of ``times`` has the opposite."""
    low, high = epsilon
    return times * (high if times > 0 else low), times * low
