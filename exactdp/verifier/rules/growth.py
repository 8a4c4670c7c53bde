r"""Quantities that grow like exponentials, from above: concurrent composition and group privacy.

Rules of this file: a quantity is a pair (m, k) that stands for m·2^k and is never below what it
stands for; sums and products only, so that nothing cancels. A privacy parameter may be enormous
and a count may be 10^18: exponents are integers of any size, and a mantissa keeps its width.

Theory of operation: 1 + x + … + x^{n-1} for x = e^ε is found by doubling n, without division.
A group of g inputs is a path of g neighbours: (ε, δ) at each step add up to gε and
δ·(1 + e^ε + … + e^{(g-1)ε}). The same sum weighs equal mechanisms of a concurrent composition.

Sources: certs/SPEC.md, sections 7.20 to 7.22;
Vadhan & Wang, TCC 2021, Theorem 4.1; Dwork & Roth 2014, Theorem 2.2, and its proof for δ > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from ..arithmetic.enclosures import bits_for, ceil_div, ceil_shift, enclose, exp_floating
from ..arithmetic.signs import sign, sign_of_sum
from ..format.numbers import Number, canonical, rational_text
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Scaled, Step, Subject, finite_epsilon

_GUARD: Final = 40
_ONE: Final = (1, 0)

Above: TypeAlias = tuple[int, int]
"""m·2^k, not below what it stands for; m >= 0."""


# --- arithmetic ---------------------------------------------------------------------------------


def _trimmed(value: Above, bits: int) -> Above:
    m, k = value
    excess = m.bit_length() - bits
    return (ceil_shift(m, excess), k + excess) if excess > 0 else value


def _times(one: Above, other: Above, bits: int) -> Above:
    return _trimmed((one[0] * other[0], one[1] + other[1]), bits)


def _plus(one: Above, other: Above, bits: int) -> Above:
    """The sum; what is far below the last bit counts as that bit."""
    (m, k), (n, j) = sorted((one, other), key=lambda v: (v[0] > 0, v[0].bit_length() + v[1]))
    if not m:
        return n, j
    low = max(min(k, j), n.bit_length() + j - bits)
    small = m << (k - low) if k >= low else ceil_shift(m, low - k)
    large = n << (j - low) if j >= low else ceil_shift(n, low - j)
    return _trimmed((small + large, low), bits)


def _fraction(value: Fraction, bits: int) -> Above:
    shift = bits + value.denominator.bit_length()
    return _trimmed((ceil_div(value.numerator << shift, value.denominator), -shift), bits)


def _exp(number: Number, bits: int) -> Above:
    _, high, exponent = exp_floating(enclose(number, bits), bits)
    return _trimmed((high, exponent - bits), bits)


def _powers(x: Above, count: int, bits: int) -> tuple[Above, Above]:
    """x^count, and 1 + x + … + x^(count-1)."""
    power: Above = _ONE
    total: Above = (0, 0)
    for bit in f"{count:b}":  # from n to 2n, and to 2n + 1
        total = _times(total, _plus(_ONE, power, bits), bits)
        power = _times(power, power, bits)
        if bit == "1":
            total = _plus(total, power, bits)
            power = _times(power, x, bits)
    return power, total


def _exceeds(value: Above, limit: Fraction) -> bool:
    """Whether m·2^k > limit, for a limit of at most 1."""
    m, k = value
    if m and m.bit_length() + k > 1:  # at least 2
        return True
    return m * limit.denominator << max(k, 0) > limit.numerator << max(-k, 0)


# --- concurrent composition ---------------------------------------------------------------------


def check_concurrent_basic(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """(Σ ε_i, Σ_i e^{Σ_{j<i} ε_j} δ_i) for one order of the mechanisms; any order will do."""
    epsilon = finite_epsilon(step.bound)
    if sign_of_sum([(1, epsilon), *((-m.count, m.epsilon) for m in mechanisms)]) < 0:
        raise RejectedError("epsilon is below the sum")
    count = sum(mechanism.count for mechanism in mechanisms)
    bits = bits_for(step.digits) + _GUARD + 2 * count.bit_length()
    failing = [m for m in mechanisms if m.delta]
    before: Above = _ONE
    total: Above = (0, 0)
    for mechanism in sorted(failing, key=lambda m: _urgency(m, bits), reverse=True):
        odds = _exp(mechanism.epsilon, bits) if mechanism.positive else _ONE
        power, weights = _powers(odds, mechanism.count, bits)
        failure = _times(_fraction(mechanism.delta, bits), before, bits)
        total = _plus(total, _times(failure, weights, bits), bits)
        before = _times(before, power, bits)
    if _exceeds(total, step.bound.delta):
        raise RejectedError("delta is not proved to be at least what this order gives")


def _urgency(mechanism: Mechanism, bits: int) -> tuple[bool, int, int]:
    """δ/(e^ε - 1) to sort by, about: whether it is infinite, else its exponent and mantissa."""
    if not mechanism.positive:
        return True, 0, 0
    low, _, exponent = exp_floating(enclose(mechanism.epsilon, bits), bits)
    shift = min(exponent, bits)  # what is subtracted is less than a unit of the trimmed growth
    growth = (low << shift) - (1 << bits) if exponent >= 0 else 0
    if growth <= 0:
        return True, 0, 0
    g, j = _trimmed((growth, exponent - shift - bits), bits)
    m, k = _fraction(mechanism.delta, bits)
    quotient = (m << 2 * bits) // g
    width = quotient.bit_length()
    return False, width + k - j, quotient << (4 * bits - width)


# --- groups -------------------------------------------------------------------------------------


def check_group_privacy(_subject: Subject, step: Step) -> None:
    """``upper``: g steps of (ε, δ). ``lower``: who is alone is in a group of at most g."""
    [given] = step.given
    if step.bound.kind == "lower":
        _check_same(step)
        return
    epsilon = finite_epsilon(given)
    if sign_of_sum([(1, finite_epsilon(step.bound)), (-step.bound.group, epsilon)]) < 0:
        raise RejectedError("epsilon is below g times that of the premise")
    if not _covers(step.bound.delta, given.delta, epsilon, step):
        raise RejectedError("delta is not proved to be at least that of g steps")


def check_group_mechanisms(subject: Subject, step: Step) -> None:
    """``upper``: the bound of the premise, which is about :func:`of_groups`."""
    for mechanism, delta in zip(subject.mechanisms, step.deltas, strict=True):
        if not _covers(delta, mechanism.delta, mechanism.epsilon, step):
            raise RejectedError("one of the deltas is not proved to be at least that of g steps")
    _check_same(step)


def _check_same(step: Step) -> None:
    [given] = step.given
    if (step.bound.epsilon, step.bound.delta) != (given.epsilon, given.delta):
        raise RejectedError("epsilon and delta are not those of the premise")


def _covers(limit: Fraction, delta: Fraction, epsilon: Number, step: Step) -> bool:
    """Whether δ·(1 + e^ε + … + e^{(g-1)ε}) is at most the limit."""
    group = step.bound.group
    if not delta or sign(epsilon) == 0:
        return delta * group <= limit
    bits = bits_for(step.digits) + _GUARD + 2 * group.bit_length()
    _, weights = _powers(_exp(epsilon, bits), group, bits)
    return not _exceeds(_times(_fraction(delta, bits), weights, bits), limit)


def of_groups(subject: Subject, step: Step) -> Subject:
    """What the mechanisms are for a group of g: gε with the deltas of the step, gμ, and g²ρ."""
    if len(step.deltas) != len(subject.mechanisms):
        raise RejectedError(f"rule {step.rule}: not as many deltas as mechanisms")
    group = step.bound.group
    counts: dict[tuple[str, str], int] = {}
    pairs: dict[tuple[str, str], Mechanism] = {}
    for mechanism, delta in zip(subject.mechanisms, step.deltas, strict=True):
        epsilon = mechanism.epsilon.scaled(group)
        texts = (canonical(epsilon), rational_text(delta))
        counts[texts] = counts.get(texts, 0) + mechanism.count
        pairs[texts] = Mechanism(epsilon, delta, counts[texts], positive=mechanism.positive)
    return Subject(
        tuple(pairs[texts] for texts in sorted(pairs)),
        _by_text(subject.gaussian, group),
        _by_text(subject.concentrated, group * group),
    )


def _by_text(entries: Sequence[Scaled], factor: int) -> tuple[Scaled, ...]:
    scaled = [Scaled(entry.parameter * factor, entry.count) for entry in entries]
    return tuple(sorted(scaled, key=lambda entry: rational_text(entry.parameter)))
