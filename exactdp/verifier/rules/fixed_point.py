r"""The rules in fixed point, ``grid`` and ``lattice``: (1) of ``rules`` with the sets grouped by σ.

Rules of this file: weights are from below, and what is missing from 1 is lost. Each factor
max(0, 1 - e^{-r}) lies in [0, 1], so the lost weight adds at most itself to D: an ``upper``
bound adds it in full, a ``lower`` bound leaves it out. z stands for a bound of e^{-r}, from below
for ``upper`` and from above for ``lower``.

Sources: certs/SPEC.md, sections 6 and 7.5, 7.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from ..arithmetic.enclosures import (
    Enclosure,
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_delta,
    exp_fixed,
)
from ..arithmetic.products import Weights, two_factors
from ..arithmetic.signs import ceil_quotient, coordinates, distinct_arguments, sign_of_sum
from ..arithmetic.weights import Terms, block
from ..format.numbers import Number, linear, normal_form, rational_text
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Step, finite_epsilon
from .costs import groups, stretch

MAX_STRETCH: Final = 10**8
_GUARD: Final = 40
_MAX_SQUARINGS: Final = 4


def exact_block(epsilon: Number, count: int, digits: int) -> Terms:
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
    counts: Counter[str] = Counter()
    failures: dict[str, Fraction] = {}
    for mechanism in mechanisms:
        if mechanism.delta:
            text = rational_text(mechanism.delta)
            counts[text] += mechanism.count
            failures[text] = mechanism.delta
    pairs = [(failures[text], count) for text, count in counts.items()]
    return enclose_delta(step.bound.delta, pairs, bits)


def sign_of_delta(mechanisms: Iterable[Mechanism], delta: Fraction) -> int:
    """The sign of Δ, which is that of Σ count_i ln(1 - δ_i) - ln(1 - δ)."""
    if delta == 1:
        return 1
    logs = [(m.count, normal_form([], [(Fraction(1), 1 - m.delta)])) for m in mechanisms]
    return sign_of_sum([*logs, (-1, normal_form([], [(Fraction(1), 1 - delta)]))])


# --- grid ---------------------------------------------------------------------------------------


def check_grid(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Every ε_i rounded to a multiple of the unit (up for ``upper``, else down), and s = σ/unit."""
    finite_epsilon(step.bound)  # no work for a bound that has none
    total, factors = on_grid(mechanisms, step)
    compare_on_grid(mechanisms, step, factors, total, 2)


def on_grid(mechanisms: Sequence[Mechanism], step: Step) -> tuple[int, tuple[Weights, Weights]]:
    """A = Σ a_i, and two factors of the weights of the losses (A - 2s)·unit at s."""
    if stretch(mechanisms, step) > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    counts: Counter[int] = Counter()
    for group, count in groups(mechanisms):
        a, exact = ceil_quotient(group, step.unit)
        counts[a if exact or step.bound.kind == "upper" else a - 1] += count
    del counts[0]
    squarings = _squarings(counts)
    roots = _blocks({a: count >> squarings for a, count in counts.items()}, step)
    rest = _blocks({a: count % (1 << squarings) for a, count in counts.items()}, step)
    factors = two_factors(roots, squarings, rest, step.digits)
    total = sum(a * count for a, count in counts.items())
    return total, factors


def _squarings(counts: Mapping[int, int]) -> int:
    """How often the product of the blocks of count//2^squarings mechanisms is squared.

    Few blocks are multiplied sooner without. What a product lost doubles when it is squared, but
    it was shorter: four squarings lose little more than all blocks together would.
    """
    most = max(counts.values(), default=1).bit_length() - 1
    return max(0, min(most, len(counts).bit_length() - 3, _MAX_SQUARINGS))


def _blocks(counts: Mapping[int, int], step: Step) -> list[Terms]:
    """The blocks of ``count`` mechanisms with ε = a·unit, for each a; j of them stand at a·j."""
    return [
        {a * j: w for j, w in exact_block(step.unit.scaled(a), count, step.digits).items()}
        for a, count in counts.items()
        if count
    ]


