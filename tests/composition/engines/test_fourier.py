"""The Fourier bracket holds at any parameters, and is as narrow as asked where they are chosen."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from flint import arb, ctx
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.engine import Effort
from exactdp.composition.engines.fourier.factors import SQUEEZE_BITS, TURN_BITS, Factor
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.engines.fourier.guess import best_factors
from exactdp.composition.engines.fourier.needs import Parameters
from exactdp.composition.engines.fourier.spectrum import Spectrum
from exactdp.composition.engines.fourier.sweep import GRADES, Sweep, sag_between
from exactdp.composition.engines.grid import common_grid
from exactdp.composition.engines.grid import loss_distribution as grid_distribution
from exactdp.errors import CostLimitError
from exactdp.mechanisms.float_losses import FloatResponse
from tests.composition.oracle import SubsetSums
from tests.sweep_law import (
    bits_in_floats,
    lists_of_factors,
    sum_of_small,
)

Epsilons = list[tuple[ExactNumber, int]]

_EPSILONS = ["1/10", "1/3", "7/20", "1", "3/2", "ln(2)", "1/2*ln(5)", "123/1000", "2/7"]


def _epsilons(most: int) -> st.SearchStrategy[Epsilons]:
    group = st.tuples(st.sampled_from(_EPSILONS).map(ExactNumber.parse), st.integers(1, 3))
    return st.lists(group, min_size=1, max_size=most, unique_by=lambda pair: str(pair[0]))


@st.composite
def _parameters(draw: st.DrawFn, groups: int) -> Parameters:
    """Any at all that make sense: coarse and fine noise, a period too short, bad tilts."""
    tilt = mpq(draw(st.integers(1, 200)), 32)
    near = draw(st.integers(1, 12))
    noise, step = mpq(1, draw(st.integers(2, 20))), mpq(draw(st.integers(1, 64)), 32)
    chosen = draw(st.lists(st.integers(0, groups - 1), min_size=1, unique=True))
    return Parameters(
        tilt=tilt,
        noise=noise,
        step=step,
        last=max(near, int(5 / noise / step)) + 1 + draw(st.integers(0, 300)),
        near=near,
        cut=draw(st.integers(0, 30)),
        factors=tuple(chosen),
        left=tilt + 1 + mpq(draw(st.integers(0, 40)), 4),
        right=mpq(draw(st.integers(1, 40)), 4),
    )


@st.composite
def _spectra(draw: st.DrawFn) -> tuple[Epsilons, Parameters]:
    epsilons = draw(_epsilons(4))
    return epsilons, draw(_parameters(len(epsilons)))


def _one_by_one(epsilons: Epsilons) -> tuple[ExactNumber, ...]:
    return tuple(epsilon for epsilon, count in epsilons for _ in range(count))


@given(_spectra(), st.integers(0, 200))
def test_the_divergence_is_between_the_ends_at_any_parameters(
    case: tuple[Epsilons, Parameters], hundredths: int
) -> None:
    epsilons, parameters = case
    epsilon = ExactNumber(mpq(hundredths, 100))
    spectrum = Spectrum(epsilons, parameters, 64, most_far=10_000)
    with precision(256):
        low, high = spectrum.balls(ball_of_rational(epsilon.rational))
        exact = SubsetSums(_one_by_one(epsilons), 256).divergence(epsilon)
        assert not low > exact
        assert not high < exact


@pytest.mark.slow
@given(_spectra())
def test_the_precision_of_others_is_left_alone(case: tuple[Epsilons, Parameters]) -> None:
    epsilons, parameters = case
    before = ctx.prec
    Spectrum(epsilons, parameters, 200, most_far=10_000).divergence(arb(1))
    assert ctx.prec == before


@given(
    st.fractions(min_value=Fraction(-4), max_value=Fraction(4), max_denominator=1000),
    st.integers(1, 1000),
)
def test_the_time_value_is_between_two_quadratics(u: Fraction, thousandths: int) -> None:
    # c(u) = E(1 - e^{-u-N})_+ - (1 - e^{-u})_+ over s² times the density of u + N at 0
    with mpmath.workprec(200):
        s = mpmath.mpf(thousandths) / 1000
        y = mpmath.mpf(u.numerator) / u.denominator * 4
        x = y * s
        value = mpmath.ncdf(x / s + s / 2) - mpmath.exp(-x) * mpmath.ncdf(x / s - s / 2)
        value -= max(mpmath.mpf(0), 1 - mpmath.exp(-x))
        share = value / (s * mpmath.npdf(x / s + s / 2))
        below = mpmath.mpf(1) / 2 - mpmath.mpf("0.15568") * y**2
        above = 1 - y**2 / 2 + mpmath.mpf("0.07666") * y**4
        rounding = mpmath.mpf(2) ** -100
        assert below - rounding <= share <= above / (1 - s**2 / 12) + rounding


@pytest.mark.slow
@settings(max_examples=15)
@given(_epsilons(4), st.integers(1, 100), st.integers(1, 64), st.integers(0, 200))
def test_what_the_trapezoid_rule_adds_is_at_most_its_bound(
    epsilons: Epsilons, tilt: int, step: int, hundredths: int
) -> None:
    # E_Q Σ h(L - x + jR) over j != 0, less ℓ(L - x + jR) for j > 0, atom by atom
    a, d, s = mpq(tilt, 32), mpq(step, 32), mpq(1, 10)
    last = int(3 / s / d)
    parameters = Parameters(a, s, d, last, 1, 0, (0,), left=a + mpq(5, 4), right=mpq(1, 2))
    spectrum = Spectrum(epsilons, parameters, 64, most_far=10_000)
    x = mpmath.mpf(hundredths) / 100
    with mpmath.workprec(150):
        added = _aliases(_one_by_one(epsilons), _float(a), 2 * mpmath.pi / _float(d), x)
    with precision(96):
        bound = sum(
            (
                factor * (ball_of_rational(slope) * arb(hundredths) / 100).exp()
                for slope, factor in spectrum.aliases
            ),
            arb(0),
        )
    assert added <= mpmath.mpf(_float(upper_end(bound))) * (1 + mpmath.mpf(2) ** -40)


def _aliases(
    epsilons: tuple[ExactNumber, ...], a: float, period: mpmath.mpf, x: mpmath.mpf
) -> mpmath.mpf:
    atoms = {mpmath.mpf(0): mpmath.mpf(1)}
    for epsilon in epsilons:
        size = mpmath.mpf(epsilon.rational.numerator) / int(epsilon.rational.denominator)
        for c, r in epsilon.logs:
            ratio = mpmath.mpf(int(r.numerator)) / int(r.denominator)
            size += mpmath.mpf(int(c.numerator)) / int(c.denominator) * mpmath.log(ratio)
        truthful = 1 / (1 + mpmath.exp(-(2 * a + 1) * size))
        new: dict[mpmath.mpf, mpmath.mpf] = {}
        for loss, mass in atoms.items():
            for moved, share in ((size, truthful), (-size, 1 - truthful)):
                new[loss + moved] = new.get(loss + moved, mpmath.mpf(0)) + mass * share
        atoms = new
    return mpmath.fsum(
        mass * _unknown(loss - x + j * period, a, to_the_left=j > 0)
        for loss, mass in atoms.items()
        for j in range(-30, 31)
        if j
    )


def _unknown(u: mpmath.mpf, a: float, *, to_the_left: bool) -> mpmath.mpf:
    """h(u), or h(u) - ℓ(u)."""
    plain = mpmath.exp(-a * u) - mpmath.exp(-(a + 1) * u)
    return max(mpmath.mpf(0), plain) - (plain if to_the_left else 0)


def _float(value: mpq) -> float:
    return int(value.numerator) / int(value.denominator)


@given(
    lists_of_factors(Factor, TURN_BITS, SQUEEZE_BITS),
    st.integers(1, 2000),
    st.integers(1, 6000),
    st.integers(0, 60),
)
def test_points_that_a_sweep_passes_over_are_small(
    factors: list[Factor], first: int, more: int, bits: int
) -> None:
    last = first + more
    sweep = Sweep(factors, bits)
    kept = set(sweep.remaining(first, last, lambda _: bits))
    allowed = mpmath.mpf(2) ** -(mpmath.mpf(bits) / 2)
    passed = {*range(first, last + 1, 97), first, last} - kept
    total = sum_of_small(factors, passed, (TURN_BITS, SQUEEZE_BITS), allowed)
    assert total <= allowed * sweep.charge / 2**GRADES * (1 + mpmath.mpf(2) ** -20)
    assert all(first <= n <= last for n in kept)


@pytest.mark.parametrize("hundredths", [5, 50, 66, 67, 80, 99])
def test_between_two_samples_a_bound_is_below_their_chord_by_no_more_than_itssag_between(
    hundredths: int,
) -> None:
    stride, once_in = 8, 2**11
    factor = Factor(2**TURN_BITS // once_in, hundredths * 2**SQUEEZE_BITS // 100, 10**4)
    points = [start + part for start in range(once_in) for part in (0, stride // 2, stride)]
    found = bits_in_floats([factor], points, (TURN_BITS, SQUEEZE_BITS))
    chords = zip(found[::3], found[1::3], found[2::3], strict=True)
    dips = [(low + high) / 2 - middle for low, middle, high in chords]
    sag = sag_between(factor, stride, 1) / 2**16  # in 2^-10 of units of 2^-6
    assert 0.98 * sag <= max(dips) <= sag


@pytest.mark.slow
@pytest.mark.parametrize("cells", [512, 1024])
def test_points_on_either_side_of_a_sample_that_is_not_small_are_looked_at(cells: int) -> None:
    level, bits, at = 3, 2, 2**20
    turns = [(at // 100 + 61 * i) * 2**TURN_BITS // at for i in range(100)]  # |φ| is 1 there
    factors = [Factor(turn, 6 * 2**SQUEEZE_BITS // 10, 1) for turn in turns]
    points = range(at - (cells << level), at - (cells << level) + (1024 << level))
    found = bits_in_floats(factors, points, (TURN_BITS, SQUEEZE_BITS))
    large = {n for n, value in zip(points, found, strict=True) if value < bits}
    sweep = Sweep(factors, bits)
    kept = set(sweep._looked_at([points.start], level, 1024, bits + 2 * GRADES))
    assert at - 3 in large
    assert large <= kept


@pytest.mark.parametrize("level", range(5))
def test_a_block_is_charged_for_each_of_its_points(level: int) -> None:
    size, half_a_turn = 1024 << level, 2**39
    factor = Factor(2 ** (TURN_BITS - 40), 2 ** (SQUEEZE_BITS - 1), 30)  # |φ|² is about 2^-30
    sweep = Sweep([factor] * 2, 20)
    assert not list(sweep._looked_at([half_a_turn - size], level, 1024, 20 + 2 * GRADES))
    assert size <= sweep.charge <= size + (1 << level)


_DECIMALS = st.lists(
    st.tuples(st.integers(1, 100), st.integers(1, 9)), min_size=12, max_size=40
).map(lambda pairs: {f"{size}/1000": count for size, count in pairs})


@pytest.mark.slow
@settings(max_examples=6)
@given(_DECIMALS, st.integers(4, 60), st.sampled_from(["1/100", "1/100000", "1/10000000"]))
def test_the_optimum_is_that_of_the_grid(counts: dict[str, int], bits: int, tolerance: str) -> None:
    epsilons = [(ExactNumber.parse(text), count) for text, count in counts.items()]
    grid = common_grid(epsilons)
    assert grid is not None
    engine = FourierEngine(epsilons, mpq(tolerance))
    with precision(300):
        allowed = arb(2) ** -bits
        total = sum(
            (arb(1) * count * ball_of_rational(e.rational) for e, count in epsilons), arb(0)
        )
        odds = grid_distribution(grid, 250).least_odds(allowed, total.exp())
        exact = max(mpq(0), lower_end(odds[0].log())), max(mpq(0), upper_end(odds[1].log()))
    try:
        low, high = engine.least_epsilon(allowed, engine.first_effort(bits + 40))
    except CostLimitError:
        reject()  # few mechanisms, or an ε near the sum: another engine's
    assert low <= exact[1]
    assert exact[0] <= high


@pytest.mark.slow
def test_a_bracket_of_many_mechanisms_is_as_narrow_as_asked() -> None:
    epsilons = [(ExactNumber(mpq(1000 + 7919 * i % 99_000, 10**7)), 3) for i in range(400)]
    tolerance = mpq(1, 10**9)
    engine = FourierEngine(epsilons, tolerance)
    allowed = ball_of_rational(mpq(1, 10**6))
    low, high = engine.least_epsilon(allowed, engine.first_effort(80))
    assert 0 < low < high < low + tolerance


@pytest.mark.slow
def test_values_of_many_large_mechanisms_are_as_certain_as_those_of_few() -> None:
    # a product of 400 balls alone is a box wider by 2^140
    epsilons = [(ExactNumber(mpq(5000 + 12 * i, 10_000)), 1) for i in range(400)]
    parameters = Parameters(mpq(1), mpq(1, 10), mpq(1, 8), 250, 6, 40, (0,), mpq(2), mpq(1))
    spectrum = Spectrum(epsilons, parameters, 64, most_far=300)
    with precision(256):
        value = spectrum._value(3)
    assert value.real.rad() < arb(2) ** -40


@pytest.mark.slow
def test_an_end_that_is_nowhere_certain_is_another_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FourierEngine([(ExactNumber(mpq(1, 10)), 100)], mpq(1, 100))
    unknown = arb(0, 1)
    monkeypatch.setattr(Spectrum, "balls", lambda *_: (unknown, unknown))
    with pytest.raises(CostLimitError, match="not separated from Δ"):
        engine.least_epsilon(ball_of_rational(mpq(1, 10**6)), engine.first_effort(80))


def test_a_spectrum_that_does_not_fall_is_refused() -> None:
    epsilons = [(ExactNumber(mpq(1)), 1)]
    parameters = Parameters(mpq(1), mpq(1, 100), mpq(1), 500, 1, 40, (0,), mpq(1), mpq(1))
    with pytest.raises(CostLimitError, match="small nearly everywhere"):
        Spectrum(epsilons, parameters, 64, most_far=100)


def test_points_must_follow_one_another() -> None:
    parameters = Parameters(mpq(1), mpq(1, 100), mpq(1), 5, 6, 40, (0,), mpq(2), mpq(1))
    with pytest.raises(ValueError, match="follow one another"):
        Spectrum([(ExactNumber(mpq(1)), 1)], parameters, 64, most_far=100)


def test_points_go_on_until_the_noise_is_small() -> None:
    parameters = Parameters(mpq(1), mpq(1, 100), mpq(1), 50, 6, 40, (0,), mpq(2), mpq(1))
    with pytest.raises(ValueError, match="before its noise is small"):
        Spectrum([(ExactNumber(mpq(1)), 1)], parameters, 64, most_far=100)


def test_an_effort_without_a_mesh_is_none_of_this_engine() -> None:
    engine = FourierEngine([(ExactNumber(mpq(1, 10)), 100)], None)
    with pytest.raises(ValueError, match="mesh"):
        engine.cost(Effort(64))


def test_more_effort_costs_more() -> None:
    engine = FourierEngine([(ExactNumber(mpq(i, 997)), 2) for i in range(1, 200)], None)
    first = engine.first_effort(64)
    finer = engine.more(first, mpq(100))
    assert engine.cost(finer) > engine.cost(first)
    assert engine.memory(finer) >= engine.memory(first)


def test_only_groups_are_named_that_a_certificate_may_name() -> None:
    groups = [FloatResponse(i / 10**5, 1) for i in range(1, 12_001)]
    chosen = best_factors(groups, 0.5, 1.0)
    assert chosen
    assert max(chosen) <= 10**4
