"""What a statement says of mechanisms by their noise: one writing for one multiset."""

from __future__ import annotations

import pytest

from exactdp.answers.compose import compose
from exactdp.certificate.noise_subject import NoiseSubject, subject_of
from exactdp.certificate.subject import Subject
from exactdp.errors import UnsupportedError
from exactdp.ledger.formats.inline import ledger_of_inline
from exactdp.ledger.model import Ledger, NoiseMechanism
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    LaplaceMechanism,
    ShuffledGaussianMechanism,
)


def test_equal_mechanisms_are_merged_and_all_sorted_by_what_they_say() -> None:
    ledger = ledger_of_inline(
        ["sigma=2,rate=1/4", "laplace=2*3", "0.1", "rho=1/8", "mu=1/2,rate=0.25*4", "mu=1", "0.1"]
    )
    subject = NoiseSubject.of(ledger)
    assert subject.document() == {
        "type": "noise-ledger",
        "mechanisms": [
            {"delta": "0", "epsilon": "1/10", "count": "2"},
            {"laplace": {"scale": "2", "sensitivity": "1"}, "count": "3"},
            {"mu": "1", "count": "1"},
            {"mu": "1/2", "rate": "1/4", "count": "5"},
            {"rho": "1/8", "count": "1"},
        ],
    }
    assert (subject.size, subject.neighbouring) == (5, "add-remove-one")


def test_only_a_ledger_with_noise_is_a_subject_of_that_type() -> None:
    assert isinstance(subject_of(Ledger.of(["0.1"])), Subject)
    assert isinstance(subject_of(Ledger((BoundedRangeMechanism(1),))), NoiseSubject)


def test_interleaved_noise_is_refused() -> None:
    ledger = Ledger((BoundedRangeMechanism(1),), interaction="concurrent")
    with pytest.raises(UnsupportedError, match=r"^interaction: concurrent: expected adaptive"):
        NoiseSubject.of(ledger)


@pytest.mark.parametrize(
    ("entry", "neighbouring", "remedy"),
    [
        (ShuffledGaussianMechanism("1/2", 9, 4), "zero-out", "sigma=1/2,sensitivity=1*4"),
        (ShuffledGaussianMechanism(2, 9), "replace-one", "sigma=2,sensitivity=2*1"),
    ],
)
def test_what_no_rule_composes_is_refused_and_never_left_out(
    entry: NoiseMechanism, neighbouring: str, remedy: str
) -> None:
    beside = () if neighbouring == "zero-out" else (LaplaceMechanism(10),)
    ledger = Ledger((*beside, entry), neighbouring=neighbouring)
    with pytest.raises(UnsupportedError, match="no rule takes this family yet") as caught:
        compose(ledger, delta="1e-5")
    assert remedy in caught.value.remedy
    assert caught.value.path == f"mechanisms[{len(beside)}].{caught.value.field}"
