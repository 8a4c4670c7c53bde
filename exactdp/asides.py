r"""Asides: what the user says of files that these do not say, and what their readers say back.

Rules of this file: nothing of exactdp is imported; an aside holds for a block, whatever reads files
within it, in this process alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Asides:
    """What is said beside a file.

    Attributes:
        remarks: the names of columns that hold no parameters, whatever is in them.
        decimal: the decimal sign of tables of text; None for what they show.
        distance: how far apart neighbours are, for OpenDP's measurements; None if nobody says so.
        name: what the mechanisms are called together; None for what the file says.
        budgets: whether Tumult's budgets were ``spent`` or ``remaining``; None if nobody says so.
        tell: what is done with a sentence on what was not read.
    """

    remarks: tuple[str, ...] = ()
    decimal: str | None = None
    distance: str | None = None
    name: str | None = None
    budgets: str | None = None
    tell: Callable[[str], None] | None = None


_ASIDES: Final[ContextVar[Asides]] = ContextVar("asides", default=Asides())  # noqa: B039 (frozen)


def asides() -> Asides:
    """What is said here."""
    return _ASIDES.get()


@contextmanager
def saying(aside: Asides) -> Iterator[None]:
    """Say something of all files that the block reads.

    >>> with saying(Asides(remarks=("users",))):
    ...     print(asides().remarks)
    ('users',)
    """
    token = _ASIDES.set(aside)
    try:
        yield
    finally:
        _ASIDES.reset(token)
