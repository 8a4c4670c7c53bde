r"""What a statement, or a step on the way to it, says: the property of privacy in words.

Rules of this file: a printed number is exact, or rounded so that the sentence stays true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rules.row import Kind
from exactdp.pages.number_text import delta_of, epsilon_of, grouped

_PRIVATE: Final = {
    "rho": "ρ-zero-concentrated differentially private (zCDP) with ρ = {}",
    "mu": "μ-Gaussian differentially private with μ = {}",
}


@dataclass(frozen=True, slots=True)
class ExplainedClaim:
    """What a statement, or a step on the way to it, says.

    Attributes:
        kind: "upper", "lower", "underivable" or "rejected".
        epsilon: None for every finite ε.
        delta: δ.
        group: of how many the inputs may differ.
        notion: "rho" or "mu", where ``epsilon`` is that, and there is no δ.
    """

    kind: Kind
    epsilon: ExactNumber | None
    delta: mpq
    group: int
    notion: str = ""

    @staticmethod
    def of(kind: Kind, parameters: Mapping[str, Any], group: int) -> ExplainedClaim:
        """The claim of a statement, or of a step's parameters."""
        if notion := next((each for each in _PRIVATE if each in parameters), ""):
            amount = ExactNumber.parse(parameters[notion])
            return ExplainedClaim(kind, amount, mpq(0), group, notion)
        every = parameters["epsilon"] == "every"
        epsilon = None if every else ExactNumber.parse(parameters["epsilon"])
        return ExplainedClaim(kind, epsilon, ExactNumber.parse(parameters["delta"]).rational, group)

    @property
    def privacy(self) -> str:
        """The property in words, its numbers rounded so that what is said of it stays true."""
        up = self.kind == "upper"
        delta = delta_of(self.delta, up=up)
        of_whom = "" if self.group == 1 else f" for groups of up to {grouped(self.group)}"
        if self.epsilon is None:
            return f"(ε, δ)-differentially private{of_whom} with δ = {delta}, whatever the finite ε"
        epsilon = epsilon_of(self.epsilon, up=up)
        if self.notion:
            return _PRIVATE[self.notion].format(epsilon) + of_whom
        return f"(ε, δ)-differentially private{of_whom} with ε = {epsilon} and δ = {delta}"
