r"""Reading and writing ledgers, whatever their format.

Rules of this file: the content decides what a file is, not its name, unless the caller says what it
is; a file above 256 MiB is refused before it is read; whatever goes wrong outside is an InputError.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Final

from exactdp.asides import Asides, asides
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats import (
    configurations,
    csv_ledger,
    deployments_registry,
    dp_events,
    dp_events_writer,
    json_ledger,
    opacus,
    opendp,
    pairs,
    printed,
    records,
    trainings,
    tumult,
)
from exactdp.ledger.formats.decimal_signs import checked
from exactdp.ledger.formats.recorded import ledger_of_record
from exactdp.ledger.nothing import something_of
from exactdp.ledger.rows import ledger_of_rows, rows_of_table
from exactdp.regular_files import open_file

if TYPE_CHECKING:
    from exactdp.ledger.model import Ledger

MAX_BYTES: Final = 256 * 2**20


_BUDGETS: Final = ("spent", "remaining")


def asides_with(
    remarks: object, budgets: str | None, decimal: str | None = None, distance: str | None = None
) -> Asides:
    """What is said here and by these arguments, checked.

    Raises:
        InputError: they are no names of columns, or neither ``spent`` nor ``remaining``, or no
            decimal sign.
    """
    names = None if isinstance(remarks, str | bytes) else remarks
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise InputError(
            field="remarks",
            value=remarks,
            expected="a list of the names of columns",
            remedy=f"pass [{remarks!r}]" if isinstance(remarks, str) else "",
        )
    if budgets not in (None, *_BUDGETS):
        raise InputError(field="budgets", value=budgets, expected=" or ".join(_BUDGETS))
    here = asides()
    return replace(
        here,
        remarks=(*here.remarks, *names),
        budgets=budgets or here.budgets,
        decimal=checked(decimal) or here.decimal,
        distance=here.distance if distance is None else distance,
    )


def _of_opendp(data: bytes, aside: Asides) -> Ledger:
    return ledger_of_record(opendp.read_opendp(data, aside.distance))


def _of_tumult(data: bytes, aside: Asides) -> Ledger:
    return ledger_of_record(tumult.read_tumult(data, aside.budgets))


def _of_csv(data: bytes, aside: Asides, name: str = "") -> Ledger:
    return csv_ledger.read(data, name, aside.remarks, aside.decimal)


def _of_workbook(data: bytes, aside: Asides, name: str = "") -> Ledger:
    from exactdp.ledger.formats import workbook  # noqa: PLC0415 (what it imports takes time)

    return workbook.read(data, name, aside.remarks)


_Reader = Callable[[bytes, Asides], "Ledger"]


def _as_it_stands(read: Callable[[bytes], Ledger]) -> _Reader:
    """The reader of a format of which nothing needs to be aside."""
    return lambda data, _: read(data)


READERS: Final[Mapping[str, _Reader]] = {
    "json": _as_it_stands(json_ledger.read),
    "csv": _of_csv,
    "dp-accounting": _as_it_stands(dp_events.read),
    "diffprivlib": _as_it_stands(pairs.read),
    "smartnoise-sql": _as_it_stands(pairs.read),
    "psi": _as_it_stands(pairs.read_matrix),
    "deployments-registry": _as_it_stands(deployments_registry.read),
    opacus.NAME: _as_it_stands(opacus.read),
    "opendp": _of_opendp,
    "tumult": _of_tumult,
    "xlsx": _of_workbook,
}
_RECOGNISED: Final[tuple[tuple[Callable[[bytes], bool], _Reader], ...]] = (
    (trainings.recognises, _as_it_stands(trainings.read)),
    (opacus.recognises, _as_it_stands(opacus.read_recognised)),
    (pairs.recognises, READERS["diffprivlib"]),
    (dp_events.recognises_begin, READERS["dp-accounting"]),
    (opendp.recognises, _of_opendp),
    (tumult.recognises, _of_tumult),
    (deployments_registry.recognises, READERS["deployments-registry"]),
    (configurations.recognises, _as_it_stands(configurations.read)),
    (records.recognises_release, _as_it_stands(records.read_release)),
    (records.recognises, records.read),
)
WRITERS: Final[Mapping[str, Callable[[Ledger], str]]] = {
    "json": json_ledger.write,
    "csv": csv_ledger.write,
    "dp-accounting": dp_events_writer.write,
    "diffprivlib": pairs.write,
    "smartnoise-sql": pairs.write,
    "psi": pairs.write_matrix,
    "deployments-registry": deployments_registry.write,
}
FORMATS: Final = tuple(WRITERS)
_STANDARD_INPUT: Final = "standard input"
_BLANKS: Final = b" \t\r\n\xef\xbb\xbf"
_WORKBOOK: Final = ".xlsx"
_ARCHIVE: Final = b"PK\x03\x04"
_JSON_BEGINS: Final = (b"{", b"[")
_JSON_WORDS: Final = (b"null", b"true", b"false")


def read_ledger(
    source: object,
    format: str | None = None,  # noqa: A002 (what users say)
    *,
    distance: str | None = None,
    remarks: Sequence[str] = (),
    budgets: str | None = None,
    decimal: str | None = None,
) -> Ledger:
    r"""Read a ledger in JSON or CSV, from a workbook or a table, or in another tool's format.

    Args:
        source: a path, "-" for standard input, the content as bytes, an open file, or a table of
            pandas, polars, Arrow or rows by name.
        format: one of :data:`READERS`; None where the content shows it, as it does for all but
            PSI's matrices.
        distance: the d_in of OpenDP's measurements, where no filter is described that states it.
        remarks: the names of columns that hold no parameters, whatever is in them.
        budgets: whether Tumult's budgets were ``spent`` or ``remaining``, where they fall.
        decimal: the decimal sign of CSV, ``","`` or ``"."``; None for a point, or for a comma where
            all numbers agree, which is then said.

    Raises:
        InputError: the file cannot be read or is not a ledger.

    >>> read_ledger(b"epsilon\nln(3)\n").size
    1
    """
    aside = asides_with(remarks, budgets, decimal, distance)
    rows = rows_of_table(source)
    if rows is not None:
        return told(ledger_of_rows(rows, aside.remarks), aside, "")
    data, name = content_of(source)  # type: ignore[arg-type]  # it refuses what it is not
    return told(_read(data, name, format, aside), aside, name)


def told(ledger: Ledger, aside: Asides, name: str) -> Ledger:
    """The ledger, after what was not read of it has been aside."""
    file = f"{PurePath(name).name}: " if name not in ("", _STANDARD_INPUT) else ""
    if aside.tell is not None:
        for sentence in ledger.reading:
            aside.tell(f"{file}{sentence}")
    return ledger


def _read(data: bytes, name: str, form: str | None, aside: Asides) -> Ledger:
    if len(data) > MAX_BYTES:
        raise _too_large(name or "the ledger")
    begin = data.lstrip(_BLANKS)
    if not begin:
        raise InputError(
            field="ledger",
            value=f"{name or 'the ledger'} (empty)",
            expected="a ledger in JSON or CSV",
            remedy='the smallest ledger is {"mechanisms": [{"epsilon": "0.1"}]}',
        )
    if aside.distance is not None and not _is_opendp(begin, form):
        raise InputError(
            field="--d-in",
            value=aside.distance,
            expected="no distance for a ledger that is not opendp's",
        )
    if form is not None:
        if form not in READERS:
            raise InputError(field="format", value=form, expected=" or ".join(READERS))
        return READERS[form](data, aside)
    return _read_recognised(data, begin, name, aside)


def _read_recognised(data: bytes, begin: bytes, name: str, aside: Asides) -> Ledger:
    """The ledger in the format that its beginning shows."""
    if begin.startswith(_ARCHIVE) or name.casefold().endswith(_WORKBOOK):
        return _of_workbook(data, aside, name)
    if printed.recognises(begin):
        data = begin = printed.json_of(begin)
    for recognises, read in _RECOGNISED:
        if recognises(begin):
            return read(data, aside)
    if begin.startswith(_JSON_BEGINS) or begin.rstrip(_BLANKS) in _JSON_WORDS:
        return json_ledger.read(data)
    try:
        return _of_csv(data, aside, name)
    except InputError as error:
        if name.casefold().endswith(".json") and error.field == "ledger":
            raise _not_json(error, name) from None
        raise


def _is_opendp(begin: bytes, form: str | None) -> bool:
    return form == "opendp" or (form is None and opendp.recognises(begin))


def write_ledger(ledger: Ledger, format: str = "json") -> str:  # noqa: A002 (what users say)
    """The text of a ledger in a format of :data:`WRITERS`; equal ledgers, equal texts.

    JSON holds the whole ledger. :func:`loses` says what another format drops.

    Raises:
        InputError: another format, or one that cannot express a mechanism.
    """
    if format not in WRITERS:
        raise InputError(field="format", value=format, expected=" or ".join(WRITERS))
    return WRITERS[format](ledger)


def convert(
    ledger: Ledger | str | os.PathLike[str] | bytes,
    to: str,
    *,
    format: str | None = None,  # noqa: A002 (what users say)
) -> str:
    r"""The text of a ledger in another format, whatever it is written in.

    Args:
        ledger: a Ledger, the path of one, or its content as bytes.
        to: one of :data:`WRITERS`.
        format: what it is written in; None where the content shows it.

    Raises:
        InputError: as for :func:`read_ledger` and :func:`write_ledger`.
        NothingComposedError: it has no mechanisms, and is not meant to be empty.

    >>> convert(b'{"mechanisms": [{"epsilon": "ln(3)", "count": 2}]}', "csv")
    'label,epsilon,delta,count\n,ln(3),0,2\n'
    """
    path = os.fspath(ledger) if isinstance(ledger, str | os.PathLike) else ""
    if isinstance(ledger, str | bytes | os.PathLike):
        ledger = read_ledger(ledger, format)
    return write_ledger(something_of(ledger, path), to)


def loses(ledger: Ledger, format: str) -> tuple[str, ...]:  # noqa: A002 (what users say)
    """The keys of ``ledger`` that its text in ``format`` does not hold."""
    if format == "json":
        return ()
    labelled = any(entry.label for entry in ledger.mechanisms)
    lost = (*(["label"] if labelled and format != "csv" else []), *csv_ledger.loses(ledger))
    kept = deployments_registry.KEPT if format == "deployments-registry" else ()
    return tuple(key for key in lost if key not in kept)


def content_of(
    source: str | os.PathLike[str] | bytes | IO[bytes] | IO[str],
) -> tuple[bytes, str]:
    """The bytes of a source, and a name for error messages (empty if it has none)."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), ""
    if source == "-":
        return _read_stream(sys.stdin.buffer, _STANDARD_INPUT), _STANDARD_INPUT
    if isinstance(source, str | os.PathLike):
        return _read_path(source), os.fspath(source)
    if hasattr(source, "read"):
        name = getattr(source, "name", "")
        name = name if isinstance(name, str) else ""
        return _read_stream(source, name), name
    raise InputError(
        field="ledger",
        value=type(source).__name__,
        expected="a path, bytes, an open file, or '-' for standard input",
        remedy="a ledger made in Python is Ledger.of([...])",
    )


