r"""Statistics that share a budget: what is asked, with which noise, and how much it matters.

Rules of this file: values are exact and frozen; what no noise could do is refused when the
statistic is made, with the field at fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.noise_errors import (
    DIGITS_OF_ERRORS,
    FAMILIES,
    Accuracy,
    NoiseFamily,
)
from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms import Entry
from exactdp.mechanisms.checks import MAX_COUNT, checked_count, checked_text, positive

DEFAULT_CONFIDENCE: Final = "0.95"
MOST_STATISTICS: Final = 1000
MOST_SHIFT: Final = 10**6
LEAST_DELTA: Final = mpq(1, 10**200)
GREATEST: Final = mpq(10**12)
_LEAST_MISS: Final = mpq(1, 10**15)
_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False)
class AccuracyTarget:
    """An error that a statistic shall not exceed: on average, or with some confidence.

    Attributes:
        error: the largest error allowed, above 0.
        confidence: how often it shall be kept; None means E|Y|.
    """

    error: mpq
    confidence: mpq | None

    def __init__(self, error: Number, confidence: Number | None = None) -> None:
        """Check and normalise."""
        _set(self, "error", positive(error, "within" if confidence is not None else "expected"))
        _set(self, "confidence", None if confidence is None else checked_confidence(confidence))


@dataclass(frozen=True, slots=True, init=False)
class Statistic:
    """One number, or ``count`` numbers alike, each answered with noise of its own.

    Attributes:
        name: what it is called; no two of one list share a name.
        noise: "laplace", "discrete_laplace", "gaussian" or "discrete_gaussian".
        sensitivity: by how much the answer moves between neighbours; whole for discrete noise.
        count: how many there are.
        delta: the δ of each beside an ε that is fixed, for (discrete) Gaussian noise; else 0.
        weight: how much the expected error of each counts; 0 beside a target means "the target and
            no more".
        target: an error not to be exceeded, or None.
        epsilon: ε where it is fixed, or None.
        scale: the scale of the noise where that is fixed, or None.
    """

    name: str
    noise: str
    sensitivity: mpq
    count: int
    delta: mpq
    weight: mpq
    target: AccuracyTarget | None
    epsilon: mpq | None
    scale: mpq | None

    def __init__(  # noqa: PLR0913 (one argument for each column)
        self,
        name: str,
        noise: str = "laplace",
        *,
        sensitivity: Number = 1,
        count: int = 1,
        delta: Number = 0,
        weight: Number | None = None,
        target: AccuracyTarget | None = None,
        epsilon: Number | None = None,
        scale: Number | None = None,
    ) -> None:
        """Check and normalise the fields."""
        _set(self, "name", _checked_name(name))
        if noise not in FAMILIES:
            raise InputError(field="noise", value=noise, expected=" or ".join(FAMILIES))
        _set(self, "noise", noise)
        family = FAMILIES[noise]
        _set(self, "sensitivity", _checked_sensitivity(sensitivity, family))
        _set(self, "count", checked_count(count))
        if epsilon is not None and scale is not None:
            raise InputError(
                field="scale", value=str(scale), expected="one of epsilon and scale, or neither"
            )
        _set(self, "delta", _checked_delta(delta, family, is_fixed=epsilon is not None))
        _set(self, "weight", _checked_weight(weight, target))
        _set(self, "target", target)
        _set(self, "epsilon", None if epsilon is None else _checked_size(epsilon, "epsilon"))
        _set(self, "scale", None if scale is None else _checked_size(scale, "scale"))

    def fixed(self, epsilon: Number) -> Statistic:
        """The statistic with its ε decided, its other fields as they are."""
        return replace(self, epsilon=_checked_size(epsilon, "epsilon"), scale=None)

    @property
    def family(self) -> NoiseFamily:
        """The noise, as what computes with it."""
        return FAMILIES[self.noise]

    @property
    def adds_up(self) -> bool:
        """Whether many of the family are as easy to compose as one."""
        return self.family.adds_up

    def entry(self, scale: mpq) -> Entry:
        """All its answers with noise of this scale, as a ledger has them.

        Raises:
            DomainError: the family has no noise of this scale.
        """
        return self.family.entry(scale, self.sensitivity, self.count, self.name)

    def accuracy(self, scale: mpq, confidence: mpq) -> Accuracy:
        """The errors of each answer at this scale, certain."""
        return self.family.accuracy(scale, confidence)

    def weighted_error(self, scale: mpq) -> mpq:
        """Weight times expected error, over all its answers, at this scale; an upper end."""
        if not self.weight:
            return mpq(0)
        error = round_above(self.family.expected(scale), DIGITS_OF_ERRORS)
        return self.weight * self.count * error

    def meets(self, target: AccuracyTarget, scale: mpq) -> bool:
        """Whether the target is certain to be met at this scale."""
        return self.family.error(scale, target.confidence) <= target.error


def checked_statistics(statistics: Iterable[Statistic]) -> tuple[Statistic, ...]:
    """Statistics of which no two share a name; one at least.

    Raises:
        InputError: none, too many, or a name that stands twice.
    """
    checked = tuple(statistics)
    for each in checked:
        if not isinstance(each, Statistic):
            raise InputError(
                field="statistics", value=each, expected="exactdp.allocation.statistics.Statistic"
            )
    if not 1 <= len(checked) <= MOST_STATISTICS:
        raise InputError(
            field="statistics",
            value=f"{len(checked)} statistics",
            expected=f"1 to {MOST_STATISTICS} statistics",
            remedy="equal ones are one entry with a count" if checked else "",
        )
    if sum(each.count for each in checked) > MAX_COUNT:
        raise InputError(
            field="count",
            value=str(sum(each.count for each in checked)),
            expected="at most 10^18 answers of all statistics",
        )
    names = [each.name for each in checked]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise InputError(
                field="name",
                value=name,
                path=f"$.statistics[{index}].name",
                expected="a name that no other statistic has",
                remedy="equal ones are one entry with a count",
            )
    return checked


def checked_confidence(value: Number) -> mpq:
    """A probability at least 1/2 and below 1."""
    confidence = as_rational(value, "confidence")
    if not mpq(1, 2) <= confidence <= 1 - _LEAST_MISS:
        raise DomainError(
            field="confidence",
            value=str(confidence),
            expected="a rational from 0.5 to 1 - 1e-15",
        )
    return confidence


def _checked_size(value: Number, field: str) -> mpq:
    """An ε or a scale: a rational above 0, of a size that noise can have."""
    size = positive(value, field)
    if not 1 / GREATEST <= size <= GREATEST:
        raise DomainError(field=field, value=str(size), expected="a rational from 1e-12 to 1e12")
    return size


def _checked_name(value: object) -> str:
    name = checked_text(value, "name")
    if not name.strip():
        raise InputError(field="name", value=name, expected="text that is not blank")
    return name


def _checked_sensitivity(value: Number, family: NoiseFamily) -> mpq:
    sensitivity = positive(value, "sensitivity")
    if family.is_discrete and sensitivity.denominator != 1:
        raise DomainError(
            field="sensitivity",
            value=str(sensitivity),
            expected=f"a whole number for {family.name} noise",
            remedy="count in units in which answers are whole numbers",
        )
    most = mpq(MOST_SHIFT) if family.is_discrete else GREATEST
    if not 1 / GREATEST <= sensitivity <= most:
        raise DomainError(
            field="sensitivity",
            value=str(sensitivity),
            expected=f"a rational from 1e-12 to {most} for {family.name} noise",
        )
    return sensitivity


def _checked_delta(value: Number, family: NoiseFamily, *, is_fixed: bool) -> mpq:
    delta = as_rational(value, "delta")
    if family.is_pure and delta:
        raise DomainError(
            field="delta",
            value=str(delta),
            expected=f"0, for {family.name} noise",
            remedy="leave the key out",
        )
    if is_fixed and not family.is_pure and not delta:
        raise DomainError(
            field="delta",
            value="0",
            expected=f"a δ of its own beside the ε of {family.name} noise",
            remedy="name its δ, or its noise by the key scale instead",
        )
    if delta and not LEAST_DELTA <= delta < mpq(1, 2):
        raise DomainError(
            field="delta", value=str(delta), expected="a rational from 1e-200 and below 1/2"
        )
    return delta


def _checked_weight(value: Number | None, target: AccuracyTarget | None) -> mpq:
    if value is None:
        return mpq(0) if target else mpq(1)
    weight = as_rational(value, "weight")
    if not 0 <= weight <= GREATEST or (weight and weight < 1 / GREATEST):
        raise DomainError(
            field="weight", value=str(weight), expected="0, or a rational from 1e-12 to 1e12"
        )
    if not weight and target is None:
        raise DomainError(
            field="weight",
            value="0",
            expected="a weight above 0, or a target",
            remedy="leave the statistic out, with --without",
        )
    return weight
