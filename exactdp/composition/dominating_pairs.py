r"""What the mechanisms of a statement are as pairs, with their counts, for each bound.

Rules of this file: pairs are asked of the mechanisms, and gathered in the order of
``certs/SPEC.md``, section 7.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    Ends,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.engines.mesh.divergences import ByOrders
from exactdp.composition.problem import Problem
from exactdp.errors import InternalError
from exactdp.mechanisms import FAMILIES
from exactdp.mechanisms.characteristic import Characteristic
from exactdp.mechanisms.divergences import Orders, RenyiBounds
from exactdp.mechanisms.multiset import gathered
from exactdp.mechanisms.pairs import CountedPair, Direction

_BITS: Final = 256


@dataclass(frozen=True)
class DominatingPairs:
    """The pairs of a subject."""

    subject: Subject

    def __post_init__(self) -> None:
        """See that every mechanism is of a family, and means something between such neighbours.

        Raises:
            InternalError: one does not.
        """
        relation = self.subject.neighbouring
        for entry, _ in self.subject.mechanisms:
            known = type(entry) in FAMILIES and (
                not entry.neighbours or relation in entry.neighbours
            )
            if not known:
                raise InternalError(
                    field="mechanism",
                    value=type(entry).__name__,
                    expected=f"a mechanism that means something between {relation} neighbours",
                )
            says = any(True for _ in entry.pairs(relation)) or entry.divergences()
            if not says and entry.rho_estimate():
                raise InternalError(
                    field="mechanism",
                    value=type(entry).__name__,
                    expected="pairs or divergences of a mechanism that reveals something",
                )

    @cached_property
    def failures(self) -> tuple[tuple[mpq, int], ...]:
        """The δ_i above 0, with their counts."""
        counts: Counter[mpq] = Counter()
        for entry, count in self.subject.mechanisms:
            counts[entry.failure()] += count
        return tuple((delta, count) for delta, count in counts.items() if delta)

    @cached_property
    def divergences(self) -> RenyiBounds:
        """The Rényi divergences of all mechanisms that have no pair of their own."""
        known = ((each.divergences(), count) for each, count in self.subject.mechanisms)
        listed = [each.times(count) for each, count in known if each is not None]
        return sum(listed, RenyiBounds(mpq(0)))

    @property
    def rho(self) -> mpq:
        """Σρ of those."""
        return self.divergences.rho

    @property
    def listed(self) -> tuple[tuple[Orders, int], ...]:
        """The lists of orders with their divergences, and their counts."""
        return self.divergences.listed

    @property
    def by_orders(self) -> bool:
        """Whether some mechanism has no pair, but Rényi divergences."""
        return bool(self.divergences)

    @property
    def has_gap(self) -> bool:
        """Whether the ends need not meet, however fine the mesh is."""
        return any(entry.gap() for entry, _ in self.subject.mechanisms)

    @property
    def gap_beyond_tilt(self) -> bool:
        """Whether there is a gap that no choice of attained pairs closes at one ε."""
        return any(entry.gap() and not entry.has_tilt for entry, _ in self.subject.mechanisms)

    @property
    def tilts(self) -> tuple[mpq, ...]:
        """Choices of pairs that the only mechanism attains, where both ends are met but differ."""
        listed = [entry for entry, _ in self.subject.mechanisms]
        return listed[0].tilts() if len(listed) == 1 else ()

    @property
    def tilts_together(self) -> tuple[mpq, ...]:
        """The choices of any mechanism, among which those of several may be one."""
        listed = {tilt for entry, _ in self.subject.mechanisms for tilt in entry.tilts()}
        return tuple(sorted(listed))

    @property
    def has_tilt(self) -> bool:
        """Whether some mechanism has a choice of attained pairs."""
        return any(entry.has_tilt for entry, _ in self.subject.mechanisms)

    @property
    def converts(self) -> bool:
        """Whether the divergences of one order may say more than profiles do."""
        return (self.by_orders or self.has_tilt) and self.has_moments

    @cached_property
    def has_moments(self) -> bool:
        """Whether every mechanism has known, finite divergences."""
        return all(pair.has_moments for pair, _ in self.known())

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Removing a record, and adding one where that differs."""
        relation = self.subject.neighbouring
        differ = any(each.differs_by_direction(relation) for each, _ in self.subject.mechanisms)
        return ("remove", "add") if differ else ("remove",)

    @property
    def is_sampled(self) -> bool:
        """Whether some mechanism is run on a sample."""
        return any(entry.is_sampled for entry, _ in self.subject.mechanisms)

    def above(self) -> tuple[CountedPair, ...]:
        """What dominates the mechanisms: those by divergences as one, the last."""
        return (*self.known(), *([(self.divergent, 1)] if self.by_orders else ()))

    @cached_property
    def divergent(self) -> ByOrders:
        """What the mechanisms by ρ and lists of divergences are together."""
        return ByOrders.of(self.rho, self.listed)

    def known(self) -> tuple[CountedPair, ...]:
        """What dominates the mechanisms but for those by divergences."""
        return self._known

    @cached_property
    def _known(self) -> tuple[CountedPair, ...]:
        return gathered(self._pairs(None))

    def below(self, tilt: mpq) -> tuple[CountedPair, ...]:
        """What some data sets have, of some of the mechanisms."""
        return gathered(self._pairs(tilt))

    def _pairs(self, tilt: mpq | None) -> Iterator[CountedPair]:
        relation = self.subject.neighbouring
        for entry, count in self.subject.mechanisms:
            own = entry.pairs(relation) if tilt is None else entry.attained(relation, tilt)
            for pair, times in own:
                yield pair, times * count

    def characterized(self) -> Problem | None:
        """The mechanisms by their characteristic functions.

        None where one has none in closed form, or there is nothing but Gaussian noise. Discrete
        Laplace noise of shift 1 is randomized response.
        """
        if self.has_gap or self.by_orders:
            return None
        groups: list[tuple[ExactNumber, int]] = []
        noise: list[Characteristic] = []
        square = mpq(0)
        for pair, count in self.known():
            response, function = pair.response(), pair.characteristic(count)
            own_square = pair.mu_squared()
            if response is not None:
                groups.append((response, count))
            elif function is not None:
                noise.append(function)
            elif own_square is None:
                return None
            square += own_square or 0
        if not groups and not noise:
            return None
        count = sum(count for _, count in groups) + sum(each.count for each in noise)
        return Problem(tuple(groups), self.failures, count, square=square, noise=tuple(noise))

    def listed_exactly(self) -> Problem | None:
        """The mechanisms by their outputs; None where one is neither by its ε nor written out."""
        if self.has_gap or self.by_orders:
            return None
        groups: list[tuple[ExactNumber, int]] = []
        tables: list[tuple[tuple[tuple[mpq, mpq], ...], int]] = []
        for pair, count in self.known():
            response, outputs = pair.response(), pair.outputs()
            if response is not None:
                groups.append((response, count))
            elif outputs is not None:
                tables.append((outputs, count))
            else:
                return None
        if not tables:
            return None
        count = sum(count for _, count in self.subject.mechanisms)
        return Problem(tuple(groups), self.failures, count, tables=tuple(tables))

    @property
    def orders(self) -> tuple[mpq, ...]:
        """The orders that are worth looking at where divergences are listed."""
        most = min((orders[-1][0] for orders, _ in self.listed), default=mpq(0))
        return tuple(sorted({a for orders, _ in self.listed for a, _ in orders if a <= most}))

    def allowed_ends(self, delta: mpq) -> Ends:
        """Δ for δ, from below and from above."""
        with precision(_BITS + 4 * delta.denominator.bit_length()):
            around = self.allowed(delta)
            return lower_end(around), upper_end(around)

    def allowed(self, delta: mpq) -> arb:
        """Δ, at the precision of the context."""
        logs = [count * (ball_of_rational(1 - failure)).log() for failure, count in self.failures]
        if not logs:
            return ball_of_rational(delta)
        return 1 - ball_of_rational(1 - delta) * (-sum(logs, arb(0))).exp()
