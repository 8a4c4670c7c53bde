r"""D against Δ in fixed point: weights of privacy losses, and what they sum to.

Rules of this file: weights are from below, and what is missing from 1 is lost. Each factor
max(0, 1 - e^{-r}) lies in [0, 1], so the lost weight adds at most itself to D: an ``upper``
bound adds it in full, a ``lower`` bound leaves it out. z stands for a bound of e^{-r}, from below
for ``upper`` and from above for ``lower``.

Theory of operation: with the probability w(T) that exactly the answers in T are untruthful, and
σ(T) the sum of their ε_i,

    D(e^ε) = Σ_T w(T)·max(0, 1 - e^{-r(T)}),   r(T) = Σ_i ε_i - 2σ(T) - ε.            (1)

Where the losses Σ_i ε_i - 2σ(T) are multiples of a unit, the sets with one loss are counted
together, as the terms of a product.

Sources: certs/SPEC.md, sections 6.9 and 7.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..arithmetic.enclosures import bits_for, ceil_div, ceil_shift, enclose, exp_fixed
from ..arithmetic.products import Weights
from ..arithmetic.weights import Terms, block
from ..format.meter import of_product, pay
from ..format.numbers import Number, linear
from ..statement import Bound
from .ledger import Ledger, need_proof

MAX_STRETCH: Final = 10**8
_GUARD: Final = 40


def exact_block(epsilon: Number, count: int, digits: int) -> Terms:
    """The block of ``count`` mechanisms with this ε, times 10^digits."""
    bits = bits_for(digits) + _GUARD + 2 * count.bit_length()
    low, high = enclose(epsilon, bits)
    return block(count, exp_fixed((-high, -low), bits), bits, digits)


@dataclass(frozen=True)
class Losses:
    """Weights of the losses (total - stride·s)·unit, at s, as a product of two factors."""

    total: int
    stride: int
    unit: Number
    factors: tuple[Weights, Weights]


@dataclass(frozen=True)
class Comparison:
    """D of the mechanisms of a ledger, against Δ, with weights times 10^digits."""

    ledger: Ledger
    bound: Bound
    digits: int

    @property
    def upper(self) -> bool:
        """Whether D is bounded from above."""
        return self.bound.kind == "upper"

    def bits(self, total: int) -> int:
        """Bits for everything but weights: finer than the digits by what roundings lose."""
        return bits_for(self.digits) + _GUARD + 2 * total.bit_length()

    def decide(self, kept: int, weight: int, bits: int) -> None:
        """Compare, for ``kept`` = Σ w·max(0, 1 - z) in units of 10^-digits·2^-bits."""
        delta_low, delta_high = self.ledger.delta(self.bound.delta, bits)
        scale = 10**self.digits
        divergence = kept, kept + (max(0, scale - weight) << bits)
        need_proof(self.bound.kind, divergence, (delta_low * scale, delta_high * scale))

    def decide_by(self, losses: Losses) -> None:
        """Compare, for r_s = (total - stride·s)·unit - ε."""
        bits = self.bits(losses.total)
        (_, u), (_, v) = losses.factors
        self.decide(self._kept(losses, bits), sum(u) * sum(v) // 10**self.digits, bits)

    def _kept(self, losses: Losses, bits: int) -> int:
        """Σ_{i,j} u(i)·v(j)·max(0, 1 - z(i + j)) for the factors u and v."""
        (first_u, u), (first_v, v) = losses.factors
        total, stride = losses.total, losses.stride
        unit_low, unit_high = enclose(losses.unit, bits)
        least = enclose(self.bound.finite(), bits)[0] // unit_high + 1  # below it, r_s <= 0
        top = min((total - least) // stride, first_u + len(u) + first_v + len(v) - 2)
        rest = linear([(total - stride * top, losses.unit), (-1, self.bound.finite())])
        low, high = enclose(rest, bits)
        z_low, z_high = exp_fixed((-high, -low), bits)
        q_low, q_high = exp_fixed((-stride * unit_high, -stride * unit_low), bits)
        scale = 10**self.digits
        if self.upper:
            plain, discounted = _pair_sums(losses.factors, top, q_low, 0, bits)
            z_low = min(z_low, 1 << bits)  # an r_s just below 0 would make its terms negative
            return ceil_div((plain << bits) - (z_low * discounted >> bits), scale)
        plain, discounted = _pair_sums(losses.factors, top, q_high, 1, bits)
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
    pay(max(0, top - first_u + 1 - first_v) * (600 + 4 * of_product(2 * bits)))
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
