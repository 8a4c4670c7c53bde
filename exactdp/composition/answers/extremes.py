r"""Answers about noise at a δ of at most the mass at infinity: by the greatest privacy losses.

Rules of this file: what is said here is exact or enclosed; where no rule of certificates states it
(of samples, and of the direction with less mass), it is labelled as computed.

Theory of operation: below the mass at infinity no ε is enough. At it, the least ε is the sum of the
greatest losses, where they exist; a direction with less mass may ask for more, which losses on a
mesh enclose.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, cmp_to_key
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import ceil_to, places_within
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.extreme_proofs import ExtremeProofs
from exactdp.composition.answers.results import (
    GREATEST_LOSS,
    UNDECIDED,
    Certified,
    Composition,
    Computed,
    Evidence,
)
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.extremes import Extreme, extremes_of, worst_of
from exactdp.composition.engines.mesh.bracket import (
    Target,
    first_unit,
    lower_bracket_at,
    upper_sides_at,
)
from exactdp.composition.noise.solve import lower_end_of
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError, UnsupportedError
from exactdp.ledger.model import Ledger

BECAUSE: Final = (
    "the greatest privacy losses and the mass at infinity decide it, and no rule of certificates "
    "states these yet"
)
_PLACES: Final = 12
_ATTAINED: Final = "answers of the greatest loss, all at once"
_OPEN: Final = "open: as near as the mesh in use allows"
_HALF: Final = mpq(1, 2)
_FINER: Final = (1, 16, 256, 4096)
_RELATIVE: Final = mpq(1, mpz(10) ** 30)
_WIDTHS: Final = tuple(mpq(1, 10**places) for places in range(2, 8))


@dataclass(frozen=True)
class AtExtremes:
    """What the greatest losses say of a composition.

    Attributes:
        laws: of the mechanisms.
        delta: the δ that is asked about, below 1.
    """

    laws: DominatingPairs
    delta: mpq

    @cached_property
    def extremes(self) -> tuple[Extreme, ...]:
        """The extremes in each direction."""
        return extremes_of(self.laws)

    @cached_property
    def left(self) -> tuple[int, ...]:
        """The sign of what δ leaves beside the mass at infinity, in each direction."""
        return tuple(each.beyond(self.delta) for each in self.extremes)

    @cached_property
    def proofs(self) -> ExtremeProofs:
        """The certificates, as far as there are any."""
        return ExtremeProofs(self.laws, self.delta)

    @property
    def problem(self) -> Problem:
        """What fails whatever ε is."""
        return worst_of(self.extremes)[0].problem

    @property
    def reaches_mass(self) -> bool:
        """Whether a finite ε is enough at the mass at infinity."""
        return all(each.is_bounded for each in worst_of(self.extremes))

    @property
    def decides(self) -> bool:
        """Whether δ is at most the mass at infinity.

        Raises:
            UnsupportedError: it is that, and the greatest loss of some mechanism is not known.
        """
        least = min(self.left)
        subject = self.laws.subject
        if not least and not all(each.KNOWS_GREATEST_LOSS for each, _ in subject.mechanisms):
            raise UnsupportedError(
                field="delta",
                value=str(self.delta),
                expected="a δ above what fails whatever ε is, beside private selection",
                remedy="ask at a greater δ, or state the ε that holds of what is kept",
            )
        return least <= 0

    @property
    def leaves_losses(self) -> bool:
        """Whether δ is at least the mass at infinity, which listed losses reach."""
        return not self.decides or self.is_feasible

    @property
    def is_feasible(self) -> bool:
        """Whether a finite ε is enough, where δ is at most the mass at infinity."""
        return min(self.left) == 0 and all(each.is_bounded for each in self._used_up)

    @property
    def _used_up(self) -> list[Extreme]:
        """The directions in which nothing is left."""
        return [each for each, sign in zip(self.extremes, self.left, strict=True) if sign == 0]

    def compose(self, ledger: Ledger, width: mpq, max_cost: int) -> Composition:
        """The least ε, where δ is at most the mass at infinity."""
        if not self.is_feasible:
            return self._answer(ledger, (None, None, None), complete=True)
        places = places_within(width) + 1
        ends = [each.ends(places) for each in self._used_up]
        low, high = max(least for least, _ in ends), max(most for _, most in ends)
        least, most = self._beside(low, width, max_cost)
        exact = self._closed_form if most <= low else None
        low, high = max(low, least), max(high, most)
        complete = high - low <= width
        return self._answer(ledger, (low, high, exact), complete=complete)

    def _answer(
        self,
        ledger: Ledger,
        ends: tuple[mpq | None, mpq | None, ExactNumber | None],
        *,
        complete: bool,
    ) -> Composition:
        """The answer, whose ends are computed if one of them has no certificate."""
        evidence = Evidence(
            self.problem, self.proofs.prove, _ATTAINED, _OPEN, "", self.reaches_mass, _PLACES
        )
        made = Composition(ledger, self.delta, *ends, GREATEST_LOSS, complete, (), evidence)
        low, high, _ = ends
        has_upper = high is None or made.upper_certificate() is not None
        has_lower = low == 0 or made.lower_certificate() is not None
        if has_upper and has_lower:
            return made
        return replace(
            made, _evidence=replace(evidence, prove=_prove_nothing, computed_because=BECAUSE)
        )

    @property
    def _closed_form(self) -> ExactNumber | None:
        """The least ε of the directions in which nothing is left, where it is in the grammar."""
        forms = [each.closed_form for each in self._used_up]
        known = [each for each in forms if each is not None]
        return max(known, key=cmp_to_key(compare)) if len(known) == len(forms) else None

    def _beside(self, low: mpq, width: mpq, max_cost: int) -> tuple[mpq, mpq]:
        """Ends of the least ε of the directions in which something is left; 0 and 0 below one."""
        ends = mpq(0), mpq(0)
        for place, each in enumerate(self.extremes):
            if self.left[place] <= 0:
                continue
            bound = each.ends(places_within(width) + 1)[1] if each.is_bounded else None
            if bound is None or bound > low:
                ends = self._on_a_mesh(place, bound, width, max_cost)
        return ends

    def _on_a_mesh(
        self, place: int, bound: mpq | None, width: mpq, max_cost: int
    ) -> tuple[mpq, mpq]:
        """Ends of the least ε of one direction, by losses on a mesh."""
        ends = mpq(0), mpq(0)
        for finer in _FINER:
            ends = self._at_mesh(place, bound, width, width / finer, max_cost)
            if ends[1] - ends[0] <= width:
                break
        return ends

    def _at_mesh(
        self, place: int, bound: mpq | None, width: mpq, near: mpq, max_cost: int
    ) -> tuple[mpq, mpq]:
        """These ends at one mesh, in decimals for the width."""
        least, allowed = self.laws.allowed_ends(self.delta)
        target, places = Target(least, near, max_cost=max_cost), places_within(width) + 1
        unit = first_unit(self.laws, _HALF, near)
        above = upper_sides_at(self.laws, target, unit)[place].least_epsilon(least)
        ends = [each for each in (above, bound) if each is not None]
        if not ends:
            raise CostLimitError(
                field="delta",
                value=str(self.delta),
                expected="a δ further above what one of the directions reveals for every ε",
            )
        most = ceil_to(min(ends), places)
        finer = replace(target, epsilon=int(most) + 1)
        below = lower_bracket_at(self.laws, finer, unit, _HALF)
        return lower_end_of(below, allowed, places), most

    def certify(self, epsilon: ExactNumber, max_cost: int) -> Certified:
        """Whether ε is enough, where δ is at most the mass at infinity."""
        if not self.is_feasible:
            return self._decided(epsilon, holds=False)
        if any(each.compared(epsilon) < 0 for each in self._used_up):
            return self._decided(epsilon, holds=False)
        if self.covers(epsilon):
            return self._decided(epsilon, holds=True, equality=self._is_least(epsilon))
        for width in _WIDTHS:
            least, most = self._beside(mpq(0), width, max_cost)
            if compare(epsilon, ExactNumber(most)) >= 0:
                return self._decided(epsilon, holds=True, equality=self._is_least(epsilon))
            if compare(epsilon, ExactNumber(least)) < 0:
                return self._decided(epsilon, holds=False)
        raise undecided()

    def _is_least(self, epsilon: ExactNumber) -> bool:
        """Whether an ε that is enough is the least in a direction in which nothing is left."""
        forms = (each.closed_form for each in self._used_up)
        return any(form is not None and compare(epsilon, form) == 0 for form in forms)

    def point(self, epsilon: ExactNumber) -> tuple[mpq, mpq, bool]:
        """Ends of the mass at infinity, and whether δ is that at ε."""
        return (*self.problem.least_feasible_delta(_RELATIVE), self.covers(epsilon))

    def covers(self, epsilon: ExactNumber) -> bool:
        """Whether no loss exceeds ε, in either direction."""
        return all(each.is_bounded and each.compared(epsilon) >= 0 for each in self.extremes)

    def certify_beyond(self, epsilon: ExactNumber) -> Certified | None:
        """The claim holds if no loss exceeds ε; None if some may."""
        return self._decided(epsilon, holds=True) if self.covers(epsilon) else None

    def _decided(self, epsilon: ExactNumber, *, holds: bool, equality: bool = False) -> Certified:
        proof = self.proofs.prove(epsilon, enough=holds)
        computed = Computed(epsilon, self.delta, GREATEST_LOSS, BECAUSE)
        return Certified(holds, equality, proof, None if proof else computed)


def _prove_nothing(epsilon: ExactNumber, *, enough: bool) -> None:
    """No certificate."""


def undecided() -> CostLimitError:
    """What is said of a claim that lies within the interval."""
    return CostLimitError(
        field=UNDECIDED,
        value="neither proved nor refuted",
        expected="a claim outside the interval that compose prints",
        remedy="the interval is as narrow as the rules and the limits allow",
    )
