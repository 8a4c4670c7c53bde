"""The published schema: that it is a schema, documents itself, and agrees with the model."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from exactdp.errors import InputError
from exactdp.ledger import model
from exactdp.ledger.reading import read_ledger
from exactdp.ledger.schema import FORMAT, schema
from exactdp.mechanisms import checks


def _objects(part: Any) -> list[dict[str, Any]]:  # noqa: ANN401 (a JSON tree)
    if isinstance(part, list):
        return [found for entry in part for found in _objects(entry)]
    if not isinstance(part, dict):
        return []
    here = [part] if "properties" in part else []
    return here + [found for entry in part.values() for found in _objects(entry)]


def test_the_schema_is_valid_draft_2020_12() -> None:
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(schema())


def test_every_property_has_a_description() -> None:
    properties = [p for part in _objects(schema()) for p in part["properties"].values()]
    assert len(properties) == 95
    assert all(p["description"] for p in properties)


def test_every_object_refuses_unknown_keys() -> None:
    assert all(part["additionalProperties"] is False for part in _objects(schema()))


def test_only_the_mechanisms_are_required() -> None:
    assert schema()["required"] == ["mechanisms"]


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        (["properties", "neighbouring"], model.NEIGHBOURING),
        (["properties", "interaction"], model.INTERACTION),
        (["$defs", "claim", "properties", "basis"], model.BASES),
    ],
)
def test_the_schema_and_the_model_admit_the_same_words(
    keys: list[str], values: tuple[str, ...]
) -> None:
    part = schema()
    for key in keys:
        part = part[key]
    assert tuple(part["enum"]) == values


def test_the_schema_and_the_reader_name_the_same_format() -> None:
    assert schema()["properties"]["format"]["const"] == FORMAT


def test_the_schema_and_the_model_admit_the_same_counts() -> None:
    count = schema()["$defs"]["mechanism"]["properties"]["count"]
    assert (count["minimum"], count["maximum"]) == (1, checks.MAX_COUNT)


def test_an_epsilon_of_reports_is_said_to_be_the_logarithm_of_their_odds() -> None:
    ledger = b'{"mechanisms": [{"shuffled_reports": {"reports": 1000, "epsilon": 2}}]}'
    with pytest.raises(InputError, match=r"did you mean odds \(e\^ε, rounded up\)\?"):
        read_ledger(ledger)


def test_a_file_of_another_kind_is_refused_with_what_reads_it() -> None:
    statistics = b'{"format": "exactdp-statistics/1", "epsilon": "1", "statistics": []}'
    with pytest.raises(InputError, match=r"read by exactdp budget --allocate FILE$"):
        read_ledger(statistics)
    with pytest.raises(InputError, match=r"read by exactdp parallel FILE$"):
        read_ledger(b'{"format": "exactdp-workload/1", "queries": []}')
