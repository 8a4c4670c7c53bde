r"""The kernel: judgements, rules by their types, and the driver that joins steps to a derivation.

Rules of this file: no rule is named here, and no subject looked into. A rule is handed a subject
of its type, with mechanisms and neighbours that it says it is about, and premises of the forms that
it declares, or is not called at all. Conclusions are computed, never read off.

Theory of operation: a *judgement* is what a step concludes, ``Bounds`` or ``StandsIn``; its *form*
is that with the types of its subjects. A rule concludes one form from premises of certain forms. A
rule without premises that concludes bounds on a type may also be given a stand-in of that type; it
then is about the stand-in, and what it concludes is carried over. So every step has a form, found
before anything is done; a derivation that has none, or not the statement's, does not fit.

The last step is about the statement's subject; a rule says about which subject each of its premises
must be, its own if it says nothing. All conclusions come before the first check.

Sources: certs/SPEC.md, section 4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from .format.outcomes import RefusedError, RejectedError
from .format.strict_json import Json
from .statement import DEFINITION, RELATIONS, Bound, Interleaving, Statement, Subject

# --- judgements ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bounds:
    """The bound holds of every composition that the subject describes."""

    subject: Subject
    bound: Bound


@dataclass(frozen=True)
class StandsIn:
    """Bounds of this kind that hold of ``by``, for neighbours, hold of the subject too."""

    subject: Subject
    by: Subject
    kind: str


Judgement: TypeAlias = Bounds | StandsIn
S = TypeVar("S", bound=Subject)
P = TypeVar("P", bound=Judgement)


@dataclass(frozen=True)
class Form:
    """Bounds on subjects of a type; or, with ``by``, subjects of that type that stand in for it.

    ``notion`` is that of the bounds, if they are about no (epsilon, delta).
    """

    subject: type[Subject] | None
    by: type[Subject] | None = None
    notion: str = ""

    def __str__(self) -> str:
        """The judgement with the names of types for its subjects."""
        types = [each.type for each in (self.subject, self.by) if each]
        said = f" in {self.notion}" if self.notion else ""
        return f"{'StandsIn' if self.by else 'Bounds'}({', '.join(types)}){said}"


# --- rules --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule(ABC, Generic[S, P]):
    """A rule, and in its fields the parameters of one step."""

    name: ClassVar[str]
    premises: ClassVar[tuple[Form, ...]] = ()
    form: ClassVar[Form]
    """What it concludes; ``form.subject`` is what it is about."""
    theorem: ClassVar[str] = DEFINITION
    interleaved: ClassVar[tuple[Interleaving, ...]] = ()
    families: ClassVar[frozenset[str]] = frozenset()
    """What mechanisms may be given by; a rule that does not say is about none."""
    relations: ClassVar[tuple[str, ...]] = RELATIONS
    """The neighbouring relations that it is about."""

    @classmethod
    @abstractmethod
    def read(cls, value: Json) -> Self:
        """The step, from its parameters."""

    def forms(self) -> tuple[Form, ...]:
        """What its premises conclude."""
        return self.premises

    def about(self, subject: S, _premise: int) -> Subject:
        """The subject that a premise must be about."""
        return subject

    def require(self, subject: S) -> None:
        """Reject a subject of the right type that the rule says nothing of."""

    def theorems(self, statement: Statement) -> Sequence[str]:
        """The theorems that the statement may name; by default any, as the rule needs none."""
        return (statement.theorem,)

    @abstractmethod
    def conclude(self, subject: S, premises: Sequence[P]) -> Judgement:
        """The judgement that holds if the check returns."""

    @abstractmethod
    def check_given(self, subject: S, premises: Sequence[P]) -> None:
        """Return only if the conclusion holds, given the premises."""


AnyRule: TypeAlias = Rule[Any, Any]


# --- derivations --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A rule with its parameters, and the indices of the steps that it rests on."""

    rule: AnyRule
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Certificate:
    """A certificate whose shape is right. Nothing in it is proved."""

    statement: Statement
    steps: tuple[Step, ...]


# --- the driver ---------------------------------------------------------------------------------

_Waiting: TypeAlias = tuple[AnyRule, Subject, list[Judgement]]
"""A step that is concluded, and still to be checked."""


