r"""The privacy profile as a band between two ends: for each ε a δ, or for each δ an ε."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from exactdp.composition.answers.results import ProfilePoint

Pair: TypeAlias = tuple[mpq, mpq]
"""An ε and a δ."""


@dataclass(frozen=True, slots=True)
class Band:
    """Ends of δ at each ε, or ends of ε at each δ, from left to right.

    Attributes:
        rows: ε with the ends of δ, or δ with the ends of ε.
        at_deltas: which of both.
    """

    rows: tuple[tuple[mpq, mpq, mpq], ...]
    at_deltas: bool = False

    @staticmethod
    def by_epsilon(points: Iterable[ProfilePoint]) -> Band | None:
        """The band of a profile; None without a point."""
        rows = tuple((each.epsilon.rational, each.lower_end, each.upper_end) for each in points)
        return Band(rows) if rows else None

    @staticmethod
    def by_delta(rows: Iterable[tuple[mpq, mpq, mpq]]) -> Band | None:
        """The band of ends of ε at each δ, the greatest δ first; None without a row."""
        kept = tuple(rows)
        return Band(kept, at_deltas=True) if kept else None

    @property
    def below(self) -> list[Pair]:
        """The lower edge."""
        return [(low, at) if self.at_deltas else (at, low) for at, low, _ in self.rows]

    @property
    def above(self) -> list[Pair]:
        """The upper edge."""
        return [(high, at) if self.at_deltas else (at, high) for at, _, high in self.rows]

    @property
    def farthest(self) -> mpq:
        """The greatest ε."""
        return max(epsilon for epsilon, _ in self.above)
