"""Steps of large workloads are foreseen, so that a time limit is kept; time passes by steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import pytest

from exactdp.errors import CostLimitError
from exactdp.mechanisms import Mechanism
from exactdp.parallel import cheapest, composing, costliest, overlap
from exactdp.parallel.composing import compose_parallel
from exactdp.parallel.coverage import Coverage
from exactdp.parallel.foreseen import check_checking, checking_seconds
from exactdp.parallel.sweeps import Classes, Swept, swept_classes, swept_row
from exactdp.parallel.workload import NEIGHBOURING, REPLACE_ONE, Attribute, Query, Workload
from exactdp.timing.clock import Clock

A_ROW: Final = 4.0
CLASSES: Final = 2.0
A_COMPOSITION: Final = 1.0
AN_ASKING: Final = 0.01
EPSILONS: Final = ("1/10", "1/5", "1/20", "1/3")


class SteppedTime:
    """Time that passes only as steps are taken and as clocks ask."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rows = 0

    def monotonic(self) -> float:
        """Asking takes a little, so that searches which ask the clock end."""
        self.now += AN_ASKING
        return self.now

    def swept_row(self, workload: Workload, weights: Sequence[int], _clock: Clock) -> Swept:
        """A sweep takes its time, whatever the clock says."""
        self.rows += 1
        found = swept_row(workload, weights, Clock(0))
        self.now += A_ROW
        return found

    def swept_classes(
        self, workload: Workload, weights: Sequence[int], groups: Sequence[int], clock: Clock
    ) -> Iterator[Classes]:
        """As above, both times."""
        begin = clock.elapsed
        classes = swept_classes(workload, weights, groups, Clock())
        self.now += CLASSES
        yield next(classes)
        if clock.fits(clock.elapsed - begin):
            self.now += CLASSES
            yield from classes


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> SteppedTime:
    """Any workload is large, and time passes by steps."""
    passing = SteppedTime()
    monkeypatch.setattr("exactdp.timing.clock.read", passing.monotonic)
    for module in (composing, overlap):
        monkeypatch.setattr(module, "swept_row", passing.swept_row)
    for module in (composing, cheapest):
        monkeypatch.setattr(module, "swept_classes", passing.swept_classes)
    for module in (composing, cheapest, overlap):
        monkeypatch.setattr(module, "MOST_UNSWEPT", 0)
    monkeypatch.setattr(composing, "SCALES", 0)  # nothing is printed here
    composed: Callable[..., object] = costliest.Price._composed

    def slowly(*arguments: object) -> object:
        passing.now += A_COMPOSITION
        return composed(*arguments)

    monkeypatch.setattr(costliest.Price, "_composed", slowly)
    return passing


def at_random(neighbouring: str = NEIGHBOURING, *, kinds: int = 4) -> Workload:
    """Ranges of three attributes, with so many ε."""
    random = Random(5)  # noqa: S311 (a fixed sample)
    queries = []
    for i in range(40):
        named = random.sample(range(3), random.randint(1, 3))
        ends = {a: sorted(random.sample(range(51), 2)) for a in named}
        where = {a: Coverage.of([(low, high)]) for a, (low, high) in ends.items()}
        queries.append(Query(Mechanism(EPSILONS[i % kinds]), where))
    domain = tuple(Attribute(f"a{a}", 50) for a in range(3))
    return Workload(domain, tuple(queries), neighbouring=neighbouring)


LIMITS: Final = range(0, 60, 2)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("kinds", [1, 4])
def test_no_further_weighting_is_begun_that_would_end_after_the_limit(
    passing: SteppedTime, limit: int, kinds: int
) -> None:
    compose_parallel(at_random(kinds=kinds), delta="1e-6", time_limit=limit)
    unavoidable = A_ROW + CLASSES + 4 * A_COMPOSITION
    assert passing.now <= max(limit, unavoidable) + 1


@pytest.mark.parametrize("limit", LIMITS)
def test_no_further_pair_of_rows_is_begun_that_would_end_after_the_limit(
    passing: SteppedTime, limit: int
) -> None:
    compose_parallel(at_random(REPLACE_ONE), delta="1e-6", time_limit=limit)
    unavoidable = 2 * A_ROW + CLASSES + 4 * A_COMPOSITION
    assert passing.now <= max(limit, unavoidable) + 1


def test_with_time_another_row_is_swept_and_without_time_none(passing: SteppedTime) -> None:
    compose_parallel(at_random(), delta=0, time_limit=1)
    assert passing.rows == 1
    compose_parallel(at_random(), delta=0, time_limit=1000)
    assert passing.rows > 2


def test_certificates_that_take_longer_than_the_limit_are_refused_before_any_search(
    passing: SteppedTime,
) -> None:
    many = at_random()
    with pytest.raises(CostLimitError, match="less than the time limit of 0 seconds"):
        compose_parallel(many, delta=0, checked_within=0)
    assert passing.rows == 1
    answer = compose_parallel(many, delta=0, checked_within=1)
    assert checking_seconds(many, answer.colouring) < 1


def test_the_check_of_a_class_is_foreseen_to_grow_as_its_pairs() -> None:
    many = at_random()
    singles = [(i,) for i in range(len(many))]
    assert checking_seconds(many, singles) < checking_seconds(many, [tuple(range(len(many)))])
    check_checking(2.0, 2)
