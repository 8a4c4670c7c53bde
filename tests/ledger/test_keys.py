"""Keys are declared once, by the families: whatever writes, reads or describes them agrees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.cli.topics import mechanisms_page
from exactdp.errors import InputError
from exactdp.ledger import schema
from exactdp.ledger.columns import COLUMNS, NOTIONS
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.json_ledger import mechanism_entry
from exactdp.mechanisms import (
    FAMILIES,
    ConcentratedMechanism,
    FactorizedGaussianMechanism,
    Family,
    GaussianMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.mechanisms import entries as tables
from exactdp.mechanisms.allocated import AllocatedGaussianMechanism
from exactdp.mechanisms.entries import BESIDE, FLAT, JOINING, KEYS, mechanism_of
from exactdp.mechanisms.fixed_size import FixedSizeGaussianMechanism
from exactdp.mechanisms.keys import IN_BATCHES, SHUFFLED_REPORTS, Key
from exactdp.mechanisms.records_of_person import PersonInSampleMechanism
from exactdp.mechanisms.remainder import RemainderGaussianMechanism
from exactdp.mechanisms.shuffled_reports import ShuffledReportsMechanism
from exactdp.workloads import schema as workload_schema
from exactdp.workloads.sql_statements import KEYS as KEYS_OF_COMMENTS
from tests.ledger.test_noise import (
    bases,
    constrained_ones,
    counts,
    of_one_shift,
    positive,
    rates,
    renyi_ones,
    sampled_ones,
    selected_ones,
    shuffled_ones,
)
from tests.marking import each_case

clipped_ones = st.builds(
    lambda base, rate, clip: SampledMechanism(base, rate, clip=(base.furthest() or ("", clip))[1]),
    of_one_shift.filter(lambda base: bool(base.reach())),
    rates,
    positive,
)
"""With a clip; of noise that moves by a number, that number."""
persons = st.builds(PersonInSampleMechanism, positive, rates, st.integers(2, 1000))
parametric = st.one_of(
    st.builds(
        Mechanism, st.sampled_from(["0", "1/3", "1e-9", "ln(3/2)"]), st.sampled_from(["0", "1/2"])
    ),
    st.builds(ConcentratedMechanism, positive),
    st.builds(GaussianMechanism, positive),
)
in_batches = st.one_of(
    st.builds(AllocatedGaussianMechanism, positive, st.integers(2, 10**9), st.integers(1, 10**9)),
    st.builds(
        FixedSizeGaussianMechanism, positive, st.integers(1, 10**9), st.integers(10**10, 10**12)
    ),
    st.builds(
        lambda sigma, batches, batch, more: RemainderGaussianMechanism(
            sigma, batches, batch, batches * batch + more
        ),
        positive,
        st.integers(1, 10**5),
        st.integers(1, 10**5),
        st.integers(1, 9),
    ),
    st.builds(
        FactorizedGaussianMechanism,
        positive,
        st.sampled_from(
            [
                {"tree": 4},
                {"sqrt": 9, "band": 3},
                {"toeplitz": ["1", "-1/2"], "steps": 6},
                {"rows": [["1/3", "2"], ["1"]], "from": [0, 5]},
                {"blt": {"scales": ["1/2"], "decays": ["9/10"]}, "steps": 7},
            ]
        ),
        st.sampled_from([{"every": 2}, {"most": 2, "apart": 3}, [[0], [1, 3]]]),
    ),
)
reports = st.builds(
    lambda n, more, values: ShuffledReportsMechanism(n, more + 1, values),
    st.integers(2, 10**9),
    positive,
    st.none() | st.integers(2, 10**9),
)
local_reports = st.builds(
    lambda n, local: ShuffledReportsMechanism(n, local_epsilon=local),
    st.integers(2, 10**9),
    st.sampled_from(["1/2", "1e-9", "40", "5/3"]),
)
drawn = st.one_of(
    *(
        parametric,
        bases,
        sampled_ones,
        clipped_ones,
        shuffled_ones,
        renyi_ones,
        in_batches,
        persons,
    ),
    *(constrained_ones, selected_ones, reports, local_reports),
)


# --- there and back -----------------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(drawn, counts, st.text("ab*", max_size=2))
def test_a_mechanism_is_that_of_its_entry(mechanism: Family, count: int, label: str) -> None:
    shape = mechanism.shape()
    assert mechanism_of(shape) == mechanism.without_label()
    assert type(mechanism).from_entry(shape, str) == mechanism.without_label()
    named = mechanism.changed(count=count, label=label)
    entry = mechanism_entry(named, Texts())
    assert mechanism_of(json.loads(json.dumps(entry))) == named
    assert named.name in KEYS


@pytest.mark.slow
def test_every_family_is_drawn() -> None:
    found: set[type[Family]] = set()

    @settings(deadline=None, max_examples=1500, derandomize=True)
    @given(drawn)
    def draw(mechanism: Family) -> None:
        found.add(type(mechanism))

    draw()
    assert found == set(FAMILIES)


def test_no_two_families_have_a_key_in_common() -> None:
    declared = [key.name for family in FAMILIES for key in family.KEYS]
    assert sorted(declared) == sorted(KEYS)


def test_a_parameter_has_one_default_in_all_families() -> None:
    for key in KEYS.values():
        for name, default in key.further.items():
            assert tables.DEFAULTS.get(name) == default, (key.name, name)


@pytest.mark.parametrize("entry", [{}, {"staircase": "1"}, {"mu": "1", "rho": "1"}, {"rate": "1"}])
def test_keys_that_name_no_family_or_several_are_refused_with_all_that_do(
    entry: Mapping[str, Any],
) -> None:
    with pytest.raises(InputError, match="exactly one of epsilon, rho, mu, mu_squared") as refused:
        mechanism_of(entry)
    assert all(name in refused.value.expected for name in tables.NOTIONS)


# --- cells --------------------------------------------------------------------------------------


@each_case("key", KEYS.values())
def test_a_key_and_its_parameters_are_columns_unless_it_is_a_table(key: Key) -> None:
    names = {key.name, *key.further} if key.first != "" else {*key.further}
    assert {*key.columns} == (names if key.in_cells else set())
    assert {*key.columns} <= set(COLUMNS)
    if key.in_cells and not key.joins:
        assert key.name in NOTIONS
        assert {*key.further, *_joining_columns(key)} == {*BESIDE[key.name]}


def _joining_columns(key: Key) -> Iterator[str]:
    for other in JOINING:
        if key.name in other.joins:
            yield from other.columns


def test_the_columns_are_those_of_keys_with_count_and_label() -> None:
    declared = {column for key in KEYS.values() for column in key.columns}
    assert {*COLUMNS} == {*declared, "count", "label"}


def test_comments_in_sql_and_the_help_of_the_command_line_know_the_keys() -> None:
    assert {*BESIDE} <= {*KEYS_OF_COMMENTS}
    shown = set(re.findall(r"\b(\w+)=", mechanisms_page()))
    assert {*BESIDE, *FLAT} - {"epsilon", "delta"} <= shown <= set(COLUMNS)


# --- schemas ------------------------------------------------------------------------------------

LEDGER = schema.schema()["$defs"]["mechanism"]
QUERY = workload_schema.schema()["$defs"]["query"]
OF_LEDGERS_ALONE = {"clip", *IN_BATCHES, SHUFFLED_REPORTS, "count", "participation"}
PARTS = {name for key in KEYS.values() if key.first is None for name in (key.name, *key.further)}


@pytest.mark.parametrize(
    ("described", "own"),
    [(LEDGER, {"label", "count"}), (QUERY, {"label", "where"})],
    ids=["ledger", "workload"],
)
def test_a_schema_has_the_keys_and_no_others(described: dict[str, Any], own: set[str]) -> None:
    nested = {key.name for key in KEYS.values() if key.nests}
    left_out = set() if described is LEDGER else OF_LEDGERS_ALONE
    assert {*described["properties"]} == (PARTS | nested | own) - left_out
    assert [each["required"] for each in described["oneOf"]] == [[name] for name in tables.NOTIONS]
    assert all(name in described["description"] for name in tables.NOTIONS)


@each_case("key", KEYS.values())
def test_a_schema_nests_a_family_as_its_key_says(key: Key) -> None:
    for described in (LEDGER, QUERY):
        part = described["properties"].get(key.name)
        if part is None:
            assert described is QUERY
            assert key.name in OF_LEDGERS_ALONE
        elif key.nests:
            first = [key.first] if key.first else []
            assert [*part["properties"]] == [*first, *key.further, *key.others]
            left_out = [name for name in key.further if key.further[name] is not None]
            needed = [*first, *key.further]
            if described is LEDGER:  # a query states its sensitivity, or that of its aggregate
                needed = [name for name in needed if name not in left_out]
            assert part["required"] == needed
        else:
            assert "properties" not in part


def test_a_schema_has_parameters_beside_the_keys_to_which_they_belong() -> None:
    needs = dict(LEDGER["dependentRequired"])
    for name, beside in LEDGER["dependentSchemas"].items():
        needs[name] = [each for one in beside["anyOf"] for each in one["required"]]
    flat = [key for key in KEYS.values() if key.first is None]
    for name in {name for key in flat for name in key.further}:
        assert needs[name] == [key.name for key in flat if name in key.further]
    assert needs["shuffled"] == [*KEYS["shuffled"].joins]
    for name, default in tables.DEFAULTS.items():
        described = next(_described(LEDGER, name))
        shown = f"[{', '.join(default)}]" if isinstance(default, list) else str(default)
        assert name == "rate" or f"default {shown}" in described or f"{shown} (" in described


def _described(part: dict[str, Any], name: str) -> Iterator[str]:
    """The descriptions of a parameter, wherever it stands."""
    for key, each in part.get("properties", {}).items():
        if key == name:
            yield each["description"]
        yield from _described(each, name)
