"""Workbooks: what a spreadsheet shows is what is read, and what it has made something of is not."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats import workbook
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from tests.marking import each_case

openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")


def book(*sheets: Sequence[Sequence[object]], **named: Sequence[Sequence[object]]) -> bytes:
    """The bytes of a workbook with these sheets."""
    made: Any = openpyxl.Workbook()
    made.remove(made.active)
    every = {**{f"Sheet{n}": rows for n, rows in enumerate(sheets, 1)}, **named}
    for title, rows in every.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    page = io.BytesIO()
    made.save(page)
    return page.getvalue()


HEADER = ["label", "epsilon", "delta", "count"]
TABLE: list[list[object]] = [[*HEADER], ["counts", 0.1, 1e-9, 50], ["answers", "ln(3)", 0, 7.0]]


def test_a_table_is_read_as_the_csv_of_it_is() -> None:
    csv = b"label,epsilon,delta,count\ncounts,0.1,1e-9,50\nanswers,ln(3),0,7\n"
    assert read_ledger(book(TABLE)) == read_ledger(csv)
    assert read_ledger(book(TABLE), "xlsx") == read_ledger(csv)


def test_every_decimal_of_fifteen_digits_is_read_as_it_was_typed() -> None:
    drawn = random.Random(15)  # noqa: S311 (no secret)
    typed = [f"{drawn.randrange(1, 10**15)}e-{drawn.randrange(1, 30)}" for _ in range(300)]
    ledger = read_ledger(book([["epsilon"], *([float(text)] for text in typed)]))
    assert ledger == Ledger(tuple(Mechanism(text) for text in typed))


@pytest.mark.parametrize("computed", [1 / 3, 0.1 + 0.2, 2**0.5])
def test_a_number_that_was_computed_is_refused_with_its_place(computed: float) -> None:
    page = openpyxl.Workbook()
    page.active.append(["epsilon"])
    page.active.append([0.5])
    page.active.append([0.25])
    saved = io.BytesIO()
    page.save(saved)
    data = _edited(saved.getvalue(), b"<v>0.25</v>", f"<v>{computed!r}</v>".encode())
    with pytest.raises(
        InputError, match=r"line 3, column epsilon.*was typed.*such as 1/3"
    ) as caught:
        read_ledger(data)
    assert caught.value.value == repr(computed)


def _edited(data: bytes, old: bytes, new: bytes, member: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook of whose member some bytes are others."""
    page = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(page, "w") as target:
        for each in source.infolist():
            content = source.read(each)
            assert each.filename != member or old in content
            target.writestr(each.filename, content.replace(old, new, 1))
    return page.getvalue()


@pytest.mark.slow
@each_case(
    "taken", [date(2026, 1, 10), datetime(2026, 1, 10, 9), time(1, 10), True]  # noqa: DTZ001 (cells have no zone)
)  # fmt: skip
@each_case("column", ["epsilon", "delta", "count"])
def test_a_parameter_that_became_a_date_is_refused_with_the_cure(
    taken: object, column: str
) -> None:
    row = [taken if each == column else 1 if each == "count" else 0 for each in HEADER]
    with pytest.raises(InputError, match=f"line 2, column {column}.*1/10 for a date"):
        read_ledger(book([HEADER, row]))


def test_other_columns_are_notes_and_dates_are_dates() -> None:
    rows: list[list[object]] = [
        ["Date", "epsilon", "team", "took", "share"],
        [date(2026, 1, 5), 0.5, "a, b", timedelta(days=1), 1 / 3],
        [datetime(2026, 1, 6, 9, 30), 0.5, None, None, None],  # noqa: DTZ001 (cells have no zone)
        ["last week", 0.5, None, None, "#DIV/0!"],
    ]
    assert read_ledger(book(rows), remarks=["took", "Share"]).notes.splitlines() == [
        "line 2: date 2026-01-05, team a, b, took 1 day, 0:00:00, share 0.3333333333333333",
        "line 3: date 2026-01-06T09:30:00",
        "line 4: date last week, share #DIV/0!",
    ]


