"""Mechanisms by their noise that are none, or too much: refused at once, by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp import ledger
from exactdp.mechanisms.keys import IN_BATCHES
from tests.cli.running import exactdp
from tests.families import KEYS
from tests.marking import each_case

SCHEMA: Final = json.loads(
    (Path(ledger.__file__).parent / "schemas" / "ledger-1.schema.json").read_text(encoding="utf-8")
)
MECHANISM: Final = SCHEMA["$defs"]["mechanism"]
MORE: Final = {"sigma": ("sensitivity", *IN_BATCHES), "epsilon": ("delta",)}
"""What may stand beside a key that names a family, a rate apart."""

SAMPLED: Final = {"mu", "sigma", "bounded_range", "pair", "laplace", *KEYS}
PLAN: Final = {"batches", "epochs", "order"}
BEYOND: Final = "1e999999999"
Place = tuple[str | int, ...]


def example(shape: dict[str, Any]) -> Any:  # noqa: ANN401 (JSON)
    """A value of the schema, with one half where a number stands."""
    if "$ref" in shape:
        known = {
            "number": "1/2",
            "integer": 3,
            "shifts": [1],
            "mechanism": {"mu": "1/2"},
            "factorization": {"toeplitz": ["1/2", "1/2"], "steps": 3},
            "participation": {"most": 3, "apart": 1},
        }
        return known[shape["$ref"].rsplit("/", 1)[-1]]
    if "enum" in shape:
        return shape["enum"][0]
    if shape["type"] == "array":
        return [example(shape["items"]) for _ in range(2)]
    most = shape.get("maxProperties", len(shape["properties"]))
    instead = {key for each in shape.get("oneOf", ())[1:] for key in each["required"]}
    chosen = islice(shape["properties"].items(), most)
    return {key: example(each) for key, each in chosen if key not in instead}


def numbers_in(value: object, place: Place = ()) -> Iterator[Place]:
    """Where numbers stand."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from numbers_in(each, (*place, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from numbers_in(each, (*place, at))
    elif value in ("1/2", 1, 3):
        yield place


def entries() -> Iterator[dict[str, Any]]:
    """Every mechanism of the schema: by itself, sampled, and with what may stand beside it."""
    for [family] in (each["required"] for each in MECHANISM["oneOf"]):
        for more in [(), ("rate",), *((key,) for key in MORE.get(family, ()))]:
            batched = any(key in more for key in IN_BATCHES)
            beside = more if family != "sigma" or batched else (*more, "sensitivity")
            beside += ("participation",) if "factorization" in more else ()
            beside += ("rate",) if "records_per_person" in more else ()
            yield {key: example(MECHANISM["properties"][key]) for key in (family, *beside)}
    yield {key: example(MECHANISM["properties"][key]) for key in ("sigma", "clip", "rate")}


def broken() -> Iterator[tuple[dict[str, Any], Place]]:
    """These with each of their numbers in turn, and their count, beyond all limits."""
    for entry in entries():
        for place in numbers_in(entry | {"count": 3}):
            inner = made = json.loads(json.dumps(entry | {"count": 3}))
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = BEYOND
            yield made, place


def written(mechanisms: list[Any], **relation: str) -> str:
    return json.dumps({"format": "exactdp-ledger/1", "mechanisms": mechanisms, **relation})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "code", "what"),
    [
        ("sigma=1,rate=0", 2, "expected a rational above 0 and at most 1"),
        ("sigma=1,rate=3/2", 2, "expected a rational above 0 and at most 1"),
        ("sigma=0", 2, "expected a rational number above 0"),
        ("sigma=0,rate=1/2", 2, "expected a rational number above 0"),
        ("discrete_gaussian=1e-30", 2, "expected a rational number from 1e-6 to 1e12"),
        ("discrete_gaussian=1e30", 2, "expected a rational number from 1e-6 to 1e12"),
        ("discrete_laplace=1,shifts=", 2, "nothing: expected a whole number"),
        ("discrete_laplace=1,shifts=0", 2, "expected whole numbers from 1 to 1000000"),
        ("discrete_laplace=1,shifts=-3", 2, "the noise is symmetric: write 3"),
        ("discrete_laplace=1,shifts=1000000000", 2, "from 1 to 1000000"),
        ("discrete_laplace=1000000,shifts=1000000", 3, "expected at most 200000"),
        ("sigma=1,rate=1/100*1000000000000000000", 3, "about 1e9 mechanisms would"),
        ("laplace=1*1000000000000000000", 3, "about 1e7 mechanisms would"),
        ("laplace=1e12*1000000000000000000", 3, "fewer mechanisms would do"),
        ("discrete_laplace=4*1000000000000000000", 3, "a larger limit, or about 1e"),
        ("discrete_gaussian=4*1000000000000000000", 3, "a larger limit, or about 1e"),
        ("bounded_range=0.1*1000000000000000000", 3, "mechanisms would"),
        ("discrete_gaussian=1e12", 3, "a variance of 1e6 would fit"),
        ("discrete_gaussian=1e-6", 3, "noise that leaves some privacy"),
        ("sigma=1,rate=1/100*1000000000000000001", 2, "from 1 to 10^18"),
    ],
)
def test_bad_input_is_answered_with_what_would_be_right(
    mechanism: str, code: int, what: str
) -> None:
    """A tolerance is chosen: without one, divergences bound what no mesh can hold."""
    answer = exactdp("compose", "-m", mechanism, "--delta", "1e-6", "--tolerance", "1e-4")
    assert answer.code == code
    assert what in " ".join(answer.err.split())


