r"""The table of rules: everything that this side knows of a rule stands in one row.

Rules of this file: certificates, explanations and the tables of ``docs`` are fed
from here; the verifier has a table of its own, and neither is made from the other.

Theory of operation: a row belongs to a family, a file of :mod:`exactdp.certificate.rules`. To add a
rule is to add its row there; ``CONTRIBUTING.md`` says what else there is to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from exactdp.certificate.rules import (
    budgets,
    composition,
    conversions,
    interaction,
    noise,
)
from exactdp.certificate.rules.row import Rule, Theorem
from exactdp.certificate.subject import Stated, Subject
from exactdp.certificate.theorems import (
    BUN_STEINKE,
    CONCURRENT,
    FOR_PAIRS,
    FOR_RENYI_DIVERGENCES,
    FULLY_ADAPTIVE,
    INTERLEAVED_APPROXIMATE,
    INTERLEAVED_PROFILES,
    INTERLEAVED_PURE,
    INTERLEAVED_RENYI,
)

RULES: Final[dict[str, Rule]] = {
    **composition.RULES,
    **conversions.RULES,
    **interaction.RULES,
    **budgets.RULES,
    **noise.RULES,
}
"""The rules by their names, in the order of ``certs/SPEC.md``."""

THEOREMS: Final[dict[str, Theorem]] = {
    theorem.name: theorem
    for theorem in (
        *(row.theorem for row in RULES.values()),
        *(BUN_STEINKE, *CONCURRENT, *FULLY_ADAPTIVE),
    )
}
"""The theorems that a statement may name, by their names."""


def _is_lossless(subject: Subject) -> bool:
    return not any(delta for _, delta, _ in subject.mechanisms)


def _is_gaussian(subject: Subject) -> bool:
    return any(mu for mu, _ in subject.gaussian)


def _is_concentrated(subject: Subject) -> bool:
    return any(rho for rho, _ in subject.concentrated)


def _is_approximate(subject: Subject) -> bool:
    return not _is_gaussian(subject) and not _is_concentrated(subject)


_COVERS: Final[dict[Theorem, Callable[[Subject], bool]]] = {
    INTERLEAVED_PURE: lambda subject: _is_approximate(subject) and _is_lossless(subject),
    INTERLEAVED_APPROXIMATE: _is_approximate,
    INTERLEAVED_RENYI: _is_lossless,
    INTERLEAVED_PROFILES: lambda subject: not _is_concentrated(subject),
}
"""The mechanisms that a theorem is about; those that are not here are about all."""


def interleaving_theorems(rule: str, subject: Subject) -> tuple[str, ...]:
    """The theorems by which an upper bound of a rule holds of concurrent composition; best first.

    What is not the name of a rule stands for any that is about such mechanisms.
    """
    if rule in RULES:
        theorems = RULES[rule].interleaved
    else:
        theorems = FOR_RENYI_DIVERGENCES if _is_concentrated(subject) else FOR_PAIRS
    covering = (each for each in theorems if each not in _COVERS or _COVERS[each](subject))
    return tuple(each.name for each in covering if each not in FULLY_ADAPTIVE)


def statement_theorems(rule: str, bound: str, subject: Stated) -> tuple[str, ...]:
    """The theorems that a statement may name which rests on a rule; the best first."""
    if isinstance(subject, Subject) and subject.interaction == "concurrent" and bound == "upper":
        return interleaving_theorems(rule, subject)
    row = RULES[rule]
    of_noise = None if isinstance(subject, Subject) else row.of_noise
    return ((of_noise or row.theorem).name,)
