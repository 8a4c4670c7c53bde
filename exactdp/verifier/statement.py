r"""Statements: a bound, what it is about, and the theorem that it relies on.

Rules of this file: every object has exactly the keys of its table, every number is canonical text;
whatever a rule relies on (ranges, signs) is checked here, once. No subject is looked into.

Theory of operation: what a statement is about is an object of a registered type, which reads
itself. A rule is about mechanisms run one after the other, adaptively. Concurrent composition lets
an adversary interleave its questions to interactive mechanisms; an ``upper`` bound carries over by
a theorem which says that this gains it nothing. In fully adaptive composition it also chooses the
parameters as it goes, within a budget (section 9). What fails adaptively fails concurrently, for
running one after the other is a way of interleaving; so a ``lower`` bound needs no such theorem. An
``underivable`` bound is about a formula, a ``rejected`` one about a test.

Sources: certs/SPEC.md, sections 3 and 9.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from .arithmetic.signs import sign
from .format.numbers import Number, parse_canonical
from .format.outcomes import MalformedError, RejectedError
from .format.shapes import integer, members, one_of, probability, string
from .format.strict_json import Json

EVERY: Final = "every"
DEFINITION: Final = "definition"
INTERACTIONS: Final = ("adaptive", "concurrent")
UNSPECIFIED: Final = "unspecified"
NEIGHBOURING: Final = ("add-remove-one", "replace-one", UNSPECIFIED)
RELATIONS: Final = (*NEIGHBOURING, "zero-out")
"""All that a statement may name; the last is about what records contribute to batches."""
_KINDS: Final = ("upper", "lower", "underivable", "rejected")
MAX_GROUP: Final = 10**18
NOTIONS: Final = ("rho", "mu")
"""What a statement may say in place of an epsilon and a delta."""
_KEYS: Final = ("group", "interaction", "kind", "neighbouring", "subject", "theorem")


class Subject(ABC):
    """What a bound is about; one class for each type."""

    type: ClassVar[str]
    nouns: ClassVar[tuple[str, str]]
    """What its parts are called: one, or many."""

    relation: str = UNSPECIFIED
    """The neighbouring relation of the statement."""
    level: Fraction = Fraction(0)
    """How often what is said of it may be wrong: never, but of an experiment."""

    @classmethod
    @abstractmethod
    def read(cls, value: Json) -> Self:
        """The subject that a statement holds."""

    @property
    @abstractmethod
    def interactions(self) -> tuple[str, ...]:
        """How its mechanisms may be used."""

    @property
    def families(self) -> frozenset[str]:
        """What its mechanisms are given by; empty where every rule about the type knows them."""
        return frozenset()

    @property
    def neighbouring(self) -> tuple[str, ...]:
        """The neighbouring relations that a statement about it may name."""
        return NEIGHBOURING

    def among(self, _neighbouring: str) -> Self:
        """What it is under a neighbouring relation that it may have."""
        return self

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of its mechanisms, or of its queries."""


@dataclass(frozen=True)
class Bound:
    """A kind of bound and its (epsilon, delta); no epsilon means every one.

    Inputs are joined by a path of at most ``group`` neighbours. A bound of another ``notion`` says
    "epsilon-zCDP" (rho) or "epsilon-GDP" (mu), and delta is 0.
    """

    kind: str
    epsilon: Number | None
    delta: Fraction
    group: int
    notion: str = ""

    def finite(self) -> Number:
        """The epsilon of a bound that must have one."""
        if self.epsilon is None:
            raise RejectedError("epsilon is every")
        return self.epsilon


@dataclass(frozen=True)
class Statement:
    """A claim in full."""

    bound: Bound
    subject: Subject
    neighbouring: str
    interaction: str
    theorem: str


@dataclass(frozen=True)
class Interleaving:
    """A theorem by which bounds carry over to an interaction that gives an adversary more freedom.

    ``subject`` is the name of the type of the subjects that it covers.
    """

    name: str
    subject: str
    covers: Callable[[Any], bool]
    interaction: str = "concurrent"

    def carries(self, statement: Statement) -> bool:
        """Whether it is about what the statement is about."""
        about = statement.subject
        same = statement.interaction == self.interaction and about.type == self.subject
        return same and self.covers(about)


def read_statement(value: Json, subjects: Mapping[str, type[Subject]]) -> Statement:
    """The statement of a certificate, about a subject of one of the types by these names."""
    said = notion_of(value) if isinstance(value, dict) else ""
    parts = members(value, (*_KEYS, *((said,) if said else ("delta", "epsilon"))), "statement")
    about = parts["subject"]
    if not isinstance(about, dict) or "type" not in about:
        raise MalformedError("subject is not an object with a type")
    subject = subjects[one_of(about["type"], subjects, "subject type")].read(about)
    statement = Statement(
        bound=read_bound(parts, "kind"),
        subject=subject,
        neighbouring=one_of(parts["neighbouring"], RELATIONS, "neighbouring"),
        interaction=one_of(parts["interaction"], subject.interactions, "interaction"),
        theorem=string(parts["theorem"], "theorem"),
    )
    if statement.neighbouring not in subject.neighbouring:
        known = " or ".join(subject.neighbouring) or "no"
        raise RejectedError(f"a {subject.type} has {known} neighbours")
    return replace(statement, subject=subject.among(statement.neighbouring))


def read_bound(parts: Mapping[str, Json], kind_key: str) -> Bound:
    """The bound that a statement or a step speaks of; about groups of 1 if it names none."""
    kind = one_of(parts[kind_key], _KINDS, kind_key)
    group = integer(parts.get("group", "1"), 1, MAX_GROUP, "group")
    if said := notion_of(parts):
        return Bound(kind, _amount(parts[said], said), Fraction(0), group, said)
    delta = probability(parse_canonical(string(parts["delta"], "delta")), "delta")
    text = string(parts["epsilon"], "epsilon")
    if text != EVERY:
        return Bound(kind, not_negative(parse_canonical(text), "epsilon"), delta, group)
    if kind != "lower":
        raise MalformedError("epsilon is every in a bound that is not lower")
    return Bound(kind, None, delta, group)


def notion_of(parts: Mapping[str, Json]) -> str:
    """The notion that stands in place of an epsilon and a delta, or ""."""
    return next((each for each in NOTIONS if each in parts), "")


def _amount(value: Json, said: str) -> Number:
    """A rho, or a rational mu."""
    amount = not_negative(parse_canonical(string(value, said)), said)
    if said == "mu" and amount.logs:
        raise MalformedError("mu is not a rational")
    return amount


def not_negative(number: Number, what: str) -> Number:
    """A number >= 0."""
    if sign(number) < 0:
        raise MalformedError(f"{what} is negative")
    return number
