r"""Points at which a pair of laws, or a sum, is looked at, as a plan lists them.

Sources: certs/SPEC.md, section 11.5.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..arithmetic.dots import Points
from ..format.numbers import size
from ..format.outcomes import MalformedError
from ..format.shapes import integer, rational
from ..format.strict_json import Json
from .pairs_of_laws import MAX_LOSS

MAX_UNIT_BITS: Final = 256
_MAX_INDEX: Final = 10**9
_OF_A_WINDOW: Final = 2
_OF_A_SECTION: Final = 3
_OF_SECTIONS: Final = range(3, 130, 2)


def read_points(value: list[Json]) -> Points:
    """The first and the last, with steps of 1; or the first, and for each section its step and end.

    One section with steps of 1 has the shorter form.
    """
    if len(value) == _OF_A_WINDOW:
        value = [value[0], "1", value[1]]
    elif len(value) not in _OF_SECTIONS or (len(value) == _OF_A_SECTION and value[1] == "1"):
        raise MalformedError("a window does not have 2, or 3, 5, …, 129 numbers")
    end = first = _read_loss(value[0])
    sections = []
    for step_text, end_text in zip(value[1::2], value[2::2], strict=True):
        step, before = integer(step_text, 1, _MAX_INDEX, "step"), end
        end = _read_loss(end_text)
        if before >= end:
            raise MalformedError("a window's first loss is not below its last")
        if (end - before) % step:
            raise MalformedError("a section of a window is not a multiple of its step")
        sections.append((step, end))
    return Points(first, tuple(sections))


def _read_loss(value: Json) -> int:
    return integer(value, -_MAX_INDEX, _MAX_INDEX, "loss")


def read_mesh_unit(value: Json) -> Fraction:
    """A rational from 10^-12 to 1000."""
    unit = rational(value, "unit")
    if not Fraction(1, 10**12) <= unit <= MAX_LOSS or size(unit) > MAX_UNIT_BITS:
        raise MalformedError("unit is not a short rational from 1e-12 to 1000")
    return unit
