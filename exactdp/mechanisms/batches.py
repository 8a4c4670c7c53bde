r"""Gaussian noise on the sums of batches: what all ways have in common by which records come there.

Rules of this file: records have norm at most 1, and deviations are those of the noise on the sum.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final, Self

from gmpy2 import mpq

from exactdp.errors import InputError
from exactdp.mechanisms.family import REPLACE_ONE, ZERO_OUT, EntryShape, NeverFails
from exactdp.mechanisms.keys import JsonEntry, TextOf

MOST_BATCHES: Final = 10**9
MOST_RECORDS: Final = 10**12
REACHES: Final = {ZERO_OUT: 1, REPLACE_ONE: 2}
"""How far a record of norm at most 1 moves the sum of its batch, by the neighbouring relation."""


class GaussianOnBatches(NeverFails):
    """Gaussian noise of a deviation on the sums of batches."""

    __slots__ = ()

    sigma: mpq

    HAS_LEMMA: ClassVar[bool] = False
    IS_IN_BATCHES: ClassVar[bool] = True

    def shape(self) -> EntryShape:
        return {"sigma": self.sigma, **self.KEYS[0].shape_of(self)}

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Only of one who is told the batches."""

    def ordering(self) -> None:
        """Only its equal is like it."""

    def scaled(self, factor: mpq) -> Self:
        return replace(self, sigma=self.sigma / factor)  # type: ignore[type-var] # a dataclass

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its deviation."""
        return "sigma", self.sigma

    def with_noise(self, noise: mpq) -> Self:
        return replace(self, sigma=noise)  # type: ignore[type-var] # a dataclass


def norm_of_one(entry: JsonEntry, text_of: TextOf) -> None:
    """See that an entry about batches states no sensitivity but 1.

    Raises:
        InputError: it does.
    """
    if text_of(entry.get("sensitivity", "1")) != "1":
        raise InputError(
            field="sensitivity",
            value=text_of(entry["sensitivity"]),
            expected="1: divide sigma by the sensitivity",
        )
