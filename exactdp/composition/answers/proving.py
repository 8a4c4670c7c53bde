r"""Certificates of both ends of an answer, each where it is found in the time that is left.

Rules of this file: time decides which certificates there are, never what one says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, stop_after

PART: Final = 1 / 2
"""Of the time, for what comes before certificates, which take about as long."""
REMEDY: Final = "allow more time by --time-limit"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proofs(Generic[T]):
    """Certificates by the end that they prove, and the ends that time left without one."""

    made: Mapping[str, T]
    left_out: tuple[str, ...] = ()


def proofs_of_ends(ends: Mapping[str, Callable[[], T | None]], clock: Clock) -> Proofs[T]:
    """The certificates that are found in time.

    Args:
        ends: for each end, what finds its certificate; that is None if there is none.
        clock: what is left of the time limit.

    Raises:
        CostLimitError: one would exceed another limit than that of time.
    """
    made: dict[str, T] = {}
    left_out: list[str] = []
    for bound, find in ends.items():
        try:
            with stop_after(clock.left):
                found = find()
        except OutOfTimeError:
            left_out.append(bound)
            continue
        if found is not None:
            made[bound] = found
    return Proofs(made, tuple(left_out))
