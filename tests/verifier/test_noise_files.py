"""The verifier reads mechanisms by their noise in a ledger file as the engine states them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.certificate.subject import Subject
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import Entry
from exactdp.verifier import verify_bytes
from exactdp.verifier.format.outcomes import MalformedError, RejectedError
from exactdp.verifier.format.strict_json import read
from exactdp.verifier.question.ledger_file import check_ledger
from exactdp.verifier.question.noise_entries import is_noise, noise_entry
from exactdp.verifier.rules import ledger as rules_ledger
from exactdp.verifier.statement import read_statement
from exactdp.verifier.subjects import SUBJECTS
from tests.ledger.test_noise import (
    bases,
    constrained_ones,
    renyi_ones,
    sampled_ones,
    selected_ones,
    shuffled_ones,
)
from tests.marking import each_case
from tests.verifier.format_cases import BASE, written


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(bases, sampled_ones, constrained_ones, selected_ones, renyi_ones),
        min_size=1,
        max_size=4,
    )
)
def test_both_readers_make_one_entry_of_a_mechanism(entries: list[Entry]) -> None:
    compare_readers(entries, "add-remove-one")


@given(st.lists(st.one_of(shuffled_ones, renyi_ones), min_size=1, max_size=4))
def test_both_readers_make_one_entry_of_shuffled_batches(entries: list[Entry]) -> None:
    compare_readers(entries, "replace-one")


def compare_readers(entries: list[Entry], neighbouring: str) -> None:
    noise = [each for each in entries if each.given_by == "noise"]
    ledger = Ledger(tuple(noise), neighbouring=neighbouring)
    stated = Subject.of(ledger)
    document: Any = read(write_ledger(ledger).encode())
    listed = document["mechanisms"]
    assert all(map(is_noise, listed))
    found = {json.dumps(noise_entry(each)[0], sort_keys=True) for each in listed}
    written = [{k: v for k, v in each.items() if k != "count"} for each in stated.entries()]
    assert found == {json.dumps(each, sort_keys=True) for each in written}


def test_batches_have_the_shape_of_a_statement_whoever_is_in_them() -> None:
    fixed = {"sigma": 2, "fixed_size": {"batch": "4", "records": "9"}, "count": "3"}
    shape = {"fixed_size": {"batch": "4", "records": "9"}, "sigma": "2"}
    assert noise_entry(read(json.dumps(fixed).encode())) == (shape, "3")
    person = {"variance": 2, "rate": "1/9", "records_per_person": 3}
    sampled = {"mu_squared": "1/2", "rate": "1/9", "records_per_person": "3"}
    assert noise_entry(read(json.dumps(person).encode())) == (sampled, "1")
    every = {"sigma": 2, "rate": 1, "records_per_person": "3", "count": 4}
    assert noise_entry(read(json.dumps(every).encode())) == ({"mu": "3/2"}, read(b"4"))
    allocated = {"sigma": "1/2", "sensitivity": 1, "allocated": {"batches": "5"}, "label": "x"}
    epoch = {"allocated": {"batches": "5", "epochs": "1"}, "sigma": "1/2"}
    assert noise_entry(read(json.dumps(allocated).encode())) == (epoch, "1")


@each_case(
    "entry",
    [
        {"clip": 1, "rate": "1/3", "variance": 2},
        {"clip": 1, "rate": "1/3", "variance": "1/4"},
        {"selection": {"of": {"rho": "1/9"}, "repetitions": {"poisson": {"mean": 2}}}},
        {"selection": {"of": {"epsilon": 1}, "repetitions": {"poisson": {"mean": 2}}}},
        {"shuffled_reports": {"reports": "12", "odds": "3.5"}},
        {"shuffled_reports": {"reports": 12, "odds": 3, "values": 4}},
        {"constraints": [["ln(2)", "1/10"], ["0.5", "1/5"]]},
    ],
)
def test_both_readers_make_one_entry_where_a_record_is_replaced(entry: dict[str, Any]) -> None:
    text = json.dumps({"neighbouring": "replace-one", "mechanisms": [entry | {"count": 3}]})
    [stated] = Subject.of(read_ledger(text.encode())).entries()
    written = read(json.dumps(entry | {"count": "3", "label": "x"}).encode())
    shape, count = noise_entry(written, replaced=True)
    assert {**shape, "count": count} == stated


def test_a_constraint_that_is_empty_is_no_entry() -> None:
    with pytest.raises(MalformedError, match="a constraint is empty"):
        noise_entry({"constraints": [[]]})


@each_case(
    "factorization, participation",
    [
        ({"sqrt": 9}, {"most": "2", "apart": 3}),
        ({"rows": [[1, "-1/2"], ["0.25"]]}, {"every": 2}),
        ({"rows": [["1"], ["1"]], "from": [0, "1"]}, [[0], ["1"]]),
        ({"toeplitz": [1, 0.5], "steps": "12"}, [[0, 11]]),
        ({"blt": {"scales": [0.5], "decays": ["9/10"]}, "steps": 5}, {"every": 1}),
        ({"tree": 4}, {"most": 1, "apart": 1}),
    ],
)
def test_both_readers_make_one_entry_of_a_factorization(
    factorization: object, participation: object
) -> None:
    one = {"sigma": 2.5, "factorization": factorization, "participation": participation}
    text = json.dumps({"neighbouring": "zero-out", "mechanisms": [one | {"count": 3}]})
    [stated] = Subject.of(read_ledger(text.encode())).entries()
    shape, count = noise_entry(read(json.dumps(one | {"count": "3", "label": "x"}).encode()))
    assert {**shape, "count": count} == stated
    compare_readers([*read_ledger(text.encode()).mechanisms], "replace-one")


def test_shuffled_batches_have_one_fresh_epoch_unless_they_say_more() -> None:
    entry: Any = {"sigma": 0.5, "sensitivity": "1", "shuffled": {"batches": 9}}
    plan = {"batches": "9", "epochs": "1", "order": "fresh"}
    shape = {"shuffled": plan, "sigma": "1/2"}
    assert noise_entry(read(json.dumps(entry).encode())) == (shape, "1")


@pytest.mark.parametrize(
    ("entry", "shape"),
    [
        ({"sigma": "1.1", "sensitivity": 1, "rate": 0.5}, {"mu": "10/11", "rate": "1/2"}),
        ({"sigma": 2, "sensitivity": 1, "rate": "2/2"}, {"mu": "1/2"}),
        ({"mu": "0", "rate": "1/2"}, {"mu": "0"}),
        ({"variance": 2, "sensitivity": "3", "rate": 0.5}, {"mu_squared": "9/2", "rate": "1/2"}),
        ({"variance": 0.25}, {"mu": "2"}),
        ({"gaussian_rho": "0.81"}, {"mu_squared": "81/50"}),
        ({"gaussian_rho": "1/8", "rate": "1"}, {"mu": "1/2"}),
        ({"mu_squared": "8/2"}, {"mu": "2"}),
        ({"mu_squared": 0, "rate": "1/2"}, {"mu": "0"}),
        (
            {"discrete_gaussian": {"variance": 6.25, "shifts": [10, "9", 1]}, "label": "x"},
            {"discrete_gaussian": {"variance": "25/4", "shifts": ["1", "9", "10"]}},
        ),
        (
            {"pair": {"p": [0.75, "1/4"], "q": ["1/4", "3/4"]}},
            {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}},
        ),
        (
            {"renyi": [["10", 0.1], [2, "1/50"]]},
            {"renyi": [["2", "1/50"], ["10", "1/10"]]},
        ),
    ],
)
def test_a_mechanism_is_written_as_a_statement_has_it(entry: object, shape: object) -> None:
    assert noise_entry(read(json.dumps(entry).encode())) == (shape, "1")
    document = {"neighbouring": "add-remove-one", "mechanisms": [entry]}
    ledger = read_ledger(json.dumps(document).encode())
    assert Subject.of(ledger).entries() == [{**shape, "count": "1"}]  # type: ignore[dict-item]  # a JSON object


@pytest.mark.parametrize(
    ("entry", "replaced", "removed"),
    [
        (
            {"sigma": 2, "clip": 1.0, "rate": 0.5},
            {"clip": "1", "rate": "1/2", "sigma": "2"},
            {"mu": "1/2", "rate": "1/2"},
        ),
        (
            {"laplace": {"scale": 4}, "clip": "1/2", "rate": "1/3", "label": "x"},
            {"clip": "1/2", "laplace": {"scale": "4"}, "rate": "1/3"},
            {"laplace": {"scale": "4", "sensitivity": "1/2"}, "rate": "1/3"},
        ),
        (
            {"discrete_laplace": {"scale": 2}, "clip": 3, "rate": "1/3"},
            {"clip": "3", "discrete_laplace": {"scale": "2"}, "rate": "1/3"},
            {"discrete_laplace": {"scale": "2", "shifts": ["3"]}, "rate": "1/3"},
        ),
        (
            {"discrete_gaussian": {"variance": 2}, "clip": "3", "rate": "1/3"},
            {"clip": "3", "discrete_gaussian": {"variance": "2"}, "rate": "1/3"},
            {"discrete_gaussian": {"variance": "2", "shifts": ["3"]}, "rate": "1/3"},
        ),
    ],
)
def test_a_clip_is_a_sensitivity_but_for_records_that_are_replaced(
    entry: object, replaced: object, removed: object
) -> None:
    value = read(json.dumps(entry).encode())
    for relation, shape in (("replace-one", replaced), ("add-remove-one", removed)):
        assert noise_entry(value, replaced=relation == "replace-one") == (shape, "1")
        document = {"neighbouring": relation, "mechanisms": [entry]}
        ledger = read_ledger(json.dumps(document).encode())
        assert Subject.of(ledger).entries() == [{**shape, "count": "1"}]  # type: ignore[dict-item]  # a JSON object


@each_case(
    ("entry", "reason"),
    [
        ({"sigma": 1, "clip": 1}, "missing key rate"),
        ({"sigma": 1, "clip": 1, "rate": 0.5, "sensitivity": 1}, "unknown key sensitivity"),
        ({"laplace": {"scale": 1, "sensitivity": 1}, "clip": 1, "rate": 0.5}, "unknown key sens"),
        ({"epsilon": 1, "rate": 0.5}, "unknown key epsilon"),
        ({"rate": 1}, "missing key sigma"),
        ({"variance": 0}, "variance is not a rational in its range"),
        ({"gaussian_rho": "-1"}, "gaussian_rho is not a rational in its range"),
        ({"mu_squared": 2, "sensitivity": 1}, "unknown key sensitivity"),
        ({"laplace": {"sensitivity": 1}}, "missing key scale"),
        ({"pair": {"p": [1]}}, "missing key q"),
        ({"laplace": 1}, "laplace is not an object"),
        ({"discrete_laplace": {"scale": 1, "shifts": ["1e0"]}}, "not a canonical number"),
        ({"discrete_laplace": {"scale": 1, "shifts": 1}}, "shifts is not an array"),
        ({"bounded_range": [1]}, "bounded_range is not a string"),
        ({"renyi": [2, 1]}, "renyi is not an array"),
        ({"bounded_range": 1, "label": 1}, "label is not a string"),
        ({"shuffled": {"batches": 2}}, "missing key sigma"),
        ({"sigma": 1, "shuffled": {"epochs": 2}}, "missing key batches"),
        (
            {"sigma": 1, "sensitivity": 2, "shuffled": {"batches": 2}},
            "a sensitivity beside shuffled is not 1",
        ),
    ],
)
def test_what_has_another_shape_is_malformed(entry: object, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        noise_entry(read(json.dumps(entry).encode()))


def test_what_is_no_object_is_no_noise() -> None:
    assert not is_noise("laplace")
    assert not is_noise({"rho": "1"})


def test_a_statement_about_parameters_is_not_about_a_ledger_with_noise() -> None:
    ledger = {"mechanisms": [{"laplace": {"scale": 10, "sensitivity": 1}, "count": 12}]}
    verdict = verify_bytes(written(BASE), ledger=json.dumps(ledger).encode())
    assert (verdict.status, verdict.exit_code) == ("rejected", 1)
    assert "other mechanisms" in verdict.reason


@each_case(
    "claimed",
    [{}, {"places": "2"}, {"delta": "0"}, {"tpr": "1"}, {"fpr": "1"}, {"mu": "1", "prior": "1"}],
)
def test_a_claim_that_claims_nothing_or_half_is_malformed(claimed: dict[str, str]) -> None:
    claim = {"basis": "composition", "source": "a page", **claimed}
    ledger = {"mechanisms": [{"epsilon": "1/10", "count": "12"}], "claims": [claim]}
    verdict = verify_bytes(written(BASE), ledger=json.dumps(ledger).encode())
    assert verdict.status == "malformed"
    assert verdict.reason.startswith("claim: nothing is claimed")


def test_claims_of_what_an_attack_gains_are_of_the_format_and_compared_with_nothing() -> None:
    about = {"basis": "composition", "source": "a page", "places": "2"}
    claims = [{"fpr": "0.01", "tpr": "0.5", **about}, {"prior": "1/2", "success": "0.7", **about}]
    ledger = {"mechanisms": [{"epsilon": "1/10", "count": "12"}], "claims": claims}
    assert verify_bytes(written(BASE), ledger=json.dumps(ledger).encode()).status == "accepted"


ACCEPTED = Path(__file__).parents[2] / "certs/accept"


def statements() -> Iterator[dict[str, Any]]:
    """Of all certificates that are accepted, those about mechanisms."""
    for each in sorted(ACCEPTED.glob("*.json")):
        stated = json.loads(each.read_bytes())["statement"]
        if stated["subject"]["type"] == "mechanisms":
            yield stated


@each_case("stated", statements())
def test_a_statement_is_about_the_ledger_that_it_writes_and_about_no_other_count(
    stated: dict[str, Any],
) -> None:
    statement = read_statement(stated, SUBJECTS)
    about = statement.subject
    assert isinstance(about, rules_ledger.Ledger)
    ledger = {key: stated[key] for key in ("interaction", "neighbouring")}
    entries = stated["subject"]["mechanisms"]
    check_ledger(about, statement, json.dumps({**ledger, "mechanisms": entries}).encode())
    for place, entry in enumerate(entries):
        for count in range(1, 5):
            if count == int(entry["count"]):
                continue
            others = [*entries[:place], {**entry, "count": str(count)}, *entries[place + 1 :]]
            data = json.dumps({**ledger, "mechanisms": others}).encode()
            with pytest.raises(RejectedError, match="other mechanisms"):
                check_ledger(about, statement, data)
