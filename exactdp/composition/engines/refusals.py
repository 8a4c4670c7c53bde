"""What engines refuse, in words: a tolerance that is too small, a function that does not fit."""

from __future__ import annotations

from typing import Final

from exactdp.errors import CostLimitError

WIDER: Final = "ask for a wider --tolerance, "
DOES_NOT_FIT: Final = "fourier-does-not-fit"


class OutOfReachError(CostLimitError):
    """No tolerance is sure to fit within the limits."""


def does_not_fit(value: str) -> CostLimitError:
    """The refusal of a characteristic function."""
    return CostLimitError(
        field="ledger",
        value=value,
        expected="one that is small nearly everywhere",
        remedy="ask for a wider --tolerance, or use another --method",
        code=DOES_NOT_FIT,
    )
