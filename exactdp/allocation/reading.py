r"""Statistics from a file: ``exactdp-statistics/1`` as JSON, or a table of the same keys as CSV.

Rules of this file: JSON is read strictly, and a number as its decimal text; what is expected is
quoted from the published schema, ``schemas/statistics-1``; every error says where. In a table an
empty cell means that the key is not given, and ε and δ of the budget are left to the caller.

Sources: JSON Schema, draft 2020-12; RFC 4180 (CSV).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from exactdp.allocation.statistics import (
    DEFAULT_CONFIDENCE,
    AccuracyTarget,
    Statistic,
    checked_confidence,
    checked_statistics,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.arguments import nonnegative, probability
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.bounded import read_bounded
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.strict_json import (
    Document,
    decode_utf8,
    json_path,
    parse,
    placed,
    too_deep,
)
from exactdp.ledger.schema import published, unknown_key

if TYPE_CHECKING:
    import jsonschema_rs

FORMAT: Final = "exactdp-statistics/1"
SCHEMA_PATH: Final = Path(__file__).parent / "schemas" / "statistics-1.schema.json"
_MOST_BYTES: Final = 2**20
_COLUMNS: Final = (
    "name",
    "noise",
    "sensitivity",
    "count",
    "delta",
    "weight",
    "epsilon",
    "scale",
    "expected",
    "within",
    "confidence",
)


@dataclass(frozen=True, slots=True)
class StatisticsFile:
    """What a file says: the statistics, and as much of the budget as it names.

    Attributes:
        statistics: in the order of the file.
        name: a name for people, or "".
        epsilon: ε of the budget, or None.
        deltas: every δ to be answered for; may be empty.
        confidence: that of the intervals.
    """

    statistics: tuple[Statistic, ...]
    name: str
    epsilon: ExactNumber | None
    deltas: tuple[mpq, ...]
    confidence: mpq


def read_statistics(source: str | Path) -> StatisticsFile:
    """The statistics of a file; ``-`` is standard input. JSON begins with a brace.

    Raises:
        InputError: no such file, or not of the format.
    """
    data = read_bounded(
        source, _MOST_BYTES, "statistics", "equal statistics are one entry with a count"
    )
    if data.lstrip()[:1] in (b"{", b"["):
        return statistics_of_json(data)
    return statistics_of_csv(data, "" if str(source) == "-" else Path(source).name)


def statistics_of_json(data: bytes) -> StatisticsFile:
    """What the bytes of a JSON file say.

    Raises:
        InputError: not strict JSON, not of the schema, or a value out of range.

    >>> statistics_of_json(b'{"statistics": [{"name": "mean", "weight": 2}]}').statistics[0].weight
    mpq(2,1)
    """
    try:
        document = parse(data)
        _validate(document)
    except InputError as error:
        raise _about_statistics(error) from None
    tree = document.tree

    def number(key: str) -> str | None:
        return document.text_of(tree[key]) if key in tree else None

    texts = tree.get("delta", [])
    texts = [document.text_of(each) for each in (texts if isinstance(texts, list) else [texts])]
    with_path = _Placed("$")
    confidence = with_path(checked_confidence, "confidence", number("confidence") or _DEFAULT)
    epsilon = number("epsilon")
    entries = [
        _statistic(
            {key: document.text_of(value) for key, value in entry.items()},
            confidence,
            json_path(["statistics", index]),
        )
        for index, entry in enumerate(tree["statistics"])
    ]
    return StatisticsFile(
        checked_statistics(entries),
        tree.get("name", ""),
        None if epsilon is None else with_path(nonnegative, "epsilon", epsilon),
        tuple(with_path(probability, "delta", text) for text in texts),
        confidence,
    )


def statistics_of_csv(data: bytes, name: str = "") -> StatisticsFile:
    r"""What the bytes of a table say; ``name`` is the file's, for the paths of errors.

    Raises:
        InputError: not a table of the known columns, or a value out of range.

    >>> statistics_of_csv(b"name,weight\nmean,2\n").statistics[0].name
    'mean'
    """
    text = decode_utf8(data.removeprefix(b"\xef\xbb\xbf"), name)
    rows = _rows(text, name)
    line, header = next(rows, (1, []))
    columns = _columns(header, placed(name, f"line {line}"))
    confidence = checked_confidence(_DEFAULT)
    entries = []
    for line, row in rows:
        if len(row) != len(columns):
            raise InputError(
                field="row",
                value=f"{len(row)} cells",
                path=placed(name, f"line {line}"),
                expected=f"{len(columns)} cells, as in the first line",
                code="bad-csv",
            )
        given = {key: cell.strip() for key, cell in zip(columns, row, strict=True) if cell.strip()}
        entries.append(_statistic(given, confidence, placed(name, f"line {line}")))
    return StatisticsFile(checked_statistics(entries), "", None, (), confidence)


_DEFAULT: Final = DEFAULT_CONFIDENCE


class _Placed:
    """Calls a check, and places its error below a path."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, check: Any, key: str, *values: object) -> Any:  # noqa: ANN401 (any check)
        try:
            return check(*values)
        except InputError as error:
            raise error.located(f"{self._path}.{key}") from None


