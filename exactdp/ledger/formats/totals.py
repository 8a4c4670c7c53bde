r"""Totals among the rows of a table: what adds up other rows is no further mechanism.

Rules of this file: a total is never guessed from arithmetic alone, for a mechanism may well cost as
much as those above it together. A row is one if it is called a total, stands below all others and
is their sum, with their counts or without; two rows of equal parameters are none. One that is
called so and is no such sum is refused, unless some other row is greater, so that it cannot be one.
A row that only equals the sum of those above it is read as a mechanism, and named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import ExactNumber, as_number
from exactdp.errors import InputError
from exactdp.ledger.columns import NOTIONS
from exactdp.ledger.model import ConcentratedMechanism, GaussianMechanism, Mechanism

if TYPE_CHECKING:
    from exactdp.ledger.model import Entry

_WORDS: Final = frozenset(
    ("total", "totals", "sum", "summe", "overall", "gesamt", "insgesamt", "grand total", "Σ")
)
_FEWEST: Final = 2


def is_total(text: str) -> bool:
    """Whether a cell calls its row a total.

    >>> [is_total(text) for text in ("Total:", " SUM ", "total population", "")]
    [True, True, False, False]
    """
    stripped = text.strip().rstrip(":")
    return stripped == "Σ" or stripped.casefold() in _WORDS


def is_left_out(
    others: Sequence[Entry], cells: Mapping[str, str], path: str, *, is_last: bool
) -> bool:
    """Whether a row that is called a total is left out; otherwise it is a mechanism.

    Args:
        others: the mechanisms of the other rows.
        cells: those of the row that are filled, by their parameters.
        path: where it stands.
        is_last: whether no mechanism stands below it.

    Raises:
        InputError: it may be either.
    """
    notion = next((key for key in NOTIONS if key in cells), None)
    if notion is None:
        return True  # it states no mechanism
    if not others:
        return False
    stated = as_number(cells[notion], notion)
    sums = _sums(others, notion) if stated.is_rational else None
    if sums is None:
        raise _either(cells[notion], notion, path, "no number that adds up the other rows")
    if sums.is_sum(stated.rational):
        if is_last and (sums.rows >= _FEWEST or stated.rational != sums.plain):
            return True
        raise _either(cells[notion], notion, path, "a total of several rows, and below them all")
    if stated.rational < sums.greatest:
        return False
    shown = " or ".join(dict.fromkeys(map(short_text, (sums.plain, sums.counted))))
    raise _either(cells[notion], notion, path, f"the sum of the other rows, {shown}")


def equals_those_above(entries: Sequence[Entry]) -> str:
    """The notion in which the last row is the sum of two rows or more above it; or nothing."""
    found = _parameter(entries[-1]) if len(entries) > _FEWEST else None
    if found is None or not found[1].is_rational or not found[1].rational:
        return ""
    sums = _sums(entries[:-1], found[0])
    if sums is None or sums.rows < _FEWEST:
        return ""
    return found[0] if sums.is_sum(found[1].rational) else ""


@dataclass(frozen=True, slots=True)
class _Sums:
    """Of the rows of one notion: how many, their sum, that with their counts, and the greatest."""

    rows: int
    plain: mpq
    counted: mpq
    greatest: mpq

    def is_sum(self, number: mpq) -> bool:
        """Whether a number is their sum, with their counts or without."""
        return number in (self.plain, self.counted)


def _sums(entries: Iterable[Entry], notion: str) -> _Sums | None:
    """The sums over rows of a notion; None if there are none, or one is no rational."""
    rows, mechanisms = Counter[int](), Counter[int]()
    numbers: dict[int, ExactNumber] = {}
    for entry in entries:
        found = _parameter(entry)
        if found is not None and found[0] == notion:
            key = id(found[1])  # equal cells share a number
            numbers[key] = found[1]
            rows[key] += 1
            mechanisms[key] += entry.count
    if not numbers or any(not each.is_rational for each in numbers.values()):
        return None
    return _Sums(
        rows.total(),
        sum((each.rational * rows[key] for key, each in numbers.items()), mpq(0)),
        sum((each.rational * mechanisms[key] for key, each in numbers.items()), mpq(0)),
        max(each.rational for each in numbers.values()),
    )


def _parameter(entry: Entry) -> tuple[str, ExactNumber] | None:
    """The notion of a mechanism, and its parameter; None for noise, which adds up to nothing."""
    if isinstance(entry, Mechanism):
        return "epsilon", entry.epsilon
    if isinstance(entry, ConcentratedMechanism):
        return "rho", ExactNumber(entry.rho)
    return ("mu", ExactNumber(entry.mu)) if isinstance(entry, GaussianMechanism) else None


def _either(cell: str, notion: str, path: str, expected: str) -> InputError:
    return InputError(
        field=notion,
        value=f"{cell.strip()}, in a row that is called a total",
        path=path,
        expected=expected,
        remedy="remove the row if it is a total, or call it otherwise if it is a mechanism; "
        "words of a column that is set aside with --remark call nothing",
    )
