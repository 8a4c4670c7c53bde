"""What adds up other rows is no further mechanism, in every reader; and what people see is read."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from tests.ledger.tables_of import LEDGER_READERS, workbook_bytes
from tests.marking import slow_after

Read = Callable[..., Ledger]
READERS = pytest.mark.parametrize("read", LEDGER_READERS.values(), ids=[*LEDGER_READERS])
WORDS = ("Total", "TOTALS", " total: ", "Overall total", "Gesamt", "Insgesamt", "Grand total")
DOUBTFUL = ("Sum", "sum:", "Summe", "Overall", "Σ")
"""Words that a query may well be called by."""


def of(read: Read, labels: Sequence[str], numbers: Sequence[str], counts: Sequence[str]) -> Ledger:
    """A table of these rows, whose labels are a column of remarks."""
    return read({"Release": labels, "epsilon": numbers, "count": counts})


def _refused(read: Read, labels: Sequence[str], numbers: Sequence[str]) -> str:
    with pytest.raises(InputError, match=r"in a row that .* call it otherwise") as caught:
        of(read, labels, numbers, ["1"] * len(labels))
    return str(caught.value)


@pytest.mark.slow
@READERS
def test_a_row_that_is_called_a_total_and_is_one_is_left_out_and_that_is_said(read: Read) -> None:
    drawn = random.Random(5)  # noqa: S311 (no secret)
    for word in WORDS:
        parts = [Fraction(drawn.randrange(1, 99), 10) for _ in range(3)]
        counts = [drawn.randrange(1, 60) for _ in parts]
        weighted = sum((p * n for p, n in zip(parts, counts, strict=True)), Fraction(0))
        for total in (sum(parts, Fraction(0)), weighted):
            labels, numbers = ["a", "b", "c", word], [*map(str, (*parts, total))]
            ledger = of(read, labels, numbers, [*map(str, (*counts, sum(counts)))])
            assert ledger.size == sum(counts)
            [said] = [each for each in ledger.reading if each.startswith("left out as a total")]
            assert word.strip() in said
            assert str(total) in said


@READERS
def test_a_row_that_is_called_a_total_and_is_none_is_refused_with_both_cures(read: Read) -> None:
    for word in WORDS:
        refusal = _refused(read, ["a", "b", word], ["0.1", "0.2", "0.4"])
        assert "remove the row if it is a total, or call it otherwise" in refusal
        assert "0.3" in refusal


@READERS
def test_a_mechanism_that_is_called_a_total_and_cannot_be_one_is_a_mechanism(read: Read) -> None:
    ledger = of(read, ["TOTAL", "AGE"], ["0.0026", "0.1416"], ["1", "1"])
    assert "is called a total, and is read as a mechanism" in ledger.reading[-1]
    assert [str(each.epsilon) for each in ledger.approximate()] == ["13/5000", "177/1250"]
    assert of(read, ["Total"], ["0.1"], ["1"]).size == 1


@READERS
def test_a_row_that_may_as_well_be_a_mechanism_is_refused_not_left_out(read: Read) -> None:
    for labels, numbers in (
        (["Total", "Male"], ["0.2", "0.2"]),
        (["Male", "Total"], ["0.2", "0.2"]),
        (["TOTAL", "AGE", "SEX"], ["0.5", "0.25", "0.25"]),
        (["AGE", "TOTAL", "SEX"], ["0.25", "0.5", "0.25"]),
    ):
        assert "in a row that is called a total" in _refused(read, labels, numbers)
        columns = {"Level": labels, "epsilon": numbers}
        assert read(columns, remarks=["Level"]).size == len(labels)


@pytest.mark.slow
@READERS
def test_a_word_that_may_be_a_query_leaves_nothing_out(read: Read) -> None:
    for word in DOUBTFUL:
        refusal = _refused(read, ["count", "mean", word], ["0.5", "1", "1.5"])
        assert "remove the row if it is a total, or call it otherwise" in refusal
        assert of(read, ["count", "mean", word], ["0.5", "1", "1.4"], ["1"] * 3).size == 3
        assert of(read, ["mean", word], ["1", "1"], ["1"] * 2).size == 2
        for labels in (["", "age", word], ["", "age", "Total"]):
            columns = {"level": ["", "", "age"], "query": labels, "epsilon": ["0.5", "1", "1.5"]}
            with pytest.raises(InputError, match="in a row that equals the sum of the others"):
                read(columns)


Cells = dict[str, list[str]]
CHANGES: dict[str, Callable[[Cells], Cells]] = {
    "another count": lambda table: {**table, "count": [*table["count"][:-1], "52"]},
    "another delta": lambda table: {**table, "delta": [*table["delta"][:-1], "1e-5"]},
    "an epsilon above": lambda table: {**table, "epsilon": [*table["epsilon"][:-1], "0.50000001"]},
    "an epsilon between": lambda table: {**table, "epsilon": [*table["epsilon"][:-1], "0.25"]},
    "a rate": lambda table: {**table, "rate": ["", "", "1/2"]},
    "another notion": lambda table: {**table, "rho": ["", "", "1/2"]},
    "another row below": lambda table: {key: [*row, row[0]] for key, row in table.items()},
    "no two rows above": lambda table: {key: row[1:] for key, row in table.items()},
    "a query": lambda table: {**table, "query": ["a", "b", "age"]},
}


@pytest.mark.slow
@READERS
@pytest.mark.parametrize("delta", ["0.0002", "0.0003", ""])
@pytest.mark.parametrize("count", ["3", "1", ""])
def test_a_total_is_left_out_only_if_everything_says_so(read: Read, delta: str, count: str) -> None:
    """Whatever is changed of a total, the ledger of its table is never the smaller one."""
    table = {
        "label": ["a", "b", "Total"],
        "epsilon": ["0.1", "0.2", "0.3" if delta != "0.0003" else "0.5"],
        "delta": ["0.0001", "0.0001", delta],
        "count": ["1", "2", count],
    }
    assert read(table).size == 3
    for change in CHANGES.values():
        with pytest.raises(InputError, match=": expected "):
            read(change(table))


@READERS
def test_a_total_of_cells_that_are_empty_states_no_mechanism(read: Read) -> None:
    ledger = of(read, ["a", "b", "Total"], ["0.1", "0.2", ""], ["2", "3", "5"])
    assert (ledger.size, "line" in ledger.reading[-1] or "row" in ledger.reading[-1]) == (5, True)


@READERS
def test_arithmetic_alone_makes_no_total_but_is_said(read: Read) -> None:
    ledger = read({"epsilon": ["0.1", "0.2", "0.3"]})
    assert ledger.size == 3
    [said] = ledger.reading
    assert "is read as a mechanism; its epsilon is the sum of the rows above" in said
    for numbers in (["0.1", "0.1"], ["0.3", "0.1", "0.2"], ["0", "0", "0"], ["0.1", "0.2", "0.4"]):
        assert read({"epsilon": numbers}).reading == ()


def test_a_mechanism_that_csv_would_take_for_a_total_is_not_written_as_csv() -> None:
    ledger = Ledger.of([("0.1", 0, 1, "a"), ("0.1", 0, 1, "Total")])
    with pytest.raises(InputError, match="call it otherwise, or write JSON"):
        write_ledger(ledger, "csv")
    assert read_ledger(write_ledger(ledger).encode()) == ledger


# --- workbooks ----------------------------------------------------------------------------------

HEADER = ("Label", "Date", "Epsilon", "Delta", "Count")


def _book(change: Callable[[Any], None], *rows: Sequence[object]) -> bytes:
    """A workbook of these rows, changed as a person changes it."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes(HEADER, *rows)))
    change(book.active)
    page = io.BytesIO()
    book.save(page)
    return page.getvalue()


