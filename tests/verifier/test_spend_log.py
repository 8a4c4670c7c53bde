"""A statement about a budget, beside the spend log that it should be about."""

from __future__ import annotations

import json

import pytest

from exactdp.verifier import verify_bytes
from tests.marking import each_case
from tests.verifier import budget_cases
from tests.verifier.budget_cases import Certificate
from tests.verifier.handmade import canonical_bytes

QUESTIONS = list(budget_cases.questions())


def test_a_log_that_the_statement_is_about_is_accepted() -> None:
    data = canonical_bytes(budget_cases.WITH_LOG)
    assert verify_bytes(data, ledger=budget_cases.LOG).status == "accepted"


def test_a_statement_that_names_no_line_is_about_the_budget_alone() -> None:
    budget = budget_cases.budget("1/1000000", epsilon="1")
    data = canonical_bytes(budget_cases.filter_sum(budget, "1", "1/1000000"))
    assert verify_bytes(data, ledger=budget_cases.FIRST).status == "accepted"


@pytest.mark.parametrize(("reason", "certificate", "log"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_another_log_is_rejected(reason: str, certificate: Certificate, log: bytes) -> None:
    verdict = verify_bytes(canonical_bytes(certificate), ledger=log)
    assert verdict.status == "rejected"
    assert reason in verdict.reason


@each_case("key", [*sorted(json.loads(budget_cases.FIRST)), "unknown"])
def test_a_first_line_has_exactly_the_keys_of_the_format(key: str) -> None:
    header = json.loads(budget_cases.FIRST)
    if key in header:
        del header[key]
    else:
        header[key] = ""
    data = canonical_bytes(budget_cases.WITH_LOG)
    assert verify_bytes(data, ledger=budget_cases.sealed_line(header)).status == (
        "rejected" if key == "digest" else "malformed"
    )


@pytest.mark.parametrize("budget", ["", "epsilon=1", []])
def test_a_budget_is_an_object(budget: object) -> None:
    log = budget_cases.sealed_line({**budget_cases.HEADER, "budget": budget})
    data = canonical_bytes(budget_cases.WITH_LOG)
    assert verify_bytes(data, ledger=log).status == "malformed"
