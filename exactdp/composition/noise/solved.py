r"""The least ε at a δ: its ends, and what proves them.

Rules of this file: an end is given only with what proves it.
"""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.engines.mesh.bracket import Bracket
from exactdp.composition.engines.moments.orders import ORDER_RULE, OrderBound
from exactdp.errors import InternalError


@dataclass(frozen=True)
class Solved:
    """The least ε at δ: its ends, and what proves them."""

    delta: mpq
    lower: mpq
    upper: mpq
    bracket: Bracket | None
    """None where no mechanism has laws to compose."""

    threshold: int
    order: OrderBound | None = None
    """What Rényi divergences give, where that is the best."""

    @property
    def upper_rule(self) -> str:
        """What proves the upper end."""
        return self._bracket().upper_rule if self.order is None else ORDER_RULE

    @property
    def explanation(self) -> str:
        """How the upper end was found, in words."""
        if self.order is not None:
            return f"Rényi divergences of order {self.order.alpha}"
        return f"privacy losses on a mesh of {self._bracket().unit}"

    def upper_certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that an ε of at least ``upper`` is enough at a δ of at least that solved."""
        if self.order is not None:
            return self.order.certificate(epsilon, delta)
        return self._bracket().upper_certificate(epsilon, delta)

    def _bracket(self) -> Bracket:
        if self.bracket is None:
            raise InternalError(field="bracket", value="none", expected="laws to compose")
        return self.bracket

    def lower_certificate(self, epsilon: ExactNumber) -> Certificate:
        """The proof that an ε of at most ``lower`` is not enough."""
        return self._bracket().lower_certificate(epsilon, self.delta, self.threshold)
