"""Tables of other libraries as ledgers: by name, exact, and without importing the libraries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import exactdp
from exactdp.errors import InputError
from exactdp.ledger.rows import ledger_of_rows, rows_of_table

Columns = Mapping[str, list[Any]]

COLUMNS: Columns = {
    "label": ["ages", "incomes"],
    "epsilon": ["0.1", "ln(2)"],
    "delta": ["1e-9", "0"],
    "count": [3, 1],
}
LEDGER = exactdp.Ledger.of([("0.1", "1e-9", 3, "ages"), ("ln(2)", 0, 1, "incomes")])


def pandas_table(columns: Columns) -> Iterable[object]:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame: Iterable[object] = pandas.DataFrame(columns)
    return frame


def polars_table(columns: Columns) -> Iterable[object]:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame: Iterable[object] = polars.DataFrame(columns)
    return frame


def arrow_table(columns: Columns) -> Iterable[object]:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table: Iterable[object] = arrow.table(columns)
    return table


def plain_rows(columns: Columns) -> Iterable[object]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


TABLES = [pandas_table, polars_table, arrow_table, plain_rows]
Table = Callable[[Columns], Iterable[object]]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_a_ledger(table: Table) -> None:
    assert exactdp.compose(table(COLUMNS), delta="1e-6").ledger == LEDGER


@pytest.mark.parametrize("table", TABLES)
def test_decimals_are_exact(table: Table) -> None:
    composed = exactdp.compose(table({"epsilon": [Decimal("0.1")] * 3}), delta="0")
    assert str(composed.exact) == "3/10"


@pytest.mark.parametrize("table", TABLES)
def test_a_missing_cell_is_no_cell(table: Table) -> None:
    columns = {"epsilon": ["0.1", None], "rho": [None, "1/8"]}
    rows = rows_of_table(table(columns))
    assert rows is not None
    kinds = [type(each).__name__ for each in ledger_of_rows(rows)]
    assert kinds == ["Mechanism", "ConcentratedMechanism"]


@pytest.mark.parametrize("table", TABLES)
def test_binary_fractions_are_refused_with_their_row(table: Table) -> None:
    with pytest.raises(InputError, match="astype") as caught:
        exactdp.compose(table({"epsilon": [0.1]}), delta="0")
    assert (caught.value.path, caught.value.code) == ("row 1", "float-refused")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"epsilom": "1"}, "epsilom"),
        ({"epsilon": "1", "rho": "1"}, "row"),
        ({"rho": "1", "delta": "0"}, "row"),
        ({"label": "x"}, "row"),
        ({}, "row"),
        ({"epsilon": "1", "count": "2"}, "count"),
        ({"mu": "x"}, "mu"),
    ],
)
def test_a_row_that_says_something_else_is_refused(row: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match="row 2") as caught:
        ledger_of_rows([{"epsilon": "1"}, row])
    assert caught.value.field == field


def test_integers_of_numpy_are_integers() -> None:
    ledger = exactdp.Ledger.of([(np.int64(2), 0, np.int32(3))])
    assert (str(ledger.mechanisms[0].epsilon), ledger.size) == ("2", 3)  # type: ignore[union-attr]


@pytest.mark.parametrize("value", [np.bool_(True), np.array([1, 2]), True])
def test_what_only_looks_like_an_integer_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="count"):
        exactdp.Mechanism("1", 0, value)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="epsilon"):
        exactdp.Mechanism(value)


def test_lists_of_mechanisms_are_no_tables() -> None:
    assert rows_of_table([("0.1", 0)]) is None
    assert rows_of_table([]) is None
    assert rows_of_table({"epsilon": ["1"]}) is None


def test_no_library_of_tables_is_imported() -> None:
    code = "import exactdp, sys; exactdp.compose([{'epsilon': '1'}], delta=0)\n"
    code += "print({'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
