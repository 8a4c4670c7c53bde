r"""The rule ``grid``: every ε_i rounded to a multiple of a unit, up for ``upper``, else down.

Rules of this file: a parameter is rounded in the direction that is sound for the bound, decided
exactly; raising an ε_i can only raise D.

Theory of operation: with ε_i = a_i·unit the losses are multiples of the unit, and the sets with
σ = s·unit are counted by the polynomial product of the blocks of all groups.

Sources: certs/SPEC.md, section 11.4; Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from ..arithmetic.products import two_factors
from ..arithmetic.signs import ceil_quotient
from ..arithmetic.weights import Terms, window
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from .fixed_point import MAX_STRETCH, Comparison, Losses, exact_block
from .ledger import Ledger, PairsRule
from .rule import EITHER, parameter, read_digits, read_unit

_MAX_SQUARINGS: Final = 4
"""What a product lost doubles when it is squared, but it was shorter: so many lose little more."""


@dataclass(frozen=True)
class Grid(PairsRule):
    """Every ε_i a multiple of the unit, and s = σ/unit."""

    name: ClassVar[str] = "grid"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    digits: int = parameter(read_digits)
    unit: Number = parameter(read_unit)

    def check(self, ledger: Ledger) -> None:
        """D of the rounded mechanisms against Δ."""
        comparison = Comparison(ledger, self.bound, self.digits)
        self.bound.finite()  # no work for a bound that has none
        comparison.decide_by(on_grid(comparison, self.unit))


def stretch(ledger: Ledger, unit: Number, digits: int) -> int:
    """S of SPEC 11.4: the weights of all blocks, with the gaps between them."""
    return sum(
        ceil_quotient(epsilon, unit)[0] * window(count, digits) + 1
        for epsilon, count in ledger.groups
    )


def on_grid(comparison: Comparison, unit: Number) -> Losses:
    """The losses (A - 2s)·unit, where A = Σ a_i."""
    ledger, digits = comparison.ledger, comparison.digits
    if stretch(ledger, unit, digits) > MAX_STRETCH:
        raise RejectedError("the grid is too long")
    counts: Counter[int] = Counter()
    for epsilon, count in ledger.groups:
        a, exact = ceil_quotient(epsilon, unit)
        counts[a if exact or comparison.upper else a - 1] += count
    del counts[0]
    squarings = _squarings(counts)
    roots = _blocks({a: count >> squarings for a, count in counts.items()}, unit, digits)
    rest = _blocks({a: count % (1 << squarings) for a, count in counts.items()}, unit, digits)
    factors = two_factors(roots, squarings, rest, digits)
    return Losses(sum(a * count for a, count in counts.items()), 2, unit, factors)


def _squarings(counts: Mapping[int, int]) -> int:
    """How often a product is squared: few blocks are multiplied sooner without."""
    most = max(counts.values(), default=1).bit_length() - 1
    return max(0, min(most, len(counts).bit_length() - 3, _MAX_SQUARINGS))


def _blocks(counts: Mapping[int, int], unit: Number, digits: int) -> list[Terms]:
    """The blocks of ``count`` mechanisms with ε = a·unit, for each a; j of them stand at a·j."""
    return [
        {a * j: w for j, w in exact_block(unit.scaled(a), count, digits).items()}
        for a, count in counts.items()
        if count
    ]
