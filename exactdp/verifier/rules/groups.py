r"""The rules that carry a bound over to groups: ``group-privacy`` and ``group-mechanisms``.

Rules of this file: a premise is about neighbours, and of the kind that is concluded.

Theory of operation: a group of g inputs is a path of g neighbours: (ε, δ) at each step add up to gε
and δ·(1 + e^ε + … + e^{(g-1)ε}). What holds of a composition may be carried over, or what holds of
each mechanism; then the premise is about other mechanisms than the conclusion.

Sources: certs/SPEC.md, sections 7.21 and 7.22; Dwork & Roth 2014, Theorem 2.2, and its proof for
δ > 0; Dong, Roth & Su 2022, Theorem 2.14; Bun & Steinke 2016, Proposition 1.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from ..arithmetic.signs import sign, sign_of_sum
from ..format.numbers import Number, canonical, rational_text
from ..format.outcomes import RejectedError
from ..format.shapes import array
from ..format.strict_json import Json
from ..kernel import Bounds, Form, Judgement
from ..statement import Bound, Statement
from .entries import Mechanism, read_delta
from .growth import bits_to_add, exceeds, exp, fraction, powers, times
from .ledger import BY_PARAMETERS, Ledger, S
from .rule import EITHER, BoundRule, parameter, read_digits


@dataclass(frozen=True)
class GroupRule(BoundRule[Ledger, Bounds]):
    """A rule that carries a bound over from neighbours to groups; it needs definitions alone."""

    premises: ClassVar[tuple[Form, ...]] = (Form(Ledger),)
    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = BY_PARAMETERS
    keys: ClassVar[tuple[str, ...]] = ("bound", "delta", "epsilon", "group")

    digits: int = parameter(read_digits)

    def theorems(self, statement: Statement) -> Sequence[str]:
        """Any: the theorem is that of the premise."""
        return (statement.theorem,)

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

    def need_same(self, given: Bound) -> None:
        """Epsilon and delta are those of the premise."""
        if (self.bound.epsilon, self.bound.delta) != (given.epsilon, given.delta):
            raise RejectedError("epsilon and delta are not those of the premise")

    def covers(self, limit: Fraction, delta: Fraction, epsilon: Number) -> bool:
        """Whether δ·(1 + e^ε + … + e^{(g-1)ε}) is at most the limit."""
        group = self.bound.group
        if not delta or sign(epsilon) == 0:
            return delta * group <= limit
        bits = bits_to_add(self.digits, group)
        _, weights = powers(exp(epsilon, bits), group, bits)
        return not exceeds(times(fraction(delta, bits), weights, bits), limit)


class GroupPrivacy(GroupRule):
    """``upper``: g steps of (ε, δ). ``lower``: who is alone is in a group of at most g."""

    name: ClassVar[str] = "group-privacy"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    def check_given(self, _ledger: Ledger, premises: Sequence[Bounds]) -> None:
        """The bound of the premise, carried along a path."""
        [given] = (premise.bound for premise in premises)
        if self.bound.kind == "lower":
            self.need_same(given)
            return
        if sign_of_sum([(1, self.bound.finite()), (-self.bound.group, given.finite())]) < 0:
            raise RejectedError("epsilon is below g times that of the premise")
        if not self.covers(self.bound.delta, given.delta, given.finite()):
            raise RejectedError("delta is not proved to be at least that of g steps")


def _read_deltas(value: Json) -> tuple[Fraction, ...]:
    return tuple(map(read_delta, array(value, "deltas")))


@dataclass(frozen=True)
class GroupMechanisms(GroupRule):
    """``upper``: a bound about what each mechanism is for a group of g."""

    name: ClassVar[str] = "group-mechanisms"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    deltas: tuple[Fraction, ...] = parameter(_read_deltas)

    def about(self, ledger: Ledger, _premise: int) -> Ledger:
        """The mechanisms as they are for a group: gε with the deltas of the step, gμ, and g²ρ."""
        if len(self.deltas) != len(ledger.mechanisms):
            raise RejectedError("not as many deltas as mechanisms")
        group = self.bound.group
        pairs: dict[tuple[str, str], Mechanism] = {}
        for mechanism, delta in zip(ledger.mechanisms, self.deltas, strict=True):
            epsilon = mechanism.epsilon.scaled(group)
            texts = (canonical(epsilon), rational_text(delta))
            count = mechanism.count + (pairs[texts].count if texts in pairs else 0)
            pairs[texts] = Mechanism(epsilon, delta, count, positive=mechanism.positive)
        return Ledger(
            tuple(pairs[texts] for texts in sorted(pairs)),
            _by_text(ledger.gaussian, group),
            _by_text(ledger.concentrated, group * group),
        )

    def check_given(self, ledger: Ledger, premises: Sequence[Bounds]) -> None:
        """Each delta is that of g steps at least."""
        for mechanism, delta in zip(ledger.mechanisms, self.deltas, strict=True):
            if not self.covers(delta, mechanism.delta, mechanism.epsilon):
                raise RejectedError(
                    "one of the deltas is not proved to be at least that of g steps"
                )
        [given] = (premise.bound for premise in premises)
        self.need_same(given)


def _by_text(entries: Iterable[S], factor: int) -> tuple[S, ...]:
    scaled = [replace(entry, parameter=entry.parameter * factor) for entry in entries]
    return tuple(sorted(scaled, key=lambda entry: rational_text(entry.parameter)))
