"""Noise on whole numbers: both ends of every family, against plain sums over all outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from flint import arb
from gmpy2 import mpq
from mpmath import mp  # type: ignore[import-untyped]

from exactdp.arithmetic.enclosures import lower_end, precision, upper_end
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import FAMILIES, Family, SampledMechanism, ShuffledGaussianMechanism
from exactdp.mechanisms.integers import OnIntegers
from exactdp.verifier import verify_bytes
from tests.composition.noise.test_clips import number
from tests.families import DIGITS, NOISE_ON_INTEGERS, Noise, real
from tests.marking import slow_after

Law = Sequence[tuple[Any, Any]]

NAMES: Final = [noise.key for noise in NOISE_ON_INTEGERS]
DELTA: Final = "1e-4"
TOLERANCE: Final = "1e-5"
RATE: Final = Fraction(1, 4)
FAR: Final = 60
"""Beyond this, and what the ends are off by, nothing matters of noise of the amount 2."""
AMOUNT: Final = 2


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(DIGITS):
        yield


def shifted(noise: Noise, *at: int) -> list[list[Any]]:
    """Noise around each of these, at the outputs from -FAR to FAR."""
    law = noise.law(Fraction(AMOUNT), 2 * FAR)
    return [law[FAR - each : 3 * FAR - each + 1] for each in at]


def pair_of(noise: Noise, shift: int) -> Law:
    """Outputs of one loss are one."""
    found: dict[str, tuple[Any, Any]] = {}
    for p, q in zip(*shifted(noise, 0, shift), strict=True):
        before = found.get(ratio := mp.nstr(p / q, 30), (0, 0))
        found[ratio] = before[0] + p, before[1] + q
    return [*found.values()]


def on_sample(noise: Noise) -> Law:
    """A record takes part, or is not there."""
    share = real(RATE)
    return [((1 - share) * q + share * p, q) for p, q in pair_of(noise, 1)]


def replaced(noise: Noise) -> Law:
    """A record contributes 1 to a sample, or -1."""
    share, listed = real(RATE), zip(*shifted(noise, 0, 1, -1), strict=True)
    return [((1 - share) * n + share * m, (1 - share) * n + share * o) for n, m, o in listed]


def convolved(*laws: Law) -> Law:
    """All outputs of several mechanisms, but for those that are far too unlikely to matter."""
    whole: Law = [(mp.mpf(1), mp.mpf(1))]
    for law in laws:
        made = ((p * r, q * s) for (p, q), (r, s) in product(whole, law))
        whole = [(p, q) for p, q in made if max(p, q) > mp.mpf(10) ** -13]
    return whole


def hockey_stick(law: Law, epsilon: Fraction) -> Any:  # noqa: ANN401 (mpmath)
    """The profile, in the direction in which it is greater."""
    odds = mp.exp(real(epsilon))
    both = ((max(p - odds * q, 0), max(q - odds * p, 0)) for p, q in law)
    return max(map(mp.fsum, zip(*both, strict=True)))


def exact(value: mpq) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


def check(entries: Sequence[Family], relation: str, law: Law) -> None:
    """See that both ends hold, are proved, and that both proofs are accepted."""
    ledger = Ledger(tuple(entries), neighbouring=relation)
    answer = compose(ledger, delta=DELTA, tolerance=TOLERANCE)
    assert answer.upper is not None
    assert answer.lower is not None
    assert answer.upper - answer.lower <= mpq(TOLERANCE)
    delta, slack = mp.mpf(DELTA), mp.mpf(10) ** -8
    assert hockey_stick(law, exact(answer.upper)) <= delta + slack
    assert hockey_stick(law, exact(answer.lower)) >= delta - slack
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_every_family_of_noise_on_whole_numbers_is_tried() -> None:
    listed = {family for family in FAMILIES if issubclass(family, OnIntegers)}
    assert {noise.family for noise in NOISE_ON_INTEGERS} == listed


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_one_mechanism_and_several_have_the_epsilon_of_their_convolution(noise: Noise) -> None:
    one, two = (pair_of(noise, shift) for shift in (1, 2))
    check([noise.made(AMOUNT)], "unspecified", one)
    check([noise.made(AMOUNT, 2)], "replace-one", two)
    check([noise.made(AMOUNT, 1, 2)], "add-remove-one", convolved(one, two))


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISE_ON_INTEGERS, ids=NAMES)
def test_three_mechanisms_have_the_epsilon_of_their_convolution(noise: Noise) -> None:
    one, two = (pair_of(noise, shift) for shift in (1, 2))
    entries = [noise.made(AMOUNT).times(2), noise.made(AMOUNT, 2)]
    check(entries, "unspecified", convolved(one, one, two))


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_samples_have_the_epsilon_of_their_mixtures(noise: Noise) -> None:
    law = on_sample(noise)
    check([SampledMechanism(noise.made(AMOUNT), RATE)], "add-remove-one", law)
    both = convolved(law, law)
    check([SampledMechanism(noise.made(AMOUNT), RATE, 2)], "add-remove-one", both)


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_samples_of_which_a_record_is_replaced_have_the_epsilon_of_their_mixtures(
    noise: Noise,
) -> None:
    law = replaced(noise)
    base = noise.made(AMOUNT)
    check([SampledMechanism(base, RATE, clip=1)], "replace-one", law)
    check([SampledMechanism(base, RATE, 2, clip=1)], "replace-one", convolved(law, law))


@pytest.mark.parametrize("noise", NOISE_ON_INTEGERS, ids=NAMES)
def test_a_profile_encloses_the_divergence(noise: Noise) -> None:
    ledger, law = Ledger((noise.made(AMOUNT),)), pair_of(noise, 1)
    epsilons = ("1/10", "1/4", "2/5")
    for point, epsilon in zip(profile(ledger, epsilon=epsilons), epsilons, strict=True):
        truth = float(hockey_stick(law, Fraction(epsilon)))
        assert number(point.lower) - 1e-12 <= truth <= number(point.upper) + 1e-12


@pytest.mark.parametrize("noise", slow_after(2, NOISE_ON_INTEGERS), ids=NAMES)
def test_the_expected_error_is_the_mean_of_the_size_of_the_noise(noise: Noise) -> None:
    for amount in (Fraction(1, 3), Fraction(AMOUNT), Fraction(10)):
        most = 3 * noise.reach(float(amount)) + 100
        law = noise.law(amount, most)
        truth = mp.fsum(abs(x - most) * mass for x, mass in enumerate(law))
        with precision(128):
            error = noise.made(amount).expected_error()
            assert isinstance(error, arb)
            low, high = (real(exact(end(error))) for end in (lower_end, upper_end))
        assert low - mp.mpf(10) ** -20 <= truth <= high + mp.mpf(10) ** -20
        assert high - low < mp.mpf(10) ** -15
    assert noise.made(AMOUNT, 1, 1).expected_error() is None


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISE_ON_INTEGERS, ids=NAMES)
def test_pairs_beside_batches_stand_in_the_order_of_the_statement(noise: Noise) -> None:
    entries = (noise.made(AMOUNT), ShuffledGaussianMechanism("1/2", 10))
    ledger = Ledger(entries, neighbouring="zero-out")
    answer = compose(ledger, delta=DELTA, tolerance="1e-2")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"
