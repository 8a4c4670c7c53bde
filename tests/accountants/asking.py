"""Asking the fake accountant of these tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.checking import Checked, crosscheck
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import Truth
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger

FAKE: Final = Path(__file__).with_name("fake.py")
QUICK: Final = Limits(seconds=600, memory=2**31)


def fake(behaviour: str, *, pure: bool = False) -> Accountant:
    """The fake accountant, behaving in one way."""
    return Accountant("fake", (sys.executable, "-I", str(FAKE), behaviour), pure)


def question(
    mechanisms: list[object], *, delta: object = None, epsilon: str | None = None
) -> AccountantQuestion:
    """A question about a few mechanisms."""
    return AccountantQuestion(
        Ledger.of(mechanisms),
        None if delta is None else mpq(str(delta)),
        None if epsilon is None else ExactNumber.parse(epsilon),
    )


def checked(behaviour: str, asked: AccountantQuestion, limits: Limits = QUICK) -> Checked:
    """What becomes of the fake's answer."""
    [row] = crosscheck(Truth(asked), [fake(behaviour)], limits)
    return row
