r"""Groups: what a composition promises to inputs that differ in up to g places.

Rules of this file: every upper end holds; which of the ways gave it is said. A lower end is about
groups where mechanisms are noise for a group, else that of neighbours, who are a group too.

Theory of operation: three ways lead to a group of g.

- *Noise for the group* (``group-noise``, :mod:`exactdp.group_privacy.noise`): what dominates each
  mechanism for the group, and is attained but for failures. It is never worse than the others, and
  is taken wherever each mechanism has it.
- *The result, scaled* (``group-privacy``). What is (ε, δ)-DP for neighbours is
  :math:`(g\epsilon, \delta \sum_{t<g} e^{t\epsilon})`-DP for groups. For a given δ_g one looks for
  the least ε with OptComp(δ_g/∑ e^{tε}) <= ε. The map on the left rises with ε, so that following
  it from ε = 0 stays below every solution, and ends at the least one, or where δ is infeasible.
- *The mechanisms, scaled* (``group-mechanisms``). What is (ε, δ)-DP is (gε, δ ∑ e^{tε})-DP for
  groups, μ-GDP is gμ-GDP, and ρ-zCDP is g²ρ-zCDP; these compose like any others.

Neither of these two is always better, but the last mostly is: the other charges every failure with
e^{(g-1)ε} of the whole, the last with that of its own mechanism.

Sources: Dwork & Roth 2014, Theorem 2.2; Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022, Theorem
2.14 of arXiv:1905.02383; Bun & Steinke, TCC 2016-B, Proposition 1.9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import enclose_in_decimals, places_within
from exactdp.arithmetic.enclosures import precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    nonnegative,
    points_of,
    probability,
    target_of,
    width_for,
)
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import Certified, Composition, ProfilePoint
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.group_privacy.bound import GroupBound, GroupRule
from exactdp.group_privacy.noise import GroupNoise, noise_of_group
from exactdp.group_privacy.path import path_for, path_within
from exactdp.group_privacy.steps import (
    BITS,
    delta_for_neighbours,
    failure_growth,
    group_mechanisms_certificate,
    group_privacy_certificate,
    least_fixed_point,
    scale_to_group,
)
from exactdp.ledger.model import Ledger
from exactdp.mechanisms.checks import MAX_COUNT

MAX_GROUP: Final = MAX_COUNT

_GREATEST: Final = mpq(10**6)
_OF_POINTS: Final = mpq(1, 100)
_ZERO: Final = mpq(0)


def compose_for_groups(
    ledger: LedgerLike,
    group: int,
    *,
    delta: Number | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> GroupBound:
    r"""The least ε that is derived for groups at a δ; the better of two ways.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        group: g >= 2.
        delta: the δ for the group; None takes the ledger's ``target_delta``.
        tolerance: how near to what a way gives, in nats.
        max_cost: refuse work predicted to cost more.

    >>> bound = compose_for_groups([("0.1", 0, 12)], 2, delta=0)
    >>> str(bound.upper), bound.method
    ('12/5', 'group-mechanisms')
    """
    ledger = ledger_of(ledger)
    _check_group(group)
    target, width = target_of(ledger, delta), width_for(ledger, tolerance)
    subject = Subject.of(ledger)
    noise = noise_of_group(ledger, group, target)
    if noise is not None:
        width = width_for(noise.upper, tolerance)
        return _by_noise(ledger, subject, noise, target, width, max_cost)
    alone = compose(ledger, delta=target, tolerance=width, max_cost=max_cost)
    if ledger.given_by == "noise":
        return _by_path(ledger, subject, group, alone, max_cost)
    first = _by_mechanisms(ledger, subject, group, target, width, max_cost)
    limit = None if first is None else enclose_in_decimals(first[1], places_within(width))[1]
    second = _by_result(ledger, subject, group, target, width, max_cost, limit)
    found = [each for each in (second, first) if each is not None]
    method, epsilon, made = found[0] if found else (None, None, lambda: None)
    other = "" if not found else "nothing" if first is None else "no less"

    def below() -> Certificate | None:
        certificate = alone.lower_certificate()
        return (
            None if certificate is None else group_privacy_certificate(subject, certificate, group)
        )

    return GroupBound(
        ledger, group, target, alone.lower_end, epsilon, method, other, True, made, below
    )


def _by_path(
    ledger: Ledger, subject: Subject, group: int, alone: Composition, max_cost: int
) -> GroupBound:
    """An upper end from points of the profile of neighbours, whose lower end is the group's."""
    delta, start = alone.delta, alone.upper_end
    path = None
    if delta and start is not None:
        path = path_for(ledger, group, delta, start, _OF_POINTS, max_cost)

    end = ExactNumber(mpq(0) if path is None else path.epsilon)

    @cache
    def above() -> Certificate | None:
        return None if path is None else path.certificate(ledger, end, delta, max_cost)

    def below() -> Certificate | None:
        made = alone.lower_certificate()
        return None if made is None else group_privacy_certificate(subject, made, group)

    method: GroupRule | None = None if path is None else "group-path"
    known = None if path is None else end
    return GroupBound(ledger, group, delta, alone.lower_end, known, method, "", True, above, below)


