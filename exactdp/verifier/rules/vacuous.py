r"""The rule ``vacuous``: a probability never exceeds 1.

Rules of this file: nothing is asked of the mechanisms.

Sources: certs/SPEC.md, section 7.1.
"""

from __future__ import annotations

from typing import ClassVar

from ..format.outcomes import RejectedError
from ..statement import DEFINITION, Interleaving
from .ledger import Ledger, LedgerRule


class Vacuous(LedgerRule):
    """``upper`` at delta = 1: a probability never exceeds 1."""

    name: ClassVar[str] = "vacuous"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    interleaved: ClassVar[tuple[Interleaving, ...]] = (
        Interleaving(DEFINITION, Ledger.type, lambda _: True),
    )

    def check(self, _ledger: Ledger) -> None:
        """Whether delta is 1."""
        if self.bound.delta != 1:
            raise RejectedError("delta is not 1")
