"""Values of φ far out, beside balls of many digits."""

from __future__ import annotations

import random
from itertools import product

import pytest
from flint import acb, arb

from exactdp.arithmetic.enclosures import precision
from exactdp.composition.engines.fourier.tail_evaluator import TailEvaluator


def _plain(angles: list[arb], slants: list[arb], n: int) -> acb:
    value = acb(1)
    for angle, slant in zip(angles, slants, strict=True):
        sine, cosine = (n * angle).sin_cos()
        value *= acb(cosine, slant * sine)
    return value


@pytest.mark.parametrize("largest", [1e-3, 1.0, 7.0, 1e6])
def test_values_far_out_hold_what_balls_of_many_digits_say(largest: float) -> None:
    choose = random.Random(7)  # noqa: S311 (no secret)
    with precision(400):
        for mechanisms in (1, 2, 30):
            angles = [arb(choose.uniform(0, largest)) / 3 for _ in range(mechanisms)]
            slants = [arb(choose.uniform(0.01, 5)).tanh() for _ in angles]
            values = TailEvaluator(angles, slants)
            assert values.fits
            for n in [1, 2**40 - 1, *(choose.randrange(1, 2**40) for _ in range(40))]:
                exact, found = _plain(angles, slants, n), values.value(n, 128, 0)
                assert found.contains(exact)
                assert (found - found.mid()).abs_upper() < abs(exact).upper() / 2**30 + 2.0**-110
                for enough, bound in product((5, 20, 60), (0, 300)):
                    found = values.value(n, enough, bound)
                    assert found.contains(exact)
                    far = (found - found.mid()).abs_upper()
                    assert far < abs(exact).upper() / 2**30 + 2.0**-110 + 2.0 ** (1 - enough)


def test_a_slant_near_nothing_is_left_to_balls() -> None:
    with precision(200):
        assert not TailEvaluator([arb(1)], [arb(2) ** -40]).fits
        assert not TailEvaluator([arb(1)], [arb(0, 1e-3)]).fits
