"""What has no meaning between its neighbours, or says nothing of itself, has no pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.errors import InternalError
from exactdp.mechanisms import (
    FAMILIES,
    AllocatedGaussianMechanism,
    BoundedRangeMechanism,
    ConcentratedMechanism,
    ConstrainedMechanism,
    FactorizedGaussianMechanism,
    Family,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    PersonInSampleMechanism,
    RemainderGaussianMechanism,
    RenyiMechanism,
    SampledMechanism,
    SelectionMechanism,
    ShuffledGaussianMechanism,
    ShuffledReportsMechanism,
)
from exactdp.mechanisms.family import RELATIONS
from exactdp.mechanisms.selection import PoissonRuns
from tests.families import NOISE_ON_INTEGERS
from tests.marking import each_case

EVERY: Final[Mapping[str, Family]] = {
    type(each).__name__: each
    for each in (
        Mechanism(1, "1/10"),
        ConcentratedMechanism(1),
        GaussianMechanism(1),
        LaplaceMechanism(1),
        *(noise.made(noise.usual) for noise in NOISE_ON_INTEGERS),
        BoundedRangeMechanism(1),
        PairMechanism(["1/2", "1/2"], ["1/4", "3/4"]),
        SampledMechanism(LaplaceMechanism(1), "1/2"),
        PersonInSampleMechanism(1, "1/2", 2),
        ShuffledGaussianMechanism(1, 2),
        AllocatedGaussianMechanism(1, 2),
        FixedSizeGaussianMechanism(1, 1, 2),
        RemainderGaussianMechanism(1, 1, 1, 2),
        ShuffledReportsMechanism(2, 2),
        FactorizedGaussianMechanism(1, {"tree": 2}, {"every": 1}),
        RenyiMechanism([[2, 1]]),
        ConstrainedMechanism([[1, 0]]),
        SelectionMechanism(Mechanism(1), PoissonRuns(1)),
    )
}


def test_every_family_is_tried() -> None:
    assert {type(each) for each in EVERY.values()} == {*FAMILIES}


@each_case("relation", RELATIONS)
@each_case("name", EVERY)
def test_a_subject_of_no_meaning_has_no_pairs(name: str, relation: str) -> None:
    entry = EVERY[name]
    subject = Subject(((entry, 1),), relation, "adaptive")
    if not entry.neighbours or relation in entry.neighbours:
        assert DominatingPairs(subject).subject == subject
    else:
        with pytest.raises(InternalError, match=f"between {relation} neighbours"):
            DominatingPairs(subject)


@each_case("name", EVERY)
def test_a_subclass_of_a_family_has_no_pairs(name: str) -> None:
    kind = type("Own", (type(EVERY[name]),), {"__slots__": ()})
    own: Family = object.__new__(kind)
    with pytest.raises(InternalError, match="Own"):
        DominatingPairs(Subject(((own, 1),), "replace-one", "adaptive"))


@pytest.mark.parametrize("name", EVERY)
def test_a_family_that_says_nothing_is_an_error_and_never_costs_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EVERY[name]
    relation = entry.neighbours[0] if entry.neighbours else "unspecified"
    monkeypatch.setattr(type(entry), "pairs", lambda *_: iter(()))
    monkeypatch.setattr(type(entry), "divergences", lambda _: None)
    with pytest.raises(InternalError, match="pairs or divergences"):
        DominatingPairs(Subject(((entry, 1),), relation, "adaptive"))
