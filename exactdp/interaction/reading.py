r"""Interactive mechanisms from JSON, and back: the format ``exactdp-interactive/1``.

Rules of this file: JSON is read strictly (one encoding, no duplicate keys, nothing after the
object), every number as its decimal text; the published schema is ``schemas/interactive-1``.

Theory of operation: an object of queries has an object of answers for each; an answer has p, q and
the queries that may follow. What the schema cannot say, that probabilities sum to 1, the model
checks; every error names its place.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import InputError, shorten
from exactdp.interaction.mechanism import MOST_ROUNDS, Answer, InteractiveMechanism, Node
from exactdp.ledger.formats.bounded import read_bounded
from exactdp.ledger.formats.strict_json import Document, json_path, parse
from exactdp.ledger.schema import published

if TYPE_CHECKING:
    import jsonschema_rs

FORMAT: Final = "exactdp-interactive/1"
SCHEMA_PATH: Final = Path(__file__).parent / "schemas" / "interactive-1.schema.json"
_MOST_BYTES: Final = 2**24


def read_mechanism(source: str | Path) -> InteractiveMechanism:
    """The mechanism that a file holds; ``-`` is standard input.

    Raises:
        InputError: no such file, or not of the format.
    """
    data = read_bounded(source, _MOST_BYTES, "mechanism")
    return mechanism_of_json(data)


def mechanism_of_json(data: bytes) -> InteractiveMechanism:
    """The mechanism that the bytes of a JSON file describe.

    Raises:
        InputError: not strict JSON, not of the schema, or no probabilities.

    >>> text = b'{"queries": {"toss": {"heads": {"p": 0.75, "q": "1/4"}, '
    >>> mechanism_of_json(text + b'"tails": {"p": 0.25, "q": 0.75}}}}').root.size
    3
    """
    try:
        document = parse(data)
        _validate(document)
    except RecursionError:
        raise _too_deep() from None
    except InputError as error:
        raise _about_mechanisms(error) from None
    tree = document.tree
    root = _node(document, tree["queries"], ["queries"])
    return InteractiveMechanism(root, tree.get("name", ""))


def mechanism_to_json(mechanism: InteractiveMechanism) -> str:
    """The mechanism in the format, with every number exact."""
    tree = {
        "format": FORMAT,
        "name": mechanism.name,
        "queries": _queries(mechanism.root),
    }
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The published schema."""
    return published(SCHEMA_PATH)


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    import jsonschema_rs  # noqa: PLC0415 (lazily, as for ledgers)

    return jsonschema_rs.Draft202012Validator(schema())


def _validate(document: Document) -> None:
    _check_depth(document.tree)
    try:
        error = next(iter(_validator().iter_errors(document.tree)), None)
    except ValueError:  # "Recursion limit reached"
        raise _too_deep() from None
    if error is None:
        return
    keys = list(error.instance_path)
    value = document.tree
    for key in keys:
        value = value[key]
    raise InputError(
        field=shorten(keys[-1]) if keys else "mechanism",
        value=document.shown(value),
        path=json_path(keys),
        expected=_expected(error),
    )


def _expected(error: jsonschema_rs.ValidationError) -> str:
    """What the schema says of the place where it was broken."""
    if unexpected := getattr(error.kind, "unexpected", None):
        return f"no key {shorten(unexpected[0])}"
    if missing := getattr(error.kind, "property", None):
        return f"the key {missing}"
    part: Any = schema()
    for key in list(error.schema_path)[:-1]:
        while "$ref" in part and key not in part:
            part = schema()["$defs"][part["$ref"].rpartition("/")[2]]
        part = part.get(key, part) if isinstance(part, dict) else part
        if key == "$ref":
            part = schema()["$defs"][str(part).rpartition("/")[2]]
    return str(part.get("description", "the format exactdp-interactive/1"))


def _check_depth(tree: object) -> None:
    """Refuse what the model would refuse, before anything recursive sees it."""
    level = [tree]
    for _ in range(3 * MOST_ROUNDS + 3):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> InputError:
    return InputError(
        field="mechanism",
        value="queries in one another, without end",
        path="$",
        expected=f"at most {MOST_ROUNDS} rounds",
        code="too-deep",
    )


def _about_mechanisms(error: InputError) -> InputError:
    """An error of the JSON reader, which speaks of ledgers."""
    return InputError(
        field="mechanism" if error.field == "ledger" else error.field,
        value=error.value,
        path=error.path,
        expected=error.expected.replace("a ledger", "an interactive mechanism"),
        remedy=error.remedy,
        code=error.code,
    )


def _node(document: Document, queries: dict[str, Any], keys: list[str | int]) -> Node:
    node = {
        query: {
            name: _answer(document, value, [*keys, query, name]) for name, value in answers.items()
        }
        for query, answers in queries.items()
    }
    try:
        return Node(node)
    except InputError as error:
        place = [*keys, error.path] if error.path else keys
        raise error.located(json_path(place)) from None


def _answer(document: Document, value: dict[str, Any], keys: list[str | int]) -> Answer:
    def probability(name: str) -> Any:  # noqa: ANN401 (a rational)
        try:
            return as_rational(document.text_of(value[name]), name)
        except InputError as error:
            raise error.located(json_path([*keys, name])) from None

    then = _node(document, value.get("queries", {}), [*keys, "queries"])
    return Answer(probability("p"), probability("q"), then)


def _queries(node: Node) -> dict[str, Any]:
    return {
        query: {
            name: {
                "p": short_text(answer.p),
                "q": short_text(answer.q),
                **({"queries": _queries(answer.then)} if answer.then.queries else {}),
            }
            for name, answer in answers.items()
        }
        for query, answers in node.queries.items()
    }
