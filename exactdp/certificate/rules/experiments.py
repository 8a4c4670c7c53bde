r"""The rules about the outcomes of experiments."""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Rule, Theorem

CLOPPER_PEARSON: Final = Theorem(
    "clopper-pearson-1934",
    "Exact limits of a rate from a count: Clopper and Pearson, Biometrika 26(4), 1934.",
    link="https://doi.org/10.1093/biomet/26.4.404",
)
ONE_RUN: Final = Theorem(
    "right-guesses-in-one-run",
    "How many guesses are right in one run, with many canaries: the design, and the bound without "
    "δ, of Steinke, Nasr and Jagielski, NeurIPS 2023; the term for δ is proved in certs/SPEC.md, "
    "11.27, and in Coq (proofs/OneRun.v).",
    link="https://arxiv.org/abs/2305.08846",
)
RULES: Final = {
    "clopper-pearson": Rule(
        theorem=CLOPPER_PEARSON,
        about="experiment",
        kinds={
            "rejected": "The certificate names a rate of true positives at which so many members, "
            "and a rate of false ones at which so few others, would be found with a chance of at "
            "most half the level, both computed from above; no mechanism as private as that has "
            "the one rate at the other."
        },
        parameters=("fpr", "tpr"),
    ),
    "one-run": Rule(
        theorem=ONE_RUN,
        about="experiment",
        kinds={
            "rejected": "The bound of the theorem on the chance of so many right guesses was "
            "computed from above, for odds that are at least e^ε, and is at most the level."
        },
        parameters=("odds",),
    ),
}
"""The rules of certificates by families, a row for each; :mod:`exactdp.certificate.rule_table`."""
