r"""What mechanisms are for a group, each as noise that reaches as far.

Rules of this file: from above, what is made dominates every mechanism with these parameters along a
path of g neighbours; from below it is what one such mechanism is for some group. What has no such
noise is refused by None, and left to the ways that scale (ε, δ).

Theory of operation: the trade-off function of a group is that of neighbours, applied g times. Noise
with a monotone likelihood ratio that moves by s in one step moves by g·s in all, and nothing is
lost. An (ε, 0)-DP mechanism is dominated by randomized response, which is discrete Laplace noise of
scale 1/ε that moves by 1; so g steps are that noise moved by g, and a count with that noise attains
it. A δ adds failures: :math:`\delta(1 + e^\epsilon + \dots + e^{(g-1)\epsilon})` of them.

Sources: certs/SPEC.md, section 11.23; Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022, Theorem
2.14 of arXiv:1905.02383.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.errors import UnsupportedError
from exactdp.group_privacy.steps import (
    BITS,
    CHECKED_DIGITS,
    delta_of_group,
    group_mechanisms_certificate,
    scaled_for,
)
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import DiscreteLaplaceMechanism, Entry, Mechanism
from exactdp.mechanisms.checks import MOST_SHIFT

_DIGITS: Final = 40
_MOST_BITS: Final = 1000


@dataclass(frozen=True, slots=True)
class GroupNoise:
    """Ledgers of what mechanisms are for a group.

    Attributes:
        upper: what dominates them.
        lower: what some of them are for some group.
    """

    group: int
    upper: Ledger
    lower: Ledger

    def certificate(self, subject: Subject, premise: Certificate) -> Certificate:
        """The step to the group, after a certificate about one of the two ledgers."""
        kind, group = premise.bound, self.group
        if kind == "upper" and self.upper.given_by != "noise":
            return group_mechanisms_certificate(subject, premise, group)
        scales = [str(_scale(epsilon, kind)) for epsilon, _, _ in subject.pairs]
        parameters: dict[str, object] = {
            "digits": str(CHECKED_DIGITS),
            "group": str(group),
            "scales": scales,
        }
        if kind == "upper":
            deltas = (delta_of_group(epsilon, delta, group) for epsilon, delta, _ in subject.pairs)
            parameters["deltas"] = [*map(str, deltas)]
        return Certificate(
            subject, kind, premise.epsilon, premise.delta, "group-noise", parameters, group, premise
        )


def noise_of_group(ledger: Ledger, group: int, target: mpq | None = None) -> GroupNoise | None:
    """The ledgers, or None if some mechanism has no noise for a group, or a δ reaches 1.

    At a ``target`` δ of 0 the sum of all gε is exact, and stated as that where ε are given.

    >>> noise = noise_of_group(Ledger.of([("1/10", 0, 100)]), 3)
    >>> noise.upper.mechanisms
    (<DiscreteLaplaceMechanism: scale=10, shifts=[3], count=100>,)
    """
    stated = target == 0 and ledger.given_by != "noise"
    if stated or ledger.interaction != "adaptive" or group > MOST_SHIFT:
        return None
    made: dict[Kind, list[Entry]] = {"upper": [], "lower": []}
    for each in ledger.mechanisms:
        known = each.for_group(group)
        pair = each.implied_epsilon_delta() if each.given_by == "epsilon-delta" else None
        if known is None and pair is None:
            return None
        for kind, entries in made.items():
            if known is not None:
                entries.append(known)
            elif pair is not None:
                delta = delta_of_group(*pair, group) if kind == "upper" else pair[1]
                if delta >= 1:
                    return None
                entries.extend(_noise(pair[0], delta, kind, group, each.count))
    upper, lower = (
        replace(ledger, mechanisms=tuple(entries), claims=()) for entries in made.values()
    )
    return GroupNoise(group, upper, lower)


def mechanisms_for(ledger: Ledger, group: int) -> Ledger:
    """The ledger of what each mechanism is for a group, from above.

    Raises:
        InputError: a δ would reach 1, or there is noise for one record alone.
    """
    noise = _scaled_noise(ledger, group)
    return scaled_for(ledger, group) if noise is None else noise.upper


def certificate_for(ledger: Ledger, premise: Certificate, group: int) -> Certificate:
    """The step to the group, after a certificate about :func:`mechanisms_for`."""
    noise, subject = _scaled_noise(ledger, group), Subject.of(ledger)
    if noise is None:
        return group_mechanisms_certificate(subject, premise, group)
    return noise.certificate(subject, premise)


def _scaled_noise(ledger: Ledger, group: int) -> GroupNoise | None:
    """Noise for a group, of a ledger that is given by noise; None for any other.

    Raises:
        UnsupportedError: a mechanism is noise for one record alone, as samples and batches are.
    """
    if ledger.given_by != "noise":
        return None
    noise = noise_of_group(ledger, group)
    if noise is None:
        unlike = [each for each in ledger.mechanisms if each.for_group(group) is None]
        raise UnsupportedError(
            field="--group",
            value=f"{group} beside {unlike[0].name if unlike else ledger.interaction}",
            expected="noise on sums of all records, of which each mechanism is noise for a group "
            "too: of samples, batches and tables the closed forms are about one record",
            remedy=f"exactdp compose --group {group} answers for these",
        )
    return noise


def _noise(
    epsilon: ExactNumber, delta: mpq, kind: Kind, group: int, count: int
) -> Iterator[DiscreteLaplaceMechanism | Mechanism]:
    """Failures, and discrete Laplace noise for an ε above 0."""
    positive = sign(epsilon) > 0
    if positive:
        yield DiscreteLaplaceMechanism(_scale(epsilon, kind), (group,), count)
    if delta or not positive:
        yield Mechanism(0, delta, count)


def _scale(epsilon: ExactNumber, kind: Kind) -> mpq:
    """1/ε; where that is irrational or long a little less from above, and more from below."""
    if sign(epsilon) == 0:
        return mpq(1)
    if epsilon.is_rational:
        size = epsilon.rational.numerator.bit_length() + epsilon.rational.denominator.bit_length()
        if size <= _MOST_BITS:
            return 1 / epsilon.rational
    with precision(BITS):
        scale = 1 / ball(epsilon)
    if kind == "upper":
        return round_below(lower_end(scale), _DIGITS)
    return round_above(upper_end(scale), _DIGITS)
