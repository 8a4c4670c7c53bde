"""Anytime composition: whatever time there is, the truth is enclosed, or the answer is a refusal.

No second passes here but by reading the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError
from exactdp.timing.reading import reading
from exactdp.verification import verify
from exactdp.workloads import anytime
from exactdp.workloads.anytime import AnytimeComposer
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.costliest import exceeds
from tests.families import WITHOUT_DIVERGENCES
from tests.marking import slow_among
from tests.workloads.test_levels import FAMILIES
from tests.workloads.workloads import stepping, workload

DELTA: Final = "1e-4"
TOLERANCE: Final = "1e-2"
KINDS: Final = 6
A_SECOND: Final = 10**9
AN_AGE: Final = 10**9
BY_PARAMETERS: Final[dict[str, tuple[Entry, ...]]] = {
    "ε": tuple(Mechanism(f"{7 * i + 1}/100") for i in range(10)),
    "logarithms": tuple(Mechanism(f"ln({100 + i}/99)") for i in range(10)),
    "ε beside ρ": (ConcentratedMechanism("1/50"), *(Mechanism(f"{i}/100") for i in range(1, 10))),
    "ε beside μ": (GaussianMechanism("1/9"), *(Mechanism(f"{i}/100") for i in range(1, 10))),
    "ρ alone": (ConcentratedMechanism("1/50"),),
    "more fails than is allowed": tuple(Mechanism(f"{i}/9", "1/100") for i in range(1, 9)),
}
LEDGERS: Final = {
    **{name: Ledger(entries) for name, entries in BY_PARAMETERS.items()},
    **{
        name: Ledger(tuple(make(i) for i in range(KINDS)), neighbouring="add-remove-one")
        for name, make in FAMILIES.items()
    },
}
LONG: Final = (FAMILIES.keys() - {"bounded_range", "laplace"}) | {"ε beside ρ", "ε beside μ"}


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounded to so few levels that small ledgers are rounded."""
    monkeypatch.setattr(anytime, "_LEVELS", (3, 6))
    monkeypatch.setattr(anytime, "_LEVELS_OF_NOISE", (1, 3))
    monkeypatch.setattr(anytime, "_FEWER", 1)


@cache
def truth(name: str) -> Composition:
    """The ends without any limit."""
    return compose(LEDGERS[name], delta=DELTA, tolerance=TOLERANCE)


def composing(ledger: Ledger, clock: Clock, tolerance: str | None = None) -> AnytimeComposer:
    return AnytimeComposer(
        clock,
        given_by=ledger.given_by,
        delta=DELTA,
        tolerance=tolerance,
        max_cost=DEFAULT_MAX_COST,
    )


def answered(name: str, clock: Clock) -> tuple[Composition, AnytimeComposer]:
    """What is answered within a clock, and who answered."""
    ledger = LEDGERS[name]
    composer = composing(ledger, clock, TOLERANCE)
    return composer.compose(ledger), composer


@contextmanager
def over_after(reads: int) -> Iterator[Clock]:
    """A clock that is over once time was read so often."""
    with reading(stepping(A_SECOND)):
        yield Clock(reads)


@pytest.mark.parametrize("name", slow_among(LONG | {"laplace"}, LEDGERS))
def test_without_a_limit_and_with_all_the_time_a_ledger_is_composed_as_it_is(name: str) -> None:
    for clock in (Clock(), Clock(AN_AGE)):
        found, composer = answered(name, clock)
        assert (found.lower_end, found.upper_end) == (truth(name).lower_end, truth(name).upper_end)
        assert not composer.is_cut_short(found)


@pytest.mark.parametrize("name", slow_among(LONG, LEDGERS))
def test_whenever_the_time_is_up_the_truth_is_enclosed_or_nothing_is_said(name: str) -> None:
    kept = 0
    for reads in (0, 1, 5, 30, 200, 2000):
        try:
            with over_after(reads) as clock:
                found, _ = answered(name, clock)
        except OutOfTimeError:
            assert LEDGERS[name].given_by == "noise"
        else:
            kept += 1
            assert found.ledger == LEDGERS[name]
            assert not exceeds(found.lower_end, truth(name).upper_end)
            assert not exceeds(truth(name).lower_end, found.upper_end)
    assert kept or LEDGERS[name].given_by == "noise"


@pytest.mark.parametrize("name", [*BY_PARAMETERS])
def test_without_time_all_that_is_not_noise_is_enclosed_all_the_same(name: str) -> None:
    with reading(lambda: 0):
        found, composer = answered(name, Clock(0))
    assert not exceeds(truth(name).lower_end, found.upper_end)
    assert composer.is_cut_short(found) == (found.upper_end != truth(name).upper_end)


@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - WITHOUT_DIVERGENCES))
def test_an_answer_that_time_cut_short_has_a_certificate_about_its_ledger(
    monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    monkeypatch.setattr(AnytimeComposer, "_steps_by_noise", stopped)
    found, composer = answered(family, Clock(AN_AGE))
    assert composer.is_cut_short(found)
    assert found.ledger == LEDGERS[family]
    assert not found.lower_end
    assert not exceeds(truth(family).lower_end, found.upper_end)
    certificate = found.upper_certificate()
    assert certificate is not None
    assert verify(certificate, ledger=LEDGERS[family]).kind == "upper"


def stopped(*_: object) -> Iterator[object]:
    """Steps of which the first lasts longer than its time."""

    def step(_: Clock) -> None:
        raise OutOfTimeError(field="--time-limit", value="a step", expected="less")

    yield step


def test_where_no_bound_is_known_it_is_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AnytimeComposer, "_steps_by_noise", stopped)
    noise = (SampledMechanism(BoundedRangeMechanism(f"{i}/10"), "1/9") for i in (1, 2))
    ledger = Ledger(tuple(noise), neighbouring="add-remove-one")
    composer = composing(ledger, Clock())
    with pytest.raises(OutOfTimeError, match=r"2 different mechanisms.*--time-limit"):
        composer.compose(ledger)


def test_a_failure_that_uses_up_delta_is_not_called_a_lack_of_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AnytimeComposer, "_steps_by_noise", stopped)
    ledger = Ledger((LaplaceMechanism(4), Mechanism("1/10", "1/100")))
    composer = composing(ledger, Clock())
    with pytest.raises(CostLimitError, match="1 - ∏"):
        composer.compose(ledger)


@pytest.mark.slow
def test_all_queries_in_sequence_cost_no_less_than_those_of_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noise: list[Entry] = [DiscreteGaussianMechanism(40 + i) for i in range(KINDS)]
    several = workload([2], [{0: [i % 2]} for i in range(KINDS)], noise)
    whole = AnytimeComposer._whole

    def short(self: AnytimeComposer, ledger: Ledger, clock: Clock) -> Composition:
        if ledger.size == KINDS:
            raise OutOfTimeError(field="--time-limit", value="all", expected="fewer")
        return whole(self, ledger, clock)

    monkeypatch.setattr(AnytimeComposer, "_whole", short)
    monkeypatch.setattr(anytime, "_LEVELS_OF_NOISE", ())
    answer = compose_parallel(several, delta=DELTA)
    assert answer.sequence_cut_short
    assert answer.below.lower_end != mpq(0)
    assert answer.sequential.lower_end == answer.below.lower_end
    assert exceeds(answer.sequential.upper_end, answer.below.upper_end)
