r"""Theorems that a statement may name: one for each rule, and those of concurrent composition.

Rules of this file: the names are those of ``certs/SPEC.md``, section 3; the verifier has a table of
its own.

Theory of operation: a rule is about mechanisms run one after the other. That interleaving the
questions to interactive mechanisms gains an adversary nothing is a theorem of its own, and an upper
bound for concurrent composition names it: Vadhan & Wang (TCC 2021, Theorem 5.4) for pure
mechanisms, Lyu (NeurIPS 2022) for approximate ones and for Rényi divergences, Vadhan & Zhang
(STOC 2023) for privacy profiles. What fails one after the other fails interleaved.
"""

from __future__ import annotations

from typing import Final

from exactdp.certificate.subject import Stated, Subject

DEFINITION: Final = "definition"
OPTIMAL_COMPOSITION: Final = "murtagh-vadhan-2018-theorem-1.5"
INTERLEAVED_BASIC: Final = "vadhan-wang-2021-theorem-4.1"
INTERLEAVED_PURE: Final = "vadhan-wang-2021-theorem-5.4"
INTERLEAVED_APPROXIMATE: Final = "lyu-2022-approximate-dp"
INTERLEAVED_RENYI: Final = "lyu-2022-renyi-dp"
INTERLEAVED_PROFILES: Final = "vadhan-zhang-2023-f-dp"
CONCURRENT: Final = (
    INTERLEAVED_PROFILES,
    INTERLEAVED_APPROXIMATE,
    INTERLEAVED_RENYI,
    INTERLEAVED_PURE,
    INTERLEAVED_BASIC,
)

THEOREMS: Final = {
    "vacuous": DEFINITION,
    "sum": OPTIMAL_COMPOSITION,
    "infeasible": OPTIMAL_COMPOSITION,
    "rational-odds": OPTIMAL_COMPOSITION,
    "grid": OPTIMAL_COMPOSITION,
    "lattice": OPTIMAL_COMPOSITION,
    "connect-the-dots": OPTIMAL_COMPOSITION,
    "gridded-test": OPTIMAL_COMPOSITION,
    "zcdp-bun-steinke": "bun-steinke-2016-proposition-1.3",
    "zcdp-canonne-kamath-steinke": "canonne-kamath-steinke-2020-corollary-13",
    "renyi": "canonne-kamath-steinke-2020-proposition-12",
    "gaussian": "dong-roth-su-2022-corollary-2.13",
    "gaussian-mixture": "dong-roth-su-2022-theorem-3.2",
    "gaussian-mesh": "dong-roth-su-2022-theorem-3.2",
    "zcdp-pair": "dong-roth-su-2022-theorem-3.2",
    "advanced-composition": "dwork-rothblum-vadhan-2010-theorem-3.3",
    "kairouz-oh-viswanath-homogeneous": "kairouz-oh-viswanath-2015-theorem-3.4",
    "kairouz-oh-viswanath-heterogeneous": "kairouz-oh-viswanath-2015-theorem-3.5",
    "murtagh-vadhan-1.4": "murtagh-vadhan-2018-theorem-1.4",
    "concurrent-basic": INTERLEAVED_BASIC,
    "post-processing": DEFINITION,
    "distinguishing-adversary": DEFINITION,
}
_RENYI: Final = ("zcdp-bun-steinke", "zcdp-canonne-kamath-steinke", "renyi")
_PROFILES: Final = ("gaussian", "gaussian-mixture", "gaussian-mesh")


def interleaving_theorems(rule: str, subject: Subject) -> tuple[str, ...]:
    """The theorems by which an upper bound of a rule holds of concurrent composition; best first.

    Where several do, the oldest comes first if the mechanisms are pure: nothing later says more.
    What is not the name of a rule stands for any that is about such mechanisms.
    """
    if rule in ("vacuous", "concurrent-basic"):
        return (THEOREMS[rule],)
    lossless = not any(delta for _, delta, _ in subject.mechanisms)
    concentrated = any(rho for rho, _ in subject.concentrated)
    if rule in _RENYI or (concentrated and rule not in THEOREMS):
        return (INTERLEAVED_RENYI,) if lossless else ()
    if concentrated:
        return ()
    if rule in _PROFILES or any(mu for mu, _ in subject.gaussian):
        return (INTERLEAVED_PROFILES,)
    pure = (INTERLEAVED_PURE,) if lossless else ()
    return (*pure, INTERLEAVED_PROFILES, INTERLEAVED_APPROXIMATE)


def statement_theorems(rule: str, bound: str, subject: Stated) -> tuple[str, ...]:
    """The theorems that a statement may name which rests on a rule; the best first."""
    if isinstance(subject, Subject) and subject.interaction == "concurrent" and bound == "upper":
        return interleaving_theorems(rule, subject)
    return (THEOREMS[rule],)
