r"""When a spend was recorded: which column says it, and how it is written.

Rules of this file: a date that may be two is refused, never guessed, as it says in which month a
spend counts.

Theory of operation: ISO 8601 stands as it is, for ISO begins with the year. With points the day
comes first (05.01.2026). With slashes the year must (2026/01/05): 01/05/2026 is in January or in
May. A plain number is in seconds since 1970, in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import strip_format

TIME: Final = "time"
_NAMES: Final = frozenset(
    (
        *("date", "datum", "day", "tag", "fecha", "data", "when", "datetime", "date time"),
        *("timestamp", "time stamp", "created at", "zeit", "zeitpunkt", "release date"),
    )
)
_BETWEEN: Final = re.compile(r"[\s_.\-]+")
_BY_POINTS: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?")
_YEAR_FIRST: Final = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?")
_DATE: Final = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|\d{9,10}(?:\.\d+)?$")
_SECONDS: Final = re.compile(r"\d{9,10}(?:\.\d+)?")


def named_by_time(names: Sequence[str], rows: Sequence[Sequence[str]], place: str) -> list[str]:
    """The names of a table's columns, with ``time`` for the one that says when.

    A column of such a name is one of times if a date stands in it.

    Raises:
        InputError: two of them may say it.

    >>> named_by_time(["Datum", "epsilon"], [["05.01.2026", "1"]], "line 1")
    ['time', 'epsilon']
    """
    plain = [" ".join(_BETWEEN.split(strip_format(name).casefold().strip())) for name in names]
    named = [] if TIME in plain else [at for at, name in enumerate(plain) if name in _NAMES]
    found = [
        at for at in named if any(_DATE.match(row[at].strip()) for row in rows if at < len(row))
    ]
    if len(found) > 1:
        raise InputError(
            field=TIME,
            value=" and ".join(shorten(names[at].strip()) for at in found),
            path=place,
            expected="one column that says when",
            remedy="call it time",
        )
    return [TIME if at in found else name for at, name in enumerate(names)]


def iso_of(text: str) -> str:
    """A date or time as in ISO 8601, if it is written in a way that is no other date as well.

    >>> [iso_of(text) for text in ("5.1.2026", "05.01.2026 9:30", "2026/1/5", "1700000000.5")]
    ['2026-01-05', '2026-01-05T09:30', '2026-01-05', '2023-11-14T22:13:20+00:00']
    """
    if found := _BY_POINTS.fullmatch(text):
        day, month, year, clock = found.groups()
        return _joined(year, month, day, clock)
    if found := _YEAR_FIRST.fullmatch(text):
        return _joined(*found.groups())
    if _SECONDS.fullmatch(text):
        from datetime import UTC, datetime  # noqa: PLC0415 (it takes time, and few tables need it)

        return datetime.fromtimestamp(int(text.partition(".")[0]), UTC).isoformat()
    return text


def _joined(year: str, month: str, day: str, clock: str | None) -> str:
    date = f"{year}-{month:0>2}-{day:0>2}"
    if clock is None:
        return date
    hours, _, rest = clock.partition(":")
    return f"{date}T{hours:0>2}:{rest}"
