r"""Certificates of both ends of a point of the privacy profile, as they are printed.

Rules of this file: an end that says something has a certificate, or is named as one without; δ = 0
from below and δ = 1 from above say nothing.

Theory of operation: the point is asked about once more, as a claim at each of its printed ends. A
δ that is attained is refuted of nothing, and its lower certificate states one a little below it, as
those of :meth:`exactdp.composition.answers.results.Composition.lower_certificate` do of ε.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.results import Certified, EvidenceKind
from exactdp.errors import CostLimitError

_DIGITS = 20


class Deciding(Protocol):
    """What decides a claim (ε, δ)."""

    def __call__(self, *, epsilon: ExactNumber, delta: mpq) -> Certified:
        """The decision; CostLimitError if it is open."""


@dataclass(frozen=True, slots=True)
class PointProofs:
    """Certificates by the end that they prove, and the ends that have none."""

    made: Mapping[str, Certificate]
    missing: tuple[str, ...]

    @property
    def evidence(self) -> EvidenceKind:
        """What the ends rest on."""
        return "computed" if self.missing else "certificate"


def prove_point(
    decide: Deciding, epsilon: ExactNumber, ends: tuple[mpq, mpq], width: mpq
) -> PointProofs:
    """The certificates of what is said of δ at ε.

    Args:
        decide: decides a claim about the ledger.
        epsilon: ε.
        ends: a δ that is not enough, or just enough; and one that is.
        width: how far below an end that is attained its certificate may be, relative to it.
    """
    lower, upper = ends
    asked = {"upper": [upper] if upper < 1 else []}
    asked["lower"] = [lower, round_below(lower * (1 - width), _DIGITS)] if lower > 0 else []
    found = {
        bound: next(_proofs(decide, epsilon, deltas, bound), None)
        for bound, deltas in asked.items()
        if deltas
    }
    made = {bound: each for bound, each in found.items() if each is not None}
    return PointProofs(made, tuple(bound for bound in found if bound not in made))


def _proofs(
    decide: Deciding, epsilon: ExactNumber, deltas: list[mpq], bound: str
) -> Iterator[Certificate]:
    for delta in deltas:
        try:
            decided = decide(epsilon=epsilon, delta=delta)
        except CostLimitError:
            continue
        if decided.proof is not None and decided.proof.bound == bound:
            yield decided.proof
