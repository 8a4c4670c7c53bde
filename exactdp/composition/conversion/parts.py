r"""A ledger sorted by what is known of its mechanisms.

Theory of operation: ρ adds up, and so does μ²; both sums are exact rationals. What is given by
(ε, δ) is a problem of optimal composition, whose failures are kept apart: each such mechanism is
ε-DP unless it fails, and what is left to the rest is Δ = 1 - (1 - δ)/∏(1 - δ_i).

Sources: Bun & Steinke, TCC 2016-B, Lemma 1.7 and Propositions 1.4, 1.6; Dong, Roth & Su, J. R.
Stat. Soc. B 84(1), 2022, Corollary 3.3 of arXiv:1905.02383; Kairouz, Oh & Viswanath, ICML 2015.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gmpy2 import mpq

from exactdp.composition.engines.moments.renyi import Divergences
from exactdp.composition.problem import AllowedDivergence, Problem
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger


@dataclass(frozen=True)
class Parts:
    """The mechanisms of a ledger.

    Attributes:
        problem: those given by (ε, δ).
        rho: the sum of all ρ.
        square: the sum of all μ².
        mechanisms: how many mechanisms there are in all.
        interleaved: whether an adversary interleaves its questions to them.
    """

    problem: Problem
    rho: mpq
    square: mpq
    mechanisms: int
    interleaved: bool = False

    @staticmethod
    def of(ledger: Ledger) -> Parts:
        """The parts of ``ledger``.

        Raises:
            UnsupportedError: some are given by their noise; or they are interleaved, some have a ρ,
                and others a δ.
        """
        entries, nothing = ledger.parametric(), mpq(0)
        rho = sum((each.count * (each.implied_rho() or nothing) for each in entries), nothing)
        square = sum(
            (each.count * (each.implied_mu() or nothing) ** 2 for each in entries), nothing
        )
        problem = Problem.of(replace(ledger, mechanisms=ledger.pairs))
        interleaved = ledger.interaction == "concurrent"
        if interleaved and rho and problem.deltas:
            raise UnsupportedError(
                field="interaction",
                value=ledger.interaction,
                expected="mechanisms with a rho, or others with a delta, but not both",
                remedy="no theorem of concurrent composition for such mixtures is implemented",
            )
        return Parts(problem, rho, square, ledger.size, interleaved)

    def allowed(self, delta: mpq) -> AllowedDivergence:
        """Δ for a global δ < 1."""
        return self.problem.allowed(delta)

    def as_renyi(self) -> Divergences:
        """Rényi divergences, of pure mechanisms that of randomized response."""
        return Divergences(self.rho + self.square / 2, pure=self.problem.epsilons)

    def as_zcdp(self) -> Divergences:
        """Rényi divergences, of all mechanisms that of zCDP."""
        return Divergences(self.rho + self.square / 2, concentrated=self.problem.epsilons)
