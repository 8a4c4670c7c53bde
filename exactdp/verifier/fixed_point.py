r"""The rules in fixed point, ``grid`` and ``lattice``: (1) of ``rules`` with the sets grouped by σ.

Rules of this file: weights are from below, and what is missing from 1 is lost. Each factor
max(0, 1 - e^{-r}) lies in [0, 1], so the lost weight adds at most itself to D: an ``upper``
bound adds it in full, a ``lower`` bound leaves it out. z stands for a bound of e^{-r}, from below
for ``upper`` and from above for ``lower``.

Sources: certs/SPEC.md, sections 6 and 7.5, 7.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, TypeAlias

from .costs import groups, stretch
from .enclosures import (
    Enclosure,
    bits_for,
    ceil_quotient,
    ceil_shift,
    coordinates,
    enclose,
    enclose_delta,
    exp_fixed,
    sign,
)
from .numbers import Number, linear, normal_form
from .outcomes import RejectedError
from .statement import Mechanism, Step, finite_epsilon
from .weights import Weights, block, product, spread

MAX_STRETCH: Final = 10**8
_GUARD: Final = 40

_Vector: TypeAlias = tuple[int, ...]


def exact_block(epsilon: Number, count: int, digits: int) -> Weights:
    """The block of ``count`` mechanisms with this ε, times 10^digits."""
    bits = bits_for(digits) + _GUARD + 2 * count.bit_length()
    low, high = enclose(epsilon, bits)
    return block(count, exp_fixed((-high, -low), bits), bits, digits)


def working_bits(step: Step, total: int) -> int:
    """Bits for everything but weights: finer than the digits by what ``total`` roundings lose."""
    return bits_for(step.digits) + _GUARD + 2 * total.bit_length()


def compare(mechanisms: Sequence[Mechanism], step: Step, kept: int, weight: int, bits: int) -> None:
    """Compare D with Δ, for ``kept`` = Σ w·max(0, 1 - z) in units of 10^-digits·2^-bits."""
    delta_low, delta_high = delta_of(mechanisms, step, bits)
    scale = 10**step.digits
    if step.bound.kind == "upper":
        if kept + ((scale - weight) << bits) > delta_low * scale:
            raise RejectedError("the divergence is not proved to be at most Δ")
    elif kept <= delta_high * scale:
        raise RejectedError("the divergence is not proved to be above Δ")


def delta_of(mechanisms: Sequence[Mechanism], step: Step, bits: int) -> Enclosure:
    """Δ for the delta of the step."""
    losses: Counter[Fraction] = Counter()
    for mechanism in mechanisms:
        losses[mechanism.delta] += mechanism.count
    return enclose_delta(step.bound.delta, losses, bits)


def sign_of_delta(mechanisms: Iterable[Mechanism], delta: Fraction) -> int:
    """The sign of Δ, which is that of Σ count_i ln(1 - δ_i) - ln(1 - δ)."""
    if delta == 1:
        return 1
    logs = [(Fraction(m.count), 1 - m.delta) for m in mechanisms]
    return sign(normal_form([], [*logs, (Fraction(-1), 1 - delta)]))


# --- grid ---------------------------------------------------------------------------------------


def check_grid(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Every ε_i rounded to a multiple of the unit (up for ``upper``, else down), and s = σ/unit."""
    epsilon = finite_epsilon(step.bound)
    total, weights = on_grid(mechanisms, step)
    bits = working_bits(step, total)
    kept = kept_on_grid(weights, total, 2, epsilon, step, bits)
    compare(mechanisms, step, kept, sum(weights[1]), bits)


def on_grid(mechanisms: Sequence[Mechanism], step: Step) -> tuple[int, Weights]:
    """A = Σ a_i, and the weights of the losses (A - 2s)·unit at s."""
    if stretch(mechanisms, step) > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    counts: Counter[int] = Counter()
    for group, count in groups(mechanisms):
        a, exact = ceil_quotient(group, step.unit)
        counts[a if exact or step.bound.kind == "upper" else a - 1] += count
    del counts[0]
    blocks = [
        spread(exact_block(step.unit.scaled(a), count, step.digits), a)
        for a, count in counts.items()
    ]
    total = sum(a * count for a, count in counts.items())
    return total, product(blocks, step.digits)


