r"""Dials: the numbers of a ledger that may be turned until it keeps a budget.

Rules of this file: a dial turns one way: each further ledger reveals at least as much as those
before it. A factor for all mechanisms and the noise of one are dials, as a mechanism with less
noise dominates one with more; so are an ε, a ρ and a range; a rate of sampling is one, as the
profile of a sampled mechanism grows with it; and so is a count, of one mechanism or of all.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorems 10 and 11 (domination, and sampling).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_noise
from exactdp.mechanisms import Entry
from exactdp.mechanisms.checks import MAX_COUNT
from exactdp.mechanisms.entries import KEYS
from exactdp.mechanisms.keys import listed
from exactdp.mechanisms.sampled import resampled

_FARTHEST: Final = mpq(2) ** 40


@dataclass(frozen=True, slots=True)
class MonotoneParameter:
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


def scale_dial(ledger: Ledger, hold: tuple[str, ...]) -> MonotoneParameter:
    """The factor of all mechanisms that are not held."""
    return MonotoneParameter(
        "scale",
        lambda factor: scale_noise(ledger, factor, hold),
        mpq(1),
        True,
        1 / _FARTHEST,
        _FARTHEST,
    )


def noise_dial(ledger: Ledger, index: int) -> MonotoneParameter:
    """The noise of one mechanism; its ε, ρ or range where it is given by that.

    Raises:
        UnsupportedError: it is a table, or a list of Rényi divergences.
    """
    promise = ledger.mechanisms[index].promise()
    if promise is not None:
        return _promise_dial(ledger, index, *promise)
    try:
        name, now = ledger.mechanisms[index].noise()
    except UnsupportedError as error:
        raise error.located(f"mechanisms[{index}]") from None
    return MonotoneParameter(
        name,
        lambda noise: _changed(ledger, index, ledger.mechanisms[index].with_noise(noise)),
        now,
        False,
        now / _FARTHEST,
        now * _FARTHEST,
    )


def _promise_dial(ledger: Ledger, index: int, name: str, now: mpq) -> MonotoneParameter:
    start = now or mpq(1)
    return MonotoneParameter(
        name,
        lambda size: _changed(ledger, index, ledger.mechanisms[index].with_promise(size)),
        start,
        True,
        start / _FARTHEST,
        start * _FARTHEST,
    )


def rate_dial(ledger: Ledger, index: int) -> MonotoneParameter:
    """The rate at which one mechanism samples, 1 where it does not.

    Raises:
        UnsupportedError: sampling is not known to amplify what it is given by.
    """
    entry = ledger.mechanisms[index].between(ledger.neighbouring)
    if not entry.can_be_sampled:
        raise UnsupportedError(
            field="mechanism",
            value=entry.label or type(entry).__name__,
            path=f"mechanisms[{index}]",
            expected="a mechanism with a rate, or one that a Poisson sample amplifies: "
            f"{listed(KEYS['rate'].joins)}",
            remedy="ask how many more fit (--count-of LABEL), or for another number of this one "
            "(--noise-of LABEL)",
        )
    return MonotoneParameter(
        "rate",
        lambda rate: _changed(ledger, index, resampled(entry, rate)),
        entry.sampling_rate,
        True,
        entry.sampling_rate / _FARTHEST,
        mpq(1),
    )


def count_dial(ledger: Ledger, index: int) -> MonotoneParameter:
    """How often one mechanism is there, at least as often as it is."""
    entry = ledger.mechanisms[index]
    most = mpq(MAX_COUNT - ledger.size + entry.count)
    return MonotoneParameter(
        "count",
        lambda count: _changed(ledger, index, entry.times(int(count))),
        mpq(entry.count),
        True,
        mpq(entry.count),
        most,
        True,
    )


def runs_dial(ledger: Ledger) -> MonotoneParameter:
    """How often all mechanisms are run, at least once."""
    return MonotoneParameter(
        "count",
        lambda runs: replace(
            ledger,
            mechanisms=tuple(each.times(each.count * int(runs)) for each in ledger.mechanisms),
            claims=(),
        ),
        mpq(1),
        True,
        mpq(1),
        mpq(MAX_COUNT // ledger.size),
        True,
    )


def _changed(ledger: Ledger, index: int, entry: Entry) -> Ledger:
    """The ledger with another mechanism at a place; claims are left out."""
    mechanisms = list(ledger.mechanisms)
    mechanisms[index] = entry
    return replace(ledger, mechanisms=tuple(mechanisms), claims=())
