r"""The rules for any ledger: ``connect-the-dots`` from above, ``gridded-test`` from below.

Rules of this file: weights are from below; where a parameter of a randomized response is rounded,
it is rounded in the direction that is sound for the bound, and said so.

Theory of operation: let j·u <= ε < (j + 1)·u. Randomized response RR(ε) is dominated by the
mixture that is RR((j + 1)u) with probability λ and else RR(j·u), whose coin is shown, if its
hockey-stick curve at y = e^{ju} is at least that of RR(ε); with X = e^{-ε}, d = e^{-(ε - ju)},
v = e^{-u} and H = e^{-(j+1)u} that is λ >= (1 - d)(1 + H)/((1 + X)(1 - v)). Products of dominating
pairs dominate the product. A test is any event; its two probabilities give a lower bound on D.

Sources: certs/SPEC.md, sections 7.7 and 7.8; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .costs import cells, dots_stretch, groups, stretch
from .enclosures import ceil_div, enclose, exp_fixed, exp_floating
from .fixed_point import MAX_STRETCH, compare, delta_of, exact_block, kept_on_grid, working_bits
from .numbers import Number, linear
from .outcomes import RejectedError
from .statement import Mechanism, Step, finite_epsilon
from .weights import Weights, power, product, spread

_SPARE_BITS: Final = 64


def check_connect_the_dots(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """``upper``: every RR(ε_i) replaced by a mixture on the multiples of the unit."""
    epsilon = finite_epsilon(step.bound)
    if step.bound.kind != "upper":
        raise RejectedError("proves upper bounds only")
    if dots_stretch(mechanisms, step) > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    factors = []
    total = 0
    for group, count in groups(mechanisms):
        cell = cells(group, step.unit)
        factors.append(power(_mixture(group, cell, step), count, step.digits))
        total += (cell + 1) * count
    weights = product(factors, step.digits)
    bits = working_bits(step, total)
    kept = kept_on_grid(weights, total, 1, epsilon, step, bits)
    compare(mechanisms, step, kept, sum(weights[1]), bits)


def _mixture(epsilon: Number, cell: int, step: Step) -> Weights:
    """The weight of the loss (cell + 1 - t)·unit at t, from below, for a λ rounded up."""
    bits = working_bits(step, cell + 1) + _SPARE_BITS
    one, scale = 1 << bits, 10**step.digits
    x_low, _ = _decay(epsilon, bits)
    d_low, _ = _decay(linear([(1, epsilon), (-cell, step.unit)]), bits)
    l_low, l_high = _decay(step.unit.scaled(cell), bits)
    h_low, h_high = _decay(step.unit.scaled(cell + 1), bits)
    _, v_high = _decay(step.unit, bits)
    if v_high >= one:
        raise RejectedError("too few digits for this unit")
    share = min(
        one, ceil_div((one - d_low) * (one + h_high) << bits, (one + x_low) * (one - v_high))
    )
    share = max(0, share)
    values = [0] * (2 * cell + 3)
    values[0] = share * scale // (one + h_high)
    values[1] = (one - share) * scale // (one + l_high)
    values[2 * cell + 1] += (one - share) * scale * l_low // ((one + l_low) << bits)
    values[2 * cell + 2] = share * scale * h_low // ((one + h_low) << bits)
    return 0, values


def _decay(exponent: Number, bits: int) -> tuple[int, int]:
    """e^{-exponent}, for an exponent >= 0."""
    low, high = enclose(exponent, bits)
    return exp_fixed((-high, -low), bits)


def check_gridded_test(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """``lower``: the event that the a_i of the untruthful answers add up to one of certain sums.

    The other hypothesis gives the sum s the probability that this one gives total - s.
    """
    epsilon = finite_epsilon(step.bound)
    if step.bound.kind != "lower":
        raise RejectedError("proves lower bounds only")
    if stretch(mechanisms, step) > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    blocks = []
    total = 0
    for group, count in groups(mechanisms):
        a = cells(linear([(2, group), (1, step.unit)]), step.unit.scaled(2))
        if a:
            blocks.append(spread(exact_block(group, count, step.digits), a))
            total += a * count
    first, values = product(blocks, step.digits)
    bits = working_bits(step, total)
    _, y_high, exponent = exp_floating(enclose(epsilon, bits), bits)
    y, unit = y_high << max(exponent, 0), 1 << (bits + max(-exponent, 0))
    last = first + len(values) - 1
    mirrored = (
        values[total - s - first] if first <= total - s <= last else 0
        for s in range(first, last + 1)
    )
    scale = 10**step.digits
    kept = sum(max(0, unit * w - y * v) for w, v in zip(values, mirrored, strict=True))
    kept -= y * (scale - sum(values))
    if kept << bits <= delta_of(mechanisms, step, bits)[1] * scale * unit:
        raise RejectedError("the divergence is not proved to be above Δ")
