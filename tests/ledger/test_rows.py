"""Tables of other libraries as ledgers: by name, exact, and without importing the libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import exactdp
from exactdp import read_ledger, write_ledger
from exactdp.errors import InputError, NothingComposedError
from exactdp.ledger.rows import ledger_of_rows, rows_of_table
from tests.marking import each_case
from tests.untyped import untyped

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


@pytest.mark.slow
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
    with pytest.raises(InputError, match=r"exactdp\.written\(table\)") as caught:
        exactdp.compose(table({"epsilon": [0.1]}), delta="0")
    assert (caught.value.path, caught.value.code) == ("row 1, column epsilon", "float-refused")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"epsilom": "1"}, "epsilom"),
        ({"epsilon": "1", "rho": "1"}, "row"),
        ({"rho": "1", "delta": "0"}, "row"),
        ({"label": "x"}, "row"),
        ({}, "row"),
        ({"epsilon": "1", "count": "2.0"}, "count"),
        ({"mu": "x"}, "mu"),
    ],
)
def test_a_row_that_says_something_else_is_refused(row: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match="row 2") as caught:
        ledger_of_rows([{"epsilon": "1"}, row])
    assert caught.value.field == field


NESTED: list[dict[str, Any]] = [
    {"laplace": {"scale": "2", "sensitivity": 1}, "rate": Fraction(1, 3), "count": 2},
    {"discrete_laplace": {"scale": 2, "shifts": [1, 2]}},
    {"discrete_gaussian": {"variance": Decimal("6.25"), "shifts": (1,)}, "label": "census"},
    {"sigma": "1.1", "sensitivity": 1, "rate": "256/60000", "count": 14063},
    {"bounded_range": "1/10"},
    {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}},
    {"renyi": [[2, "1/50"], [8, "1/10"]]},
    {"mu": 1, "rate": "1/2"},
    {"sigma": "1/2", "shuffled": {"batches": 10, "epochs": 1, "order": "fresh"}},
]


@pytest.mark.parametrize("entry", NESTED, ids=lambda entry: next(iter(entry)))
def test_entries_of_a_json_ledger_are_rows(entry: dict[str, Any]) -> None:
    ledger = ledger_of_rows([entry])
    written = json.loads(write_ledger(ledger, "json"))
    assert ledger_of_rows(written["mechanisms"]) == ledger
    assert read_ledger(json.dumps(written).encode()).mechanisms == ledger.mechanisms


@pytest.mark.parametrize("table", TABLES)
def test_columns_of_noise_are_those_of_csv(table: Table) -> None:
    columns: Columns = {
        "laplace": ["2", None, None],
        "sensitivity": ["1", "1", None],
        "sigma": [None, "1.1", None],
        "rate": ["1/3", "1/100", None],
        "epsilon": [None, None, "1/2"],
    }
    rows = rows_of_table(table(columns))
    assert rows is not None
    text = b"laplace,sensitivity,sigma,rate,epsilon\n2,1,,1/3,\n,1,1.1,1/100,\n,,,,1/2\n"
    assert ledger_of_rows(rows).mechanisms == read_ledger(text).mechanisms


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"laplace": {"scale": 0.1, "sensitivity": 1}}, "0.1"),
        ({"laplace": 0.1}, "0.1"),
        ({"laplace": {"sensitivity": "2"}}, "scale"),
        ({"laplace": "2", "epsilon": "1"}, "epsilon and laplace"),
        ({"laplace": "2", "sensitivty": "1"}, "did you mean sensitivity"),
        ({"laplace": "2", "date": "20260105"}, "date"),
        ({"rho": "1", "rate": "1/2"}, "rate"),
        ({"bounded_range": "-1"}, "above 0"),
        ({"rate": "1/2"}, "rate"),
    ],
)
def test_noise_that_is_not_well_stated_is_refused_in_its_row(
    row: dict[str, Any], what: str
) -> None:
    with pytest.raises(InputError, match="row 2") as caught:
        ledger_of_rows([{"epsilon": "1"}, row])
    assert what in str(caught.value)


def test_integers_of_numpy_are_integers() -> None:
    ledger = exactdp.Ledger.of([(np.int64(2), 0, np.int32(3))])
    assert (str(ledger.mechanisms[0].epsilon), ledger.size) == ("2", 3)  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [np.bool_(True), np.array([1, 2]), True])
def test_what_only_looks_like_an_integer_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="count"):
        exactdp.Mechanism("1", 0, value)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="epsilon"):
        exactdp.Mechanism(untyped(value))


def test_columns_of_one_name_are_refused_and_none_is_kept_in_silence() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    twice = pandas.DataFrame([["0.1", "0.2"]], columns=["epsilon", "epsilon"])
    for table in (twice, arrow.table([["0.1"], ["0.2"]], names=["epsilon", "epsilon"])):
        with pytest.raises(InputError, match="epsilon at column epsilon: a column that stands tw"):
            exactdp.compose(table, delta="0")


@pytest.mark.parametrize("table", TABLES[:3])
def test_of_a_table_without_rows_nothing_is_proved(table: Table) -> None:
    with pytest.raises(NothingComposedError, match="at least one mechanism"):
        exactdp.compose(table({"epsilon": []}), delta="0")


def test_lists_of_mechanisms_are_no_tables() -> None:
    assert rows_of_table([("0.1", 0)]) is None
    assert rows_of_table([]) is None
    assert rows_of_table({"epsilon": ["1"]}) is None


# --- what is no list ----------------------------------------------------------------------------


class _Named(NamedTuple):
    runs: int
    epsilon: str


def _pandas() -> Any:  # noqa: ANN401 (of another library)
    return pytest.importorskip("pandas", reason="pandas is not installed")


def _polars() -> Any:  # noqa: ANN401 (as above)
    return pytest.importorskip("polars", reason="polars is not installed")


NO_LISTS: Mapping[str, Callable[[], object]] = {
    "a mapping": lambda: {"0.1": 52},
    "a table in a mapping": lambda: {"epsilon": ["0.1"], "count": [52]},
    "a counter": lambda: Counter(["0.1"] * 52),
    "its keys": {"0.1": 52}.keys,
    "its items": {"0.1": 52}.items,
    "a set": lambda: {"0.1"},
    "a frozen set": lambda: frozenset(["0.1"]),
    "a series": lambda: _pandas().Series(["0.1"], index=[52]),
    "counted values": lambda: _pandas().Series(["0.1"] * 52).value_counts(),
    "groups": lambda: _pandas().DataFrame({"epsilon": ["0.1"]}).groupby("epsilon"),
    "a column": lambda: _polars().Series(["0.1"]),
    "a lazy frame": lambda: _polars().DataFrame({"epsilon": ["0.1"], "count": [52]}).lazy(),
    "records": lambda: np.array([("0.1", 52)], dtype=[("epsilon", "U5"), ("count", int)]),
    "a recarray": lambda: np.array([("0.1", 52)], dtype="U5,i8").view(np.recarray),
    "objects": lambda: np.array([["0.1", 0]], dtype=object),
    "rows of a frame": lambda: _pandas().DataFrame({"epsilon": ["0.1"]}).itertuples(),
    "a named tuple": lambda: _Named(52, "0.1"),
    "named tuples one by one": lambda: (_Named(52, "0.1") for _ in range(1)),
    "mappings one by one": lambda: ({"epsilon": "0.1", "count": 52} for _ in range(1)),
    "nothing": lambda: None,
    "a number": lambda: 1,
    "digits": lambda: range(1),
}


@each_case("name", NO_LISTS)
def test_what_holds_more_than_its_parts_say_is_refused_and_not_iterated(name: str) -> None:
    for ask in (lambda value: exactdp.compose(value, delta=0), exactdp.Ledger.of):
        value: Any = NO_LISTS[name]()
        with pytest.raises(InputError, match="expected"):
            ask(value)


def test_a_mapping_of_mechanisms_is_no_ledger() -> None:
    mechanism = exactdp.Mechanism("0.1")
    for counted in (Counter([mechanism] * 2), {mechanism}):
        with pytest.raises(InputError, match="pass "):
            exactdp.Ledger(counted)  # type: ignore[arg-type]


def test_lists_and_what_gives_them_one_by_one_are_read_whole() -> None:
    values = ["0.1", ("0.2", 0, 3)]
    for given in (values, tuple(values), iter(values), (each for each in values), deque(values)):
        assert exactdp.Ledger.of(given).size == 4


def test_named_tuples_are_rows_by_name() -> None:
    assert exactdp.compose([_Named(52, "0.1")], delta=0).ledger.size == 52
    frame = _pandas().DataFrame({"count": [52, 3], "epsilon": ["0.1", "0.2"]})
    assert exactdp.compose(list(frame.itertuples(index=False)), delta=0).ledger.size == 55
    with pytest.raises(InputError, match="Index"):
        exactdp.compose(list(frame.itertuples()), delta=0)


# --- the index of a frame -----------------------------------------------------------------------


def test_the_index_of_a_frame_is_a_column_or_only_numbers_its_rows() -> None:
    frame = _pandas().DataFrame(
        {"count": [52, 3], "epsilon": ["0.1", "0.2"], "team": ["a", "b"], "users": [7, 8]}
    )
    plain = frame.drop(columns="users")
    for keys in ("count", "epsilon", "team", ["team", "count"], ["epsilon", "count"]):
        assert read_ledger(plain.set_index(keys)).mechanisms == read_ledger(plain).mechanisms
    for rows in (plain.head(1), plain[1:].reset_index(drop=True)):
        assert read_ledger(rows).size == sum(rows["count"])
    with pytest.raises(InputError, match="row 1, column users"):
        read_ledger(frame.set_index("users"))
    numbers = [plain[1:], plain[plain["team"] == "b"], plain.set_axis([52, 3], axis=0)]
    for indexed in (*numbers, plain.set_axis([0.5, 1.5], axis=0)):
        with pytest.raises(InputError, match=r"reset_index\(drop=True\)"):
            read_ledger(indexed)
    with pytest.raises(InputError, match="reset_index"):
        read_ledger(plain.set_index("count", drop=False))


@pytest.mark.slow
def test_no_library_of_tables_is_imported() -> None:
    code = "import exactdp, sys; exactdp.compose([{'epsilon': '1'}], delta=0)\n"
    code += "print({'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_where_no_column_is_called_label_the_one_that_names_the_rows_does() -> None:
    ledger = read_ledger(b"Team,Release,epsilon\nblue,weekly,0.1\nred,survey,0.2\n")
    assert [entry.label for entry in ledger.mechanisms] == ["weekly", "survey"]
    assert ledger.notes == "line 2: team blue, release weekly\nline 3: team red, release survey"
    ledger = read_ledger(b"Release,label,epsilon\nweekly,counts,0.1\n")
    assert [entry.label for entry in ledger.mechanisms] == ["counts"]
    with pytest.raises(InputError, match="Release"):
        read_ledger(b"Release,epsilon\n52,0.1\n")
