"""What a spend counts, and what no budget counts."""

from __future__ import annotations

from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms.keys import listed
from exactdp.spending.budget import Charge, bounded, parse_budget
from exactdp.spending.charges import Spend
from exactdp.spending.stated import parse_spend, spend_of
from tests.families import NOISE_ON_INTEGERS, Noise
from tests.marking import each_case

ADD_REMOVE = "add-remove-one"


def charged(spend: str, budget: str) -> Charge:
    return spend_of(parse_spend(spend)).charge(parse_budget(budget), ADD_REMOVE)


@each_case(
    ("spend", "budget", "size"),
    [
        ("0.1", "epsilon=1", "1/10"),
        ("0.1", "rho=1", "1/200"),
        ("0.1", "renyi=1,alpha=8", "1/25"),
        ("9", "renyi=1,alpha=8", "9"),
        ("0", "mu=1", "0"),
        ("rho=1/50", "rho=1", "1/50"),
        ("rho=1/50*3", "rho=1", "3/50"),
        ("rho=1/50", "renyi=1,alpha=8", "4/25"),
        ("mu=1/10", "mu=1", "1/100"),
        ("mu=1/10", "rho=1", "1/200"),
        ("sigma=10,sensitivity=2", "mu=1", "1/25"),
        ("bounded_range=1/10", "rho=1", "1/800"),
        ("bounded_range=1/10", "epsilon=1", "1/10"),
        ("laplace,scale=4,sensitivity=2", "epsilon=1", "1/2"),
        ("discrete_laplace,scale=4,shifts=1+2", "epsilon=1", "3/4"),
        ("discrete_gaussian,variance=25/4,shifts=1+1", "rho=1", "4/25"),
    ],
)
def test_a_spend_counts_what_the_theorem_says(spend: str, budget: str, size: str) -> None:
    assert charged(spend, budget) == Charge(mpq(size), mpq(0))


def test_failures_add_up_apart() -> None:
    assert charged("0.1,1e-9*3", "rho=1,delta=1e-6") == Charge(mpq(3, 200), mpq(3, 10**9))


def test_a_logarithm_is_rounded_up() -> None:
    size = charged("ln(3)", "epsilon=2").size
    assert mpq("1.09861228866810969") < size < mpq("1.0986122886681097")


def test_a_sample_counts_less_and_is_rounded_up() -> None:
    size = charged("laplace,scale=1,sensitivity=1,rate=1/10", "epsilon=1").size
    assert mpq("0.158565") < size < mpq("0.158566")  # ln(1 + (e - 1)/10) = 0.1585650...


@pytest.mark.parametrize(
    ("spend", "budget", "reason"),
    [
        ("rho=1/50", "epsilon=1", "it has no ε without a δ"),
        ("rho=1/50", "mu=1", "Gaussian mechanisms alone"),
        ("discrete_gaussian,variance=4,shifts=1", "mu=1", "Gaussian mechanisms alone"),
        ("mu=1,rate=1/10", "rho=1", "Rényi divergence of the whole step"),
        ("0.1,1e-9,rate=1/10", "rho=1", "Rényi divergence of the whole step"),
    ],
)
def test_what_no_theorem_counts_is_refused_with_the_reason(
    spend: str, budget: str, reason: str
) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        charged(spend, budget)


BUDGETS: Final = {"epsilon": "epsilon=1", "rho": "rho=1", "renyi": "renyi=1,alpha=2", "mu": "mu=1"}


def refusal(spend: Spend, kind: str) -> str:
    """The remedy of a spend that such a budget refuses; empty if it counts it."""
    try:
        spend.charge(parse_budget(BUDGETS[kind]), ADD_REMOVE)
    except UnsupportedError as error:
        return error.remedy
    return ""


@pytest.mark.parametrize("noise", NOISE_ON_INTEGERS, ids=lambda noise: noise.key)
def test_a_budget_that_refuses_names_those_that_count(noise: Noise) -> None:
    spend = spend_of(noise.written("4", 1))
    remedies = {kind: refusal(spend, kind) for kind in BUDGETS}
    counting = [kind for kind, remedy in remedies.items() if not remedy]
    named = f"a budget of {listed(counting)} counts it" if counting else "no budget counts it"
    refused = [remedy for remedy in remedies.values() if remedy]
    assert refused
    assert all(remedy.endswith(named) for remedy in refused)


def test_sampling_is_about_neighbours_that_differ_by_one_row() -> None:
    spend = spend_of(parse_spend("1,rate=1/10"))
    with pytest.raises(UnsupportedError, match="differ by one row"):
        spend.charge(parse_budget("epsilon=1"), "replace-one")


def test_a_divergence_of_a_higher_order_is_one_of_a_lower_one() -> None:
    spend = spend_of({"renyi": [["2", "1/50"], ["8", "1/10"]]})
    assert spend.charge(parse_budget("renyi=1,alpha=4"), ADD_REMOVE).size == mpq(1, 10)
    with pytest.raises(UnsupportedError, match="no divergence of order 9 or above"):
        spend.charge(parse_budget("renyi=1,alpha=9"), ADD_REMOVE)


def test_sums_of_ever_longer_fractions_are_refused() -> None:
    total = Charge(mpq(1, 3**200), mpq(0))
    with pytest.raises(InputError, match="round what is spent up to a decimal"):
        bounded(total, Charge(mpq(1, 7**150), mpq(0)))


@pytest.mark.parametrize("text", ["rho", "rho=1,rho=2", "laplace,scale", "rho=1,sigma=2", "x=1"])
def test_a_spend_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        spend_of(parse_spend(text))


@pytest.mark.parametrize(
    "text", ["rho", "rho=1,mu=1", "rho=1,alpha=2", "renyi=1", "rho=-1", "mu=x"]
)
def test_a_budget_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_budget(text)
