r"""The rules of optimal composition, for mechanisms given by (ε, δ)."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION, DOMINATION, FOR_PAIRS, OPTIMAL_COMPOSITION

FIXED: Final = "parameters fixed in advance"
ROUNDED_DOWN: Final = "in whole numbers of {digits} decimal digits, rounded down"
WITHIN: Final = (
    "What rounding lost was counted against the claim, and still the theorem's sum does not exceed "
    "what δ allows."
)
BEYOND: Final = "Even so the theorem's sum exceeds what δ allows."

_ATOMS: Final = (
    "All distinct privacy losses of the composition were formed, and distinguished exactly. Their "
    "probabilities were computed {masses_rounding}."
)
_ON_GRID: Final = "Each ε was rounded"
_MULTIPLE: Final = "to a multiple of {unit}."
_ANEW: Final = f"The distribution of the privacy loss was then computed anew, {ROUNDED_DOWN}."
_COUNTED: Final = (
    "All sets of mechanisms were then counted anew by the sum of their ε, "
    "exactly, and the theorem's sum computed to {digits} decimal digits"
)
_PERIODIC: Final = (
    "The theorem's sum was then taken from one period of the characteristic "
    "function of the privacy loss, in whole numbers of at least {digits} decimal digits. Its value "
    "at each point of the period was computed anew, or shown to be negligible: what that adds up "
    "to was counted"
)
_FACTORS: Final = (
    "Every mechanism is one factor of the characteristic function of the privacy loss. Gaussian "
    "noise of μ = {noise} was added to them"
)
_WAVES: Final = (
    "The divergence was then taken from the characteristic function, whose largest terms were "
    f"computed anew, {ROUNDED_DOWN} or off by a known error."
)
_OF_FOURIER: Final = (
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
    "trivial": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "upper": "δ is 1, and no probability exceeds 1: the claim would hold of any mechanism.",
            "lower": "The probabilities 1 − δ of the mechanisms were multiplied and compared with "
            "1 − δ of the claim, exactly. {nothing_left}",
        },
        parameters=(),
        interleaved=(DEFINITION,),
    ),
    "sum": Rule(
        theorem=OPTIMAL_COMPOSITION,
        of_noise=DOMINATION,
        about="mechanisms",
        kinds={
            "upper": "The ε, and the greatest privacy losses of noise, were added up: the sum is "
            "at most the ε claimed. The probabilities 1 − δ were multiplied: the δ claimed covers "
            "all failures. Both were compared exactly, logarithms in symbols.",
            "lower": "The ε, and the greatest privacy losses of noise, were added up: the sum is "
            "more than the ε claimed. The probabilities 1 − δ were multiplied: the δ claimed "
            "leaves nothing beyond the failures, so that nothing below the sum is enough. Both "
            "were compared exactly, logarithms in symbols.",
        },
        parameters=(),
        interleaved=FOR_PAIRS,
    ),
    "atoms": Rule(
        theorem=OPTIMAL_COMPOSITION,
        of_noise=DOMINATION,
        about="mechanisms",
        kinds={
            "upper": f"{_ATOMS} The theorem's sum over them does not exceed what δ allows.",
            "lower": f"{_ATOMS} The theorem's sum over them exceeds what δ allows.",
        },
        parameters=("digits", "masses", "sums"),
        interleaved=FOR_PAIRS,
    ),
    "grid": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_MULTIPLE} {_ANEW} {WITHIN}",
            "lower": f"{_ON_GRID} down {_MULTIPLE} {_ANEW} {BEYOND}",
        },
        parameters=("digits", "unit"),
        interleaved=FOR_PAIRS,
    ),
    "grid-counts": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_MULTIPLE} {_COUNTED}, rounded up. It does not exceed what δ "
            "allows.",
            "lower": f"{_ON_GRID} down {_MULTIPLE} {_COUNTED}, rounded down. {BEYOND}",
        },
        parameters=("digits", "unit"),
        interleaved=FOR_PAIRS,
    ),
    "grid-fourier": Rule(
        theorem=OPTIMAL_COMPOSITION,
        about="pairs",
        kinds={
            "upper": f"{_ON_GRID} up {_MULTIPLE} {_PERIODIC} against the claim, and still the "
            "theorem's sum does not exceed what δ allows.",
            "lower": f"{_ON_GRID} down {_MULTIPLE} {_PERIODIC} in the claim's favour. {BEYOND}",
        },
        parameters=("cut", "digits", "points", "tilt", "unit", "values"),
        interleaved=FOR_PAIRS,
    ),
    "fourier-upper": Rule(
        theorem=DOMINATION,
        about="mechanisms",
        kinds={
            "upper": f"{_FACTORS}, which can only reveal more, and the least that it reveals was "
            f"taken off again. {_WAVES} Every term that is not among them was bounded from above, "
            "and counted against the claim; and still the divergence does not exceed what δ allows."
        },
        parameters=_OF_FOURIER,
        interleaved=FOR_PAIRS,
    ),
    "fourier-lower": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "lower": f"{_FACTORS}, and the most that it can reveal was taken off again. {_WAVES} "
            "Every term that is not among them was bounded, and counted in the claim's favour. "
            "Even so the divergence exceeds what δ allows."
        },
        parameters=tuple(sorted((*_OF_FOURIER, "left", "right"))),
        interleaved=FOR_PAIRS,
    ),
}
