r"""Mechanisms in one line: the option ``-m`` of every command, and ``spend`` in a table of spends.

Rules of this file: this is the only parser of such texts. The last ``*INTEGER`` is always the
count, and multipliers stand before ``ln``; so ``ln(3)*2`` is two mechanisms of ln 3, and
``2*ln(3)`` is one of 2 ln 3. ``EPS[,DELTA]`` needs no names; everything else is ``NAME=VALUE``, in
any order, with the names of the columns of a CSV ledger: ``sigma=1.1,rate=256/60000*14063``,
``laplace=2,sensitivity=1``, ``discrete_gaussian=4,shifts=1+1``. Where JSON nests a family, its
spelling is understood as well: ``laplace,scale=2``. What is left out is what
its key declares (:mod:`exactdp.mechanisms.keys`).

Theory of operation: a text becomes the object that a JSON ledger would have, and the reader of JSON
makes the mechanism; a budget that is spent as one goes counts the same object.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

from exactdp.arithmetic.number_cures import plain_text
from exactdp.arithmetic.number_grammar import number_cure
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.columns import key_of
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.flat_cells import Beside, entry_of_cells
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry
from exactdp.mechanisms.entries import BESIDE, FLAT, KEYS, mechanism_of
from exactdp.mechanisms.keys import listed

EXPECTED: Final = "EPS[,DELTA][*COUNT], such as 0.1 or 0.1,1e-9*50 or ln(3)*2"
EXPECTED_NAMES: Final = (
    f"NAME=VALUE[,NAME=VALUE...][*COUNT] with one of {listed(BESIDE, 'and')}, such as "
    "sigma=1.1,rate=0.01*1000"
)
_PLAIN: Final = ("epsilon", "delta")
_SPENT: Final = ("delta", "rate")
_BESIDE: Final[Beside] = {**BESIDE, "epsilon": _SPENT, "rho": _SPENT}
"""A budget that is spent counts samples of ε, and failures beside ρ; no ledger does."""
_NAMES: Final = (*BESIDE, *FLAT, "count")
_SEVERAL: Final = re.compile(r"\*\d+\s*[,;]|;")
"""What follows a count is of another mechanism."""
_SAID: Final = frozenset(("sensitivity", "shifts", "clip", "rate", "batches"))
_BRACKETS: Final = str.maketrans("", "", "()")
_TIMES: Final = re.compile(r"\s*[x×✕·]\s*(?=\d+\s*\Z)")
_COMMA_OF_NAMED: Final = re.compile(r"(?<=\d),(?=\d)")
_GAUSSIAN: Final = ("gaussian", "gauss", "normal", "std", "stddev", "noise")
_FIRST: Final = {name: key.first for name, key in KEYS.items() if key.first}


def parse_inline(text: str) -> Entry:
    """Read a mechanism as the option ``-m`` states it.

    Raises:
        InputError: the path is "-m TEXT".

    >>> parse_inline("0.1,1e-9*50").count
    50
    >>> print(parse_inline("1/2*ln(3)*5").epsilon)
    1/2*ln(3)
    >>> parse_inline("mu=1/2*3")
    <GaussianMechanism: mu=0.5, count=3>
    """
    entry = entry_of_inline(text)
    try:
        if "delta" in entry and "epsilon" not in entry:
            raise UnsupportedError(
                field="delta",
                value=f"{shorten(entry['delta'])} beside {next(iter(entry))}",
                expected="delta beside epsilon alone, in a ledger",
                remedy="exactdp filter counts failures beside rho",
            )
        return mechanism_of(entry)
    except InputError as error:
        raise _with_spelling(_with_point(error, entry), text).located(_place(text)) from None


def entry_of_inline(text: str) -> dict[str, Any]:
    """A mechanism as the option ``-m`` states it, as the object that a JSON ledger has for it.

    Raises:
        InputError: the path is "-m TEXT".

    >>> entry_of_inline("laplace=2,rate=1/10*3")
    {'laplace': {'scale': '2'}, 'rate': '1/10', 'count': 3}
    """
    try:
        return _entry_of(text)
    except InputError as error:
        raise _with_spelling(error, text).located(_place(text)) from None


def _entry_of(text: str) -> dict[str, Any]:
    parameters, count = _split_count(text)
    cells = _cells(parameters)
    if "count" in cells:
        if parameters != text:
            raise _unreadable(text, "count")
        count = count_of(cells.pop("count"))
    entry = entry_of_cells(cells, _BESIDE)
    _require_count_last(cells, text)
    return entry if count == 1 else {**entry, "count": count}


def ledger_of_inline(texts: Iterable[str]) -> Ledger:
    """The ledger of several options ``-m``, in their order."""
    return Ledger(tuple(parse_inline(text) for text in texts))


def taken_as_one(texts: Iterable[str]) -> str:
    """What is said of noise whose sensitivity nobody gives; empty where all do.

    Noise on samples and in batches is given over the clipping norm, as a noise multiplier.

    >>> taken_as_one(["laplace=2", "sigma=1,rate=0.1", "sigma=3,sensitivity=2"])
    'the sensitivity of -m laplace=2 is taken as 1; write sensitivity=2 for another'
    """
    found = {text: reach for text in texts if (reach := _reach_of(text))}
    if not found:
        return ""
    reaches = list(dict.fromkeys(found.values()))
    listed_texts = ", ".join(f"-m {shorten(text)}" for text in found)
    cures = " or ".join(f"{reach}=2" for reach in reaches)
    return f"the sensitivity of {listed_texts} is taken as 1; write {cures} for another"


def _reach_of(text: str) -> str:
    """The key that would say how far a record moves this noise, if none does."""
    cells = _cells(_split_count(text)[0])
    notion = next(name for name in cells if name in BESIDE)
    if not _SAID.isdisjoint(cells):
        return ""
    return next((reach for reach in ("sensitivity", "shifts") if reach in BESIDE[notion]), "")


def _place(text: str) -> str:
    return f"-m {shorten(text)}"


# --- names and values ---------------------------------------------------------------------------


def _cells(text: str) -> dict[str, str]:
    """The parameters by name, exactly one of which is a notion or a family."""
    parts = [part.strip() for part in text.split(",")]
    nested = parts.pop(0) if parts[0] in _FIRST else ""
    cells: dict[str, str] = {}
    for place, part in enumerate(parts):
        name, equals, value = part.partition("=")
        if not equals and not nested and [*cells] == [*_PLAIN[:place]] != [*_PLAIN]:
            name, value = _PLAIN[place], part
        elif not equals:
            raise _misplaced(text, parts, place)
        name = name.strip()
        if nested and name == _FIRST[nested]:
            name = nested
        if name not in _NAMES:
            raise _unreadable(text if _SEVERAL.search(text) else name or text, name)
        if name in cells:
            raise InputError(field="mechanism", value=part, expected=f"{name} only once")
        cells[name] = value.strip()
    notions = [name for name in cells if name in BESIDE]
    if len(notions) != 1 or (nested and notions != [nested]):
        raise _unreadable(text, nested)
    return cells


def _require_count_last(cells: dict[str, str], text: str) -> None:
    """Refuse a count before a δ."""
    for name, value in cells.items():
        if name != "delta" and "delta" in cells and (misplaced := _last_factor(value)):
            before, factor = misplaced
            last = f"{before},{cells['delta']}*{factor}"
            raise InputError(
                field="count",
                value=text,
                expected=EXPECTED,
                remedy=f"put the count last: {shorten(last)}",
            )


def _misplaced(text: str, parts: list[str], place: int) -> InputError:
    """The error for a value without a name behind ε and δ, or behind a name."""
    if "=" in text or place < len(_PLAIN):
        return _unreadable(text, parts[0])
    point = f", as in {shorten(f'{parts[0]}.{parts[1]},{parts[2]}')}"
    is_split = parts[0].isdigit() and parts[1].isdigit()
    return InputError(
        field="mechanism",
        value=text,
        expected=EXPECTED,
        remedy=f"decimals take a point{point if is_split else ''}, and each mechanism an option -m "
        "of its own",
    )


def _unreadable(text: str, name: str) -> InputError:
    several = _SEVERAL.search(text)
    cure = "each mechanism takes an option -m of its own" if several else _remedy(name)
    return InputError(field="mechanism", value=text, expected=EXPECTED_NAMES, remedy=cure)


def _remedy(name: str) -> str:
    if name in KEYS and not KEYS[name].in_cells:
        what = "a table" if name == "pair" else name
        return f"{what} stands in a ledger file in JSON"
    if name in _FIRST:
        return f"for example {name}=2"
    if name in _GAUSSIAN:
        return "Gaussian noise is sigma=20 by its deviation, variance=400, or gaussian_rho by its ρ"
    if name == "eps":
        return "a plain mechanism is 0.1 or 0.1,1e-9"
    if (known := key_of(name)) in _NAMES:
        return f"-m says {known}; other names of it are for tables"
    close = get_close_matches(name, _NAMES, 1)
    return f"did you mean {close[0]}?" if close else ""


def _with_spelling(error: InputError, text: str) -> InputError:
    """The error, with the text as -m spells it, if it is one that papers and spreadsheets have."""
    if error.remedy.startswith("write ") and not error.remedy.startswith("write the product"):
        return error  # it says so already
    meant = _TIMES.sub("*", plain_text(text)).translate(_BRACKETS)
    if "=" in meant:
        meant = _COMMA_OF_NAMED.sub(".", meant)
    if meant == text or ("(" in text and "ln" in text):
        return error
    try:
        mechanism_of(_entry_of(meant))
    except InputError:
        return error
    return type(error)(
        field=error.field,
        value=error.value,
        path=error.path,
        expected=error.expected,
        remedy=f"write -m {shlex.quote(shorten(meant))}",
        code=error.code,
    )


# --- the count ----------------------------------------------------------------------------------


def _split_count(text: str) -> tuple[str, int]:
    """The text before the count, and the count (1 if there is none)."""
    last = _last_factor(text)
    if last is None:
        return text, 1
    before, factor = last
    try:
        return before, count_of(factor)
    except InputError as error:
        raise InputError(
            field="count",
            value=factor or "nothing",
            expected=error.expected,
            remedy=_cure_of_count(text, before, factor, error.remedy),
        ) from None


def _cure_of_count(text: str, before: str, factor: str, cure: str) -> str:
    """What to write instead of a factor that is no count."""
    if len(factor) > len("1000") and factor.isdigit():
        return ""
    if "^" in factor and (power := number_cure(text)):
        return power
    if cure:
        return f"write {shorten(before)}*{cure.removeprefix('write ')}"
    return f"a count is a whole number like 1000: {shorten(before)}*1000"


def _last_factor(text: str) -> tuple[str, str] | None:
    """What stands before and after the last "*", if what follows was meant as a count."""
    before, star, factor = text.rpartition("*")
    if not star or any(letter in "()," for letter in factor):
        return None
    return before.strip(), factor.strip()


def _with_point(error: InputError, entry: dict[str, Any]) -> InputError:
    """The error, with the cure for a decimal comma or a second count where that is likely."""
    epsilon, delta = (str(entry.get(key, "")) for key in _PLAIN)
    if error.field == "delta" and delta.isdigit() and epsilon.isdigit():
        remedy = number_cure(f"{epsilon},{delta}")
    elif error.field == "epsilon" and _last_factor(epsilon) and "point" not in error.remedy:
        remedy = error.remedy
        if "first" not in remedy:
            remedy = "a mechanism takes one count, and it stands last"
    else:
        return error
    return type(error)(
        field=error.field,
        value=error.value,
        expected=error.expected,
        remedy=remedy,
        code=error.code,
    )
