r"""Rényi divergences that mechanisms are known by alone: they have no profile, and add up.

Source: Mironov, CSF 2017, Proposition 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from gmpy2 import mpq

Orders: TypeAlias = tuple[tuple[mpq, mpq], ...]
"""Orders α, rising from above 1, each with a bound of the divergence."""

GAP_OF_DIVERGENCES: Final = "Rényi divergences say less about a mechanism than its noise"


@dataclass(frozen=True, slots=True)
class RenyiBounds:
    """Of every order α at most α·ρ, and what is listed.

    Attributes:
        rho: ρ.
        listed: lists of orders, and their counts.
    """

    rho: mpq
    listed: tuple[tuple[Orders, int], ...] = ()

    def times(self, count: int) -> RenyiBounds:
        return RenyiBounds(count * self.rho, tuple((each, count * n) for each, n in self.listed))

    def __add__(self, other: RenyiBounds) -> RenyiBounds:
        return RenyiBounds(self.rho + other.rho, (*self.listed, *other.listed))

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.rho or self.listed)
