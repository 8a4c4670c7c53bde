"""Batches of a fixed size are hunted by one pair of their inputs: from below, and never above."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp import compose, verify
from exactdp.accountants import hunting
from exactdp.accountants.hunting import hunt, question_of
from exactdp.accountants.noise_hunting import (
    ADDED,
    BATCHES,
    BOUNDARY_CASES_OF_NOISE,
    KIND,
    REPLACED,
    Drawn,
    settings_of,
)
from exactdp.accountants.noise_lines import fixed_size_step
from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion
from exactdp.accountants.verdicts import Truth, judge
from exactdp.errors import UnsupportedError
from exactdp.mechanisms import (
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.pages.maintainers import issue_text
from exactdp.timing.reading import reading
from tests.accountants.asking import FAKE, QUICK, fake
from tests.cli.running import exactdp
from tests.cli.test_json_contract import VALIDATOR

CORNER = (((10, (1, 2), (1, 2)),), 5, BATCHES, KIND)
WHOLE = (((10, (1, 0), (1, 0)),), 5, BATCHES, KIND)
"""A batch of all records, of which the truth is quick to find."""


def _asked(noise: int = 10, rate: tuple[int, int] = (1, 2), count: int = 1) -> AccountantQuestion:
    return question_of((((noise, rate, (count, 0)),), 5, BATCHES, KIND))


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _least_delta(sigma: float, batch: int, records: list[int], other: list[int], e: float) -> float:
    """What every batch of two data sets adds up to, as the larger divergence of both directions."""
    sums = [[sum(chosen) for chosen in combinations(data, batch)] for data in (records, other)]
    step, found = 0.001, [0.0, 0.0]
    low, high = min(map(min, sums)) - 9 * sigma, max(map(max, sums)) + 9 * sigma
    for i in range(int((high - low) / step)):
        left = low + i * step
        one, two = (
            sum(_normal((left + step - s) / sigma) - _normal((left - s) / sigma) for s in each)
            / len(each)
            for each in sums
        )
        found[0] += max(0.0, one - math.exp(e) * two)
        found[1] += max(0.0, two - math.exp(e) * one)
    return max(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "rate", "batch"), [(10, (1, 1), 1), (8, (2, 1), 1), (10, (5, 1), 1), (20, (4, 1), 2)]
)
def test_the_reference_is_what_one_pair_of_data_sets_costs(
    noise: int, rate: tuple[int, int], batch: int
) -> None:
    """The batches are written out, and integrated on a mesh, which loses a little."""
    asked = _asked(noise, rate)
    sigma, drawn, examples = fixed_size_step(asked.ledger.mechanisms[0])
    assert (sigma, drawn) == (mpq(noise, 10), batch)
    found = compose(asked.ledger, delta="1e-5", tolerance="1e-6")
    assert found.lower_end is not None
    others = [-1] * (examples - 1)
    for apart, above in ((mpq(-1, 100), True), (mpq(1, 100), False)):
        epsilon = float(Fraction(str(found.lower_end + apart)))
        delta = _least_delta(noise / 10, batch, [-1, *others], [1, *others], epsilon)
        assert (delta > 1e-5) is above


@pytest.mark.parametrize(
    ("drawn", "claim", "outcome"),
    [
        (WHOLE, "4.7285", "unsound"),
        (WHOLE, "10", "undecided"),
        pytest.param(CORNER, "1.4825", "unsound", marks=pytest.mark.slow),
        pytest.param(CORNER, "7", "undecided", marks=pytest.mark.slow),
    ],
)
def test_an_answer_is_refuted_or_left_open_and_never_called_sound_or_too_large(
    drawn: Drawn, claim: str, outcome: str
) -> None:
    asked = question_of(drawn)
    verdict = judge(AccountantAnswer("answered", epsilon=mpq(claim)), Truth(asked, max_cost=10**9))
    assert verdict.outcome == outcome
    assert verdict.looseness is None
    assert verdict.accuses is (outcome == "unsound")
    if verdict.accuses:
        assert verdict.gap is not None
        assert verdict.gap > mpq("4.99")
        assert verdict.certificate is not None
        assert verify(verdict.certificate).status == "accepted"


def test_the_hunt_draws_batches_where_noise_is_hunted_or_alone() -> None:
    assert settings_of("ours", "noise") == (ADDED, REPLACED, BATCHES)
    assert settings_of("opacus", "parameters") == (ADDED, REPLACED, BATCHES)
    assert (settings_of("ours", "batches"), settings_of("ours", "parameters")) == ((BATCHES,), ())
    assert CORNER in BOUNDARY_CASES_OF_NOISE


@pytest.mark.slow
def test_batches_are_hunted_by_their_corner_first() -> None:
    hunted = hunt(fake("0.5"), seeds=[1], seconds=600, limits=QUICK, questions="batches")
    assert hunted.case is not None
    assert (hunted.case.question, hunted.questions) == (question_of(CORNER), 1)
    text = issue_text(hunted.case, "", "fake")
    assert "100 × (Gaussian noise with σ = 1 on batches of 1 of 100 records)" in text
    assert "differ by a record that is replaced" in text
    assert "one pair of inputs" in text


@pytest.mark.slow
def test_batches_are_drawn_and_an_accountant_above_the_pair_is_not_judged() -> None:
    ticks = iter(range(10**6))  # a question takes one second
    with reading(lambda: 10**9 * next(ticks)):
        hunted = hunt(fake("1e6"), seeds=[1], seconds=3, limits=QUICK, questions="batches")
    assert (hunted.case, hunted.judged) == (None, 0)
    assert hunted.questions > 1
    assert {*hunted.searched[0].outcomes} == {"undecided"}


def test_the_command_says_what_its_ledger_stands_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunting, "BOUNDARY_CASES_OF_NOISE", (WHOLE,))
    monkeypatch.chdir(tmp_path)
    words = ("--program", f"ours={sys.executable} -I {FAKE} 0.5", "--batches", "--time-limit", "60")
    shown = exactdp("hunt", *words)
    assert shown.code == 1
    assert "batches of a fixed size, where a record is replaced" in shown.out
    answer = exactdp("hunt", *words, "--output", "again", "--json")
    VALIDATOR.validate(answer.document)
    assert answer.result["found"]["fixed_size"] is True
    assert answer.result["found"]["neighbouring"] == "add-remove-one"


@pytest.mark.parametrize(
    "entry",
    [
        Mechanism("1"),
        LaplaceMechanism(2),
        GaussianMechanism(0),
        SampledMechanism(LaplaceMechanism(2), "1/4"),
    ],
)
def test_no_other_noise_is_told_as_that_of_batches(entry: Entry) -> None:
    with pytest.raises(UnsupportedError, match="Gaussian noise on batches"):
        fixed_size_step(entry)
