r"""Totals among the rows of a table: what adds up other rows is no further mechanism.

Rules of this file: no row is left out by a guess. It is left out only if everything says that it is
a total: it is called so by a word that means nothing else, it is the last row with parameters, and
they are the sums of at least two others, of all of them. A word such as *sum* may be a query, and a
formula may be a mechanism: where they leave it open, the row is refused. A row that only equals the
sum of those above it is read as a mechanism, and named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import ExactNumber, as_number
from exactdp.errors import InputError
from exactdp.ledger.columns import NOTIONS

if TYPE_CHECKING:
    from exactdp.mechanisms import Entry

_CLEAR: Final = frozenset(
    (
        *("total", "totals", "grand total", "overall total", "sum total", "in total"),
        *("gesamt", "insgesamt", "gesamtsumme", "totale", "totaal", "всего", "итого", "合计"),
    )
)
_DOUBTFUL: Final = frozenset(("sum", "sums", "summe", "overall", "Σ"))
_FEWEST: Final = 2
_ZERO: Final = mpq(0)
_NOTHING: Final = frozenset(("", "-", "–", "—"))


def is_total(text: str) -> bool:
    """Whether a cell may call its row a total.

    >>> [is_total(text) for text in ("Total:", " SUM ", "total population", "")]
    [True, True, False, False]
    """
    return _plain(text) in _CLEAR | _DOUBTFUL


def is_called_total(texts: Iterable[str]) -> bool:
    """Whether the words of a row say that it is a total, and nothing else.

    >>> [is_called_total(texts) for texts in (["Total", ""], ["age", "total"], ["sum"], [])]
    [True, False, False, False]
    """
    spoken = {_plain(text) for text in texts} - _NOTHING
    return bool(spoken) and spoken <= _CLEAR


def _plain(text: str) -> str:
    stripped = text.strip().rstrip(":").rstrip()
    return stripped if stripped == "Σ" else stripped.casefold()


@dataclass(frozen=True, slots=True)
class Formulas:
    """Formulas of a row that add up other rows.

    Attributes:
        may_be_total: whether the one of its notion may add up all others.
        exact: the parameters whose formulas have no value, and add up exactly the rows above.
    """

    may_be_total: bool
    exact: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sums:
    """Of rows of one notion: how many, their sums, those with their counts, and the greatest.

    Attributes:
        rows: how many.
        size: how many mechanisms.
        plain: the sums of the notion and of δ.
        counted: the same with counts.
        greatest: of the notion.
    """

    rows: int
    size: int
    plain: tuple[mpq, mpq]
    counted: tuple[mpq, mpq]
    greatest: mpq

    def are(self, number: mpq) -> bool:
        """Whether a number is the sum of the notion, with counts or without."""
        return number in (self.plain[0], self.counted[0])

    def without(self, entry: Entry) -> Sums:
        """The sums over the other rows; the greatest stays."""
        own = (_number(entry), entry.failure())
        return Sums(
            self.rows - 1,
            self.size - entry.count,
            (self.plain[0] - own[0], self.plain[1] - own[1]),
            (self.counted[0] - own[0] * entry.count, self.counted[1] - own[1] * entry.count),
            self.greatest,
        )


def is_left_out(
    others: Sequence[Entry], cells: Mapping[str, str], exact: Container[str] = ()
) -> bool:
    """Whether the last row with parameters, called a total, is one in all that it says.

    Args:
        others: the mechanisms of all other rows.
        cells: those of the row that are filled, by their parameters.
        exact: those that hold a formula without a value, which adds up all other rows.
    """
    given = {key: cell for key, cell in cells.items() if key not in exact and key != "label"}
    notion = notion_of(cells)
    sums = sums_of(others)
    if sums is None or sums[0] != notion or sums[1].rows < _FEWEST:
        return False
    if given.keys() - {notion, "delta", "count"}:
        return False
    if any(cell.startswith("=") for cell in given.values()):
        return False
    numbers = {key: as_number(cell, key) for key, cell in given.items()}
    if not all(number.is_rational for number in numbers.values()):
        return False
    stated = {key: number.rational for key, number in numbers.items()}
    return stated.get("count", 1) in (1, sums[1].size) and any(
        stated.get(notion, each[0]) == each[0] and stated.get("delta", each[1]) == each[1]
        for each in (sums[1].plain, sums[1].counted)
    )


def is_smaller(others: Sequence[Entry], sums: Sums | None, cell: str, notion: str) -> bool:
    """Whether a row that is called a total cannot be one, as there is no other or a greater."""
    stated = as_number(cell, notion)
    if not others:
        return True
    if sums is None or not stated.is_rational:
        return False
    return stated.rational < sums.greatest and not sums.are(stated.rational)


def notion_of(cells: Mapping[str, str]) -> str:
    """The notion that a row states; nothing if it states none."""
    return next((key for key in NOTIONS if key in cells), "")


def first_sum_of_others(entries: Sequence[Entry], places: Sequence[int]) -> int | None:
    """The first of these places whose mechanism is the sum of all others, at least two."""
    found = sums_of(entries) if places else None
    if found is None or found[1].rows <= _FEWEST:
        return None
    for at in places:
        number = _number(entries[at])
        if number and found[1].without(entries[at]).are(number):
            return at
    return None


def _number(entry: Entry) -> mpq:
    found = _parameter(entry)
    assert found is not None
    return found[1].rational


def refused(cells: Mapping[str, str], path: str, sums: Sums | None, why: str) -> InputError:
    """The refusal of a row that may be a total, or a mechanism."""
    notion = notion_of(cells)
    texts = [] if sums is None else [*map(short_text, (sums.plain[0], sums.counted[0]))]
    shown = " or ".join(dict.fromkeys(texts))
    return InputError(
        field=notion,
        value=f"{cells[notion].strip()}, in a row that {why}",
        path=path,
        expected="a mechanism in every row, or below them all a row that is called Total and is "
        "the sum of the others in all its columns" + (f", here {shown}" if shown else ""),
        remedy="remove the row if it is a total, or call it otherwise if it is a mechanism, and "
        "write its value if it is a formula; words of a column that is set aside with --remark "
        "call nothing",
    )


def equals_those_above(entries: Sequence[Entry]) -> str:
    """The notion in which the last row is the sum of two rows or more above it; or nothing."""
    found = _parameter(entries[-1]) if len(entries) > _FEWEST else None
    if found is None or not found[1].is_rational or not found[1].rational:
        return ""
    sums = sums_of_each(entries[:-1]).get(found[0])
    if sums is None or sums.rows < _FEWEST:
        return ""
    return found[0] if sums.are(found[1].rational) else ""


def sums_of(entries: Sequence[Entry]) -> tuple[str, Sums] | None:
    """The notion of all these rows, and their sums; None if there are none, or several."""
    found = sums_of_each(entries).items()
    return next((each for each in found if each[1].rows == len(entries)), None)


def sums_of_each(entries: Iterable[Entry]) -> dict[str, Sums]:
    """The sums over the rows of each notion whose numbers are all rational."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        parameter = _parameter(entry)
        if parameter is not None:
            found.setdefault(parameter[0], []).append(entry)
    summed = {notion: _sums(rows) for notion, rows in found.items()}
    return {notion: sums for notion, sums in summed.items() if sums is not None}


