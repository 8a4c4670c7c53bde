r"""Records: arrays of JSON objects, JSON Lines, and the releases of DP Creator.

Purpose: programs log what they spend, an object for each mechanism, with the names that tables have
as columns.

Rules of this file: an object is a row, and means what a row of a table with these columns means; a
member that is empty says nothing, and any other that is nested is an entry of a ledger as JSON has
it, or refused.

Sources: JSON Lines (jsonlines.org); DP Creator (OpenDP), the JSON of a release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from exactdp.asides import Asides
from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import Document, nodes, parse, too_deep
from exactdp.ledger.model import Ledger
from exactdp.ledger.rows import ledger_of_rows
from exactdp.mechanisms.keys import each_leaf

_CREATOR: Final = "DP Creator"
_LABEL: Final = ("statistic", "variable")
_BEGIN: Final = 400
_DEEPEST: Final = 20
"""Levels below a member; an entry of a ledger has fewer."""
_BLANKS: Final = b" \t\r\n\xef\xbb\xbf"


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as an array of objects, or as an object in each of several lines."""
    if data.startswith(b"["):
        return data[1:_BEGIN].lstrip().startswith(b"{")
    first, _, others = data.partition(b"\n")
    return (
        first.startswith(b"{")
        and first.rstrip().endswith(b"}")
        and others[:_BEGIN].lstrip().startswith(b"{")
    )


def recognises_release(data: bytes) -> bool:
    """Whether the bytes begin as a release of DP Creator."""
    begin = data[:_BEGIN]
    return begin.startswith(b"{") and b'"application"' in begin and _CREATOR.encode() in begin


def read(data: bytes, aside: Asides) -> Ledger:
    """Read an array of objects, or one object a line.

    Raises:
        InputError: not JSON, or an object that is no mechanism; its path is "row N".

    >>> read(b'[{"timestamp": 1.5, "epsilon": 0.5, "delta": 1e-6}]', Asides()).size
    1
    """
    if data.lstrip(_BLANKS).startswith(b"["):
        document = parse(data)
        rows = [_row(document, each, f"row {at}") for at, each in enumerate(document.tree, 1)]
        return ledger_of_rows(rows, aside.remarks)
    lines = [line for line in data.splitlines() if line.strip()]
    documents = []
    for number, line in enumerate(lines, 1):
        try:
            documents.append(parse(line))
        except InputError as error:
            raise error.located(f"object {number}: {error.path}") from None
    rows = [_row(each, each.tree, f"row {at}") for at, each in enumerate(documents, 1)]
    return ledger_of_rows(rows, aside.remarks)


def read_release(data: bytes) -> Ledger:
    """Read a release of DP Creator: a statistic is a mechanism.

    Raises:
        InputError: no such release.
    """
    document = parse(data)
    release = document.tree
    statistics = release.get("statistics")
    if not isinstance(statistics, list):
        raise InputError(
            field="statistics",
            value=document.shown(statistics),
            path="$.statistics",
            expected="a list of statistics, each with its epsilon",
        )
    rows, others = [], dict[str, None]()
    for number, each in enumerate(statistics, 1):
        row = _row(document, each, f"row {number}")
        given = {key: row[key] for key in ("epsilon", "delta") if key in row}
        label = " ".join(str(row[key]) for key in _LABEL if key in row)
        rows.append({"label": label, **given})
        others |= dict.fromkeys(key for key in row if key not in (*_LABEL, *given))
    ledger = ledger_of_rows(rows)
    sentence = f"a release of {_CREATOR}, {len(rows)} statistics with the ε of each"
    unread = f"not read of them: {', '.join(others)}" if others else ""
    name = release.get("name")
    return replace(
        ledger,
        name=name if isinstance(name, str) else "",
        reading=tuple(filter(None, (sentence, unread))),
    )


def _row(document: Document, tree: Any, place: str) -> Mapping[str, Any]:  # noqa: ANN401 (a JSON tree)
    """The members that say something, their numbers as they stood in the file."""
    if not isinstance(tree, Mapping):
        raise InputError(
            field="row",
            value=document.shown(tree),
            path=place,
            expected="an object in each entry",
        )
    filled = {key: value for key, value in tree.items() if value not in (None, {}, [], "")}
    nested = [value for value in filled.values() if isinstance(value, dict | list)]
    if any(len(keys) > _DEEPEST for keys, _ in nodes(nested)):
        raise too_deep()
    return {key: each_leaf(value, document.text_of) for key, value in filled.items()}
