"""Transforms in doubles: what they err by is within what is proved."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from flint import acb, arb

from exactdp.arithmetic.enclosures import precision
from exactdp.arithmetic.transforms import (
    ROUNDING,
    Complexes,
    Reals,
    powers,
    relative_error,
    restored,
    transformed,
)


def exactly(values: Reals) -> list[acb]:
    """The frequencies from 0 to the half, by the sums themselves."""
    length = len(values)
    roots = [acb(arb(-2 * k) / length).exp_pi_i() for k in range(length)]
    given = [acb(float(each)) for each in values]
    return [
        sum((x * roots[j * k % length] for j, x in enumerate(given)), acb(0))
        for k in range(length // 2 + 1)
    ]


def furthest(found: Complexes, true: list[acb]) -> float:
    """The greatest distance."""
    pairs = zip(found, true, strict=True)
    return max(float(abs(acb(complex(each)) - exact).upper()) for each, exact in pairs)


def drawn(length: int, seed: int) -> Reals:
    """Weights of many sizes, a few of which are all."""
    random = np.random.default_rng((length, seed))
    values = random.random(length) ** 40 * np.exp(-random.random(length) * 50)
    values[random.integers(length)] = 1.0
    return values


@pytest.mark.parametrize("length", [2, 4, 8, 32, 128])
def test_no_frequency_errs_by_more_than_is_proved(length: int) -> None:
    for seed in range(3):
        values = drawn(length, seed)
        with precision(120):
            error = furthest(transformed(values), exactly(values))
        assert error <= relative_error(length) * float(values.sum())


@pytest.mark.parametrize("length", [2, 8, 1024, 2**15])
def test_values_come_back_within_both_bounds(length: int) -> None:
    values = drawn(length, 9)
    spectrum = transformed(values)
    size = float(np.abs(spectrum).sum()) * 2 / length
    most = relative_error(length) * (float(values.sum()) + size)
    assert 0 < float(np.abs(restored(spectrum) - values).max()) + 2.0**-60 <= most + 2.0**-60


def test_a_spike_has_all_frequencies_and_a_level_only_one() -> None:
    spike = np.zeros(64)
    spike[0] = 1.0
    assert transformed(spike).tolist() == [1.0] * 33
    assert transformed(np.ones(64)).tolist() == [64.0] + [0.0] * 32


def test_long_transforms_are_near_those_of_a_library() -> None:
    values = drawn(2**17, 1)
    near = np.abs(transformed(values) - np.fft.rfft(values)).max()
    assert 0 < near <= 2 * relative_error(2**17) * values.sum()


@pytest.mark.parametrize("exponent", ["1e-5", "-0.3", "0.007"])
def test_powers_are_as_near_as_is_said(exponent: str) -> None:
    count = 1000
    with precision(150):
        found = powers(arb(exponent), count)
        errors = [abs(float(x) / (arb(exponent) * k).exp() - 1) for k, x in enumerate(found)]
        assert max(float(each.upper()) for each in errors) <= 20.2 * ROUNDING
    assert len(found) == count


def test_roots_of_unity_are_not_taken_from_the_library_of_sines() -> None:
    waves = np.cos(2 * pi * np.arange(256) * 3 / 256)
    found = np.abs(transformed(waves))
    assert int(found.argmax()) == 3
    assert float(np.delete(found, 3).max()) < 1e-12
