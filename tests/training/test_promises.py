"""``exactdp.dpsgd``: one answer for the loader that is asked for, and a verdict on a claim."""

from __future__ import annotations

from math import comb

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.errors import InputError
from exactdp.training.plans import LOADERS, TrainingPlan
from exactdp.training.promises import TrainingAnswer
from exactdp.training.truncated import longer_sample


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


def test_samples_that_are_cut_rarely_have_nearly_the_same_ends() -> None:
    plan = {"batch": 5, "examples": 100, "tolerance": "1e-3"}
    whole, cut = answered(**plan).asked, answered(**plan, max_batch=30).asked
    assert cut.truncation is not None
    assert 0 < cut.truncation.tail < mpq(1, 10**9)
    assert cut.evidence == "computed"
    ends = (cut.lower, whole.lower, whole.upper, cut.upper)
    known = [end for end in ends if end is not None]
    assert known == sorted(known)
    assert len(known) == 4
    assert known[-1] - known[0] < mpq(1, 100)


def test_the_probability_of_a_longer_sample_is_at_least_that_of_all_its_sizes() -> None:
    plan = TrainingPlan.of(5, 40, None, 1, 3)
    for most in (6, 8, 12):
        exact = 3 * sum(
            comb(40, k) * mpq(1, 8) ** k * mpq(7, 8) ** (40 - k) for k in range(most + 1, 41)
        )
        assert exact <= longer_sample(plan, most) <= 2 * exact
    assert not longer_sample(plan, 40)
    assert longer_sample(plan, 2) == 1


@pytest.mark.slow
def test_where_losses_are_too_many_the_ends_are_further_apart() -> None:
    plan = {"batch": 2, "examples": 200, "noise": "1/2", "loader": "allocated"}
    found = answered(**plan, tolerance=None).asked
    assert not found.is_known_batch
    assert found.lower is not None
    assert found.upper is not None
    assert 5 < found.lower < found.upper < found.lower + 1


@pytest.mark.parametrize(
    ("others", "match"),
    [({"max_batch": 51}, "longer samples are rarer than δ"), ({"loader": "shuffled"}, "poisson")],
)
def test_what_is_not_known_of_samples_that_are_cut_is_refused(
    others: dict[str, object], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        answered(**({"max_batch": 60} | others))
