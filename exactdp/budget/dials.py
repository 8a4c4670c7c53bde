r"""Dials: the numbers of a ledger that may be turned until it keeps a budget.

Rules of this file: a dial turns one way: each further ledger reveals at least as much as those
before it. A factor for all mechanisms and the noise of one are dials, as a mechanism with less
noise dominates one with more; a rate of sampling is one, as the profile of a sampled mechanism
grows with it; and so is a count.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorems 10 and 11 (domination, and sampling).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.errors import UnsupportedError
from exactdp.ledger.checks import MAX_COUNT
from exactdp.ledger.model import Entry, Ledger
from exactdp.ledger.noise import SampledMechanism
from exactdp.ledger.scaling import noise_of, replace_count, replace_noise, scale_noise

_FARTHEST: Final = mpq(2) ** 40


@dataclass(frozen=True, slots=True)
class Dial:
    """One number of a ledger, and how it is turned.

    Attributes:
        name: what the number is.
        ledger: the ledger with another number there.
        now: the number as it is.
        rising: whether a greater number reveals more; a smaller one does otherwise.
        least: the least number that makes sense.
        most: the greatest.
        whole: whether it is a whole number.
    """

    name: str
    ledger: Callable[[mpq], Ledger]
    now: mpq
    rising: bool
    least: mpq
    most: mpq
    whole: bool = False


def scale_dial(ledger: Ledger, hold: tuple[str, ...]) -> Dial:
    """The factor of all mechanisms that are not held."""
    return Dial(
        "scale",
        lambda factor: scale_noise(ledger, factor, hold),
        mpq(1),
        True,
        1 / _FARTHEST,
        _FARTHEST,
    )


def noise_dial(ledger: Ledger, index: int) -> Dial:
    """The noise of one mechanism.

    Raises:
        UnsupportedError: it is not given by its noise.
    """
    name, now = noise_of(ledger.mechanisms[index])
    return Dial(
        name,
        lambda noise: _changed(ledger, index, replace_noise(ledger.mechanisms[index], noise)),
        now,
        False,
        now / _FARTHEST,
        now * _FARTHEST,
    )


def rate_dial(ledger: Ledger, index: int) -> Dial:
    """The rate at which one mechanism samples.

    Raises:
        UnsupportedError: it does not sample.
    """
    entry = ledger.mechanisms[index]
    if not isinstance(entry, SampledMechanism):
        raise UnsupportedError(
            field="mechanism",
            value=entry.label or type(entry).__name__,
            expected="a mechanism on a Poisson sample, which has a rate",
        )
    return Dial(
        "rate",
        lambda rate: _changed(ledger, index, replace(entry, rate=rate)),
        entry.rate,
        True,
        entry.rate / _FARTHEST,
        mpq(1),
    )


def count_dial(ledger: Ledger, index: int) -> Dial:
    """How often one mechanism is there, at least as often as it is."""
    entry = ledger.mechanisms[index]
    most = mpq(MAX_COUNT - ledger.size + entry.count)
    return Dial(
        "count",
        lambda count: _changed(ledger, index, replace_count(entry, int(count))),
        mpq(entry.count),
        True,
        mpq(entry.count),
        most,
        True,
    )


def _changed(ledger: Ledger, index: int, entry: Entry) -> Ledger:
    """The ledger with another mechanism at a place; claims are left out."""
    mechanisms = list(ledger.mechanisms)
    mechanisms[index] = entry
    return replace(ledger, mechanisms=tuple(mechanisms), claims=())