def compare_on_grid(
    mechanisms: Sequence[Mechanism],
    step: Step,
    factors: tuple[Weights, Weights],
    total: int,
    stride: int,
) -> None:
    """Compare D with Δ, for the product of two factors and r_s = (total - stride·s)·unit - ε."""
    bits = working_bits(step, total)
    kept = _kept_on_grid(factors, total, stride, step, bits)
    weight = sum(factors[0][1]) * sum(factors[1][1]) // 10**step.digits
    compare(mechanisms, step, kept, weight, bits)


def _kept_on_grid(
    factors: tuple[Weights, Weights], total: int, stride: int, step: Step, bits: int
) -> int:
    """Σ_{i,j} u(i)·v(j)·max(0, 1 - z(i + j)) for the factors u and v."""
    (first_u, u), (first_v, v) = factors
    epsilon = finite_epsilon(step.bound)
    unit_low, unit_high = enclose(step.unit, bits)
    least = enclose(epsilon, bits)[0] // unit_high + 1  # r_s <= 0 if total - stride·s < least
    top = min((total - least) // stride, first_u + len(u) + first_v + len(v) - 2)
    low, high = enclose(linear([(total - stride * top, step.unit), (-1, epsilon)]), bits)
    z_low, z_high = exp_fixed((-high, -low), bits)
    q_low, q_high = exp_fixed((-stride * unit_high, -stride * unit_low), bits)
    scale = 10**step.digits
    if step.bound.kind == "upper":
        plain, discounted = _pair_sums(factors, top, q_low, 0, bits)
        z_low = min(z_low, 1 << bits)  # an r_s just below 0 would make its terms negative
        return ceil_div((plain << bits) - (z_low * discounted >> bits), scale)
    plain, discounted = _pair_sums(factors, top, q_high, 1, bits)
    kept: int = ((plain << bits) - ceil_shift(z_high * discounted, bits)) // scale
    return kept


def _pair_sums(
    factors: tuple[Weights, Weights], top: int, q: int, carry: int, bits: int
) -> tuple[int, int]:
    r"""Σ u(i)·v(j) and 2^bits·Σ u(i)·v(j)·q^{top-i-j} over i + j <= top, by prefix sums.

    They are Σ_i u(i)·V(t) and Σ_i u(i)·Q(t) at t = top - i, where V(t) = Σ_{j<=t} v(j) and
    Q(t) = q·Q(t-1) + v(t), from below, or from above if ``carry`` is 1.
    """
    (first_u, u), (first_v, v) = factors
    v_sum = q_sum = plain = discounted = 0
    for t in range(first_v, top - first_u + 1):
        v_t = v[t - first_v] if t - first_v < len(v) else 0
        v_sum += v_t
        q_sum = (q_sum * q >> bits) + carry + (v_t << bits)
        if top - t - first_u < len(u):
            u_i = u[top - t - first_u]
            plain += u_i * v_sum
            discounted += u_i * q_sum
    return plain, discounted


# --- lattice ------------------------------------------------------------------------------------


def check_lattice(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Every σ told apart by its coordinates over a coprime basis, as integers over a scale each."""
    epsilon = finite_epsilon(step.bound)
    blocks = groups(mechanisms)
    basis, vectors = coordinates([group for group, _ in blocks])
    if len(basis) > 2 * len(distinct_arguments(group for group, _ in blocks)) + 8:
        raise RejectedError("the logarithms share too many factors")
    scales = [lcm(*(vector[i].denominator for vector in vectors)) for i in range(len(basis) + 1)]
    keys = [[int(x * scale) for x, scale in zip(each, scales, strict=True)] for each in vectors]
    counts = [count for _, count in blocks]
    columns = [[key[i] for key in keys] for i in range(len(scales))]
    total = [_scalar(column, counts) for column in columns]
    packing = _Packing([_scalar(map(abs, column), counts) for column in columns])
    table = {packing.bytes_of(0): 10**step.digits}
    for (group, count), key in zip(blocks, keys, strict=True):
        weights = exact_block(group, count, step.digits)
        table = _collected(table, packing, packing.packed(key), weights, step)
    units = [Number(Fraction(1, scales[0]))]
    for p, scale in zip(basis, scales[1:], strict=True):
        units.append(Number(Fraction(0), ((Fraction(1, scale), Fraction(p)),)))
    bits = working_bits(step, max(map(abs, total)))
    rests = (
        ([x - 2 * y for x, y in zip(total, packing.unpacked(place), strict=True)], weight)
        for place, weight in table.items()
    )
    kept = _kept_on_lattice(rests, [enclose(unit, bits) for unit in units], epsilon, step, bits)
    compare(mechanisms, step, kept, sum(table.values()), bits)


def _scalar(values: Iterable[int], counts: Sequence[int]) -> int:
    return sum(value * count for value, count in zip(values, counts, strict=True))


class _Packing:
    """Vectors as integers, with room for each coordinate, so that sums of vectors are sums.

    A table is keyed by their bytes: the hashes of integers may all be equal.
    """

    def __init__(self, limits: Sequence[int]) -> None:
        """No coordinate exceeds its limit in absolute value."""
        self._widths = [limit.bit_length() + 2 for limit in limits]
        self._length = sum(self._widths) // 8 + 1

    def packed(self, vector: Iterable[int]) -> int:
        """The integer of a vector."""
        packed = 0
        for x, width in zip(vector, self._widths, strict=True):
            packed = (packed << width) + x
        return packed

    def bytes_of(self, packed: int) -> bytes:
        """The key of a packed vector."""
        return packed.to_bytes(self._length, "big", signed=True)

    def integer_of(self, key: bytes) -> int:
        """The packed vector of a key."""
        return int.from_bytes(key, "big", signed=True)

    def unpacked(self, key: bytes) -> list[int]:
        """The vector of a key."""
        packed = self.integer_of(key)
        vector = []
        for width in reversed(self._widths):
            x = packed & ((1 << width) - 1)
            x -= (x >> width - 1) << width
            vector.append(x)
            packed = packed - x >> width
        return vector[::-1]


def _collected(
    table: dict[bytes, int], packing: _Packing, key: int, weights: Terms, step: Step
) -> dict[bytes, int]:
    """The table with a block added, of which the j-th weight stands at j times ``key``."""
    moves = [(j * key, weight) for j, weight in weights.items()]
    collected: dict[bytes, int] = {}
    for start, weight in table.items():
        place = packing.integer_of(start)
        for move, value in moves:
            moved = packing.bytes_of(place + move)
            collected[moved] = collected.get(moved, 0) + weight * value
    scale = 10**step.digits
    kept = {place: weight // scale for place, weight in collected.items() if weight >= scale}
    if len(kept) > step.sums:
        raise RejectedError("more distinct sums than stated")
    return kept


def _kept_on_lattice(
    rests: Iterable[tuple[list[int], int]],
    units: list[Enclosure],
    epsilon: Number,
    step: Step,
    bits: int,
) -> int:
    """Σ w·max(0, 1 - z) over the coordinates of Σ_i ε_i - 2σ and their weights."""
    epsilon_low, epsilon_high = enclose(epsilon, bits)
    one = 1 << bits
    kept = 0
    for rest, weight in rests:
        parts = [(x * low, x * high) for x, (low, high) in zip(rest, units, strict=True)]
        low = sum(min(ends) for ends in parts) - epsilon_high
        high = sum(max(ends) for ends in parts) - epsilon_low
        if high > 0:
            z_low, z_high = exp_fixed((-high, -low), bits)
            kept += weight * max(0, one - (z_low if step.bound.kind == "upper" else z_high))
    return kept
