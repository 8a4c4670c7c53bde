r"""The rule ``group-path``: several bounds about neighbours, one after the other along a path.

Rules of this file: every premise is about the statement's mechanisms and about neighbours.

Theory of operation: along a path of g neighbours each step may be taken by another bound that holds
of neighbours, P_0(S) ≤ e^{ε_1}·P_1(S) + δ_1 ≤ e^{ε_1}(e^{ε_2}·P_2(S) + δ_2) + δ_1 ≤ …. The least
that follows from all of them is the trade-off function of neighbours, applied g times.

Sources: certs/SPEC.md, section 11.24; Dong, Roth & Su 2022, Theorem 2.14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from ..arithmetic.signs import sign, sign_of_sum
from ..format.numbers import normal_form
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer
from ..format.strict_json import Json
from ..kernel import Bounds, Form, Judgement
from ..statement import MAX_GROUP, Bound, Statement
from .growth import ONE, Above, bits_to_add, exceeds, exp, fraction, plus, powers, times
from .ledger import ALL_FAMILIES, Ledger
from .rule import EITHER, BoundRule, parameter, read_digits

_MOST: Final = 64


def _read_steps(value: Json) -> tuple[int, ...]:
    steps = tuple(integer(each, 1, MAX_GROUP, "steps") for each in array(value, "steps"))
    if not 1 <= len(steps) <= _MOST:
        raise MalformedError(f"steps are not 1 to {_MOST}")
    return steps


@dataclass(frozen=True)
class GroupPath(BoundRule[Ledger, Bounds]):
    """``upper``: of the premises, each for so many steps of the path.

    ``lower``: who is alone is in a group of at most g.
    """

    name: ClassVar[str] = "group-path"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    premises: ClassVar[tuple[Form, ...]] = (Form(Ledger),)
    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    keys: ClassVar[tuple[str, ...]] = ("bound", "delta", "epsilon", "group")

    digits: int = parameter(read_digits)
    steps: tuple[int, ...] = parameter(_read_steps)

    def forms(self) -> tuple[Form, ...]:
        """One for each part of the path."""
        return self.premises * len(self.steps)

    def theorems(self, statement: Statement) -> Sequence[str]:
        """Any: the theorem is that of the premises."""
        return (statement.theorem,)

    def require(self, _ledger: Ledger) -> None:
        """The parts are the path."""
        if self.bound.group == 1 or sum(self.steps) != self.bound.group:
            raise RejectedError("the steps are not as many as the group, which is at least 2")
        if self.bound.kind == "lower" and len(self.steps) > 1:
            raise RejectedError("a lower bound has one premise")

    def conclude(self, ledger: Ledger, premises: Sequence[Bounds]) -> Judgement:
        """The bound for groups, from those of its kind for neighbours."""
        for premise in premises:
            if (premise.bound.kind, premise.bound.group) != (self.bound.kind, 1):
                raise RejectedError("a premise is of another kind, or about groups itself")
        return super().conclude(ledger, premises)

    def check_given(self, _ledger: Ledger, premises: Sequence[Bounds]) -> None:
        """The sums of ε, and of δ with what came before it, from above."""
        bounds = [premise.bound for premise in premises]
        if self.bound.kind == "lower":
            if (self.bound.epsilon, self.bound.delta) != (bounds[0].epsilon, bounds[0].delta):
                raise RejectedError("epsilon and delta are not those of the premise")
            return
        check_path(self.bound, list(zip(self.steps, bounds, strict=True)), self.digits)


def check_path(stated: Bound, parts: Sequence[tuple[int, Bound]], digits: int) -> None:
    """Sums of ε, and of δ with what came before it, for so many steps by each bound."""
    terms = [(-n, bound.finite()) for n, bound in parts]
    if sign_of_sum([(1, stated.finite()), *terms]) < 0:
        raise RejectedError("epsilon is below the sum along the path")
    if not any(bound.delta for _, bound in parts) or not any(sign(each) for _, each in terms):
        found = normal_form([n * bound.delta for n, bound in parts], []).rational
        exceeded = found > stated.delta
    else:
        exceeded = exceeds(_along(parts, bits_to_add(digits, stated.group)), stated.delta)
    if exceeded:
        raise RejectedError("delta is not proved to be at least that along the path")


def _along(parts: Sequence[tuple[int, Bound]], bits: int) -> Above:
    """Each δ times the powers of e^ε of its part, and of all before it."""
    before, total = ONE, (0, 0)
    for n, bound in parts:
        grown, weights = powers(exp(bound.finite(), bits), n, bits)
        spent = times(fraction(bound.delta, bits), weights, bits)
        total = plus(total, times(before, spent, bits), bits)
        before = times(before, grown, bits)
    return total
