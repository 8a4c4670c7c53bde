"""What ``fourier-upper`` and ``fourier-lower`` rest on, against mpmath and sums over subsets."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil

import mpmath  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.circle import power, times, unit
from exactdp.verifier.arithmetic.enclosures import enclose_pi
from exactdp.verifier.arithmetic.far_points import Spectrum
from exactdp.verifier.arithmetic.far_values import FarValues, rescaled
from exactdp.verifier.arithmetic.spectrum import Divergence
from exactdp.verifier.arithmetic.sweep import (
    GRADES,
    SQUEEZE_BITS,
    TURN_BITS,
    Factor,
    Sweep,
    sag_between,
)
from exactdp.verifier.format.numbers import Number, parse
from exactdp.verifier.format.outcomes import RejectedError
from tests.sweep_law import (
    bits_in_floats,
    lists_of_factors,
    sum_of_small,
)

Groups = list[tuple[Number, int]]

_BITS = st.integers(64, 300)
_EPSILONS = ["1/10", "1/3", "7/20", "1", "3/2", "ln(2)", "1/2*ln(5)", "123/1000", "2/7"]


@pytest.fixture(autouse=True)
def _digits() -> object:
    with mpmath.workprec(600):
        yield


def _value(number: Number) -> mpmath.mpf:
    total = mpmath.mpf(number.rational.numerator) / number.rational.denominator
    for c, r in number.logs:
        logarithm = mpmath.log(mpmath.mpf(r.numerator) / r.denominator)
        total += mpmath.mpf(c.numerator) / c.denominator * logarithm
    return total


def _off(point: tuple[int, int, int], value: mpmath.mpc, bits: int) -> bool:
    re, im, error = point
    return bool(abs(mpmath.mpc(re, im) - value * mpmath.mpf(2) ** bits) > error)


@given(_BITS)
def test_pi_is_between_its_ends(bits: int) -> None:
    low, high = enclose_pi(bits)
    assert low <= mpmath.pi * mpmath.mpf(2) ** bits <= high
    assert high - low < 8


@given(_BITS, st.integers(-(2**340), 2**340), st.integers(0, 1000), st.integers(0, 1000))
def test_a_point_of_the_circle_is_where_it_says(bits: int, low: int, width: int, at: int) -> None:
    low >>= 300 - bits
    point = unit((low, low + width), bits)
    angle = mpmath.mpf(low + min(at, width)) / mpmath.mpf(2) ** bits
    assert not _off(point, mpmath.expj(angle), bits)
    assert point[2] <= width + 10


@given(_BITS, st.integers(0, 2**64), st.integers(0, 2**64), st.integers(1, 200))
def test_errors_of_products_are_counted(bits: int, one: int, other: int, exponent: int) -> None:
    angles = one >> 64 - min(bits, 60), other >> 64 - min(bits, 60)
    points = [unit((angle, angle), bits) for angle in angles]
    values = [mpmath.expj(mpmath.mpf(angle) / mpmath.mpf(2) ** bits) for angle in angles]
    assert not _off(times(points[0], points[1], bits), values[0] * values[1], bits)
    assert not _off(power(points[0], exponent, bits), values[0] ** exponent, bits)


@given(
    st.lists(
        st.tuples(st.integers(0, 2**130), st.integers(2**150, 2**160 - 1), st.integers(1, 20)),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 2**30),
    st.sampled_from([100, 128, 160]),
    st.sampled_from([0, 2**40, 2**100, 2**120]),
    st.sampled_from([0, 2**128]),
)
def test_a_value_far_out_is_where_it_says(
    factors: list[tuple[int, int, int]], n: int, bits: int, enough: int, most: int
) -> None:
    turns = [turn for turn, _, _ in factors]
    counts = [count for _, _, count in factors]
    rough = [slant >> 96 for _, slant, _ in factors]
    point = rescaled(FarValues(turns, rough, counts).point(n, enough, most), bits)
    value = mpmath.mpc(1)
    for turn, slant, count in factors:
        phase = mpmath.mpf(n * turn) / mpmath.mpf(2) ** 128
        size = mpmath.mpf(slant) / mpmath.mpf(2) ** 160
        value *= mpmath.mpc(mpmath.cospi(phase), size * mpmath.sinpi(phase)) ** count
    assert not _off(point, value, bits)
    units = mpmath.mpf(2) ** (bits - 128) * enough
    assert point[2] <= abs(value) * mpmath.mpf(2) ** (bits - 20) + 2**11 + units


def test_too_many_mechanisms_are_no_value_far_out() -> None:
    with pytest.raises(RejectedError, match="too many"):
        FarValues([1], [2**54], [10**18])


@pytest.mark.slow
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
    sweep = Sweep(factors, bits, blocks=10**6)
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
    sweep = Sweep(factors, bits, blocks=10**6)
    kept = set(sweep._looked_at([points.start], level, 1024, bits + 2 * GRADES))
    assert at - 3 in large
    assert large <= kept


@pytest.mark.parametrize("level", range(5))
def test_a_block_is_charged_for_each_of_its_points(level: int) -> None:
    size, half_a_turn = 1024 << level, 2**39
    factor = Factor(2 ** (TURN_BITS - 40), 2 ** (SQUEEZE_BITS - 1), 30)  # |φ|² is about 2^-30
    sweep = Sweep([factor] * 2, 20, blocks=10**6)
    assert not list(sweep._looked_at([half_a_turn - size], level, 1024, 20 + 2 * GRADES))
    assert size <= sweep.charge <= size + (1 << level)


def test_a_sweep_stops_at_the_blocks_that_it_may_look_at() -> None:
    sweep = Sweep([Factor(2**60, 2**61, 3)], 10, blocks=2)
    with pytest.raises(RejectedError, match="more blocks"):
        list(sweep.remaining(1, 10**6, lambda _: 10))


def test_a_sweep_looks_closer_where_blocks_of_many_points_are_not_small() -> None:
    once_in = 200_000
    sweep = Sweep([Factor(2**TURN_BITS // once_in, 2**SQUEEZE_BITS - 1, 1000)], 30, blocks=10**4)
    kept = set(sweep.remaining(once_in * 3 // 4, once_in * 5 // 4, lambda _: 30))
    near = int(math.acos(2 ** (-30 / 2000)) / math.pi * once_in)  # cos(πx) ** 2000 = 2 ** -30
    assert kept >= set(range(once_in - near + 1, once_in + near))
    assert len(kept) < 2.3 * near


def test_points_that_need_more_than_the_first_are_looked_at_one_by_one_if_they_are_few() -> None:
    factor = Factor(2**63, 2**SQUEEZE_BITS - 1, 10**6)  # |φ| is 1 at every other point
    few, many = (Sweep([factor], 1, blocks=10**3) for _ in range(2))
    assert list(few.remaining(1, 3, lambda _: 10**6)) == [2]
    assert list(many.remaining(600, 663, lambda _: 10**6)) == list(range(600, 664, 2))
    assert list(many.remaining(600, 664, lambda _: 10**6)) == list(range(600, 665))


@st.composite
def _cases(draw: st.DrawFn) -> tuple[Groups, Spectrum]:
    texts = draw(st.lists(st.sampled_from(_EPSILONS), min_size=1, max_size=4, unique=True))
    groups = [(parse(text), draw(st.integers(1, 3))) for text in texts]
    tilt = Fraction(draw(st.integers(1, 200)), 32)
    near = draw(st.integers(1, 12))
    noise, step = Fraction(1, draw(st.integers(1, 20))), Fraction(draw(st.integers(1, 64)), 32)
    return groups, Spectrum(
        tilt=tilt,
        noise=noise,
        step=step,
        last=max(near, ceil(5 / noise / step)) + draw(st.integers(0, 300)),
        near=near,
        far=10_000,
        blocks=1000,
        cut=draw(st.integers(0, 30)),
        factors=tuple(draw(st.lists(st.integers(0, len(groups) - 1), min_size=1, unique=True))),
        left=tilt + 1 + Fraction(draw(st.integers(0, 40)), 4),
        right=Fraction(draw(st.integers(1, 40)), 4),
    )


@pytest.mark.slow
@given(_cases(), st.integers(0, 200), st.sampled_from([100, 150]))
def test_the_divergence_is_between_the_ends_at_any_parameters(
    case: tuple[Groups, Spectrum], hundredths: int, bits: int
) -> None:
    groups, spectrum = case
    x = parse(f"{hundredths}/100")
    epsilons = [_value(epsilon) for epsilon, count in groups for _ in range(count)]
    exact = mpmath.mpf(0)
    for signs in product((1, -1), repeat=len(epsilons)):
        loss = mpmath.fsum(sign * e for sign, e in zip(signs, epsilons, strict=True))
        mass = mpmath.fprod(
            1 / (1 + mpmath.exp(-sign * e)) for sign, e in zip(signs, epsilons, strict=True)
        )
        exact += mass * max(0, 1 - mpmath.exp(_value(x) - loss))
    low, _ = Divergence(groups, spectrum, x, lower=True, bits=bits).ends()
    assert mpmath.ldexp(low, -bits) <= exact
    _, high = Divergence(groups, spectrum, x, lower=False, bits=bits).ends()
    assert mpmath.ldexp(high, -bits) >= exact


@pytest.mark.slow
def test_the_ends_are_near_where_the_parameters_fit() -> None:
    groups: Groups = [(parse(f"{1000 + 7 * i}/100000"), 20) for i in range(40)]
    spectrum = Spectrum(
        tilt=Fraction(9),
        noise=Fraction(1, 2000),
        step=Fraction(1, 16),
        last=200_000,
        near=400,
        far=2000,
        blocks=1000,
        cut=60,
        factors=tuple(range(40)),
        left=Fraction(10),
        right=Fraction(4),
    )
    lower, _ = Divergence(groups, spectrum, parse("1"), lower=True, bits=200).ends()
    _, upper = Divergence(groups, spectrum, parse("1"), lower=False, bits=200).ends()
    assert 0 < lower < upper < lower * (1 + Fraction(1, 10**4))


PLAIN = Spectrum(
    tilt=Fraction(1),
    noise=Fraction(1, 100),
    step=Fraction(1),
    last=500,
    near=1,
    far=10,
    blocks=1000,
    cut=40,
    factors=(0,),
    left=Fraction(2),
    right=Fraction(1),
)


def test_a_geometric_series_needs_digits() -> None:
    spectrum = replace(PLAIN, step=Fraction(10**40), last=2, blocks=10, cut=1)
    with pytest.raises(RejectedError, match="geometric"):
        Divergence([(parse("1"), 1)], spectrum, parse("1"), lower=False, bits=100).ends()


def test_points_do_not_end_before_the_noise_is_small() -> None:
    spectrum = replace(PLAIN, last=200, far=1000)
    with pytest.raises(RejectedError, match="before the noise is small"):
        Divergence([(parse("1"), 20)], spectrum, parse("1"), lower=False, bits=100).ends()


def test_more_points_than_stated_are_not_evaluated() -> None:
    with pytest.raises(RejectedError, match="more points"):
        Divergence([(parse("1"), 1)], PLAIN, parse("1"), lower=False, bits=100).ends()


@pytest.mark.parametrize("epsilon", ["1/3", "1267650600228229401496703205376", "ln(3)"])
def test_a_turn_is_less_than_two_units_from_its_phase_however_far_out(epsilon: str) -> None:
    groups: Groups = [(parse(epsilon), 1)]
    divergence = object.__new__(Divergence)  # its phases alone: e^ε has no place in them
    divergence._spectrum = replace(PLAIN, step=Fraction(3, 8))
    turn = divergence._turn(groups[0][0])
    phase = _value(groups[0][0]) * mpmath.mpf(3) / 8 / mpmath.pi * mpmath.mpf(2) ** 128
    assert 0 <= phase - turn < 2


@pytest.mark.parametrize("whole", [1, 7, 2**60])
def test_whole_turns_of_a_mechanism_change_no_value_far_out(whole: int) -> None:
    turns, slants, counts = (
        [2**126 + 5, 2**125 + 9, 3 * 2**120],
        [2**63, 2**62, 2**63 + 1],
        [1, 3, 2],
    )
    more = [turn + (2 * whole << 128) for turn in turns]
    for n in (1, 12345, 2**40 - 1):
        for enough in (0, 2**126):
            plain = FarValues(turns, slants, counts).point(n, enough, 0)
            assert FarValues(more, slants, counts).point(n, enough, 0) == plain
