"""Laws in doubles dominate true ones, or are dominated, on every mesh and for both directions."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import isfinite
from random import Random

import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.doubles import Enclosures
from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.composition.engines.mesh.cells import LossMesh, Points, connect_the_dots_of_curve
from exactdp.composition.engines.mesh.laws_in_doubles import dominating_law, scored_laws
from exactdp.composition.engines.mesh.tilted import MeshLaw
from exactdp.mechanisms.gaussian import GaussianPair
from exactdp.mechanisms.pairs import Cut, Direction
from tests.marking import each_case

BITS = 800
ROUNDED = 1 + mpq(1, 2**49)
"""More than what each weight may err by."""


def drawn(seed: int) -> tuple[Cut, Points, mpq, Direction]:
    """Gaussian noise, on a sample or not, or replacing; and points that may miss most of it."""
    random = Random(seed)  # noqa: S311 (examples)
    base = GaussianPair(mpq(random.choice([1, 3, 9, 100]), random.choice([1, 4, 400, 10**4])))
    rate = random.choice([None, mpq(1, 2), mpq(1, 10), mpq(1, 1000), mpq(1, 10**6), mpq(999, 1000)])
    law = base if rate is None else base.on_sample(rate)
    if rate is not None and seed % 3 == 0:
        law = base.replaced(rate)
    assert isinstance(law, Cut)
    steps = sorted(random.sample([1, 2, 3, 8, 32], random.randint(1, 3)))
    sections, last = [], first = [], -random.randint(0, 200)
    for step in steps:
        last += step * random.randint(2, 40)
        sections.append((step, last))
    unit = mpq(1, random.choice([7, 50, 1415, 10**5]))
    return law, Points(first, tuple(sections)), unit, random.choice(["remove", "add"])


def divergence(law: MeshLaw, unit: mpq, point: mpq) -> arb:
    """The mean of max(0, 1 - e^{point - L}), with what is at infinity."""
    total = ball_of_rational(1 - law.total)
    for j, weight in zip(law.cells.tolist(), law.weights.tolist(), strict=True):
        if j * unit > point:
            total -= arb(weight) * ball_of_rational(point - j * unit).expm1()
    return total


def check_dominating(seed: int) -> None:
    law, points, unit, direction = drawn(seed)
    found = dominating_law(law, points, unit, direction, 1)
    with precision(BITS):
        assert abs(
            sum(map(arb, found.weights.tolist()), arb(0)) - ball_of_rational(found.total)
        ) < (2.0**-49)
        dots = connect_the_dots_of_curve(law, points, LossMesh(unit, 40), direction)
        for at in range(points.first - 5, points.last + 5, max(1, points.length // 60)):
            for point in (at * unit, (2 * at + 1) * unit / 2):
                said = divergence(found, unit, point) * ball_of_rational(ROUNDED)
                assert not said < law.value_at(point, direction)
                least = sum(
                    (
                        -w * ball_of_rational(point - j * unit).expm1()
                        for j, w in dots
                        if j * unit > point
                    ),
                    1 - sum((w for _, w in dots), arb(0)),
                )
                assert said <= least + 1e-9


def check_scores(seed: int) -> None:
    law, points, unit, direction = drawn(seed)
    p, q = scored_laws(law, points, unit, direction, 1)
    assert p.total == q.total == 1
    with precision(BITS):
        listed = points.listed()
        of_p, of_q = (
            list(accumulate(map(arb, reversed(each.weights.tolist())))) for each in (p, q)
        )
        for at, cut in enumerate(reversed(cuts_between(law, listed, unit, direction))):
            above = law.tails(arb(cut)) if isfinite(cut) else (arb(1), arb(1))
            true = (1 - above[1], 1 - above[0]) if direction == "add" else above
            assert not of_p[at] > true[0] * ball_of_rational(ROUNDED)
            assert not true[1] > of_q[at] * ball_of_rational(ROUNDED)
            assert of_p[at] >= true[0] * (1 - 1e-9) - 1e-140
            assert of_q[at] <= true[1] * (1 + 1e-9) + 1e-140


def cuts_between(law: Cut, listed: list[int], unit: mpq, direction: Direction) -> list[float]:
    """The doubles next to the thresholds half-way between points."""
    found = []
    for one, other in pairwise(listed):
        half = np.array([float(one + other)])
        losses = Enclosures.exactly(-half if direction == "add" else half) * (unit / 2)
        found.append(float(law.enclosed_cuts(losses).middle()[0]))
    return found


@each_case("seed", range(6))
def test_losses_in_doubles_dominate_those_of_noise(seed: int) -> None:
    check_dominating(seed)


@pytest.mark.slow
@each_case("seed", range(6, 120))
def test_losses_in_doubles_dominate_those_of_noise_in_many_draws(seed: int) -> None:
    check_dominating(seed)


@each_case("seed", range(12))
def test_scores_in_doubles_are_below_true_ones_under_p_and_above_them_under_q(seed: int) -> None:
    check_scores(seed)


def test_no_weight_is_below_0_where_tails_round_to_more_than_1() -> None:
    """All but some 10^-60 of the losses are beyond the last point, and tails are sums."""
    law = GaussianPair(mpq(5841)).replaced(mpq(33, 50))
    assert isinstance(law, Cut)
    directions: tuple[Direction, ...] = ("remove", "add")
    for direction in directions:
        found = dominating_law(law, Points(-3, ((3, 0),)), mpq(51, 2), direction, 1)
        _, scores = scored_laws(law, Points(-3, ((3, 0),)), mpq(51, 2), direction, 1)
        assert (found.weights >= 0).all()
        assert (scores.weights >= 0).all()
        assert 0 <= found.total <= 1


def test_losses_whose_powers_of_e_are_beyond_doubles_are_cut_without_a_warning() -> None:
    """Warnings are errors here; those of losses above 700 in size have reached people."""
    law = GaussianPair(mpq(10**4, 9)).replaced(mpq(1, 2))
    assert isinstance(law, Cut)
    directions: tuple[Direction, ...] = ("remove", "add")
    for direction in directions:
        found = dominating_law(law, Points(-900, ((30, 900),)), mpq(1), direction, 1)
        scored_laws(law, Points(-900, ((30, 900),)), mpq(1), direction, 1)
        assert 0 <= found.total <= 1
