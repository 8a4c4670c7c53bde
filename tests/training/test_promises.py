"""``exactdp.dpsgd``: one answer for the loader that is asked for, and a verdict on a claim."""

from __future__ import annotations

import pytest

import exactdp
from exactdp.errors import InputError
from exactdp.training.plans import LOADERS
from exactdp.training.promises import TrainingAnswer


def answered(**others: object) -> TrainingAnswer:
    plan = {"batch": 50, "examples": 100, "noise": 2, "epochs": 1, "delta": "1e-5"}
    return exactdp.dpsgd(**(plan | {"tolerance": "1/10"} | others))  # type: ignore[arg-type]


def test_loaders_that_are_not_asked_for_are_not_composed() -> None:
    for loader in LOADERS:
        answer = answered(loader=loader)
        assert [each.loader for each in answer.every] == [loader]
        assert (answer.outcome, answer.breaking) == (None, [])


def test_with_all_loaders_the_one_asked_for_is_judged() -> None:
    promise = answered().asked.upper
    assert promise is not None
    answer = answered(loader="fixed-size", all_loaders=True, epsilon=promise)
    assert tuple(each.loader for each in answer.every) == LOADERS
    assert answer.outcome == "refuted"
    assert answer.every[0].upper == promise
    assert "fixed-size" in [each.loader for each in answer.breaking]


def test_a_claim_at_the_upper_end_is_proved_and_one_just_below_the_lower_end_refuted() -> None:
    found = answered().asked
    assert found.lower is not None
    assert found.upper is not None
    assert answered(epsilon=found.upper).outcome == "proved"
    assert answered(epsilon=found.lower).outcome == "undecided"
    assert answered(epsilon=found.lower - found.upper / 10**9).outcome == "refuted"


def test_a_loader_that_is_not_known_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="loader: sequential: expected poisson or allocated or"):
        answered(loader="sequential")
