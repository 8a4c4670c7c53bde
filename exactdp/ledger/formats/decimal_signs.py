r"""Decimal commas in CSV: tables as they are written where 0.1 is 0,1.

Rules of this file: a comma is read as a decimal sign only if the user says so, or if nothing else
can be meant: all numbers of the table agree, and one of them at least cannot be thousands in
groups of three (1,000). It is said that they were read so. Where commas are decimal signs, a number
with a point is refused, which may be thousands (1.000).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import TableHeader, header_of, names_a_notion

COMMA: Final = ","
SIGNS: Final = (COMMA, ".")
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d),(?=\d)")
_NUMBER: Final = re.compile(r"\d+(?:,\d+)+")
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2},\d{3}")
_NO_NUMBERS: Final = frozenset(("", "label", "time", "spend"))


@dataclass(slots=True)
class DecimalSign:
    """How a table writes decimals.

    Attributes:
        sign: the decimal sign; None if it is a point, as nothing says otherwise.
        sentences: what is said of it.
    """

    sign: str | None = None
    sentences: list[str] = field(default_factory=list)

    def with_points(self, header: TableHeader, cells: list[str], place: str) -> list[str]:
        """The cells of a row as all readers read them.

        Raises:
            InputError: a number has a point, where commas are decimal signs.
        """
        if self.sign != COMMA:
            return cells
        read = list(cells)
        for key, at in header.where.items():
            if key in _NO_NUMBERS:
                continue
            if "." in cells[at]:
                raise InputError(
                    field=key,
                    value=cells[at].strip(),
                    path=f"{place}, column {shorten(header.names[at])}",
                    expected="a decimal comma and no point, as in the other numbers",
                    remedy="write thousands without a point, or say --decimal . if it is a decimal",
                )
            read[at] = _BETWEEN_DIGITS.sub(".", cells[at])
        return read


def checked(sign: str | None) -> str | None:
    """A decimal sign that the user gives.

    Raises:
        InputError: it is none.
    """
    if sign not in (None, *SIGNS):
        raise InputError(field="decimal", value=str(sign), expected=" or ".join(SIGNS))
    return sign


def guessed(
    rows: Iterable[tuple[int, Sequence[str]]], remarks: Sequence[str], more: Sequence[str] = ()
) -> DecimalSign:
    """A decimal comma, if all numbers of a table agree on one, and say nothing else.

    Args:
        rows: those of the table, with the numbers of their lines.
        remarks: the names of columns that hold no parameters.
        more: further columns that its reader knows.

    >>> guessed([(1, ["epsilon"]), (2, ["0,1"]), (3, ["1"])], ()).sentences
    ['read with a decimal comma, as 0,1 in line 2; no number has a point']
    >>> guessed([(1, ["epsilon"]), (2, ["1,000"])], ()).sign
    """
    first: tuple[int, str] | None = None
    with suppress(InputError):  # whoever reads the table says what is wrong
        for line, cell in _numbers(iter(rows), remarks, more):
            if "." in cell or not _are_decimals(cell):
                return DecimalSign()
            if first is None and any(not _THOUSANDS.fullmatch(n) for n in _NUMBER.findall(cell)):
                first = line, cell
    if first is None:
        return DecimalSign()
    line, cell = first
    example = f"{shorten(cell)} in line {line}"
    return DecimalSign(COMMA, [f"read with a decimal comma, as {example}; no number has a point"])


def _numbers(
    rows: Iterator[tuple[int, Sequence[str]]], remarks: Sequence[str], more: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """The cells of parameters, with the numbers of their lines."""
    names = next((cells for _, cells in rows if names_a_notion(cells, more)), None)
    if names is None:
        return
    header = header_of(names, "", remarks, more)
    places = [at for key, at in header.where.items() if key not in _NO_NUMBERS]
    for line, cells in rows:
        yield from ((line, cells[at].strip()) for at in places if at < len(cells))


def _are_decimals(cell: str) -> bool:
    """Whether every comma of a cell stands in a number that has no other."""
    found: list[str] = _NUMBER.findall(cell)
    return cell.count(COMMA) == sum(number.count(COMMA) == 1 for number in found)
