"""Samples of which a record gives way to another: one curve, whichever record it is."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import precision
from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.mechanisms.bounded_range import BoundedRangePair
from exactdp.mechanisms.pairs import ReplaceOneEnvelope, SampledCurve
from exactdp.verifier import verify_bytes
from tests.marking import each_case

STEP = SampledMechanism(GaussianMechanism(1), "1/10", 5, clip=1)
Law = list[mpq]


def sampled(there: Law, without: Law, rate: mpq) -> Law:
    """The law of the answer with a record that takes part at the rate."""
    return [(1 - rate) * n + rate * m for m, n in zip(there, without, strict=True)]


def divergence(p: Law, q: Law, odds: mpq) -> mpq:
    """The profile at ``odds``, of all answers."""
    return sum((max(a - odds * b, mpq(0)) for a, b in zip(p, q, strict=True)), mpq(0))


def random_law(random: Random) -> Law:
    weights = [random.randint(1, 9) for _ in range(4)]
    return [mpq(weight, sum(weights)) for weight in weights]


@each_case("seed", range(50))
def test_a_record_that_gives_way_is_told_no_better_than_one_that_is_removed(seed: int) -> None:
    """Of any three laws, with the greatest profile among them: a sum over all answers judges."""
    random = Random(seed)  # noqa: S311 (repeatable on purpose)
    laws = [random_law(random) for _ in range(3)]
    rate, odds = mpq(random.randint(1, 9), 10), 1 + mpq(random.randint(0, 40), 10)
    own, other, without = laws
    found = divergence(sampled(own, without, rate), sampled(other, without, rate), odds)
    inner = (odds - 1 + rate) / rate
    assert found <= rate * max(divergence(p, q, inner) for p, q in permutations(laws, 2))


@pytest.mark.parametrize("rate", [mpq(1, 100), mpq(1, 2), mpq(99, 100)])
def test_the_curve_either_way_is_convex_falls_and_is_its_own_reverse(rate: mpq) -> None:
    curve = ReplaceOneEnvelope(SampledCurve(BoundedRangePair(mpq(1)), rate))
    with precision(200):
        odds = [arb(1) / 20 * k for k in range(1, 81)]
        values = [curve.profile(y.log()) for y in odds]
        slopes = [after - here for here, after in pairwise(values)]
        assert all(not slope > 0 for slope in slopes)
        assert all(not here > after for here, after in pairwise(slopes))
        for y in odds:
            reverse = 1 - y + y * curve.profile(-y.log())
            assert curve.profile(y.log()).overlaps(reverse)


def both_ends(ledger: Ledger) -> tuple[mpq, mpq]:
    """The ends at 1e-5, both with certificates that are accepted."""
    answer = compose(ledger, delta="1e-5", tolerance="1e-2")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), max_cost=10**13).status == "accepted"
    assert answer.lower_end is not None
    assert answer.upper_end is not None
    return answer.lower_end, answer.upper_end


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry",
    [
        STEP,
        SampledMechanism(LaplaceMechanism(1), "1/4", 3, clip=1),
        SampledMechanism(BoundedRangeMechanism(1), "1/4", 3),
    ],
    ids=repr,
)
def test_a_record_that_is_replaced_may_be_told_better_than_one_that_is_not(entry: Entry) -> None:
    replaced = both_ends(Ledger((entry,), neighbouring="replace-one"))
    removed = both_ends(Ledger((entry,), neighbouring="add-remove-one"))
    assert replaced[1] >= removed[0]
    assert removed[1] <= replaced[1] + mpq(1, 100)


@pytest.mark.slow
def test_sampled_and_shuffled_batches_compose_where_a_record_is_replaced() -> None:
    batches = ShuffledGaussianMechanism(2, 20)
    together = both_ends(Ledger((STEP, batches), neighbouring="replace-one"))
    for entry in (STEP, batches):
        alone = both_ends(Ledger((entry,), neighbouring="replace-one"))
        assert all(part <= whole + mpq(1, 100) for part, whole in zip(alone, together, strict=True))
