"""What the verifier takes for an entry of a statement, the engine reads as that entry too.

Source: certs/SPEC.md, section 12.1: a file that says something else, or what nobody understands, is
about no statement.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from exactdp.certificate.subject import Subject
from exactdp.errors import ExactDPError
from exactdp.ledger.reading import read_ledger
from exactdp.verifier.format.outcomes import VerificationError
from exactdp.verifier.format.strict_json import read
from exactdp.verifier.question.ledger_file import any_entry
from tests.marking import each_case

RUNS = {"negative_binomial": {"eta": "1/2", "gamma": "1/3"}}
DRAWN = {"poisson": {"mean": 3}}
ENTRIES: list[dict[str, Any]] = [
    {"factorization": {"sqrt": 8}, "participation": {"apart": 2, "most": 3}, "sigma": 2},
    {"factorization": {"tree": 8}, "participation": [[0, 3], [1]], "sigma": 2},
    {
        "factorization": {"blt": {"decays": ["1/2"], "scales": ["1/3"]}, "steps": 8},
        "participation": {"every": 2},
        "sigma": 2,
    },
    {
        "factorization": {"rows": [["1", "2"], ["-1"]], "from": [0, 1]},
        "participation": {"every": 2},
        "sigma": 2,
    },
    {"shuffled_reports": {"odds": 3, "reports": 10, "values": 4}},
    {"constraints": [[3, 0], ["ln(3)", "1/4"]]},
    {"selection": {"of": {"count": 3, "epsilon": "1/2", "delta": 0}, "repetitions": RUNS}},
    {"selection": {"of": {"sigma": 4, "sensitivity": 2}, "repetitions": DRAWN}},
    {"selection": {"of": {"mu": 1, "rate": "1/5"}, "repetitions": DRAWN}},
    {"selection": {"of": {"renyi": [[3, 2], [2, 1]]}, "repetitions": RUNS}},
]
VALUES: list[Any] = [0, 1, 7, -1, "0", "", "x", [], {}, [1], {"a": 1}, "4/2", "ln(2)", [[1, 0]]]
FURTHER: dict[str, Any] = {
    "band": 8,
    "clip": 1,
    "count": 2,
    "delta": 0,
    "epsilon": 1,
    "from": [0, 0],
    "mean": 3,
    "most": 3,
    "mu": 1,
    "poisson": 3,
    "negative_binomial": [],
    "rate": "1/3",
    "sensitivity": 2,
    "sigma": 1,
    "steps": 8,
    "values": 4,
    "variance": 1,
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 (JSON)
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:  # noqa: ANN401 (JSON)
    for key in path:
        value = value[key]
    return value


def changed(entry: Any) -> Iterator[Any]:  # noqa: ANN401 (JSON)
    """With another value at a place, with none there, or with a further key."""
    for path in places(entry):
        for value in VALUES if path else ():
            other = copy.deepcopy(entry)
            at(other, path[:-1])[path[-1]] = value
            yield other
        if path:
            other = copy.deepcopy(entry)
            del at(other, path[:-1])[path[-1]]
            yield other
        for key, value in FURTHER.items() if isinstance(at(entry, path), dict) else ():
            other = copy.deepcopy(entry)
            at(other, path)[key] = value
            yield other


def by_the_verifier(entry: Any, relation: str) -> Any:  # noqa: ANN401 (JSON)
    try:
        text, count = any_entry(
            read(json.dumps(entry).encode()), replaced=relation == "replace-one"
        )
    except VerificationError:
        return None
    return {**json.loads(text), "count": str(getattr(count, "text", count))}


def by_the_engine(entry: Any, relation: str) -> Any:  # noqa: ANN401 (JSON)
    document = {"neighbouring": relation, "mechanisms": [entry]}
    try:
        [stated] = Subject.of(read_ledger(json.dumps(document).encode())).entries()
    except ExactDPError:
        return None
    return stated


@each_case("entry", ENTRIES)
def test_a_file_that_says_something_else_is_about_no_statement(entry: dict[str, Any]) -> None:
    for relation in ("replace-one", "add-remove-one"):
        known = by_the_engine(entry, relation)
        if known is None:
            continue
        assert by_the_verifier(entry, relation) == known
        for other in changed(entry):
            if by_the_verifier(other, relation) == known:
                assert by_the_engine(other, relation) == known, other


def test_what_is_run_has_a_clip_where_records_are_replaced() -> None:
    runs = {"clip": 1, "sigma": 2, "rate": 1}
    for repetitions in (RUNS, DRAWN):
        stated = by_the_engine(
            {"selection": {"of": {"mu": "1/2"}, "repetitions": repetitions}}, "replace-one"
        )
        assert stated is not None
        file = {"selection": {"of": runs, "repetitions": repetitions}}
        assert by_the_verifier(file, "replace-one") != stated
