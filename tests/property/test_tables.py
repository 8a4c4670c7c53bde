"""Tables against sums over all outputs in rationals: sampled, and chosen by earlier answers.

Every ε is the logarithm of a rational, so that the least δ is one, and nothing is rounded here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.composition.answers.profile import profile
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry, PairMechanism, SampledMechanism

Law = tuple[Fraction, ...]
Pair = tuple[Law, Law]
Channel = tuple[Law, ...]
"""For each answer the law of what is said instead."""
Choice = tuple[Channel, Fraction]
"""A channel, and which part of the rate is used."""

SIZE = 3
ONE = (Fraction(1), Fraction(1))


@dataclass(frozen=True)
class Table:
    """The laws of the answers with a record that takes part, and without it."""

    p: Law
    q: Law
    rate: Fraction = Fraction(1)

    def entry(self) -> Entry:
        table = PairMechanism(self.p, self.q)
        return table if self.rate == 1 else SampledMechanism(table, self.rate)

    def removed(self, choice: Choice) -> Pair:
        """The laws of what a choice says instead, with the record and without it."""
        channel, part = choice
        rate = self.rate * part
        mixed = tuple(rate * p + (1 - rate) * q for p, q in zip(self.p, self.q, strict=True))
        return _said(mixed, channel), _said(self.q, channel)


def _said(law: Law, channel: Channel) -> Law:
    rows = list(zip(law, channel, strict=True))
    return tuple(sum((p * row[i] for p, row in rows), Fraction(0)) for i in range(SIZE))


def _law(weights: Sequence[int]) -> Law:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


IDENTITY = tuple(_law([int(i == j) for j in range(SIZE)]) for i in range(SIZE))
ALL: Choice = (IDENTITY, Fraction(1))

LAWS = st.lists(st.integers(0, 6), min_size=SIZE, max_size=SIZE).filter(any).map(_law)
RATES = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 7)])
TABLES = st.lists(st.builds(Table, LAWS, LAWS, RATES), min_size=1, max_size=SIZE)
CHANNELS = st.just(IDENTITY) | st.tuples(*[LAWS] * SIZE)
CHOICES = st.lists(
    st.tuples(CHANNELS, st.integers(0, 4).map(lambda n: Fraction(n, 4))),
    min_size=1 + SIZE + SIZE**2,
    max_size=1 + SIZE + SIZE**2,
)
ODDS = st.builds(Fraction, st.integers(6, 60), st.just(6))


def _outputs(
    tables: Sequence[Table], choices: Sequence[Choice], place: int = 0
) -> Iterator[tuple[Fraction, Fraction]]:
    """The probabilities of all outputs; ``place`` counts the answers so far, so that each chooses.

    The i-th answer to what was chosen at n leads to the choice SIZE·n + 1 + i.
    """
    if not tables:
        yield ONE
        return
    laws = tables[0].removed(choices[place % len(choices)])
    for i, (p, q) in enumerate(zip(*laws, strict=True)):
        for later_p, later_q in _outputs(tables[1:], choices, SIZE * place + 1 + i):
            yield p * later_p, q * later_q


def _divergences(
    tables: Sequence[Table], y: Fraction, choices: Sequence[Choice] = (ALL,)
) -> tuple[Fraction, Fraction]:
    """The least δ at ε = ln y: for a record that is removed, and for one that is added."""
    listed = list(_outputs(tables, choices))
    removed = sum((max(Fraction(0), p - y * q) for p, q in listed), Fraction(0))
    return removed, sum((max(Fraction(0), q - y * p) for p, q in listed), Fraction(0))


def _ledger(tables: Sequence[Table]) -> Ledger:
    return Ledger.of([table.entry() for table in tables], neighbouring="add-remove-one")


def _certified(tables: Sequence[Table], y: Fraction) -> tuple[mpq, mpq]:
    [point] = profile(_ledger(tables), epsilon=[f"ln({y})"], tolerance="1/20")
    return mpq(point.lower_end), mpq(point.upper_end)


def _product_is_enclosed(tables: Sequence[Table], y: Fraction) -> bool:
    low, high = _certified(tables, y)
    return low <= mpq(max(_divergences(tables, y))) <= high


def _choices_stay_below(tables: Sequence[Table], y: Fraction, choices: Sequence[Choice]) -> bool:
    """What is chosen by earlier answers is below the product, and so below what is certified."""
    chosen, product = (_divergences(tables, y, each) for each in (choices, (ALL,)))
    each_below = all(one <= other for one, other in zip(chosen, product, strict=True))
    return each_below and mpq(max(chosen)) <= _certified(tables, y)[1]


@settings(deadline=None, max_examples=15)
@given(TABLES, ODDS)
def test_all_outputs_of_a_few_tables_lie_between_the_ends(tables: list[Table], y: Fraction) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10 and 11: pairs compose to their product."""
    assert _product_is_enclosed(tables, y)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(TABLES, ODDS)
def test_all_outputs_of_tables_lie_between_the_ends(tables: list[Table], y: Fraction) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10 and 11: pairs compose to their product."""
    assert _product_is_enclosed(tables, y)


@settings(deadline=None, max_examples=15)
@given(TABLES, ODDS, CHOICES)
def test_a_few_tables_chosen_by_earlier_answers_stay_below_what_is_certified(
    tables: list[Table], y: Fraction, choices: list[Choice]
) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: adaptive mechanisms, each of them dominated."""
    assert _choices_stay_below(tables, y, choices)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(TABLES, ODDS, CHOICES)
def test_tables_chosen_by_earlier_answers_stay_below_what_is_certified(
    tables: list[Table], y: Fraction, choices: list[Choice]
) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: adaptive mechanisms, each of them dominated."""
    assert _choices_stay_below(tables, y, choices)


def test_answers_that_one_neighbour_never_gives_leave_the_ends_near() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: an infinite loss stays one, whatever is beside it."""
    laws = [([0, 0, 1], [4, 3, 0], 2), ([1, 6, 4], [3, 2, 3], 7), ([3, 2, 2], [4, 3, 5], 1)]
    tables = [Table(_law(p), _law(q), Fraction(1, rate)) for p, q, rate in laws]
    for y in (Fraction(6), Fraction(3, 2)):
        low, high = _certified(tables, y)
        assert high <= low * mpq(21, 20)
