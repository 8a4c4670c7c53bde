r"""Laws of sums on a mesh: of one summand by its call function, of many by squaring.

Rules of this file: weights are integers times 10^digits, from below; points are in units.

Theory of operation: E(W - w)₊ as a function of w, the *call function* of W, is convex, with slopes
from -1 to 0. The law whose call function joins its values at points of a mesh by lines has no lower
one anywhere, and as weights at the points the differences of the slopes: it spreads W, so that no
E f(W) falls for a convex f that does not fall, but for what lies above the last point.

Source: certs/SPEC.md, section 11.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from ..arithmetic.dots import Losses
from ..arithmetic.enclosures import Enclosure, ceil_div
from ..arithmetic.products import product
from ..format.meter import of_division, pay
from ..format.outcomes import RejectedError


def spread(
    values: Sequence[Enclosure], listed: Sequence[int], unit: Fraction, digits: int, bits: int
) -> Losses:
    """The weights of W at the listed points, from below, for its call function there."""
    pay(len(listed) * (2000 + 4 * of_division(4 * bits)))
    scale: int = 10**digits
    falls: list[Enclosure] = [(scale, scale)]
    for (here, after), (low, high) in zip(pairwise(values), pairwise(listed), strict=True):
        above, below = scale * unit.denominator, (high - low) * unit.numerator << bits
        least, most = here[0] - after[1], here[1] - after[0]
        falls.append((least * above // below, ceil_div(most * above, below)))
    falls.append((0, 0))
    weights = (before[0] - after[1] for before, after in pairwise(falls))
    return {j: weight for j, weight in zip(listed, weights, strict=True) if weight > 0}


def power(weights: Losses, count: int, digits: int, kept: Callable[[Losses], Losses]) -> Losses:
    """The sum of so many independent values, at least one, each time as far as it is ``kept``."""
    whole = weights
    for bit in bin(count)[3:]:
        whole = kept(times(whole, whole, digits))
        if bit == "1":
            whole = kept(times(whole, weights, digits))
    return kept(whole)


def times(one: Losses, other: Losses, digits: int) -> Losses:
    """The sum of two independent values.

    Raises:
        RejectedError: no weight is left of one of them.
    """
    if not one or not other:
        raise RejectedError("no weight of a sum of ratios is left")
    first, weights = product([one, other], digits)
    pay(300 * len(weights))
    return {j: weight for j, weight in enumerate(weights, first) if weight}


def gathered(weights: Losses, listed: Sequence[int], *, spread: bool) -> Losses:
    """Sums at the listed points: each spread between two, so that the mean stays, or at the nearer.

    No sum is below the first point; what is beyond the last is lost.
    """
    pay(1000 * (len(weights) + len(listed)))
    found: Losses = dict.fromkeys(listed, 0)
    after = 1
    for j, weight in sorted(weights.items()):
        while listed[after] < j:
            after += 1
        low, high = listed[after - 1 : after + 1]
        if spread:
            found[high] += weight * (j - low) // (high - low)
            found[low] += weight * (high - j) // (high - low)
        else:
            found[high if 2 * j > low + high else low] += weight
    return {j: weight for j, weight in found.items() if weight}
