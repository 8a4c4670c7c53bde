r"""The rule ``group``, which carries a bound over to groups.

Rules of this file: a premise is about neighbours, and of the kind that is concluded.

Theory of operation: a group of g inputs is a path of g neighbours: (ε, δ) at each step add up to gε
and δ·(1 + e^ε + … + e^{(g-1)ε}). What holds of a composition may be carried over, or what holds of
each mechanism; then the deltas of these are given, and the premise is about other mechanisms than
the conclusion.

Sources: certs/SPEC.md, section 11.16; Dwork & Roth 2014, Theorem 2.2, and its proof for
δ > 0; Dong, Roth & Su 2022, Theorem 2.14; Bun & Steinke 2016, Proposition 1.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import ClassVar, TypeVar

from ..arithmetic.signs import sign
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from ..format.shapes import array
from ..format.strict_json import Json
from ..kernel import Bounds, Form, Judgement
from ..statement import Statement, Subject
from .entries import Scaled, read_delta
from .group_path import check_path
from .growth import bits_to_add, exceeds, exp, fraction, powers, times
from .ledger import BY_PARAMETERS, Ledger
from .rule import EITHER, BoundRule, optional, parameter, read_digits

S = TypeVar("S", bound=Scaled)


def read_deltas(value: Json) -> tuple[Fraction, ...]:
    """What each (ε_i, δ_i) mechanism may fail with for a group."""
    return tuple(map(read_delta, array(value, "deltas")))


@dataclass(frozen=True)
class Group(BoundRule[Ledger, Bounds]):
    """``upper``: g steps of (ε, δ), or with deltas a bound about what each mechanism is for g.

    ``lower``: who is alone is in a group of at most g.
    """

    name: ClassVar[str] = "group"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    premises: ClassVar[tuple[Form, ...]] = (Form(Ledger),)
    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = BY_PARAMETERS
    keys: ClassVar[tuple[str, ...]] = ("bound", "delta", "epsilon", "group")

    digits: int = parameter(read_digits)
    deltas: tuple[Fraction, ...] | None = optional(read_deltas)

    def theorems(self, statement: Statement) -> Sequence[str]:
        """Any: the theorem is that of the premise."""
        return (statement.theorem,)

    def require(self, _ledger: Ledger) -> None:
        """From below no mechanism is another for a group."""
        if self.bound.kind == "lower" and self.deltas is not None:
            raise RejectedError("deltas in a lower bound")

    def about(self, ledger: Ledger, premise: int) -> Subject:
        """The mechanisms; with deltas as they are for a group: gε with these, gμ, and g²ρ."""
        if self.deltas is None:
            return super().about(ledger, premise)
        if len(self.deltas) != len(ledger.mechanisms):
            raise RejectedError("not as many deltas as mechanisms")
        group = self.bound.group
        pairs = (
            replace(each, epsilon=each.epsilon.scaled(group), delta=delta)
            for each, delta in zip(ledger.mechanisms, self.deltas, strict=True)
        )
        others = scaled(ledger.gaussian, group), scaled(ledger.concentrated, group)
        return Ledger.merged(chain(pairs, *others)).among(ledger.relation)

    def conclude(self, ledger: Ledger, premises: Sequence[Bounds]) -> Judgement:
        """The bound for groups, from one of its kind for neighbours."""
        [premise] = premises
        if premise.bound.group != 1:
            raise RejectedError("the premise is about groups itself")
        if premise.bound.kind != self.bound.kind:
            raise RejectedError("the premise is of another kind")
        if self.bound.group == 1:
            raise RejectedError("a group of 1 is none")
        return super().conclude(ledger, premises)

    def check_given(self, ledger: Ledger, premises: Sequence[Bounds]) -> None:
        """The bound of the premise, carried along a path; or each mechanism is."""
        [given] = (premise.bound for premise in premises)
        if self.bound.kind == "upper" and self.deltas is None:
            check_path(self.bound, [(self.bound.group, given)], self.digits)
            return
        for mechanism, delta in zip(ledger.mechanisms, self.deltas or (), strict=False):
            own, epsilon = mechanism.delta, mechanism.epsilon
            if not covers(delta, own, epsilon, self.bound.group, self.digits):
                raise RejectedError(
                    "one of the deltas is not proved to be at least that of g steps"
                )
        if (self.bound.epsilon, self.bound.delta) != (given.epsilon, given.delta):
            raise RejectedError("epsilon and delta are not those of the premise")


def covers(limit: Fraction, delta: Fraction, epsilon: Number, group: int, digits: int) -> bool:
    """Whether δ·(1 + e^ε + … + e^{(g-1)ε}) is at most the limit."""
    if not delta or sign(epsilon) == 0:
        return delta * group <= limit
    bits = bits_to_add(digits, group)
    _, weights = powers(exp(epsilon, bits), group, bits)
    return not exceeds(times(fraction(delta, bits), weights, bits), limit)


def scaled(entries: Iterable[S], group: int) -> tuple[S, ...]:
    """What mechanisms given by μ or ρ are for a group, in the order of their bytes."""
    found = [replace(each, parameter=each.parameter * group**each.power) for each in entries]
    return tuple(sorted(found, key=lambda entry: entry.text))
