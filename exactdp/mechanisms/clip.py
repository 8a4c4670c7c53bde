r"""What a clip says: the most that one record moves a sum, by itself and in an entry."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms.checks import positive
from exactdp.mechanisms.keys import IN_BATCHES, listed

if TYPE_CHECKING:
    from exactdp.mechanisms.family import Sampleable
    from exactdp.mechanisms.keys import JsonEntry, TextOf


def checked_clip(base: Sampleable, rate: mpq, clip: Number, reaches: Iterable[str]) -> mpq:
    """The clip, which is the sensitivity, or the shift.

    Raises:
        InputError: it is not, or stands beside something else than noise on a sampled sum.
    """
    known, reach = positive(clip, "clip"), base.reach()
    if reach is None:
        raise UnsupportedError(
            field="clip",
            value=str(known),
            expected=f"beside {listed(reaches)}: noise on a sum",
            remedy="leave it out",
        )
    if rate == 1:
        raise UnsupportedError(
            field="clip",
            value=f"{known} at the rate 1",
            expected="a rate below 1 beside a clip",
            remedy=f"write the sensitivity in place of both: {known} where a record is added or "
            f"removed, {2 * known} where one is replaced",
        )
    if not reach or not (base.REACH_IS_RELATIVE or reach == known):
        raise InputError(
            field="clip",
            value=str(known),
            expected=f"what a removal moves the sum by: that of the base is {reach}",
        )
    return known


def missing_clip(base: Sampleable, rate: mpq) -> UnsupportedError:
    """What is said of a sensitivity alone, where a record is replaced."""
    reach = base.reach() or mpq(0)
    whole, noise = base.ON_INTEGERS, base.reach_beside()
    beside = f"{noise}, " if noise else ""
    removed, replaced = (f"{beside}clip={each}, rate={rate}" for each in (reach, reach / 2))
    unit = {"": "", "sigma=1": " sigma"}.get(noise, f" for {noise}")
    halved = f", {replaced} if it is what a replacement moves"
    return UnsupportedError(
        field=base.REACH_KEY,
        value=f"{reach}{unit} beside the rate {rate}, with replace-one",
        expected="clip beside a rate where a record is replaced: the most that one record moves "
        "the sum; removing it moves the sum by the clip, replacing it by twice that",
        remedy=f"write {removed} if {reach} is what a removal moves"
        + ("" if whole and (reach / 2).denominator > 1 else halved),
    )


# --- in an entry --------------------------------------------------------------------------------


def removal_of(entry: JsonEntry, reaches: Mapping[str, str], text_of: TextOf = str) -> JsonEntry:
    """The entry with what a removal moves the sum by in the place of its clip.

    Args:
        entry: the entry.
        reaches: the keys of noise on a sum, with what may stand in the place of a clip.
        text_of: the text of a number.

    Raises:
        InputError: a clip does not belong there.

    >>> removal_of({"sigma": "2", "clip": "3", "rate": "1/10"}, {"sigma": "sensitivity"})
    {'sigma': '2', 'rate': '1/10', 'sensitivity': '3'}
    """
    clip, key = text_of(entry["clip"]), next((key for key in reaches if key in entry), "")
    own = entry.get(key)
    parts: JsonEntry = own if isinstance(own, Mapping) else entry
    _check_beside(key, {*parts, *entry}, clip, reaches)
    positive(clip, "clip")
    moved: dict[str, Any] = {reaches[key]: [clip] if reaches[key] == "shifts" else clip}
    others = {name: value for name, value in entry.items() if name != "clip"}
    return {**others, **(moved if parts is entry else {key: {**parts, **moved}})}


def _check_beside(key: str, given: Container[str], clip: str, reaches: Mapping[str, str]) -> None:
    """See that a clip stands beside noise on a sum and a rate, and beside no sensitivity."""
    if not key or any(each in given for each in IN_BATCHES):
        raise UnsupportedError(
            field="clip", value=clip, expected=f"a rate and one of {listed(reaches)} beside it"
        )
    if reaches[key] in given:
        raise InputError(
            field=reaches[key],
            value="beside clip",
            expected="one of the two: a clip is what a removal moves the sum by",
            remedy=f"leave {reaches[key]} out",
        )
    if "rate" not in given:
        raise InputError(
            field="clip",
            value=clip,
            expected="a rate beside it: a clip is of records that are sampled",
            remedy=f"write {reaches[key]} in its place: by how much neighbours differ, twice the "
            "clip where a record is replaced",
        )


def about_the_clip(error: InputError, reaches: Mapping[str, str]) -> InputError:
    """An error about what a removal moves the sum by, as one about the clip that says it."""
    if error.field not in reaches.values():
        return error
    return type(error)(field="clip", value=error.value, expected=error.expected, code=error.code)
