r"""What is said of certificates that the time limit left no time for.

Rules of this file: it renders what the library answered.
"""

from __future__ import annotations

from typing import Any, Final

from exactdp.composition.answers.proving import REMEDY, Proofs
from exactdp.pages.facts import Fact, fact, shown

LEFT_OUT: Final = f"left out: --time-limit left no time for it; {REMEDY}"


def left_out(proofs: Proofs[Any]) -> list[Fact]:
    """A fact for each, and all of them for programs."""
    found = [shown(f"{bound} certificate", LEFT_OUT) for bound in proofs.left_out]
    values = [{"bound": bound, "remedy": REMEDY} for bound in proofs.left_out]
    return [*found, fact("certificates_left_out", values)] if found else []