def prove(certificate: Certificate) -> None:
    """Check the derivation; return only if it proves the statement."""
    statement, steps = certificate.statement, certificate.steps
    _check_forms(statement, steps)
    for step in steps:
        _check_theorem(statement, step.rule)
    waiting: list[_Waiting] = []
    concluded: list[Judgement] = []
    for step, subject in zip(steps, _subjects(statement.subject, steps), strict=True):
        premises = [concluded[premise] for premise in step.premises]
        concluded.append(_conclude(step.rule, subject, premises, waiting))
    if concluded[-1] != Bounds(statement.subject, statement.bound):
        raise RejectedError("the derivation concludes another statement")
    for rule, subject, premises in waiting:
        with _blamed_on(rule):
            rule.check_given(subject, premises)


def _check_forms(statement: Statement, steps: Sequence[Step]) -> None:
    """Every rule is given what it takes, once, and the last concludes what is stated."""
    forms: list[Form] = []
    for index, step in enumerate(steps):
        if any(premise >= index for premise in step.premises):
            raise RejectedError(f"step {index} has a premise that is not an earlier step")
        forms.append(_form(step.rule, tuple(forms[premise] for premise in step.premises)))
    stated = Form(type(statement.subject), notion=statement.bound.notion)
    if forms[-1] != stated:
        raise _misfit(f"concludes {forms[-1]}, not {stated}", steps[-1].rule)
    uses = Counter(premise for step in steps for premise in step.premises)
    for index in range(len(steps) - 1):
        if uses[index] != 1:
            raise RejectedError(f"step {index} is not used exactly once")


def _form(rule: AnyRule, given: tuple[Form, ...]) -> Form:
    """What a rule concludes from premises of these forms."""
    if given == rule.forms():
        return rule.form
    if not rule.premises and len(given) == 1 and rule.form == Form(given[0].by):
        return Form(given[0].subject)
    expected, found = (" and ".join(map(str, each)) or "nothing" for each in (rule.forms(), given))
    raise _misfit(f"takes {expected}, not {found}", rule)


def _misfit(what: str, rule: AnyRule) -> RejectedError:
    return RejectedError(f"rule {rule.name}: does not fit: {what}")


def _check_theorem(statement: Statement, rule: AnyRule) -> None:
    theorems = rule.theorems(statement)
    if not theorems:
        about = f"{statement.interaction} composition of these"
        raise RejectedError(f"rule {rule.name}: is not about {about}")
    if statement.theorem not in theorems:
        raise RejectedError(f"rule {rule.name} rests on another theorem")


def _subjects(stated: Subject, steps: Sequence[Step]) -> list[Subject]:
    """What each step is about: what is stated, or what the one step that uses it says."""
    subjects = [stated] * len(steps)
    for index in reversed(range(len(steps))):
        rule, subject = steps[index].rule, subjects[index]
        with _blamed_on(rule):
            for place, premise in enumerate(steps[index].premises):
                subjects[premise] = rule.about(subject, place) if rule.premises else subject
    return subjects


def _conclude(
    rule: AnyRule, subject: Subject, premises: list[Judgement], waiting: list[_Waiting]
) -> Judgement:
    """The conclusion of a step, of a stand-in if it is given one; its check is put off."""
    if premises and not rule.premises and isinstance(premises[0], StandsIn):
        return _carried(rule, premises[0], waiting)
    with _blamed_on(rule):
        if unknown := subject.families - rule.families:
            raise RejectedError(f"is not about mechanisms given by {min(unknown)}")
        if subject.relation not in rule.relations:
            raise RejectedError(f"is not about {subject.relation} neighbours")
        rule.require(subject)
        waiting.append((rule, subject, premises))
        return rule.conclude(subject, premises)


def _carried(rule: AnyRule, carrier: StandsIn, waiting: list[_Waiting]) -> Judgement:
    """What the rule concludes of the stand-in, said of what that stands in for."""
    match _conclude(rule, carrier.by, [], waiting):
        case Bounds(_, bound) if (bound.kind, bound.group) == (carrier.kind, 1):
            return Bounds(carrier.subject, bound)
    raise RejectedError(f"rule {rule.name}: its premise carries {carrier.kind} bounds only")


@contextmanager
def _blamed_on(rule: AnyRule) -> Iterator[None]:
    """Name the rule in the reason of a rejection or a refusal."""
    try:
        yield
    except (RefusedError, RejectedError) as error:
        raise type(error)(f"rule {rule.name}: {error}") from None
