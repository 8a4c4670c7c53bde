"""Laws: what is written can be read, and is then equal."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.ledger import Claim, Ledger, loses, read_ledger, write_ledger
from exactdp.ledger.formats.totals import is_total
from exactdp.ledger.model import BASES, INTERACTION, NEIGHBOURING
from exactdp.mechanisms import ZERO_OUT, ConcentratedMechanism, GaussianMechanism, Mechanism

rationals = st.one_of(
    st.fractions(min_value=0, max_value=1000),
    st.builds(lambda n, e: mpq(n, 10**e), st.integers(0, 10**6), st.integers(0, 400)),
    st.builds(lambda e: mpq(1, 2**e), st.integers(0, 1200)),
)
ratios = st.fractions(min_value=1, max_value=50).filter(lambda r: r > 1)
terms = st.lists(st.tuples(rationals.filter(bool), ratios), max_size=3)
numbers = st.builds(
    lambda c, logs: ExactNumber.combine(mpq(c), [(mpq(a), mpq(r)) for a, r in logs]),
    rationals,
    terms,
)
deltas = st.one_of(
    st.just(mpq(0)),
    st.fractions(min_value=0, max_value=1).filter(lambda d: d < 1),
    st.builds(lambda e: mpq(1, 10**e), st.integers(1, 400)),
)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
labels = texts.filter(lambda text: not is_total(text))
counts = st.one_of(st.integers(1, 5), st.integers(1, 10**18))
mechanisms = st.one_of(
    st.builds(Mechanism, numbers, deltas, counts, labels),
    st.builds(ConcentratedMechanism, rationals, counts, labels),
    st.builds(GaussianMechanism, rationals, counts, labels),
)
number_texts = st.sampled_from(["0.5", "1/3", "ln(2)"])
claims = st.one_of(
    st.builds(Claim, numbers, st.none() | deltas, st.sampled_from(BASES), texts),
    st.builds(Claim, st.none(), st.none(), st.sampled_from(BASES), texts, rho=number_texts),
    st.builds(Claim, st.none(), st.none(), st.sampled_from(BASES), texts, mu=number_texts),
)
ledgers = st.builds(
    Ledger,
    st.lists(mechanisms, max_size=4).map(tuple),
    name=texts,
    neighbouring=st.sampled_from([each for each in NEIGHBOURING if each != ZERO_OUT]),
    interaction=st.sampled_from(INTERACTION),
    unit_of_privacy=texts,
    target_delta=st.none() | deltas,
    claims=st.lists(claims, max_size=2).map(tuple),
    source=texts | st.dictionaries(texts, texts, min_size=1, max_size=3),
    notes=texts,
)


@pytest.mark.slow
@settings(deadline=None)
@given(ledgers)
def test_a_ledger_written_as_json_is_read_back_equal(ledger: Ledger) -> None:
    assert read_ledger(write_ledger(ledger).encode()) == ledger


@pytest.mark.slow
@settings(deadline=None)
@given(ledgers)
def test_the_mechanisms_written_as_csv_are_read_back_equal(ledger: Ledger) -> None:
    assert read_ledger(write_ledger(ledger, "csv").encode()).mechanisms == ledger.mechanisms


@settings(deadline=None)
@given(ledgers)
def test_csv_holds_the_whole_ledger_unless_it_says_what_it_loses(ledger: Ledger) -> None:
    back = read_ledger(write_ledger(ledger, "csv").encode())
    differing = [key for key in Ledger.__slots__ if getattr(back, key) != getattr(ledger, key)]
    assert set(differing) == set(loses(ledger, "csv"))


@pytest.mark.slow
@settings(deadline=None)
@given(ledgers)
def test_reading_and_writing_again_gives_the_same_text(ledger: Ledger) -> None:
    text = write_ledger(ledger)
    assert write_ledger(read_ledger(text.encode())) == text


@pytest.mark.slow
@settings(deadline=None)
@given(ledgers, st.randoms(use_true_random=False))
def test_the_order_of_keys_is_irrelevant(ledger: Ledger, random: Any) -> None:  # noqa: ANN401
    def shuffled(value: Any) -> Any:  # noqa: ANN401 (a JSON tree)
        if isinstance(value, dict):
            keys = random.sample(sorted(value), len(value))
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(entry) for entry in value] if isinstance(value, list) else value

    tree = json.loads(write_ledger(ledger))
    source = tree.pop("source", "")  # a mapping of the source keeps its order, so it stays
    again = shuffled(tree) | ({"source": source} if source else {})
    assert read_ledger(json.dumps(again).encode()) == ledger


@pytest.mark.slow
@settings(deadline=None)
@given(ledgers)
def test_ascii_escapes_and_white_space_are_irrelevant(ledger: Ledger) -> None:
    text = json.dumps(json.loads(write_ledger(ledger)), ensure_ascii=True, indent="\t")
    assert read_ledger(text.encode()) == ledger


@settings(deadline=None)
@given(st.decimals(0, 1000, places=6))
def test_a_json_number_and_its_text_in_quotes_are_the_same(value: object) -> None:
    bare, quoted = (
        b'{"mechanisms": [{"epsilon": %s}]}' % form.encode() for form in (f"{value}", f'"{value}"')
    )
    assert read_ledger(bare) == read_ledger(quoted)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_ledger_or_an_input_error(data: bytes) -> None:
    with contextlib.suppress(InputError):
        assert read_ledger(data).size >= 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["epsilon", "delta", "count", "label", "rho", "sigma", "basis", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["mechanisms", "claims", "source", "name", "y"]), json_values)
)
def test_any_json_object_is_a_ledger_or_an_input_error(tree: dict[str, object]) -> None:
    path = "$"
    try:
        read_ledger(json.dumps(tree).encode())
    except InputError as error:
        path = error.path
    assert path.startswith("$")


def test_the_written_json_can_be_compared_line_by_line() -> None:
    ledger = Ledger(
        (Mechanism("0.1", "1e-9", 3, "a"), Mechanism("ln(3/2)")),
        name="demo",
        target_delta=mpq(1, 10**6),
        claims=(Claim(ExactNumber.of(1), mpq(0), "composition", "the authors"),),
        source=(("title", "t"),),
        notes="n",
    )
    assert (
        write_ledger(ledger)
        == """{
  "format": "exactdp-ledger/1",
  "name": "demo",
  "neighbouring": "unspecified",
  "interaction": "adaptive",
  "mechanisms": [
    {"label": "a", "epsilon": "0.1", "delta": "1e-9", "count": 3},
    {"epsilon": "ln(3/2)"}
  ],
  "target_delta": "1e-6",
  "claims": [
    {"epsilon": "1", "delta": "0", "basis": "composition", "source": "the authors"}
  ],
  "source": {
    "title": "t"
  },
  "notes": "n"
}
"""
    )


def test_a_count_beyond_the_integers_of_a_double_is_written_as_a_string() -> None:
    text = write_ledger(Ledger.of([("1", 0, 2**53 - 1), ("1", 0, 2**53)]))
    assert '"count": 9007199254740991}' in text
    assert '"count": "9007199254740992"}' in text


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="format: xml: expected json or csv") as caught:
        write_ledger(Ledger.of([]), "xml")
    assert caught.value.field == "format"
    assert caught.value.expected.startswith("json or csv or dp-accounting")
