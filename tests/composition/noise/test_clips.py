"""Noise on sampled sums, where one record gives way to another: judged by plain sums and integrals.

Nothing here is read off the engine's formulas: a law is a list of probabilities, or of values of a
density, and a profile is the sum of what is positive of P - y·Q.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from math import erfc, exp, log, pi, sqrt
from typing import Final

import pytest
from flint import arb, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import precision
from exactdp.arithmetic.numbers import Number
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    Sampleable,
    SampledMechanism,
)
from exactdp.mechanisms.pairs import Cut
from exactdp.verifier import verify_bytes
from exactdp.verifier.rules.curves import Cut as VerifiedCut
from exactdp.verifier.rules.ledger import Ledger as VerifiedLedger
from exactdp.verifier.rules.noise import dominating

Law = list[float]
REPLACE: Final = "replace-one"
RATES: Final = (mpq(1, 100), mpq(9, 10))
ODDS: Final = (0.25, 0.9, 1.0, 1.05, 1.5, 3.0, 20.0)
STEP: Final = 1 / 128
CLOSE: Final = 2e-5
"""What a sum in such steps is off by at most."""


def number(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


def hockey_stick(p: Law, q: Law, odds: float) -> float:
    return sum(max(0.0, a - odds * b) for a, b in zip(p, q, strict=True))


def continuous(base: Sampleable) -> list[tuple[float, float, float]]:
    """M, N and M' in each of many small steps; Gaussian noise has the deviation 1."""
    if isinstance(base, GaussianMechanism):
        reach, wide = number(base.mu), 1.0
    else:
        assert isinstance(base, LaplaceMechanism)
        reach, wide = number(base.sensitivity), number(base.scale)

    def density(x: float) -> float:
        if isinstance(base, GaussianMechanism):
            return STEP * exp(-x * x / 2) / sqrt(2 * pi)
        return STEP * exp(-abs(x) / wide) / (2 * wide)

    most = reach + 14 * wide
    middles = ((k + 0.5) * STEP - most for k in range(int(2 * most / STEP)))
    return [(density(x - reach), density(x), density(x + reach)) for x in middles]


def mixed(three: list[tuple[float, float, float]], rate: mpq) -> tuple[Law, Law]:
    """Both laws of the pair."""
    q = number(rate)
    return [(1 - q) * n + q * m for m, n, _ in three], [(1 - q) * n + q * m for _, n, m in three]


CONTINUOUS: Final = (
    GaussianMechanism(1),
    GaussianMechanism("1/3"),
    GaussianMechanism(3),
    LaplaceMechanism(2, 1),
    LaplaceMechanism(1, 3),
)


def pair_of(base: Sampleable, rate: mpq, clip: Number | None) -> tuple[Cut, VerifiedCut]:
    """The curve of the engine, and that of the verifier."""
    entry = SampledMechanism(base, rate, clip=clip)
    subject = Subject.of(Ledger((entry,), neighbouring=REPLACE))
    [(own, _)] = DominatingPairs(subject).known()
    verified = VerifiedLedger.read(subject.document()).among(REPLACE)  # type: ignore[arg-type]
    [(other, _)] = dominating(verified, 64)
    assert isinstance(own, Cut)
    assert isinstance(other, VerifiedCut)
    return own, other


