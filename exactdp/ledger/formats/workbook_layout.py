r"""What a sheet shows beside the values of its cells: hidden rows, merged cells, formulas, formats.

Rules of this file: nothing is evaluated; what a person sees otherwise than a reader does is named.

Sources: ECMA-376, part 1 (Office Open XML), sections 18.3.1.13 (col), 18.3.1.55 (mergeCell) and
18.3.1.73 (row); 18.8.30 (numFmt).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from xml.etree.ElementTree import iterparse
from zipfile import ZipFile

_REFERENCE: Final = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?")
_SUM: Final = re.compile(r"=\s*(?:SUM|SUBTOTAL|SUMPRODUCT|AGGREGATE)\s*\(", re.IGNORECASE)
_CELL: Final = r"\$?[A-Z]{1,3}\$?\d+"
_CHAIN: Final = re.compile(rf"=\s*{_CELL}(?:\s*\+\s*{_CELL})+\s*", re.IGNORECASE)
_RANGE: Final = rf"\s*{_CELL}(?::{_CELL})?\s*"
_WHOLE: Final = re.compile(
    r"=\s*(?:SUM\s*\(|SUBTOTAL\s*\(\s*(?:10)?9\s*,|(SUMPRODUCT)\s*\()"
    rf"{_RANGE}(?:,{_RANGE})*\)\s*",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|_.|\*.')


@dataclass(frozen=True, slots=True)
class Box:
    """Cells from one corner to the other, counted from 1, both included."""

    top: int
    left: int
    bottom: int
    right: int

    def holds(self, line: int, column: int) -> bool:
        """Whether a cell is in it."""
        return self.top <= line <= self.bottom and self.left <= column <= self.right


@dataclass(frozen=True, slots=True)
class Layout:
    """What is hidden in a sheet, and what is merged.

    Attributes:
        rows: the numbers of hidden rows.
        columns: the numbers of hidden columns, first and last.
        merged: the cells that are one.
    """

    rows: frozenset[int] = frozenset()
    columns: tuple[tuple[int, int], ...] = ()
    merged: tuple[Box, ...] = ()

    def hides_column(self, column: int) -> bool:
        """Whether a column is hidden."""
        return any(first <= column <= last for first, last in self.columns)


def layout_of(data: bytes, member: str) -> Layout:
    """The layout of the sheet in a member of a workbook's archive."""
    with ZipFile(BytesIO(data)) as archive:
        text = archive.read(member)
    if b"hidden" not in text and b"mergeCell" not in text:
        return Layout()
    rows: set[int] = set()
    columns: list[tuple[int, int]] = []
    merged: list[Box] = []
    line = 0
    for _, element in iterparse(BytesIO(text)):  # noqa: S314 (expat bounds what entities become)
        kind = element.tag.rpartition("}")[2]
        hidden = element.get("hidden") in ("1", "true")
        if kind == "row":
            line = int(element.get("r") or line + 1)
            rows |= {line} if hidden else set()
            element.clear()
        elif kind == "col" and hidden:
            columns.append((int(element.get("min") or 1), int(element.get("max") or 1)))
        elif kind == "mergeCell":
            merged += boxes_of(element.get("ref") or "")
    return Layout(frozenset(rows), tuple(columns), tuple(merged))


def boxes_of(text: str) -> Iterator[Box]:
    """The cells that a formula or a reference names.

    >>> list(boxes_of("=SUM($B$2:C3)"))
    [Box(top=2, left=2, bottom=3, right=3)]
    """
    for left, top, right, bottom in _REFERENCE.findall(text.upper()):
        last = _number(right or left)
        yield Box(int(top), _number(left), int(bottom or top), last)


def adds_up(formula: object, line: int, column: int) -> bool:
    """Whether a formula adds up cells of its own column in other rows of its sheet.

    >>> adds_up("=SUM(C2:C3)", 4, 3), adds_up("=C2+C3", 4, 3), adds_up("=SUM(D4:E4)", 4, 3)
    (True, True, False)
    >>> adds_up("=SUM(Parts!C2:C9)", 4, 3), adds_up("=SUBTOTAL(109,Spends[Epsilon])", 4, 3)
    (False, True)
    """
    text = str(getattr(formula, "text", formula))
    if not (_SUM.match(text) or _CHAIN.fullmatch(text)) or "!" in text:
        return False
    if "[" in text:
        return "@" not in text and "this row" not in text.casefold()
    return any(
        box.left <= column <= box.right and not box.top == box.bottom == line
        for box in boxes_of(text)
    )


def adds_up_exactly(formula: object, lines: Sequence[int], column: int) -> bool:
    """Whether a formula adds up these lines of its column, each of them once, and nothing else.

    >>> adds_up_exactly("=SUM(C2:C3)", [2, 3], 3), adds_up_exactly("=C2+C2", [2, 3], 3)
    (True, False)
    """
    text = str(getattr(formula, "text", formula))
    whole = _WHOLE.fullmatch(text)
    if not (whole or _CHAIN.fullmatch(text)):
        return False
    boxes = [*boxes_of(text)]
    own = [box for box in boxes if box.left == box.right == column]
    if len(own) != (len(boxes) if whole is None or whole[1] is None else 1):
        return False
    return bool(own) and all(sum(box.holds(line, column) for box in own) == 1 for line in lines)


def is_of_names(formula: object) -> bool:
    """Whether a formula names cells by the names of a table, which nobody here knows."""
    return "[" in str(getattr(formula, "text", formula))


def is_percent(number_format: object) -> bool:
    """Whether a cell of this format is shown in percent.

    >>> is_percent("0.00%"), is_percent("General"), is_percent('0" %"')
    (True, False, False)
    """
    return "%" in _QUOTED.sub("", str(number_format or ""))


def _number(letters: str) -> int:
    """The number of a column, A being 1."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
