"""Bounds that are found at once: an upper end of Rényi divergences, with its certificate."""

from __future__ import annotations

from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.noise import bound_by_noise, has_divergences
from exactdp.composition.answers.results import Composition
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
)
from exactdp.mechanisms.skellam import SkellamMechanism
from exactdp.timing.deadlines import OutOfTimeError, stop_after
from exactdp.verification import verify
from tests.families import WITHOUT_DIVERGENCES
from tests.marking import slow_among
from tests.workloads.test_levels import FAMILIES

DELTA: Final = "1e-4"
MAX_COST: Final = 10**10
FURTHER: Final[dict[str, Entry]] = {
    "bounded range": BoundedRangeMechanism("1/10"),
    "ρ beside noise": ConcentratedMechanism("1/100"),
    "μ beside noise": GaussianMechanism("1/10"),
    "ε and δ beside noise": Mechanism("1/10", "1e-6"),
    "a table": PairMechanism(["3/4", "1/4"], ["1/4", "3/4"]),
    "a list of divergences": RenyiMechanism([("2", "1/50"), ("8", "1/10")]),
}
WITH_DIVERGENCES: Final = tuple(sorted(FAMILIES.keys() - WITHOUT_DIVERGENCES))
LEDGERS: Final[dict[str, list[Entry]]] = {
    **{name: [FAMILIES[name](i) for i in range(3)] for name in WITH_DIVERGENCES},
    **{name: [FAMILIES["laplace"](1), entry] for name, entry in FURTHER.items()},
}


def ledger_of(name: str) -> Ledger:
    """Some mechanisms of a family."""
    return Ledger(tuple(LEDGERS[name]), neighbouring="add-remove-one")


def assert_upper_accepted(answer: Composition) -> None:
    """The verifier accepts what the upper end rests on."""
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert verify(certificate.to_bytes()).kind == "upper"


@pytest.mark.slow
@pytest.mark.parametrize("name", LEDGERS)
def test_a_bound_is_above_what_holds_and_its_certificate_is_accepted(name: str) -> None:
    ledger = ledger_of(name)
    assert has_divergences(ledger, max_cost=MAX_COST)
    bound = bound_by_noise(ledger, ledger, delta=DELTA, max_cost=MAX_COST)
    truth = compose(ledger, delta=DELTA, tolerance="1e-2")
    assert bound.upper_end is not None
    assert truth.lower_end is not None
    assert bound.lower_end == 0
    assert bound.upper_end >= truth.lower_end
    assert not bound.complete
    assert_upper_accepted(bound)
    assert bound.lower_certificate() is None


@pytest.mark.parametrize("name", slow_among({"laplace, sampled"}, WITH_DIVERGENCES))
def test_what_dominates_the_mechanisms_bounds_them_with_a_certificate_of_their_own(
    name: str,
) -> None:
    ledger = ledger_of(name)
    above = Ledger((*ledger.mechanisms, FAMILIES[name](1)), neighbouring=ledger.neighbouring)
    wider = bound_by_noise(ledger, above, delta=DELTA, max_cost=MAX_COST)
    nearer = bound_by_noise(ledger, ledger, delta=DELTA, max_cost=MAX_COST)
    assert wider.ledger == ledger
    assert wider.upper_end is not None
    assert nearer.upper_end is not None
    assert wider.upper_end >= nearer.upper_end
    assert_upper_accepted(wider)


@pytest.mark.parametrize(
    "entry",
    [
        PairMechanism(["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]),
        SampledMechanism(BoundedRangeMechanism("1/10"), "1/10"),
        SkellamMechanism(9),
    ],
    ids=["a table with an answer of one side alone", "a sample of a range", "Skellam noise"],
)
def test_some_mechanisms_have_no_divergences_to_add_up(entry: Entry) -> None:
    ledger = Ledger((entry,), neighbouring="add-remove-one")
    assert not has_divergences(ledger, max_cost=MAX_COST)


def test_a_failure_that_uses_up_delta_has_no_bound() -> None:
    ledger = Ledger((FAMILIES["laplace"](1), Mechanism("1/10", "1/100")))
    with pytest.raises(CostLimitError, match="1 - ∏"):
        bound_by_noise(ledger, ledger, delta=DELTA, max_cost=MAX_COST)


@pytest.mark.parametrize("name", WITH_DIVERGENCES)
def test_a_bound_is_stopped_when_the_time_is_up(name: str) -> None:
    ledger = ledger_of(name)
    with stop_after(0), pytest.raises(OutOfTimeError, match="time"):
        bound_by_noise(ledger, ledger, delta=DELTA, max_cost=MAX_COST)


def test_many_of_different_variances_are_added_up_at_once() -> None:
    kind = FAMILIES["discrete_gaussian"]
    alike = Ledger((kind(1),) * 100, neighbouring="add-remove-one")
    bound = bound_by_noise(alike, alike, delta=DELTA, max_cost=MAX_COST)
    one = Ledger((kind(1),), neighbouring="add-remove-one")
    single = bound_by_noise(one, one, delta=DELTA, max_cost=MAX_COST)
    assert bound.upper_end is not None
    assert single.upper_end is not None
    assert single.upper_end < bound.upper_end < 100 * mpq(single.upper_end)


def test_orders_that_many_lists_share_are_looked_at_once() -> None:
    listed: list[Entry] = [
        RenyiMechanism([("2", f"{i}/100"), ("8", f"{i}/10")]) for i in range(1, 9)
    ]
    ledger = Ledger(tuple(listed), neighbouring="add-remove-one")
    assert DominatingPairs(Subject.of(ledger)).orders == (mpq(2), mpq(8))
    bound = bound_by_noise(ledger, ledger, delta=DELTA, max_cost=MAX_COST)
    assert_upper_accepted(bound)