def kept_on_grid(
    weights: Weights, total: int, stride: int, epsilon: Number, step: Step, bits: int
) -> int:
    """Σ_s w(s)·max(0, 1 - z(s)), where r_s = (total - stride·s)·unit - ε."""
    first, values = weights
    unit_low, unit_high = enclose(step.unit, bits)
    least = enclose(epsilon, bits)[0] // unit_high + 1  # r_s <= 0 if total - stride·s < least
    top = min((total - least) // stride, first + len(values) - 1)
    low, high = enclose(linear([(total - stride * top, step.unit), (-1, epsilon)]), bits)
    z_low, z_high = exp_fixed((-high, -low), bits)
    q_low, q_high = exp_fixed((-stride * unit_high, -stride * unit_low), bits)
    one = 1 << bits
    kept = 0
    for weight in reversed(values[: max(0, top - first + 1)]):
        kept += weight * max(0, one - (z_low if step.bound.kind == "upper" else z_high))
        z_low = z_low * q_low >> bits
        z_high = ceil_shift(z_high * q_high, bits)
    return kept


# --- lattice ------------------------------------------------------------------------------------


def check_lattice(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Every σ told apart by its coordinates over a coprime basis, as integers over a scale each."""
    epsilon = finite_epsilon(step.bound)
    blocks = groups(mechanisms)
    basis, vectors = coordinates([group for group, _ in blocks])
    scales = [lcm(*(vector[i].denominator for vector in vectors)) for i in range(len(basis) + 1)]
    table: dict[_Vector, int] = {(0,) * len(scales): 10**step.digits}
    total = (0,) * len(scales)
    for (group, count), vector in zip(blocks, vectors, strict=True):
        key = tuple(int(x * scale) for x, scale in zip(vector, scales, strict=True))
        table = _collected(table, key, exact_block(group, count, step.digits), step)
        total = _moved(total, key, count)
    units = [Number(Fraction(1, scales[0]))]
    for p, scale in zip(basis, scales[1:], strict=True):
        units.append(Number(Fraction(0), ((Fraction(1, scale), Fraction(p)),)))
    bits = working_bits(step, max(map(abs, total)))
    rests = {_moved(total, key, -2): weight for key, weight in table.items()}
    kept = _kept_on_lattice(rests, [enclose(unit, bits) for unit in units], epsilon, step, bits)
    compare(mechanisms, step, kept, sum(table.values()), bits)


def _moved(start: _Vector, direction: _Vector, times: int) -> _Vector:
    return tuple(x + times * y for x, y in zip(start, direction, strict=True))


def _collected(
    table: dict[_Vector, int], key: _Vector, weights: Weights, step: Step
) -> dict[_Vector, int]:
    """The table with a block added, of which the j-th weight stands at j times ``key``."""
    first, values = weights
    collected: dict[_Vector, int] = {}
    for start, weight in table.items():
        for j, value in enumerate(values, first):
            place = _moved(start, key, j)
            collected[place] = collected.get(place, 0) + weight * value
    scale = 10**step.digits
    kept = {place: weight // scale for place, weight in collected.items() if weight >= scale}
    if len(kept) > step.sums:
        raise RejectedError("more distinct sums than stated")
    return kept


def _kept_on_lattice(
    rests: dict[_Vector, int], units: list[Enclosure], epsilon: Number, step: Step, bits: int
) -> int:
    """Σ w·max(0, 1 - z) over the coordinates of Σ_i ε_i - 2σ and their weights."""
    epsilon_low, epsilon_high = enclose(epsilon, bits)
    one = 1 << bits
    kept = 0
    for rest, weight in rests.items():
        parts = [(x * low, x * high) for x, (low, high) in zip(rest, units, strict=True)]
        low = sum(min(ends) for ends in parts) - epsilon_high
        high = sum(max(ends) for ends in parts) - epsilon_low
        if high > 0:
            z_low, z_high = exp_fixed((-high, -low), bits)
            kept += weight * max(0, one - (z_low if step.bound.kind == "upper" else z_high))
    return kept
