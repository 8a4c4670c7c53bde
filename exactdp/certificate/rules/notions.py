r"""The rules of bounds that are a ρ of zCDP, or a μ of Gaussian differential privacy."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule, Theorem
from exactdp.certificate.theorems import FOR_ALL

_GROUPS: Final = "for groups of g, g² times that"

RULES: Final = {
    "zcdp-sum": Rule(
        theorem=Theorem(
            "bun-steinke-2016-lemma-1.7",
            "The ρ of mechanisms add up, each of which may be chosen in the light of answers: Bun "
            "and Steinke, TCC 2016-B, Lemma 1.7; Proposition 1.9 for groups.",
        ),
        about="mechanisms",
        kinds={
            "upper": "The ρ of the mechanisms were added up, exactly: ρ as it is, μ²/2, ε²/2, "
            f"and ε²/8 of a range; {_GROUPS}. The sum is at most the ρ claimed.",
            "lower": "The ρ of Gaussian noise, discrete or not, were added up, exactly; "
            f"{_GROUPS}. Its Rényi divergence of order 2 is twice that, and the sum is more than "
            "the ρ claimed. For a ρ stands Gaussian noise of μ² = 2ρ, which has it.",
        },
        parameters=("group", "rho"),
        interleaved=FOR_ALL,
    ),
    "gdp-sum": Rule(
        theorem=Theorem(
            "dong-roth-su-2022-corollary-3.3",
            "The μ² of Gaussian mechanisms add up: Dong, Roth and Su, J. R. Stat. Soc. B 84(1), "
            "2022, Corollary 3.3 of arXiv:1905.02383; Theorem 2.14 for groups.",
        ),
        about="mechanisms",
        kinds={
            "upper": f"The μ² of the mechanisms were added up, exactly; {_GROUPS}. The sum is at "
            "most the square of the μ claimed.",
            "lower": f"The μ² of Gaussian noise were added up, exactly; {_GROUPS}. The sum is more "
            "than the square of the μ claimed. For a ρ stands Gaussian noise of μ² = 2ρ.",
        },
        parameters=("group", "mu"),
        interleaved=FOR_ALL,
    ),
}
