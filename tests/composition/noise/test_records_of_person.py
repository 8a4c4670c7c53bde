"""A person with several records in a sample: known values, and data sets against the curve."""

from __future__ import annotations

from itertools import product
from math import comb, erfc, sqrt

import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import (
    GaussianMechanism,
    PersonInSampleMechanism,
    SampledMechanism,
    person_in_sample,
)
from exactdp.mechanisms.records_of_person import PersonPair
from tests.marking import each_case

DELTA = "1e-5"
STEP = 1 / 50
MESH = np.arange(-450, 650) * STEP
THERE = "add-remove-one"


def about(value: mpq | None) -> float:
    assert value is not None
    return int(value.numerator) / int(value.denominator)


def noise(around: float) -> np.ndarray:
    """The density of noise of deviation 1, times the step of the mesh."""
    return np.asarray(np.exp(-((MESH - around) ** 2) / 2) / np.sqrt(2 * np.pi) * STEP)


def sampled_sum(values: tuple[float, ...], rate: float) -> np.ndarray:
    """The law of the sum of a sample of these, over all samples."""
    return np.asarray(
        sum(
            rate ** sum(taken)
            * (1 - rate) ** (len(values) - sum(taken))
            * noise(sum(v for v, t in zip(values, taken, strict=True) if t))
            for taken in product((0, 1), repeat=len(values))
        )
    )


def revealed(p: np.ndarray, q: np.ndarray, y: float) -> float:
    return float(np.maximum(p - y * q, 0).sum())


def curve(rate: mpq, records: int, y: float) -> float:
    return float(PersonPair(mpq(1), rate, records).profile(arb(y).log()).mid())


@each_case("records, rate", [(2, "1/10"), (3, "1/3"), (5, "1/100")])
def test_the_curve_is_that_of_the_best_threshold(records: int, rate: str) -> None:
    q = about(mpq(rate))

    def tail(z: float) -> float:
        return erfc(z / sqrt(2)) / 2

    weights = [comb(records, k) * q**k * (1 - q) ** (records - k) for k in range(records + 1)]
    for y in (0.05, 0.5, 1.0, 1.7, 20.0):
        cuts = (k / 200 for k in range(-2500, 2500))
        best = max(sum(w * tail(z - k) for k, w in enumerate(weights)) - y * tail(z) for z in cuts)
        found = curve(mpq(rate), records, y)
        assert best - 1e-12 <= found <= best + 1e-5


@each_case("values", product((-1.0, -0.4, 0.4, 1.0), repeat=3))
def test_no_records_of_norm_one_reveal_more_and_equal_ones_as_much(
    values: tuple[float, ...],
) -> None:
    p, q = sampled_sum(values, 0.3), sampled_sum((), 0.3)
    for y in (0.2, 0.5, 1.0, 2.0, 9.0):
        removed, added = revealed(p, q, y), revealed(q, p, y)
        most = curve(mpq(3, 10), 3, y), 1 - y + y * curve(mpq(3, 10), 3, 1 / y)
        assert removed <= most[0] + 1e-6
        assert added <= most[1] + 1e-6
        if len({*values}) == 1 and abs(values[0]) == 1:
            assert (removed, added) == pytest.approx(most, abs=1e-5)


def test_two_steps_are_composed_as_the_product_of_their_laws() -> None:
    p, q = (sampled_sum((1.0,) * 3, rate) for rate in (0.1, 0.0))
    both = np.outer(p, p).ravel(), np.outer(q, q).ravel()
    ledger = Ledger((PersonInSampleMechanism(1, "1/10", 3, 2),), neighbouring=THERE)
    answer = compose(ledger, delta="1/1000", tolerance="1e-4")
    assert answer.lower is not None
    below, above = (np.exp(about(end)) for end in (answer.lower, answer.upper))
    assert revealed(*both, float(below)) >= 1e-3 - 1e-6
    assert revealed(*both, float(above)) <= 1e-3 + 1e-6
    assert about(answer.upper) - about(answer.lower) < 1e-4


def test_one_record_is_a_sample_and_a_sample_of_all_moves_as_far_as_all_records() -> None:
    release = GaussianMechanism("1/2")
    assert person_in_sample(release, "1/9", 1, 4) == SampledMechanism(release, "1/9", 4)
    assert person_in_sample(release, 1, 3, 4, "x") == GaussianMechanism("3/2", 4, "x")
    text = '{"mechanisms": [{"mu": "1/2", "rate": 1, "records_per_person": 3}]}'
    assert read_ledger(text.encode()).mechanisms == (GaussianMechanism("3/2"),)


def test_more_records_reveal_more() -> None:
    ends = [
        compose(
            Ledger(
                (person_in_sample(GaussianMechanism(1), "1/50", records, 50),), neighbouring=THERE
            ),
            delta=DELTA,
            tolerance="1e-2",
        )
        for records in (1, 2, 4)
    ]
    assert about(ends[0].upper) < about(ends[1].lower)
    assert about(ends[1].upper) < about(ends[2].lower)


def test_a_claim_outside_the_ends_is_decided_where_a_person_is_zeroed_out_as_well() -> None:
    for relation in (THERE, "zero-out"):
        ledger = Ledger((PersonInSampleMechanism(1, "1/10", 3, 2),), neighbouring=relation)
        assert certify(ledger, epsilon="33/5", delta=DELTA).holds
        assert not certify(ledger, epsilon="6", delta=DELTA).holds


@each_case(
    "entry, relation, error, match",
    [
        ('"sigma": 1, "rate": 0.1', "replace-one", UnsupportedError, "--group"),
        ('"laplace": {"scale": 1}, "rate": 0.1', THERE, UnsupportedError, "Gaussian noise alone"),
        ('"sigma": 1', THERE, InputError, "rate"),
        ('"sigma": 1, "clip": 1, "rate": 0.1', THERE, UnsupportedError, "write sensitivity, 1"),
        (
            '"sigma": 1, "fixed_size": {"batch": 1, "records": 3}, "rate": 0.1',
            THERE,
            InputError,
            "one way in which",
        ),
    ],
)
def test_what_is_not_known_of_several_records_is_refused(
    entry: str, relation: str, error: type[Exception], match: str
) -> None:
    text = f'{{"neighbouring": "{relation}", "mechanisms": [{{{entry}, "records_per_person": 2}}]}}'
    with pytest.raises(error, match=match):
        read_ledger(text.encode())


def test_the_refusal_where_records_are_replaced_says_what_to_ask_instead() -> None:
    entry = PersonInSampleMechanism(1, "1/10", 3)
    with pytest.raises(UnsupportedError, match="of records that are replaced no tight bound") as it:
        Ledger((entry,), neighbouring="replace-one")
    assert "a group of 3 with --group" in it.value.remedy
