r"""Statements and derivations: what a certificate says, and how it is written down.

Rules of this file: the format is that of ``certs/SPEC.md``; the same input gives the same bytes;
nothing is checked here (that is the verifier's part, which shares only that page with us).

Theory of operation: a statement is about a ledger reduced to its parameters: equal pairs (ε, δ),
equal μ and equal ρ merged, sorted by their texts, every number a string. A derivation here is one
step whose parameters say how to check the statement again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import GaussianMechanism, Mechanism

if TYPE_CHECKING:
    from exactdp.ledger.model import Ledger

Bound = Literal["upper", "lower", "underivable"]

FORMAT: Final = "exactdp-certificate/1"
EVERY_EPSILON: Final = "every"
OPTIMAL_COMPOSITION: Final = "murtagh-vadhan-2018-theorem-1.5"
THEOREMS: Final = {
    "vacuous": "definition",
    "sum": OPTIMAL_COMPOSITION,
    "infeasible": OPTIMAL_COMPOSITION,
    "rational-odds": OPTIMAL_COMPOSITION,
    "grid": OPTIMAL_COMPOSITION,
    "lattice": OPTIMAL_COMPOSITION,
    "connect-the-dots": OPTIMAL_COMPOSITION,
    "gridded-test": OPTIMAL_COMPOSITION,
    "advanced-composition": "dwork-rothblum-vadhan-2010-theorem-3.3",
    "kairouz-oh-viswanath-homogeneous": "kairouz-oh-viswanath-2015-theorem-3.4",
    "kairouz-oh-viswanath-heterogeneous": "kairouz-oh-viswanath-2015-theorem-3.5",
    "murtagh-vadhan-1.4": "murtagh-vadhan-2018-theorem-1.4",
    "post-processing": "definition",
    "distinguishing-adversary": "definition",
    "zcdp-bun-steinke": "bun-steinke-2016-proposition-1.3",
    "zcdp-canonne-kamath-steinke": "canonne-kamath-steinke-2020-corollary-13",
    "renyi": "canonne-kamath-steinke-2020-proposition-12",
    "gaussian": "dong-roth-su-2022-corollary-2.13",
    "gaussian-mixture": "dong-roth-su-2022-theorem-3.2",
    "gaussian-mesh": "dong-roth-su-2022-theorem-3.2",
    "zcdp-pair": "dong-roth-su-2022-theorem-3.2",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """The parameters of a ledger, merged and in the order of the format.

    Attributes:
        mechanisms: triples (ε, δ, count).
        gaussian: pairs (μ, count).
        concentrated: pairs (ρ, count).
    """

    mechanisms: tuple[tuple[ExactNumber, mpq, int], ...]
    neighbouring: str
    interaction: str
    gaussian: tuple[tuple[mpq, int], ...] = ()
    concentrated: tuple[tuple[mpq, int], ...] = ()

    @staticmethod
    def of(ledger: Ledger) -> Subject:
        """What a statement says of ``ledger``."""
        pairs: Counter[tuple[ExactNumber, mpq]] = Counter()
        gaussian: Counter[mpq] = Counter()
        concentrated: Counter[mpq] = Counter()
        for entry in ledger.mechanisms:
            if isinstance(entry, Mechanism):
                pairs[entry.epsilon, entry.delta] += entry.count
            elif isinstance(entry, GaussianMechanism):
                gaussian[entry.mu] += entry.count
            else:
                concentrated[entry.rho] += entry.count
        merged = [(epsilon, delta, count) for (epsilon, delta), count in pairs.items()]
        merged.sort(key=lambda triple: (str(triple[0]), str(triple[1])))
        return Subject(
            tuple(merged),
            ledger.neighbouring,
            ledger.interaction,
            _by_text(gaussian),
            _by_text(concentrated),
        )

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.mechanisms) + len(self.gaussian) + len(self.concentrated)

    def entries(self) -> list[dict[str, str]]:
        """The array ``mechanisms`` of the format."""
        return [
            *({"epsilon": str(e), "delta": str(d), "count": str(c)} for e, d, c in self.mechanisms),
            *({"mu": str(mu), "count": str(count)} for mu, count in self.gaussian),
            *({"rho": str(rho), "count": str(count)} for rho, count in self.concentrated),
        ]

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        return {"type": "ledger", "mechanisms": self.entries()}

    def positive_epsilons(self) -> list[tuple[ExactNumber, int]]:
        """Distinct normal forms of an ε > 0 in value, with their counts."""
        counts: Counter[ExactNumber] = Counter()
        for epsilon, _, count in self.mechanisms:
            if sign(epsilon) > 0:
                counts[epsilon] += count
        return list(counts.items())


class Stated(Protocol):
    """What a statement may be about: a ledger, or what other packages define."""

    @property
    def neighbouring(self) -> str:
        """The neighbouring relation."""

    @property
    def interaction(self) -> str:
        """How the mechanisms are used."""

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""


def _by_text(counts: Counter[mpq]) -> tuple[tuple[mpq, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: str(pair[0])))


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim about a subject and one step that proves it.

    Attributes:
        bound: "upper" (every such composition is (ε, δ)-DP) or "lower" (some is not).
        epsilon: in nats; None stands for every finite ε.
        rule: the rule of the only step.
        parameters: the rule's further parameters.
        cost: what the verifier will spend, by the formulas of the format.
    """

    subject: Stated
    bound: Bound
    epsilon: ExactNumber | None
    delta: mpq
    rule: str
    parameters: Mapping[str, object]
    cost: int

    def to_bytes(self) -> bytes:
        """The canonical bytes of the certificate."""
        statement = self.statement_about(self.subject.document())
        return sealed_bytes(statement, [self.step()], self.cost)

    def statement_about(self, subject: Mapping[str, object]) -> dict[str, object]:
        """The statement, about a subject that is written down already."""
        return {
            "kind": self.bound,
            "subject": subject,
            "group": "1",
            "neighbouring": self.subject.neighbouring,
            "interaction": self.subject.interaction,
            "theorem": THEOREMS[self.rule],
            **self._claim(),
        }

    def step(self, *premises: int) -> dict[str, object]:
        """The step that proves the claim, from earlier steps."""
        return {
            "rule": self.rule,
            "premises": [str(premise) for premise in premises],
            "parameters": {"bound": self.bound, **self._claim(), **self.parameters},
        }

    def _claim(self) -> dict[str, str]:
        epsilon = EVERY_EPSILON if self.epsilon is None else str(self.epsilon)
        return {"epsilon": epsilon, "delta": str(self.delta)}


def sealed_bytes(
    statement: Mapping[str, object], steps: Sequence[Mapping[str, object]], cost: int
) -> bytes:
    """The canonical bytes of a certificate, with the digest of its statement."""
    return canonical_bytes(
        {
            "format": FORMAT,
            "statement": statement,
            "derivation": steps,
            "cost": str(cost),
            "digest": hashlib.sha256(canonical_bytes(statement)).hexdigest(),
        }
    )


def canonical_bytes(value: object) -> bytes:
    """RFC 8785 for values of objects, arrays and strings whose keys are ASCII.

    >>> canonical_bytes({"b": ["2"], "a": "ε"}).decode()
    '{"a":"ε","b":["2"]}'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")
