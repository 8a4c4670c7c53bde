r"""Theorems that rules of several families rest on, and those of concurrent composition.

Theory of operation: a rule is about mechanisms run one after the other. It is a theorem of its own
that interleaving the questions gains an adversary nothing, and an upper bound for concurrent
composition names it: Vadhan & Wang (TCC 2021, Theorem 5.4) for pure mechanisms, Lyu (NeurIPS 2022)
for approximate ones and for Rényi divergences, Vadhan & Zhang (STOC 2023) for privacy profiles, and
with them for all mixtures (``certs/SPEC.md``, section 3).
What fails one after the other fails interleaved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from exactdp.certificate.rules.row import Theorem
from exactdp.mechanisms import Family

DEFINITION: Final = Theorem("definition", "The definition of differential privacy alone.")
OPTIMAL_COMPOSITION: Final = Theorem(
    "murtagh-vadhan-2018-theorem-1.5",
    "The optimal composition theorem: Murtagh and Vadhan, Theory of Computing 14(8), 2018, "
    "Theorem 1.5; for adaptive composition, Theorem 3.4 of the TCC 2016 version.",
    link="https://arxiv.org/abs/1507.03113",
)
CONVERSION_OF_RENYI: Final = Theorem(
    "canonne-kamath-steinke-2020-proposition-12",
    "The conversion of Canonne, Kamath and Steinke, NeurIPS 2020, Proposition 12 of "
    "arXiv:2004.00010, from the Rényi divergence of one order.",
    link="https://arxiv.org/abs/2004.00010",
)
CONVERSION_OF_ZCDP: Final = Theorem(
    "canonne-kamath-steinke-2020-corollary-13",
    "The conversion of Canonne, Kamath and Steinke, NeurIPS 2020, Corollary 13 of "
    "arXiv:2004.00010: what ρ-zCDP implies, for any α above 1.",
    link="https://arxiv.org/abs/2004.00010",
)
BUN_STEINKE: Final = Theorem(
    "bun-steinke-2016-proposition-1.3",
    "The conversion of Bun and Steinke, TCC 2016-B, Proposition 1.3: ρ-zCDP implies "
    "(ρ + 2·√(ρ·ln(1/δ)), δ)-DP.",
    link="https://arxiv.org/abs/1605.02065",
)
DOMINATION: Final = Theorem(
    "zhu-dong-wang-2022-theorem-10",
    "Pairs of laws that dominate mechanisms compose to a pair that dominates their adaptive "
    "composition: Zhu, Dong and Wang, AISTATS 2022, Theorem 10.",
    link="https://arxiv.org/abs/2106.08567",
)
INTERLEAVED_BASIC: Final = Theorem(
    "vadhan-wang-2021-theorem-4.1",
    "A first bound for concurrent composition: Vadhan and Wang, TCC 2021, Theorem 4.1.",
    link="https://arxiv.org/abs/2105.14427",
    who="Vadhan and Wang, TCC 2021, Theorem 4.1",
)
INTERLEAVED_PURE: Final = Theorem(
    "vadhan-wang-2021-theorem-5.4",
    "Interleaving gains nothing where mechanisms are pure: Vadhan and Wang, TCC 2021, Theorem 5.4. "
    "So what holds of mechanisms run one after the other holds.",
    link="https://arxiv.org/abs/2105.14427",
    who="Vadhan and Wang, TCC 2021, Theorem 5.4",
)
INTERLEAVED_APPROXIMATE: Final = Theorem(
    "lyu-2022-approximate-dp",
    "Interleaving gains nothing: Lyu, NeurIPS 2022, for approximate differential privacy. So what "
    "holds of mechanisms run one after the other holds.",
    link="https://arxiv.org/abs/2207.09397",
    who="Lyu, NeurIPS 2022",
)
INTERLEAVED_RENYI: Final = Theorem(
    "lyu-2022-renyi-dp",
    "Interleaving gains nothing: Lyu, NeurIPS 2022, for Rényi divergences. So what these say of "
    "mechanisms run one after the other holds.",
    link="https://arxiv.org/abs/2207.09397",
    who="Lyu, NeurIPS 2022, for Rényi divergences",
)
INTERLEAVED_PROFILES: Final = Theorem(
    "vadhan-zhang-2023-f-dp",
    "Interleaving gains nothing: Vadhan and Zhang, STOC 2023; an interactive mechanism can be "
    "simulated from one that asks no questions. So what holds of mechanisms run one after the "
    "other holds.",
    link="https://arxiv.org/abs/2207.08335",
    who="Vadhan and Zhang, STOC 2023",
)
FILTER_OF_EPSILON: Final = Theorem(
    "rogers-roth-ullman-vadhan-2016-basic-filter",
    "A filter for pure losses, which add up on every path: Rogers, Roth, Ullman and Vadhan, "
    "Privacy odometers and filters, NeurIPS 2016, Theorem 3.6.",
    link="https://arxiv.org/abs/1605.08294",
)
FILTER_OF_RHO: Final = Theorem(
    "whitehouse-ramdas-rogers-wu-2023-zcdp-filter",
    "A filter for zero-concentrated privacy: whatever is chosen as one goes, as long as the ρ add "
    "up to no more than the budget. Feldman and Zrnic, NeurIPS 2021, Theorem 3.1; with failures, "
    "Whitehouse, Ramdas, Rogers and Wu, ICML 2023.",
    link="https://arxiv.org/abs/2203.05481",
)
FILTER_OF_RENYI: Final = Theorem(
    "feldman-zrnic-2021-renyi-filter",
    "A filter for Rényi divergences of one order: Feldman and Zrnic, Individual privacy "
    "accounting via a Rényi filter, NeurIPS 2021, Theorem 3.1.",
    link="https://arxiv.org/abs/2008.11193",
)
FILTER_OF_MU: Final = Theorem(
    "koskela-tobaben-honkela-2023-gdp-filter",
    "A filter for Gaussian privacy: whatever is chosen as one goes, as long as the μ² add up to no "
    "more than the budget. Koskela, Tobaben and Honkela, ICLR 2023; Smith and Thakurta 2022.",
    link="https://arxiv.org/abs/2209.15596",
)
FULLY_ADAPTIVE: Final = (FILTER_OF_EPSILON, FILTER_OF_RHO, FILTER_OF_RENYI, FILTER_OF_MU)
"""The theorems about budgets."""

CONCURRENT: Final = (
    INTERLEAVED_PROFILES,
    INTERLEAVED_APPROXIMATE,
    INTERLEAVED_RENYI,
    INTERLEAVED_PURE,
    INTERLEAVED_BASIC,
)
"""The theorems of concurrent composition."""

COVERS: Final[Mapping[Theorem, Callable[[Family], bool]]] = {
    INTERLEAVED_PURE: lambda entry: entry.given_by == "epsilon-delta" and not entry.failure(),
    INTERLEAVED_APPROXIMATE: lambda entry: entry.given_by == "epsilon-delta",
    INTERLEAVED_RENYI: lambda entry: not entry.failure(),
}
"""The mechanisms that a theorem is about; those that are not here are about all."""

FOR_PAIRS: Final = (
    INTERLEAVED_PURE,
    INTERLEAVED_PROFILES,
    INTERLEAVED_APPROXIMATE,
    FILTER_OF_EPSILON,
)
"""What carries over a rule about mechanisms given by (ε, δ); the oldest first, which is about pure
mechanisms: nothing later says more of them."""
FOR_ALL: Final = (INTERLEAVED_PROFILES,)
"""What carries over every rule about mechanisms."""
FOR_PROFILES: Final = (INTERLEAVED_PROFILES, FILTER_OF_MU)
"""What carries over a rule about privacy profiles."""
FOR_RENYI_DIVERGENCES: Final = (
    INTERLEAVED_RENYI,
    INTERLEAVED_PROFILES,
    FILTER_OF_RHO,
    FILTER_OF_RENYI,
)
"""What carries over a rule about Rényi divergences."""
