"""Shuffled batches with a remainder: all orders of small data sets against the curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import exp, log, pi, sqrt

import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import precision, upper_end
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import FixedSizeGaussianMechanism, RemainderGaussianMechanism
from exactdp.mechanisms.pairs import Curve
from exactdp.mechanisms.shuffled_epochs import ShuffledEpoch
from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.dots import Points
from exactdp.verifier.format.meter import metered
from exactdp.verifier.rules.remainder import Epoch, Height, curve_at
from tests.marking import each_case

STEP = 0.12
PLACES = np.arange(-6.6, 6.6, STEP)
FINE = mpq(1, 60)
Data = Sequence[tuple[float, float]]


def about(value: mpq | None) -> float:
    assert value is not None
    return int(value.numerator) / int(value.denominator)


def curve(batches: int, batch: int, records: int, relation: str) -> Callable[[float], float]:
    """H for noise of deviation 1."""
    mechanism = RemainderGaussianMechanism(1, batches, batch, records)
    ((pair, _),) = mechanism.pairs(relation)
    assert isinstance(pair, ShuffledEpoch)
    epoch = pair.on_mesh(FINE, mpq(1, 10**9))

    def value(y: float) -> float:
        with precision(200):
            return float(epoch.value_at(mpq(round(log(y) * 10**6), 10**6), "remove").upper())

    return value


def noise(mean: float) -> np.ndarray:
    found: np.ndarray = np.exp(-((PLACES - mean) ** 2) / 2) / sqrt(2 * pi)
    return found


def law(data: Data, batches: int, batch: int) -> np.ndarray:
    """The density of all answers of an epoch, each in the direction that its sum has alone.

    Both coordinates of a record count, one in each batch in turn: an adversary may look there.
    """
    total, orders = np.zeros((PLACES.size,) * batches), [*permutations(range(len(data)))]
    for order in orders:
        answers = [
            noise(sum(data[i][t % 2] for i in order[t * batch : (t + 1) * batch]))
            for t in range(batches)
        ]
        total = total + (answers[0] if batches == 1 else np.outer(*answers))
    return total / len(orders)


def revealed(p: np.ndarray, q: np.ndarray, y: float) -> float:
    return float(np.maximum(p - y * q, 0).sum() * STEP**p.ndim)


def data_sets(records: int) -> Iterator[Data]:
    """What others are: corners, and points of the disc."""
    for signs in product((-1.0, 1.0), repeat=records - 1):
        yield [(sign, sign) for sign in signs]
    random = np.random.default_rng(7)
    for _ in range(6):
        yield [(float(x), float(y)) for x, y in random.uniform(-1, 1, (records - 1, 2))]


@pytest.mark.slow
@each_case(
    "relation, plan",
    [
        (relation, plan)
        for relation in ("zero-out", "replace-one")
        for plan in ((2, 1, 3), (1, 2, 3), (2, 1, 4), (1, 1, 4))
    ],
)
def test_no_small_data_set_reveals_more_in_any_order(
    relation: str, plan: tuple[int, int, int]
) -> None:
    """The record is 1 in every batch; the data set of opposites comes near for y >= 1."""
    batches, batch, records = plan
    most = curve(*plan, relation)
    other = (0.0, 0.0) if relation == "zero-out" else (-1.0, -1.0)
    pairs = []
    for others in data_sets(records):
        laws = [law([own, *others], batches, batch) for own in ((1.0, 1.0), other)]
        pairs.append((laws[0], laws[1]))
    for y in (0.4, 0.8, 1.0, 1.5, 3.0):
        known, reverse = most(y), 1 - y + y * most(1 / y)
        found = [revealed(p, q, y) for p, q in pairs]
        back = [revealed(q, p, y) for p, q in pairs]
        assert max(found) <= known + 2e-4
        assert max(back) <= reverse + 2e-4
        if relation == "zero-out" and y >= 1:
            assert max(found) >= 0.97 * known


def test_an_adversary_who_chooses_each_step_does_no_better() -> None:
    """For each first answer the best of several second steps: two batches of one of three."""
    most = curve(2, 1, 3, "zero-out")
    values = (-1.0, 0.0, 1.0)
    for y in (1.0, 1.5, 2.0):
        best = 0.0
        for first in product((-1.0, 1.0), repeat=2):
            sums = np.zeros(PLACES.size)
            for second in product(values, repeat=3):
                laws = []
                for zeroed in (False, True):
                    one, two = (0.0 if zeroed else 1.0, *first), [*second]
                    two[0] = 0.0 if zeroed else two[0]
                    orders = [*permutations(range(3))]
                    laws.append(
                        sum(np.outer(noise(one[i]), noise(two[j])) for i, j, _ in orders) / 6
                    )
                reached = np.maximum(laws[0] - y * laws[1], 0).sum(axis=1) * STEP**2
                sums = np.maximum(sums, reached)
            best = max(best, float(sums.sum()))
        assert best <= most(y) + 2e-4


def test_what_is_lost_is_not_what_is_missing_from_the_mean() -> None:
    """At five digits the mean of what is left is no bound; the height is one all the same."""
    listed = range(-40, 81)
    height = Height(Fraction(1, 10), Fraction(0), Points(listed[0], ((1, listed[-1]),)), listed[0])
    epoch = Epoch(Fraction(1), 2, Fraction(1, 3), far=False)
    with metered(10**11):
        rough, fine = (
            curve_at(epoch, Fraction(0), height, digits, 100) / 2**100 for digits in (5, 25)
        )
    assert fine == pytest.approx(0.24525, abs=2e-3)
    assert rough >= fine


@each_case("y", [0.3, 0.9, 1.0, 1.5, 4.0])
def test_one_batch_is_one_of_a_fixed_size(y: float) -> None:
    ((pair, _),) = FixedSizeGaussianMechanism(1, 2, 10).pairs("zero-out")
    assert isinstance(pair, Curve)
    exact = float(pair.profile(arb(y).log()).mid())
    assert exact - 1e-9 <= curve(1, 2, 10, "zero-out")(y) <= exact + 2e-3


@each_case("y", [0.5, 2.0, 5.0])
def test_a_replaced_record_is_its_own_reverse(y: float) -> None:
    most = curve(2, 1, 3, "replace-one")
    assert most(y) == pytest.approx(1 - y + y * most(1 / y), abs=3e-3)


def test_the_curve_falls_with_the_noise_and_with_what_is_left_out() -> None:
    values = [curve(*plan, "zero-out")(1.5) for plan in ((2, 1, 3), (2, 1, 5), (2, 1, 50))]
    assert values == sorted(values, reverse=True)
    assert curve(2, 1, 3, "zero-out")(1.5) < curve(2, 1, 3, "replace-one")(1.5)


@pytest.mark.slow
@each_case("y, exact", [(0.7, 0.3013509), (1.0, 0.0879367), (1.5, 0.0148915), (3.0, 0.0017171)])
def test_an_epoch_of_many_batches_has_the_known_curve(y: float, exact: float) -> None:
    """By doubles, at half a unit: 60000 records, 234 batches of 256."""
    epoch = ShuffledEpoch(
        1 / mpq(11, 10) ** 2, 234, mpq(256, 60000), False, mpq(1, 50), mpq(1, 10**10)
    )
    with precision(200):
        found = float(epoch.value_at(mpq(round(log(y) * 10**6), 10**6), "remove").upper())
    assert found == pytest.approx(exact, rel=4e-3)


@pytest.mark.slow
@each_case(
    "y, doubles, most", [("1", "0.0879367", "0.088861325"), ("3/2", "0.0148915", "0.014977442")]
)
def test_the_curve_of_many_batches_is_below_that_of_a_rougher_mesh_in_integers(
    y: str, doubles: str, most: str
) -> None:
    """That is an upper end at two units; that by doubles is about one at half a unit."""
    epoch = ShuffledEpoch(
        1 / mpq(11, 10) ** 2, 234, mpq(256, 60000), False, mpq(1, 50), mpq(1, 10**10)
    )
    with precision(200):
        found = upper_end(epoch.value_at(mpq(round(log(Fraction(y)) * 10**6), 10**6), "remove"))
    assert mpq(doubles) * mpq(999, 1000) <= found <= mpq(most)


def certified(plan: tuple[str | int, ...], relation: str) -> None:
    """Both ends hold, and are in order."""
    sigma, *numbers = plan
    batches, batch, records, epochs = (*(int(each) for each in numbers), 1)[:4]
    entry = RemainderGaussianMechanism(sigma, batches, batch, records, epochs)
    answer = compose(Ledger((entry,), neighbouring=relation), delta="1e-2", tolerance="1e-1")
    assert 0 < about(answer.lower) <= about(answer.upper)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_both_ends_are_certified() -> None:
    certified(("1", 2, 1, 3), "zero-out")


@pytest.mark.slow
@each_case(
    "plan, relation",
    [(("1", 2, 1, 3, 2), "replace-one"), (("2", 5, 3, 16, 3), "zero-out")],
)
def test_both_ends_of_several_epochs_are_certified(
    plan: tuple[str | int, ...], relation: str
) -> None:
    certified(plan, relation)


def test_the_lower_end_is_that_of_all_orders() -> None:
    """Two batches of one of three records: 1, against opposites."""
    entry = RemainderGaussianMechanism(1, 2, 1, 3)
    ledger = Ledger((entry,), neighbouring="zero-out")
    lower = about(compose(ledger, delta="1e-2", tolerance="1e-1").lower)
    laws = [law([own, (-1.0, -1.0), (-1.0, -1.0)], 2, 1) for own in ((1.0, 1.0), (0.0, 0.0))]
    assert revealed(laws[0], laws[1], exp(lower)) >= 1e-2 - 1e-4
    assert revealed(laws[0], laws[1], exp(lower + 0.1)) < 1e-2


def test_a_claim_outside_the_ends_is_decided() -> None:
    ledger = Ledger((RemainderGaussianMechanism(1, 2, 1, 3),), neighbouring="zero-out")
    assert certify(ledger, epsilon="5/2", delta="1e-2").holds
    assert not certify(ledger, epsilon="1", delta="1e-2").holds


@each_case(
    "plan, relation, error, match",
    [
        ('"batches": 2, "batch": 1, "records": 2', "zero-out", DomainError, "leave no record out"),
        ('"batches": 2, "batch": 2, "records": 3', "zero-out", DomainError, "hold more than all"),
        (
            '"batches": 2, "batch": 1, "records": 3, "order": "persistent"',
            "zero-out",
            InputError,
            "shuffled anew",
        ),
        ('"batches": 2, "batch": 1', "zero-out", InputError, "records"),
        ('"batches": 2, "records": 3', "zero-out", InputError, "batch"),
        (
            '"batches": 2, "batch": 1, "records": 3',
            "add-remove-one",
            UnsupportedError,
            "zero",
        ),
    ],
)
def test_what_is_not_known_of_a_remainder_is_refused(
    plan: str, relation: str, error: type[Exception], match: str
) -> None:
    entry = f'{{"sigma": 1, "shuffled": {{{plan}}}}}'
    text = f'{{"neighbouring": "{relation}", "mechanisms": [{entry}]}}'
    with pytest.raises(error, match=match):
        read_ledger(text.encode())
