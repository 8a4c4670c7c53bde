r"""Ledgers: a multiset of privacy parameters, and what the rules about them have in common.

Rules of this file: ranges, order and signs are checked as a ledger is read, once. Equal parameters
are merged into one entry with a count, and entries are sorted: one multiset has one writing.

Theory of operation: mechanisms that are (ε_i, δ_i)-DP fail with probability δ_i, apart from each
other; no failure happens with probability ∏(1 - δ_i), which leaves Δ = 1 - (1 - δ)/∏(1 - δ_i) for
everything else. Δ may be negative.

Sources: certs/SPEC.md, sections 3 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Final, Self, TypeAlias

from ..arithmetic.enclosures import Enclosure, enclose_delta
from ..arithmetic.signs import sign, sign_of_sum
from ..format.numbers import Number, normal_form, parse_canonical, rational_text
from ..format.outcomes import MalformedError, RejectedError, shown
from ..format.shapes import array, integer, members, probability, rational, string
from ..format.strict_json import Json
from ..kernel import Form
from ..statement import Interleaving, Subject
from .rule import Axiom
from .theorems import APPROXIMATE

MURTAGH_VADHAN: Final = "murtagh-vadhan-2018-theorem-1.5"
MAX_COUNT: Final = 10**18
NOTIONS: Final = (("epsilon", "delta"), ("mu",), ("rho",))
"""The keys of an entry besides its count, in the order in which entries stand."""

Texts: TypeAlias = tuple[int, tuple[str, ...]]
"""An entry: the index of its notion, and the canonical texts of its parameters."""

Group: TypeAlias = tuple[Number, int]
"""A distinct positive epsilon, and the number of mechanisms that have it."""


@dataclass(frozen=True)
class Mechanism:
    """An entry of a ledger: ``count`` mechanisms that are (epsilon, delta)-DP."""

    epsilon: Number
    delta: Fraction
    count: int
    positive: bool
    """Whether epsilon > 0."""


@dataclass(frozen=True)
class Scaled:
    """An entry of a ledger: ``count`` mechanisms that are μ-GDP, or ρ-zCDP, for a rational."""

    parameter: Fraction
    count: int


Entry: TypeAlias = tuple[Texts, Mechanism | Scaled]
"""An entry with what it is sorted by."""


@dataclass(frozen=True)
class Ledger(Subject):
    """Mechanisms given by (ε, δ), by μ, and by ρ."""

    type: ClassVar[str] = "ledger"

    mechanisms: tuple[Mechanism, ...]
    gaussian: tuple[Scaled, ...] = ()
    concentrated: tuple[Scaled, ...] = ()

    @classmethod
    def read(cls, value: Json) -> Self:
        """The ledger of a statement: merged and sorted."""
        parts = members(value, ("mechanisms", "type"), "subject")
        entries = [read_entry(each) for each in array(parts["mechanisms"], "mechanisms")]
        for (before, _), (texts, _) in pairwise(entries):
            if texts <= before:
                raise MalformedError(
                    f"mechanisms are not sorted and merged at {shown(texts[1][0])}"
                )
        return cls.of(entries)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """The ledger of these entries, in their order."""
        listed = list(entries)
        scaled = [(texts[0], each) for texts, each in listed if isinstance(each, Scaled)]
        return cls(
            tuple(each for _, each in listed if isinstance(each, Mechanism)),
            tuple(each for notion, each in scaled if notion == 1),
            tuple(each for notion, each in scaled if notion == 2),
        )

    @property
    def noise(self) -> tuple[Scaled, ...]:
        """The entries given by μ and by ρ."""
        return (*self.gaussian, *self.concentrated)

    @property
    def count(self) -> int:
        """The number of mechanisms, k."""
        pairs = sum(entry.count for entry in self.mechanisms)
        return pairs + sum(entry.count for entry in self.noise)

    @property
    def size(self) -> int:
        """The number of entries, n."""
        return len(self.mechanisms) + len(self.noise)

    @cached_property
    def groups(self) -> list[Group]:
        """The distinct positive epsilons in their order, with their counts added."""
        found: list[Group] = []
        for mechanism in self.mechanisms:  # in order: those of one epsilon stand together
            if found and found[-1][0] == mechanism.epsilon:
                found[-1] = (mechanism.epsilon, found[-1][1] + mechanism.count)
            elif mechanism.positive:
                found.append((mechanism.epsilon, mechanism.count))
        return found

    @property
    def has_rho(self) -> bool:
        """Whether some ρ is above 0."""
        return any(entry.parameter for entry in self.concentrated)

    @property
    def by_pairs(self) -> bool:
        """Whether all mechanisms are given by (ε, δ), or by a μ or ρ of 0."""
        return not any(entry.parameter for entry in self.noise)

    @property
    def lossless(self) -> bool:
        """Whether all δ are 0."""
        return not any(mechanism.delta for mechanism in self.mechanisms)

    def delta(self, delta: Fraction, bits: int) -> Enclosure:
        """Δ for a delta."""
        counts: dict[str, tuple[Fraction, int]] = {}  # by texts, whose hashes cannot be foreseen
        for m in self.mechanisms:
            if m.delta:
                text = rational_text(m.delta)
                counts[text] = m.delta, m.count + counts.get(text, (0, 0))[1]
        return enclose_delta(delta, counts.values(), bits)

    def sign_of_delta(self, delta: Fraction) -> int:
        """The sign of Δ, which is that of Σ count_i ln(1 - δ_i) - ln(1 - δ)."""
        if delta == 1:
            return 1
        logs = [(m.count, normal_form([], [(Fraction(1), 1 - m.delta)])) for m in self.mechanisms]
        return sign_of_sum([*logs, (-1, normal_form([], [(Fraction(1), 1 - delta)]))])


# --- reading ------------------------------------------------------------------------------------


def notion_of(value: Json) -> int:
    """The notion of an entry: 1 with mu, 2 with rho, 0 for all others."""
    if not isinstance(value, dict):
        return 0
    return 1 if "mu" in value else 2 if "rho" in value else 0


def read_entry(value: Json) -> Entry:
    """An entry of a statement's ledger, with what it is sorted by."""
    notion = notion_of(value)
    keys = NOTIONS[notion]
    parts = members(value, ("count", *keys), "mechanism")
    texts = tuple(string(parts[key], key) for key in keys)
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    if notion:
        return (notion, texts), Scaled(rational(texts[0], "a mechanism's mu or rho"), count)
    epsilon = parse_canonical(texts[0])
    order = sign(epsilon)
    if order < 0:
        raise MalformedError("a mechanism's epsilon is negative")
    return (notion, texts), Mechanism(epsilon, read_delta(texts[1]), count, positive=order > 0)


