r"""Mechanisms by their noise, and Rényi divergences: ``profile-renyi``.

Rules of this file: nothing that is known of an order is left out.

Theory of operation: those mechanisms join that are known by their divergences, as one pair of laws
beside those of the others (``divergent``).

Sources: certs/SPEC.md, section 13.7; Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12;
van Erven & Harremoës, IEEE Trans. Inf. Theory 60(7), 2014, Theorem 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ..format.outcomes import RejectedError
from .divergent import Divergent, read_orders
from .ledger import Ledger
from .noise import divergences_of
from .pairs_of_laws import Dominating
from .profiles import FromAbove
from .rule import parameter


@dataclass(frozen=True)
class ProfileRenyi(FromAbove):
    """``upper``: the pairs of ``profile-dots``, and one for what is known by its divergences."""

    name: ClassVar[str] = "profile-renyi"

    orders: tuple[Fraction, ...] = parameter(read_orders)

    def require(self, ledger: Ledger) -> None:
        """A ρ, or a list of divergences."""
        if not divergences_of(ledger) and not ledger.has_rho:
            raise RejectedError("no mechanism is given by rho or Rényi divergences")
        super().require(ledger)

    def parts(self, ledger: Ledger) -> Sequence[tuple[Dominating, int]]:
        """What dominates the mechanisms, those known by their divergences last."""
        concentrated = tuple((m.count, m.parameter) for m in ledger.concentrated)
        divergent = Divergent(concentrated, divergences_of(ledger), self.orders)
        return [*super().parts(ledger), (divergent, 1)]
