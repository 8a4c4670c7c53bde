r"""The rules that go through concentrated and Rényi differential privacy.

Rules of this file: every α > 1 gives a bound that holds, and a certificate names its own. An
``underivable`` bound is about the formula alone; it says that no α at all would do.

Theory of operation: failures are kept apart. An (ε_i, δ_i)-DP mechanism is ε_i-DP unless it
fails, with probability δ_i, so that what is left for the others is Δ = 1 - (1 - δ)/∏(1 - δ_i).
Mechanisms with Rényi divergences τ_i(α) compose to one with Στ_i(α) = τ(α), and that is
(ε, δ')-DP for

    ln δ' = g(α) = (α - 1)(τ(α) - ε) + α·ln(1 - 1/α) - ln(α - 1).

With ρ for the whole, τ(α) = αρ and g'(α) = (2α - 1)ρ - ε + ln(1 - 1/α); as g'' > 2ρ, g is nowhere
below g(α) - g'(α)²/(4ρ), whatever α is.

Sources: certs/SPEC.md, sections 7.13 to 7.15; Canonne, Kamath & Steinke, NeurIPS 2020,
arXiv:2004.00010, Proposition 12 and Corollary 13; Bun & Steinke, TCC 2016-B, Propositions 1.3 and
1.4, Lemma 1.7; Mironov, CSF 2017, Propositions 1 and 5; Dong, Roth & Su, J. R. Stat. Soc. B 84(1),
2022.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..arithmetic.enclosures import (
    Enclosure,
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_ln,
    enclose_rationals,
    exp_fixed,
)
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from ..statement import Step, Subject, finite_epsilon
from .costs import groups
from .fixed_point import delta_of

_GUARD: Final = 60


def check_bun_steinke(subject: Subject, step: Step) -> None:
    """(ρ + 2·√(ρ·ln(1/Δ)), Δ) is what ρ-zCDP gives: ε is at least that, or below it."""
    bits = _bits(subject, step)
    rho_low, rho_high = _total_rho(subject, bits)
    epsilon_low, epsilon_high = enclose(finite_epsilon(step.bound), bits)
    log_low, log_high = _log_delta(subject, step, bits)
    if step.bound.kind == "upper":
        room = epsilon_low - rho_high
        if room < 0 or room * room < -4 * rho_high * log_low:
            raise RejectedError("epsilon is not proved to be what the formula gives, or more")
    else:
        room = epsilon_high - rho_low
        if room >= 0 and room * room >= -4 * rho_low * log_high:
            raise RejectedError("epsilon is not proved to be below what the formula gives")


def check_canonne_kamath_steinke(subject: Subject, step: Step) -> None:
    """All mechanisms as zCDP: g(α) <= ln Δ, or ln Δ < g(α) - g'(α)²/(4ρ)."""
    bits = _bits(subject, step)
    rho = _total_rho(subject, bits)
    alpha = step.alpha
    scaled = _times(rho, alpha * (alpha - 1))
    low, high = _log_failure(scaled, finite_epsilon(step.bound), alpha, bits)
    log_low, log_high = _log_delta(subject, step, bits)
    if step.bound.kind == "upper":
        if high > log_low:
            raise RejectedError("this alpha is not proved to give delta")
        return
    if rho[0] <= 0:
        raise RejectedError("rho is not proved to be above 0")
    slope = _slope(rho, finite_epsilon(step.bound), alpha, bits)
    steepest = max(abs(end) for end in slope)
    if low - ceil_div(steepest * steepest, 4 * rho[0]) <= log_high:
        raise RejectedError("it is not proved that no alpha gives delta")


def check_renyi(subject: Subject, step: Step) -> None:
    """Pure mechanisms with the divergence of randomized response: g(α) <= ln Δ."""
    bits = _bits(subject, step)
    alpha = step.alpha
    low, high = _times(enclose_rationals(_noise(subject), bits), alpha * (alpha - 1))
    for epsilon, count in groups(subject.mechanisms):
        part_low, part_high = _scaled_divergence(epsilon, alpha, bits)
        low, high = low + count * part_low, high + count * part_high
    _, most = _log_failure((low, high), finite_epsilon(step.bound), alpha, bits)
    if most > _log_delta(subject, step, bits)[0]:
        raise RejectedError("this alpha is not proved to give delta")


