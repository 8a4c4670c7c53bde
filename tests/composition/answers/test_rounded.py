"""Rounded ledgers: few different ε, each on its side, and an enclosure of the optimum."""

from __future__ import annotations

from functools import cmp_to_key

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.rounded import compose_rounded, different_epsilons, rounded_ledgers
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.verification import verify

DELTA = "1e-3"

epsilons = st.one_of(
    st.fractions(0, 3, max_denominator=50).map(str),
    st.integers(1, 40).map(lambda n: f"ln({n + 1}/{n})"),
)
ledgers = st.lists(
    st.builds(Mechanism, epsilons, st.sampled_from(["0", "1e-6"]), st.integers(1, 3)),
    min_size=1,
    max_size=9,
).map(lambda entries: Ledger(tuple(entries)))


@given(ledgers, st.integers(1, 12))
def test_every_epsilon_is_lowered_and_raised_to_one_of_few(ledger: Ledger, levels: int) -> None:
    lowered, raised = rounded_ledgers(ledger, levels)
    assert different_epsilons(lowered) <= levels
    assert different_epsilons(raised) <= levels
    for low, high in ((lowered, ledger), (ledger, raised)):
        pairs = zip(_sorted(low), _sorted(high), strict=True)
        assert all(compare(below, above) <= 0 for below, above in pairs)
        assert sorted(_deltas(low)) == sorted(_deltas(high))


def _sorted(ledger: Ledger) -> list[ExactNumber]:
    listed = [each.epsilon for each in ledger.approximate() for _ in range(each.count)]
    return sorted(listed, key=cmp_to_key(compare))


def _deltas(ledger: Ledger) -> list[mpq]:
    return [each.delta for each in ledger.approximate() for _ in range(each.count)]


@pytest.mark.slow
@given(ledgers, st.integers(1, 12))
def test_the_optimum_is_enclosed_however_few_levels_there_are(ledger: Ledger, levels: int) -> None:
    exact = compose(ledger, delta=DELTA)
    rounded = compose_rounded(ledger, levels=levels, delta=DELTA)
    assert rounded.ledger == ledger
    assert exact.lower_end is not None
    assert exact.upper_end is not None
    assert rounded.lower_end is not None
    assert rounded.upper_end is not None
    assert rounded.lower_end <= exact.upper_end
    assert rounded.upper_end >= exact.lower_end


@pytest.mark.slow
def test_more_levels_enclose_more_narrowly() -> None:
    ledger = Ledger(tuple(Mechanism(f"{i}/2000") for i in range(1, 301)))
    widths = []
    for levels in (4, 16, 64):
        found = compose_rounded(ledger, levels=levels, delta=DELTA)
        assert found.upper_end is not None
        assert found.lower_end is not None
        widths.append(found.upper_end - found.lower_end)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 8


@pytest.mark.parametrize("levels", [1, 3])
def test_certificates_are_about_the_ledger_as_it_is(levels: int) -> None:
    ledger = Ledger(tuple(Mechanism(f"{i}/10") for i in range(1, 8)))
    found = compose_rounded(ledger, levels=levels, delta=DELTA)
    upper, lower = found.upper_certificate(), found.lower_certificate()
    assert upper is not None
    assert lower is not None
    assert [verify(each, ledger=ledger).kind for each in (upper, lower)] == ["upper", "lower"]


def test_an_empty_ledger_and_one_of_zeros_need_no_rounding() -> None:
    for entries in ((), (Mechanism(0, 0, 3),)):
        assert compose_rounded(Ledger(entries, empty=True), levels=5, delta=DELTA).upper_end == 0
