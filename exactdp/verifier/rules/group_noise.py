r"""The rule ``group-noise``: what mechanisms are for a group, each by noise that reaches as far.

Rules of this file: the premise is about other mechanisms than the conclusion, made here from the
statement's; a family that is not named has no such mechanism, and is rejected.

Theory of operation: what dominates a mechanism along a path of g neighbours is found from what
dominates each step. Noise with a monotone likelihood ratio that moves by s in each moves by g·s in
all. An (ε, δ)-DP mechanism is dominated by a failure and discrete Laplace noise of scale 1/ε that
moves by 1; along the path, by a failure with δ·(1 + e^ε + … + e^{(g-1)ε}) and that noise moved by
g. From below such noise is one of the mechanisms, and a group moves it so far.

Sources: certs/SPEC.md, section 11.23; Dong, Roth & Su 2022, Theorem 2.14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, cast

from ..arithmetic.signs import sign
from ..format.numbers import normal_form, rational_text
from ..format.outcomes import RejectedError
from ..format.shapes import array, rational
from ..format.strict_json import Json, read_canonical
from ..kernel import Bounds, Form, Judgement
from ..statement import INTERACTIONS, Statement, Subject
from .by_noise import read_noise
from .discrete_noise import ON_INTEGERS
from .entries import Mechanism
from .groups import covers, read_deltas, scaled
from .ledger import ALL_FAMILIES, Entry, Ledger
from .rule import EITHER, BoundRule, optional, parameter, read_digits

_Parts = Mapping[str, Json]


def _read_scales(value: Json) -> tuple[Fraction, ...]:
    scales = tuple(rational(each, "a scale") for each in array(value, "scales"))
    if not all(scales):
        raise RejectedError("a scale is 0")
    return scales


@dataclass(frozen=True)
class GroupNoise(BoundRule[Ledger, Bounds]):
    """A bound for a group, from one about mechanisms that are noise for the group."""

    name: ClassVar[str] = "group-noise"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    premises: ClassVar[tuple[Form, ...]] = (Form(Ledger),)
    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    keys: ClassVar[tuple[str, ...]] = ("bound", "delta", "epsilon", "group")

    digits: int = parameter(read_digits)
    scales: tuple[Fraction, ...] = parameter(_read_scales)
    deltas: tuple[Fraction, ...] | None = optional(read_deltas)

    def theorems(self, statement: Statement) -> Sequence[str]:
        """Any: the theorem is that of the premise; noise is drawn for one answer."""
        return (statement.theorem,) if statement.interaction == INTERACTIONS[0] else ()

    def require(self, ledger: Ledger) -> None:
        """From below a failure is one for a group too."""
        if (self.deltas is None) != (self.bound.kind == "lower"):
            raise RejectedError("deltas belong to an upper bound, and to no other")
        if self.bound.group == 1:
            raise RejectedError("a group of 1 is none")
        given = [len(self.scales), *([] if self.deltas is None else [len(self.deltas)])]
        if any(length != len(ledger.mechanisms) for length in given):
            raise RejectedError("not as many scales or deltas as mechanisms")

    def about(self, ledger: Ledger, _premise: int) -> Subject:
        """The mechanisms as noise for the group."""
        self.require(ledger)
        return Ledger.merged(self._for_group(ledger)).among(ledger.relation)

    def _for_group(self, ledger: Ledger) -> Iterator[Entry]:
        group = self.bound.group
        deltas = self.deltas or [each.delta for each in ledger.mechanisms]
        for each, scale, delta in zip(ledger.mechanisms, self.scales, deltas, strict=True):
            if each.positive:
                text, shift = rational_text(scale), str(group)
                yield _noise({"discrete_laplace": {"scale": text, "shifts": [shift]}}, each.count)
            if delta or not each.positive:
                yield Mechanism(normal_form([], []), delta, each.count, positive=False)
        yield from scaled(ledger.gaussian, group)
        yield from scaled(ledger.concentrated, group)
        for noisy in ledger.by_noise:
            [(family, parts), *others] = cast("_Parts", read_canonical(noisy.text)).items()
            if others or family not in _MOVED:
                raise RejectedError(f"has no noise for a group for {family}")
            yield _noise({family: _MOVED[family](parts, group)}, noisy.count)

    def conclude(self, ledger: Ledger, premises: Sequence[Bounds]) -> Judgement:
        """The bound of the premise, which is of its kind and about neighbours."""
        [premise] = premises
        if (premise.bound.kind, premise.bound.group) != (self.bound.kind, 1):
            raise RejectedError("the premise is of another kind, or about groups itself")
        return super().conclude(ledger, premises)

    def check_given(self, ledger: Ledger, premises: Sequence[Bounds]) -> None:
        """Scales and deltas on the safe side; and the bound of the premise."""
        upper = self.bound.kind == "upper"
        for each, scale in zip(ledger.mechanisms, self.scales, strict=True):
            if each.positive:
                order = sign(each.epsilon.scaled(scale) - normal_form([Fraction(1)], []))
                if order > 0 if upper else order < 0:
                    raise RejectedError("a scale is not on the safe side of 1/ε")
        for each, delta in zip(ledger.mechanisms, self.deltas or (), strict=False):
            if not covers(delta, each.delta, each.epsilon, self.bound.group, self.digits):
                raise RejectedError(
                    "one of the deltas is not proved to be at least that of g steps"
                )
        [given] = (premise.bound for premise in premises)
        if (self.bound.epsilon, self.bound.delta) != (given.epsilon, given.delta):
            raise RejectedError("epsilon and delta are not those of the premise")


def _noise(value: dict[str, Json], count: int) -> Entry:
    return read_noise({**value, "count": str(count)})


def _times(value: Json, group: int) -> Json:
    return rational_text(rational(value, "a parameter") * group)


def _moved(key: str) -> Callable[[Json, int], Json]:
    """The parameters of noise with the parameter of that key times g, or all of a list."""

    def moved(value: Json, group: int) -> Json:
        parts = cast("_Parts", value)
        own = parts[key]
        many = [_times(each, group) for each in own] if isinstance(own, list) else None
        return {**parts, key: _times(own, group) if many is None else many}

    return moved


_MOVED: Final[Mapping[str, Callable[[Json, int], Json]]] = {
    "bounded_range": _times,
    "laplace": _moved("sensitivity"),
    **{key: _moved("shifts") for key in ON_INTEGERS},
}
"""What noise is for a group, by its family."""
