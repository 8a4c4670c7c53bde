r"""Clips: the most that one record moves a sum, of records that are sampled.

Rules of this file: a mechanism is known by its shape without a rate, as ``exactdp-ledger/1`` has
it; a removal moves the sum by the clip, a replacement by twice that, so that the noise on it is
that of a removal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import mpq

from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.checks import positive

if TYPE_CHECKING:
    from exactdp.ledger.mechanisms import NoiseShape


def reach_of(shape: NoiseShape) -> mpq | None:
    """By how much a record moves the sum; of Gaussian noise, over its deviation; None of others.

    >>> reach_of({"discrete_laplace": {"scale": mpq(1), "shifts": [3]}})
    mpq(3,1)
    """
    if "mu" in shape:
        return mpq(shape["mu"])
    parts = next(iter(shape.values()))
    if not isinstance(parts, dict):
        return None
    reach = parts.get("sensitivity", parts.get("shifts"))
    return None if reach is None else mpq(reach[0] if isinstance(reach, list) else reach)


def checked_clip(shape: NoiseShape, rate: mpq, clip: object) -> mpq:
    """The clip, which is the sensitivity, or the shift.

    Raises:
        InputError: it is not, or stands beside something else than noise on a sampled sum.
    """
    known, reach = positive(clip, "clip"), reach_of(shape)
    if reach is None:
        raise UnsupportedError(
            field="clip",
            value=str(known),
            expected="beside sigma, laplace, discrete_laplace or discrete_gaussian: noise on a sum",
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
    if not reach or ("mu" not in shape and reach != known):
        raise InputError(
            field="clip",
            value=str(known),
            expected=f"what a removal moves the sum by: that of the base is {reach}",
        )
    return known


def clipped_shape(shape: NoiseShape, rate: mpq, clip: mpq) -> NoiseShape:
    """The noise, the clip and the rate."""
    (family, parts), *_ = shape.items()
    known: NoiseShape = (
        {"sigma": clip / parts}
        if family == "mu"
        else {family: {key: part for key, part in parts.items() if key in ("scale", "variance")}}
    )
    return {**known, "clip": clip, "rate": rate}


def missing_clip(shape: NoiseShape, rate: mpq) -> UnsupportedError | None:
    """What is said of a sensitivity alone, where a record is replaced; None of other noise."""
    reach = reach_of(shape)
    if reach is None:
        return None
    normal, whole = "mu" in shape, any("shifts" in str(part) for part in shape.values())
    beside = "sigma=1, " if normal else ""
    removed, replaced = (f"{beside}clip={each}, rate={rate}" for each in (reach, reach / 2))
    halved = f", {replaced} if it is what a replacement moves"
    return UnsupportedError(
        field="shifts" if whole else "sensitivity",
        value=f"{reach}{' sigma' if normal else ''} beside the rate {rate}, with replace-one",
        expected="clip beside a rate where a record is replaced: the most that one record moves "
        "the sum; removing it moves the sum by the clip, replacing it by twice that",
        remedy=f"write {removed} if {reach} is what a removal moves"
        + ("" if whole and (reach / 2).denominator > 1 else halved),
    )
