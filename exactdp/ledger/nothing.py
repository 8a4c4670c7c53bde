r"""Ledgers of no mechanisms: of none nothing is proved.

Rules of this file: whoever takes a ledger from a user asks here, and nowhere else. A ledger that is
meant to be empty says so itself; one that is not is refused, never taken for one that costs 0.
"""

from __future__ import annotations

from exactdp.errors import NothingComposedError
from exactdp.ledger.model import Ledger


def something_of(ledger: Ledger, path: str = "") -> Ledger:
    """A ledger with a mechanism, or one that is meant to be empty; ``path`` is its file.

    Raises:
        NothingComposedError: it is neither.
    """
    if ledger.mechanisms or ledger.empty:
        return ledger
    meant = 'says so in JSON, "empty": true' if path else "is Ledger((), empty=True)"
    raise NothingComposedError(
        field="mechanisms",
        value="none",
        path=path,
        expected="at least one mechanism",
        remedy=f"a ledger that is meant to be empty {meant}",
    )
