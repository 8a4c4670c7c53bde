r"""What rules that conclude a bound have in common.

Rules of this file: a parameter of a rule is a field of its class, read by the reader that stands
there; there is no other way in. The kinds of bound that a rule proves are checked as it is read.

Sources: certs/SPEC.md, sections 3, 4 and 11.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Never, Self

from ..arithmetic.enclosures import MAX_DIGITS
from ..arithmetic.signs import sign
from ..format.numbers import Number, parse_canonical
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import integer, members, string
from ..format.strict_json import Json
from ..kernel import AnyRule, Bounds, Judgement, P, Rule, S
from ..statement import Bound, Statement, read_bound

EITHER: Final = ("upper", "lower")
MAX_SUMS: Final = 10**7


def parameter(read: Callable[[Json], object]) -> Any:  # noqa: ANN401 (of the type that is read)
    """A field of a rule, read from the parameter of its name."""
    return field(metadata={"read": read})


def optional(read: Callable[[Json], object]) -> Any:  # noqa: ANN401 (of the type that is read)
    """A parameter that may be missing; the field then is None."""
    return field(default=None, metadata={"read": read})


def read_parameters(
    rule: type[AnyRule], value: Json, keys: Sequence[str] = ()
) -> tuple[Mapping[str, Json], dict[str, Any]]:
    """The parameters of a rule, which has further ``keys``; and the values of its fields."""
    readers = {each.name: each.metadata["read"] for each in fields(rule) if each.metadata}
    may_be_missing = [each.name for each in fields(rule) if each.default is None]
    required = [key for key in (*keys, *readers) if key not in may_be_missing]
    parts = members(value, required, "parameters", may_be_missing)
    return parts, {key: read(parts[key]) for key, read in readers.items() if key in parts}


def read_digits(value: Json) -> int:
    """D: it decides whether a check goes through, never what it proves."""
    return integer(value, 1, MAX_DIGITS, "digits")


def read_sums(value: Json) -> int:
    """The most sums that are collected in a table."""
    return integer(value, 1, MAX_SUMS, "sums")


def read_unit(value: Json) -> Number:
    """A number above 0."""
    unit = parse_canonical(string(value, "unit"))
    if sign(unit) <= 0:
        raise MalformedError("unit is not positive")
    return unit


@dataclass(frozen=True)
class BoundRule(Rule[S, P]):
    """A rule that concludes the bound among its parameters."""

    bound: Bound

    keys: ClassVar[tuple[str, ...]] = ("bound", "delta", "epsilon")
    kinds: ClassVar[tuple[str, ...]]
    adaptive: ClassVar[bool] = True

    @classmethod
    def read(cls, value: Json) -> Self:
        """The step, if its bound is of a kind that the rule proves."""
        parts, further = read_parameters(cls, value, cls.keys)
        bound = read_bound(parts, "bound")
        if bound.kind not in cls.kinds:
            raise RejectedError(f"rule {cls.name}: proves {' and '.join(cls.kinds)} bounds only")
        return cls(bound, **further)

    def theorems(self, statement: Statement) -> Sequence[str]:
        """The rule's own, or those by which interleaving gains an adversary nothing."""
        if self.bound.kind != "upper" or (self.adaptive and statement.interaction == "adaptive"):
            return (self.theorem,)
        return [each.name for each in self.interleaved if each.carries(statement)]

    def conclude(self, subject: S, _premises: Sequence[P]) -> Judgement:
        """The bound, of the subject."""
        return Bounds(subject, self.bound)


class Axiom(BoundRule[S, Never]):
    """A rule that proves its bound from the subject alone."""

    @abstractmethod
    def check(self, subject: S) -> None:
        """Return only if the bound holds of the subject."""

    def check_given(self, subject: S, _premises: Sequence[Never]) -> None:
        """The check."""
        self.check(subject)
