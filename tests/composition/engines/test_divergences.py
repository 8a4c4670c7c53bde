"""What is known by ρ or by Rényi divergences, as a curve beside all other mechanisms."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import exp, expm1, log, log1p
from random import Random

import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import precision
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.engines.mesh.divergences import ByOrders, hull
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic import dots
from tests.marking import each_case

RHO = ConcentratedMechanism("1/20", 2)
LISTED = RenyiMechanism([["2", "1/50"], ["8", "1/10"], ["32", "1/2"]])
STEP = SampledMechanism(GaussianMechanism(1), "1/10", 5)
FAMILIES: tuple[Entry, ...] = (
    RHO,
    LISTED,
    Mechanism("1/3", "1e-7"),
    GaussianMechanism("1/3"),
    LaplaceMechanism(3, 1, 2),
    DiscreteLaplaceMechanism(3, (1, 2)),
    DiscreteGaussianMechanism(4, (1,)),
    BoundedRangeMechanism("1/3"),
    PairMechanism(["1/4", "3/4"], ["1/2", "1/2"]),
    STEP,
    SampledMechanism(LaplaceMechanism(1), "1/10"),
    ShuffledGaussianMechanism(2, 20, 2),
)
PAIRS = list(combinations(FAMILIES, 2))


def are_composed(entries: tuple[Entry, ...]) -> None:
    """See that both ends are certified, and in order."""
    answer = compose(Ledger(entries), delta="1e-5", tolerance="1e-2")
    assert answer.upper is not None
    assert answer.lower is not None
    assert 0 < answer.lower <= answer.upper
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("entry", [RHO, LISTED, BoundedRangeMechanism("1/3")], ids=repr)
def test_a_one_sided_table_whose_divergence_is_infinite_composes_by_its_profile(
    entry: Entry,
) -> None:
    ledger = Ledger((entry, PairMechanism(["1/100", "99/100"], ["0", "1"])))
    answer = compose(ledger, delta="1/50", tolerance="1e-2")
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"
    assert answer.upper is not None
    [point] = profile(ledger, epsilon=[answer.upper], tolerance="1e-2")
    assert point.upper <= mpq(1, 50) * mpq(11, 10)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if {RHO, LISTED} & {*pair}], ids=repr)
def test_divergences_compose_with_every_family(pair: tuple[Entry, ...]) -> None:
    are_composed(pair)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if not {RHO, LISTED} & {*pair}], ids=repr)
def test_all_families_compose_with_each_other(pair: tuple[Entry, ...]) -> None:
    are_composed(pair)


@pytest.mark.slow
def test_all_families_compose_at_once() -> None:
    are_composed(FAMILIES)


@pytest.mark.slow
def test_divergences_are_added_up_before_they_are_converted() -> None:
    one, many = (
        compose([ConcentratedMechanism(f"1/{10 * n}", n), STEP], delta="1e-5", tolerance="1e-2")
        for n in (1, 100)
    )
    assert one.upper == many.upper


@pytest.mark.slow
def test_beside_sampled_mechanisms_profiles_and_claims_are_certified() -> None:
    listed = Ledger((RHO, STEP, LISTED))
    answer = compose(listed, delta="1e-5", tolerance="1e-2")
    assert answer.upper is not None
    assert answer.lower is not None
    assert certify(listed, epsilon=str(answer.upper + mpq("0.02")), delta="1e-5").holds
    assert not certify(listed, epsilon=str(answer.lower - mpq("0.02")), delta="1e-5").holds
    [point] = profile(listed, epsilon=["1"])
    assert 0 < point.lower < point.upper < 1
    assert point.method == "mesh-upper"


@pytest.mark.slow
def test_the_better_of_a_curve_and_of_one_order_is_shown() -> None:
    beside = [ConcentratedMechanism("1/8"), LaplaceMechanism(10, 1, 100)]
    by_curve = compose(beside, delta="1e-6", tolerance="1e-2")
    assert by_curve.upper is not None
    assert by_curve.upper < mpq("5.61")  # Rényi divergences alone: 5.736
    alone = compose([LISTED, LaplaceMechanism(2, 1, 3)], delta="1e-6")
    certificate = alone.upper_certificate()
    assert certificate is not None
    assert certificate.rule == "moments"


def test_a_loss_beyond_a_thousand_leaves_what_one_order_gives() -> None:
    sharp = RenyiMechanism([["2", "5000"]])
    answer = compose([sharp, LaplaceMechanism(2)], delta="1e-6", tolerance="1e-2")
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert certificate.rule == "moments"
    [point] = profile(Ledger((sharp, LaplaceMechanism(2))), epsilon=["1/4"])
    assert 0 < point.lower <= point.upper <= 1


# --- the curve, against its definition ----------------------------------------------------------


def converted(rho: float, loss: float) -> float:
    """The least of e^{(α-1)(αρ - l)}·(1 - 1/α)^α/(α - 1) over a dense grid of orders."""
    orders = (1 + 1.01**j / 1000 for j in range(1500))
    logs = ((a - 1) * (a * rho - loss) + a * log1p(-1 / a) - log(a - 1) for a in orders)
    return exp(min(0.0, *logs))


@pytest.mark.parametrize("rho", ["1/1000", "1/8", "2", "20"])
def test_the_orders_that_are_looked_at_come_near_the_best(rho: str) -> None:
    curve, size = ByOrders.of(mpq(rho), ()), float(mpq(rho).numerator) / int(mpq(rho).denominator)
    with precision(100):
        for loss in (size, size + 2 * size**0.5, size + 5 * size**0.5):
            found = float(curve.profile(arb(loss)))
            assert 0.999 * converted(size, loss) <= found <= 1.05 * converted(size, loss)


def of_the_hull(odds: list[float], values: list[float], at: int) -> float:
    """The least chord at a point, over all pairs of points, (0, 1) among them."""
    points = list(zip([0.0, *odds], [1.0, *values], strict=True))
    here = points[at + 1]
    chords = [
        left[1] + (right[1] - left[1]) * (here[0] - left[0]) / (right[0] - left[0])
        for left, right in combinations(points, 2)
        if left[0] <= here[0] <= right[0]
    ]
    return min(here[1], *chords)


def drawn_values(seed: int) -> list[float]:
    """Values that fall, in whatever way they bend."""
    random = Random(seed)  # noqa: S311 (repeatable on purpose)
    return sorted((random.random() for _ in range(21)), reverse=True)


@each_case("seed", range(20))
def test_the_weights_are_those_of_the_lower_hull_in_engine_and_verifier(seed: int) -> None:
    values, unit = drawn_values(seed), 0.25
    losses = list(range(-10, 11))
    odds = [exp(j * unit) for j in losses]
    with precision(200):
        listed = [(j, arb(value)) for j, value in zip(losses, values, strict=True)]
        engine = {j: float(weight) for j, weight in hull(listed, lambda j: arb(j) / 4)}
    mesh = dots.Mesh(Fraction(1, 4), 20, 160)
    scaled = [int(value * 2**60) << 100 for value in values]
    checked = dots.hull(scaled, dots.Points(-10, ((1, 10),)), mesh)
    for weights in (engine, {j: weight / 10**20 for j, weight in checked.items()}):
        assert min(weights.values()) >= 0
        lost = 1 - sum(weights.values())
        for at, here in enumerate(losses):
            above = (-w * expm1((here - j) * unit) for j, w in weights.items() if j > here)
            assert abs(lost + sum(above) - of_the_hull(odds, values, at)) < 1e-12