def _statistic(given: Mapping[str, str], confidence: mpq, path: str) -> Statistic:
    """One entry, from the texts of its keys."""
    try:
        return Statistic(
            given.get("name", ""),
            given.get("noise", "laplace"),
            sensitivity=given.get("sensitivity", "1"),
            count=count_of(given.get("count", "1")),
            delta=given.get("delta", "0"),
            weight=given.get("weight"),
            target=_target(given, confidence),
            epsilon=given.get("epsilon"),
            scale=given.get("scale"),
        )
    except InputError as error:
        raise error.located(f"{path}{_key(error.field, path)}") from None


def _key(field: str, path: str) -> str:
    return f".{field}" if path.startswith("$") else f", column {field}"


def _target(given: Mapping[str, str], confidence: mpq) -> AccuracyTarget | None:
    if "expected" in given and "within" in given:
        raise InputError(
            field="within",
            value="expected and within",
            expected="one target",
            remedy="keep the stricter one",
        )
    if "within" in given:
        return AccuracyTarget(given["within"], given.get("confidence", confidence))
    if "confidence" in given:
        raise InputError(
            field="confidence",
            value=given["confidence"],
            expected="the key within beside it",
        )
    return AccuracyTarget(given["expected"]) if "expected" in given else None


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            field="statistics",
            value=str(error),
            path=placed(name, f"line {line}"),
            expected="cells quoted as in RFC 4180",
            code="bad-csv",
        ) from None


def _columns(header: list[str], path: str) -> list[str]:
    columns = [cell.strip() for cell in header]
    for number, column in enumerate(columns):
        if column not in _COLUMNS:
            raise unknown_key(
                column or "column",
                column or "no name",
                path,
                [*_COLUMNS],
                "the first line names the columns, separated by commas",
            )
        if column in columns[:number]:
            raise InputError(
                field=column, value="a column that stands twice", path=path, expected="one column"
            )
    if "name" not in columns:
        raise InputError(
            field="name",
            value="nothing",
            path=path,
            expected="a first line that names the columns, such as name,noise,weight",
            code="missing-key",
        )
    return columns


def schema() -> dict[str, Any]:
    """The published schema."""
    return published(SCHEMA_PATH)


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    import jsonschema_rs  # noqa: PLC0415 (lazily, as for ledgers)

    return jsonschema_rs.Draft202012Validator(schema())


def _validate(document: Document) -> None:
    """Check a document against the published schema; the first error counts."""
    try:
        error = next(iter(_validator().iter_errors(document.tree)), None)
    except ValueError:  # "Recursion limit reached"
        raise too_deep() from None
    if error is None:
        return
    keys = list(error.instance_path)
    part, value = schema(), document.tree
    for key in keys:
        value = value[key]
        part = part["items"] if isinstance(key, int) else part["properties"][key]
        part = schema()["$defs"]["statistic"] if "$ref" in part else part
    path = json_path(keys)
    if unexpected := getattr(error.kind, "unexpected", None):
        key = next(each for each in value if each in unexpected)
        place = json_path([*keys, key])
        raise unknown_key(key, document.shown(value[key]), place, [*part["properties"]])
    if missing := getattr(error.kind, "property", None):
        raise InputError(
            field=missing,
            value="nothing",
            path=path,
            expected=part["properties"][missing]["description"],
            remedy=f"add the key {missing}",
            code="missing-key",
        )
    names = [key for key in keys if isinstance(key, str)]
    raise InputError(
        field=shorten(names[-1]) if names else "statistics",
        value=document.shown(value),
        path=path,
        expected=part["description"],
    )


def _about_statistics(error: InputError) -> InputError:
    """An error of the JSON reader, which speaks of ledgers."""
    return InputError(
        field="statistics" if error.field == "ledger" else error.field,
        value=error.value,
        path=error.path,
        expected=error.expected.replace("a ledger", "statistics"),
        remedy=error.remedy,
        code=error.code,
    )
