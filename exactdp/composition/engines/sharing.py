r"""Work that several ledgers share: values that the same arguments always give, kept for a while.

Rules of this file: nothing is kept unless a process has asked for that, as workers that answer many
ledgers do; what is kept has a bound in bytes, and goes when it was not asked for the longest; a
kept value is the one that would be computed, so that no answer depends on what came before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Value = TypeVar("_Value")


class SharedWork:
    """Values by what they were made from.

    Args:
        most_bytes: of all of them together; 0 to keep none.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._values: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        self.bytes = 0
        self.found = 0

    def value(self, key: Hashable, size: int, make: Callable[[], _Value]) -> _Value:
        """The value of this key, made if it is not there; ``size`` is about its bytes."""
        if key in self._values:
            self._values.move_to_end(key)
            self.found += 1
            found: _Value = self._values[key][1]
            return found
        value = make()
        if size <= self._most_bytes:
            self._values[key] = (size, value)
            self.bytes += size
            while self.bytes > self._most_bytes:
                self.bytes -= self._values.popitem(last=False)[1][0]
        return value


_shared = SharedWork(0)


def share_work(most_bytes: int) -> SharedWork:
    """Keep so many bytes of shared work in this process from now on; 0 ends that."""
    global _shared  # noqa: PLW0603 (of the process, as its memory is)
    _shared = SharedWork(most_bytes)
    return _shared


def shared(key: Hashable, size: int, make: Callable[[], _Value]) -> _Value:
    """As :meth:`SharedWork.value`, where this process keeps what is shared."""
    return _shared.value(key, size, make)
