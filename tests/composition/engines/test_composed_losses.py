"""What is composed in doubles encloses what whole numbers say, for drawn laws and hard ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest
from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.composition.engines.mesh.composed_losses import ComposedLosses
from exactdp.composition.engines.mesh.sides_in_doubles import hockey_stick
from exactdp.composition.engines.mesh.tilted import MeshLaw, Stage, TiltedLaw, TooRoughError
from tests.marking import each_case, slow_after

SCALE = fmpz(10) ** 30
NEAR = mpq(1, 1000)
Listed = list[tuple[int, fmpz]]


@dataclass(frozen=True)
class Drawn:
    """Laws with their counts, a mesh, a tilt, and an ε."""

    laws: list[tuple[Listed, int]]
    unit: mpq
    tilt: mpq
    epsilon: mpq

    @staticmethod
    def of(seed: int, most: int = 40) -> Drawn:
        """Laws of at most so many losses, some of which hardly ever happen."""
        random = Random(seed)  # noqa: S311 (examples)
        laws = [(_law(random, most), random.choice([1, 2, 3, 7, 20])) for _ in "ab"[: seed % 2 + 1]]
        unit = mpq(1, random.choice([3, 10, 50, 1000]))
        mean = sum(count * random.choice(listed)[0] for listed, count in laws)
        return Drawn(laws, unit, mpq(random.choice([0, 1, 3, 9, 25]), 2), max(mpq(0), unit * mean))

    def listed(self) -> list[MeshLaw]:
        """The laws, as doubles have them."""
        return [MeshLaw.of(pairs, SCALE, count) for pairs, count in self.laws]

    def exactly(self) -> tuple[int, list[fmpz], fmpz]:
        """The first loss of all together, their weights, and the scale of these."""
        return composed(self.laws)

    def divergence(self) -> arb:
        """The mean of max(0, 1 - e^{ε - L})."""
        first, weights, scale = self.exactly()
        point, unit = ball_of_rational(self.epsilon), ball_of_rational(self.unit)
        total = arb(0)
        for s, weight in enumerate(weights, first):
            if s * self.unit > self.epsilon:
                total += weight * (1 - (point - unit * s).exp())
        return total / scale

    def above(self, threshold: int) -> arb:
        """The weight of losses from a threshold on."""
        first, weights, scale = self.exactly()
        return (
            arb(sum((w for s, w in enumerate(weights, first) if s >= threshold), fmpz(0))) / scale
        )


def composed(laws: list[tuple[Listed, int]]) -> tuple[int, list[fmpz], fmpz]:
    """The first loss of laws together, their weights, and the scale of these, exactly."""
    whole, first, scale = fmpz_poly([1]), 0, fmpz(1)
    for pairs, count in laws:
        low = min(j for j, _ in pairs)
        values = [fmpz(0)] * (max(j for j, _ in pairs) - low + 1)
        for j, weight in pairs:
            values[j - low] += weight
        whole *= fmpz_poly(values) ** count
        first += low * count
        scale *= SCALE**count
    return first, whole.coeffs(), scale


def _law(random: Random, most: int) -> Listed:
    cells = random.sample(range(-most, most), random.randint(1, most))
    shares = [random.random() * 10 ** -random.choice([0, 0, 1, 6, 15]) for _ in cells]
    total = sum(shares) * random.choice([1, 1, 1.01])
    return [(j, fmpz(int(share / total * 10**30))) for j, share in zip(cells, shares, strict=True)]


def event(whole: ComposedLosses, threshold: int) -> tuple[arb, arb]:
    """The weight from a threshold on, from below and from above."""
    sums = whole.above(threshold)
    spare = whole.error * sums.weight * 1.001 + whole.relative * abs(sums.plain)
    low = sums.factor * (arb(sums.plain) - arb(spare) - arb(sums.returned))
    return low, sums.factor * (arb(sums.plain) + arb(spare) + arb(sums.missing))


def check(drawn: Drawn, stage: Stage | None = None) -> bool:
    """See that doubles enclose the truth; whether they say anything."""
    try:
        with precision(300):
            mesh = drawn.unit, drawn.tilt
            whole, _ = ComposedLosses.of(drawn.listed(), mesh, NEAR, above=True, stage=stage)
            value, error = hockey_stick(whole, ball_of_rational(drawn.epsilon))
            true = drawn.divergence()
            assert true <= value
            if whole.unit == drawn.unit:
                threshold = int(drawn.epsilon / drawn.unit)
                returned = whole.above(threshold + 1).factor * whole.above(threshold + 1).returned
                assert value - 2 * error - returned <= true
                low, high = event(whole, threshold)
                assert low <= drawn.above(threshold) <= high
    except TooRoughError:
        return False
    return True


def test_drawn_laws_are_enclosed() -> None:
    said = sum(check(Drawn.of(seed)) for seed in range(20))
    assert said >= 15


@pytest.mark.slow
def test_thousands_of_drawn_laws_are_enclosed() -> None:
    said = sum(check(Drawn.of(seed, most=15)) for seed in range(1000, 3200))
    assert said >= 1500


def test_a_mesh_that_grows_coarser_stays_above() -> None:
    stage = Stage(2, 2, above=True)
    said = sum(check(Drawn.of(seed), stage) for seed in range(30) if seed % 3)
    assert said >= 12


@pytest.mark.slow
def test_meshes_that_grow_coarser_stay_above_for_many_draws() -> None:
    stages = [Stage(2, 3, above=True), Stage(4, 2, above=True), Stage(7, 5, above=True)]
    said = sum(check(Drawn.of(seed, most=15), stages[seed % 3]) for seed in range(5000, 6000))
    assert said >= 500


@pytest.mark.parametrize("seeds", slow_after(1, [range(10), range(20, 300)]))
def test_rounded_scores_of_parts_are_enclosed(seeds: range) -> None:
    said = 0
    for seed in seeds:
        drawn, parts, times = Drawn.of(seed, most=15), 3, 4
        stage, mesh = Stage(parts, times, above=False), (drawn.unit, drawn.tilt)
        first, weights, scale = composed([(pairs, n // parts) for pairs, n in drawn.laws])
        part = [((2 * s + times) // (2 * times), w) for s, w in enumerate(weights, first)]
        rest = [
            ([((2 * j + times) // (2 * times), w) for j, w in pairs], n % parts)
            for pairs, n in drawn.laws
        ]
        first, weights, _ = composed([(part, parts), *rest])
        scale = scale**parts * SCALE ** sum(n for _, n in rest)
        try:
            with precision(300):
                whole, _ = ComposedLosses.of(drawn.listed(), mesh, NEAR, above=False, stage=stage)
                for threshold in range(first, first + len(weights), 1 + len(weights) // 9):
                    listed = enumerate(weights, first)
                    true = sum((w for s, w in listed if s >= threshold), arb(0)) / scale
                    low, high = event(whole, threshold)
                    assert low <= true <= high
                    said += 1
        except TooRoughError:
            continue
    assert said >= 3 * len(seeds)


HARD = {
    "nothing below infinity": Drawn([([(1, fmpz(1))], 2)], mpq(1, 10), mpq(1), mpq(0)),
    "a weight of 1e-30": Drawn([([(0, SCALE), (9, fmpz(1))], 3)], mpq(1, 10), mpq(70), mpq(1, 2)),
    "an extreme tilt": Drawn([([(-9, SCALE // 2), (9, SCALE // 2)], 9)], mpq(1), mpq(60), mpq(70)),
    "two far ends": Drawn(
        [([(-2000, SCALE // 3), (2000, fmpz(7))], 2)], mpq(1, 10), mpq(1), mpq(1)
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_laws_are_enclosed(name: str) -> None:
    assert check(HARD[name])


@pytest.mark.parametrize("tilt", [10, 100, 1000, 8000])
def test_losses_that_a_tilt_puts_beyond_the_least_double_still_count(tilt: int) -> None:
    for loss, count in ((100, 1), (40, 3), (7, 20)):
        for below in range(1, 64):
            epsilon = mpq(loss * count - below, 10)
            check(Drawn([([(loss, SCALE)], count)], mpq(1, 10), mpq(tilt), epsilon))


@pytest.mark.parametrize("far", [1, 10, 40, 100])
def test_generating_functions_are_at_most_their_balls_where_weights_underflow(far: int) -> None:
    for digits in (30, 100, 145):
        scale = fmpz(10) ** 200
        pairs = [(-far, scale), (far, scale // fmpz(10) ** digits)]
        with precision(300):
            for tilt in (1, 5, 20, 50, 100, 380, 400):
                try:
                    law = TiltedLaw.of(MeshLaw.of(pairs, scale, 1), arb(tilt) / far)
                    for rate in (arb(r) / far for r in (-299, -50, -1, 1, 50, 299)):
                        found = law.generated(rate)
                        weights = [
                            arb(w) / scale * (arb(tilt) * (j - law.centre) / far - law.log).exp()
                            for j, w in pairs
                        ]
                        powers = [(rate * (j - law.centre)).exp() for j, _ in pairs]
                        true = sum((w * e for w, e in zip(weights, powers, strict=True)), arb(0))
                        assert true <= found.upper() * (1 + arb(10) ** -80)
                except TooRoughError:
                    continue


def test_a_million_of_one_atom_have_its_loss_a_million_times() -> None:
    law, unit = MeshLaw.of([(3, SCALE)], SCALE, 10**6), mpq(1, 10)
    with precision(300):
        whole, _ = ComposedLosses.of([law], (unit, mpq(2)), NEAR, above=True)
        value, error = hockey_stick(whole, arb(299_999))
        true = 1 - arb(-1).exp()
        assert value - 2 * error <= true <= value
        assert error < arb(10) ** -6


@each_case(
    ("listed", "scale", "count", "why"),
    [
        ([(0, SCALE)], SCALE, 10**18, "too many mechanisms"),
        ([(0, fmpz(1))], fmpz(10) ** 310, 1, "too many digits"),
        ([(0, fmpz(1)), (10**12, fmpz(1))], SCALE, 1, "too far apart"),
    ],
)
def test_what_is_beyond_doubles_is_refused(
    listed: Listed, scale: fmpz, count: int, why: str
) -> None:
    with pytest.raises(TooRoughError, match=why):
        MeshLaw.of(listed, scale, count)


def test_more_products_than_the_bound_allows_are_refused() -> None:
    law = MeshLaw.of([(0, 99 * SCALE // 100), (1, SCALE // 100)], SCALE, 10**12)
    with pytest.raises(TooRoughError, match="too many products"):
        ComposedLosses.of(
            [law], (mpq(1, 10), mpq(1)), NEAR, above=True, stage=Stage(1, 1, above=True)
        )


@each_case("seed", range(8))
def test_beyond_all_cells_nothing_is_left_but_what_may_have_left_them(seed: int) -> None:
    drawn = Drawn.of(seed)
    with precision(300):
        mesh = drawn.unit, drawn.tilt
        whole, _ = ComposedLosses.of(drawn.listed(), mesh, NEAR, above=True)
        beyond = whole.unit * (whole.first + whole.length + seed)
        value, error = hockey_stick(whole, ball_of_rational(beyond))
        true = replace(drawn, epsilon=beyond).divergence()
        assert true <= value
        assert not value > error
