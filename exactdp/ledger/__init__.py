r"""Ledgers: mechanisms with their privacy parameters, read from JSON, CSV or the command line.

Rules of this file: what reads files is loaded on first use, for it knows all formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism

if TYPE_CHECKING:
    from exactdp.ledger.reading import loses, read_ledger, write_ledger

__all__ = [
    "Claim",
    "ConcentratedMechanism",
    "Entry",
    "GaussianMechanism",
    "Ledger",
    "Mechanism",
    "ledger_of_inline",
    "loses",
    "parse_inline",
    "read_ledger",
    "write_ledger",
]
_OF_FILES: Final = ("loses", "read_ledger", "write_ledger")


def __getattr__(name: str) -> object:
    """Load what reads and writes files."""
    if name in _OF_FILES:
        from exactdp.ledger import reading  # noqa: PLC0415 (rule of this file)

        return getattr(reading, name)
    message = f"module 'exactdp.ledger' has no attribute {name!r}"
    raise AttributeError(message)
