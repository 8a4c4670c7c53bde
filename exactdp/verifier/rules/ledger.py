r"""Ledgers: a multiset of mechanisms, and what the rules about them have in common.

Rules of this file: equal entries are merged into one with a count, and entries stand in the order
of their bytes without the count: one multiset has one writing. Those given by (ε, δ), μ and ρ are
kept in the order of their texts.

Theory of operation: mechanisms that are (ε_i, δ_i)-DP fail with probability δ_i, apart from each
other; no failure happens with probability ∏(1 - δ_i), which leaves Δ = 1 - (1 - δ)/∏(1 - δ_i) for
everything else. Δ may be negative.

Sources: certs/SPEC.md, sections 7.1 to 7.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from operator import attrgetter
from typing import ClassVar, Final, Self, TypeAlias

from ..arithmetic.enclosures import Enclosure, enclose_delta
from ..arithmetic.signs import sign_of_sum
from ..format.numbers import Number, normal_form
from ..format.outcomes import MalformedError, RejectedError, shown
from ..format.shapes import array, members
from ..format.strict_json import Json
from ..kernel import Form
from ..statement import INTERACTIONS, UNSPECIFIED, Interleaving, Statement, Subject
from .by_noise import ByNoise, Noisy, is_by_noise, neighbours_of, read_noise
from .entries import Concentrated, Gaussian, Mechanism, Parametric, read_parameters
from .rule import Axiom
from .theorems import APPROXIMATE

MURTAGH_VADHAN: Final = "murtagh-vadhan-2018-theorem-1.5"
DOMINATION: Final = "zhu-dong-wang-2022-theorem-10"
BY_PAIRS: Final = frozenset({"epsilon"})
BY_PARAMETERS: Final = BY_PAIRS | {"mu", "rho"}
ALL_FAMILIES: Final = BY_PARAMETERS | {"noise"}
"""What mechanisms are given by: (ε, δ), a μ or ρ above 0, and how they draw their answers."""

Entry: TypeAlias = Parametric | ByNoise

Group: TypeAlias = tuple[Number, int]
"""A distinct positive epsilon, and the number of mechanisms that have it."""


@dataclass(frozen=True)
class Ledger(Subject):
    """Mechanisms given by (ε, δ), by μ, by ρ, and by their noise."""

    type: ClassVar[str] = "mechanisms"
    nouns: ClassVar[tuple[str, str]] = ("mechanism", "mechanisms")
    interactions: ClassVar[tuple[str, ...]] = INTERACTIONS

    mechanisms: tuple[Mechanism, ...]
    gaussian: tuple[Gaussian, ...] = ()
    concentrated: tuple[Concentrated, ...] = ()
    by_noise: tuple[ByNoise, ...] = ()
    relation: str = UNSPECIFIED

    @classmethod
    def read(cls, value: Json) -> Self:
        """The ledger of a statement: merged and sorted."""
        parts = members(value, ("mechanisms", "type"), "subject")
        return cls.listed(parts["mechanisms"])

    @classmethod
    def listed(cls, value: Json) -> Self:
        """The ledger of an array of entries."""
        entries = [read_entry(each) for each in array(value, "mechanisms")]
        for before, entry in pairwise(each.text for each in entries):
            if entry <= before:
                raise MalformedError(
                    f"mechanisms are not sorted and merged at {shown(entry.decode())}"
                )
        return cls.of(entries)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """The ledger of different entries, in the order of their bytes."""
        listed = list(entries)
        pairs = [each for each in listed if isinstance(each, Mechanism)]
        pairs.sort(key=attrgetter("texts"))
        return cls(
            tuple(pairs),
            tuple(each for each in listed if isinstance(each, Gaussian)),
            tuple(each for each in listed if isinstance(each, Concentrated)),
            tuple(each for each in listed if isinstance(each, ByNoise)),
        )

    @classmethod
    def merged(cls, entries: Iterable[Entry]) -> Self:
        """The ledger of entries in any order, equal ones merged."""
        distinct: dict[bytes, Entry] = {}
        for each in entries:
            before = distinct.get(each.text)
            distinct[each.text] = replace(each, count=before.count + each.count) if before else each
        return cls.of(distinct[text] for text in sorted(distinct))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries."""
        return (*self.mechanisms, *self.gaussian, *self.concentrated, *self.by_noise)

    @property
    def counts(self) -> Mapping[bytes, int]:
        """The count of each entry, by its bytes without the count."""
        return {each.text: each.count for each in self.entries}

    @property
    def count(self) -> int:
        """The number of mechanisms, k."""
        return sum(entry.count for entry in self.entries)

    @property
    def size(self) -> int:
        """The number of entries, n."""
        return len(self.entries)

    # --- what they are ----------------------------------------------------------------------------

    @property
    def families(self) -> frozenset[str]:
        """What its mechanisms are given by."""
        return frozenset(entry.family for entry in self.entries)

    @property
    def has_rho(self) -> bool:
        """Whether some ρ is above 0."""
        return any(entry.parameter for entry in self.concentrated)

    @property
    def by_pairs(self) -> bool:
        """Whether all mechanisms are given by (ε, δ), or by a μ or ρ of 0."""
        return self.families <= BY_PAIRS

    @property
    def lossless(self) -> bool:
        """Whether all δ are 0."""
        return not self.failures

    @property
    def failures(self) -> list[tuple[int, Fraction]]:
        """The δ above 0 with their counts: of (ε, δ), and the least of constraints."""
        given = [(each.count, each.delta) for each in self.mechanisms if each.delta]
        noisy = [each for each in self.by_noise if isinstance(each, Noisy)]
        return [*given, *((each.count, each.failure) for each in noisy if each.failure)]

    # --- by (ε, δ) --------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> list[Group]:
        """The distinct positive epsilons in their order, with their counts added."""
        positive = (each for each in self.mechanisms if each.positive)
        by_epsilon = groupby(positive, key=lambda each: each.epsilon)
        return [(epsilon, sum(each.count for each in same)) for epsilon, same in by_epsilon]

    def delta(self, delta: Fraction, bits: int) -> Enclosure:
        """Δ for a delta."""
        return enclose_delta(delta, ((each, count) for count, each in self.failures), bits)

    def sign_of_delta(self, delta: Fraction, further: Iterable[tuple[int, Fraction]] = ()) -> int:
        """The sign of Δ, which is that of Σ count_i ln(1 - δ_i) - ln(1 - δ).

        ``further`` are counts and probabilities below 1 of what fails beside it.
        """
        if delta == 1:
            return 1
        failing = [*self.failures, *further]
        logs = [(count, normal_form([], [(Fraction(1), 1 - one)])) for count, one in failing]
        return sign_of_sum([*logs, (-1, normal_form([], [(Fraction(1), 1 - delta)]))])

    # --- by noise ---------------------------------------------------------------------------------

    @property
    def neighbouring(self) -> tuple[str, ...]:
        """The relations that mechanisms by their noise have a meaning for."""
        return neighbours_of(self.by_noise)

    def among(self, neighbouring: str) -> Self:
        """Shuffled batches and sampled mechanisms are others where a record is replaced."""
        return replace(self, relation=neighbouring)


