r"""The lines of a spend log, ``exactdp-spend-log/1``.

Rules of this file: a line is canonical JSON (keys sorted, no white space, every number a string)
and a line feed; anything else is no line of a log. No file is read or written here.

Theory of operation: each line has its own ``digest``, the SHA-256 of its bytes with an empty string
in that place, and that of the line before as ``previous``. The first line is the header, which
holds the budget; each later one carries on what has been spent, so that its last line says all
that the next spend needs. What follows the first line is

- ``spend``: ``of`` says what, ``charge`` what it counts;
- ``adopt``: the log stands in another place now, and somebody took responsibility for that;
- ``mend``: what stood behind the last whole line was removed, and is recorded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from gmpy2 import mpq

from exactdp.errors import InputError
from exactdp.spending.budget import NOTHING, Budget, Charge, bounded, budget_of
from exactdp.spending.stated import spend_of

FORMAT: Final = "exactdp-spend-log/1"
MOST_BYTES: Final = 2**16
NEIGHBOURING: Final = ("add-remove-one", "replace-one", "unspecified")
_HEADER: Final = {
    *("budget", "delta", "digest", "entry", "format", "id", "neighbouring", "number"),
    *("place", "previous", "spent", "time", "unit"),
}
_SHARED: Final = {"digest", "entry", "number", "place", "previous", "spent", "time"}
_ENTRIES: Final = {
    "spend": _SHARED | {"charge", "label", "of"},
    "adopt": _SHARED | {"reason"},
    "mend": _SHARED | {"removed"},
}
_MOST_KNOWN: Final = 10_000
_SPEND: Final = re.compile(
    rb'\{"charge":(\{"delta":"[0-9/]+","size":"[0-9/]+"\}),"digest":"([0-9a-f]{64})",'
    rb'"entry":"spend","label":"[ !#-\[\]-~]*","number":"([0-9]+)","of":(\{[ -~]*\}),'
    rb'"place":"([0-9-]+)","previous":"([0-9a-f]{64})","spent":(\{"delta":"[0-9/]+",'
    rb'"size":"[0-9/]+"\}),"time":"([0-9TZ:.-]+)"\}\n'
)
"""Most lines: a spend without an escaped letter. Whatever does not match is read at leisure."""


class BrokenLogError(InputError):
    """A log that is not what its writer left."""

    code = "broken-log"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line.

    Attributes:
        budget: what may be spent.
        neighbouring: which inputs are neighbours, for all that is spent.
        unit: the unit of privacy, in words.
        delta: the δ for which the log reports what its budget promises; None if it names none.
        identity: a random name, the same in all copies.
    """

    budget: Budget
    neighbouring: str
    unit: str
    delta: mpq | None
    identity: str
    known: dict[bytes, Charge] = field(default_factory=dict, compare=False, repr=False)
    """Charges that were found right, by their bytes and those of their parameters."""


@dataclass(frozen=True, slots=True)
class Head:
    """What the last line says.

    Attributes:
        number: of lines before it.
        spent: the sum of all charges.
        place: where its log stands (:mod:`exactdp.spending.place`).
        digest: of the line.
        time: when it was written, by the clock of whoever wrote it.
    """

    number: int
    spent: Charge
    place: str
    digest: str
    time: str


def header_line(header: Header, place: str, time: str) -> bytes:
    """The first line of a log."""
    return sealed(
        {
            "format": FORMAT,
            "entry": "log",
            "budget": header.budget.document(),
            "delta": "" if header.delta is None else str(header.delta),
            "neighbouring": header.neighbouring,
            "unit": header.unit,
            "id": header.identity,
            "number": "0",
            "place": place,
            "previous": "",
            "spent": charge_document(NOTHING),
            "time": time,
        }
    )


def next_line(
    head: Head, entry: Mapping[str, object], spent: Charge, place: str, time: str
) -> bytes:
    """The line after ``head``."""
    return sealed(
        {
            **entry,
            "number": str(head.number + 1),
            "place": place,
            "previous": head.digest,
            "spent": charge_document(spent),
            "time": time,
        }
    )


def sealed(document: Mapping[str, object]) -> bytes:
    """The line of a document, with its digest.

    Raises:
        InputError: it would be too long.
    """
    digest = hashlib.sha256(_canonical({**document, "digest": ""})).hexdigest()
    line = _canonical({**document, "digest": digest})
    if len(line) > MOST_BYTES:
        raise InputError(
            field="spend", value=f"{len(line)} bytes", expected=f"a line of at most {MOST_BYTES}"
        )
    return line


def digest_of(line: bytes) -> str:
    """The digest of a line that was just made."""
    mark = b'"digest":"'
    start = line.index(mark) + len(mark)
    return line[start : start + 64].decode()


def charge_document(charge: Charge) -> dict[str, str]:
    """A charge as lines have it."""
    return {"size": str(charge.size), "delta": str(charge.delta)}


# --- reading ------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def read_header(line: bytes) -> tuple[Header, Head]:
    """The header, and what it says as a line.

    Raises:
        BrokenLogError: it is none.
    """
    document = read_line(line)
    if document.keys() != _HEADER or document["entry"] != "log" or document["format"] != FORMAT:
        raise broken(0, "it is not the first line of a spend log")
    try:
        budget = budget_of(_object(document, "budget"))
        stated = _text(document, "delta")
        delta = mpq(stated) if stated else None
    except (InputError, ValueError) as error:
        raise broken(0, f"it states no budget ({error})") from None
    header = Header(
        budget,
        _text(document, "neighbouring"),
        _text(document, "unit"),
        delta,
        _text(document, "id"),
    )
    head = _head(document)
    if (
        header_line(header, head.place, head.time) != line
        or header.neighbouring not in NEIGHBOURING
        or not (delta is None or 0 <= delta <= 1)
    ):
        raise broken(0, "it is not as the header of a log is written")
    return header, head


