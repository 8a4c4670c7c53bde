r"""Which mechanism is at least as private as which other, whatever gives it.

Theory of operation: a mechanism is *dominated* by another if its profile is nowhere above the
other's, in either direction. A *chain* holds mechanisms any two of which are ordered (see
:mod:`exactdp.mechanisms.order`), so that every class of them has one that dominates the others.
Those given by (ε, δ) are one chain: the greatest ε and the greatest δ dominate them together.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorem 10, for why that is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from exactdp.errors import InternalError
from exactdp.mechanisms import Entry
from exactdp.mechanisms.order import Order
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import asking

_COST: Final = 10**4
"""Nanoseconds that a comparison takes."""


def dominating(entries: Sequence[Entry]) -> Entry:
    """The first of some mechanisms that dominates them all; none of them is given by (ε, δ).

    Raises:
        InternalError: there is none; no chain holds them all.
    """
    most = entries[0]
    for entry in entries[1:]:
        if is_dominated(most, entry) and not is_dominated(entry, most):
            most = entry
    if not all(is_dominated(entry, most) for entry in entries):
        raise InternalError(field="colouring", value="a class", expected="mechanisms of one chain")
    return most


def chains(kinds: Iterable[Entry], weights: Mapping[Entry, int], clock: Clock) -> dict[Entry, int]:
    """The number of each mechanism's chain, for weights that rise with what it reveals.

    Once the time is up, each of the rest is a chain by itself.
    """
    ends: dict[Hashable, dict[int, Order | None]] = {}
    found: dict[Entry, int] = {}
    number = 0
    for kind in sorted(kinds, key=lambda each: -weights[each]):
        order = kind.ordering()
        own = ends.setdefault(kind.chain(), {})
        follows = (i for i, end in own.items() if _is_below(order, end))
        place = number if clock.is_over else next(follows, number)
        own[place] = order
        found[kind] = place
        number = max(number, place + 1)
    return found


def is_dominated(one: Entry, other: Entry) -> bool:
    """Whether ``one`` is known to be as private as ``other``, each of them once."""
    first, second = one.ordering(), other.ordering()
    return first is not None and second is not None and first.is_below(second)


def are_between(low: Entry, entries: Iterable[Entry], high: Entry) -> bool:
    """Whether each is known to be as private as ``high``, and ``low`` as private as each."""
    least, most = low.ordering(), high.ordering()
    if least is None or most is None:
        return False
    orders = (entry.ordering() for entry in asking(entries, _COST))
    return all(
        order is not None and least.is_below(order) and order.is_below(most) for order in orders
    )


def _is_below(first: Order | None, second: Order | None) -> bool:
    """Whether one reveals no more; those without an order are of one chain with their like."""
    if first is None or second is None:
        return first is second
    return first.is_below(second)
