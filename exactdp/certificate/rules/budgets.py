r"""The rules about budgets that are spent as one goes."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION, FILTER_OF_EPSILON, FILTER_OF_RENYI

_STAND_IN: Final = (
    "Whatever is chosen as one goes, as long as what is spent keeps within the budget, is no more "
    "revealing than one mechanism that spends it all at once, beside one that fails with the "
    "budget's δ."
)

RULES: Final = {
    "filter-sum": Rule(
        theorem=FILTER_OF_EPSILON,
        about="budget",
        kinds={
            "upper": "Losses add up on every path of answers, and so do failures: the ε and δ "
            "claimed are at least the budget's."
        },
        parameters=(),
        interleaved=(FILTER_OF_EPSILON,),
    ),
    "filter-concentrated": Rule(
        theorem=DEFINITION,
        about="budget",
        kinds={"upper": f"The ρ add up on every path of answers. {_STAND_IN}"},
        parameters=(),
    ),
    "filter-gaussian": Rule(
        theorem=DEFINITION,
        about="budget",
        kinds={"upper": f"The μ² add up on every path of answers. {_STAND_IN}"},
        parameters=(),
    ),
    "filter-renyi": Rule(
        theorem=FILTER_OF_RENYI,
        about="budget",
        kinds={
            "upper": "The Rényi divergences of the budget's order add up on every path of answers. "
            "The conversion of all that may be spent gives a δ, computed in whole numbers of "
            "{digits} decimal digits and some more, rounded up, that is at most what the claim "
            "allows."
        },
        parameters=("digits",),
        interleaved=(FILTER_OF_RENYI,),
    ),
    "fixed-spends": Rule(
        theorem=DEFINITION,
        about="budget",
        kinds={
            "lower": "The certificate names mechanisms whose parameters are fixed in advance and "
            "fit into the budget: spending them is one way to keep it."
        },
        parameters=("mechanisms",),
    ),
}
