r"""The rule ``greatest-loss``: what no privacy loss exceeds, and what some exceed.

Rules of this file: sums and signs are exact; a pair whose greatest loss is not known is rejected.

Theory of operation: losses add up, and all of them may be greatest at once. So the profile of a
composition comes down to what fails whatever ε is, 1 - ∏(1 - δ_i)∏(1 - m_i), from the sum of the
greatest losses on, and not before.

Sources: certs/SPEC.md, section 11.28; Zhu, Dong & Wang, AISTATS 2022, Theorem 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.signs import sign_of_sum
from ..format.meter import of_division, pay
from ..format.numbers import Number, normal_form, size
from ..format.outcomes import RejectedError
from ..statement import Interleaving
from .by_noise import Divergences
from .curves import Range, TwoSided
from .discrete_noise import Geometric
from .ledger import BY_PAIRS, Ledger, LedgerRule
from .pairs_of_laws import Law
from .rule import EITHER
from .tables import GeneralizedResponse, Response, Written
from .theorems import OF_ALL

_HALF: Final = Fraction(1, 2)
"""Of a range losses come as near to it as one likes, whichever tilt is asked about."""


class GreatestLoss(LedgerRule):
    """``upper``: no loss exceeds ε, and δ covers what fails. ``lower``: neither, in a direction."""

    name: ClassVar[str] = "greatest-loss"
    theorem: ClassVar[str] = "zhu-dong-wang-2022-theorem-10"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    families: ClassVar[frozenset[str]] = BY_PAIRS | {"noise"}
    interleaved: ClassVar[tuple[Interleaving, ...]] = OF_ALL

    def check(self, ledger: Ledger) -> None:
        """Both directions for an upper bound, one of them for a lower one."""
        signs = [self._signs(ledger, back=back) for back in (False, True)]
        if self.bound.kind == "upper":
            if min(excess for excess, _ in signs) < 0:
                raise RejectedError("epsilon is below the sum of the greatest losses")
            if min(slack for _, slack in signs) < 0:
                raise RejectedError("delta is below what fails")
        elif not any(excess < 0 and slack <= 0 for excess, slack in signs):
            raise RejectedError("no loss above epsilon is known to exceed what delta covers")

    def _signs(self, ledger: Ledger, *, back: bool) -> tuple[int, int]:
        """Of ε less the sum of the greatest losses, and of what δ leaves beside what fails."""
        laws = list(self._laws(ledger))
        losses = [(-count, _greatest(law, back=back)) for law, count in laws]
        given = [(-each.count, each.epsilon) for each in ledger.mechanisms]
        excess = sign_of_sum([(1, self.bound.finite()), *given, *losses])
        written = [(law, count) for law, count in laws if isinstance(law, Written)]
        masses = [(count, mass) for law, count in written if (mass := law.at_infinity(back=back))]
        if any(mass == 1 for _, mass in masses):
            return excess, -1 if self.bound.delta < 1 else 1
        return excess, ledger.sign_of_delta(self.bound.delta, masses)

    def _laws(self, ledger: Ledger) -> Iterable[tuple[Law, int]]:
        for each in ledger.by_noise:
            if self.bound.kind == "lower":
                yield from each.attained(ledger.relation, _HALF)
            elif isinstance(each, Divergences):
                raise RejectedError("divergences say nothing of the greatest loss")
            else:
                yield from each.dominating(ledger.relation)


def _greatest(law: Law, *, back: bool) -> Number:
    """The least upper bound of its finite losses."""
    match law:
        case Response():
            return law.epsilon
        case TwoSided():
            return Number(law.most)
        case Geometric():
            return Number(law.shift / law.scale)
        case Range() | GeneralizedResponse():
            return Number(law.epsilon)
        case Written():
            return _of_outputs(law, back=back)
        case _:
            raise RejectedError("one of the mechanisms has no greatest loss that is known here")


def _of_outputs(law: Written, *, back: bool) -> Number:
    """The logarithm of the greatest ratio of an output that both laws have; 0 without any."""
    one, other = (law.q, law.p) if back else (law.p, law.q)
    pay(sum(2 * of_division(2 * size(p) + 2 * size(q)) for p, q in zip(one, other, strict=True)))
    ratios = (p / q for p, q in zip(one, other, strict=True) if p and q)
    return normal_form([], [(Fraction(1), max(ratios, default=Fraction(1)))])
