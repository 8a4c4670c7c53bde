r"""Rényi divergences of mechanisms by their noise, for the rule ``moments``.

Rules of this file: a divergence is from above, times α - 1 and 2^bits; a mechanism without a bound
here is rejected.

Theory of operation: each mechanism has the divergences of the pairs that dominate it, or those that
are listed; shuffled batches are Gaussian noise for someone who is told the batch.

Sources: certs/SPEC.md, section 11.14; Mironov, CSF 2017, Propositions 1 and 6 (Laplace); Canonne,
Kamath & Steinke, arXiv:2004.00010, Proposition 5 (discrete Gaussian); Cesar & Rogers, ALT 2021,
Lemmas 3.2 and 3.4 of arXiv:2004.07223 (bounded range); van Erven & Harremoës, IEEE Trans. Inf.
Theory 60(7), 2014, Theorem 3 (the divergence does not fall with its order); Mironov, Talwar &
Zhang, arXiv:1908.10530, section 3.3 (Poisson samples, integer orders).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Final

from ..arithmetic.enclosures import enclose_exact, exp_fixed
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from .conversion import logarithm, of_response
from .curves import Normal, Range, SampledCurve, TwoSided
from .discrete_noise import DiscreteNormal, Geometric
from .divergent import scaled_list
from .ledger import Ledger
from .noise import divergences_of, dominating
from .pairs_of_laws import Dominating
from .small_orders import exponents_below_two
from .tables import Response, SampledTable, Written

MAX_SAMPLED_ORDER: Final = 4096
_UNKNOWN: Final = "the Rényi divergences of such a sample are not known here"


def of_noise(ledger: Ledger, alpha: Fraction, bits: int) -> int:
    """The divergences of what is given by its noise, added up."""
    alone = replace(ledger, mechanisms=(), gaussian=(), concentrated=())
    most = sum(count * _most(pair, alpha, bits) for pair, count in dominating(alone, bits))
    for listed in divergences_of(ledger):
        most += listed.count * scaled_list(listed, alpha, bits)
    return most


def _most(pair: Dominating, alpha: Fraction, bits: int) -> int:
    match pair:
        case Written():
            both = (pair.p, pair.q), (pair.q, pair.p)
            most = max(_of_laws(p, q, alpha, bits) for p, q in both)
        case Response():
            most = of_response(pair.epsilon, alpha, bits)
        case Geometric():
            most = of_response(Number(pair.shift / pair.scale), alpha, bits)
        case TwoSided():
            most = _of_laplace(pair.most, alpha, bits)
        case SampledCurve(curve=base, rate=rate) | SampledTable(table=base, rate=rate):
            if not isinstance(base, Normal | TwoSided | Geometric | DiscreteNormal):
                raise RejectedError(_UNKNOWN)
            most = _of_sample(base, rate, alpha, bits)
        case _:
            most = enclose_exact(alpha * (alpha - 1) * _rho(pair), bits)[1]
    return most


def _rho(pair: Dominating) -> Fraction:
    """The ρ of what is concentrated."""
    match pair:
        case Normal():
            return pair.square / 2
        case DiscreteNormal():
            return Fraction(pair.shift**2) / (2 * pair.variance)
        case Range():
            return pair.epsilon**2 / 8
        case _:
            raise RejectedError(_UNKNOWN)


def _of_laplace(most: Fraction, alpha: Fraction, bits: int) -> int:
    """The value of (α-1)a + ln(α + (α-1)e^{-(2α-1)a}) - ln(2α-1)."""
    one, double = 1 << bits, 2 * alpha - 1
    _, high = _exp(-double * most, bits)
    inside = logarithm(alpha + (alpha - 1) * Fraction(high, one), bits)[1]
    return enclose_exact((alpha - 1) * most, bits)[1] + inside - logarithm(double, bits)[0]


def _of_laws(p: Sequence[Fraction], q: Sequence[Fraction], alpha: Fraction, bits: int) -> int:
    """The value of ln Σ q·(p/q)^α."""
    exponents = []
    for one, other in zip(p, q, strict=True):
        if one and not other:
            raise RejectedError("an answer is possible on one input alone")
        if one:
            pay(12 * of_division(bits + size(alpha) + size(one)))
            above, below = logarithm(one, bits)[1], logarithm(other, bits)[0]
            exponents.append(alpha * above + (1 - alpha) * below)
    return _log_of_sum(exponents, bits)


def _of_sample(base: Dominating, rate: Fraction, alpha: Fraction, bits: int) -> int:
    """The value of ln Σ C(α, k)(1 - q)^{α-k}q^k·e^{(k-1)D_k}, of what is its own reverse.

    Of Gaussian noise also at orders below 2.
    """
    if alpha < 2 and isinstance(base, Normal):
        parts = exponents_below_two(base.square, rate, alpha, bits)
        return _log_of_sum([Fraction(each) for each in parts], bits)
    if alpha.denominator > 1 or alpha > MAX_SAMPLED_ORDER:
        raise RejectedError(f"alpha is no integer up to {MAX_SAMPLED_ORDER}, beside a sample")
    order = alpha.numerator
    pay((order + 1) * (2000 + order * of_product(order) // 16))
    without, there = (logarithm(each, bits)[1] for each in (1 - rate, rate))
    exponents = []
    for k in range(order + 1):
        chosen = logarithm(Fraction(comb(order, k)), bits)[1]
        most = _most(base, Fraction(k), bits) if k > 1 else 0
        exponents.append(Fraction(chosen + (order - k) * without + k * there + most))
    return _log_of_sum(exponents, bits)


def _log_of_sum(exponents: Sequence[Fraction], bits: int) -> int:
    """The logarithm of a sum of exponentials, of exponents times 2^bits."""
    pay(sum(8 * of_division(bits + size(each)) for each in exponents))
    highest = max(exponents)
    total = sum(_exp((each - highest) / (1 << bits), bits)[1] for each in exponents)
    return -int(-highest // 1) + logarithm(Fraction(total, 1 << bits), bits)[1]


def _exp(exponent: Fraction, bits: int) -> tuple[int, int]:
    """The exponential of a rational of at most 0."""
    if exponent < -bits:
        return 0, 1
    return exp_fixed(enclose_exact(exponent, bits), bits)
