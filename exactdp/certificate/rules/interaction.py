r"""The rules of concurrent composition, of groups, of interactive mechanisms and of workloads."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule
from exactdp.certificate.theorems import DEFINITION, INTERLEAVED_BASIC

RULES: Final = {
    "concurrent-basic": Rule(
        theorem=INTERLEAVED_BASIC,
        about="pairs",
        kinds={
            "upper": "The ε were added up exactly. The δ were added up in the best order, each "
            "times e to the power of all ε before it, with {digits} digits and some more, rounded "
            "up; the sum is at most the δ claimed."
        },
        parameters=("digits",),
        interleaved=(INTERLEAVED_BASIC,),
    ),
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
    "parallel-colouring": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "The queries were sorted into classes ({classes}), and any two of a class "
            "were found to have no row in common. A row meets at most one of each class, so that "
            "one mechanism that reveals at least as much as any of its class stands for all of it: "
            "the one of the greatest parameters; of noise, that with a greater shift, or known to "
            "be worse noise, or a greater rate. (The classes are those of Smith, Asghar, Gioiosa, "
            "Mrabet, Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("colours",),
    ),
    "parallel-case-tree": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "The rows were sorted into cases ({cases}) by the values of their attributes. "
            "In each case the queries that a row of it may satisfy were sorted into classes, and "
            "any two of a class were found to have no row of that case in common. A row belongs to "
            "one case, and meets at most one query of each of its classes, so that one mechanism "
            "with the greatest parameters of the first classes of all cases, one with those of the "
            "second, and so on, stand for all of them. (After Smith, Asghar, Gioiosa, Mrabet, "
            "Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("tree",),
    ),
    "replace-colouring": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "The queries were sorted into classes ({classes}), and any two of a class "
            "were found to have no row in common. The row that leaves meets at most one of each "
            "class, and so does the row that enters, so that two mechanisms stand for a class: "
            "those of the greatest parameters in it and of the second greatest, both with its "
            "greatest δ; a class of one query counts once. (The classes are those of Smith, "
            "Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("colours",),
    ),
    "replace-case-tree": Rule(
        theorem=DEFINITION,
        about="workload",
        kinds={
            "upper": "Pairs of rows, one that leaves and one that enters, were sorted into cases "
            "({cases}) by the values of their attributes. In each case the queries that the row "
            "which leaves may satisfy were sorted into classes, and any two of a class were found "
            "to have no row of that case in common; and so were those of the row which enters. "
            "Either meets at most one query of each of its classes. One mechanism with the "
            "greatest parameters of what stands first in all cases, one of what stands second, and "
            "so on, stand for all of them: a query that is a class of its own for both rows stands "
            "there once. (After Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022.)"
        },
        parameters=("tree",),
    ),
}
