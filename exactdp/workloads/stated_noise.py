r"""Noise as a log states it, which the aggregate of a statement makes a mechanism.

Purpose: noise of a scale says how private an answer is only beside the sensitivity of the answer.

Rules of this file: noise without a sensitivity is no mechanism; a sensitivity or a clip that is
stated is at least the aggregate's own, or refused. A guarantee (ε, ρ, μ, a bounded range, a pair of
laws) is about the answer as a whole, and is taken as it is stated.

Theory of operation: of two mechanisms with the same noise that is log-concave, the one whose answer
moves farther is the less private, so that a sensitivity may be stated too great but not too small.
Of several shifts, which are those of several coordinates, the greatest counts for one answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.flat_cells import mechanism_of_cells
from exactdp.ledger.formats.inline import parse_inline
from exactdp.mechanisms import (
    Entry,
    Mechanism,
)

_MOVED: Final = ("clip", "sensitivity", "shifts")
"""What states how far a row moves an answer."""


@dataclass(frozen=True, slots=True)
class StatedNoise:
    """Noise of a scale, beside a sensitivity or without one.

    Attributes:
        unit: the mechanism that it is beside the sensitivity that is stated, or else beside 1.
        field: what states a sensitivity, or "" where nothing does.
        stated: the sensitivity that is stated, or else 1.
    """

    unit: Entry
    field: str
    stated: mpq

    def on(self, sensitivity: mpq) -> Entry:
        """The mechanism that answers with this noise, where a row moves the answer so far.

        Raises:
            InputError: the sensitivity that is stated is below that.
        """
        if self.field:
            _require_as_far(self.field, self.stated, sensitivity)
            return self.unit
        return self.unit.moved(sensitivity) if sensitivity else Mechanism(0)


def noise_in_comment(cells: Mapping[str, str]) -> Entry | StatedNoise:
    """What flat cells state, one of which names the family.

    ``{"scale": …}`` is Laplace noise, of which no more is taken than the ε that it implies.

    Raises:
        InputError: a cell that does not belong there, or a value out of range.
    """
    if "scale" in cells:
        scale = as_rational(cells["scale"], "scale")
        if scale <= 0:
            raise DomainError(field="scale", value=cells["scale"], expected="a number above 0")
        return StatedNoise(Mechanism(1 / scale), "", mpq(1))
    return _stated(mechanism_of_cells(cells), cells)


def noise_in_option(text: str) -> Entry | StatedNoise:
    """What the option ``--each`` states.

    Raises:
        InputError: no mechanism, or several.

    >>> noise_in_option("laplace=10,sensitivity=3").stated
    mpq(3,1)
    >>> noise_in_option("mu=1/2")
    <GaussianMechanism: mu=0.5>
    """
    entry = parse_inline(text)
    if entry.count != 1:
        raise InputError(
            field="--each", value=text, expected="the parameters of one mechanism, without a count"
        )
    parts = (part.partition("=") for part in text.split(","))
    return _stated(entry, {name.strip(): value.partition("*")[0] for name, _, value in parts})


def mechanism_on(stated: Entry | StatedNoise, sensitivity: Fraction, label: str) -> Entry:
    """The mechanism that answers a statement, where a row moves the answer so far.

    Raises:
        InputError: noise of a sensitivity below that.
    """
    moved = mpq(sensitivity.numerator, sensitivity.denominator)
    if isinstance(stated, StatedNoise):
        entry = stated.on(moved)
    else:
        entry = stated
        _require_far_enough(entry, moved)
    return entry.changed(label=label)


def _stated(entry: Entry, cells: Mapping[str, str]) -> Entry | StatedNoise:
    """Noise, if the mechanism of these cells is one by noise and not by a guarantee."""
    base = entry.sampled_base()
    if not base.REACH_KEY or (
        base.REACH_IS_RELATIVE and cells.keys().isdisjoint(("sigma", "variance"))
    ):
        return entry
    field = next((key for key in _MOVED if key in cells), "")
    shifts = cells[field].split("+") if field else ["1"]
    return StatedNoise(entry, field, max(as_rational(each.strip(), field) for each in shifts))


def _require_far_enough(entry: Entry, moved: mpq) -> None:
    """Refuse a mechanism by noise whose sensitivity is below the answer's own."""
    field, stated = entry.furthest() or ("", moved)
    _require_as_far(field, stated, moved)


def _require_as_far(field: str, stated: mpq, moved: mpq) -> None:
    if stated < moved:
        raise InputError(
            field=field,
            value=str(stated),
            expected=f"at least {moved}, by which one row moves this answer",
            remedy=f"leave it out, and {moved} is taken, or narrow the bounds of the sum",
        )
