"""What a Fourier bracket passes over: never more than what it reckons with."""

from __future__ import annotations

from flint import acb, arb
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.composition.engines.needs import Parameters, kappa_of, weight_at
from exactdp.composition.engines.spectrum import _time_values


@given(st.integers(1, 400), st.integers(1, 20), st.integers(1, 4000))
def test_what_stands_beside_a_characteristic_function_is_at_most_its_weight(
    tilts: int, noises: int, times: int
) -> None:
    """The hinge and the corrections for noise, of either end (certs/SPEC.md, section 6.7)."""
    tilt, noise, t = mpq(tilts, 8), mpq(noises, 20), mpq(times, 40)
    parameters = Parameters(tilt, noise, mpq(1), 10, 1, 10, (), tilt + 1, mpq(1))
    with precision(128):
        place = acb(ball_of_rational(tilt + mpq(1, 2)), ball_of_rational(t))
        product = place * place - acb("0.25")
        share = ball_of_rational(kappa_of(noise) * noise**2)
        most = ball_of_rational(weight_at(parameters, t))
        for value in _time_values(place * place * ball_of_rational(noise**2)):
            beside = abs(1 / product).upper() + share * abs(value).upper()
            assert arb(beside) <= most
