r"""Lists of pairs (ε, δ): what diffprivlib, smartnoise-sql and PSI keep.

Purpose: ``spent_budget`` of diffprivlib's ``BudgetAccountant``, ``steps`` of smartnoise-sql's
odometers, as JSON or as Python prints them, or the accountant itself as Python prints it, alone or
first in an estimator; and the k×2 matrices of PSI's R code, as R writes or prints them.

Rules of this file: numbers are decimal text; nothing is run to read them; a list that was cut short
when it was printed ("...") is refused, and so is whatever else is no pair.

Sources: diffprivlib 0.6.5, ``accountant.py``; smartnoise-sql 1.0.10, ``odometer.py``; PSI,
``CompositionTheorems.R``.
"""

from __future__ import annotations

import re
from typing import Any, Final

from exactdp.arithmetic.decimal_text import round_above, scientific_text
from exactdp.arithmetic.enclosures import ball, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats.strict_json import Document, decode_utf8, parse
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism

MOST_ROWS: Final = 10**6
_DIGITS: Final = 17
_BITS: Final = 128
_ACCOUNTANT: Final = "BudgetAccountant("
_HOLDER: Final = re.compile(rb"(\w{1,99})\(accountant=BudgetAccountant\(")
"""How an estimator of diffprivlib is printed."""
_BEGIN: Final = 160
_SPENT: Final = "spent_budget"
_CEILINGS: Final = ("epsilon", "delta", "slack")
_ROW_NAME: Final = re.compile(r"\[(\d{1,9}),\]|\"(\d{1,9})\"(?=\s)")
_COLUMN_NAMES: Final = re.compile(r"\[,1\]\s+\[,2\]|\"V1\"\s+\"V2\"")
_PAIR: Final = "a pair of ε and δ"


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a list of pairs or as a budget accountant."""
    begin = data.lstrip()[:_BEGIN]
    pairs = (b"[[", b"[(", b"[ [", b"[ (", _ACCOUNTANT.encode())
    return begin.startswith(pairs) or _HOLDER.match(begin) is not None


def read(data: bytes) -> Ledger:
    """Read a list of pairs, in JSON or as Python prints it, or a printed budget accountant.

    Raises:
        InputError: something else.

    >>> read(b"[(0.1, 0), (0.2, 1e-09)]").size
    2
    >>> print(read(b"BudgetAccountant(delta=1e-06, spent_budget=[(0.1, 0)])").target_delta)
    1/1000000
    """
    text = decode_utf8(data)
    printed = text.strip()
    reading: tuple[str, ...] = ()
    if (holder := _HOLDER.match(printed.encode())) is not None:
        printed = _within(printed, printed.index(_ACCOUNTANT))
        reading = (f"the BudgetAccountant of a {holder[1].decode()}, and nothing else of it",)
    if not (printed.startswith(_ACCOUNTANT) and printed.endswith(")")):
        return Ledger(_mechanisms(text))
    inner = printed.removeprefix(_ACCOUNTANT)[:-1]
    before, spent, pairs = inner.partition(f"{_SPENT}=")
    ceilings = _ceilings(before.strip())
    delta = ceilings.pop("delta", None)
    notes = ", ".join(f"{key}={value}" for key, value in ceilings.items())
    return Ledger(
        _mechanisms(pairs) if spent else (),
        target_delta=None if delta is None else as_rational(delta, "delta"),
        notes=f"BudgetAccountant: {notes}" if notes else "",
        reading=reading,
    )


def _within(text: str, begin: int) -> str:
    """What stands from a place on up to the parenthesis that closes it."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if text[at] == ")" and not depth:
            return text[begin : at + 1]
    return text[begin:]


def _ceilings(text: str) -> dict[str, str]:
    """The arguments of an accountant beside what was spent, each once."""
    ceilings: dict[str, str] = {}
    for part in text.removesuffix(",").split(",") if text else ():
        key, _, value = (each.strip() for each in part.partition("="))
        if key not in _CEILINGS or not value or key in ceilings:
            raise InputError(
                field="BudgetAccountant",
                value=shorten(part.strip()) or "nothing",
                expected=f"{', '.join(_CEILINGS)} and {_SPENT}, each once and with its value",
                code="unknown-key",
            )
        ceilings[key] = value
    return ceilings