A, B = ("Weekly", "", 0.1, 0, 52), ("Daily", "", 0.3, 0, 10)


EXACT = ("=SUM(C2:C3)", "=sum( $C$2:$C$3 )", "=C2+C3", "=SUMPRODUCT(C2:C3,E2:E3)",
         "=SUBTOTAL(9,C2:C3)", "=SUBTOTAL( 109, C2:C3)", "=SUM(C2,C3)")  # fmt: skip
OTHERS = ("=C2+C2", "=SUM(C2)", "=SUM(C2:C2)", "=SUM(C2:C3,C3)", "=SUM(C2:C3)*2", "=SUM(C2:D3)",
          "=SUBTOTAL(1,C2:C3)", "=SUBTOTAL(109,Spends[Epsilon])", "=SUM(C2:C3)-C2")  # fmt: skip


@pytest.mark.parametrize("formula", EXACT)
def test_a_formula_that_adds_up_the_other_rows_and_is_called_a_total_is_one(formula: str) -> None:
    ledger = read_ledger(workbook_bytes(HEADER, A, B, ("Total", "", formula, 0, 62)))
    assert ledger.size == 62
    assert f"line 4 (label Total, epsilon {formula}" in ledger.reading[-1]


@pytest.mark.parametrize("formula", slow_after(2, [*EXACT, *OTHERS]))
def test_a_formula_alone_leaves_nothing_out(formula: str) -> None:
    total = ("Total", "", formula, 0, 62)
    tables = [
        (HEADER, A, B, ("weekly refresh", "", formula, 0, 62)),
        (HEADER, A, B, ("", "", formula, 0, 62)),
        (HEADER, A, B, ("Sum", "", formula, 0, 62)),
        (HEADER, A, B, ("Total", "", formula, 0, 52)),
        (HEADER, A, B, ("Total", "", formula, "1e-5", 62)),
        (HEADER, A, B, total, A),
        (HEADER, ("Total", "", formula.replace("3", "4").replace("2", "3"), 0, 62), A, B),
        *[(HEADER, A, B, total)] * (formula in OTHERS),
    ]
    for rows in tables:
        with pytest.raises(InputError, match=r"line \d.*: expected "):
            read_ledger(workbook_bytes(*rows))


