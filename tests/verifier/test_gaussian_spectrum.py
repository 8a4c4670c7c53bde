"""D of randomized responses beside Gaussian mechanisms lies between its ends, at any parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, sqrt
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.far_points import Spectrum
from exactdp.verifier.arithmetic.spectrum import Divergence
from exactdp.verifier.format.numbers import Number, parse
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.rules.fourier import FourierLower, FourierUpper

Groups = Sequence[tuple[Number, int]]

_EPSILONS = ["1/10", "3/7", "1", "ln(3)", "5/2"]
_NOISES = [Fraction(0), Fraction(1, 40), Fraction(1, 5), Fraction(1)]


def _value(text: str) -> Any:  # noqa: ANN401 (mpmath)
    if text.startswith("ln"):
        return mpmath.log(int(text[3:-1]))
    return mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator


def _profile(square: Fraction, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
    mu = mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator)
    below = mpmath.ncdf(-epsilon / mu - mu / 2)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * below


def _divergence(texts: Sequence[str], square: Fraction, x: str) -> Any:  # noqa: ANN401 (mpmath)
    """The mean of the Gaussian profile over all answers."""
    total = mpmath.mpf(0)
    for signs in product((1, -1), repeat=len(texts)):
        losses = [sign * _value(text) for sign, text in zip(signs, texts, strict=True)]
        mass = mpmath.fprod(1 / (1 + mpmath.exp(-loss)) for loss in losses)
        total += mass * _profile(square, _value(x) - mpmath.fsum(losses))
    return total


@st.composite
def _cases(draw: st.DrawFn) -> tuple[list[str], Spectrum]:
    texts = draw(st.lists(st.sampled_from(_EPSILONS), min_size=1, max_size=5))
    tilt = Fraction(draw(st.integers(1, 200)), 32)
    near, step = draw(st.integers(1, 12)), Fraction(draw(st.integers(1, 64)), 32)
    noise = draw(st.sampled_from(_NOISES))
    square = draw(st.fractions(Fraction(1, 1000), 9, max_denominator=1000))
    least = 5 / float(noise or sqrt(square)) / float(step)
    return texts, Spectrum(
        tilt=tilt,
        noise=noise,
        step=step,
        last=max(near, ceil(least if noise else draw(st.sampled_from([0.1, 0.5, 2])) * least)),
        near=near,
        far=10_000,
        blocks=1000,
        cut=draw(st.integers(0, 30)),
        factors=tuple(range(len(set(texts)))),
        left=tilt + 1 + Fraction(draw(st.integers(0, 40)), 4),
        right=Fraction(draw(st.integers(1, 40)), 4),
        variance=square,
    )


def _groups(texts: Sequence[str]) -> Groups:
    return [(parse(text), texts.count(text)) for text in sorted(set(texts))]


@pytest.mark.slow
@given(_cases(), st.integers(0, 400), st.sampled_from([100, 150]))
def test_the_divergence_is_between_the_ends_at_any_parameters(
    case: tuple[list[str], Spectrum], hundredths: int, bits: int
) -> None:
    texts, spectrum = case
    x = f"{hundredths}/100"
    with mpmath.workdps(40):
        exact = _divergence(texts, spectrum.variance, x)
        for lower in (True, False):
            divergence = Divergence(_groups(texts), spectrum, parse(x), lower=lower, bits=bits)
            try:
                end = divergence.ends()[0 if lower else 1]
            except RejectedError as error:
                assert "far above 1" in str(error)  # noqa: PT017 (either is right)
                continue
            found = mpmath.ldexp(end, -bits)
            assert found <= exact if lower else found >= exact


FITTING = Spectrum(
    tilt=Fraction(2),
    noise=Fraction(0),
    step=Fraction(1, 8),
    last=120,
    near=60,
    far=200,
    blocks=60,
    cut=60,
    factors=(0, 1),
    left=Fraction(4),
    right=Fraction(4),
    variance=Fraction(1),
)


@pytest.mark.parametrize("square", [Fraction(1, 3), Fraction(1), Fraction(5, 2)])
def test_the_ends_meet_where_the_parameters_fit(square: Fraction) -> None:
    texts = ["1/10", "1/10", "3/7", "3/7"]
    spectrum = replace(FITTING, variance=square)
    with mpmath.workdps(40):
        exact = _divergence(texts, square, "3/2")
        for lower in (True, False):
            ends = Divergence(_groups(texts), spectrum, parse("3/2"), lower=lower, bits=150).ends()
            found = mpmath.ldexp(ends[0 if lower else 1], -150)
            assert abs(found - exact) < mpmath.mpf(10) ** -9


def test_more_gaussian_noise_reveals_more() -> None:
    groups, x = _groups(["1/10", "3/7"]), parse("1")
    ends = [
        Divergence(groups, replace(FITTING, variance=square), x, lower=lower, bits=150).ends()
        for square, lower in ((Fraction(1), False), (Fraction(11, 10), True))
    ]
    assert ends[0][1] < ends[1][0]


@pytest.mark.parametrize("rule", [FourierUpper, FourierLower])
def test_the_noise_of_these_rules_may_be_none(rule: type[FourierUpper]) -> None:
    parameters: dict[str, Any] = {
        **dict.fromkeys(("blocks", "far", "last", "near"), "1"),
        **dict.fromkeys(("left", "right", "step", "tilt"), "1"),
        "bound": rule.kinds[0],
        "cut": "1",
        "delta": "1/2",
        "digits": "5",
        "epsilon": "1",
        "factors": ["0"],
        "noise": "0",
    }
    if rule is FourierUpper:
        del parameters["left"], parameters["right"]
    step = rule.read(parameters)
    assert step.noise == 0