def _mechanisms(text: str) -> tuple[Mechanism, ...]:
    if "..." in text:
        raise InputError(
            field="ledger",
            value="...",
            expected="every pair; Python has cut this list short",
            remedy="write the list itself: json.dumps(accountant.spent_budget)",
        )
    document = parse(text.translate(str.maketrans("()", "[]")).encode())
    if not isinstance(document.tree, list):
        raise _no_pair(document, document.tree, "$")
    return tuple(
        _mechanism(document, entry, f"$[{index}]") for index, entry in enumerate(document.tree)
    )


def _mechanism(document: Document, entry: Any, path: str) -> Mechanism:  # noqa: ANN401 (JSON)
    if not isinstance(entry, list) or len(entry) != 2 or any(map(_is_no_number, entry)):
        raise _no_pair(document, entry, path)
    return _placed([document.text_of(value) for value in entry], path)


def _placed(texts: list[str], path: str) -> Mechanism:
    epsilon, delta = texts
    try:
        return Mechanism(epsilon, delta)
    except InputError as error:
        raise error.located(f"{path}.{error.field}") from None


def _is_no_number(value: object) -> bool:
    return value is None or isinstance(value, bool | list | dict)


def _no_pair(document: Document, value: object, path: str) -> InputError:
    return InputError(field="ledger", value=document.shown(value), path=path, expected=_PAIR)


def read_matrix(data: bytes) -> Ledger:
    r"""Read a k×2 matrix of ε and δ: rows of two numbers, as R writes or prints them.

    Raises:
        InputError: another row; the path is "line N".

    >>> read_matrix(b"     [,1]  [,2]\n[1,]  0.1 1e-06\n[2,]  0.2 0e+00\n").size
    2
    """
    mechanisms: list[Mechanism] = []
    is_named = False
    for number, whole in enumerate(decode_utf8(data).splitlines(), start=1):
        line = whole.strip()
        if not line or (not mechanisms and _COLUMN_NAMES.fullmatch(line)):
            continue
        name = _ROW_NAME.match(line)
        is_named = is_named if mechanisms else name is not None
        expected = _PAIR
        if is_named:
            expected = f"{_PAIR} in row {len(mechanisms) + 1}: rows are numbered from 1, one by one"
        row = int(name[1] or name[2]) if name else 0
        cells = line[name.end() if name else 0 :].replace(",", " ").split()
        if len(cells) != 2 or row != (len(mechanisms) + 1 if is_named else 0):
            raise InputError(
                field="row", value=shorten(line), path=f"line {number}", expected=expected
            )
        mechanisms.append(_placed(cells, f"line {number}"))
    return Ledger(tuple(mechanisms))


def write(ledger: Ledger) -> str:
    r"""The list of pairs, in JSON, one for each mechanism; numbers that do not end are rounded up.

    Raises:
        UnsupportedError: a mechanism given by ρ or μ, or too many mechanisms.

    >>> write(Ledger.of([("0.1", "1e-9", 2)]))
    '[[0.1, 1e-9], [0.1, 1e-9]]\n'
    """
    return f"[{', '.join(f'[{e}, {d}]' for e, d in _rows(ledger))}]\n"


def write_matrix(ledger: Ledger) -> str:
    r"""The k×2 matrix, one row for each mechanism; numbers as for :func:`write`.

    Raises:
        UnsupportedError: as for :func:`write`.

    >>> write_matrix(Ledger.of([("0.1", "1e-9", 2)]))
    '0.1 1e-9\n0.1 1e-9\n'
    """
    return "".join(f"{e} {d}\n" for e, d in _rows(ledger))


def _rows(ledger: Ledger) -> list[tuple[str, str]]:
    if ledger.size > MOST_ROWS:
        raise UnsupportedError(
            field="count",
            value=str(ledger.size),
            expected=f"at most {MOST_ROWS} mechanisms, as this format has no counts",
        )
    return [
        row
        for each in ledger.approximate()
        for row in [(_decimal(each.epsilon), _decimal(ExactNumber(each.delta)))] * each.count
    ]


def _decimal(number: ExactNumber) -> str:
    """A decimal: the number itself if it ends, else one above it."""
    if number.is_rational:
        try:
            return scientific_text(number.rational)
        except ValueError:  # the decimals never end
            return scientific_text(round_above(number.rational, _DIGITS))
    with precision(_BITS):
        return scientific_text(round_above(upper_end(ball(number)), _DIGITS))
