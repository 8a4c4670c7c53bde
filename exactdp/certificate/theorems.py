r"""Theorems that rules of several families rest on, and those of concurrent composition.

Theory of operation: a rule is about mechanisms run one after the other. It is a theorem of its own
that interleaving the questions gains an adversary nothing, and an upper bound for concurrent
composition names it: Vadhan & Wang (TCC 2021, Theorem 5.4) for pure mechanisms, Lyu (NeurIPS 2022)
for approximate ones and for Rényi divergences, Vadhan & Zhang (STOC 2023) for privacy profiles.
What fails one after the other fails interleaved.
"""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Theorem

DEFINITION: Final = Theorem("definition", "The definition of differential privacy alone.")
OPTIMAL_COMPOSITION: Final = Theorem(
    "murtagh-vadhan-2018-theorem-1.5",
    "The optimal composition theorem: Murtagh and Vadhan, Theory of Computing 14(8), 2018, "
    "Theorem 1.5; for adaptive composition, Theorem 3.4 of the TCC 2016 version.",
)
INTERLEAVED_BASIC: Final = Theorem(
    "vadhan-wang-2021-theorem-4.1",
    "A first bound for concurrent composition: Vadhan and Wang, TCC 2021, Theorem 4.1.",
)
INTERLEAVED_PURE: Final = Theorem(
    "vadhan-wang-2021-theorem-5.4",
    "Interleaving gains nothing where mechanisms are pure: Vadhan and Wang, TCC 2021, Theorem 5.4. "
    "So what holds of mechanisms run one after the other holds.",
)
INTERLEAVED_APPROXIMATE: Final = Theorem(
    "lyu-2022-approximate-dp",
    "Interleaving gains nothing: Lyu, NeurIPS 2022, for approximate differential privacy. So what "
    "holds of mechanisms run one after the other holds.",
)
INTERLEAVED_RENYI: Final = Theorem(
    "lyu-2022-renyi-dp",
    "Interleaving gains nothing: Lyu, NeurIPS 2022, for Rényi divergences. So what these say of "
    "mechanisms run one after the other holds.",
)
INTERLEAVED_PROFILES: Final = Theorem(
    "vadhan-zhang-2023-f-dp",
    "Interleaving gains nothing: Vadhan and Zhang, STOC 2023; an interactive mechanism can be "
    "simulated from one that asks no questions. So what holds of mechanisms run one after the "
    "other holds.",
)
CONCURRENT: Final = (
    INTERLEAVED_PROFILES,
    INTERLEAVED_APPROXIMATE,
    INTERLEAVED_RENYI,
    INTERLEAVED_PURE,
    INTERLEAVED_BASIC,
)
"""The theorems of concurrent composition."""

FOR_PAIRS: Final = (INTERLEAVED_PURE, INTERLEAVED_PROFILES, INTERLEAVED_APPROXIMATE)
"""What carries over a rule about mechanisms given by (ε, δ); the oldest first, which is about pure
mechanisms: nothing later says more of them."""
FOR_PROFILES: Final = (INTERLEAVED_PROFILES,)
"""What carries over a rule about privacy profiles."""
FOR_RENYI_DIVERGENCES: Final = (INTERLEAVED_RENYI,)
"""What carries over a rule about Rényi divergences."""