def test_a_rate_of_1_is_the_mechanism_itself() -> None:
    sampled, plain = (
        exactdp("compose", "-m", text, "--delta", "1e-6").out for text in ("mu=1,rate=1", "mu=1")
    )
    assert sampled == plain


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"pair": {"p": ["1/2", "1/4"], "q": ["1/2", "1/2"]}}', "a sum of 3/4"),
        ('{"pair": {"p": ["1"], "q": ["1/2", "1/2"]}}', "p and q over the same answers"),
        ('{"discrete_gaussian": {"variance": 1, "shifts": []}}', "shifts"),
    ],
)
def test_a_table_that_is_none_is_refused_by_its_place(place: Path, text: str, what: str) -> None:
    file = place / "bad.json"
    file.write_text(f'{{"format": "exactdp-ledger/1", "mechanisms": [{text}]}}', encoding="utf-8")
    answer = exactdp("compose", "bad.json", "--delta", "1e-6")
    assert answer.code == 2
    assert what in answer.err
    assert "mechanisms[0]" in answer.err


@each_case(("entry", "at"), broken())
def test_a_number_beyond_all_limits_is_refused_wherever_it_stands(
    place: Path, entry: dict[str, Any], at: Place
) -> None:
    (place / "bad.json").write_text(written([entry]), encoding="utf-8")
    answer = exactdp("compose", "bad.json", "--delta", "1e-6")
    assert answer.code == 2
    unsampled = "rate" in entry and not SAMPLED & entry.keys()
    assert any(f"mechanisms[0].{key}" in answer.err for key in (at[0], "rate")[: 1 + unsampled])


def test_all_of_a_schema_is_broken_once() -> None:
    reached = {key for _, at in broken() for key in at if isinstance(key, str)}
    assert reached >= MECHANISM["properties"].keys() - {"label", "pair"} | {"p", "q", "batches"}


@pytest.mark.parametrize(
    ("shuffled", "relation", "code", "what"),
    [
        ({"sigma": "0"}, "zero-out", 2, "above 0"),
        ({"sigma": "1", "batches": 0}, "zero-out", 2, "from 1 to"),
        ({"sigma": "1", "batches": 10**9 + 1}, "zero-out", 2, "from 1 to"),
        ({"sigma": "1", "epochs": -1}, "zero-out", 2, "from 1 to"),
        ({"sigma": "1", "epochs": 10**18}, "zero-out", 2, "from 1 to"),
        ({"sigma": "1", "order": "stale"}, "zero-out", 2, "fresh"),
        ({"sigma": "1"}, "add-remove-one", 2, "zero-out"),
        ({"sigma": "1", "rate": "1/2"}, "zero-out", 2, "rate"),
        ({"sigma": "1", "sensitivity": "2"}, "zero-out", 2, "divide sigma by the sensitivity"),
    ],
)
def test_bad_plans_of_shuffled_batches_are_answered_with_what_would_be_right(
    place: Path, shuffled: dict[str, Any], relation: str, code: int, what: str
) -> None:
    plan = {"batches": 9} | {key: shuffled[key] for key in PLAN & shuffled.keys()}
    entry = {key: value for key, value in shuffled.items() if key not in PLAN}
    text = written([entry | {"shuffled": plan}], neighbouring=relation)
    (place / "bad.json").write_text(text, encoding="utf-8")
    answer = exactdp("compose", "bad.json", "--delta", "1e-6")
    assert answer.code == code
    assert what in " ".join(answer.err.split())
