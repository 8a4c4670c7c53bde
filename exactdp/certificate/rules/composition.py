r"""The rules of optimal composition, for mechanisms given by (ε, δ)."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import ClosedForm, Rule
from exactdp.certificate.theorems import DEFINITION, FOR_PAIRS, OPTIMAL_COMPOSITION

FIXED: Final = "parameters fixed in advance"
ROUNDED_DOWN: Final = "in whole numbers of {digits} decimal digits, rounded down"
WITHIN: Final = (
    "What rounding lost was counted against the claim, and still the theorem's sum does not exceed "
    "what δ allows."
)
BEYOND: Final = "Even so the theorem's sum exceeds what δ allows."

_ODDS: Final = (
    "Every odds ratio e^ε of the mechanisms is rational. The theorem's sum over all sets of "
    "mechanisms was computed in whole numbers, {odds_rounding}."
)
_ON_GRID: Final = "Every ε was taken as a multiple of {unit}, rounded"
_ANEW: Final = (
    "where it is none. The distribution of the privacy loss was then computed anew, "
    f"{ROUNDED_DOWN}."
)
_COUNTED: Final = (
    "where it is none. All sets of mechanisms were then counted anew by the sum of their ε, "
    "exactly, and the theorem's sum computed to {digits} decimal digits"
)
_PERIODIC: Final = (
    "where it is none. The theorem's sum was then taken from one period of the characteristic "
    "function of the privacy loss, in whole numbers of at least {digits} decimal digits. Its value "
    "at each point of the period was computed anew, or shown to be negligible: what that adds up "
    "to was counted"
)
_LATTICE: Final = (
    "There are few distinct sums of these ε. Each sum was formed exactly, and its probability "
    f"{ROUNDED_DOWN}."
)

WAVES: Final = (
    "The theorem's sum was then taken from the characteristic function of the privacy loss, whose "
    f"largest terms were computed anew, {ROUNDED_DOWN} or off by a known error."
)
OF_FOURIER: Final = (
    "blocks",
    "cut",
    "digits",
    "factors",
    "far",
    "last",
    "near",
    "noise",
    "step",
    "tilt",
)

RULES: Final = {
    "vacuous": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "upper": "δ is 1, and no probability exceeds 1: the claim would hold of any mechanism."
        },
        parameters=(),
        interleaved=(DEFINITION,),
    ),
    "sum": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": "The ε were added up: the sum is at most the ε claimed. The probabilities "
            "1 − δ were multiplied: the δ claimed covers all failures. Both were compared exactly, "
            "logarithms in symbols.",
            "lower": "The ε were added up: the sum is more than the ε claimed. The probabilities "
            "1 − δ were multiplied: the δ claimed leaves nothing beyond the failures, so that "
            "nothing below the sum is enough. Both were compared exactly, logarithms in symbols.",
        },
        parameters=(),
        interleaved=FOR_PAIRS,
        closed_form=ClosedForm(
            "basic composition",
            r"$\sum_i \varepsilon_i$",
            "Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, with δ ≥ 1 - ∏(1 - δ_i)",
            "Dwork, Kenthapadi, McSherry, Mironov, Naor 2006; with the sharper δ ≥ 1 − ∏(1 − δ_i)",
            FIXED,
            curve="Summing",
        ),
    ),
    "infeasible": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="mechanisms",
        kinds={
            "lower": "The probabilities 1 − δ of the mechanisms were multiplied and compared with "
            "1 − δ of the claim, exactly. {nothing_left}"
        },
        parameters=(),
    ),
    "rational-odds": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ODDS} It does not exceed what δ allows.",
            "lower": f"{_ODDS} It exceeds what δ allows.",
        },
        parameters=("digits", "sums"),
        interleaved=FOR_PAIRS,
    ),
    "grid": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_ANEW} {WITHIN}",
            "lower": f"{_ON_GRID} down {_ANEW} {BEYOND}",
        },
        parameters=("digits", "unit"),
        interleaved=FOR_PAIRS,
    ),
    "grid-counts": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_COUNTED}, rounded up. It does not exceed what δ allows.",
            "lower": f"{_ON_GRID} down {_COUNTED}, rounded down. {BEYOND}",
        },
        parameters=("digits", "unit"),
        interleaved=FOR_PAIRS,
    ),
    "grid-fourier": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_PERIODIC} against the claim, and still the theorem's sum "
            "does not exceed what δ allows.",
            "lower": f"{_ON_GRID} down {_PERIODIC} in the claim's favour. {BEYOND}",
        },
        parameters=("cut", "digits", "points", "tilt", "unit", "values"),
        interleaved=FOR_PAIRS,
    ),
    "lattice": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={"upper": f"{_LATTICE} {WITHIN}", "lower": f"{_LATTICE} {BEYOND}"},
        parameters=("digits", "sums"),
        interleaved=FOR_PAIRS,
    ),
    "fourier-upper": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": "A Gaussian mechanism with μ = {noise} was added, which can only reveal more, "
            "and the least that it does reveal was taken off again. "
            f"{WAVES} Every term that is not among them was bounded from above, and counted "
            "against the claim; and still the theorem's sum does not exceed what δ allows."
        },
        parameters=OF_FOURIER,
        interleaved=FOR_PAIRS,
    ),
    "fourier-lower": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "lower": "A Gaussian mechanism with μ = {noise} was added, and the most that it can "
            f"reveal was taken off again. {WAVES} Every term that is not among them was bounded, "
            f"and counted in the claim's favour. {BEYOND}"
        },
        parameters=tuple(sorted((*OF_FOURIER, "left", "right"))),
        interleaved=FOR_PAIRS,
    ),
}
