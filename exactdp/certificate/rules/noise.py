r"""The rules about mechanisms by their noise."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule, Theorem
from exactdp.certificate.theorems import DEFINITION, DOMINATION

RULES: Final = {
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
    "profile-dots": Rule(
        theorem=DOMINATION,
        about="mechanisms",
        kinds={
            "upper": "The privacy profile of each mechanism was computed at the points of a mesh "
            "of privacy losses, {unit} apart, with {digits} digits. The lines between them are the "
            "profile of a pair of laws with finitely many losses, which dominates the mechanism; "
            "all together were counted, with weights rounded down, and all weight that was lost "
            "counted as an infinite loss."
        },
        parameters=("digits", "plans", "unit"),
    ),
    "profile-renyi": Rule(
        theorem=DOMINATION,
        about="mechanisms",
        kinds={
            "upper": "The mechanisms known by ρ or by their Rényi divergences were taken together: "
            "their divergences add up at each order, and convert to a privacy profile. That and "
            "the profiles of all other mechanisms were computed at the points of a mesh of privacy "
            "losses, {unit} apart, with {digits} digits. The lines between them are profiles of "
            "pairs of laws with finitely many losses, which dominate the mechanisms; all together "
            "were counted, with weights rounded down, and all weight that was lost counted as an "
            "infinite loss."
        },
        parameters=("digits", "orders", "plans", "unit"),
    ),
    "profile-test": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "lower": "The certificate describes an event: each answer has a score, a multiple of "
            "{unit} near its privacy loss, and the scores add up to at least {threshold}. Its "
            "probabilities with a record and without it were bounded, with {digits} digits; they "
            "differ by more than the claim allows."
        },
        parameters=("digits", "direction", "plan", "threshold", "tilt", "unit"),
    ),
}
