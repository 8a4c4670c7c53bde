r"""Randomized responses on a mesh beside Gaussian noise, gathered as in ``responses``.

Sources: certs/SPEC.md, sections 11.13 and 11.22.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..arithmetic.dots import Mesh as LossMesh
from ..arithmetic.dots import Points, places
from ..arithmetic.products import two_factors
from ..arithmetic.signs import ceil_quotient
from ..arithmetic.weights import window
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from .fixed_point import MAX_STRETCH, Comparison, Losses
from .ledger import Ledger
from .responses import Leaf, leaves

_EVERYWHERE: Final = Points(-(10**12), ((1, 10**12),))


@dataclass(frozen=True)
class Mesh:
    """Leaves of at most ``sums`` atoms, with losses on multiples of the unit."""

    unit: Number
    sums: int
    digits: int

    def stretch(self, ledger: Ledger) -> int:
        """Losses of both signs, and one cell more for each mechanism."""
        return sum(
            2 * (ceil_quotient(epsilon, self.unit)[0] + 1) * window(count, self.digits) + 1
            for epsilon, count in ledger.groups
        )


def on_mesh(comparison: Comparison, mesh: Mesh) -> Losses:
    """Every atom of a leaf split between the multiples of the unit next to its loss."""
    if mesh.unit.logs:
        raise RejectedError("the unit is not rational")
    slots = mesh.stretch(comparison.ledger)
    if slots > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    unit = mesh.unit.rational
    fine = LossMesh(unit, mesh.digits, comparison.bits(slots) + unit.denominator.bit_length())
    factors = []
    total = 0
    for leaf in leaves(comparison.ledger.groups, mesh.sums):
        weights = Leaf(tuple(leaf)).dots(_EVERYWHERE, fine, back=False)
        highest = max(weights, default=0)  # none: no weight was left at these digits
        factors.append(places(weights, highest))
        total += highest
    return Losses(total, 1, mesh.unit, two_factors(factors, 0, (), mesh.digits))