def _by_noise(
    ledger: Ledger, subject: Subject, noise: GroupNoise, delta: mpq, width: mpq, max_cost: int
) -> GroupBound:
    """Both ends by what the mechanisms are for the group."""
    above = compose(noise.upper, delta=delta, tolerance=width, max_cost=max_cost)
    below = above
    if noise.lower != noise.upper:
        below = compose(noise.lower, delta=delta, tolerance=width, max_cost=max_cost)

    def proved(made: Certificate | None) -> Certificate | None:
        return None if made is None else noise.certificate(subject, made)

    def infeasible() -> Certificate | None:
        alone = compose(ledger, delta=delta, tolerance=width, max_cost=max_cost)
        made = alone.lower_certificate()
        return None if made is None else group_privacy_certificate(subject, made, noise.group)

    end = above.upper_end
    return GroupBound(
        ledger,
        noise.group,
        delta,
        below.lower_end,
        None if end is None else above.exact or ExactNumber(end),
        None if end is None else "group-noise",
        "",
        False,
        lambda: proved(above.upper_certificate()),
        lambda: proved(below.lower_certificate()) if below.upper_end is not None else infeasible(),
    )


_Found = tuple[GroupRule, ExactNumber, Callable[[], Certificate | None]]


def _by_mechanisms(
    ledger: Ledger, subject: Subject, group: int, delta: mpq, width: mpq, max_cost: int
) -> _Found | None:
    scaled = scale_to_group(ledger, group)
    if scaled is None:
        return None
    answer = compose(scaled, delta=delta, tolerance=width, max_cost=max_cost)
    if answer.upper_end is None:
        return None

    def certificate() -> Certificate | None:
        premise = answer.upper_certificate()
        return None if premise is None else group_mechanisms_certificate(subject, premise, group)

    return "group-mechanisms", answer.exact or ExactNumber(answer.upper_end), certificate


def _by_result(
    ledger: Ledger,
    subject: Subject,
    group: int,
    delta: mpq,
    width: mpq,
    max_cost: int,
    limit: mpq | None,
) -> _Found | None:
    """The bound of the second way, if there is one below ``limit``."""
    if not delta:
        return None  # no mechanism fails then, and the other way is exact

    def bound(epsilon: mpq) -> mpq | None:
        """An ε at which neighbours keep the δ that ``epsilon`` leaves to them."""
        if epsilon > _GREATEST:
            return None
        left = delta_for_neighbours(ExactNumber(epsilon), delta, group)
        answer = compose(ledger, delta=left, tolerance=width / (4 * group), max_cost=max_cost)
        return answer.upper_end

    point = least_fixed_point(bound, width / group, None if limit is None else limit / group)
    if point is None or (limit is not None and point * group >= limit):
        return None

    def certificate() -> Certificate | None:
        return _result_certificate(ledger, subject, group, delta, ExactNumber(point), max_cost)

    return "group-privacy", ExactNumber(point * group), certificate


