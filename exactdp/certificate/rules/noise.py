r"""The rules about mechanisms by their noise."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION, DOMINATION

RULES: Final = {
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
