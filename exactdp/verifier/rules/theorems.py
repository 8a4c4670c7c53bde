r"""The theorems by which bounds carry over to interactions that give an adversary more freedom.

Rules of this file: each names the type of subject, and the subjects of it, that it is about. No
bound of adaptive composition with parameters fixed in advance rests on one of them.

Sources: certs/SPEC.md, sections 3 and 9; Vadhan & Wang, TCC 2021, Theorem 5.4; Lyu, NeurIPS 2022;
Vadhan & Zhang, STOC 2023; Whitehouse, Ramdas, Rogers & Wu, ICML 2023; Koskela, Tobaben & Honkela,
ICLR 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..statement import Interleaving

FULLY_ADAPTIVE: Final = "fully-adaptive"


def _about_ledgers(name: str, covers: Callable[[Any], bool]) -> Interleaving:
    return Interleaving(name, "mechanisms", covers)


def about_budgets(name: str, measure: str) -> Interleaving:
    """A theorem about fully adaptive composition within budgets of this measure."""
    return Interleaving(name, "budget", lambda budget: budget.measure == measure, FULLY_ADAPTIVE)


_PURE: Final = _about_ledgers(
    "vadhan-wang-2021-theorem-5.4", lambda ledger: ledger.by_pairs and ledger.lossless
)
OF_ALL: Final = (_about_ledgers("vadhan-zhang-2023-f-dp", lambda _: True),)
"""What carries over every rule about mechanisms, whatever these are given by."""
APPROXIMATE: Final = (
    _PURE,
    _about_ledgers("lyu-2022-approximate-dp", lambda ledger: ledger.by_pairs),
    *OF_ALL,
    about_budgets("rogers-roth-ullman-vadhan-2016-basic-filter", "epsilon"),
)
"""What carries over a rule about mechanisms given by (ε, δ)."""
OF_PROFILES: Final = (*OF_ALL, about_budgets("koskela-tobaben-honkela-2023-gdp-filter", "mu"))
"""What carries over a rule about privacy profiles."""
OF_RENYI_DIVERGENCES: Final = (
    _about_ledgers("lyu-2022-renyi-dp", lambda ledger: ledger.lossless),
    *OF_ALL,
    about_budgets("whitehouse-ramdas-rogers-wu-2023-zcdp-filter", "rho"),
)
"""What carries over a rule about Rényi divergences."""
OF_LISTED_DIVERGENCES: Final = (about_budgets("feldman-zrnic-2021-renyi-filter", "renyi"),)
"""What carries over a rule about Rényi divergences that are listed by their orders."""
