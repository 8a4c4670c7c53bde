r"""What was spent of a budget in each month, and for what.

Rules of this file: the log is replayed (:func:`exactdp.spending.auditing.audit` says how), and one
that does not hold has no history; sums are exact. Which month a spend belongs to is what a clock
said, in UTC: that of a line, or the time that a record from before the log states in its label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.errors import InputError
from exactdp.spending.auditing import Audit, audit
from exactdp.spending.budget import NOTHING, Budget, Charge
from exactdp.spending.lines import BrokenLogError, Header, follow, read_header, read_line

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
        header: the first line of the log.
        months: those with spends, in their order.
    """

    header: Header
    months: tuple[Month, ...]

    @property
    def budget(self) -> Budget:
        """What may be spent."""
        return self.header.budget

    @property
    def lines(self) -> int:
        """How many spends there are."""
        return sum(month.whole.lines for month in self.months)

    @property
    def spent(self) -> Charge:
        """The sum of all."""
        return sum((month.whole.charge for month in self.months), NOTHING)

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


def together(found: Sequence[History]) -> Budget:
    """The budget that those of several logs on the same data are together.

    Raises:
        InputError: they do not add up, or are about other neighbours or other units of privacy.
    """
    first = found[0].header
    if len({each.header.identity for each in found}) < len(found):
        raise InputError(field="LOG…", value="a log that stands twice", expected="each log once")
    for each in found:
        header = each.header
        same = (header.budget.kind, header.budget.alpha) == (first.budget.kind, first.budget.alpha)
        if not same or first.budget.kind == "mu":
            raise InputError(
                field="LOG…",
                value=f"{first.budget} and {header.budget}",
                expected="budgets that add up: all of ε, of ρ, or of one Rényi divergence",
            )
        if (header.neighbouring, header.unit) != (first.neighbouring, first.unit):
            raise InputError(
                field="LOG…",
                value=f"{header.neighbouring}, {header.unit or 'no unit'}",
                expected=f"{first.neighbouring}, {first.unit or 'no unit'}, as the first log says",
                remedy="ask for each log by itself",
            )
    budgets = [each.budget for each in found]
    size, delta = sum(each.size for each in budgets), sum(each.delta for each in budgets)
    return Budget(first.budget.kind, mpq(size), mpq(delta), first.budget.alpha)


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
    return History(header, tuple(months[name] for name in sorted(months)))


def month_of(label: str, time: str) -> tuple[str, str]:
    """The month of a spend, and its label without the time that a record states in it.

    >>> month_of("2026-01-05T09:00:00Z ages", "2026-03-01T00:00:00.000Z")
    ('2026-01', 'ages')
    >>> month_of("ages", "2026-03-01T00:00:00.000Z")
    ('2026-03', 'ages')
    """
    stated = _RECORDED.match(label)
    return (stated[1], label[stated.end() :]) if stated else (time[:_MONTH], label)
