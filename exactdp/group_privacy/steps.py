r"""Steps to groups: what a mechanism is for a group, what is left to neighbours, and certificates.

Rules of this file: a δ that a group spends is rounded up, one that is left to neighbours down, each
by a little more than a checker will lose.

Sources: as for :mod:`exactdp.group_privacy.answers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import ceil_to, places_within, round_above, round_below
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism

BITS: Final = 256
CHECKED_DIGITS: Final = 40
"""To how many digits a checker computes."""
_DELTA_DIGITS: Final = 30
_MOST_STEPS: Final = 64
_SPARE: Final = mpq(1, mpz(10) ** _DELTA_DIGITS)


def scale_to_group(ledger: Ledger, group: int) -> Ledger | None:
    """The ledger of what each mechanism is for a group, δ rounded up; None if one reaches 1."""
    entries = []
    for each in ledger.parametric():
        scaled, known = each.scaled(mpq(group)), each.implied_epsilon_delta()
        if known is not None:
            delta = delta_of_group(*known, group)
            if delta >= 1:
                return None
            scaled = Mechanism(known[0] * group, delta, each.count, each.label)
        entries.append(scaled)
    return replace(ledger, mechanisms=tuple(entries), claims=())


def scaled_for(ledger: Ledger, group: int) -> Ledger:
    """The ledger of what each mechanism is for a group.

    Raises:
        InputError: a δ would reach 1.
    """
    scaled = scale_to_group(ledger, group)
    if scaled is None:
        raise InputError(
            field="--group",
            value=str(group),
            expected="mechanisms whose δ stays below 1 for the group",
            remedy="compose --group knows another way",
        )
    return scaled


def delta_of_group(epsilon: ExactNumber, delta: mpq, group: int) -> mpq:
    """δ·(1 + e^ε + … + e^{(g-1)ε}): exactly where ε or δ is 0, else a short decimal above it."""
    if not delta or sign(epsilon) == 0:
        return delta * group
    with precision(BITS):
        size = (group - 1) * ball(epsilon) + ball_of_rational(delta).log()
        if size > 0:
            return mpq(1)  # one summand alone
        spent = upper_end(ball_of_rational(delta) * failure_growth(epsilon, group))
    return round_above(spent * (1 + _SPARE), _DELTA_DIGITS)


def delta_for_neighbours(epsilon: ExactNumber, delta: mpq, group: int) -> mpq:
    """A δ that neighbours may spend at ε so that a group spends ``delta``; a short decimal."""
    if not delta or sign(epsilon) == 0:
        return delta / group
    with precision(BITS):
        left = lower_end(ball_of_rational(delta) / failure_growth(epsilon, group))
    return round_below(left * (1 - _SPARE), _DELTA_DIGITS)


def failure_growth(epsilon: ExactNumber, group: int) -> arb:
    """A ball of 1 + e^ε + … + e^{(g-1)ε}, for ε > 0, at the precision of the context."""
    return (group * ball(epsilon)).expm1() / ball(epsilon).expm1()


def group_mechanisms_certificate(subject: Subject, premise: Certificate, group: int) -> Certificate:
    """The step ``group`` with deltas, after a certificate about :func:`scale_to_group`."""
    deltas = [str(delta_of_group(e, d, group)) for e, d, _ in subject.pairs]
    return Certificate(
        subject,
        premise.bound,
        premise.epsilon,
        premise.delta,
        "group",
        {"deltas": deltas, "digits": str(CHECKED_DIGITS), "group": str(group)},
        group,
        premise,
    )


def group_privacy_certificate(
    subject: Subject,
    premise: Certificate,
    group: int,
    epsilon: ExactNumber | None = None,
    delta: mpq | None = None,
) -> Certificate:
    """The step to a group of as many steps after a certificate; a lower one keeps its (ε, δ)."""
    by_noise = any(entry.given_by == "noise" for entry, _ in subject.mechanisms)
    parameters: dict[str, object] = {"digits": str(CHECKED_DIGITS), "group": str(group)}
    return Certificate(
        subject,
        premise.bound,
        premise.epsilon if epsilon is None else epsilon,
        premise.delta if delta is None else delta,
        "group-path" if by_noise else "group",
        {**parameters, "steps": [str(group)]} if by_noise else parameters,
        group,
        premise,
    )


def least_fixed_point(
    bound: Callable[[mpq], mpq | None], width: mpq, limit: mpq | None = None
) -> mpq | None:
    """A point with bound(point) <= point, near the least one; None if there is none.

    ``bound`` must not fall; where it has no value, no greater point has one. The search ends where
    the least point is known to be at least ``limit``.

    >>> float(least_fixed_point(lambda x: x / 2 + 1, mpq(1, 100)))
    2.0...
    """
    places = places_within(width / 4)
    low, high = mpq(0), None
    for _ in range(_MOST_STEPS):
        if limit is not None and low >= limit:
            return None
        value = bound(low)
        if value is None:
            return None
        if value <= low:
            return low
        ahead = ceil_to(value + max(width / 2, value - low), places)
        low = ceil_to(value, places)
        beyond = bound(ahead)
        if beyond is not None and beyond <= ahead:
            high = ahead
            break
    while high is not None and high - low > width:
        if limit is not None and low >= limit:
            return None
        middle = ceil_to((low + high) / 2, places)
        value = bound(middle)
        if value is not None and value <= middle:
            high = middle
        else:
            low = middle
    return high
