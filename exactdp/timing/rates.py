r"""Rates: how long a step is foreseen to take, from how long such steps took.

Rules of this file: a rate decides what is tried in a time, never what is true of what was found.

Theory of operation: the quickest step for its size is the rule, as a slow one may have been slow
for the company it kept. A step that was stopped took longer than was seen, and so will each that
is at least as heavy.
"""

from __future__ import annotations


class Rate:
    """Seconds of a step for its size.

    Args:
        seconds: those of a step of size 1, before any is known.
    """

    def __init__(self, seconds: float) -> None:
        self._quickest = seconds
        self._stopped: list[tuple[float, int]] = []

    def of(self, size: float, *, weight: int = 0) -> float:
        """What a step of a size takes, about."""
        stopped = (rate for rate, least in self._stopped if least <= weight)
        return size * max(self._quickest, *stopped, 0.0)

    def learn(self, seconds: float, size: float) -> None:
        """A step took so long."""
        self._quickest = min(self._quickest, seconds / size)

    def exceed(self, seconds: float, size: float, *, weight: int = 0) -> None:
        """A step of a weight was stopped after so long."""
        self._stopped.append((seconds / size, weight))
