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
    "group-noise": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "upper": "That is not about the mechanisms below, but about what dominates each "
            "for a group of {group}: noise that moves by g times as far, μ and ranges times g, ρ "
            "times g²; for an ε discrete Laplace noise of scale 1/ε that moves by g, and each δ at "
            "least δ·(1 + e^ε + … + e^{{(g−1)ε}}).",
            "lower": "That is not about the mechanisms below, but about what some of them are for "
            "a group of {group}: noise that moves by g times as far, for an ε discrete Laplace "
            "noise of scale 1/ε.",
        },
        parameters=("deltas", "digits", "group", "scales"),
        premises=1,
    ),
    "group-path": Rule(
        theorem=DEFINITION,
        about="mechanisms",
        kinds={
            "upper": "Each of these is about neighbours. A group of {group} is reached in as many "
            "steps, of which each multiplies by the e^ε and adds the δ of one of them: the sum of "
            "all ε, and that of each δ times all e^ε before it, are at most what is claimed, the "
            "second computed from above.",
            "lower": "That is about neighbours, and neighbours are a group too.",
        },
        parameters=("digits", "group", "steps"),
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
