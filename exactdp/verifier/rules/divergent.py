r"""Mechanisms by ρ and by Rényi divergences as one pair of laws, which stands beside all others.

Rules of this file: a value of the curve is from above, at every order; a dot that is not surely one
of the lower hull is left out.

Theory of operation: what is dominated by a pair of laws can be simulated by someone who knows a
draw from it, so that all such draws may come first. Given these, the mechanisms known by their
divergences are an adaptive composition, and the divergences of an order α add up to τ(α). At every
loss l >= 0 the profile of what is left is at most e^{c - (α-1)l}, with

    c = (α - 1)τ(α) + α·ln(1 - 1/α) - ln(α - 1),

in both directions, so that all of them together are dominated by one pair.

Sources: certs/SPEC.md, section 11.5; Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12;
Mironov, CSF 2017, Proposition 1; Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022, Theorem 2.10
(simulation, after Blackwell); Zhu, Dong & Wang, AISTATS 2022, Theorem 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

from ..arithmetic.dots import Losses, Mesh, Points, hull
from ..arithmetic.enclosures import Enclosure, enclose_exact, enclose_rationals, exp_fixed
from ..format.meter import of_division, pay
from ..format.numbers import Number, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array
from ..format.strict_json import Json
from .by_noise import MAX_BITS, Divergences
from .conversion import log_failure, read_alpha, times
from .pairs_of_laws import Dominating

MAX_ORDERS: Final = 256

_Line: TypeAlias = tuple[int, Fraction]
"""The value of c times 2^bits, from above; and α - 1."""


def read_orders(value: Json) -> tuple[Fraction, ...]:
    """Orders that rise from above 1; or none."""
    listed = array(value, "orders")
    if len(listed) > MAX_ORDERS:
        raise MalformedError(f"there are more than {MAX_ORDERS} orders")
    orders = tuple(read_alpha(each) for each in listed)
    if any(after <= before for before, after in pairwise(orders)):
        raise MalformedError("orders do not rise")
    if any(size(each) > MAX_BITS for each in orders):
        raise MalformedError(f"an order has more than {MAX_BITS} bits")
    return orders


@dataclass(frozen=True)
class Divergent(Dominating):
    """All mechanisms known by ρ or by lists of divergences, at these orders."""

    concentrated: tuple[tuple[int, Fraction], ...]
    """Counts, each with a ρ."""

    listed: tuple[Divergences, ...]
    orders: tuple[Fraction, ...]

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """The lower hull of the least that an order gives; the same in both directions."""
        del back
        lines = [self._line(alpha, mesh.bits) for alpha in self.orders]
        longest = sum(size(slope) for _, slope in lines)
        pay(points.count * (1000 * len(lines) + 2 * of_division(mesh.bits + longest)))
        return hull([_value(lines, mesh.loss(j), mesh.bits) for j in points.listed()], points, mesh)

    def _line(self, alpha: Fraction, bits: int) -> _Line:
        """What the sum of all divergences of the order α converts to."""
        rho = enclose_rationals(list(self.concentrated), bits)
        most = times(rho, alpha * (alpha - 1))[1]
        most += sum(each.count * scaled_list(each, alpha, bits) for each in self.listed)
        return log_failure((most, most), Number(Fraction(0)), alpha, bits)[1], alpha - 1


def _value(lines: Sequence[_Line], loss: Enclosure, bits: int) -> int:
    """The profile at a loss, from above: e^{c - (α-1)l}, or below 0 what it makes of 1 - y."""
    one, low = 1 << bits, loss[0]
    size_of_loss = low if low >= 0 else -loss[1]
    least = min(c - slope.numerator * size_of_loss // slope.denominator for c, slope in lines)
    value = min(one, exp_fixed((min(0, least), min(0, least)), bits)[1])
    return value if low >= 0 else one - (exp_fixed(loss, bits)[0] * (one - value) >> bits)


def scaled_list(listed: Divergences, alpha: Fraction, bits: int) -> int:
    """The bound of the least order that is at least α, times α - 1, from above."""
    pay(len(listed.orders) * (500 + size(alpha)))
    known = [bound for order, bound in listed.orders if order >= alpha]
    if not known:
        raise RejectedError("a list of Rényi divergences ends below alpha")
    return enclose_exact((alpha - 1) * known[0], bits)[1]
