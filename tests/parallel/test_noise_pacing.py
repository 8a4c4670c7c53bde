"""The pace of compositions by noise: what is given up for a bound, and what is refused."""

from __future__ import annotations

from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.answers.compose import compose
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    Entry,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.parallel import noise_pacing
from exactdp.parallel.costliest import Price
from exactdp.parallel.noise_pacing import NoisePace
from exactdp.parallel.pacing import Pace
from exactdp.parallel.sequence import InSequence
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError
from exactdp.verification import verify
from tests.parallel.test_levels import FAMILIES
from tests.parallel.workloads import workload

DELTA: Final = "1e-4"
AN_AGE: Final = 10**9
FOREVER: Final = 1e30
KINDS: Final = 6


def ledger_of(family: str) -> Ledger:
    """Different mechanisms of a family."""
    entries = [FAMILIES[family](i) for i in range(KINDS)]
    return Ledger(tuple(entries), neighbouring="add-remove-one")


def pace(clock: Clock) -> NoisePace:
    """The pace of a ledger."""
    return NoisePace(clock, KINDS, delta=DELTA, tolerance="1e-2", max_cost=DEFAULT_MAX_COST)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compositions are foreseen to take longer than there is time."""
    monkeypatch.setattr(noise_pacing, "_USUAL", FOREVER)


@pytest.mark.parametrize("family", FAMILIES)
def test_with_all_the_time_mechanisms_are_composed_as_they_are(family: str) -> None:
    ledger = ledger_of(family)
    found = pace(Clock()).compose(ledger, part=1 / 8)
    truth = compose(ledger, delta=DELTA, tolerance="1e-2")
    assert (found.lower_end, found.upper_end) == (truth.lower_end, truth.upper_end)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("family", FAMILIES)
def test_where_none_would_fit_there_is_a_bound_with_a_certificate(family: str) -> None:
    ledger = ledger_of(family)
    found = pace(Clock(AN_AGE)).compose(ledger, part=1 / 8)
    truth = compose(ledger, delta=DELTA, tolerance="1e-2")
    assert found.ledger == ledger
    assert found.lower_end == 0
    assert found.upper_end is not None
    assert truth.lower_end is not None
    assert found.upper_end >= truth.lower_end
    certificate = found.upper_certificate()
    assert certificate is not None
    assert verify(certificate, ledger=ledger).kind == "upper"


@pytest.mark.usefixtures("slow")
def test_where_no_bound_is_known_either_it_is_refused_with_a_limit_that_is_longer() -> None:
    sampled: list[Entry] = [
        SampledMechanism(BoundedRangeMechanism(f"{i}/10"), "1/9") for i in (1, 2)
    ]
    ledger = Ledger(tuple(sampled), neighbouring="add-remove-one")
    with pytest.raises(OutOfTimeError, match="2 different mechanisms") as refused:
        pace(Clock(AN_AGE)).compose(ledger, part=1 / 8)
    assert int(refused.value.remedy.split()[1]) > AN_AGE


@pytest.mark.usefixtures("slow")
def test_a_failure_that_uses_up_delta_is_not_called_a_lack_of_time() -> None:
    ledger = Ledger((LaplaceMechanism(4), Mechanism("1/10", "1/100")))
    with pytest.raises(CostLimitError, match="1 - ∏"):
        pace(Clock(AN_AGE)).compose(ledger, part=1 / 8)


def test_time_is_left_to_bound_each_mechanism_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise_pacing, "_ROUNDING", AN_AGE)
    monkeypatch.setattr(noise_pacing, "_LITTLE", AN_AGE)
    found = pace(Clock(AN_AGE)).compose(ledger_of("laplace"), part=1 / 8)
    assert found.complete, "what takes little is composed all the same"
    monkeypatch.setattr(noise_pacing, "_LITTLE", 0)
    assert not pace(Clock(AN_AGE)).compose(ledger_of("laplace"), part=1 / 8).complete


@pytest.mark.usefixtures("slow")
def test_all_queries_in_sequence_cost_no_less_than_those_of_a_row_where_they_are_bounded() -> None:
    noise: list[Entry] = [DiscreteGaussianMechanism(40 + i) for i in range(KINDS)]
    clock = Clock(AN_AGE)
    several = workload([2], [{}] * KINDS, noise)
    whole = Pace(clock, KINDS, delta=DELTA, tolerance=None, max_cost=DEFAULT_MAX_COST)
    sequence = InSequence(Price(several, whole), clock)
    below = compose(Ledger(tuple(noise[:1])), delta=DELTA)
    beside = sequence.beside(below)
    assert beside.lower_end == below.lower_end
    assert beside.lower_end != mpq(0)
    assert beside.upper_end is not None
