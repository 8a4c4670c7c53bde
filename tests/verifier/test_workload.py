"""Certificates about workloads, and the files that they are compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.rules.ledger import Ledger
from exactdp.verifier.rules.workload import Workload
from tests.marking import each_case
from tests.verifier import handmade
from tests.verifier.noise_workload_cases import (
    CLASSES,
    NOISE_FILE,
    OTHER_NOISE_FILES,
    others,
)
from tests.verifier.parallel_cases import (
    BAD_FILES,
    CERTIFICATE,
    COLOURING,
    FILE,
    ONE,
    OTHER_FILES,
    colouring,
    query,
)
from tests.verifier.replacing_cases import ANOTHER_RELATION, REPLACING, REPLACING_FILE


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
            {"mu": "2/2", "where": {"age": {"not": [1]}}},
        ],
    }
    queries = [query("0", mu="1"), query(rho="1"), query("0 0 1 2 3", mu="1")]
    classes = [["1"], ["2"]]
    certificate = colouring(queries, classes, handmade.trivial([]))
    assert verdict(file, handmade.canonical_bytes(certificate)) == ("accepted", "")


@pytest.mark.parametrize(("changes", "reason"), OTHER_FILES)
def test_another_workload_is_rejected(changes: dict[str, object], reason: str) -> None:
    status, said = verdict({**FILE, **changes})
    assert status == "rejected"
    assert reason in said


@each_case(("changes", "reason"), BAD_FILES)
def test_what_is_no_workload_is_malformed(changes: dict[str, object], reason: str) -> None:
    status, said = verdict({**FILE, **changes})
    assert status == "malformed"
    assert reason in said


def test_a_certificate_where_rows_are_replaced_is_accepted_for_its_workload() -> None:
    assert verdict(REPLACING_FILE, REPLACING) == ("accepted", "")


@pytest.mark.parametrize(("certificate", "file"), ANOTHER_RELATION)
def test_a_file_about_other_neighbours_is_rejected(
    certificate: bytes, file: dict[str, object]
) -> None:
    status, said = verdict(file, certificate)
    assert (status, said) == (
        "rejected",
        "the statement is about another neighbouring relation",
    )


def test_a_certificate_about_noise_is_accepted_for_its_workload_however_that_is_written() -> None:
    assert verdict(NOISE_FILE, handmade.canonical_bytes(CLASSES)) == ("accepted", "")


@pytest.mark.parametrize("certificate", others().values(), ids=others())
def test_what_else_a_reduction_of_noise_may_hold_is_accepted(certificate: dict[str, Any]) -> None:
    assert verify_bytes(handmade.canonical_bytes(certificate)).status == "accepted"


@pytest.mark.parametrize("changes", OTHER_NOISE_FILES, ids=str)
def test_another_workload_of_noise_is_rejected(changes: dict[str, object]) -> None:
    status, said = verdict({**NOISE_FILE, **changes}, handmade.canonical_bytes(CLASSES))
    assert status == "rejected"
    assert "the statement is not about this workload" in said


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"laplace": {"scale": 1, "sensitivity": 1}, "count": 2}, "query: unknown key count"),
        ({"laplace": {"sensitivity": 1}}, "laplace: missing key scale"),
        ({"laplace": {"scale": 1, "sensitivity": 1}, "mu": 1}, "unknown key"),
    ],
)
def test_noise_that_is_not_written_as_in_a_ledger_is_malformed(
    query: dict[str, object], reason: str
) -> None:
    certificate = handmade.canonical_bytes(CLASSES)
    status, said = verdict({**NOISE_FILE, "queries": [query]}, certificate)
    assert status == "malformed"
    assert reason in said


def test_a_ledger_is_no_workload_and_a_workload_no_ledger() -> None:
    assert verdict({"mechanisms": []})[0] == "malformed"
    assert verdict(FILE, handmade.canonical_bytes(ONE))[0] == "malformed"


def test_the_verdict_counts_queries() -> None:
    found = verify_bytes(handmade.canonical_bytes(COLOURING))
    assert found.line == "ACCEPTED  ε ≤ 0.1 at δ = 0 for 2 queries (upper, adaptive)"
    assert found.rules == ("cases", "sum")
    alone = colouring([query()], [["0"]], ONE)
    assert "for 1 query (" in verify_bytes(handmade.canonical_bytes(alone)).line


CLIPPED: Final[Mapping[str, Any]] = {
    "sigma": "1",
    "laplace": {"scale": "1"},
    "discrete_laplace": {"scale": "1"},
    "discrete_gaussian": {"variance": "1"},
    "skellam": {"variance": "1"},
}


@pytest.mark.parametrize("family", CLIPPED)
def test_a_workload_has_no_neighbours_that_a_ledger_of_its_mechanisms_lacks(family: str) -> None:
    """A clip says what replacing a record does, and nothing of one that is added or removed."""
    entry = {"clip": "1", family: CLIPPED[family], "rate": "1/2"}
    ledger: Any = {"mechanisms": [{**entry, "count": "1"}], "type": "mechanisms"}
    domain = [{"name": "a", "size": "3"}]
    workload: Any = {"domain": domain, "queries": [{**entry, "where": []}], "type": "workload"}
    assert Ledger.read(ledger).neighbouring == ("replace-one",)
    assert Workload.read(workload).neighbouring == ()