def _read_path(source: str | os.PathLike[str]) -> bytes:
    name = os.fspath(source)
    try:
        path = Path(name)
        if path.stat().st_size > MAX_BYTES:
            raise _too_large(name)
        with open_file(path) as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _unreadable(name, "a file that exists", _missing_remedy(name)) from None
    except IsADirectoryError:
        remedy = "name the files in it one by one"
        raise _unreadable(name, "a file, not a directory", remedy) from None
    except PermissionError:
        raise _unreadable(name, "a file that may be read", "check its permissions") from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, f"a file that can be read ({_reason(error)})", "") from None


def _read_stream(stream: IO[bytes] | IO[str], name: str) -> bytes:
    try:
        data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(name, f"a stream that can be read ({_reason(error)})", "") from None
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def _reason(error: Exception) -> str:
    """What the system says, without the name of the file, which may be long."""
    return (error.strerror if isinstance(error, OSError) else None) or shorten(str(error))


def _missing_remedy(name: str) -> str:
    if name.lstrip().startswith("{") or "\n" in name:
        return "the content of a ledger is passed as bytes"
    return "check the path; '-' reads standard input"


def _unreadable(name: str, expected: str, remedy: str) -> InputError:
    return InputError(
        field="ledger", value=name, expected=expected, remedy=remedy, code="unreadable"
    )


def _too_large(name: str) -> InputError:
    return InputError(
        field="ledger",
        value=name,
        expected=f"at most {MAX_BYTES // 2**20} MiB",
        remedy="merge mechanisms of equal parameters into counts",
        code="too-large",
    )


def _not_json(error: InputError, name: str) -> InputError:
    """A file called .json that begins like no JSON object: say so first."""
    return InputError(
        field="ledger",
        value=error.value,
        path=error.path,
        expected=f"{error.expected}; or a JSON object, as the name {shorten(name)} promises",
        remedy="a JSON ledger begins with {",
        code=error.code,
    )
