"""A statement about an experiment, beside the file of the outcome that it should be about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactdp.verifier import verify_bytes
from tests.marking import each_case
from tests.verifier.experiment_cases import CANARIES, GOOD_MANY, GOOD_ONE, OTHER_OUTCOMES, RUNS
from tests.verifier.format_cases import written

COUNTS = {
    "members": {"runs": 1000, "found": 300},
    "others": {"runs": 1000, "found": 5},
}
GUESSES = {"canaries": 1000, "guesses": 100, "right": 100}


@each_case(
    ("certificate", "outcome"),
    [(GOOD_MANY, RUNS), (GOOD_MANY, COUNTS), (GOOD_ONE, CANARIES), (GOOD_ONE, GUESSES)],
)
def test_an_outcome_has_numbers_or_texts_and_one_choice_if_it_names_none(
    certificate: dict[str, Any], outcome: dict[str, Any]
) -> None:
    verdict = verify_bytes(written(certificate), ledger=json.dumps(outcome).encode())
    assert verdict.status == "accepted"
    assert "is rejected at level 0.05 by an outcome of" in verdict.line


@pytest.mark.parametrize(("certificate", "outcome"), OTHER_OUTCOMES)
def test_another_outcome_is_rejected(certificate: dict[str, Any], outcome: dict[str, Any]) -> None:
    verdict = verify_bytes(written(certificate), ledger=json.dumps(outcome).encode())
    assert verdict.reason == "the statement is not about this outcome"


@each_case(
    "outcome",
    [[], {}, {**GUESSES, "tries": 2}, {**COUNTS, "members": 3}, {**GUESSES, "right": -1}],
)
def test_what_is_no_outcome_is_malformed(outcome: object) -> None:
    for certificate in (GOOD_MANY, GOOD_ONE):
        verdict = verify_bytes(written(certificate), ledger=json.dumps(outcome).encode())
        assert verdict.status == "malformed"


def test_a_rejection_settles_no_claim() -> None:
    verdict = verify_bytes(written(GOOD_ONE), claim=("17/5", "1/100000"))
    assert verdict.status == "rejected"
    assert "settles no claim" in verdict.reason
