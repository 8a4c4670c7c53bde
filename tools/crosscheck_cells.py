r"""The cells of the matrix of accountants and problems, each of which a process can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.checking import Checked, crosscheck
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import Truth
from exactdp.ledger.model import Ledger


@dataclass(frozen=True, slots=True)
class Case:
    """A ledger at a δ, in a part of the matrix."""

    part: str
    name: str
    title: str
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Cell:
    """A case, an accountant that is asked about it, and the seconds that it may take."""

    case: Case
    accountant: Accountant
    seconds: float


def checked_cell(cell: Cell) -> Checked:
    """What becomes of a cell; the certified interval is kept for the next cell of its case."""
    [row] = crosscheck(_truth(cell.case), [cell.accountant], Limits(seconds=cell.seconds))
    return row


@lru_cache(maxsize=4)
def _truth(case: Case) -> Truth:
    return Truth(AccountantQuestion(case.ledger, delta=case.ledger.target_delta))
