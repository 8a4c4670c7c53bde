r"""Concurrent composition: which theorem, and what the first one gave.

Rules of this file: an answer about interleaved mechanisms names the theorem that it rests on, and
shows beside it what the first theorem gives; it computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import scientific_above, scientific_below, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.naming import theorem_named
from exactdp.certificate.rule_table import RULES, THEOREMS, interleaving_theorems
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.certificate.theorems import INTERLEAVED_BASIC
from exactdp.composition.answers.results import Composition, ProfilePoint
from exactdp.composition.closed_forms.concurrent import InterleavedBasic, interleaved_basic
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import COMPUTED, Fact, fact, shown
from exactdp.pages.number_text import exact_and_decimal

_BASIC: Final = INTERLEAVED_BASIC.name
_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class Interleaved:
    """What is interleaved of an answer about interleaved mechanisms.

    Attributes:
        theorem: the theorem that was asked for, or the strongest.
        strongest: the theorem that the optimum rests on.
        basic: what the first theorem gives; None unless all is given by (ε, δ).
        delta: the δ that was asked about.
    """

    theorem: str
    strongest: str
    basic: InterleavedBasic | None
    delta: mpq

    @property
    def is_basic(self) -> bool:
        """Whether the first theorem is to be the only one."""
        return self.theorem == _BASIC

    @property
    def applies(self) -> bool:
        """Whether the first theorem gives anything at this δ."""
        return self.basic is not None and self.basic.gives(self.basic.epsilon, self.delta)

    @property
    def epsilon(self) -> ExactNumber | None:
        """The ε of the first theorem at this δ."""
        return self.basic.epsilon if self.basic is not None and self.applies else None

    def upper_certificate(self, answer: Composition) -> Certificate | None:
        """The proof that the upper end is enough, by the theorem."""
        if self.is_basic:
            if self.basic is None or not self.applies:
                return None
            return self.basic.certificate(self.basic.epsilon, self.delta)
        certificate = answer.upper_certificate()
        return None if certificate is None else certificate.naming(self.theorem)

    def facts(self, ends: Mapping[str, str]) -> list[Fact]:
        """The theorem, and what the first one gives beside the ends of the optimum."""
        optimal = self.strongest if self.is_basic else self.theorem
        if self.basic is None:
            nothing = {"theorem": self.theorem, "basic": None}
            return [fact("concurrent", nothing, "interleaved, by", theorem_named(optimal))]
        lower, upper = _delta_texts(self.basic)
        basic: dict[str, object] = {
            "theorem": _BASIC,
            "epsilon": shortest_text(self.basic.epsilon),
            "delta": {"lower": lower, "upper": "inf" if upper is None else upper},
            "applies": self.applies,
            "evidence": "certificate" if self.is_basic and self.applies else COMPUTED,
        }
        end = f"δ ≥ {upper}"
        if not self.applies:
            end += f", so nothing at this δ (and nothing below δ = {lower})"
        value: dict[str, object] = {"theorem": self.theorem, "basic": basic}
        if self.is_basic:
            value["optimum"] = {"theorem": optimal, **ends, "evidence": COMPUTED}
        text = f"{exact_and_decimal(self.basic.epsilon)} at {end}"
        first = THEOREMS[_BASIC].who
        if upper is None:
            text = "nothing: its δ would exceed 1"
        return [
            fact("concurrent", value, "interleaved, by", theorem_named(optimal)),
            shown(f"by {first} alone" if self.is_basic else f"by {first} (computed)", text),
        ]


def _delta_texts(basic: InterleavedBasic) -> tuple[str, str | None]:
    lower = scientific_below(basic.lower, _DIGITS)
    return lower, None if basic.upper is None else scientific_above(basic.upper, _DIGITS)


def interleaving_of(
    ledger: Ledger, theorem: str | None, delta: mpq, rule: str
) -> Interleaved | None:
    """What to say of an answer by ``rule``; None for mechanisms that are not interleaved.

    Raises:
        InputError: the theorem says nothing of such mechanisms.
        UnsupportedError: no theorem carries over the rule.
    """
    if ledger.interaction != "concurrent":
        return None
    subject, basic = Subject.of(ledger), None
    if len(subject.pairs) == subject.size:
        basic = interleaved_basic(ledger)
    names = interleaving_theorems(rule, subject)
    if not names:
        raise UnsupportedError(
            field="interaction",
            value=ledger.interaction,
            expected="mechanisms that a theorem of concurrent composition is about",
            remedy=f"none is known here that carries over the rule {rule or 'asked for'}",
        )
    allowed = names if basic is None else (*names, _BASIC)
    if theorem is not None and theorem not in allowed:
        raise InputError(
            field="--theorem",
            value=theorem,
            expected=f"a theorem about such mechanisms: {' or '.join(allowed)}",
        )
    return Interleaved(theorem or allowed[0], allowed[0], basic, delta)


def interleaved_fact(theorem: str) -> Fact:
    """The theorem that interleaved mechanisms rest on."""
    return fact("theorem", theorem, "interleaved, by", theorem_named(theorem))


def profile_theorem(
    ledger: Ledger, theorem: str | None, points: Sequence[ProfilePoint]
) -> str | None:
    """The theorem that a profile of interleaved mechanisms rests on; None if they are not."""
    rule = next((point.method for point in points if point.method in RULES), "")
    return one_theorem(ledger, theorem, rule)


def one_theorem(ledger: Ledger, theorem: str | None, rule: str = "") -> str | None:
    """The theorem of an answer that the first theorem could not give; None if not interleaved.

    Raises:
        InputError: the theorem says nothing of such mechanisms, or is the first.
    """
    interleaved = interleaving_of(ledger, theorem, mpq(1), rule)
    if interleaved is not None and interleaved.is_basic:
        raise InputError(
            field="--theorem",
            value=_BASIC,
            expected="a theorem about every ε; this one gives a single point",
            remedy="compose shows it",
        )
    return None if interleaved is None else interleaved.theorem
