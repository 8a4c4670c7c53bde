"""What another tool recorded: spends in their order, and perhaps a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactdp.spending.budget import Budget


@dataclass(frozen=True, slots=True)
class RecordedSpend:
    """A spend that another tool recorded.

    Attributes:
        parameters: those of :meth:`exactdp.spending.filter.Filter.spend`.
        label: what it was for; the time that was recorded comes first.
        place: where it stands in the record.
    """

    parameters: Mapping[str, object]
    label: str
    place: str


@dataclass(frozen=True, slots=True)
class Record:
    """The spends of another tool, in their order, and its budget where it names one."""

    spends: Sequence[RecordedSpend]
    budget: Budget | None = None
