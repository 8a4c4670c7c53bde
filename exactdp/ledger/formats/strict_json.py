r"""Strict JSON: bytes to a tree in which every number still is its text.

Purpose: the first step of reading a ledger, before the schema.

Rules of this file: no number becomes a binary fraction; duplicate keys, a byte-order mark, other
encodings and trailing text are refused; every error says where.

Theory of operation: the schema must see numbers as numbers (``"name": 3`` is wrong), and the
validator takes plain Python values only. So an integer of up to 18 digits, or 10^18, becomes an
int, which loses nothing but the sign of -0, and every other number becomes the placeholder n + 1/2,
where n is the position of its text in a table. A placeholder is a number and no integer, which is
all that the schema can ask of it; its value is never used, so 1e999999999 costs nothing here. NaN
and Infinity become placeholders too, and are refused as numbers at their place. Lone surrogates are
refused by the model.

Sources: RFC 8259 (JSON), RFC 7493 (I-JSON: no duplicate keys, no lone surrogates).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exactdp.errors import InputError, shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_PLAIN_DIGITS: Final = 18
_GREATEST_COUNT: Final = "1000000000000000000"
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}")
_REMEDIES: Final = {
    "Expecting value": "text and numbers other than plain decimals stand in double quotes, a "
    "number begins with a digit (0.5, not .5), and no comma stands before ]",
    "Expecting property name enclosed in double quotes": "keys stand in double quotes, and no "
    "comma stands before }",
    "Expecting ',' delimiter": "a comma stands between entries, and numbers such as 1/10 or "
    "ln(3) stand in double quotes",
    "Illegal trailing comma before end of object": "no comma stands before }",
    "Illegal trailing comma before end of array": "no comma stands before ]",
    "Extra data": "a file holds one JSON object and nothing after it",
    "Unterminated string starting at": "the file may have been cut short",
    "Invalid control character at": r"a line break in a text is written \n",
    "Invalid \\escape": r"a backslash in a text is written \\",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A tree of plain values, and the texts of the numbers that its placeholders stand for."""

    tree: Any
    texts: tuple[str, ...]

    def text_of(self, value: object) -> str:
        """The text of a number or string of the tree, as it stood in the file."""
        return self.texts[int(value)] if type(value) is float else str(value)

    def shown(self, value: object) -> str:
        """A value of the tree as an error message shows it: a short line of JSON."""
        if isinstance(value, dict | list):
            kind, entries = ("object", "keys") if isinstance(value, dict) else ("array", "entries")
            return f"an {kind} of {len(value)} {entries}"
        if isinstance(value, bool) or value is None:
            return json.dumps(value)
        return shorten(value) if isinstance(value, str) else self.text_of(value)


def parse(data: bytes) -> Document:
    """Parse the bytes of a file.

    Raises:
        InputError: not JSON in UTF-8, or not strict; the path is a line and column or a JSON path.
    """
    text = decode(data)
    table: dict[str, int] = {}
    duplicates: list[tuple[dict[str, Any], str]] = []

    def placeholder(number: str) -> float:
        return table.setdefault(number, len(table)) + 0.5

    def integer(number: str) -> int | float:
        plain = len(number) <= _PLAIN_DIGITS or number == _GREATEST_COUNT
        return int(number) if plain else placeholder(number)

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) != len(pairs):
            duplicates.append((entries, _repeated(pairs)))
        return entries

    try:
        tree = json.loads(
            text,
            parse_int=integer,
            parse_float=placeholder,
            parse_constant=placeholder,
            object_pairs_hook=mapping,
        )
    except json.JSONDecodeError as error:
        raise _syntax_error(error) from None
    except RecursionError:
        raise too_deep() from None
    if duplicates:
        raise _duplicate_key(tree, *duplicates[0])
    return Document(tree, tuple(table))


def decode(data: bytes) -> str:
    """The text of the bytes of a file, which must be UTF-8 without a byte-order mark."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise InputError(
            field="ledger",
            value="a byte-order mark",
            path="byte 0",
            expected="JSON in UTF-8 without a byte-order mark (RFC 8259, section 8.1)",
            remedy="save the file as UTF-8 without BOM",
            code="bad-encoding",
        )
    return decode_utf8(data)


def decode_utf8(data: bytes, name: str = "") -> str:
    """The text of bytes in UTF-8; ``name`` is the file's, for the path of an error."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        raise _not_utf8(data, placed(name, "byte 0"), 0, "UTF-16 or UTF-32")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = placed(name, f"byte {error.start}")
        raise _not_utf8(data, place, error.start, error.reason) from None


