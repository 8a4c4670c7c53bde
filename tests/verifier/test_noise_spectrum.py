"""D of Laplace noise beside other mechanisms lies between its ends, at any parameters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.far_points import Spectrum
from exactdp.verifier.arithmetic.spectrum import Divergence
from exactdp.verifier.arithmetic.waves import DiscreteLaplace, Laplace, Wave
from exactdp.verifier.format.numbers import parse
from exactdp.verifier.format.outcomes import RejectedError
from tests.verifier import handmade
from tests.verifier.noise_fourier_cases import others

Real = Any  # of mpmath
Atoms = Sequence[tuple[Real, Real]]
"""Losses with their probabilities."""

_EPSILONS = ["1/10", "3/7", "1", "5/2"]
_WAVES = [
    *(DiscreteLaplace(1, Fraction(unit), shift) for unit, shift in (("1/3", 2), ("1/50", 7))),
    DiscreteLaplace(2, Fraction("1/2"), 3),
    DiscreteLaplace(1, Fraction(5), 2),
]
_CONTINUOUS = [None, *(Laplace(1, Fraction(most)) for most in ("1/100", "1/3", "1", "7/2"))]


def _real(value: Fraction) -> Real:
    return mpmath.mpf(value.numerator) / value.denominator


def _atoms(wave: DiscreteLaplace) -> Atoms:
    """1/(1 + x), (1 - x)x^j/(1 + x) between, x^s/(1 + x), at (s - 2j)·r."""
    x, s = mpmath.exp(-_real(wave.unit)), wave.shift
    weights = [1, *((1 - x) * x**j for j in range(1, s)), x**s]
    losses = [(s - 2 * j) * _real(wave.unit) for j in range(s + 1)]
    return [(loss, weight / (1 + x)) for loss, weight in zip(losses, weights, strict=True)]


def _response(text: str) -> Atoms:
    epsilon = _real(Fraction(text))
    return [(loss, 1 / (1 + mpmath.exp(-loss))) for loss in (epsilon, -epsilon)]


def _laplace_profile(most: Real, loss: Real) -> Real:
    if loss < -most:
        return 1 - mpmath.exp(loss)
    return 1 - mpmath.exp((loss - most) / 2) if loss < most else mpmath.mpf(0)


def _divergence(texts: Sequence[str], waves: Sequence[Wave], x: Fraction) -> Real:
    """The mean, over all answers of other mechanisms, of the profile of the Laplace noise."""
    laws = [_response(text) for text in texts]
    most = mpmath.mpf(0)
    for wave in waves:
        if isinstance(wave, DiscreteLaplace):
            laws += [_atoms(wave)] * wave.count
        else:
            most = _real(wave.loss)
    total = mpmath.mpf(0)
    for answers in product(*laws):
        loss = _real(x) - mpmath.fsum(loss for loss, _ in answers)
        total += mpmath.fprod(mass for _, mass in answers) * _laplace_profile(most, loss)
    return total


@st.composite
def _cases(draw: st.DrawFn) -> tuple[list[str], list[Wave], Spectrum]:
    texts = draw(st.lists(st.sampled_from(_EPSILONS), max_size=3))
    waves: list[Wave] = [*draw(st.lists(st.sampled_from(_WAVES), max_size=2, unique=True))]
    continuous = draw(st.sampled_from(_CONTINUOUS[not waves and not texts :]))
    waves += [continuous] if continuous else []
    tilt = Fraction(draw(st.integers(1, 200)), 32)
    near, step = draw(st.integers(1, 12)), Fraction(draw(st.integers(1, 64)), 32)
    noise = draw(st.sampled_from([Fraction(1, 40), Fraction(1, 5), Fraction(1)]))
    return (
        texts,
        waves,
        Spectrum(
            tilt=tilt,
            noise=noise,
            step=step,
            last=max(near, ceil(5 / float(noise) / float(step))),
            near=near,
            far=10_000,
            blocks=1000,
            cut=draw(st.integers(0, 30)),
            factors=tuple(range(len(set(texts)) + len(waves))),
            left=tilt + 1 + Fraction(draw(st.integers(0, 40)), 4),
            right=Fraction(draw(st.integers(1, 40)), 4),
        ),
    )


def _ends(
    texts: Sequence[str],
    waves: Sequence[Wave],
    spectrum: Spectrum,
    x: Fraction,
    bits: int,
    *,
    lower: bool,
) -> Real:
    groups = [(parse(text), texts.count(text)) for text in sorted(set(texts))]
    divergence = Divergence(groups, spectrum, parse(str(x)), lower=lower, bits=bits, waves=waves)
    return mpmath.ldexp(divergence.ends()[0 if lower else 1], -bits)


@pytest.mark.slow
@given(_cases(), st.integers(0, 400), st.sampled_from([100, 150]))
def test_the_divergence_is_between_the_ends_at_any_parameters(
    case: tuple[list[str], list[Wave], Spectrum], hundredths: int, bits: int
) -> None:
    texts, waves, spectrum = case
    x = Fraction(hundredths, 100)
    with mpmath.workdps(40):
        exact = _divergence(texts, waves, x)
        for lower in (True, False):
            try:
                found = _ends(texts, waves, spectrum, x, bits, lower=lower)
            except RejectedError as error:
                assert "far above 1" in str(error)  # noqa: PT017 (either is right)
                continue
            assert found <= exact if lower else found >= exact


FITTING = Spectrum(
    tilt=Fraction(2),
    noise=Fraction(1, 200),
    step=Fraction(1, 3),
    last=4400,
    near=700,
    far=5000,
    blocks=600,
    cut=40,
    factors=(0, 1, 2),
    left=Fraction(4),
    right=Fraction(4),
)


@pytest.mark.slow
@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(3, 2)])
def test_the_ends_meet_where_the_parameters_fit(x: Fraction) -> None:
    texts, waves = ["3/7"] * 3, [DiscreteLaplace(2, Fraction(1, 3), 3), Laplace(1, Fraction(1))]
    with mpmath.workdps(40):
        exact = _divergence(texts, waves, x)
        ends = [_ends(texts, waves, FITTING, x, 150, lower=lower) for lower in (True, False)]
        assert ends[0] <= exact <= ends[1] < ends[0] + mpmath.mpf(10) ** -6


@pytest.mark.parametrize("name", others())
def test_gaussian_noise_of_other_kinds_is_accepted(name: str) -> None:
    verdict = verify_bytes(handmade.canonical_bytes(others()[name]))
    assert verdict.status == "accepted", verdict.reason


def test_a_scale_that_digits_do_not_tell_from_infinity_is_rejected() -> None:
    wave = DiscreteLaplace(1, Fraction(1, 2**60), 2)
    with pytest.raises(RejectedError, match="too few digits for so large a scale"):
        wave.height(Fraction(3, 2), 40)


def test_an_angle_that_digits_do_not_tell_from_its_error_is_rejected() -> None:
    tilted = DiscreteLaplace(1, Fraction(1, 2**20), 2).tilted(Fraction(3, 2), Fraction(1), 80)
    blurred = (1 << 80, 0, 1 << 70)
    with pytest.raises(RejectedError, match="too few digits for so large a scale"):
        tilted.factor(1, (blurred, blurred))
