"""Batches of a fixed size: known values, and all small data sets against the curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import erfc, exp, pi, sqrt

import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import FixedSizeGaussianMechanism, GaussianMechanism, SampledMechanism
from exactdp.mechanisms.pairs import Curve
from exactdp.verifier import verify_bytes
from tests.marking import each_case

DELTA = "1e-5"
STEP = 1 / 50
Law = list[float]


def about(value: mpq | None) -> float:
    assert value is not None
    return int(value.numerator) / int(value.denominator)


def drawn(batch: int, values: tuple[int, ...]) -> Law:
    """The density of the sum of a batch, with noise of deviation 1, over a mesh."""
    sums = [sum(chosen) for chosen in combinations(values, batch)]
    return [
        sum(exp(-((k * STEP - each) ** 2) / 2) for each in sums) / len(sums) / sqrt(2 * pi)
        for k in range(-450, 451)
    ]


def neighbours(records: int, *, zeroed: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All data sets of -1, 0 and 1 whose first record is another one in the second."""
    for others in product((-1, 0, 1), repeat=records - 1):
        for one, other in product((-1, 1), (0,) if zeroed else (-1, 1)):
            if one != other:
                yield (one, *others), (other, *others)


def revealed(p: Law, q: Law, y: float) -> float:
    return sum(max(0.0, a - y * b) for a, b in zip(p, q, strict=True)) * STEP


def curve(batch: int, records: int, relation: str) -> Callable[[float], float]:
    mechanism = FixedSizeGaussianMechanism(1, batch, records)
    ((pair, _),) = mechanism.pairs(relation)
    assert isinstance(pair, Curve)
    return lambda y: float(pair.profile(arb(y).log()).mid())


@each_case("relation, batch, records", product(("zero-out", "replace-one"), (1, 2), (3,)))
def test_no_small_data_set_reveals_more_and_some_reveal_as_much(
    relation: str, batch: int, records: int
) -> None:
    most = curve(batch, records, relation)
    pairs = [
        (drawn(batch, one), drawn(batch, other))
        for one, other in neighbours(records, zeroed=relation == "zero-out")
    ]
    for y in (0.3, 0.8, 1.0, 1.5, 4.0):
        found = max(revealed(p, q, y) for p, q in pairs)
        assert found == pytest.approx(most(y), abs=1e-4)


def test_the_curve_has_a_closed_form_on_either_side_of_one() -> None:
    """By Φ alone, at the thresholds of a search."""
    most, rate = curve(2, 10, "zero-out"), 0.2

    def tail(z: float) -> float:
        return erfc(z / sqrt(2)) / 2

    for y in (1.0, 2.0, 9.0):
        cuts = (k / 500 for k in range(-2500, 5000))
        found = max(
            (1 - rate) * (1 - y) * tail(z) + rate * (tail(z - 2) - y * tail(z - 1)) for z in cuts
        )
        assert found == pytest.approx(most(y), abs=1e-6)
    for y in (0.5, 0.9):
        cuts = (k / 500 for k in range(-2500, 5000))
        found = max(tail(z - 1) * (1 - (1 - rate) * y) - rate * y * tail(z) for z in cuts)
        assert found == pytest.approx(most(y), abs=1e-6)


@pytest.mark.slow
def test_the_reference_value_is_certified_at_both_ends() -> None:
    """By doubles: 11.796 and 12.062."""
    ledger = Ledger(
        (FixedSizeGaussianMechanism("11/10", 256, 60000, 14063),), neighbouring="zero-out"
    )
    answer = compose(ledger, delta=DELTA, tolerance="2e-2")
    assert mpq("11.785") <= mpq(answer.lower or 0) <= mpq("11.80")
    assert mpq("12.055") <= mpq(answer.upper or 99) <= mpq("12.07")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), max_cost=10**12).status == "accepted"


def test_a_replaced_record_is_a_poisson_sample_of_twice_the_reach() -> None:
    """For one step both ends are those of a sampled range-free Gaussian with μ = 2."""
    entry = FixedSizeGaussianMechanism(1, 1, 10)
    answer = compose(Ledger((entry,), neighbouring="replace-one"), delta=DELTA, tolerance="1e-2")
    sample = Ledger(
        (SampledMechanism(GaussianMechanism(2), "1/10"),), neighbouring="add-remove-one"
    )
    exact = about(compose(sample, delta=DELTA, tolerance="1e-6").upper)
    assert about(answer.lower) - 1e-6 <= exact <= about(answer.upper) + 1e-6
    assert about(answer.upper) - about(answer.lower) < 2e-2


def test_a_claim_outside_the_ends_is_decided() -> None:
    ledger = Ledger((FixedSizeGaussianMechanism(1, 2, 10, 2),), neighbouring="zero-out")
    assert certify(ledger, epsilon="11/2", delta=DELTA).holds
    assert not certify(ledger, epsilon="5", delta=DELTA).holds


@each_case(
    "entry, relation, error, match",
    [
        ('"fixed_size": {"batch": 1, "records": 3}', "add-remove-one", UnsupportedError, "zero"),
        (
            '"fixed_size": {"batch": 3, "records": 3}',
            "zero-out",
            InputError,
            "how many of them are drawn",
        ),
        ('"fixed_size": {"batch": 1}', "zero-out", InputError, "records"),
        (
            '"fixed_size": {"batch": 1, "records": 3}, "rate": 0.1',
            "zero-out",
            UnsupportedError,
            "rate",
        ),
    ],
)
def test_what_is_not_known_of_batches_of_a_fixed_size_is_refused(
    entry: str, relation: str, error: type[Exception], match: str
) -> None:
    text = f'{{"neighbouring": "{relation}", "mechanisms": [{{"sigma": 1, {entry}}}]}}'
    with pytest.raises(error, match=match):
        read_ledger(text.encode())
