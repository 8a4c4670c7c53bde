r"""Scaling: the ledger of the same mechanisms with more or less noise, or one of them changed.

Theory of operation: a factor c is that by which every answer is scaled beside its noise: ε_i, μ and
the range of a mechanism grow by c, a ρ by c², and noise shrinks by c, so that a variance shrinks by
c². A table and a list of Rényi divergences have no such factor: each family knows. Mechanisms are
held by their label, or by #N, the N-th.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry

_PLACES: Final = 20


def scale_ledger(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Multiply every ε_i by ``factor`` >= 0, but for the mechanisms that ``hold`` names.

    Claims are left out: they are about the ledger as it was.
    """
    held = places_of(ledger, hold)
    mechanisms = tuple(
        each if index in held else each.scaled(factor)
        for index, each in enumerate(ledger.approximate())
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def scale_noise(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Scale mechanisms of every notion by ``factor`` > 0, but for those that ``hold`` names.

    Claims are left out.

    Raises:
        UnsupportedError: a mechanism that has no such factor.
    """
    held = places_of(ledger, hold)
    mechanisms = tuple(
        each if index in held else _scaled(each, index, factor)
        for index, each in enumerate(ledger.mechanisms)
    )
    return replace(ledger, mechanisms=mechanisms, claims=())


def places_of(ledger: Ledger, labels: Iterable[str]) -> frozenset[int]:
    """Where the mechanisms stand that have one of the labels, or are the N-th for #N.

    >>> sorted(places_of(Ledger.of([(1, 0, 1, "a"), (2,), (3,)]), ["a", "#3"]))
    [0, 2]
    """
    known = frozenset(labels)
    return frozenset(
        index
        for index, each in enumerate(ledger.mechanisms)
        if each.label in known or f"#{index + 1}" in known
    )


def _scaled(entry: Entry, index: int, factor: mpq) -> Entry:
    try:
        return entry.scaled(factor)
    except UnsupportedError as error:
        raise error.located(f"mechanisms[{index}]") from None
