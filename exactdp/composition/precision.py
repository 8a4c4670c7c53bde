r"""How many digits a check needs, and how much work it may ask for.

Rules of this file: digits follow from the slack, by how much a claim holds or fails, and from how
many roundings a checker makes; the least number of digits is not sought.

Theory of operation: a checker compares sums of so many products with Δ, at an absolute error of a
few units of the last digit each. On a mesh the number of roundings grows with the digits
themselves, a little, so that the second estimate is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.decimal_text import floor_log10
from exactdp.certificate.prediction import MOST_DIGITS, MOST_SLOTS, dots_slots, window
from exactdp.certificate.subject import CountedEpsilon, Epsilons
from exactdp.composition.engines.bracket import leaf_size, leaves
from exactdp.errors import CostLimitError

FEWEST_DIGITS: Final = 10
SPARE_DIGITS: Final = 3


def digits_for(slack: mpq, roundings: int = 1) -> int:
    """Decimal digits at which so many roundings stay well below the slack, 0 if none is needed."""
    if not slack:
        return SPARE_DIGITS
    return max(FEWEST_DIGITS, SPARE_DIGITS - floor_log10(slack / roundings))


def refuse_beyond(slots: int, digits: int) -> None:
    """Refuse what the format does not let a certificate ask for.

    Raises:
        CostLimitError: too many cells, or too many digits.
    """
    if slots > MOST_SLOTS or digits > MOST_DIGITS:
        raise CostLimitError(
            field="certificate",
            value=f"{slots} cells of {digits} digits",
            expected=f"at most {MOST_SLOTS} cells of {MOST_DIGITS} digits",
            remedy="ask for a wider --tolerance, or for no certificate",
        )


@dataclass(frozen=True)
class Mesh:
    """What a check on a mesh works on.

    Attributes:
        epsilons: pairs (ε, count).
        unit: h.
    """

    epsilons: Epsilons
    unit: mpq

    @cached_property
    def leaf_size(self) -> int:
        """At most how many atoms a leaf has."""
        return leaf_size(self.epsilons)

    @cached_property
    def multiples(self) -> list[tuple[int, int]]:
        """Pairs (a, count), a·h the first multiple of h that is not below ε."""
        return [(-floor_of(e * (-1 / self.unit)), count) for e, count in self.epsilons]

    def slots(self, digits: int) -> int:
        """How many cells the leaves span."""
        return dots_slots(self.multiples, digits)

    def atoms(self, digits: int) -> int:
        """How many atoms of a weight above 0 all leaves list."""
        return sum(prod(window(count, digits) + 1 for _, count in leaf) for leaf in self._leaves)

    def digits(self, slack: mpq, factor: int = 1) -> int:
        """The digits of a check whose roundings count ``factor`` times."""
        digits = SPARE_DIGITS
        for _ in range(2):
            roundings = self.slots(digits) + self.atoms(digits)
            roundings *= len(self.epsilons).bit_length() + 16
            digits = digits_for(slack, roundings * factor)
        return digits

    def parameters(self, digits: int) -> dict[str, str]:
        """The parameters of the rules on a mesh, but for what is looked at."""
        return {"digits": str(digits), "sums": str(self.leaf_size), "unit": str(self.unit)}

    def windows(self) -> list[list[str]]:
        """For each leaf the least and the greatest loss, and a little more."""
        inverse = 1 / self.unit
        sums = (
            sum(count * (floor_of(epsilon * inverse) + 1) + 1 for epsilon, count in leaf)
            for leaf in self._leaves
        )
        return [[str(-most), str(most)] for most in sums]

    @cached_property
    def _leaves(self) -> list[list[CountedEpsilon]]:
        return leaves(self.epsilons, self.leaf_size)
