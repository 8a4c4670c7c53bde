"""What a statement says of mechanisms, however they are given: one writing for one multiset."""

from __future__ import annotations

import pytest

from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.ledger.formats.inline import ledger_of_inline
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.verifier import verify_bytes


def test_equal_mechanisms_are_merged_and_all_sorted_by_what_they_say() -> None:
    ledger = ledger_of_inline(
        ["sigma=2,rate=1/4", "laplace=2*3", "0.1", "rho=1/8", "mu=1/2,rate=0.25*4", "mu=1", "0.1"]
    )
    subject = Subject.of(ledger)
    assert subject.document() == {
        "type": "mechanisms",
        "mechanisms": [
            {"delta": "0", "epsilon": "1/10", "count": "2"},
            {"laplace": {"scale": "2", "sensitivity": "1"}, "count": "3"},
            {"mu": "1", "count": "1"},
            {"mu": "1/2", "rate": "1/4", "count": "5"},
            {"rho": "1/8", "count": "1"},
        ],
    }
    assert (subject.size, subject.neighbouring) == (5, "add-remove-one")


@pytest.mark.parametrize(
    "both", [("1", "1 + ln(3)"), ("2", "2 - ln(3)"), ("1", "10"), ("1/3", "1")]
)
def test_what_is_sorted_by_canonical_bytes_is_accepted(both: tuple[str, str]) -> None:
    answer = compose([*both], delta="1e-3")
    for made in (answer.upper_certificate(), answer.lower_certificate()):
        assert made is not None
        assert verify_bytes(made.to_bytes()).status == "accepted"


def test_interleaved_noise_is_stated_as_such() -> None:
    ledger = Ledger((BoundedRangeMechanism(1),), interaction="concurrent")
    assert Subject.of(ledger).interaction == "concurrent"


@pytest.mark.slow
@pytest.mark.parametrize("neighbouring", ["zero-out", "replace-one"])
def test_shuffled_batches_are_stated_and_never_left_out(neighbouring: str) -> None:
    ledger = Ledger(
        (ShuffledGaussianMechanism("1/2", 9, 4, count=3), LaplaceMechanism(10)),
        neighbouring=neighbouring,
    )
    subject = Subject.of(ledger)
    plan = {"batches": "9", "epochs": "4", "order": "fresh"}
    assert subject.entries()[1] == {"count": "3", "sigma": "1/2", "shuffled": plan}
    assert subject.neighbouring == neighbouring
    reach = {"zero-out": 1, "replace-one": 2}[neighbouring]
    without = compose([GaussianMechanism(2 * reach, 12)], delta="1e-5", tolerance="1e-3")
    answer = compose(ledger, delta="1e-5", tolerance="1e-2")
    assert without.upper is not None
    assert answer.upper is not None
    assert answer.upper > without.upper
