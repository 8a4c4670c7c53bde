"""Certificates about workloads, and the files that they are compared with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactdp.verifier import verify_bytes
from tests.verifier import handmade
from tests.verifier.parallel_cases import COLOURING, LISTED, LISTS, ONE, colouring, query

FILE: dict[str, Any] = {
    "domain": {"sex": {"values": ["f", "m"]}, "age": {"size": 3}},
    "queries": [
        {"label": "x", "epsilon": 0.1, "where": {"sex": ["f"], "age": {"range": [0, "2"]}}},
        {"epsilon": "1/10", "delta": "0", "where": {"age": [2, 0, 1, 1], "sex": {"not": ["f"]}}},
    ],
}
CERTIFICATE = handmade.canonical_bytes(colouring(LISTS, [["0", "1"]], ONE, LISTED))


def verdict(file: object, certificate: bytes = CERTIFICATE) -> tuple[str, str]:
    found = verify_bytes(certificate, ledger=json.dumps(file).encode())
    return found.status, found.reason


def test_a_certificate_is_accepted_for_its_workload_however_that_is_written() -> None:
    assert verdict(FILE) == ("accepted", "")
    head = {"format": "exactdp-workload/1", "name": "x", "neighbouring": "add-remove-one"}
    assert verdict({**head, **FILE}) == ("accepted", "")


def test_queries_may_be_free_of_predicates_and_have_empty_ranges() -> None:
    file = {
        "domain": {"age": {"size": 3}},
        "queries": [
            {"mu": "1", "where": {"age": {"range": [2, 1]}}},
            {"rho": 1},
            {"sigma": 2, "sensitivity": 2, "where": {"age": {"not": [1]}}},
        ],
    }
    queries = [query("0", mu="1"), query(rho="1"), query("0 0 1 2 3", mu="1")]
    classes = [["1"], ["2"]]
    certificate = colouring(queries, classes, handmade.vacuous([]))
    assert verdict(file, handmade.canonical_bytes(certificate)) == ("accepted", "")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"domain": {"age": {"size": 3}, "sex": {"values": ["f", "m"]}}}, "another domain"),
        ({"domain": {"sex": {"size": 2}, "age": {"size": 3}}}, "another domain"),
        ({"queries": FILE["queries"][:1]}, "other queries"),
        ({"queries": FILE["queries"][::-1]}, "other queries"),
        ({"queries": [FILE["queries"][0], {"epsilon": "1/10"}]}, "other queries"),
        ({"queries": [FILE["queries"][0], {**FILE["queries"][1], "epsilon": 1}]}, "other queries"),
    ],
)
def test_another_workload_is_rejected(changes: dict[str, object], reason: str) -> None:
    status, said = verdict({**FILE, **changes})
    assert status == "rejected"
    assert reason in said


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"neighbouring": "replace-one"}, "neighbouring is not one of"),
        ({"format": "exactdp-ledger/1"}, "workload format is not one of"),
        ({"name": []}, "name is not a string"),
        ({"note": "x"}, "unknown key note"),
        ({"domain": []}, "domain is not an object"),
        ({"domain": {"age": {"size": 3, "unit": "x"}}}, "unknown key unit"),
        ({"domain": {"age": {"values": ["1", 1]}}}, "stands twice"),
        ({"queries": ["x"]}, "query is not an object"),
        ({"queries": [{}]}, "missing key epsilon"),
        ({"queries": [{"epsilon": 1, "where": []}]}, "where is not an object"),
        ({"queries": [{"epsilon": 1, "where": {"x": [1]}}]}, "unknown attribute x"),
        ({"queries": [{"epsilon": 1, "where": {"sex": ["x"]}}]}, "unknown value x"),
        ({"queries": [{"epsilon": 1, "where": {"age": [3]}}]}, "value is not an integer"),
        ({"queries": [{"epsilon": 1, "where": {"age": {}}}]}, "missing key range"),
        ({"queries": [{"epsilon": 1, "where": {"age": "x"}}]}, "predicate is not an object"),
        ({"queries": [{"epsilon": 1, "where": {"age": {"range": [1]}}}]}, "not two ends"),
        ({"queries": [{"epsilon": 1, "where": {"age": {"range": [1, 4]}}}]}, "range is not an"),
    ],
)
def test_what_is_no_workload_is_malformed(changes: dict[str, object], reason: str) -> None:
    status, said = verdict({**FILE, **changes})
    assert status == "malformed"
    assert reason in said


def test_a_ledger_is_no_workload_and_a_workload_no_ledger() -> None:
    assert verdict({"mechanisms": []})[0] == "malformed"
    assert verdict(FILE, handmade.canonical_bytes(ONE))[0] == "malformed"


def test_the_verdict_counts_queries() -> None:
    found = verify_bytes(handmade.canonical_bytes(COLOURING))
    assert found.line == "ACCEPTED  ε ≤ 0.1 at δ = 0 for 2 queries (upper, adaptive)"
    assert found.rules == ("parallel-colouring", "sum")
    alone = colouring([query()], [["0"]], ONE)
    assert "for 1 query (" in verify_bytes(handmade.canonical_bytes(alone)).line
