r"""The rule about budgets that are spent as one goes."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION

RULES: Final = {
    "filter": Rule(
        theorem=DEFINITION,
        about="budget",
        kinds={
            "upper": "What is spent adds up on every path of answers. Whatever is chosen as one "
            "goes, as long as what is spent keeps within the budget, is no more revealing than one "
            "mechanism that spends it all at once, beside one that fails with the budget's δ.",
            "lower": "The certificate names mechanisms whose parameters are fixed in advance and "
            "fit into the budget: spending them is one way to keep it.",
        },
        parameters=("mechanisms",),
    ),
}