def follow(header: Header, before: Head, line: bytes) -> tuple[Head, str]:
    """What the line after ``before`` says, and of which kind it is, if it may stand there.

    Raises:
        BrokenLogError: it may not.
    """
    quick = _follow_known(header, before, line)
    if quick is not None:
        return quick, "spend"
    number = before.number + 1
    document = read_line(line, number)
    entry = document.get("entry")
    if document.keys() != _ENTRIES.get(entry if isinstance(entry, str) else ""):
        raise broken(number, "it is no entry of a log")
    head = _head(document)
    if head.number != number or document["previous"] != before.digest:
        raise broken(number, "it does not follow the line before it")
    if head.place != before.place and entry != "adopt":
        raise broken(number, "it was written to another file")
    if head.spent != _after(header, before, document, number):
        raise broken(number, "what it says is spent is not the sum of the charges")
    if not header.budget.allows(head.spent):
        raise broken(number, "more is spent than the budget allows")
    return head, str(entry)


def _follow_known(header: Header, before: Head, line: bytes) -> Head | None:
    """As :func:`follow` for a spend whose charge is known; None if that is to be looked into."""
    found = _SPEND.fullmatch(line)
    if found is None:
        return None
    counted, digest, number, of, place, previous, spent, time = found.groups()
    charge = header.known.get(counted + of)
    if charge is None or place.decode() != before.place or previous.decode() != before.digest:
        return None
    total = before.spent + charge
    if (
        int(number) != before.number + 1
        or spent
        != b'{"delta":"%s","size":"%s"}' % (str(total.delta).encode(), str(total.size).encode())
        or hashlib.sha256(line.replace(digest, b"", 1)).hexdigest().encode() != digest
        or not header.budget.allows(total)
    ):
        return None
    return Head(before.number + 1, total, before.place, digest.decode(), time.decode())


def head_of(line: bytes) -> Head:
    """What a line says, whatever stands before it.

    Raises:
        BrokenLogError: it is no line.
    """
    document = read_line(line)
    if not document.keys() >= _SHARED:
        raise broken(0, "it is no entry of a log")
    return _head(document)


def _after(header: Header, before: Head, document: Mapping[str, object], number: int) -> Charge:
    if document["entry"] != "spend":
        return before.spent
    try:
        charge = spend_of(_object(document, "of")).charge(header.budget, header.neighbouring)
        if charge_document(charge) != document["charge"]:
            raise broken(number, "its charge is not that of its parameters")
        total = bounded(before.spent, charge)
    except BrokenLogError:
        raise
    except InputError as error:
        raise broken(number, f"it is about no spend that counts ({error})") from None
    if len(header.known) < _MOST_KNOWN:
        parts = (_compact(document[key]) for key in ("charge", "of"))
        header.known[b"".join(parts)] = charge
    return total


def read_line(line: bytes, number: int = 0) -> dict[str, object]:
    """The document of a line, if that is canonical and has the digest that it says.

    Raises:
        BrokenLogError: it is not.
    """
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        raise broken(number, "it is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("digest"), str):
        raise broken(number, "it is no object with a digest")
    try:
        if _canonical(document) != line:
            raise broken(number, "it is not in canonical form")
    except UnicodeEncodeError:
        raise broken(number, "it holds half a character") from None
    except RecursionError:
        raise broken(number, "it is nested too deep") from None
    digest = document["digest"].encode()
    unsealed = line.replace(b'"digest":"' + digest + b'"', b'"digest":""', 1)
    if hashlib.sha256(unsealed).hexdigest() != document["digest"]:
        raise broken(number, "its digest is that of another line")
    return document


def _head(document: Mapping[str, object]) -> Head:
    number = _text(document, "number")
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        raise broken(0, f"its number is {number!r}")
    return Head(
        int(number),
        _read_charge(_object(document, "spent"), int(number)),
        _text(document, "place"),
        _text(document, "digest"),
        _text(document, "time"),
    )


def _read_charge(parts: Mapping[str, object], number: int) -> Charge:
    try:
        charge = Charge(mpq(str(parts.get("size"))), mpq(str(parts.get("delta"))))
    except (ValueError, ZeroDivisionError):
        raise broken(number, "a sum is no fraction") from None
    if charge_document(charge) != parts or charge.size < 0 or charge.delta < 0:
        raise broken(number, "a sum is not in lowest terms")
    return charge


def _text(document: Mapping[str, object], key: str) -> str:
    value = document[key]
    if not isinstance(value, str):
        raise broken(0, f"{key} is no text")
    return value


def _object(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = document[key]
    if not isinstance(value, dict):
        raise broken(0, f"{key} is no object")
    return value


def broken(number: int, what: str) -> BrokenLogError:
    """The error about a line of a log."""
    return BrokenLogError(
        field=f"line {number + 1}",
        value=what,
        expected="a log as it was written",
        remedy="nothing can be spent from it; exactdp filter audit says where it breaks",
    )


def _canonical(document: Mapping[str, object]) -> bytes:
    return _compact(document) + b"\n"


def _compact(value: object) -> bytes:
    return _ENCODER.encode(value).encode()


_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
