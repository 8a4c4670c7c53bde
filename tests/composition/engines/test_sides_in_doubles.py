"""Both sides in doubles say what whole numbers prove, and certificates prove what they say."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import Target, bracket_at, first_unit
from exactdp.composition.engines.mesh.sides_in_doubles import LowerSide, UpperSide
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    SampledMechanism,
)
from exactdp.verification import verify
from tests.marking import slow_after

HALF = mpq(1, 2)


def steps(sigma: str, rate: str, count: int) -> SampledMechanism:
    """Steps of DP-SGD."""
    return SampledMechanism(GaussianMechanism.of_noise(sigma=sigma, sensitivity=1), rate, count)


MIXED: dict[str, tuple[Entry, ...]] = {
    "sampled": (steps("1", "1/50", 200),),
    "two rates": (steps("1", "1/50", 77), steps("3/2", "1/10", 30)),
    "few, without noise to speak of": (steps("1/2", "1/4", 5), LaplaceMechanism(1, 1, 4)),
    "sampled Laplace": (SampledMechanism(LaplaceMechanism(1), "1/20", 300),),
    "discrete": (DiscreteGaussianMechanism("100", (1,), 60), steps("2", "1/10", 40)),
    "very many": (steps("2", "1/2000", 10**6),),
}
DELTAS = (mpq(1, 10**5), mpq(1, 10**12), mpq(1, 5))


@pytest.mark.parametrize("name", slow_after(1, MIXED))
def test_doubles_and_whole_numbers_agree_on_each_side(name: str) -> None:
    laws = DominatingPairs(Subject.of(Ledger(MIXED[name])))
    tolerance = mpq(1, 200)
    unit, seen = first_unit(laws, HALF, tolerance), 0
    for delta in DELTAS[:1] if name == "very many" else DELTAS:
        bracket = bracket_at(laws, Target(delta, tolerance), unit, HALF)
        least = max(side.least_epsilon(delta) or mpq(0) for side in bracket.above)
        point = ExactNumber(least)
        for side in bracket.above:
            if isinstance(side, UpperSide):
                assert abs(side.divergence(point) - side.exact.divergence(point)) <= delta / 20
                seen += 1
        low, _ = bracket.below.divergence(point)
        assert low <= max(side.divergence(point) for side in bracket.above)
        if isinstance(bracket.below, LowerSide):
            assert abs(low - bracket.below.exact.divergence(point)[0]) <= delta / 20
    assert seen


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MIXED.keys() - {"very many"}))
def test_certificates_prove_the_ends_that_doubles_found(name: str) -> None:
    for delta in ("1e-5", "1e-9"):
        found = compose(Ledger(MIXED[name]), delta=delta, tolerance="1/100")
        for certificate in (found.upper_certificate(), found.lower_certificate()):
            assert certificate is not None
            assert verify(certificate.to_bytes()).status == "accepted"
        assert found.complete


def test_many_points_of_a_profile_share_what_was_composed() -> None:
    ledger = Ledger(MIXED["sampled"])
    points = [f"{i}/8" for i in range(4, 14)]
    found = profile(ledger, epsilon=points, tolerance="1/100")
    for each in found:
        assert 0 < each.lower <= each.upper <= each.lower * mpq(101, 100)
    falling = [each.upper for each in found]
    assert falling == sorted(falling, reverse=True)
