r"""Rules and theorems for people: what a rule is in words, and where a theorem stands.

Rules of this file: no identifier of the format stands alone in text; its words stand before it.
"""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rule_table import THEOREMS

_WORDS: Final = {
    "atoms": "every privacy loss by itself",
    "cases": "the queries that a row satisfies, case by case",
    "clopper-pearson": "what counts allow two rates to be",
    "distinguishing-adversary": "an adversary that tells neighbours apart",
    "filter": "a filter",
    "formula": "a formula",
    "fourier-lower": "a Fourier transform of the privacy losses",
    "fourier-upper": "a Fourier transform of the privacy losses",
    "gaussian": "the curve of Gaussian noise",
    "gaussian-mesh": "the curve of Gaussian noise, and privacy losses on a mesh",
    "gaussian-mixture": "the curve of Gaussian noise, and randomized responses",
    "gdp-sum": "the sum of the squares of μ",
    "grid": "privacy losses on their grid",
    "grid-counts": "privacy losses on their grid, counted",
    "grid-fourier": "a Fourier transform on the grid of the privacy losses",
    "group": "what each mechanism is for the group",
    "group-noise": "what each mechanism is for the group",
    "group-path": "a path of neighbours, step by step",
    "mesh-lower": "privacy losses on a mesh",
    "mesh-upper": "privacy losses on a mesh",
    "moments": "Rényi divergences",
    "one-run": "how likely so many right guesses are",
    "post-processing": "post-processing",
    "rows": "the queries that one row satisfies",
    "shares": "a ledger that charges less",
    "sum": "the sum of the greatest privacy losses",
    "greatest-loss": "the sum of the greatest privacy losses",  # a method, whose rule is sum
    "trivial": "what holds of every mechanism",
    "zcdp-pair": "ρ as one (ε, δ)",
    "zcdp-sum": "the sum of the ρ",
}
"""What each rule looks at."""


def rule_words(rule: str) -> str:
    """What a rule looks at, and its name; a method that is no rule is called by its name."""
    return f"{_WORDS[rule]} ({rule})" if rule in _WORDS else rule


def theorem_cited(name: str) -> str:
    """What a theorem says, who proved it, and where it can be read."""
    theorem = THEOREMS[name]
    return f"{theorem.citation} {theorem.link}".rstrip()


def theorem_named(name: str) -> str:
    """Who proved a theorem, where it can be read, and what ``--theorem`` calls it."""
    theorem = THEOREMS[name]
    return f"{theorem.who} ({theorem.link}, {name})"
