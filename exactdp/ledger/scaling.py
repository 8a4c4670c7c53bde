"""Scaling: the ledger of the same mechanisms with more or less noise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gmpy2 import mpq

from exactdp.ledger.model import Ledger, Mechanism


def scale_ledger(ledger: Ledger, factor: mpq, hold: Iterable[str] = ()) -> Ledger:
    """Multiply every ε_i by ``factor`` >= 0, but for the mechanisms with a label in ``hold``.

    Claims are left out: they are about the ledger as it was.
    """
    held = frozenset(hold)
    mechanisms = tuple(
        each
        if each.label in held
        else Mechanism(each.epsilon * factor, each.delta, each.count, each.label)
        for each in ledger.approximate()
    )
    return replace(ledger, mechanisms=mechanisms, claims=())
