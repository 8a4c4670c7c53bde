r"""Logs for the parts of one record: of each team that shares a budget, as a column names them.

Rules of this file: all logs are made, or none. Budgets on the same data add up, whatever the teams
read of each other's answers (:func:`exactdp.spending.history.together`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from exactdp.arithmetic.numbers import Number
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.recorded import Record, RecordedSpend
from exactdp.spending.budget import Budget, parse_budget
from exactdp.spending.filter import init
from exactdp.spending.history import History, history, together

_NOT_IN_NAMES: Final = re.compile(r"[^\w-]+")


def make_logs(
    log: str,
    record: Record,
    budget: Callable[[], Budget],
    shares: Mapping[str, str],
    *,
    delta: Number | None,
    neighbouring: str,
    unit: str,
) -> tuple[list[str], list[History]]:
    """Make a log for each part of a record, called like ``log`` with the part before its ending.

    Args:
        log: the name of the log that one part would have.
        record: spends with their parts.
        budget: what each part may spend that has no share of its own.
        shares: the budgets of other parts, as texts, by the parts' names.
        delta: the δ for which each log reports what its budget promises.
        neighbouring: "add-remove-one", "replace-one" or "unspecified".
        unit: the unit of privacy, in words.

    Returns: the names of the logs, and what was spent of each.

    Raises:
        InputError: names that are no file's or no part's, budgets that do not add up, or as
            :func:`exactdp.spending.filter.init` raises; no log is made.
    """
    parts = _parts_of(record)
    if unknown := [name for name in shares if name not in parts]:
        raise InputError(field="--share", value=unknown[0], expected=f"one of {_listed(parts)}")
    paths = _paths_of(log, [*parts])
    made: list[Path] = []
    try:
        for (part, spends), path in zip(parts.items(), paths, strict=True):
            own = parse_budget(shares[part]) if part in shares else budget()
            init(path, own, delta=delta, neighbouring=neighbouring, unit=unit, recorded=spends)
            made.append(path)
        found = [history(path) for path in made]
        together(found)
    except BaseException:
        for path in made:
            path.unlink()
        raise
    return [str(path) for path in made], found


def _parts_of(record: Record) -> dict[str, list[RecordedSpend]]:
    """The spends of each part, in their order."""
    parts: dict[str, list[RecordedSpend]] = {}
    for each in record.spends:
        parts.setdefault(each.part, []).append(each)
    return parts


def _paths_of(log: str, parts: Sequence[str]) -> list[Path]:
    """A file for each part.

    >>> [path.name for path in _paths_of("year.log", ["Sales", "R & D"])]
    ['year.Sales.log', 'year.R-D.log']
    """
    whole = Path(log)
    names = [_NOT_IN_NAMES.sub("-", part).strip("-") for part in parts]
    for name, part in zip(names, parts, strict=True):
        if not name or [each.casefold() for each in names].count(name.casefold()) > 1:
            raise InputError(
                field="--split",
                value=part,
                expected="parts whose names differ in their letters and digits, as files have them",
            )
    return [whole.with_name(f"{whole.stem}.{name}{whole.suffix}") for name in names]


def _listed(parts: Mapping[str, object]) -> str:
    return ", ".join(map(shorten, parts))