def failure_of_pair(subject: Subject, step: Step, bits: int) -> Fraction:
    """A δ' with which the mechanisms given by ρ compose to (pair, δ')-DP, by Corollary 13."""
    rho = enclose_rationals([(m.count, m.parameter) for m in subject.concentrated], bits)
    scaled = _times(rho, step.alpha * (step.alpha - 1))
    low, high = _log_failure(scaled, step.pair, step.alpha, bits)
    if high >= 0:
        raise RejectedError("this alpha gives no delta below 1 for the pair")
    return Fraction(exp_fixed((low, high), bits)[1], 1 << bits)


def _bits(subject: Subject, step: Step) -> int:
    return bits_for(step.digits) + _GUARD + 2 * subject.count.bit_length()


def _noise(subject: Subject) -> list[tuple[int, Fraction]]:
    """The mechanisms given by μ and ρ as zCDP: their counts, with μ²/2 and ρ."""
    gaussian = [(m.count, m.parameter**2 / 2) for m in subject.gaussian]
    return gaussian + [(m.count, m.parameter) for m in subject.concentrated]


def _total_rho(subject: Subject, bits: int) -> Enclosure:
    """All as zCDP: Σρ + Σμ²/2 + Σε²/2."""
    low, high = enclose_rationals(_noise(subject), bits)
    for epsilon, count in groups(subject.mechanisms):
        size_low, size_high = enclose(epsilon, bits)
        low += count * max(size_low, 0) ** 2 >> bits + 1
        high += ceil_shift(count * size_high**2, bits + 1)
    return low, high


def _log_failure(scaled: Enclosure, epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """g(α), for ``scaled`` = (α - 1)·τ(α)."""
    parts = (
        scaled,
        _times(enclose(epsilon, bits), 1 - alpha),
        _times(_ln(1 - 1 / alpha, bits), alpha),
        _times(_ln(alpha - 1, bits), Fraction(-1)),
    )
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _slope(rho: Enclosure, epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """g'(α) where all is zCDP."""
    parts = (
        _times(rho, 2 * alpha - 1),
        _times(enclose(epsilon, bits), Fraction(-1)),
        _ln(1 - 1 / alpha, bits),
    )
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _scaled_divergence(epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """(α - 1)·τ(α) of randomized response: (α-1)ε + ln(1 + e^{-(2α-1)ε}) - ln(1 + e^{-ε})."""
    size = enclose(epsilon, bits)
    parts = (
        _times(size, alpha - 1),
        _ln_one_plus_exp(_times(size, 1 - 2 * alpha), bits),
        _times(_ln_one_plus_exp(_times(size, Fraction(-1)), bits), Fraction(-1)),
    )
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _ln_one_plus_exp(argument: Enclosure, bits: int) -> Enclosure:
    """ln(1 + e^x) for x <= 0."""
    low, high = exp_fixed(argument, bits)
    one = 1 << bits
    return _ln(Fraction(one + low, one), bits)[0], _ln(Fraction(one + high, one), bits)[1]


def _log_delta(subject: Subject, step: Step, bits: int) -> Enclosure:
    """The logarithm of Δ."""
    low, high = delta_of(subject.mechanisms, step, bits)
    if low <= 0:
        raise RejectedError("too few digits: Δ may be 0")
    one = 1 << bits
    return _ln(Fraction(low, one), bits)[0], _ln(Fraction(high, one), bits)[1]


def _ln(ratio: Fraction, bits: int) -> Enclosure:
    """The logarithm of any rational above 0."""
    if ratio >= 1:
        return enclose_ln(ratio, bits)
    low, high = enclose_ln(1 / ratio, bits)
    return -high, -low


def _times(value: Enclosure, factor: Fraction) -> Enclosure:
    low, high = value if factor >= 0 else value[::-1]
    return (
        low * factor.numerator // factor.denominator,
        ceil_div(high * factor.numerator, factor.denominator),
    )
