r"""The rules of groups, of interactive mechanisms and of workloads."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION

RULES: Final = {
    "group": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "upper": "{for_group}",
            "lower": "That is about neighbours, and neighbours are a group too.",
        },
        parameters=("deltas", "digits", "group"),
        premises=1,
    ),
    "post-processing": Rule(
        theorem=DEFINITION,
        about="interactive",
        kinds={
            "upper": "The certificate writes out a mechanism that never sees the input: only what "
            "randomized response, with an ε and the δ that the claim allows, says about it. Its "
            "probabilities were added up, exactly, for each history of questions and answers: they "
            "are those of the mechanisms. So nobody learns more than randomized response tells."
        },
        parameters=("bits", "odds", "simulation"),
        interleaved=(DEFINITION,),
    ),
    "distinguishing-adversary": Rule(
        theorem=DEFINITION,
        about="interactive",
        kinds={
            "lower": "The certificate says what to ask after each history. The probabilities of "
            "all outcomes were computed exactly. {excess}"
        },
        parameters=("bits", "choices", "input", "odds"),
        interleaved=(DEFINITION,),
    ),
    "rows": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "lower": "{rows} given by values, those that are not named being the first. Every "
            "query was asked whether one of these rows satisfies it; the mechanisms of those that "
            "say yes all see the change at once, and compose as follows."
        },
        parameters=("rows",),
    ),
    "cases": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "{sorted} (After Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("tree",),
    ),
    "shares": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "Each query's weight of 1 was shared among the attributes that it names. A "
            "row has one value of each attribute, so that it satisfies no more queries than the "
            "greatest sums of shares at one value, added up over all attributes: as many "
            "mechanisms, each with the greatest parameters of all queries, stand for whatever a "
            "row satisfies. (After Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("shares", "unit"),
    ),
}
