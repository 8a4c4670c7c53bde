r"""The rules about mechanisms by their noise."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION, DOMINATION, FOR_PAIRS

RULES: Final = {
    "mesh-upper": Rule(
        theorem=DOMINATION,
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
