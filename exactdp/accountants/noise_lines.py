r"""Mechanisms by their noise as accountants are asked about them: events in doubles.

Rules of this file: as in :mod:`exactdp.accountants.doubles`; noise and variances are rounded down,
rates and ρ up, so that the question is at least as hard as the ledger's.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

from gmpy2 import mpq

from exactdp.accountants.doubles import double_near
from exactdp.arithmetic.numbers import ExactNumber, as_number
from exactdp.errors import UnsupportedError
from exactdp.mechanisms import Entry, EntryShape

NumberText: TypeAlias = Callable[[ExactNumber, int, str], str]
"""The text of a double at least (1) or at most (-1) a number of a field."""
_SIDES: Final = {
    **dict.fromkeys(("sigma", "scale", "variance"), -1),
    **dict.fromkeys(("rate", "rho", "epsilon", "delta", "bounded_range", "odds"), 1),
    **dict.fromkeys(("sensitivity", "clip", "shifts", "p", "q", "count", "reports", "values"), 0),
}
"""To which side a number is rounded by its key: 0 stays as it is, and others are not asked."""


def entry_text(entry: Entry, text: NumberText) -> str | None:
    """The JSON of an entry; None for Gaussian noise without end.

    Raises:
        UnsupportedError: no accountant speaks of such a mechanism, or no doubles say what it is.
    """
    if entry.implied_mu_squared() == 0:
        return None
    try:
        return _object({**entry.event(), "count": entry.count}, text)
    except KeyError:
        raise UnsupportedError(
            field="mechanism",
            value=entry.label or type(entry).__name__,
            expected="mechanisms that accountants speak about",
        ) from None


def _object(shape: EntryShape, text: NumberText) -> str:
    parts = (f'"{key}": {_value(key, value, text)}' for key, value in shape.items())
    return f"{{{', '.join(parts)}}}"


def _value(key: str, value: Any, text: NumberText) -> str:  # noqa: ANN401 (of a shape)
    if isinstance(value, dict):
        return _object(value, text)
    side = _SIDES[key]
    if side:
        return text(as_number(value, key), side, key)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_exact, value))}]"
    return _exact(value)


def _exact(value: int | mpq) -> str:
    """A whole number, or one that a double holds exactly.

    Raises:
        UnsupportedError: none does: rounded, a table is that of another mechanism.
    """
    if isinstance(value, int):
        return str(value)
    double = double_near(ExactNumber(value))
    if mpq(Fraction(double)) != value:
        raise UnsupportedError(
            field="pair",
            value=str(value),
            expected="probabilities that doubles hold exactly, to ask an accountant",
        )
    return repr(double)


def fixed_size_text(entry: Entry, text: NumberText) -> str:
    """The JSON of a step on batches of a fixed size, of which an entry is one pair of inputs."""
    noise, batch, examples = fixed_size_step(entry)
    sigma = text(ExactNumber(noise), -1, "sigma")
    step = f'{{"sigma": {sigma}, "clip": 1.0, "examples": {examples}, "batch": {batch}}}'
    return f'{{"fixed_size": {step}, "count": {entry.count}}}'


def fixed_size_step(entry: Entry) -> tuple[mpq, int, int]:
    """Noise relative to the bound on one record, and how many records of how many are in a batch.

    A replaced record moves a sum by twice that bound, and is in a batch at the rate of the entry.

    Raises:
        UnsupportedError: it is that of no such step.
    """
    base, rate = entry.sampled_base(), entry.sampling_rate
    if not base.implied_mu_squared():
        raise UnsupportedError(
            field="mechanism", value=type(base).__name__, expected="Gaussian noise on batches"
        )
    return 2 * base.event()["sigma"], int(rate.numerator), int(rate.denominator)
