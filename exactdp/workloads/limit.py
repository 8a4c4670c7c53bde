r"""The central limit of composition: what many mechanisms of small ε and δ are together, about.

Rules of this file: the limit is enclosed; of a finite composition it proves nothing, and no bound
of this package rests on it.

Theory of operation: if the squares of the ε of n mechanisms add up to about μ² and their δ to about
D, and no ε nor δ among them stays large, their composition has about the trade-off function of
μ-Gaussian privacy times that of a failure of probability 1 − e^(−D). Its profile is
1 − e^(−D)·(1 − δ_μ(ε)), with the profile δ_μ of Gaussian noise.

Source: Dong, Roth, Su, "Gaussian differential privacy", 2022, Theorem 3.7 and its version with δ;
Smith et al., PoPETs 2022, Theorem 4, where the limits of the δ are misprinted.
"""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.composition.engines.gaussian import curve

_BITS = 128


def limit_of_profile(mu: mpq, failures: mpq, epsilon: mpq) -> tuple[mpq, mpq]:
    """δ at ε of the limit, from below and from above.

    Args:
        mu: the root of the sum of the ε².
        failures: the sum of the δ.
        epsilon: ε >= 0.
    """
    least, most = curve.delta(mu, epsilon, "1e-15")
    with precision(_BITS):
        none = (-ball_of_rational(failures)).exp()
        low, high = (1 - none * (1 - ball_of_rational(end)) for end in (least, most))
        return max(mpq(0), lower_end(low)), min(mpq(1), upper_end(high))
