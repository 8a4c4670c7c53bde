r"""The field's closed forms: how each is shown, and on what it rests.

Rules of this file: these are formulas, not rules of certificates; what a formula gives is proved by
whichever rule shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from exactdp.certificate.theorems import BUN_STEINKE, CONVERSION_OF_ZCDP, INTERLEAVED_BASIC

_FIXED: Final = "parameters fixed in advance"
_SAME: Final = f"{_FIXED}, the same for all"
_KAIROUZ_OH_VISWANATH: Final = (
    r"the least of $\sum_i \varepsilon_i$, $M + \sqrt{2V \ln(e + \sqrt{V}/\tilde\delta)}$ and "
    r"$M + \sqrt{2V \ln(1/\tilde\delta)}$, with "
    r"$M = \sum_i \varepsilon_i (e^{\varepsilon_i} - 1)/(e^{\varepsilon_i} + 1)$ and "
    r"$V = \sum_i \varepsilon_i^2$"
)


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """How a closed form is shown beside the optimum.

    Attributes:
        name: as the field calls it.
        formula: the bound on ε, for pages: formulas stand between dollars.
        source: the theorem in one line, with what it is applied to.
        published: where the theorem is found, in full.
        assumes: what the theorem takes for granted.
        curve: what papers call its curve; "" if it is not drawn.
        theorem: its name, for programs; "" if it has none.
    """

    name: str
    formula: str
    source: str
    published: str
    assumes: str
    curve: str = ""
    theorem: str = ""


CLOSED_FORMS: Final[dict[str, ClosedForm]] = {
    "sum": ClosedForm(
        "basic composition",
        r"$\sum_i \varepsilon_i$",
        "Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, with δ ≥ 1 - ∏(1 - δ_i)",
        "Dwork, Kenthapadi, McSherry, Mironov, Naor 2006; with the sharper δ ≥ 1 − ∏(1 − δ_i)",
        _FIXED,
        curve="Summing",
        theorem="murtagh-vadhan-2018-theorem-1.5",
    ),
    "advanced-composition": ClosedForm(
        "advanced composition",
        r"$\sqrt{2k \ln(1/\delta')}\,\varepsilon + k\varepsilon(e^{\varepsilon} - 1)$, with "
        r"$\delta' = \delta - k\delta_i > 0$",
        "Dwork, Rothblum, Vadhan 2010, Theorem III.3, with δ' = δ - kδ_i",
        "Dwork, Rothblum, Vadhan, FOCS 2010, Theorem III.3; Dwork, Roth 2014, Theorem 3.20",
        f"{_SAME} (every ε_i and δ_i is taken to be the greatest)",
        curve="DRV",
        theorem="dwork-rothblum-vadhan-2010-theorem-3.3",
    ),
    "kairouz-oh-viswanath-homogeneous": ClosedForm(
        "Kairouz–Oh–Viswanath, homogeneous",
        _KAIROUZ_OH_VISWANATH,
        "Kairouz, Oh, Viswanath 2015, Theorem 3.4, with δ̃ = 1 - (1 - δ)/(1 - δ_i)^k",
        "Kairouz, Oh, Viswanath, ICML 2015, Theorem 3.4 of arXiv 1311.0776v4",
        _SAME,
        theorem="kairouz-oh-viswanath-2015-theorem-3.4",
    ),
    "kairouz-oh-viswanath-heterogeneous": ClosedForm(
        "Kairouz–Oh–Viswanath, heterogeneous",
        _KAIROUZ_OH_VISWANATH,
        "Kairouz, Oh, Viswanath 2015, Theorem 3.5, with δ̃ = 1 - (1 - δ)/∏(1 - δ_i)",
        "Kairouz, Oh, Viswanath, ICML 2015, Theorem 3.5 of arXiv 1311.0776v4",
        _FIXED,
        curve="KOV bound",
        theorem="kairouz-oh-viswanath-2015-theorem-3.5",
    ),
    "murtagh-vadhan-1.4": ClosedForm(
        "Murtagh–Vadhan, Theorem 1.4",
        r"the least $(k - 2i)\varepsilon$ that the sum of the theorem allows",
        "Murtagh, Vadhan 2018, Theorem 1.4, with ε_g one of kε, (k - 2)ε, (k - 4)ε, …",
        "Murtagh, Vadhan 2018, Theorem 1.4, which is Theorem 3.3 of Kairouz, Oh, Viswanath",
        _SAME,
        theorem="murtagh-vadhan-2018-theorem-1.4",
    ),
}

FORMULA_THEOREMS: Final[dict[str, str]] = {
    **{name: form.theorem for name, form in CLOSED_FORMS.items() if name != "sum"},
    "zcdp-bun-steinke": BUN_STEINKE.name,
    "zcdp-canonne-kamath-steinke": CONVERSION_OF_ZCDP.name,
    "concurrent-basic": INTERLEAVED_BASIC.name,
}
"""Formulas that are no rule, and the theorems that give them."""