def test_the_sheet_with_a_ledger_is_chosen_and_the_others_are_named() -> None:
    data = book(About=[["who", "when"]], Spends=[["rho"], ["1/8"]], Empty=[])
    ledger = read_ledger(data)
    assert ledger.mechanisms == (ConcentratedMechanism("1/8"),)
    assert ledger.reading == ("sheets that were not read: About",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: book(A=TABLE, B=TABLE), "sheets: A, B: expected one sheet"),
        (lambda: book(A=[["x"]], B=[["y"]]), "sheets: A, B: expected one sheet"),
        (lambda: book([]), "sheets: no cells"),
        (lambda: book([["what", "spend"], ["a", 1]]), "sheet Sheet1, line 1"),
        (lambda: book([["epsilon"], [1, "note"]]), "line 2, column 2: note: expected cells below"),
        (lambda: book([["epsilon", "users"], [1, 1]]), "line 2, column users: 1: .*--remark users"),
        (lambda: book([["epsilon", "delta"], [1, None]]), "line 2, column delta: an empty cell"),
        (lambda: book([["epsilon"], ["=1/10"], [1]]), "line 2, column epsilon: =1/10: .*was kept"),
        (lambda: book([["epsilon", "team"], [1, "=A1"]]), "line 2, column team: =A1: .*was kept"),
        (lambda: book([["epsilon"], ["#DIV/0!"]]), "#DIV/0!"),
        (lambda: b"PK\x03\x04", "a workbook that can be read"),
        (lambda: _archive({"a.txt": b"x"}), "if it is an archive"),
        (lambda: _archive({"xl/workbook.xml": b"<"}), "a workbook that can be read"),
        (lambda: _archive({"xl/workbook.xml": b" " * (2**26 + 1)}), "64 MiB when it is unpacked"),
        (lambda: _edited(book(TABLE), b"<row r=", b"<row q<"), "a workbook that can be read"),
    ],
)  # fmt: skip
def test_what_is_no_ledger_is_refused(data: Callable[[], bytes], words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_ledger(data())


def _archive(members: dict[str, bytes]) -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return page.getvalue()


def test_a_formula_stands_for_the_value_that_is_kept_with_it() -> None:
    kept = b"<f>1/10</f><v>0.1</v>"
    data = _edited(book([["epsilon"], ["=1/10"]]), b"<f>1/10</f><v />", kept)
    assert read_ledger(data).mechanisms == (Mechanism("0.1"),)


def test_rows_and_columns_around_the_table_may_be_empty_and_comments_above_it() -> None:
    rows: list[list[object]] = [
        [], [None, "# ours"], [], [None, "epsilon", None, "count"], [], [None, 0.5, None, 2], [None]
    ]  # fmt: skip
    rows[1] = ["# ours"]
    assert read_ledger(book(rows)).mechanisms == (Mechanism("0.5", 0, 2),)


def test_a_cell_in_the_farthest_corner_costs_nothing_before_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    far = _edited(book([["epsilon"], [1]]), b'r="A2"', b'r="XFD2"')
    with pytest.raises(InputError, match="cells below the name of a column"):
        read_ledger(far)
    beyond = _edited(book([["epsilon"], [1]]), b'r="A2"', b'r="AAAA2"')
    with pytest.raises(InputError, match="a workbook that can be read"):
        read_ledger(beyond)
    monkeypatch.setattr(workbook, "MOST_ROWS", 1000)
    deep = _edited(book([["epsilon"], [1]]), b'<row r="2"', b'<row r="99999999999"')
    with pytest.raises(InputError, match="at most 1000 rows"):
        read_ledger(deep)


def test_without_the_extra_the_command_that_installs_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(InputError, match=r"pip install 'exactdp\[xlsx\]'"):
        read_ledger(book_before)


book_before = book(TABLE)


def test_a_path_names_the_file_and_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "budget.xlsx"
    path.write_bytes(book(Spends=[["epsilon"], ["low"]]))
    with pytest.raises(InputError, match=r"budget\.xlsx, sheet Spends, line 2, column epsilon"):
        read_ledger(path)


def test_what_is_called_a_workbook_and_is_none_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "ledger.xlsx"
    path.write_bytes(b"\xff\xfe\x00random")
    with pytest.raises(InputError, match="expected a workbook that can be read"):
        read_ledger(path)
