r"""The rules of closed forms that the field quotes; basic composition is the rule ``sum``."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.composition import FIXED, ROUNDED_DOWN, WITHIN
from exactdp.certificate.rules.row import ClosedForm, Rule, Theorem
from exactdp.certificate.theorems import FOR_PAIRS

_SAME: Final = f"{FIXED}, the same for all"
_ABOVE: Final = "in whole numbers of at least {digits} decimal digits, rounded up"
_LEAST_OF_THREE: Final = (
    "The theorem's bound is the least of three, with the δ̃ that the δ claimed forces: the sum of "
    "the ε, compared exactly; and, with the mean M of the privacy loss and the sum V of the "
    f"squares of the ε, M + √(2V·ln(e + √V/δ̃)) and M + √(2V·ln(1/δ̃)), {_ABOVE}. The ε claimed is "
    "no less than one of them."
)
_KAIROUZ_OH_VISWANATH: Final = (
    r"the least of $\sum_i \varepsilon_i$, $M + \sqrt{2V \ln(e + \sqrt{V}/\tilde\delta)}$ and "
    r"$M + \sqrt{2V \ln(1/\tilde\delta)}$, with "
    r"$M = \sum_i \varepsilon_i (e^{\varepsilon_i} - 1)/(e^{\varepsilon_i} + 1)$ and "
    r"$V = \sum_i \varepsilon_i^2$"
)

RULES: Final = {
    "advanced-composition": Rule(
        theorem=Theorem(
            "dwork-rothblum-vadhan-2010-theorem-3.3",
            "Advanced composition: Dwork, Rothblum and Vadhan, FOCS 2010, Theorem III.3; Theorem "
            "3.20 of Dwork and Roth, 2014.",
        ),
        about="pairs",
        kinds={
            "upper": "Every mechanism was taken to be as bad as the worst, with ε and δ the "
            "greatest of all. What the δ claimed leaves beyond k times that δ is δ', exactly. The "
            f"theorem's formula, ε·√(2k·ln(1/δ')) + k·ε·(e^ε − 1), was computed {_ABOVE}: the ε "
            "claimed is no less."
        },
        parameters=("digits",),
        interleaved=FOR_PAIRS,
        closed_form=ClosedForm(
            "advanced composition",
            r"$\sqrt{2k \ln(1/\delta')}\,\varepsilon + k\varepsilon(e^{\varepsilon} - 1)$, with "
            r"$\delta' = \delta - k\delta_i > 0$",
            "Dwork, Rothblum, Vadhan 2010, Theorem III.3, with δ' = δ - kδ_i",
            "Dwork, Rothblum, Vadhan, FOCS 2010, Theorem III.3; Dwork, Roth 2014, Theorem 3.20",
            f"{_SAME} (every ε_i and δ_i is taken to be the greatest)",
            curve="DRV",
        ),
    ),
    "kairouz-oh-viswanath-homogeneous": Rule(
        theorem=Theorem(
            "kairouz-oh-viswanath-2015-theorem-3.4",
            "Composition of mechanisms that are alike: Kairouz, Oh and Viswanath, ICML 2015, "
            "Theorem 3.4 of arXiv 1311.0776v4.",
        ),
        about="pairs",
        kinds={"upper": _LEAST_OF_THREE},
        parameters=("digits",),
        interleaved=FOR_PAIRS,
        closed_form=ClosedForm(
            "Kairouz–Oh–Viswanath, homogeneous",
            _KAIROUZ_OH_VISWANATH,
            "Kairouz, Oh, Viswanath 2015, Theorem 3.4, with δ̃ = 1 - (1 - δ)/(1 - δ_i)^k",
            "Kairouz, Oh, Viswanath, ICML 2015, Theorem 3.4 of arXiv 1311.0776v4",
            _SAME,
        ),
    ),
    "kairouz-oh-viswanath-heterogeneous": Rule(
        theorem=Theorem(
            "kairouz-oh-viswanath-2015-theorem-3.5",
            "Composition of mechanisms that differ: Kairouz, Oh and Viswanath, ICML 2015, Theorem "
            "3.5 of arXiv 1311.0776v4.",
        ),
        about="pairs",
        kinds={"upper": _LEAST_OF_THREE},
        parameters=("digits",),
        interleaved=FOR_PAIRS,
        closed_form=ClosedForm(
            "Kairouz–Oh–Viswanath, heterogeneous",
            _KAIROUZ_OH_VISWANATH,
            "Kairouz, Oh, Viswanath 2015, Theorem 3.5, with δ̃ = 1 - (1 - δ)/∏(1 - δ_i)",
            "Kairouz, Oh, Viswanath, ICML 2015, Theorem 3.5 of arXiv 1311.0776v4",
            FIXED,
            curve="KOV bound",
        ),
    ),
    "murtagh-vadhan-1.4": Rule(
        theorem=Theorem(
            "murtagh-vadhan-2018-theorem-1.4",
            "Composition of mechanisms that are alike, in steps of their ε: Murtagh and Vadhan, "
            "Theory of Computing 14(8), 2018, Theorem 1.4.",
        ),
        about="pairs",
        kinds={
            "upper": "The mechanisms are alike, so that the privacy loss moves in steps of their "
            "ε. At the greatest such step that does not pass the ε claimed, the theorem's sum is "
            f"0, or was computed anew, {ROUNDED_DOWN}. {WITHIN}"
        },
        parameters=("digits",),
        interleaved=FOR_PAIRS,
        closed_form=ClosedForm(
            "Murtagh–Vadhan, Theorem 1.4",
            r"the least $(k - 2i)\varepsilon$ that the sum of the theorem allows",
            "Murtagh, Vadhan 2018, Theorem 1.4, with ε_g one of kε, (k - 2)ε, (k - 4)ε, …",
            "Murtagh, Vadhan 2018, Theorem 1.4, which is Theorem 3.3 of Kairouz, Oh, Viswanath",
            _SAME,
        ),
    ),
}
