r"""Tables: the mechanisms of rows whose columns are named, whatever they were read from.

Rules of this file: a cell says what it means or is refused. A column that is there has a value in
every row that it is about; a default stands only where the column is absent. What belongs to
another kind of mechanism stays empty: each row has the cells of one. Whatever is not read is named
(:attr:`exactdp.ledger.model.Ledger.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import NOTIONS, OF_DPSGD, RESULTS, TableHeader, option_of_remark
from exactdp.ledger.formats import totals
from exactdp.ledger.formats.fields import ZERO, count_of
from exactdp.ledger.formats.flat_cells import Beside, mechanism_of_cells
from exactdp.ledger.formats.safe_cells import text_of_cell
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.mechanisms.approximate import parsed
from exactdp.mechanisms.entries import BESIDE, SHUFFLED

if TYPE_CHECKING:
    from exactdp.mechanisms import Entry

_PAIR: Final = frozenset({"label", "epsilon", "delta", "count"})
_SHUFFLED: Final = frozenset(SHUFFLED.further)
_UNSHUFFLED: Final = frozenset(BESIDE["sigma"]) - _SHUFFLED
_EMPTY: Final = {
    "delta": "write 0 for a pure mechanism, or leave the column out",
    "count": "write 1, or leave the column out",
    "sensitivity": "write 1 if it is 1, or leave the column out where it is 1 in every row",
    "shifts": "write 1 if it is 1, or leave the column out where it is 1 in every row",
    "clip": "write the most that one record moves the sum",
    "rate": "write 1 where nothing is sampled, or leave the column out",
    "records_per_person": "write 1 where a person has one, or leave the column out",
    "batches": "write how many there are, or leave the cells of epochs and order empty too",
    "epochs": "write 1, or leave the column out",
    "order": "write fresh or persistent, or leave the column out where it is fresh in every row",
}
_OTHER_TOOL: Final = "taken for another tool's answer: noise, rate and steps say what ran"
_ROW: Final = "epsilon (with or without delta), rho, mu, or a family of noise with its own columns"


def given_cells(header: TableHeader, row: Sequence[str], beside: Beside) -> dict[str, str]:
    """The cells of a row that are filled, by their parameters; those that it needs are there.

    Args:
        header: the columns.
        row: a cell for each.
        beside: for each notion the columns that belong to it.

    Raises:
        InputError: a cell is empty that says something about the row's mechanism.
    """
    where = header.where
    given = {key: row[place] for key, place in where.items() if row[place].strip()}
    notion = next((key for key in NOTIONS if key in given), "")
    other = _UNSHUFFLED if not _SHUFFLED.isdisjoint(given) else _SHUFFLED
    needed = (*beside.get(notion, ()), "count") if notion else ()
    for key in needed:
        if key in where and key not in given and key not in other | _instead(given):
            raise _empty_cell(InputError(field=key, value="", expected=_wanted(key, where)))
    if header.is_multiplier and "sigma" in given and _SHUFFLED.isdisjoint(given):
        given["sensitivity"] = "1"
    return given


def states_results(given: Container[str]) -> bool:
    """Whether a row has the noise, rate and steps of DP-SGD, and what another tool makes of it."""
    return all(key in given for key in OF_DPSGD) and RESULTS[0] in given


def _instead(given: Mapping[str, str]) -> set[str]:
    """What stays empty, as a clip and what neighbours differ by say the same of a sum."""
    if "clip" in given:
        return {"sensitivity", "shifts", "records_per_person"}
    return {"clip"} if given.keys() & {"sensitivity", "shifts"} else set()


def _wanted(key: str, where: Mapping[str, int]) -> str:
    both = key in ("sensitivity", "shifts") and "clip" in where
    return "a value, or a clip in its place" if both else "a value in every row"


class TableColumns:
    """The columns of a table, and the reader of its rows that fits them."""

    def __init__(self, header: TableHeader) -> None:
        self.header = header
        self.where = header.where
        self.others = [place for place, key in enumerate(header.keys) if not key]
        labels = [self.where["label"]] if "label" in self.where else []
        self.texts = [*(at for at in self.others if at not in header.free), *labels]
        self.may_have_results = states_results(self.where)
        self._label = header.label
        self.unread = header.unread
        is_plain = "epsilon" in self.where and self.where.keys() <= _PAIR
        self._read = self._pairs() if is_plain else self._any_notion

    def name_of(self, key: str) -> str:
        """What the column of a parameter is called."""
        return self.header.names[self.where[key]]

    def entry(self, row: Sequence[str], place: str) -> Entry:
        """The mechanism of a row.

        Raises:
            InputError: a cell is none that belongs there.
        """
        try:
            return self._read(row)
        except InputError as error:
            raise located(error, row, self.header, place) from None

    def _pairs(self) -> Callable[[Sequence[str]], Entry]:
        """The reader of rows of a table whose only notion is (ε, δ)."""
        where = self.where
        epsilon, delta, count = (where.get(key, -1) for key in ("epsilon", "delta", "count"))
        label = self._label

        def read_row(row: Sequence[str]) -> Mechanism:
            return Mechanism(
                parsed(row[epsilon], "epsilon"),
                parsed(row[delta], "delta") if delta >= 0 else ZERO,
                count_of(row[count].strip()) if count >= 0 else 1,
                text_of_cell(row[label]) if label >= 0 else "",
            )

        return read_row

    def _any_notion(self, row: Sequence[str]) -> Entry:
        """The mechanism of a row that chooses its notion."""
        given = given_cells(self.header, self._without_results(row), BESIDE)
        given.pop("label", "")
        label = text_of_cell(row[self._label]) if self._label >= 0 else ""
        count = count_of(given.pop("count", "1").strip())
        _check_notion(given, self.header)
        return mechanism_of_cells(given, count, label)

    def _without_results(self, row: Sequence[str]) -> Sequence[str]:
        """The cells without what another tool makes of the noise, rate and steps of the row."""
        if not (self.may_have_results and states_results(TableRow(self, row, "", "").filled())):
            return row
        results = [self.where[key] for key in RESULTS if key in self.where]
        return ["" if at in results else cell for at, cell in enumerate(row)]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        columns: those of its table.
        cells: one for each.
        place: where it stands, for errors.
        line: the same within the table.
        formulas: those of its notion that add up other rows, if one does.
    """

    columns: TableColumns
    cells: Sequence[str]
    place: str
    line: str
    formulas: totals.Formulas | None = None

    def filled(self) -> dict[str, str]:
        """The cells that are filled, by their parameters."""
        where = self.columns.where
        return {key: self.cells[at] for key, at in where.items() if self.cells[at].strip()}

    def texts(self) -> list[str]:
        """The cells that may call the row something."""
        return [self.cells[at] for at in self.columns.texts]

    def text(self) -> str:
        """The cells that are filled, with the names of their columns."""
        names = self.columns.header.names
        pairs = zip(names, self.cells, strict=True)
        filled = [(name.casefold(), cell.strip()) for name, cell in pairs if cell.strip()]
        return ", ".join(f"{name} {cell}".strip() for name, cell in filled)


