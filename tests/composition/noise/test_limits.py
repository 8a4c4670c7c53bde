"""Limits of mechanisms by their noise: what is refused at once, and what would fit."""

from __future__ import annotations

from itertools import cycle, islice
from typing import NoReturn

import pytest
from flint import fmpz
from gmpy2 import mpq

from exactdp.certificate.subject import Subject
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh import bracket
from exactdp.composition.engines.mesh.bracket import Target, first_unit, predicted_cost
from exactdp.composition.engines.mesh.cells import Cells
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes

STEPS = SampledMechanism(GaussianMechanism(1), "1/100", 1000)


@pytest.mark.slow
def test_a_limit_of_work_is_honoured_and_what_fits_is_named() -> None:
    with pytest.raises(CostLimitError, match="--tolerance 1e-3 fits; ") as caught:
        compose([STEPS], delta="1e-5", tolerance="1e-6", max_cost=5 * 10**8)
    assert caught.value.field == "--max-cost"
    with pytest.raises(CostLimitError, match="predicted cost"):
        certify([STEPS], epsilon="1.8283", delta="1e-5", max_cost=10**6)
    with pytest.raises(CostLimitError, match="predicted cost"):
        profile([STEPS], epsilon=["1"], max_cost=10**6)


@pytest.mark.slow
def test_a_tolerance_that_is_said_to_fit_fits() -> None:
    answer = compose([STEPS], delta="1e-5", tolerance="1e-3", max_cost=5 * 10**8)
    assert answer.complete


@pytest.mark.slow
def test_many_different_mechanisms_are_refused_before_they_are_planned() -> None:
    """Two thousand that differ, one more known by its range alone."""
    steps = [SampledMechanism(GaussianMechanism(mpq(1, k)), "1/10") for k in range(1, 2_001)]
    ledger = Ledger((*steps, BoundedRangeMechanism(1)))
    for ask in (
        lambda: compose(ledger, delta="1e-5"),
        lambda: profile(ledger, epsilon=["1"]),
        lambda: certify(ledger, epsilon=1, delta="1e-5"),
    ):
        with pytest.raises(
            CostLimitError, match=r"^mechanisms: 2001 that differ: expected at most"
        ):
            ask()


@pytest.mark.slow
def test_a_hundred_thousand_entries_that_differ_are_refused_before_they_are_written_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def written_out(_ledger: Ledger) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(Subject, "of", written_out)
    many = Ledger(tuple(LaplaceMechanism(mpq(k, 7)) for k in range(1, 100_002)))
    for ask in (
        lambda: compose(many, delta="1e-5"),
        lambda: profile(many, epsilon=["1"]),
        lambda: certify(many, epsilon=1, delta="1e-5"),
    ):
        with pytest.raises(CostLimitError, match=r"^mechanisms: 100001 that differ: expected"):
            ask()


@pytest.mark.slow
def test_entries_that_differ_by_their_counts_and_labels_alone_are_not_many() -> None:
    twice = (LaplaceMechanism(1000, 1, count, str(count)) for count in range(1, 3))
    many = Ledger(tuple(islice(cycle(twice), 100_001)))
    assert compose(many, delta="1e-5", tolerance="1e-2").complete


def test_too_much_work_is_refused_before_anything_is_composed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def composed(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(bracket, "upper_side", composed)
    monkeypatch.setattr(bracket, "lower_side", composed)
    wide = [SampledMechanism(GaussianMechanism(20), "1/2", 10)]
    for ask in (
        lambda: compose(wide, delta="1e-6", max_cost=10**6),
        lambda: profile(wide, epsilon=["1"], max_cost=10**6),
        lambda: certify(wide, epsilon="9/10", delta="1e-6", max_cost=10**6),
    ):
        with pytest.raises(CostLimitError, match="predicted cost"):
            ask()


def test_a_limit_below_the_least_work_names_the_work_and_not_the_mechanisms() -> None:
    with pytest.raises(CostLimitError, match="predicted cost"):
        compose([STEPS], delta="1e-5", max_cost=10**6)


@pytest.mark.slow
def test_losses_of_a_thousand_digits_are_priced_and_what_fits_is_answered() -> None:
    wide = SampledMechanism(GaussianMechanism(20), "1/2", 10)
    with pytest.raises(CostLimitError, match=r"predicted cost of .*--tolerance 1e-0 fits"):
        compose([wide], delta="1e-6", tolerance="1e-4", max_cost=10**10)
    assert compose([wide], delta="1e-6", tolerance=1, max_cost=10**10).complete


@pytest.mark.parametrize("steps", [1000, 10**6])
def test_a_million_small_steps_are_not_predicted_to_take_long(steps: int) -> None:
    step = SampledMechanism(GaussianMechanism(2), "1/10000", steps)
    laws = DominatingPairs(Subject.of(Ledger((step,))))
    target = Target(mpq(1, 10**5), mpq(1, 1000), epsilon=4)
    unit = first_unit(laws, mpq(1, 2), target.tolerance)
    cost = predicted_cost(laws, target, unit, mpq(1, 2))
    assert cost is not None
    assert cost < 2 * 10**10


@pytest.mark.slow
def test_what_hardly_anyone_takes_part_in_needs_no_epsilon_and_no_fine_mesh() -> None:
    rare = SampledMechanism(GaussianMechanism(20), "1e-9", 10)
    answer = compose([rare], delta="1e-6", max_cost=10**9)
    assert (answer.lower_end, answer.upper_end) == (mpq(0), mpq(0))
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_weights_beyond_the_range_of_doubles_have_a_variance() -> None:
    assert Cells.of([(0, fmpz(10) ** 400), (2, fmpz(10) ** 400)]).variance() == 1


def test_a_time_limit_gives_the_interval_so_far() -> None:
    mechanisms = [LaplaceMechanism(3, 1, 40)]
    answer = compose(mechanisms, delta="1e-6", tolerance="1e-7", time_limit=0)
    narrow = compose(mechanisms, delta="1e-6", tolerance="1e-3")
    assert not answer.complete
    assert "time" in answer.open_because
    assert answer.lower is not None
    assert answer.upper is not None
    assert narrow.lower is not None
    assert narrow.upper is not None
    assert answer.lower <= narrow.upper
    assert narrow.lower <= answer.upper


@pytest.mark.slow
def test_a_time_limit_gives_the_points_of_a_profile_so_far() -> None:
    mechanisms = [LaplaceMechanism(3, 1, 40)]
    asked = ["1", "2"]
    rough = profile(mechanisms, epsilon=asked, tolerance="1e-9", time_limit=0)
    near = profile(mechanisms, epsilon=asked, tolerance="1e-3")
    for wide, narrow in zip(rough, near, strict=True):
        assert wide.lower_end <= narrow.upper_end
        assert narrow.lower_end <= wide.upper_end
        assert wide.upper_end - wide.lower_end <= wide.lower_end / 10


def test_a_shift_of_a_million_is_refused_at_once_where_a_tolerance_was_chosen() -> None:
    for scale in (1, 10**6):
        noise = Ledger.of([DiscreteLaplaceMechanism(scale, (10**6,))])
        with pytest.raises(CostLimitError, match="expected"):
            compose(noise, delta="1e-6", tolerance="1e-4")


def test_the_digits_of_an_answer_too_long_to_write_are_counted_without_writing_it() -> None:
    """As many as e^ε has, and more: no power of it is taken to say so."""
    effort = Target(mpq(1, 10**6), mpq(1, 1000), epsilon=10**30).effort(mpq(1, 1000), 1)
    assert effort.digits > 10**30 // 3
