"""The laws of optimal composition, one for each test."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Composition
from tests.property.ledgers import (
    GRID,
    MIXED,
    POWERS_OF_TWO,
    Group,
    deltas,
    groups,
    ledgers,
)

FINE = "1e-20"
INFINITY = (None, None)


def interval(answer: Composition) -> tuple[mpq, mpq] | tuple[None, None]:
    if answer.lower is None or answer.upper is None:
        return INFINITY
    return answer.lower, answer.upper


def overlap(one: Composition, two: Composition) -> bool:
    """Whether both may be the same number."""
    first, second = interval(one), interval(two)
    if first[0] is None or second[0] is None:
        return first == second
    return bool(first[0] <= second[1] and second[0] <= first[1])


def may_be_at_most(one: Composition, two: Composition) -> bool:
    """Whether the first may be at most the second; infinity is above all."""
    first, second = interval(one), interval(two)
    if second[1] is None:
        return True
    return first[0] is not None and bool(first[0] <= second[1])


@given(ledgers(), deltas(), st.integers(0, 10**6))
def test_order_does_not_matter(ledger: list[Group], delta: Fraction, seed: int) -> None:
    """The sum over subsets is symmetric in the mechanisms (Murtagh & Vadhan 2018, Thm 1.5)."""
    shuffled = Random(seed).sample(ledger, len(ledger))  # noqa: S311
    assert interval(compose(shuffled, delta=delta)) == interval(compose(ledger, delta=delta))


@given(ledgers(), deltas(), st.data())
def test_splitting_a_group_changes_nothing(
    ledger: list[Group], delta: Fraction, data: st.DataObject
) -> None:
    """The sum over subsets depends on the multiset alone (Murtagh & Vadhan 2018, Thm 1.5)."""
    split: list[Group] = []
    for epsilon, d, count in ledger:
        part = data.draw(st.integers(0, count))
        split += [(epsilon, d, n) for n in (part, count - part) if n]
    assert interval(compose(split, delta=delta)) == interval(compose(ledger, delta=delta))


@given(ledgers(), deltas(), st.data())
def test_a_larger_epsilon_never_costs_less(
    ledger: list[Group], delta: Fraction, data: st.DataObject
) -> None:
    """(ε, δ)-DP is (ε', δ)-DP for every ε' ≥ ε (Dwork & Roth 2014, Def. 2.4)."""
    assume(ledger)
    index = data.draw(st.integers(0, len(ledger) - 1))
    epsilon, d, count = ledger[index]
    larger = ExactNumber.parse(epsilon) + ExactNumber.parse(data.draw(st.sampled_from(MIXED)))
    changed = [*ledger[:index], (str(larger), d, count), *ledger[index + 1 :]]
    assert may_be_at_most(
        compose(ledger, delta=delta, tolerance=FINE), compose(changed, delta=delta, tolerance=FINE)
    )


@given(ledgers(), deltas(), st.data())
def test_a_larger_delta_of_a_mechanism_never_costs_less(
    ledger: list[Group], delta: Fraction, data: st.DataObject
) -> None:
    """(ε, δ)-DP is (ε, δ')-DP for every δ' ≥ δ (Dwork & Roth 2014, Def. 2.4)."""
    assume(ledger)
    index = data.draw(st.integers(0, len(ledger) - 1))
    epsilon, d, count = ledger[index]
    larger = Fraction(d) + data.draw(st.sampled_from([Fraction(1, 2), Fraction(1, 10**12)]))
    changed = [*ledger[:index], (epsilon, str(larger), count), *ledger[index + 1 :]]
    assert may_be_at_most(
        compose(ledger, delta=delta, tolerance=FINE), compose(changed, delta=delta, tolerance=FINE)
    )


@given(ledgers(), deltas(), deltas())
def test_a_larger_global_delta_never_costs_more(
    ledger: list[Group], one: Fraction, two: Fraction
) -> None:
    """(ε, δ)-DP is (ε, δ')-DP for every δ' ≥ δ (Dwork & Roth 2014, Def. 2.4)."""
    small, large = sorted((one, two))
    assert may_be_at_most(
        compose(ledger, delta=large, tolerance=FINE), compose(ledger, delta=small, tolerance=FINE)
    )


@given(ledgers(), deltas())
def test_the_lower_end_is_not_above_the_upper_and_the_width_is_kept(
    ledger: list[Group], delta: Fraction
) -> None:
    """Both ends enclose one number, the least ε (Murtagh & Vadhan 2018, Thm 1.5)."""
    for tolerance in ("1", "1e-3", "1e-9", FINE):
        low, high = interval(compose(ledger, delta=delta, tolerance=tolerance))
        if low is not None and high is not None:
            assert 0 <= low <= high
            assert high - low <= mpq(ExactNumber.parse(tolerance).rational)


@given(ledgers(), deltas())
def test_two_tolerances_overlap(ledger: list[Group], delta: Fraction) -> None:
    """All enclose one number, the least ε (Murtagh & Vadhan 2018, Thm 1.5)."""
    answers = [compose(ledger, delta=delta, tolerance=t) for t in ("0.1", "1e-9", "1e-50")]
    assert overlap(answers[0], answers[1])
    assert overlap(answers[1], answers[2])
    assert overlap(answers[0], answers[2])


@given(ledgers(), deltas())
def test_the_answer_is_at_most_basic_composition(ledger: list[Group], delta: Fraction) -> None:
    """Σε is enough (Dwork & Roth 2014, Thm 3.16), and the least ε is at most that."""
    answer = compose(ledger, delta=delta)
    assert answer.basic_epsilon is not None
    if answer.lower is not None:
        assert compare(ExactNumber(answer.lower), answer.basic_epsilon) <= 0


@given(ledgers(), deltas())
def test_epsilon_to_delta_and_back_is_a_round_trip(ledger: list[Group], delta: Fraction) -> None:
    """D(e^ε) ≤ Δ if and only if ε ≥ OptComp (Murtagh & Vadhan 2018, Thm 1.5)."""
    answer = compose(ledger, delta=delta, tolerance=FINE)
    assume(answer.upper is not None)
    assert answer.lower is not None
    assert answer.upper is not None
    at_lower, at_upper = profile(ledger, epsilon=[answer.lower, answer.upper])
    assert at_upper.lower <= mpq(delta)
    if answer.lower:
        assert at_lower.upper >= mpq(delta)


@given(ledgers(), st.integers(0, 40))
def test_delta_to_epsilon_and_back_is_a_round_trip(ledger: list[Group], tenths: int) -> None:
    """D(e^ε) ≤ Δ if and only if ε ≥ OptComp (Murtagh & Vadhan 2018, Thm 1.5)."""
    epsilon = mpq(tenths, 10)
    [point] = profile(ledger, epsilon=[epsilon], tolerance="1e-12")
    at_upper = compose(ledger, delta=point.upper, tolerance="1e-12")
    assert at_upper.lower is not None
    assert at_upper.lower <= epsilon
    at_lower = compose(ledger, delta=point.lower, tolerance="1e-12")
    total = at_upper.basic_epsilon
    assert total is not None
    if compare(ExactNumber(epsilon), total) < 0 and at_lower.upper is not None:
        assert at_lower.upper >= epsilon


@given(ledgers(), st.lists(st.integers(0, 60), min_size=2, max_size=4))
def test_the_profile_is_nonincreasing(ledger: list[Group], tenths: list[int]) -> None:
    """D falls as e^ε grows: each term of its sum does (Murtagh & Vadhan 2018, Thm 1.5)."""
    points = profile(ledger, epsilon=[mpq(n, 10) for n in sorted(tenths)])
    for point in points:
        assert 0 <= point.lower <= point.upper <= 1
        assert point.upper - point.lower <= point.lower * mpq(1, 10**9)
    for left, right in pairwise(points):
        assert right.lower <= left.upper


@given(ledgers(), deltas(), st.integers(0, 60))
def test_certify_agrees_with_compose(ledger: list[Group], delta: Fraction, tenths: int) -> None:
    """A claim holds if and only if its ε is at least OptComp (Murtagh & Vadhan 2018, Thm 1.5)."""
    epsilon = mpq(tenths, 10)
    answer = compose(ledger, delta=delta)
    holds = certify(ledger, epsilon=epsilon, delta=delta).holds
    if answer.lower is None or answer.upper is None:
        assert not holds
    elif epsilon >= answer.upper:
        assert holds
    elif epsilon < answer.lower:
        assert not holds


@given(ledgers(), deltas())
def test_a_mechanism_that_reveals_nothing_changes_nothing(
    ledger: list[Group], delta: Fraction
) -> None:
    """A factor 1 + e^0 divides both sums alike (Murtagh & Vadhan 2018, Thm 1.5)."""
    more = [*ledger, ("0", "0", 7), ("ln(4) - 2*ln(2)", "0", 1)]
    assert overlap(
        compose(ledger, delta=delta, tolerance=FINE), compose(more, delta=delta, tolerance=FINE)
    )


@given(groups(GRID, most=4, largest=3), deltas())
def test_grid_and_rounded_atoms_agree(ledger: list[Group], delta: Fraction) -> None:
    """Two ways to count the same subsets (Murtagh & Vadhan 2018, Thm 1.5)."""
    grid = compose(ledger, delta=delta, tolerance=FINE, method="grid")
    assert overlap(grid, compose(ledger, delta=delta, tolerance=FINE, method="atoms"))


@given(groups(MIXED, most=4, largest=3), deltas())
def test_the_bracket_overlaps_the_planners_choice(ledger: list[Group], delta: Fraction) -> None:
    """A dominating pair is above (Doroshenko et al. 2022; SPEC Sect. 11.5), an event below."""
    bracket = compose(ledger, delta=delta, tolerance="1e-3", method="bracket")
    assert overlap(bracket, compose(ledger, delta=delta, tolerance=FINE))


@given(groups(MIXED, most=3, largest=3), st.integers(0, 40))
def test_the_profile_of_a_bracket_overlaps_the_planners_choice(
    ledger: list[Group], tenths: int
) -> None:
    """A dominating pair is above (Doroshenko et al. 2022; SPEC Sect. 11.5), an event below."""
    epsilon = mpq(tenths, 10)
    [wide] = profile(ledger, epsilon=[epsilon], tolerance="1", method="bracket")
    [fine] = profile(ledger, epsilon=[epsilon], tolerance=FINE)
    assert wide.lower <= fine.upper
    assert fine.lower <= wide.upper


@given(groups(POWERS_OF_TWO, most=4, largest=6), deltas())
def test_grid_and_exact_atoms_agree(ledger: list[Group], delta: Fraction) -> None:
    """Two ways to count the same subsets (Murtagh & Vadhan 2018, Thm 1.5)."""
    answers = [
        compose(ledger, delta=delta, tolerance=FINE, method=method) for method in ("grid", "atoms")
    ]
    assert overlap(*answers)


@given(groups(GRID, most=4, largest=6), deltas(), st.integers(2, 9))
def test_a_unit_that_divides_the_grid_changes_nothing(
    ledger: list[Group], delta: Fraction, parts: int
) -> None:
    """An ε' next to 0 adds at most itself (Dwork & Roth 2014, Thm 3.16)."""
    # an ε next to 0 makes the grid ``parts`` times as fine; it may add at most itself
    tiny = f"1/{parts * 10**6}"
    base = compose(ledger, delta=delta, tolerance=FINE)
    finer = compose([*ledger, (tiny, "0", 1)], delta=delta, tolerance=FINE)
    assert may_be_at_most(base, finer)
    if base.upper is not None:
        assert finer.lower is not None
        assert finer.lower <= base.upper + mpq(tiny)


@given(groups(GRID, most=3, largest=5), groups(GRID, most=3, largest=5), deltas())
def test_composition_is_subadditive_at_delta_zero_of_the_second(
    one: list[Group], two: list[Group], delta: Fraction
) -> None:
    """A pure part adds at most its Σε, whatever came before (Dwork & Roth 2014, Thm 3.16)."""
    # composing with a pure part costs at most its Σε
    pure = [(epsilon, "0", count) for epsilon, _, count in two]
    first = compose(one, delta=delta, tolerance=FINE)
    both = compose([*one, *pure], delta=delta, tolerance=FINE)
    assert first.feasible == both.feasible
    if first.upper is not None:
        total = sum((ExactNumber.parse(e).rational * n for e, _, n in pure), mpq(0))
        assert both.lower is not None
        assert both.lower <= first.upper + total