@pytest.mark.parametrize(
    "base",
    [
        CONTINUOUS[0],
        *(pytest.param(each, marks=pytest.mark.slow) for each in CONTINUOUS[1:4]),
        CONTINUOUS[4],
    ],
    ids=repr,
)
def test_the_curve_of_continuous_noise_is_that_of_its_two_laws(base: Sampleable) -> None:
    """In the engine as in the verifier, of which the outputs above a cut have it as well."""
    clip = base.mu if isinstance(base, GaussianMechanism) else getattr(base, "sensitivity", None)
    three, bits = continuous(base), 200
    for rate in RATES:
        p, q = mixed(three, rate)
        own, verified = pair_of(base, rate, clip)
        for odds in ODDS:
            judged = hockey_stick(p, q, odds)
            with precision(bits):
                loss = arb(odds).log()
                assert abs(float(own.profile(loss)) - judged) < CLOSE
                ends = (loss * 2**bits).unique_fmpz() or int(float(loss) * 2**60) << bits - 60
                low, high = verified.at((int(ends), int(ends) + 1), bits)
                assert low <= high
                assert high - low < 2 ** (bits // 2)
                assert low - 1 <= float(own.profile(loss)) * 2**bits * (1 + 1e-12)
                assert abs(low / 2**bits - judged) < CLOSE
                above, below = verified.tails(verified.cut((int(ends), int(ends) + 1), bits), bits)
                assert abs((above[0] - odds * below[0]) / 2**bits - judged) < CLOSE


# --- noise on integers, and data sets -------------------------------------------------------------


def noise(base: Sampleable, most: int) -> Law:
    """The probabilities from -most to most, all that lies beyond at the ends."""
    if isinstance(base, DiscreteLaplaceMechanism):
        x = exp(-1 / number(base.scale))
        inside = [(1 - x) / (1 + x) * x ** abs(k) for k in range(-most, most + 1)]
        inside[0] = inside[-1] = x**most / (1 + x)
        return inside
    assert isinstance(base, DiscreteGaussianMechanism)
    terms = [exp(-k * k / 2 / number(base.variance)) for k in range(-most, most + 1)]
    return [term / sum(terms) for term in terms]


MOST: Final = 40
"""The greatest answer: sums are small beside it."""

FAR: Final = 1e-8
"""What is beyond that weighs at most."""


def shifted(law: Law, by: int) -> Law:
    """Noise around ``by``; what passes the greatest answer stays there."""
    found = [0.0] * len(law)
    for place, weight in enumerate(law):
        found[min(max(place + by, 0), len(law) - 1)] += weight
    return found


def answers(base: Sampleable, records: tuple[int, ...], rate: float) -> Law:
    """The law of the noisy sum of a sample of these records: over all samples."""
    law, found = noise(base, MOST), [0.0] * (2 * MOST + 1)
    for size in range(len(records) + 1):
        chance = rate**size * (1 - rate) ** (len(records) - size)
        for total, times in Counter(map(sum, combinations(records, size))).items():
            for place, weight in enumerate(shifted(law, total)):
                found[place] += chance * times * weight
    return found


ON_INTEGERS: Final = (
    (DiscreteLaplaceMechanism(2, (1,)), 1),
    (DiscreteLaplaceMechanism(1, (2,)), 2),
    (DiscreteGaussianMechanism(2, (1,)), 1),
    (DiscreteGaussianMechanism(4, (2,)), 2),
)


@pytest.mark.parametrize(("base", "clip"), ON_INTEGERS, ids=repr)
@pytest.mark.parametrize(
    "rate", [mpq(1, 10), pytest.param(mpq(3, 4), marks=pytest.mark.slow)], ids=str
)
def test_no_small_data_set_is_told_from_its_neighbour_better_than_the_upper_end_says(
    base: Sampleable, clip: int, rate: mpq
) -> None:
    """Over all records of norm at most C, with up to two others; one such pair attains the ends."""
    step, epsilons = SampledMechanism(base, rate, clip=clip), ("1/10", "1/2", "1")
    ledger = Ledger((step,), neighbouring=REPLACE)
    points = profile(ledger, epsilon=epsilons, tolerance="1e-4")
    values = range(-clip, clip + 1)
    others = [(), (clip,), (-clip, clip), (clip, clip)]
    laws = {
        (each, rest): answers(base, (each, *rest), number(rate))
        for rest in others
        for each in values
    }
    for point, epsilon in zip(points, epsilons, strict=True):
        odds = exp(number(mpq(epsilon)))
        worst = max(
            hockey_stick(laws[own, rest], laws[other, rest], odds)
            for rest in others
            for own, other in product(values, values)
        )
        attained = hockey_stick(laws[clip, ()], laws[-clip, ()], odds)
        assert worst <= number(point.upper) + FAR
        assert number(point.lower) - FAR <= attained <= worst + 1e-12


@pytest.mark.parametrize(("base", "clip"), ON_INTEGERS[1::2], ids=repr)
def test_two_steps_on_integers_compose_to_the_sum_over_all_pairs_of_answers(
    base: Sampleable, clip: int
) -> None:
    rate = mpq(1, 4)
    step = SampledMechanism(base, rate, 2, clip=clip)
    [point] = profile(Ledger((step,), neighbouring=REPLACE), epsilon=["1"], tolerance="1e-3")
    p, q = (answers(base, (each,), number(rate)) for each in (clip, -clip))
    both = [[a * b for a in law for b in law] for law in (p, q)]
    judged = hockey_stick(both[0], both[1], exp(1.0))
    assert number(point.lower) - FAR <= judged <= number(point.upper) + FAR


# --- compositions ---------------------------------------------------------------------------------


def convolved(mu: float, rate: float, times: int, epsilon: float) -> float:
    """About δ(ε) of so many steps: losses rounded to the nearest multiple of a fine mesh."""
    mesh, digits, cells = 1 / 400, 10**18, Counter[int]()
    middle = exp(-mu * mu / 2)

    def beyond(x: float) -> float:
        return erfc(x / sqrt(2)) / 2

    edges = [k / 500 - 9 for k in range(9001)]
    for low, high in pairwise(edges):
        x = (low + high) / 2
        loss = log(
            (1 - rate + rate * middle * exp(mu * x)) / (1 - rate + rate * middle * exp(-mu * x))
        )
        weight = (1 - rate) * (beyond(low) - beyond(high))
        weight += rate * (beyond(low - mu) - beyond(high - mu))
        cells[round(loss / mesh)] += int(weight * digits)
    first, scale = min(cells), 10**18
    one = fmpz_poly([cells[j] for j in range(first, max(cells) + 1)])
    power = fmpz_poly([scale])
    for bit in f"{times:b}":
        power = power * power // scale
        power = power * one // scale if bit == "1" else power
    places = enumerate(power.coeffs(), first * times)
    return sum(
        int(weight) / scale * (1 - exp(epsilon - place * mesh))
        for place, weight in places
        if place * mesh > epsilon
    )


@pytest.fixture(scope="module")
def hundred() -> Ledger:
    """A hundred steps, σ = C = 1 at the rate 1/100."""
    step = SampledMechanism(GaussianMechanism(1), "1/100", 100, clip=1)
    return Ledger((step,), neighbouring=REPLACE)


@pytest.mark.slow
def test_a_hundred_steps_of_which_a_record_is_replaced_have_the_epsilon_of_the_pair(
    hundred: Ledger,
) -> None:
    """0.8951 at δ = 1e-5: group privacy of the removal proves 1.758 alone."""
    answer = compose(hundred, delta="1e-5", tolerance="1e-3")
    assert answer.lower_end is not None
    assert answer.upper_end is not None
    assert answer.lower_end <= mpq(8951, 10**4) <= answer.upper_end
    assert answer.upper_end - answer.lower_end <= mpq(1, 1000)
    assert convolved(1, 0.01, 100, number(answer.lower_end) - 1e-3) > 1e-5
    assert convolved(1, 0.01, 100, number(answer.upper_end) + 1e-3) < 1e-5
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), max_cost=10**13).status == "accepted"


