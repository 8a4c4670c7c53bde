r"""The rules about Gaussian mechanisms, alone and among others.

Rules of this file: an upper bound takes the profile from above and counts lost weight in full, a
lower bound takes it from below and leaves lost weight out; what stands for a mechanism in a lower
bound has its parameters exactly.

Theory of operation: Gaussian mechanisms compose to one with the root of Σμ² for its μ. Beside
randomized responses with privacy loss L, the hockey-stick divergence of the whole is the mean of
the Gaussian profile over their loss,

    D(e^ε) = Σ_L w(L)·G_μ(ε - L),

and every adaptive composition of mechanisms with these parameters is (ε, δ)-DP if D(e^ε) <= Δ. In
z = e^{-L} each term is convex and does not rise, so that atoms may be split as in ``bracket``. From
below: a Gaussian mechanism with μ² = 2ρ is ρ-zCDP, and may stand for one.

Sources: certs/SPEC.md, sections 7.16 to 7.19; Dong, Roth & Su, "Gaussian differential privacy",
J. R. Stat. Soc. B 84(1), 2022, with the numbers of arXiv:1905.02383: Corollary 2.13 (the profile),
Theorem 3.2 (composition), Corollary 3.3 (of Gaussian mechanisms); Bun & Steinke, TCC 2016-B,
Proposition 1.6 (Gaussian mechanisms are zCDP).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

from ..arithmetic.enclosures import Enclosure, bits_for, enclose, enclose_rationals
from ..arithmetic.normal import gaussian_profile
from ..arithmetic.products import Weights
from ..arithmetic.products import product as product_of_weights
from ..format.numbers import linear
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Step, Subject, finite_epsilon
from .bracket import on_mesh
from .costs import groups, with_pair
from .fixed_point import compare, compare_on_grid, delta_of, exact_block, on_grid, working_bits
from .zcdp import failure_of_pair

_GUARD: Final = 40


def check_gaussian(subject: Subject, step: Step) -> None:
    """Gaussian mechanisms and mere failures: G_μ(ε) <= Δ, or G_μ(ε) > Δ."""
    if any(mechanism.positive for mechanism in subject.mechanisms):
        raise RejectedError("is about mechanisms given by mu alone")
    bits = bits_for(step.digits) + _GUARD
    square = _square(subject, step, bits)
    if not square:
        raise RejectedError("no mu is above 0")
    low, high = gaussian_profile(enclose(finite_epsilon(step.bound), bits), square, bits)
    delta_low, delta_high = delta_of(subject.mechanisms, step, bits)
    if step.bound.kind == "upper":
        if high > delta_low:
            raise RejectedError("the divergence is not proved to be at most Δ")
    elif low <= delta_high:
        raise RejectedError("the divergence is not proved to be above Δ")


def check_gaussian_mixture(subject: Subject, step: Step) -> None:
    """Gaussian mechanisms among a few given by (ε, δ), all of whose atoms are listed."""
    bits = working_bits(step, subject.count)
    square = _square(subject, step, bits)
    if not square:
        raise RejectedError("no mu is above 0")
    epsilon_low, epsilon_high = enclose(finite_epsilon(step.bound), bits)
    kept = total = 0
    for weight, (loss_low, loss_high) in _atoms(subject, step, bits):
        rest = epsilon_low - loss_high, epsilon_high - loss_low
        low, high = gaussian_profile(rest, square, bits)
        kept += weight * (high if step.bound.kind == "upper" else max(0, low))
        total += weight
    compare(subject.mechanisms, step, kept, total, bits)


def _atoms(subject: Subject, step: Step, bits: int) -> Iterator[tuple[int, Enclosure]]:
    """The weight, from below, and the loss of every choice of untruthful answers."""
    scale = 10**step.digits
    blocks = []
    for epsilon, count in groups(subject.mechanisms):
        low, high = enclose(epsilon, bits)
        block = []
        for j, weight in exact_block(epsilon, count, step.digits).items():
            ends = (count - 2 * j) * low, (count - 2 * j) * high
            block.append((weight, min(ends), max(ends)))
        blocks.append(block)
    for choice in product(*blocks):
        weight = scale
        for one, _, _ in choice:
            weight = weight * one // scale
        yield weight, (sum(low for _, low, _ in choice), sum(high for _, _, high in choice))


def check_gaussian_mesh(subject: Subject, step: Step) -> None:
    """Gaussian mechanisms among any given by (ε, δ), whose losses are moved to a mesh."""
    square = _square(subject, step, working_bits(step, subject.count))
    if step.bound.kind == "upper":
        _check_upper(subject.mechanisms, square, step)
        return
    total, factors = on_grid(subject.mechanisms, step)
    _compare(subject.mechanisms, square, step, factors, (total, 2))


def check_zcdp_pair(subject: Subject, step: Step) -> None:
    """Those given by ρ as one more mechanism, which is (pair, δ')-DP."""
    bits = bits_for(step.digits) + _GUARD
    failure = failure_of_pair(subject, step, bits)
    square = _sum_of([(m.count, m.parameter**2) for m in subject.gaussian], step, bits)
    _check_upper(with_pair(subject, step, failure), square, step)


def _square(subject: Subject, step: Step, bits: int) -> Fraction:
    """Σμ²; from below ρ counts as 2ρ."""
    squares = [(m.count, m.parameter**2) for m in subject.gaussian]
    if step.bound.kind == "lower":
        squares += [(2 * m.count, m.parameter) for m in subject.concentrated]
    elif subject.has_rho:
        raise RejectedError("mechanisms given by rho have no upper bound here")
    return _sum_of(squares, step, bits)


def _sum_of(squares: Sequence[tuple[int, Fraction]], step: Step, bits: int) -> Fraction:
    """A sum, to so many bits of its own: from above for ``upper``, as G grows with μ."""
    terms = [(count, value) for count, value in squares if value]
    if not terms:
        return Fraction(0)
    above_one = max(v.numerator.bit_length() - v.denominator.bit_length() for _, v in terms)
    places = bits + max(0, 1 - above_one)
    low, high = enclose_rationals(terms, places)
    return Fraction(high if step.bound.kind == "upper" else low, 1 << places)


def _check_upper(mechanisms: Sequence[Mechanism], square: Fraction, step: Step) -> None:
    total, factors = on_mesh(mechanisms, step)
    _compare(mechanisms, square, step, factors, (total, 1))


def _compare(
    mechanisms: Sequence[Mechanism],
    square: Fraction,
    step: Step,
    factors: tuple[Weights, Weights],
    losses: tuple[int, int],
) -> None:
    """Compare D with Δ, for L_s = (total - stride·s)·unit and ``losses`` = (total, stride)."""
    total, stride = losses
    if not square:
        compare_on_grid(mechanisms, step, factors, total, stride)
        return
    epsilon, bits = finite_epsilon(step.bound), working_bits(step, total)
    terms = [dict(enumerate(values, first)) for first, values in factors]
    first, weights = product_of_weights(terms, step.digits)
    kept = 0
    for s, weight in enumerate(weights, first):
        if weight:
            rest = enclose(linear([(1, epsilon), (stride * s - total, step.unit)]), bits)
            low, high = gaussian_profile(rest, square, bits)
            kept += weight * (high if step.bound.kind == "upper" else max(0, low))
    compare(mechanisms, step, kept, sum(weights), bits)
