r"""Certificates of what an attack on membership gains, as it is printed.

Rules of this file: an end is proved by one claim (ε, δ), from which it follows by a comparison of
rationals; what needs more than one claim is computed.

Theory of operation: with y = e^ε, (ε, δ) for neighbours in either order implies true positives of
at most δ + yα and of at most 1 - (1 - δ - α)/y at false positives of α (see
:mod:`exactdp.attacks.power`). Right guesses from a prior p, or from 1 - p, are exactly 1 - p + pδ
at y = (1 - p)/p, where δ is the least at ln y, and the advantage is the least δ at 0.

Where (ε, δ) fails, some test has true positives of more than δ + yq at some q false ones. It is
mixed with saying "in" always if q < α, and else with saying so never: the least over all q of what
it then finds at α is min(α + δ(1 - α), αy/(1 - δ)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.power import RatioPoint, both_roles, least_power
from exactdp.attacks.results import Risk, TruePositives
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.point_proofs import Deciding, PointProofs, prove_point
from exactdp.composition.planner import DEFAULT_MAX_COST

PrintedEnds = tuple[mpq, mpq]
"""A lower and an upper end."""
_WIDTH = mpq(1, 10**9)
_SHARES = (mpq(1, 10**4), mpq(1, 10**6), mpq(1, 10**9))
_CLAIM_DIGITS = 12


def delta_implying(ratio: mpq, alpha: mpq, most: mpq) -> tuple[ExactNumber, mpq]:
    r"""The claim with the greatest δ that implies true positives of at most ``most``.

    Args:
        ratio: of a point of the profile; below 1 that of exchanged roles.
        alpha: the rate of false positives.
        most: the rate of true positives.

    >>> epsilon, delta = delta_implying(mpq(2), mpq(1, 10), mpq(3, 10))
    >>> print(epsilon, delta)
    ln(2) 1/10
    """
    if ratio >= 1:
        return ExactNumber.ln(ratio), most - ratio * alpha
    return ExactNumber.ln(1 / ratio), 1 - alpha - (1 - most) / ratio


def delta_refuting(ratio: mpq, alpha: mpq, least: mpq) -> tuple[ExactNumber, mpq]:
    r"""The claim with the least δ whose failure shows true positives of more than ``least``.

    Args:
        ratio: of a point of the profile; below 1 that of exchanged roles.
        alpha: the rate of false positives.
        least: the rate of true positives, at least ``alpha``.

    >>> epsilon, delta = delta_refuting(mpq(3), mpq(1, 10), mpq(1, 5))
    >>> print(epsilon, delta)
    ln(3) 1/9
    """
    height = max((least - alpha) / (1 - alpha), 1 - ratio * alpha / least)
    if ratio >= 1:
        return ExactNumber.ln(ratio), max(height, mpq(0))
    return ExactNumber.ln(1 / ratio), max(1 - (1 - height) / ratio, mpq(0))


def delta_of_guesses(prior: mpq, success: mpq) -> tuple[ExactNumber, mpq]:
    r"""The ε of a prior, and the δ at which guesses are right with this probability.

    >>> epsilon, delta = delta_of_guesses(mpq(1, 4), mpq(4, 5))
    >>> print(epsilon, delta)
    ln(3) 1/5
    """
    lesser = min(prior, 1 - prior)
    return ExactNumber.ln((1 - lesser) / lesser), (success - 1 + lesser) / lesser


def claims_refuting(
    points: Sequence[RatioPoint], alpha: mpq, least: mpq
) -> list[tuple[ExactNumber, mpq]]:
    """Claims, the first of which fails and the others hold, that show more true positives.

    They are those of a point and of one on each side of it, a little wider, as their certificates
    may need.

    Args:
        points: of the profile of a ledger.
        alpha: the rate of false positives.
        least: the rate of true positives that is exceeded.

    Returns:
        None at all where the points, so much wider, show no more than ``least``.
    """
    for share in _SHARES:
        found = least_power([_wider(point, share) for point in points], alpha)
        if found.value > least:
            ends = [(each.source, not at) for at, each in enumerate(found.points)]
            return [(of.epsilon, of.lower_end if fails else of.upper_end) for of, fails in ends]
    return []


def _wider(point: RatioPoint, share: mpq) -> RatioPoint:
    """A point with both ends moved outward by a share of δ."""
    low = round_below(point.source.lower_end * (1 - share), _CLAIM_DIGITS)
    high = min(round_above(point.source.upper_end * (1 + share), _CLAIM_DIGITS), mpq(1))
    source = replace(point.source, lower_end=low, upper_end=high)
    own, inverse = both_roles(max(point.ratio, 1 / point.ratio), source)
    return own if point.ratio >= 1 else inverse


def prove_risk(
    found: Risk, printed: Sequence[PrintedEnds], max_cost: int = DEFAULT_MAX_COST
) -> list[PointProofs]:
    """The certificates of true positives, of right guesses and of the advantage, in turn.

    Args:
        found: what an attack gains.
        printed: the ends of each, as they are printed.
        max_cost: refuse work predicted to cost more; what is refused is computed.
    """
    decide = partial(certify, found.ledger, max_cost=max_cost)
    first, rest = len(found.rates), printed[len(found.rates) :]
    proofs = [
        _of_rate(decide, rate, ends)
        for rate, ends in zip(found.rates, printed[:first], strict=True)
    ]
    for guess, ends in zip(found.guesses, rest[:-1], strict=True):
        (epsilon, low), (_, high) = (delta_of_guesses(guess.prior, end) for end in ends)
        proofs.append(prove_point(decide, epsilon, (max(low, mpq(0)), high), _WIDTH))
    return [*proofs, prove_point(decide, ExactNumber(mpq(0)), printed[-1], _WIDTH)]


def _of_rate(decide: Deciding, rate: TruePositives, ends: PrintedEnds) -> PointProofs:
    """The upper end; the lower one takes three points, and no rule has that conclusion."""
    if rate.ratio is None:
        return PointProofs({}, ())
    epsilon, delta = delta_implying(rate.ratio, rate.fpr, ends[1])
    return prove_point(decide, epsilon, (mpq(0), delta), _WIDTH)