class TableReader:
    """What the rows of a table say, one by one."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self._entries: list[Entry | None] = []
        self._notes: list[str] = []
        self._unread: dict[str, None] = {}
        self._results: dict[str, None] = {}
        self._called: dict[int, TableRow] = {}
        self._doubtful: dict[int, TableRow] = {}
        self._last = ""

    def columns(self, header: TableHeader) -> TableColumns:
        """The columns of rows to come."""
        return TableColumns(header)

    def add(self, entry: Entry) -> None:
        """Take a mechanism that is no row of cells."""
        self._entries.append(entry)

    def row(self, row: TableRow) -> None:
        """Read a row.

        Raises:
            InputError: a cell is none that belongs there.
        """
        columns, cells = row.columns, row.cells
        filled = [at for at in columns.others if cells[at].strip()]
        if columns.may_have_results and states_results(given := row.filled()):
            self._results |= {row.columns.name_of(key): None for key in RESULTS if key in given}
        for at in filled:
            columns.header.refuse_number(at, cells[at], row.place)
        called = [cells[at] for at in columns.texts if cells[at] and totals.is_total(cells[at])]
        if row.formulas is not None or (called and totals.is_called_total(row.texts())):
            self._called[len(self._entries)] = row
            self._entries.append(None)
        else:
            if called:
                self._doubtful[len(self._entries)] = row
            self._entries.append(self._entry(row, is_doubtful=bool(called)))
            self._last = row.line
        if filled:
            names = columns.header.names
            self._unread |= dict.fromkeys(columns.unread[at] for at in filled)
            remarks = [f"{names[at].casefold()} {cells[at].strip()}" for at in filled]
            self._notes.append(f"{row.line}: {', '.join(remarks)}")

    def _entry(self, row: TableRow, *, is_doubtful: bool) -> Entry:
        """The mechanism of a row; one that cannot be read may be a total by a doubtful name."""
        try:
            return row.columns.entry(row.cells, row.place)
        except InputError as error:
            if not is_doubtful:
                raise
            cured = InputError(
                field=error.field,
                value=error.value,
                expected=error.expected,
                remedy="if this row adds up the others, call it Total, or remove it; if it is a "
                f"mechanism, {error.remedy or 'fill the cell'}",
                code=error.code,
            )
            raise _placed_error(cured, error.path) from None

    def ledger(self) -> Ledger:
        """The mechanisms, with what was made of the table.

        Raises:
            InputError: a row may be a total, or a mechanism.
        """
        entries = self._read_entries()
        found = "" if self._doubtful else totals.equals_those_above(entries)
        if found:
            self.sentences.append(
                f"{self._last} is read as a mechanism; its {found} is the sum of the rows above: "
                "remove it, or call it Total, if it is one"
            )
        self._take_called()
        at = totals.first_sum_of_others(self._read_entries(), self._places_of_doubtful())
        if at is not None:
            row = [*self._doubtful.values()][self._places_of_doubtful().index(at)]
            raise totals.refused(row.filled(), row.place, None, "equals the sum of the others")
        reading = (*unread_columns(self._unread), *self.sentences)
        if self._results:
            reading = (*reading, f"{' and '.join(self._results)} {_OTHER_TOOL}")
        return Ledger(tuple(self._read_entries()), notes="\n".join(self._notes), reading=reading)

    def _read_entries(self) -> list[Entry]:
        return [entry for entry in self._entries if entry is not None]

    def _places_of_doubtful(self) -> list[int]:
        """The places among the mechanisms of rows whose words may call them totals."""
        if not self._doubtful:
            return []
        before = [0, *accumulate(entry is not None for entry in self._entries)]
        return [before[at] for at in self._doubtful]

    def _take_called(self) -> None:
        """Leave out the row that is a total; read as mechanisms those that cannot be one."""
        called = []
        for at, row in self._called.items():
            is_called = totals.is_called_total(row.texts())
            if is_called and row.filled().keys() <= {"label", "count"}:
                self._leave_out(row)  # it states no mechanism
            else:
                called.append((at, row))
        others = self._read_entries()
        sums = totals.sums_of_each(others)
        below = max((at for at, each in enumerate(self._entries) if each is not None), default=-1)
        last = called.pop() if called and called[-1][0] > below else None
        for at, row in called:
            self._entries[at] = self._mechanism(row, others, sums)
        if last is not None:
            at, row = last
            others = self._read_entries()
            if self._is_left_out(row, others):
                self._leave_out(row)
            else:
                self._entries[at] = self._mechanism(row, others, totals.sums_of_each(others))

    def _is_left_out(self, row: TableRow, others: Sequence[Entry]) -> bool:
        formulas = row.formulas or totals.Formulas(may_be_total=True)
        if not (formulas.may_be_total and totals.is_called_total(row.texts())):
            return False
        try:
            return totals.is_left_out(others, row.filled(), formulas.exact)
        except InputError as error:
            raise located(error, row.cells, row.columns.header, row.place) from None

    def _mechanism(
        self, row: TableRow, others: Sequence[Entry], sums: Mapping[str, totals.Sums]
    ) -> Entry:
        """The mechanism of a row that may be a total, and is not left out.

        Raises:
            InputError: it may be either.
        """
        filled = row.filled()
        notion = totals.notion_of(filled)
        there = sums.get(notion)
        if row.formulas is not None and notion:
            raise totals.refused(filled, row.place, there, "adds up other rows by a formula")
        entry = row.columns.entry(row.cells, row.place)
        if not totals.is_smaller(others, there, filled[notion], notion):
            raise totals.refused(filled, row.place, there, "is called a total")
        self.sentences.append(f"{row.line} is called a total, and is read as a mechanism")
        return entry

    def _leave_out(self, row: TableRow) -> None:
        self.sentences.append(f"left out as a total: {row.line} ({row.text()})")


def unread_columns(names: Iterable[str]) -> tuple[str, ...]:
    """What is said of columns that are no parameters."""
    listed = list(names)
    plural = "columns" if len(listed) > 1 else "column"
    return (f"not read as parameters: {plural} {', '.join(listed)}",) if listed else ()


def located(error: InputError, row: Sequence[str], header: TableHeader, line: str) -> InputError:
    """The error at its line and column, with a cure if the cell is empty."""
    if error.field not in header.where:
        return error if error.path else _placed_error(error, line)
    at = header.where[error.field]
    place = f"{line}, column {shorten(header.names[at])}"
    if not row[at].strip():
        return _placed_error(_empty_cell(error), place)
    there = _placed_error(error, place)
    return _with_point(there, row[at]) if _DECIMAL_COMMA.fullmatch(row[at]) else there


def _empty_cell(error: InputError) -> InputError:
    return InputError(
        field=error.field,
        value="an empty cell",
        expected=error.expected,
        remedy=_EMPTY.get(error.field, ""),
    )


def _check_notion(given: Mapping[str, str], header: TableHeader) -> None:
    """Refuse a row that does not have the cells of exactly one notion, its own first."""
    notions = [key for key in given if key in NOTIONS]
    beside = set(BESIDE.get("".join(notions), ()))
    if len(notions) == 1 and given.keys() <= {notions[0], *beside}:
        return
    raise InputError(
        field="row",
        value=" and ".join(given) or "nothing",
        expected=_ROW,
        remedy=_leave_out(given, notions, header),
    )


def _leave_out(given: Mapping[str, str], notions: Sequence[str], header: TableHeader) -> str:
    """How to go on with a row that has the cells of several mechanisms."""
    kept = {*notions[-1:], *BESIDE.get("".join(notions[-1:]), ())}
    others = [header.names[header.where[key]] for key in given if key not in kept]
    aside = " ".join(map(option_of_remark, others))
    cure = "leave the other cells empty, or write a row for each mechanism"
    return f"{cure}; results of another tool are set aside with {aside}" if notions else cure


def _with_point(error: InputError, cell: str) -> InputError:
    return InputError(
        field=error.field,
        value=error.value,
        path=error.path,
        expected=error.expected,
        remedy=f"decimals take a point: {cell.strip().replace(',', '.')}; a CSV whose decimals all "
        "have commas is read with --decimal ,",
        code=error.code,
    )


_DECIMAL_COMMA: Final = re.compile(r"\s*\d+,\d+(?:[eE][+-]?\d+)?\s*")


def _placed_error(error: InputError, path: str) -> InputError:
    placed = error.located(path)
    return placed if isinstance(placed, InputError) else error
