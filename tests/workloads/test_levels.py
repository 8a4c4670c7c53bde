"""Rounded ledgers by noise: few different mechanisms, each on its side of those it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.rounded import rounded_ledgers
from exactdp.composition.answers.sandwiched import compose_sandwiched
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
from exactdp.verification import verify
from exactdp.workloads.levels import different_noise, rounded_noise
from tests.families import NOISE_ON_INTEGERS, Noise

DELTA = "1e-4"
MAX_COST = 10**10


def _sampled_gaussian(i: int) -> Entry:
    return SampledMechanism(GaussianMechanism(f"{i + 3}/10"), f"{12 - i}/100")


def _sampled_laplace(i: int) -> Entry:
    return SampledMechanism(LaplaceMechanism(i + 2), f"{i + 1}/20")


def _of_integers(noise: Noise, i: int) -> Entry:
    return noise.made(f"{i + 14}/4", 1, i + 1) if noise.more_is_less else noise.made(40, i + 1)


FAMILIES: Final[Mapping[str, Callable[[int], Entry]]] = {
    "laplace": lambda i: LaplaceMechanism(i + 3, 2),
    "gaussian, sampled": _sampled_gaussian,
    "laplace, sampled": _sampled_laplace,
    **{noise.key: partial(_of_integers, noise) for noise in NOISE_ON_INTEGERS},
    "ε beside one by its noise": lambda i: Mechanism(f"{i + 1}/20") if i else LaplaceMechanism(9),
}
PARAMETERS: Final[Mapping[str, Sequence[Entry]]] = {
    "ε and ρ": [ConcentratedMechanism("1/100")],
    "ε and μ": [GaussianMechanism("1/10")],
    "ε, ρ and μ": [ConcentratedMechanism("1/100"), GaussianMechanism("1/10")],
}


def _of_family(family: str) -> Ledger:
    entries = [FAMILIES[family](i) for i in range(9)]
    return Ledger(tuple(entries), neighbouring="add-remove-one")


@pytest.mark.slow
@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("family", FAMILIES)
def test_few_different_mechanisms_enclose_many(family: str, levels: int) -> None:
    ledger = _of_family(family)
    ends = rounded_noise(ledger, levels)
    assert [end.size for end in ends] == [9, 9]
    assert all(different_noise(end) < different_noise(ledger) for end in ends)
    assert all(different_noise(end) <= levels + 1 for end in ends)
    exact = compose(ledger, delta=DELTA, tolerance="1e-2")
    found = compose_sandwiched(ledger, ends, delta=DELTA, tolerance="1e-2", max_cost=MAX_COST)
    assert found.ledger == ledger
    assert found.lower_end is not None
    assert found.upper_end is not None
    assert exact.lower_end is not None
    assert exact.upper_end is not None
    assert found.lower_end <= exact.upper_end
    assert found.upper_end >= exact.lower_end
    assert found.upper_end - found.lower_end > exact.upper_end - exact.lower_end


def test_what_has_no_order_is_left_as_it_is() -> None:
    entries: tuple[Entry, ...] = (
        *(BoundedRangeMechanism(f"{i}/10") for i in range(1, 5)),
        ConcentratedMechanism("1/10"),
        GaussianMechanism("1/3"),
        *(DiscreteGaussianMechanism(variance) for variance in (10, 20)),
    )
    ledger = Ledger(entries)
    assert all(set(end.mechanisms) == set(entries) for end in rounded_noise(ledger, 1))
    assert different_noise(ledger) == 6


@pytest.mark.slow
@pytest.mark.parametrize("beside", PARAMETERS)
def test_epsilons_beside_rho_and_mu_are_enclosed_and_certified(beside: str) -> None:
    pairs = (Mechanism(f"{i}/40", "1e-9") for i in range(1, 10))
    ledger = Ledger((*pairs, *PARAMETERS[beside]))
    ends = rounded_ledgers(ledger, 3)
    exact = compose(ledger, delta=DELTA)
    found = compose_sandwiched(ledger, ends, delta=DELTA, tolerance="1e-4", max_cost=MAX_COST)
    assert exact.lower_end is not None
    assert exact.upper_end is not None
    assert found.lower_end is not None
    assert found.upper_end is not None
    assert found.lower_end <= exact.lower_end
    assert found.upper_end >= exact.upper_end
    upper, lower = found.upper_certificate(), found.lower_certificate()
    assert upper is not None
    assert lower is not None
    assert [verify(each, ledger=ledger).kind for each in (upper, lower)] == ["upper", "lower"]


@pytest.mark.slow
def test_certificates_of_rounded_noise_are_about_the_ledger_as_it_is() -> None:
    ledger = _of_family("laplace")
    ends = rounded_noise(ledger, 3)
    found = compose_sandwiched(ledger, ends, delta=DELTA, tolerance="1e-2", max_cost=MAX_COST)
    upper, lower = found.upper_certificate(), found.lower_certificate()
    assert upper is not None
    assert lower is not None
    assert [verify(each, ledger=ledger).kind for each in (upper, lower)] == ["upper", "lower"]
