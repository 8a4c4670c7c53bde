r"""Values: answers of any tool at all, typed by the user or read from CSV.

Rules of this file: a value is a claim, and is judged as if an accountant had said it; its text is
read in the tool's favour.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion, finite_or_text
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.strict_json import decode_utf8
from exactdp.ledger.model import BASES

VALUE: Final = "value"
COLUMNS: Final = ("accountant", "epsilon", "delta", "basis")
_MARK: Final = b"\xef\xbb\xbf"
_PROBABILITY: Final = "a δ of at most 1"
_EXPECTED: Final = "a decimal, or EPS,DELTA, such as 11.59 or 11.59,1e-12"


def value_of(text: str, question: AccountantQuestion) -> AccountantAnswer:
    """The answer that ``--value`` states: of the kind that is asked for, or EPS,DELTA.

    Raises:
        InputError: it is no number.
    """
    first, comma, second = (part.strip() for part in text.partition(","))
    of_delta = question.delta is None and not comma
    try:
        epsilon = None if of_delta else finite_or_text(first)
        delta = finite_or_text(second if comma else first) if comma or of_delta else None
    except (ValueError, InputError):
        raise InputError(field="--value", value=text, expected=_EXPECTED) from None
    if _is_above_one(delta):
        raise InputError(field="--value", value=text, expected=_PROBABILITY)
    return AccountantAnswer("answered", epsilon=epsilon, delta=delta)


def named_values(
    values: Mapping[str, str], question: AccountantQuestion
) -> list[tuple[str, AccountantAnswer]]:
    """The answers that Python states, by the name of the tool.

    Raises:
        InputError: no mapping of texts, or what :func:`value_of` raises.
    """
    if not isinstance(values, Mapping):
        raise InputError(
            field="values",
            value=type(values).__name__,
            expected="a dictionary of answers by the names of tools",
            remedy='write {"a tool": "3"}',
        )
    for name, text in values.items():
        if not isinstance(text, str):
            raise InputError(
                field=f"values[{name!r}]",
                value=shorten(repr(text)),
                expected="a text, EPS or EPS,DELTA",
                remedy=f'write "{text}"',
            )
    return [(name, value_of(text, question)) for name, text in values.items()]


def values_of(data: bytes) -> list[tuple[str, AccountantAnswer]]:
    r"""The names and answers of a CSV file with the columns accountant, epsilon, delta and basis.

    Raises:
        InputError: another file; the path is "line N".

    >>> values_of(b"accountant,epsilon\nours,1.5\n")[0][0]
    'ours'
    """
    text = decode_utf8(data.removeprefix(_MARK), "--values")
    rows = csv.DictReader(io.StringIO(text, newline=""), restkey="more", strict=True)
    names = [name.strip() for name in rows.fieldnames or ()]
    if not {"accountant", "epsilon"} <= {*names} <= {*COLUMNS} or len({*names}) < len(names):
        raise InputError(
            field="--values",
            value=",".join(names) or "an empty file",
            path="line 1",
            expected="the columns accountant and epsilon, and perhaps delta and basis",
        )
    rows.fieldnames = names
    try:
        return [_row(row, rows.line_num) for row in rows]
    except csv.Error as error:
        raise InputError(
            field="--values",
            value=str(error),
            path=f"line {rows.line_num}",
            expected="cells quoted as in RFC 4180",
        ) from None


def _row(row: dict[str | None, str | None], line: int) -> tuple[str, AccountantAnswer]:
    cells = {key: (row.get(key) or "").strip() for key in COLUMNS}
    if "more" in row or None in row.values() or not cells["accountant"]:
        raise _bad("row", ",".join(cells.values()), line, "a cell for each column, and a name")
    basis = cells["basis"] or "composition"
    if basis not in BASES:
        raise _bad("basis", basis, line, " or ".join(BASES))
    numbers = {}
    for key in ("epsilon", "delta"):
        try:
            numbers[key] = finite_or_text(cells[key]) if cells[key] else None
        except (ValueError, InputError):
            raise _bad(key, cells[key], line, "a decimal") from None
    if _is_above_one(numbers["delta"]):
        raise _bad("delta", cells["delta"], line, _PROBABILITY)
    if numbers["epsilon"] is None and numbers["delta"] is None:
        raise _bad("epsilon", "nothing", line, "a decimal")
    return cells["accountant"], AccountantAnswer(
        "answered", "", numbers["epsilon"], numbers["delta"], basis
    )


def _is_above_one(delta: mpq | str | None) -> bool:
    return isinstance(delta, mpq) and delta > 1


def _bad(field: str, value: str, line: int, expected: str) -> InputError:
    return InputError(
        field=field, value=shorten(value), path=f"--values, line {line}", expected=expected
    )