def _sums(entries: Iterable[Entry]) -> Sums | None:
    rows, mechanisms = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    numbers: dict[tuple[int, int], tuple[ExactNumber, mpq]] = {}
    for entry in entries:
        parameter, delta = _parameter(entry), entry.failure()
        if parameter is None or not parameter[1].is_rational:
            return None
        key = (id(parameter[1]), id(delta))  # equal cells share a number
        numbers[key] = (parameter[1], delta)
        rows[key] += 1
        mechanisms[key] += entry.count

    def added(times: Mapping[tuple[int, int], int]) -> tuple[mpq, mpq]:
        pairs = [(numbers[key], times[key]) for key in numbers]
        return (
            sum((pair[0].rational * n for pair, n in pairs), _ZERO),
            sum((pair[1] * n for pair, n in pairs), _ZERO),
        )

    greatest = max(pair[0].rational for pair in numbers.values())
    return Sums(rows.total(), mechanisms.total(), added(rows), added(mechanisms), greatest)


def _parameter(entry: Entry) -> tuple[str, ExactNumber] | None:
    """The notion of a mechanism, and its parameter; None for noise, which adds up to nothing."""
    if entry.given_by == "noise":
        return None
    notion, number = next(iter(entry.shape().items()))
    return notion, number if isinstance(number, ExactNumber) else ExactNumber(number)
