r"""Certificates of both ends of a workload, each where it is foreseen to fit a time limit.

Purpose: ends that were found by rounding many different parameters to few are proved about the
workload as it is, which takes the time that rounding saved: what does not fit is left out, by name.

Rules of this file: time decides which certificates there are, never what one says.

Theory of operation: what it takes to find a certificate is known from the compositions that were
made (:mod:`exactdp.parallel.pacing`), and what it takes to check one from its cost by the format,
once it is found. Steps that take little are taken in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from exactdp.answers.results import Composition
from exactdp.certificate.statement import Certificate
from exactdp.composition.deadlines import OutOfTimeError
from exactdp.parallel.certify import WorkloadCertificate, lower_certificate, upper_certificate
from exactdp.parallel.clock import Clock
from exactdp.parallel.composing import ParallelComposition
from exactdp.parallel.foreseen import checked_seconds, has_many_kinds
from exactdp.parallel.workload import Workload

_PART: Final = 1 / 2
"""Of the time, for certificates of many different parameters."""
_LITTLE: Final = 0.1
"""Seconds that are spent in any case."""
_SPARE: Final = 1.25
_Find = Callable[[ParallelComposition], WorkloadCertificate | None]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A certificate that the time limit left no time for.

    Attributes:
        bound: of which end: "upper" or "lower".
        seconds: about what it was foreseen to take, to be found and checked.
        time_limit: about how many seconds would do.
    """

    bound: str
    seconds: int
    time_limit: int


@dataclass(frozen=True, slots=True)
class Proofs:
    """Certificates by the end that they prove, and those that were left out."""

    made: Mapping[str, WorkloadCertificate]
    left_out: tuple[LeftOut, ...] = ()


def searching_clock(workload: Workload, clock: Clock) -> Clock:
    """A clock for what comes before certificates, after which there is a part for them."""
    return clock.share(1 - _PART) if has_many_kinds(workload) else clock


def proofs_within(
    answer: ParallelComposition, clock: Clock, *, time_limit: int, checks: int = 1
) -> Proofs:
    """The certificates of both ends that fit.

    Args:
        answer: of a workload.
        clock: what is left of the time limit.
        time_limit: the whole of it, in seconds.
        checks: how often each certificate will be checked.

    Raises:
        CostLimitError: one would exceed another limit than that of time.
    """
    made: dict[str, WorkloadCertificate] = {}
    left_out: list[LeftOut] = []
    lower, upper = answer.certifying
    sides: tuple[tuple[str, _Find, Composition, float], ...] = (
        ("upper", upper_certificate, answer.above, upper),
        ("lower", lower_certificate, answer.below, lower),
    )
    for bound, find, end, seconds in sides:
        found, needed = _found(answer, find, end, seconds, clock, checks)
        if needed is None:
            if found is not None:
                made[bound] = found
                clock = clock.reserve(checks * _checking(answer, found.about_ledger))
            continue
        short = _SPARE * (needed - (clock.left or 0.0)) / _PART
        left_out.append(LeftOut(bound, ceil(needed), time_limit + max(1, ceil(short))))
    return Proofs(made, tuple(left_out))


def _found(
    answer: ParallelComposition,
    find: _Find,
    end: Composition,
    seconds: float,
    clock: Clock,
    checks: int,
) -> tuple[WorkloadCertificate | None, float | None]:
    """A certificate, if there is one; or what it would take, where that does not fit."""
    needed = 0.0
    if seconds:
        needed = seconds + checks * (seconds / 2 + _checking(answer, None))
    if not _fits(needed, clock):
        return None, needed
    if seconds:
        end.allow(clock.left)
    try:
        found = find(answer)
    except OutOfTimeError:
        return None, max(needed, _SPARE * (clock.left or 0.0))
    if found is None:
        return None, None
    checking = checks * _checking(answer, found.about_ledger)
    if not _fits(checking, clock):
        return None, seconds + checking
    return found, None


def _fits(seconds: float, clock: Clock) -> bool:
    return seconds <= _LITTLE or clock.fits(seconds)


def _checking(answer: ParallelComposition, about_ledger: Certificate | None) -> float:
    """What the verifier takes for one of the two certificates, about."""
    return checked_seconds(answer.overlap.workload, answer.classes, about_ledger)