def _result_certificate(
    ledger: Ledger, subject: Subject, group: int, delta: mpq, epsilon: ExactNumber, max_cost: int
) -> Certificate | None:
    """The proof of (gε, δ) for groups from (ε, the δ that is left) for neighbours; or None."""
    left = delta_for_neighbours(epsilon, delta, group)
    decided = certify(ledger, epsilon=epsilon, delta=left, max_cost=max_cost)
    if not decided.holds:
        return None
    return group_privacy_certificate(subject, decided.certificate, group, epsilon * group, delta)


# --- the other questions ------------------------------------------------------------------------


def profile_for_groups(
    ledger: LedgerLike,
    group: int,
    *,
    epsilon: Sequence[Number],
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> tuple[ProfilePoint, ...]:
    r"""δ for groups at each ε: above, the best of three ways; below, of two.

    Args:
        ledger: as for :func:`compose_for_groups`.
        group: g >= 2.
        epsilon: the values of ε >= 0 for the group, in nats.
        tolerance: relative, for the values of δ that the ways are made of.
        max_cost: as for :func:`compose_for_groups`.

    >>> [point] = profile_for_groups([("ln(3)", 0)], 2, epsilon=["2*ln(3)"])
    >>> print(point.upper, point.method)
    0 group-mechanisms
    """
    ledger = ledger_of(ledger)
    _check_group(group)
    points = points_of(epsilon)
    noise = noise_of_group(ledger, group)
    by_noise = None
    if noise is not None:
        by_noise = _points_by_noise(noise, points, tolerance, max_cost)
    if ledger.given_by == "noise":
        if by_noise is not None:
            return by_noise
        return tuple(_point_by_path(ledger, group, each, tolerance, max_cost) for each in points)
    scaled = scale_to_group(ledger, group)
    width = width_for(ledger, tolerance)
    found = tuple(_point(ledger, scaled, group, each, width, max_cost) for each in points)
    return tuple(map(_better, by_noise or found, found))


def _better(one: ProfilePoint, other: ProfilePoint) -> ProfilePoint:
    """The ends that say more, and how the upper one was found."""
    above = one if one.upper_end < other.upper_end else other
    return replace(above, lower_end=max(one.lower_end, other.lower_end))


def _points_by_noise(
    noise: GroupNoise, points: Sequence[ExactNumber], tolerance: Number | None, max_cost: int
) -> tuple[ProfilePoint, ...]:
    """The profile of what the mechanisms are for the group, from above and from below."""
    above, below = (
        profile(each, epsilon=[*points], tolerance=tolerance, max_cost=max_cost)
        for each in (noise.upper, noise.lower)
    )
    return tuple(
        ProfilePoint(high.epsilon, low.lower_end, high.upper_end, "group-noise")
        for low, high in zip(below, above, strict=True)
    )


def _point_by_path(
    ledger: Ledger, group: int, epsilon: ExactNumber, tolerance: Number | None, max_cost: int
) -> ProfilePoint:
    """From above the least of paths, from below what neighbours have, who are a group too."""
    width = width_for(ledger, tolerance)
    equal = _point(ledger, None, group, epsilon, width, max_cost)
    size = mpq(0) if epsilon.logs else epsilon.rational
    path = path_within(ledger, group, size, _OF_POINTS, max_cost) if size else None
    most = equal.upper_end if path is None else min(equal.upper_end, path.delta)
    return ProfilePoint(epsilon, equal.lower_end, most, "group-path")


def _point(
    ledger: Ledger,
    scaled: Ledger | None,
    group: int,
    epsilon: ExactNumber,
    tolerance: Number,
    max_cost: int,
) -> ProfilePoint:
    share = epsilon * mpq(1, group)
    alone, below = profile(ledger, epsilon=[share, epsilon], tolerance=tolerance, max_cost=max_cost)
    with precision(BITS):
        weight = mpq(group) if sign(share) == 0 else upper_end(failure_growth(share, group))
    best, method = min(mpq(1), alone.upper_end * weight), "group-privacy"
    if scaled is not None:
        [point] = profile(scaled, epsilon=[epsilon], tolerance=tolerance, max_cost=max_cost)
        if point.upper_end <= best:
            best, method = point.upper_end, "group-mechanisms"
    return ProfilePoint(epsilon, below.lower_end, best, method)


def certify_for_groups(
    ledger: LedgerLike,
    group: int,
    *,
    epsilon: Number,
    delta: Number,
    max_cost: int = DEFAULT_MAX_COST,
) -> Certified:
    r"""Prove or refute "(ε, δ)-DP for groups of g", where group privacy can.

    Args:
        ledger: as for :func:`compose_for_groups`.
        group: g >= 2.
        epsilon: the claimed ε >= 0.
        delta: the claimed δ in [0, 1].
        max_cost: as for :func:`compose_for_groups`.

    Raises:
        CostLimitError: neither follows: neighbours keep it, and group privacy does not give it.

    >>> certify_for_groups([("0.1", 0, 12)], 2, epsilon="2.4", delta=0).holds
    True
    """
    ledger = ledger_of(ledger)
    _check_group(group)
    claimed, target = nonnegative(epsilon), probability(delta)
    subject = Subject.of(ledger)
    noise = noise_of_group(ledger, group, target)
    decided = None
    if noise is not None:
        decided = _decided_by_noise(noise, subject, claimed, target, max_cost)
        if decided is not None and decided.proof is not None:
            return decided
    alone = _attempt(ledger, claimed, target, max_cost)
    if alone is not None and not alone.holds:
        return Certified(False, False, group_privacy_certificate(subject, alone.certificate, group))
    prove = _proof_by_path if ledger.given_by == "noise" else _proof
    proof = prove(ledger, subject, group, claimed, target, max_cost)
    if proof is not None:
        return Certified(True, False, proof)
    if decided is not None:
        return decided
    raise CostLimitError(
        field="claim",
        value="neither derived nor refuted",
        expected=f"a claim that group privacy gives for groups of {group}, or that not even "
        "neighbours keep",
        remedy="between the two nothing is known, as these mechanisms together are no noise of a "
        "group; compose --group prints both ends",
    )


def _decided_by_noise(
    noise: GroupNoise, subject: Subject, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> Certified | None:
    """What the mechanisms are for the group, within the claim or beyond it; None if open."""
    for ledger, holds in ((noise.upper, True), (noise.lower, False)):
        decided = _attempt(ledger, epsilon, delta, max_cost)
        if decided is not None and decided.holds == holds:
            proof = None if decided.proof is None else noise.certificate(subject, decided.proof)
            return Certified(holds, holds and decided.equality, proof, decided.computed)
    return None


def _proof_by_path(
    ledger: Ledger, _subject: Subject, group: int, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> Certificate | None:
    """A certificate along a path of neighbours, or None."""
    start = compose(ledger, delta=delta, max_cost=max_cost).upper_end
    if not delta or start is None:
        return None
    path = path_for(ledger, group, delta, start, _OF_POINTS, max_cost)
    if path is None or compare(epsilon, ExactNumber(path.epsilon)) < 0:
        return None
    return path.certificate(ledger, epsilon, delta, max_cost)


def _proof(
    ledger: Ledger, subject: Subject, group: int, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> Certificate | None:
    """A certificate by either way, or None."""
    scaled = scale_to_group(ledger, group)
    if scaled is not None:
        decided = _attempt(scaled, epsilon, delta, max_cost)
        if decided is not None and decided.holds:
            return group_mechanisms_certificate(subject, decided.certificate, group)
    share = epsilon * mpq(1, group)
    if compare(share, ExactNumber(_GREATEST)) > 0:
        return None
    left = delta_for_neighbours(share, delta, group)
    decided = _attempt(ledger, share, left, max_cost)
    if decided is not None and decided.holds:
        return group_privacy_certificate(subject, decided.certificate, group, epsilon, delta)
    return None


def _attempt(ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int) -> Certified | None:
    """The decision, or None if it is open."""
    try:
        return certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
    except CostLimitError:
        return None


def _check_group(group: object) -> None:
    if type(group) is not int:
        raise InputError(field="group", value=group, expected="a whole number from 2, as an int")
    if not 2 <= group <= MAX_GROUP:
        raise DomainError(
            field="group", value=str(group), expected="a whole number from 2 to 10^18"
        )
