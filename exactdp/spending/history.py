r"""What was spent of a budget in each month, and for what.

Rules of this file: the log is replayed (:func:`exactdp.spending.auditing.audit` says how), and one
that does not hold has no history; sums are exact. Which month a spend belongs to is what a clock
said, in UTC: that of a line, or the time that a record from before the log states in its label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

from exactdp.errors import InputError
from exactdp.spending.auditing import Audit, audit
from exactdp.spending.budget import NOTHING, Budget, Charge
from exactdp.spending.lines import BrokenLogError, follow, read_header, read_line

_RECORDED: Final = re.compile(r"(\d{4}-\d{2})-\d{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?(?: +|$)")
_MONTH: Final = len("2026-01")


@dataclass(slots=True)
class Spending:
    """What was spent, in a month or for a label in it.

    Attributes:
        lines: how many spends.
        charge: their sum.
    """

    lines: int = 0
    charge: Charge = NOTHING

    def add(self, charge: Charge) -> None:
        """Count a spend."""
        self.lines += 1
        self.charge += charge


@dataclass(slots=True)
class Month:
    """A month.

    Attributes:
        name: year and month.
        labels: what was spent for each label, in the order of the log.
        whole: all of it.
    """

    name: str
    labels: dict[str, Spending] = field(default_factory=dict)
    whole: Spending = field(default_factory=Spending)

    def add(self, label: str, charge: Charge) -> None:
        """Count a spend for a label."""
        self.whole.add(charge)
        self.labels.setdefault(label, Spending()).add(charge)


@dataclass(frozen=True, slots=True)
class History:
    """What was spent.

    Attributes:
        budget: what may be spent.
        months: those with spends, in their order.
    """

    budget: Budget
    months: tuple[Month, ...]

    def left(self) -> list[Charge]:
        """What is left of the budget after each month."""
        found, left = [], self.budget.limit
        for month in self.months:
            left -= month.whole.charge
            found.append(left)
        return found


def history(path: str | PathLike[str]) -> History:
    """What was spent of the budget of a log, by month and label.

    Args:
        path: of the log.

    Raises:
        InputError: the file cannot be read.
        BrokenLogError: a line is not what its writer left, or lines are missing.
    """
    found = audit(path)
    if not found.intact:
        raise BrokenLogError(
            field="log",
            value=found.problem,
            path=str(path),
            expected="a log that is as it was written",
            remedy="exactdp filter audit says what holds",
        )
    return _replayed(Path(path).read_bytes(), found)


def _replayed(data: bytes, found: Audit) -> History:
    """The spends up to the last line that was audited, whatever was written since."""
    first, *lines = data.splitlines(keepends=True)
    header, head = read_header(first)
    months: dict[str, Month] = {}
    assert found.head is not None
    for line in lines[: found.head.number]:
        before = head
        head, entry = follow(header, before, line)
        if entry == "spend":
            stated = str(read_line(line, head.number)["label"])
            name, label = month_of(stated, head.time)
            months.setdefault(name, Month(name)).add(label, head.spent - before.spent)
    if head.digest != found.head.digest:
        raise InputError(field="log", value="another log", expected="the one that was audited")
    return History(header.budget, tuple(months[name] for name in sorted(months)))


def month_of(label: str, time: str) -> tuple[str, str]:
    """The month of a spend, and its label without the time that a record states in it.

    >>> month_of("2026-01-05T09:00:00Z ages", "2026-03-01T00:00:00.000Z")
    ('2026-01', 'ages')
    >>> month_of("ages", "2026-03-01T00:00:00.000Z")
    ('2026-03', 'ages')
    """
    stated = _RECORDED.match(label)
    return (stated[1], label[stated.end() :]) if stated else (time[:_MONTH], label)
