r"""Strict JSON: one reading for a sequence of bytes, or none.

Rules of this file: UTF-8 only; no duplicate keys; nothing after the value; no ``true``, ``false``
or ``null``; numbers are kept as their text and never become floats; depth and size are limited.
A certificate must besides be byte for byte the canonical form of what it holds.

Theory of operation: the standard library's parser does the reading, with every hook that could
lose information replaced. Canonical form is then one comparison: write the value again, and
compare. RFC 8785 sorts keys by UTF-16 code units and Python by code points; the two orders agree
on ASCII, and all keys of the format are ASCII.

Sources: certs/SPEC.md, sections 1 and 12; RFC 8259; RFC 8785.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Final, NoReturn, TypeAlias

from .meter import pay
from .outcomes import MalformedError, shown

MAX_BYTES: Final = 16 * 2**20
_A_BYTE: Final = 1000  # to read it, and whatever takes a time in proportion
MAX_DEPTH: Final = 16
_CANONICAL: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
)


@dataclass(frozen=True)
class Numeral:
    """A JSON number, as the text that stood there."""

    text: str


Json: TypeAlias = "str | Numeral | list[Json] | dict[str, Json]"


def read(
    data: bytes, numeral: Callable[[str], Json] = Numeral, flags: tuple[str, ...] = ()
) -> Json:
    """The value that the bytes hold; ``numeral`` reads JSON numbers.

    Under the keys ``flags`` a literal may stand: true or false, kept as a text of its own kind.
    """
    if len(data) > MAX_BYTES:
        raise MalformedError(f"more than {MAX_BYTES} bytes")
    pay(_A_BYTE * len(data))
    if data.startswith(b"\xef\xbb\xbf"):
        raise MalformedError("a byte-order mark")
    try:
        value: Json = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=partial(_object, flags),
            parse_int=numeral,
            parse_float=numeral,
            parse_constant=_constant,
        )
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise MalformedError(_reason(error)) from None
    _inspect(value, 0)
    return value


def _reason(error: Exception) -> str:
    """Why bytes are not JSON."""
    match error:
        case UnicodeDecodeError():
            return f"not UTF-8: byte {error.start}"
        case json.JSONDecodeError():
            return f"not JSON: {error.msg} at character {error.pos}"
        case _:
            return f"nested deeper than {MAX_DEPTH} levels"


def read_canonical(data: bytes) -> Json:
    """The value of a certificate's bytes, which must be in canonical form."""
    value = read(data, _number)
    written = canonical_bytes(value)
    if written != data:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(data, written, strict=False))
        raise MalformedError(f"not canonical JSON: byte {sum(1 for _ in same)}")
    return value


def canonical_bytes(value: Json) -> bytes:
    """The canonical form (RFC 8785) of objects, arrays and strings."""
    return _CANONICAL.encode(value).encode("utf-8")


def _object(flags: tuple[str, ...], pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    for flag in flags:
        if isinstance(members.get(flag), bool):
            members[flag] = Numeral(json.dumps(members[flag]))
    if len(members) != len(pairs):
        raise MalformedError("a duplicate key in an object")
    return members


def _constant(name: str) -> NoReturn:
    raise MalformedError(f"not JSON: {name}")


def _number(text: str) -> NoReturn:
    raise MalformedError(f"a JSON number: {shown(text)}")


def _inspect(value: Json, depth: int) -> None:
    """No literals, no lone surrogates, and no deep nesting: what passes can be written again."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise MalformedError("a lone surrogate") from None
    elif isinstance(value, dict | list):
        if depth == MAX_DEPTH:
            raise MalformedError(f"nested deeper than {MAX_DEPTH} levels")
        for member in (*value, *value.values()) if isinstance(value, dict) else value:
            _inspect(member, depth + 1)
    elif not isinstance(value, Numeral):
        raise MalformedError(f"a JSON literal {json.dumps(value)}")
