"""Certificates as bytes: canonical, and the same for the same input."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.canonical import canonical_bytes
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from tests.property.ledgers import Group, deltas, ledgers

JSON = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii"), max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def both(ledger: list[Group], delta: Fraction) -> list[bytes]:
    answer = compose(ledger, delta=delta)
    made = (answer.upper_certificate(), answer.lower_certificate())
    return [certificate.to_bytes() for certificate in made if certificate is not None]


@given(JSON)
def test_canonical_bytes_are_read_back_and_written_alike(value: object) -> None:
    data = canonical_bytes(value)
    assert json.loads(data) == value
    assert canonical_bytes(json.loads(data)) == data


@given(st.dictionaries(st.text(st.characters(codec="ascii"), max_size=5), st.text(), max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, str]) -> None:
    keys = list(value)
    Random(len(keys)).shuffle(keys)  # noqa: S311
    try:
        expected = canonical_bytes(value)
    except UnicodeEncodeError:
        reject()
    assert canonical_bytes({key: value[key] for key in keys}) == expected


@given(ledgers(), deltas(), st.integers(0, 10**6))
def test_the_same_input_in_any_order_gives_the_same_bytes(
    ledger: list[Group], delta: Fraction, seed: int
) -> None:
    shuffled = Random(seed).sample(ledger, len(ledger))  # noqa: S311
    split = [(e, d, 1) for e, d, n in shuffled for _ in range(n)] if len(ledger) < 3 else shuffled
    assert both(ledger, delta) == both(ledger, delta) == both(shuffled, delta) == both(split, delta)


@given(ledgers(), deltas())
def test_a_certificate_is_canonical_and_carries_the_digest_of_its_statement(
    ledger: list[Group], delta: Fraction
) -> None:
    for data in both(ledger, delta):
        value = json.loads(data)
        assert canonical_bytes(value) == data
        statement = canonical_bytes(value["statement"])
        assert value["digest"] == hashlib.sha256(statement).hexdigest()
        assert sorted(value) == ["derivation", "digest", "format", "statement"]


@given(ledgers())
def test_a_subject_is_merged_and_strictly_increasing(ledger: list[Group]) -> None:
    subject = Subject.of(Ledger.of(ledger))
    keys = [(str(e), str(d)) for e, d, _ in subject.pairs]
    assert keys == sorted(set(keys))
    assert sum(count for _, count in subject.mechanisms) == sum(n for _, _, n in ledger)


def test_epsilons_that_are_zero_in_value_are_not_counted_as_positive() -> None:
    subject = Subject.of(Ledger.of([("ln(4) - 2*ln(2)", 0), ("1", 0), ("1", "1/2"), ("0", 0)]))
    assert subject.positive_epsilons() == [(ExactNumber.parse("1"), 2)]


@pytest.mark.parametrize(
    "ledger",
    [
        [("ln(4) - 2*ln(2)", "0", 1), ("1", "0", 3)],
        [("2*ln(2) - ln(4)", "0", 1), ("ln(3)", "0", 3)],
        [("2*ln(2) - ln(4)", "0", 1), ("ln(3)", "0", 3), ("1", "0", 1)],
    ],
)
def test_an_epsilon_that_is_zero_in_value_does_not_spoil_a_certificate(
    ledger: list[Group],
) -> None:
    assert len(both(ledger, Fraction(1, 100))) == 2
