"""Answers as a person reads them, and as other programs take them."""

from __future__ import annotations

import json
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest

import exactdp

WIDE = exactdp.compose([("0.1", "1e-9", 50)], delta="1e-6")
CLOSED = exactdp.compose([("ln(3)", 0, 2)], delta="1/10")
BASIC = exactdp.compose(["1"], delta=0)
INFEASIBLE = exactdp.compose([("1", "1/10", 2)], delta="18/100")


def decimals_of(answer: exactdp.Composition) -> tuple[Decimal, Decimal]:
    decimals = answer.decimals()
    assert decimals is not None
    return decimals


def test_a_composition_reads_as_a_sentence() -> None:
    assert str(BASIC) == "ε = 1 at δ = 0"
    assert str(INFEASIBLE) == "no finite ε is enough at δ = 0.18"
    assert str(CLOSED).startswith("ε = ln(37/5), ε ∈ [2.00148")
    assert str(WIDE) == "ε ∈ [3.1769223179, 3.1769223180] at δ = 1e-6"


def test_ends_are_decimals_and_fractions_of_the_same_value() -> None:
    fractions = WIDE.fractions()
    assert fractions is not None
    ends = zip(decimals_of(WIDE), fractions, (WIDE.lower, WIDE.upper), strict=True)
    for decimal, fraction, end in ends:
        assert isinstance(decimal, Decimal)
        assert isinstance(fraction, Fraction)
        assert Fraction(decimal) == fraction == end
    assert INFEASIBLE.decimals() is None
    assert INFEASIBLE.fractions() is None


@pytest.mark.parametrize("answer", [WIDE, CLOSED, BASIC, INFEASIBLE])
def test_an_answer_survives_json_without_loss(answer: exactdp.Composition) -> None:
    document = json.loads(json.dumps(answer.as_dict()))
    assert document == answer.as_dict()
    assert document["feasible"] == answer.feasible
    if answer.feasible:
        ends = tuple(Fraction(document[key]) for key in ("lower", "upper"))
        assert ends == answer.fractions()


def test_ends_survive_pickling() -> None:
    ends = (WIDE.lower, WIDE.decimals(), WIDE.fractions(), WIDE.as_dict())
    assert pickle.loads(pickle.dumps(ends)) == ends  # noqa: S301 (our own bytes)


def test_a_point_of_a_profile_reads_as_a_sentence() -> None:
    [point] = exactdp.profile([("0.1", 0, 10)], epsilon=["1/2"])
    assert str(point).endswith("at ε = 0.5")
    lower, upper = point.fractions()
    assert lower <= upper
    assert json.loads(json.dumps(point.as_dict()))["epsilon"] == "0.5"
    assert pickle.loads(pickle.dumps(point)) == point  # noqa: S301 (our own bytes)


def test_the_interval_of_a_sentence_contains_that_of_the_point() -> None:
    [point] = exactdp.profile([("0.1", "1e-9", 10)], epsilon=["1/3"])
    low, high = str(point).partition("[")[2].partition("]")[0].split(", ")
    assert Fraction(low) <= point.lower <= point.upper <= Fraction(high)


@pytest.mark.parametrize(
    ("epsilon", "sentence"),
    [
        ("1", "proved: ε = 1 at δ = 0; no smaller ε is enough"),
        ("2", "proved: ε = 2 at δ = 0"),
        ("1/2", "refuted: ε = 0.5 at δ = 0"),
    ],
)
def test_a_decision_reads_as_a_sentence(epsilon: str, sentence: str) -> None:
    decided = exactdp.certify(["1"], epsilon=epsilon, delta=0)
    assert str(decided) == sentence
    assert pickle.loads(pickle.dumps(decided)) == decided  # noqa: S301 (our own bytes)


def test_notebooks_show_tables_with_escaped_names() -> None:
    ledger = exactdp.Ledger((exactdp.Mechanism("1"),), name="<b>")
    page = exactdp.compose(ledger, delta=0)._repr_html_()
    assert page.startswith("<table><tr><th>ledger</th><td>&lt;b&gt;</td>")
    [point] = exactdp.profile(["1"], epsilon=["1"])
    decided = exactdp.certify(["1"], epsilon="1", delta=0)
    assert all(each._repr_html_().startswith("<table>") for each in (point, decided))