@pytest.mark.parametrize(("value", "kept"), [(0.1 + 0.2, True), (0.3, True), (0.31, False)])
def test_a_value_that_was_kept_with_a_formula_is_the_sum_as_well(value: float, kept: bool) -> None:
    for formula in ("=SUM(C2:C3)", "=SUBTOTAL(109,Spends[Epsilon])"):
        book = workbook_bytes(
            HEADER, ("a", "", 0.1, 0, 1), ("b", "", 0.2, 0, 1), ("Total", "", formula, 0, 2)
        )
        data = _with_value(book, formula, repr(value))
        if kept:
            assert read_ledger(data).size == 2
        else:
            with pytest.raises(InputError, match="adds up other rows by a formula"):
                read_ledger(data)


def _with_value(book: bytes, formula: str, value: str) -> bytes:
    """The workbook as a spreadsheet saves it: with the value of a formula."""
    page = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(page, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            written = f"<f>{formula[1:]}</f>"
            for empty in ("<v></v>", "<v />", "<v/>"):
                text = text.replace((written + empty).encode(), f"{written}<v>{value}</v>".encode())
            new.writestr(name, text)
    return page.getvalue()


@pytest.mark.parametrize("formula", ["=SUM(D4:E4)", "=2*C2", "=SUM(Parts!C2:C9)", "=1/10"])
def test_another_formula_is_a_mechanism_or_asks_for_its_value(formula: str) -> None:
    with pytest.raises(InputError, match=r"line 4, column Epsilon.*whose value was kept"):
        read_ledger(workbook_bytes(HEADER, A, B, ("c", "", formula, 0, 1)))


def test_a_count_that_adds_up_others_does_not_drop_its_mechanism() -> None:
    with pytest.raises(InputError, match=r"column Count.*whose value was kept"):
        read_ledger(workbook_bytes(HEADER, A, B, ("c", "", 0.5, 0, "=SUM(E2:E3)")))


def _hide_row(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet.row_dimensions[3].hidden = True


def _hide_column(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet.column_dimensions["C"].hidden = True


def _hide_remarks(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet.column_dimensions["B"].hidden = True
    sheet.merge_cells("B2:B3")


def _merge(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet.merge_cells("C2:C3")


def _percent(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet["C3"].number_format = "0.0%"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_hide_row, "line 3: a hidden row .Daily, 0.3, 0, 10.*show the row if its mechanism"),
        (_hide_column, "line 2, column Epsilon: a hidden column.*show the column"),
        (_merge, "line 2, column Epsilon: a merged cell.*unmerge the cells"),
        (_percent, "line 3, column Epsilon: 30%, a cell in percent.*format .* as a number: 0.3"),
    ],
)
def test_what_people_see_otherwise_is_refused_with_that_word(
    change: Callable[[Any], None], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_ledger(_book(change, A, B))


def test_what_is_hidden_or_merged_beside_parameters_does_not_matter() -> None:
    assert read_ledger(_book(_hide_remarks, A, B)).size == 62


def _hide_sheet(sheet: Any) -> None:  # noqa: ANN401 (of an extra)
    sheet.parent.create_sheet("Shown")
    sheet.sheet_state = "hidden"


def test_a_hidden_sheet_is_read_and_said() -> None:
    ledger = read_ledger(_book(_hide_sheet, A, B))
    assert (ledger.size, ledger.reading) == (62, ("the sheet Sheet is hidden, and was read",))


# --- titles -------------------------------------------------------------------------------------

TITLED: list[list[object]] = [
    ["Privacy budget 2026", "", ""],
    ["", "", ""],
    ["Label", "Epsilon", "Count"],
    ["a", 1, 2],
]


def _as_csv(rows: Sequence[Sequence[object]], separator: str) -> bytes:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    "data",
    [
        _as_csv(TITLED, ","),
        _as_csv(TITLED, ";"),
        _as_csv([["Privacy budget 2026"], *TITLED[1:]], "\t"),
        _as_csv([["Privacy budget 2026"], [""], *TITLED[2:]], ";"),
        workbook_bytes(*TITLED),
    ],
    ids=["commas", "semicolons", "tabs", "a bare line", "workbook"],
)
def test_a_title_above_the_names_is_passed_over_and_said(data: bytes) -> None:
    ledger = read_ledger(data)
    assert ledger.size == 2
    assert ledger.reading == ("not read: the title Privacy budget 2026 in line 1",)


@pytest.mark.parametrize(
    "rows", [[["Weekly", "0.1", "3"], ["Daily", "0.2", "4"]], [["a", "b"], ["label", "epsilon"]]]
)
def test_several_cells_above_the_names_are_no_title(rows: list[list[str]]) -> None:
    for data in (_as_csv(rows, ","), _as_csv(rows, ";"), workbook_bytes(*rows)):
        with pytest.raises(InputError, match=r"line 1: .*expected a first line that names the col"):
            read_ledger(data)


def test_a_sum_with_an_empty_cell_is_told_that_it_may_be_a_total() -> None:
    table = b"team,epsilon,delta\na,0.1,0\nb,0.2,0\n%s,0.3,\n"
    with pytest.raises(InputError, match="if this row adds up the others, call it Total"):
        read_ledger(table % b"Sum")
    assert read_ledger(table % b"Total").size == 2
