r"""What a check has to do, by the sizes of its numbers.

Rules of this file: as in ``prices``; nothing is computed here but sizes.

Sources: certs/SPEC.md, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..format.numbers import Number, size
from ..statement import Bound
from . import prices
from .ledger import Ledger


@dataclass(frozen=True)
class Work:
    """A check about a ledger.

    ``digits`` is the rule's; ``unit`` holds its unit, if it has one, and ``sizes`` the sizes of
    its other parameters.
    """

    ledger: Ledger
    bound: Bound
    digits: int = 0
    unit: tuple[Number, ...] = ()
    sizes: tuple[int, ...] = ()

    @property
    def entries(self) -> int:
        """All entries given by (ε, δ), read and compared."""
        return prices.entries(len(self.ledger.mechanisms))

    @property
    def all_entries(self) -> int:
        """All entries, read and compared."""
        return prices.entries(self.ledger.size)

    @property
    def longest(self) -> int:
        """Z: the greatest size of a number."""
        pairs, noise = self.ledger.mechanisms, self.ledger.noise
        numbers = [number.size for number in (*self._own, *(m.epsilon for m in pairs))]
        rationals = [self.bound.delta, *(m.delta for m in pairs), *(m.parameter for m in noise)]
        return max(*numbers, *map(size, rationals), *self.sizes, 0)

    @property
    def _own(self) -> tuple[Number, ...]:
        """Epsilon and the unit, those that there are."""
        return self.unit if self.bound.epsilon is None else (self.bound.epsilon, *self.unit)

    @property
    def fine(self) -> int:
        """E: digits that hold every number too."""
        return self.digits + self.longest // 3

    @property
    def own_terms(self) -> int:
        """What is to be enclosed of epsilon and the unit."""
        return sum(number.terms for number in self._own)

    @property
    def terms(self) -> int:
        """Λ: what is to be enclosed of these, and of every group."""
        return self.own_terms + sum(epsilon.terms for epsilon, _ in self.ledger.groups)

    @property
    def fractions(self) -> int:
        """F: Δ, and the sums of μ² and ρ."""
        failing = [m for m in self.ledger.mechanisms if m.delta]
        noise = [m for m in self.ledger.noise if m.parameter]
        return (len(failing) + len(noise) + 1) * (self.transcendental(1) // 10)

    @property
    def order(self) -> int:
        """σ of epsilon and those of the entries."""
        return prices.sign((*self._own, *(m.epsilon for m in self.ledger.mechanisms)))

    @property
    def sign_of_delta(self) -> int:
        """τ."""
        return prices.sign_of_delta(self.bound.delta, (m.delta for m in self.ledger.mechanisms))

    def transcendental(self, times: int) -> int:
        """So many logarithms and exponentials."""
        return times * prices.transcendental(self.fine)

    def profiles(self, times: int) -> int:
        """So many values of a Gaussian profile."""
        return times * prices.profile(self.fine)

    def cells(self, slots: int) -> int:
        """What it takes to multiply weights that span so many cells, and to compare D with Δ."""
        levels = len(self.ledger.groups).bit_length() + 2
        return (
            self.entries
            + self.transcendental(self.terms)
            + self.fractions
            + 20 * slots * (self.fine + 30) * levels
        )
