r"""Mechanisms by a list of Rényi divergences.

Source: Mironov, CSF 2017, Definition 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.mechanisms.checks import checked_orders
from exactdp.mechanisms.divergences import GAP_OF_DIVERGENCES, RenyiBounds
from exactdp.mechanisms.family import EntryShape, NeverFails, Symmetric, set_field
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import CountedPair


@dataclass(frozen=True, slots=True, init=False)
class RenyiMechanism(Symmetric, NeverFails):
    r"""A mechanism whose Rényi divergences of some orders α > 1 are at most so much."""

    orders: tuple[tuple[mpq, mpq], ...]
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (Key("renyi", in_cells=False),)

    def __init__(self, orders: Iterable[Sequence[Number]], count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters; pairs (α, ε_α) are sorted by α."""
        set_field(self, "orders", checked_orders(orders))
        self._counted(count, label)

    def shape(self) -> EntryShape:
        return {"renyi": [[alpha, bound] for alpha, bound in self.orders]}

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """None by itself: divergences of all mechanisms together are one curve."""
        yield from ()

    def divergences(self) -> RenyiBounds:
        """The list, once."""
        return RenyiBounds(mpq(0), ((self.orders, 1),))

    def attained(self, _relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """None is known: the mechanism may reveal nothing."""
        yield from ()

    def gap(self) -> str:
        return GAP_OF_DIVERGENCES

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of those given by Rényi divergences, by ones without any"

    def implied_epsilon_delta(self) -> None:
        """Some orders do not say."""

    def implied_rho(self) -> None:
        """Some orders do not say."""

    def rho_estimate(self) -> mpq:
        """About the least ε_α/α."""
        return min(bound / order for order, bound in self.orders)

    def ordering(self) -> Order:
        """Only its equal is like it."""
        return Order(("renyi", self.orders))

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()
