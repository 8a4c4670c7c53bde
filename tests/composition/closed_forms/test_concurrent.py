"""The first bound for concurrent composition: its order against all others, and certificates."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from flint import arb, ctx
from gmpy2 import mpq
from hypothesis import given, reject
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball, ball_of_rational
from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.concurrent import CountedPair, best_order, interleaved_basic
from exactdp.errors import InputError
from exactdp.ledger import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.verifier import verify_bytes

EPSILONS = ["0", "1/1000", "1/10", "ln(2)", "1", "7/3", "ln(4) - 2*ln(2)"]
DELTAS = ["0", "1/100000000000", "1/100000", "1/500000000"]
mechanisms = st.tuples(st.sampled_from(EPSILONS), st.sampled_from(DELTAS), st.integers(1, 3))


def ledger_of(entries: list[tuple[str, str, int]]) -> Ledger:
    return Ledger.of(entries, interaction="concurrent")


def total(order: tuple[CountedPair, ...]) -> arb:
    """The sum of the theorem, mechanism by mechanism."""
    ctx.prec = 200
    before, summed = arb(0), arb(0)
    for epsilon, delta, count in order:
        for _ in range(count):
            summed += before.exp() * ball_of_rational(delta)
            before += ball(epsilon)
    return summed


@pytest.fixture(autouse=True)
def _precision() -> object:
    before = ctx.prec
    yield
    ctx.prec = before


@given(st.lists(mechanisms, min_size=1, max_size=7).filter(lambda m: sum(c for _, _, c in m) <= 7))
def test_no_order_of_single_mechanisms_gives_less(entries: list[tuple[str, str, int]]) -> None:
    listed = [
        (m.epsilon, m.delta, 1)
        for e, d, count in entries
        for m in [Mechanism(e, d)]
        for _ in range(count)
    ]
    best = total(best_order(listed))
    for order in set(permutations(listed)):
        assert not total(order) < best


@given(st.lists(mechanisms, min_size=1, max_size=6))
def test_the_ends_hold_the_sum_of_the_best_order(entries: list[tuple[str, str, int]]) -> None:
    bound = interleaved_basic(ledger_of(entries))
    exact = total(bound.order)
    if bound.upper is None:
        assert exact > 1
    else:
        assert ball_of_rational(bound.lower) <= exact.upper()
        assert exact.lower() <= ball_of_rational(bound.upper)
        assert bound.upper - bound.lower <= bound.lower * mpq(1, 10**18)


@given(st.lists(mechanisms, min_size=1, max_size=6))
def test_its_certificate_is_accepted(entries: list[tuple[str, str, int]]) -> None:
    bound = interleaved_basic(ledger_of(entries))
    if bound.upper is None:
        reject()
    certificate = bound.certificate(bound.epsilon, bound.upper)
    assert certificate is not None
    verdict = verify_bytes(certificate.to_bytes())
    assert (verdict.status, verdict.rules) == ("accepted", ("sum",))
    assert verdict.interaction == "concurrent"


def test_a_mechanism_of_zeros_does_not_confuse_the_order() -> None:
    entries = [("1", "1/1000", 1), ("0", "0", 1), ("ln(2)", "1/1000", 1)]
    for order in permutations(entries):
        found = [str(epsilon) for epsilon, _, _ in interleaved_basic(ledger_of(list(order))).order]
        assert found == ["0", "ln(2)", "1"]


def test_beyond_one_the_theorem_says_nothing() -> None:
    bound = interleaved_basic(ledger_of([("1", "1/1000", 10**18)]))
    assert bound.upper is None
    assert bound.lower == 1
    assert bound.certificate(bound.epsilon, mpq(1)) is None


def test_claims_below_what_it_gives_have_no_certificate() -> None:
    bound = interleaved_basic(ledger_of([("1", "1/1000", 2)]))
    assert bound.upper is not None
    assert not bound.gives(bound.epsilon, bound.upper * mpq(99, 100))
    assert bound.certificate(bound.epsilon - Mechanism("1/9").epsilon, bound.upper) is None


def test_ten_to_the_eighteen_mechanisms_are_a_geometric_series() -> None:
    bound = interleaved_basic(ledger_of([("1e-18", "1e-22", 10**18)]))
    assert bound.upper is not None
    assert abs(Fraction(str(bound.upper)) - Fraction("1.718281828459045e-4")) < Fraction(1, 10**15)


@pytest.mark.parametrize("theorem", ["vadhan-zhang-2023-f-dp", "lyu-2022-approximate-dp"])
def test_an_upper_certificate_can_name_another_theorem(theorem: str) -> None:
    answer = compose(ledger_of([("1", "1/1000", 2)]), delta="1/100")
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    assert upper is not None
    assert lower is not None
    named = verify_bytes(upper.naming(theorem).to_bytes())
    assert (named.status, named.theorem) == ("accepted", theorem)
    assert lower.naming(theorem) == lower
    with pytest.raises(InputError, match="a theorem about such mechanisms"):
        upper.naming("vadhan-wang-2021-theorem-5.4")