def read_delta(value: Json) -> Fraction:
    """The delta of a mechanism, from 0 to below 1."""
    delta = probability(parse_canonical(string(value, "delta")), "a mechanism's delta")
    if delta == 1:
        raise MalformedError("a mechanism's delta is 1")
    return delta


# --- rules about ledgers ------------------------------------------------------------------------


class LedgerRule(Axiom[Ledger]):
    """A rule that proves a bound of the mechanisms of a ledger."""

    form: ClassVar[Form] = Form(Ledger)


class PairsRule(LedgerRule):
    """A rule about mechanisms that are all given by (ε, δ), or by a μ or ρ of 0."""

    theorem: ClassVar[str] = MURTAGH_VADHAN
    interleaved: ClassVar[tuple[Interleaving, ...]] = APPROXIMATE

    def require(self, ledger: Ledger) -> None:
        """Reject what has other mechanisms."""
        if not ledger.by_pairs:
            raise RejectedError("is about mechanisms given by epsilon and delta alone")


def need_proof(kind: str, divergence: Enclosure, allowed: Enclosure) -> None:
    """Reject what is not proved: that D is at most Δ, for an upper bound, or that it is above."""
    if kind == "upper":
        if divergence[1] > allowed[0]:
            raise RejectedError("the divergence is not proved to be at most Δ")
    elif divergence[0] <= allowed[1]:
        raise RejectedError("the divergence is not proved to be above Δ")
