r"""The table of rules: everything that this side knows of a rule stands in one row.

Rules of this file: certificates, explanations and the tables of ``docs`` are fed
from here; the verifier has a table of its own, and neither is made from the other.

Theory of operation: a row belongs to a family, a file of :mod:`exactdp.certificate.rules`. To add a
rule is to add its row there; ``CONTRIBUTING.md`` says what else there is to do.
"""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules import (
    budgets,
    composition,
    conversions,
    experiments,
    interaction,
    noise,
    notions,
)
from exactdp.certificate.rules.row import Rule, Theorem
from exactdp.certificate.subject import Stated
from exactdp.certificate.theorems import (
    BUN_STEINKE,
    CONCURRENT,
    FOR_PAIRS,
    FOR_RENYI_DIVERGENCES,
    FULLY_ADAPTIVE,
    INTERLEAVED_APPROXIMATE,
)

RULES: Final[dict[str, Rule]] = {
    **composition.RULES,
    **conversions.RULES,
    **interaction.RULES,
    **budgets.RULES,
    **noise.RULES,
    **experiments.RULES,
    **notions.RULES,
}
"""The rules by their names."""

THEOREMS: Final[dict[str, Theorem]] = {
    theorem.name: theorem
    for theorem in (
        *(row.theorem for row in RULES.values()),
        *(BUN_STEINKE, *CONCURRENT, *FULLY_ADAPTIVE),
    )
}
"""The theorems that a statement may name, by their names."""


def interleaving_theorems(rule: str, subject: Stated) -> tuple[str, ...]:
    """The theorems by which an upper bound of a rule holds of concurrent composition; best first.

    What is not the name of a rule stands for any that is about such mechanisms.
    """
    known = (FOR_PAIRS, FOR_RENYI_DIVERGENCES)
    for theorems in (RULES[rule].interleaved,) if rule in RULES else known:
        covering = (each for each in theorems if subject.covered_by(each))
        found = tuple(each.name for each in covering if each not in FULLY_ADAPTIVE)
        if found:
            return found
    return ()


def statement_theorems(rule: str, bound: str, subject: Stated) -> tuple[str, ...]:
    """The theorems that a statement may name which rests on a rule; the best first."""
    if subject.interaction == "concurrent" and bound == "upper":
        return interleaving_theorems(rule, subject)
    row = RULES[rule]
    if row.of_noise is None or subject.covered_by(INTERLEAVED_APPROXIMATE):
        return (row.theorem.name,)
    return (row.of_noise.name,)
