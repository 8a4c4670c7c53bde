r"""What stands for the names in the sentences of the table of rules, where that takes words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.pages.number_text import exact_text

BEST: Final = "best"


def formula_words(parameters: Mapping[str, Any]) -> str:
    """Which ``formula`` gives less than is claimed, and why."""
    rounded = f"computed in whole numbers of {parameters.get('digits', '')} decimal digits and more"
    if parameters.get("alpha") == BEST:
        return f"The ε claimed is less than ρ + 2·√(ρ·ln(1/δ)), {rounded}, rounded down."
    alpha = exact_text(ExactNumber.parse(parameters.get("alpha", "2")))
    return (
        "The logarithm of the formula's δ is a convex function of α. Its value and its slope at "
        f"α = {alpha}, {rounded}, rounded down, show that nowhere does it come down to what the "
        "claim allows: no α at all gives it."
    )


def masses_rounding(parameters: Mapping[str, Any], epsilon: ExactNumber | None) -> str:
    """How ``atoms`` rounded."""
    if parameters.get("masses") == "rounded":
        return f"to {parameters['digits']} digits; what that lost counts against the conclusion"
    if epsilon is not None and epsilon.rational_odds() is not None:
        return "in whole numbers, without any rounding"
    return "in whole numbers; only e^ε of the claim was rounded, against the conclusion"


def nothing_left(entries: Sequence[Mapping[str, str]]) -> str:
    """Why no ε is enough, by ``trivial``."""
    if any("epsilon" not in each for each in entries):
        return (
            "The product leaves nothing to Gaussian noise, which no finite ε describes without "
            "some δ of its own."
        )
    return (
        "The product is smaller: the composition may fail outright more often than the claim "
        "allows."
    )


def excess(epsilon: ExactNumber | None) -> str:
    """What a ``distinguishing-adversary`` finds, against every ε or one."""
    if epsilon is None:
        return (
            "The event of those outcomes that one input excludes is, on the other, likelier than "
            "the δ claimed."
        )
    return (
        "The event of those outcomes whose odds exceed e^ε was formed. Its probability on one "
        "input exceeds e^ε times that on the other by more than the δ claimed."
    )