def _not_utf8(data: bytes, path: str, start: int, reason: str) -> InputError:
    return InputError(
        field="ledger",
        value=f"bytes {data[start : start + 4].hex(' ')} ({reason})",
        path=path,
        expected="text in UTF-8",
        remedy="save the file as UTF-8",
        code="bad-encoding",
    )


def placed(name: str, place: str) -> str:
    """The path of an error at ``place`` in the file ``name``; the name may be empty."""
    return f"{shorten(name)}, {place}" if name else place


def too_deep() -> InputError:
    """The error for a file that nests arrays or objects without end."""
    return InputError(
        field="ledger",
        value="arrays or objects in one another, hundreds deep",
        path="$",
        expected="a ledger: one object, its lists, and their objects",
        code="too-deep",
    )


def json_path(keys: list[str | int]) -> str:
    """The JSON path of a value, with hostile keys shortened and escaped.

    >>> json_path(["mechanisms", 3, "epsilon"])
    '$.mechanisms[3].epsilon'
    """
    steps = (
        f"[{key}]"
        if isinstance(key, int)
        else f".{key}"
        if _PLAIN_KEY.fullmatch(key)
        else f"['{shorten(key)}']"
        for key in keys
    )
    return "$" + "".join(steps)


def check_keys(
    tree: Mapping[str, object],
    known: Collection[str],
    document: Document,
    keys: Sequence[str | int],
    *,
    of: str,
    remedy: str = "",
) -> None:
    """Refuse a key that is not known: what it says may change all that stands beside it.

    Args:
        tree: the object.
        known: its keys.
        document: what it stands in.
        keys: where.
        of: what the object is called.
        remedy: what to do with one that is not known.
    """
    unknown = next((key for key in tree if key not in known), None)
    if unknown is not None:
        raise InputError(
            field=shorten(unknown),
            value=document.shown(tree[unknown]),
            path=json_path([*keys, unknown]),
            expected=f"of {of}, no key" + (f" but {', '.join(known)}" if known else ""),
            remedy=remedy,
            code="unknown-key",
        )


def nodes(tree: object) -> Iterator[tuple[list[str | int], object]]:
    """Every value of a tree with its keys from the root, in the order of the file."""
    waiting: list[tuple[list[str | int], object]] = [([], tree)]
    while waiting:
        keys, value = waiting.pop()
        yield keys, value
        if isinstance(value, dict):
            waiting += [([*keys, key], member) for key, member in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [([*keys, index], value[index]) for index in reversed(range(len(value)))]


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    seen = Counter(key for key, _ in pairs)
    return next(key for key, times in seen.items() if times > 1)


def _duplicate_key(tree: object, entries: dict[str, Any], key: str) -> InputError:
    # The object may be missing from the tree: an outer duplicate may have replaced it.
    keys = next((keys for keys, value in nodes(tree) if value is entries), [])
    return InputError(
        field=shorten(key),
        value="a key that stands twice",
        path=json_path([*keys, key]),
        expected="each key once in an object",
        remedy="remove one of the two",
        code="duplicate-key",
    )


def _syntax_error(error: json.JSONDecodeError) -> InputError:
    position = error.pos
    if error.msg.startswith("Illegal trailing comma"):
        # Python 3.13 points at the comma, earlier versions at the bracket behind it, as we do.
        position = len(error.doc) - len(error.doc[position + 1 :].lstrip())
    near = error.doc[position : position + 24].split("\n")[0]
    line = error.doc.count("\n", 0, position) + 1
    column = position - error.doc.rfind("\n", 0, position)
    empty = not error.doc.strip()
    return InputError(
        field="ledger",
        value="an empty file" if empty else near or "the end of the line",
        path=f"line {line}, column {column}",
        expected=f"JSON ({error.msg})",
        remedy=_REMEDIES.get(error.msg, ""),
        code="bad-json",
    )
