r"""Statements and derivations: what a certificate says, and how it is written down.

Rules of this file: the format is that of ``certs/SPEC.md``; the same input gives the same bytes;
nothing is checked here (that is the verifier's part, which shares only that page with us).

Theory of operation: a derivation is a step whose parameters say how to check the statement again,
or two: what holds of neighbours, or of mechanisms scaled for a group, and how it carries over to
groups. Every number is a string.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.canonical import canonical_bytes
from exactdp.certificate.rule_table import statement_theorems
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.subject import Stated
from exactdp.errors import InputError, UnsupportedError
from exactdp.readable import Readable

FORMAT: Final = "exactdp-certificate/1"
EVERY_EPSILON: Final = "every"
LETTERS: Final = {"rho": "ρ", "mu": "μ"}
"""The notions that a statement may be in, besides (ε, δ)."""


@dataclass(frozen=True, slots=True)
class Certificate(Readable):
    """A claim about a subject, and the step that proves it.

    Attributes:
        bound: "upper" (every such composition is (ε, δ)-DP), "lower" (some is not), or
            "underivable" (a formula does not give it), or "rejected" (an outcome rejects it).
        epsilon: in nats; None stands for every finite ε.
        rule: the rule of the last step.
        parameters: the rule's further parameters.
        group: of how many the inputs may differ.
        premise: what the step is drawn from, for groups.
        further: what else it is drawn from, by the same theorem.
        chosen_theorem: the theorem of concurrent composition to name, if not the default.
        notion: "rho" or "mu", where what is claimed is that in place of an ε and a δ.
    """

    subject: Stated
    bound: Kind
    epsilon: ExactNumber | None
    delta: mpq
    rule: str
    parameters: Mapping[str, object]
    group: int = 1
    premise: Certificate | None = None
    further: tuple[Certificate, ...] = ()
    chosen_theorem: str = ""
    notion: str = ""

    def facts(self) -> list[tuple[str, str]]:
        """What is stated, and what shows it."""
        epsilon = "every ε" if self.epsilon is None else f"ε = {shortest_text(self.epsilon)}"
        claim = f"{epsilon} at δ = {short_text(self.delta)}"
        if self.notion:
            claim = f"{LETTERS[self.notion]} = {shortest_text(self.amount)}"
        return [
            ("kind", self.bound),
            ("claim", claim),
            ("rule", self.rule),
            ("theorem", self.theorem),
        ]

    @property
    def theorem(self) -> str:
        """The theorem that the statement names."""
        first, *_ = self._theorems
        return self.chosen_theorem or first

    @property
    def _theorems(self) -> tuple[str, ...]:
        base = self if self.premise is None else self.premise
        theorems = statement_theorems(base.rule, self.bound, self.subject)
        if not theorems:
            raise UnsupportedError(
                field="interaction",
                value=self.subject.interaction,
                expected="mechanisms that a theorem of concurrent composition is about",
                remedy=f"none is known here that carries over the rule {base.rule}",
            )
        return theorems

    def naming(self, theorem: str) -> Certificate:
        """The same certificate, by another theorem of concurrent composition; upper ones alone.

        Raises:
            InputError: the theorem does not say so.
        """
        if self.bound != "upper" or self.rule == "trivial":
            return self
        if theorem not in self._theorems:
            raise InputError(
                field="theorem",
                value=theorem,
                expected=f"a theorem about such mechanisms: {' or '.join(self._theorems)}",
            )
        return replace(self, chosen_theorem=theorem)

    def to_bytes(self) -> bytes:
        """The canonical bytes of the certificate."""
        subject = self.subject.document()
        first = [] if self.premise is None else [self.premise, *self.further]
        steps = [*(each.step() for each in first), self.step(*range(len(first)))]
        return sealed_bytes(self.statement_about(subject), steps)

    def statement_about(self, subject: Mapping[str, object]) -> dict[str, object]:
        """The statement, about a subject that is written down already."""
        return {
            "kind": self.bound,
            "subject": subject,
            "group": str(self.group),
            "neighbouring": self.subject.neighbouring,
            "interaction": self.subject.interaction,
            "theorem": self.theorem,
            **self._claim,
        }

    def step(self, *premises: int) -> dict[str, object]:
        """The step that proves the claim, from earlier steps."""
        return {
            "rule": self.rule,
            "premises": [str(premise) for premise in premises],
            "parameters": {"bound": self.bound, **self._claim, **self.parameters},
        }

    @property
    def amount(self) -> ExactNumber:
        """The ε that is claimed, or the ρ or μ; 0 where that is every ε."""
        return self.epsilon or ExactNumber(mpq(0))

    @property
    def _claim(self) -> dict[str, str]:
        if self.notion:
            return {self.notion: str(self.amount)}
        epsilon = EVERY_EPSILON if self.epsilon is None else str(self.epsilon)
        return {"epsilon": epsilon, "delta": str(self.delta)}


def sealed_bytes(statement: Mapping[str, object], steps: Sequence[Mapping[str, object]]) -> bytes:
    """The canonical bytes of a certificate, with the digest of its statement."""
    parts = {
        "format": FORMAT,
        "statement": statement,
        "derivation": steps,
        "digest": hashlib.sha256(canonical_bytes(statement)).hexdigest(),
    }
    return canonical_bytes(parts)