def read_entry(value: Json) -> Entry:
    """An entry of a statement."""
    if not isinstance(value, dict):
        raise MalformedError("mechanism is not an object")
    return read_noise(value) if is_by_noise(value) else read_parameters(value)


# --- rules about ledgers ------------------------------------------------------------------------


class LedgerRule(Axiom[Ledger]):
    """A rule that proves a bound of the mechanisms of a ledger."""

    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = BY_PARAMETERS


class PairsRule(LedgerRule):
    """A rule about mechanisms that are all given by (ε, δ), or by a μ or ρ of 0."""

    theorem: ClassVar[str] = MURTAGH_VADHAN
    interleaved: ClassVar[tuple[Interleaving, ...]] = APPROXIMATE
    families: ClassVar[frozenset[str]] = BY_PAIRS


class TableRule(PairsRule):
    """One about (ε, δ) and pairs of laws; beside these, what dominates composes to what does."""

    families: ClassVar[frozenset[str]] = BY_PAIRS | {"noise"}

    def theorems(self, statement: Statement) -> Sequence[str]:
        """Beside noise its own is that domination composes."""
        found, given = super().theorems(statement), statement.subject.families
        return (DOMINATION,) if self.theorem in found and "noise" in given else found


def need_proof(kind: str, divergence: Enclosure, allowed: Enclosure) -> None:
    """Reject what is not proved: that D is at most Δ, for an upper bound, or that it is above."""
    if kind == "upper":
        if divergence[1] > allowed[0]:
            raise RejectedError("the divergence is not proved to be at most Δ")
    elif divergence[0] <= allowed[1]:
        raise RejectedError("the divergence is not proved to be above Δ")
