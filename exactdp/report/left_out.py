r"""What is said of certificates that the time limit left no time for.

Rules of this file: it renders what the library answered.
"""

from __future__ import annotations

from typing import Any

from exactdp.answers.proving import LeftOut, Proofs
from exactdp.report.number_text import Rows, grouped


def left_out_text(each: LeftOut) -> str:
    """What is said of a certificate that there was no time for."""
    seconds = "second" if each.seconds == 1 else "seconds"
    return (
        f"left out: --time-limit left no time for it, about {grouped(each.seconds)} {seconds}; "
        f"a limit of about {grouped(each.time_limit)} would do"
    )


def left_out_rows(proofs: Proofs[Any]) -> Rows:
    """A row for each."""
    return [(f"{each.bound} certificate", left_out_text(each)) for each in proofs.left_out]


def left_out_json(proofs: Proofs[Any]) -> list[dict[str, object]]:
    """An object for each."""
    return [
        {"bound": each.bound, "seconds": each.seconds, "time_limit": each.time_limit}
        for each in proofs.left_out
    ]
