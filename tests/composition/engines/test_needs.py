"""What a Fourier bracket passes over: never more than what it reckons with."""

from __future__ import annotations

from flint import acb, acb_series, arb
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, precision
from exactdp.composition.engines.fourier import spectrum
from exactdp.composition.engines.fourier.needs import Parameters, kappa_of, weight_at


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
        for value in spectrum._time_values(place * place * ball_of_rational(noise**2)):
            beside = abs(1 / product).upper() + share * abs(value).upper()
            assert arb(beside) <= most


@given(st.integers(-80, 80), st.integers(-80, 80))
def test_the_corrections_for_noise_are_those_of_derivatives_of_its_transform(
    real: int, imaginary: int
) -> None:
    """Of ψ(u) = e^{u²/2} the second and the fourth: those of e^{uh + h²/2} at h = 0."""
    with precision(128):
        u = acb(real, imaginary) / 8
        around = acb_series([0, u, acb("0.5")], prec=5).exp()
        second, fourth = 2 * around[2], 24 * around[4]
        tangent, parabola = spectrum._time_values(u * u)
        assert tangent.overlaps(arb("0.5") - ball_of_rational(spectrum._TANGENT) * second)
        assert parabola.overlaps(1 - second / 2 + ball_of_rational(spectrum._PARABOLA) * fourth)
