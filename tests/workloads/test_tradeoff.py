"""Trade-off functions, exactly, and what they imply."""

from __future__ import annotations

from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.cli import workload_picture
from exactdp.composition.answers.profile import profile
from exactdp.errors import DomainError, UnsupportedError
from exactdp.mechanisms import GaussianMechanism, Mechanism
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_overlap
from exactdp.workloads.product import ProductWorkload
from exactdp.workloads.tradeoff import (
    NOTHING_LEARNED,
    TradeOff,
    envelope,
    odds_above,
    tensor,
    trade_off,
    trade_off_of,
)
from exactdp.workloads.workload import Attribute

MECHANISMS = st.builds(
    Mechanism,
    st.sampled_from(["0", "ln(2)", "ln(3)", "ln(3/2)", "2*ln(2)"]),
    st.sampled_from(["0", "1/10", "1/100"]),
)
LEDGERS = st.lists(MECHANISMS, min_size=1, max_size=3)
ALPHAS = st.fractions(0, 1, max_denominator=50).map(lambda a: mpq(a.numerator, a.denominator))


@given(MECHANISMS, ALPHAS)
def test_one_mechanism_has_the_function_of_the_definition(entry: Mechanism, alpha: mpq) -> None:
    odds = odds_above(entry.epsilon)
    kept = 1 - entry.delta
    assert trade_off(entry).at(alpha) == max(mpq(0), kept - odds * alpha, (kept - alpha) / odds)


@given(LEDGERS, st.sampled_from(["0", "ln(2)", "ln(5)"]))
def test_the_tensor_product_gives_the_optimal_privacy_profile(
    ledger: list[Mechanism], epsilon: str
) -> None:
    [point] = profile(ledger, epsilon=[epsilon], tolerance="1e-30")
    implied = tensor(map(trade_off, ledger)).failure(odds_above(point.epsilon))
    assert point.lower <= implied <= point.upper


@given(LEDGERS)
def test_a_trade_off_function_is_convex_falling_symmetric_and_below_learning_nothing(
    ledger: list[Mechanism],
) -> None:
    function = tensor(map(trade_off, ledger))
    slopes = [
        (b1 - b0) / (a1 - a0)
        for (a0, b0), (a1, b1) in zip(function.knots, function.knots[1:], strict=False)
    ]
    assert slopes == sorted(set(slopes))
    assert all(slope <= 0 for slope in slopes)
    assert function.knots[0][0] == 0
    assert function.knots[-1] == (mpq(1), mpq(0))
    assert all(a + b <= 1 for a, b in function.knots)
    assert all(function.at(b) <= a for a, b in function.knots)


@given(LEDGERS, LEDGERS, ALPHAS)
def test_the_envelope_is_the_greatest_convex_function_below_both(
    one: list[Mechanism], other: list[Mechanism], alpha: mpq
) -> None:
    first, second = tensor(map(trade_off, one)), tensor(map(trade_off, other))
    both = envelope([first, second])
    assert both.at(alpha) <= min(first.at(alpha), second.at(alpha))
    assert set(both.knots) <= {*first.knots, *second.knots}
    odds = mpq(2)
    assert both.failure(odds) == max(first.failure(odds), second.failure(odds))


@given(LEDGERS)
def test_masses_give_the_function_back(ledger: list[Mechanism]) -> None:
    function = tensor(map(trade_off, ledger))
    assert TradeOff.of_masses(function.masses) == function


def test_too_many_pieces_are_refused_before_any_work() -> None:
    with pytest.raises(UnsupportedError, match="of at most 300 pieces"):
        trade_off_of([Mechanism("ln(2)", "0", 10**18)])


@given(LEDGERS)
def test_a_ledger_has_the_tensor_product_of_its_mechanisms(ledger: list[Mechanism]) -> None:
    assert trade_off_of(ledger) == tensor(map(trade_off, ledger))


def test_counts_are_powers_with_few_pieces() -> None:
    many = trade_off(Mechanism("ln(3)", 0, 20))
    assert many == tensor([trade_off(Mechanism("ln(3)"))] * 20)
    assert len(many.knots) == 22


def test_nothing_composed_learns_nothing() -> None:
    assert tensor([]) == envelope([]) == trade_off(Mechanism("0")) == NOTHING_LEARNED


def test_irrational_odds_are_rounded_to_the_safe_side() -> None:
    odds = odds_above(Mechanism("1").epsilon)
    assert mpq("2.71828182845904523536") < odds < mpq("2.71828182845904523537")


def test_a_value_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(DomainError, match="alpha: 3/2: "):
        NOTHING_LEARNED.at(mpq(3, 2))


def census(incomes: int) -> ProductWorkload:
    """Prefixes of income, times {any, = v} on age, marital status, race and gender."""
    sizes = {"income": incomes, "age": 5, "marital": 4, "race": 7, "gender": 2}
    prefixes: tuple[Coverage | None, ...] = tuple(
        Coverage.of([(0, i)]) for i in range(1, incomes + 1)
    )
    others = (
        (None, *(Coverage.of_values([v]) for v in range(size))) for size in list(sizes.values())[1:]
    )
    return ProductWorkload(
        tuple(Attribute(name, size) for name, size in sizes.items()),
        (prefixes, *others),
        Mechanism("1/1000"),
    )


@pytest.mark.slow
def test_the_whole_census_like_workload_has_an_overlap_of_80000() -> None:
    whole = census(5000)
    assert len(whole) == 3_600_000
    assert whole.overlap == (80_000, (0, 0, 0, 0, 0))


def test_a_product_has_the_overlap_of_its_list() -> None:
    small = census(2)
    listed = small.listed()
    assert len(listed) == len(small) == 1440
    assert maximum_overlap(QueryGraph.of(listed)).upper == small.overlap[0] == 32


def test_products_of_any_families_have_the_overlap_of_their_lists() -> None:
    choices = [None, Coverage.of_values([0]), Coverage.of_values([0, 2]), Coverage(())]
    domain = (Attribute("a", 3), Attribute("b", 3))
    for first, second in product(product(choices, repeat=2), repeat=2):
        workload = ProductWorkload(domain, (first, second), Mechanism("1"))
        assert maximum_overlap(QueryGraph.of(workload.listed())).upper == workload.overlap[0]


def test_no_picture_is_of_some_of_the_mechanisms_alone() -> None:
    with pytest.raises(UnsupportedError, match="a ρ or a μ"):
        workload_picture._corners((Mechanism(1), GaussianMechanism(1)))
