r"""Accountants: others against certified intervals, and one of our own for others' tools.

Nothing is loaded before it is used, for one module of this package runs in interpreters that have
none of exactdp's dependencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactdp.accountants.exact import ExactAccountant

__all__ = ["ExactAccountant"]


def __getattr__(name: str) -> object:
    """Load the accountant on first use."""
    if name not in __all__:
        message = f"module 'exactdp.accountants' has no attribute {name!r}"
        raise AttributeError(message)
    from exactdp.accountants.exact import ExactAccountant  # noqa: PLC0415 (on first use)

    return ExactAccountant
