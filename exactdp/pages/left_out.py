r"""What is said of certificates that the time limit left no time for.

Rules of this file: it renders what the library answered.
"""

from __future__ import annotations

from typing import Any, Final

from exactdp.composition.answers.proving import REMEDY, Proofs
from exactdp.pages.number_text import Rows

LEFT_OUT: Final = f"left out: --time-limit left no time for it; {REMEDY}"


def left_out_rows(proofs: Proofs[Any]) -> Rows:
    """A row for each."""
    return [(f"{bound} certificate", LEFT_OUT) for bound in proofs.left_out]


def left_out_json(proofs: Proofs[Any]) -> list[dict[str, str]]:
    """An object for each."""
    return [{"bound": bound, "remedy": REMEDY} for bound in proofs.left_out]
