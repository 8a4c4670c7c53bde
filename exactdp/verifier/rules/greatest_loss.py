r"""The greatest losses of mechanisms by their noise, for the rule ``sum``.

Rules of this file: sums and signs are exact, but for samples, whose losses are enclosed; a pair
whose greatest loss is not known is rejected.

Source: certs/SPEC.md, section 11.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, TypeGuard

from ..arithmetic.enclosures import enclose
from ..arithmetic.signs import Term, sign_of_sum
from ..format.meter import of_division, pay
from ..format.numbers import Number, linear, normal_form, size
from ..format.outcomes import RejectedError
from ..statement import Bound
from .by_noise import Divergences
from .constraints import Constrained
from .curves import EitherWay, Range, SampledCurve, TwoSided
from .discrete_noise import Geometric
from .ledger import Ledger
from .pairs_of_laws import MAX_LOSS, Ends, Law, exp_of, log_of
from .tables import GeneralizedResponse, Response, SampledTable, Written

_BITS: Final = 1024
_HALF: Final = Fraction(1, 2)
"""Of a range losses come as near to it as one likes, whichever tilt is asked about."""


def signs_of(
    ledger: Ledger, bound: Bound, losses: Sequence[Term], *, back: bool
) -> tuple[int, int]:
    """Of ``losses`` less the greatest ones of noise, and of what δ leaves beside what fails."""
    laws = list(_laws(ledger, upper=bound.kind == "upper"))
    exact, sampled = [*losses], list[tuple[int, Ends]]()
    for law, count in laws:
        loss = _greatest(law, back=back)
        if isinstance(loss, Number):
            exact.append((-count, loss))
        else:
            sampled.append((-count, loss))
    excess = _sign_beside(exact, sampled) if sampled else sign_of_sum(exact)
    found = [(law.at_infinity(back=back), count) for law, count in laws if _may_fail(law)]
    masses = [(count, mass) for mass, count in found if mass]
    if any(mass == 1 for _, mass in masses):
        return excess, -1 if bound.delta < 1 else 1
    return excess, ledger.sign_of_delta(bound.delta, masses)


def _laws(ledger: Ledger, *, upper: bool) -> Iterator[tuple[Law, int]]:
    """What dominates the mechanisms, or what some of them have."""
    for each in ledger.by_noise:
        if not upper:
            yield from each.attained(ledger.relation, _HALF)
        elif isinstance(each, Divergences):
            raise RejectedError("divergences say nothing of the greatest loss")
        else:
            yield from each.dominating(ledger.relation)


def _sign_beside(exact: Sequence[Term], sampled: Iterable[tuple[int, Ends]]) -> int:
    """The sign of a sum of numbers, with factors below 0 times what is enclosed."""
    low, high = enclose(linear(exact), _BITS)
    pay(len(exact) * of_division(_BITS))
    least, most = Fraction(low, 1 << _BITS), Fraction(high, 1 << _BITS)
    for count, (below, above) in sampled:
        pay(8 * of_division(4 * _BITS))
        least, most = least + count * above, most + count * below
    if least <= 0 <= most:
        raise RejectedError("epsilon is too near to the sum of the greatest losses to tell")
    return 1 if least > 0 else -1


def _may_fail(law: Law) -> TypeGuard[Written | SampledTable]:
    """Whether it is written out: others give no output that only one of its laws has."""
    return isinstance(law, Written | SampledTable)


def _greatest(law: Law, *, back: bool) -> Number | Ends:
    """The least upper bound of its finite losses; enclosed, of a sample."""
    match law:
        case SampledTable(table=Written() as table, rate=rate):
            return _of_outputs(table, rate, back=back)
        case SampledTable():
            return _of_sample(_whole(law.table), law.rate, back=back)
        case SampledCurve():
            return _of_sample(_whole(law.curve), law.rate, back=back)
        case EitherWay(curve=SampledCurve(curve=base, rate=rate)):
            return _of_sample(_whole(base), rate, back=False)
        case Written():
            return _of_outputs(law, Fraction(1), back=back)
        case _:
            return _whole(law)


def _whole(law: Law) -> Number:
    """The greatest loss of what is not sampled, and is its own reverse."""
    match law:
        case Response():
            return law.epsilon
        case TwoSided():
            return Number(law.most)
        case Geometric():
            return Number(law.shift / law.scale)
        case Range() | GeneralizedResponse():
            return Number(law.epsilon)
        case Constrained():
            return law.vertices[-1][0]
        case _:
            raise RejectedError("one of the mechanisms has no greatest loss that is known here")


def _of_sample(loss: Number, rate: Fraction, *, back: bool) -> Ends:
    """ln(1 - q + q·e^l); or, the other way round, -ln(1 - q + q·e^{-l})."""
    if loss.logs or loss.rational > MAX_LOSS:
        raise RejectedError(f"a privacy loss of a sample that is no rational up to {MAX_LOSS}")
    pay(16 * of_division(2 * _BITS + size(rate)))
    ends = exp_of(-loss.rational if back else loss.rational, _BITS)
    low, high = (1 - rate + rate * Fraction(end, 1 << _BITS) for end in ends)
    below, above = log_of(low, _BITS)[0], log_of(high, _BITS)[1]
    return (-above, -below) if back else (below, above)


def _of_outputs(law: Written, rate: Fraction, *, back: bool) -> Number:
    """The logarithm of the greatest ratio of an output that both laws have; 0 without any."""
    pairs = list(zip(law.p, law.q, strict=True))
    pay(sum(4 * of_division(2 * size(p) + 2 * size(q) + 2 * size(rate)) for p, q in pairs))
    both = [(rate * p + (1 - rate) * q) / q for p, q in pairs if q]
    ratios = [ratio for ratio in both if ratio]
    most = max((1 / each for each in ratios) if back else ratios, default=Fraction(1))
    return normal_form([], [(Fraction(1), most)])
