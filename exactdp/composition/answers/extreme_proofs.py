r"""Certificates of what the greatest losses say: ``sum``, and ``trivial`` of every ε.

Rules of this file: a certificate is made only where both sides know the greatest loss of every
pair, or of what it is a sample of; of what is known by its divergences, none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.extremes import Extreme, attained_extremes_of, extremes_of
from exactdp.mechanisms.pairs import CountedPair

_RULE: Final = "sum"


@dataclass(frozen=True)
class ExtremeProofs:
    """What certificates say of the extremes of a composition.

    Attributes:
        laws: of the mechanisms.
        delta: the δ that is asked about, below 1.
    """

    laws: DominatingPairs
    delta: mpq

    def prove(self, epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        """The proof that ε is enough, or that it is not; None if no certificate says so."""
        return self.upper(epsilon) if enough else self.lower(epsilon)

    def upper(self, epsilon: ExactNumber) -> Certificate | None:
        """The proof that no loss exceeds ε, and that δ covers what fails."""
        laws = self.laws
        if laws.rho or laws.listed or not _are_stated(laws.known()):
            return None
        covered = all(each.is_bounded and each.compared(epsilon) >= 0 for each in extremes_of(laws))
        covered &= all(each.beyond(self.delta) >= 0 for each in extremes_of(laws))
        return self._certificate("upper", epsilon) if covered else None

    def lower(self, epsilon: ExactNumber) -> Certificate | None:
        """The proof that more fails than δ covers, or some loss exceeds ε."""
        used_up = [each for each in self._attained if each.beyond(self.delta) <= 0]
        if any(each.beyond(self.delta) < 0 or not each.is_bounded for each in used_up):
            return Certificate(self.laws.subject, "lower", None, self.delta, "trivial", {})
        stated = _are_stated(self.laws.below(mpq(0))) and not self.laws.rho
        if stated and any(each.compared(epsilon) < 0 for each in used_up):
            return self._certificate("lower", epsilon)
        return None

    @cached_property
    def _attained(self) -> tuple[Extreme, ...]:
        return attained_extremes_of(self.laws)

    def _certificate(self, bound: Kind, epsilon: ExactNumber) -> Certificate:
        return Certificate(self.laws.subject, bound, epsilon, self.delta, _RULE, {})


def _are_stated(pairs: tuple[CountedPair, ...]) -> bool:
    wholes = (pair if (sample := pair.sample()) is None else sample[0] for pair, _ in pairs)
    return all(each.STATES_GREATEST for each in wholes)
