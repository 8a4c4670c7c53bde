r"""A time limit that long searches ask, each as often as its steps are short.

Rules of this file: a clock decides when work stops, never what is true of what was found by then.
"""

from __future__ import annotations

from exactdp.timing.reading import seconds as read


class TimeIsUpError(Exception):
    """A search asked the clock, and has to end with what it has; no caller of it sees this."""


class Clock:
    """A time limit, which may be none."""

    def __init__(self, seconds: float | None = None) -> None:
        self._begin = read()
        self._end = None if seconds is None else self._begin + seconds

    @property
    def elapsed(self) -> float:
        """Seconds since it was started."""
        return read() - self._begin

    @property
    def left(self) -> float | None:
        """Seconds until the time is up, at least 0; None without a limit."""
        return None if self._end is None else max(0.0, self._end - read())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and read() >= self._end

    def ask(self) -> None:
        """Go on only while there is time.

        Raises:
            TimeIsUpError: there is none.
        """
        if self.is_over:
            raise TimeIsUpError

    def share(self, part: float) -> Clock:
        """A clock that stops after this part of the time that is left."""
        left = self.left
        return Clock(None if left is None else left * part)
