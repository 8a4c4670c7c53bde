r"""The rules about mechanisms by their noise."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.composition import OF_FOURIER, WAVES
from exactdp.certificate.rules.row import Rule, Theorem
from exactdp.certificate.theorems import DEFINITION, FOR_PAIRS

_DOMINATION: Final = Theorem(
    "zhu-dong-wang-2022-theorem-10",
    "Pairs of laws that dominate mechanisms compose to a pair that dominates their adaptive "
    "composition: Zhu, Dong and Wang, AISTATS 2022, Theorem 10.",
)

_FACTOR: Final = (
    "The noise of every mechanism is one factor of the characteristic function of the privacy "
    "loss. Gaussian noise of μ = {noise} was added to it"
)

RULES: Final = {
    "noise-fourier-upper": Rule(
        theorem=_DOMINATION,
        about="mechanisms",
        kinds={
            "upper": f"{_FACTOR}, and the least that it reveals was taken off again. {WAVES} Every "
            "term that is not among them was bounded from above, and counted against the claim; "
            "and still the sum does not exceed what δ allows."
        },
        parameters=OF_FOURIER,
    ),
    "noise-fourier-lower": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "lower": f"{_FACTOR}, and the most that it can reveal was taken off again. {WAVES} "
            "Every term that is not among them was bounded, and counted in the claim's favour. The "
            "noise of the mechanisms reveals more than the claim allows."
        },
        parameters=tuple(sorted((*OF_FOURIER, "left", "right"))),
    ),
    "noise-renyi": Rule(
        theorem=Theorem(
            "canonne-kamath-steinke-2020-proposition-12",
            "The conversion of Canonne, Kamath and Steinke, NeurIPS 2020, Proposition 12 of "
            "arXiv:2004.00010, from the Rényi divergence of one order.",
        ),
        about="mechanisms",
        kinds={
            "upper": "The Rényi divergences of order α = {alpha} were added up: of what is listed, "
            "that of the next order; αρ, αμ²/2, αε²/8 of a range; and those of the noise. Failures "
            "δ of the mechanisms were kept apart. The conversion of the sum gives a δ, computed in "
            "whole numbers of {digits} decimal digits and some more, rounded up, so that the bound "
            "can only grow, that is at most what the claim allows."
        },
        parameters=("alpha", "digits"),
    ),
    "mesh-upper": Rule(
        theorem=_DOMINATION,
        about="mechanisms",
        kinds={
            "upper": "The privacy losses of the mechanisms were moved to multiples of {unit}, with "
            "probabilities of {digits} digits that can only make the whole more revealing: of "
            "listed answers one by one, all those of a few randomized responses together, else at "
            "the points of the privacy profile; what is known by ρ or by Rényi divergences has one "
            "profile together, to which the sums of the divergences convert. The distribution of "
            "the sum was computed, rounded down, and all weight that was lost counted as an "
            "infinite loss. (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PoPETs 2022.)"
        },
        parameters=("digits", "orders", "plans", "sums", "unit"),
        interleaved=FOR_PAIRS,
    ),
    "mesh-lower": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "lower": "The certificate describes an event: each answer has a score, a multiple of "
            "{unit} near its privacy loss, and the scores add up to at least {threshold}. Its "
            "probabilities with a record and without it were bounded, with {digits} digits; they "
            "differ by more than the claim allows."
        },
        parameters=("digits", "direction", "plan", "sums", "threshold", "tilt", "unit"),
        interleaved=FOR_PAIRS,
    ),
}