EVERY: Final = (
    (GaussianMechanism(1), 1),
    (LaplaceMechanism(2, 1), 1),
    (DiscreteLaplaceMechanism(2, (2,)), 2),
    (DiscreteGaussianMechanism(4, (2,)), 2),
)


@pytest.mark.slow
@pytest.mark.parametrize(("base", "clip"), EVERY, ids=repr)
@pytest.mark.parametrize(
    "rate", [mpq(1, 20), pytest.param(mpq(2, 3), marks=pytest.mark.slow)], ids=str
)
def test_a_replacement_is_told_at_least_as_well_as_a_removal_and_at_most_as_group_privacy_says(
    base: Sampleable, clip: int, rate: mpq
) -> None:
    """Of three steps: δ(ε) ≤ δ₁(ε/2)·(1 + e^{ε/2}), which two removals have together."""
    step = SampledMechanism(base, rate, 3, clip=clip)
    found = {
        relation: profile(
            Ledger((step,), neighbouring=relation), epsilon=["1/2", "1"], tolerance="1e-3"
        )
        for relation in (REPLACE, "add-remove-one")
    }
    own, removed = found[REPLACE][1], found["add-remove-one"]
    assert own.upper >= removed[1].lower
    assert number(own.lower) <= number(removed[0].upper) * (1 + exp(0.5))
    assert number(own.upper) <= number(removed[0].upper) * (1 + exp(0.5)) * 1.01


@pytest.mark.parametrize(("base", "clip"), EVERY, ids=repr)
@pytest.mark.parametrize("relation", ["add-remove-one", REPLACE])
def test_a_clip_is_a_sensitivity_but_for_records_that_are_replaced(
    base: Sampleable, clip: int, relation: str
) -> None:
    step = SampledMechanism(base, "1/4", clip=clip)
    assert (step.between(relation) == SampledMechanism(base, "1/4")) is (relation != REPLACE)
    [written] = Subject.of(Ledger((step,), neighbouring=relation)).entries()
    assert ("clip" in written) is (relation == REPLACE)


@pytest.mark.slow
@pytest.mark.parametrize(("base", "clip"), EVERY, ids=repr)
def test_certificates_of_replaced_records_are_accepted_and_name_the_clip(
    base: Sampleable, clip: int
) -> None:
    step = SampledMechanism(base, "1/4", 3, clip=clip)
    answer = compose(Ledger((step,), neighbouring=REPLACE), delta="1e-4", tolerance="1e-2")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert b'"clip":' in certificate.to_bytes()
        assert verify_bytes(certificate.to_bytes(), max_cost=10**13).status == "accepted"
        removed = certificate.to_bytes().replace(b"replace-one", b"add-remove-one")
        assert verify_bytes(removed, max_cost=10**13).status == "rejected"
