r"""A time limit that long searches ask, each as often as its steps are short.

Rules of this file: a clock decides when work stops, never what is true of what was found by then.
"""

from __future__ import annotations

import time


class TimeIsUpError(Exception):
    """A search asked the clock, and has to end with what it has. It never leaves this package."""


class Clock:
    """A time limit, which may be none."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end

    def ask(self) -> None:
        """Go on only while there is time.

        Raises:
            TimeIsUpError: there is none.
        """
        if self.is_over:
            raise TimeIsUpError

    def share(self, part: float) -> Clock:
        """A clock that stops after this part of the time that is left."""
        if self._end is None:
            return Clock()
        return Clock(max(0.0, self._end - time.monotonic()) * part)
