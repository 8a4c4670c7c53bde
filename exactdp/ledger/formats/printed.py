r"""What Python prints of events and records, as the JSON that readers take.

Purpose: people paste what a shell or a notebook shows: ``GaussianDpEvent(noise_multiplier=3.0)``,
dictionaries in single quotes, a ``BudgetAccountant`` within another object.

Rules of this file: the text is parsed as an expression and never run; a number stays the text that
it is; a name, a call by position, and whatever else is no value are refused with their place.

Theory of operation: an event that is printed names its class and its fields, as its named tuple
does in JSON.

Sources: Python's grammar, section Expressions; dp-accounting 0.6.0, ``dp_event.py``.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.strict_json import decode_utf8

if TYPE_CHECKING:
    import ast

MOST_CHARACTERS: Final = 10**6
_EVENT: Final = re.compile(rb"(?:\w+\.)*\w+DpEvent\(")
_DICTIONARY: Final = re.compile(rb"[\[(]?\s*\{\s*'")
_VALUE: Final = "events as Python prints them, or dictionaries of numbers and texts"
_CUT: Final = "Python has cut it short: print all of it, or write it as JSON"


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a printed event, or a dictionary in single quotes."""
    return _EVENT.match(data) is not None or _DICTIONARY.match(data) is not None


def json_of(data: bytes) -> bytes:
    """The JSON of what was printed.

    Raises:
        InputError: it is no value that Python prints.

    >>> json_of(b"LaplaceDpEvent(noise_multiplier=2.50)")
    b'{"class_name": "LaplaceDpEvent", "noise_multiplier": 2.50}'
    """
    from ast import parse  # noqa: PLC0415 (few files are printed)

    text = decode_utf8(data).strip().removeprefix("\ufeff")
    if len(text) > MOST_CHARACTERS:
        raise _refused(text, "", f"at most {MOST_CHARACTERS} characters; write JSON")
    try:
        with warnings.catch_warnings(action="ignore"):  # of escapes within texts
            tree = parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise _refused(text, f"line {line}" if line else "", _VALUE) from None
    try:
        return _json(tree, text.encode()).encode()
    except RecursionError:
        raise _refused(text, "", f"{_VALUE}, nested less deeply") from None


def _json(node: ast.expr, source: bytes) -> str:
    write = _WRITERS.get(type(node).__name__)
    if write is not None and (written := write(node, source)) is not None:
        return written
    shown = _source(node, source)
    raise _refused(shown, f"line {node.lineno}", _CUT if shown == "..." else _VALUE)


def _call(node: Any, source: bytes) -> str | None:  # noqa: ANN401 (the node of its kind)
    """An event by its class and its fields, each with its name."""
    name = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
    if not name.endswith("DpEvent") or node.args or any(not each.arg for each in node.keywords):
        return None
    fields = [f'"{each.arg}": {_json(each.value, source)}' for each in node.keywords]
    members = ", ".join([f'"class_name": "{name}"', *fields])
    return f"{{{members}}}"


def _mapping(node: Any, source: bytes) -> str | None:  # noqa: ANN401 (as above)
    if any(not isinstance(getattr(key, "value", None), str) for key in node.keys):
        return None
    pairs = zip(node.keys, node.values, strict=True)
    members = (f"{json.dumps(key.value)}: {_json(value, source)}" for key, value in pairs)
    return f"{{{', '.join(members)}}}"


def _sequence(node: Any, source: bytes) -> str:  # noqa: ANN401 (as above)
    return f"[{', '.join(_json(each, source) for each in node.elts)}]"


def _constant(node: Any, source: bytes) -> str | None:  # noqa: ANN401 (as above)
    value = node.value
    if isinstance(value, str | bool) or value is None:
        return json.dumps(value)
    if not isinstance(value, int | float):
        return None
    text = _source(node, source)
    return text if _NUMBER.fullmatch(text) else None


def _negative(node: Any, source: bytes) -> str | None:  # noqa: ANN401 (as above)
    if (type(node.op).__name__, type(node.operand).__name__) != ("USub", "Constant"):
        return None
    return f"-{_json(node.operand, source)}"


def _source(node: ast.expr, source: bytes) -> str:
    """The text of a node, which stands in one line if it is a number."""
    line = source.split(b"\n")[node.lineno - 1]
    if node.end_lineno != node.lineno:
        return line[node.col_offset :].decode(errors="replace")
    return line[node.col_offset : node.end_col_offset].decode(errors="replace")


def _refused(text: str, path: str, expected: str) -> InputError:
    return InputError(field="printed", value=shorten(text), path=path, expected=expected)


_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WRITERS: Final[Mapping[str, Callable[[Any, bytes], str | None]]] = {
    "Call": _call,
    "Dict": _mapping,
    "List": _sequence,
    "Tuple": _sequence,
    "Constant": _constant,
    "UnaryOp": _negative,
}
"""By the kind of a node; any other is refused."""
