r"""The rules on a mesh of privacy losses: ``mesh-upper`` from above, ``mesh-lower`` from below.

Rules of this file: weights are from below. From above, what is cut off or rounded away stands at an
infinite loss, and a loss is moved up only; from below, a score may be any function of the outputs.

Theory of operation: a mechanism is dominated by a pair of laws if its profile is nowhere above that
of the pair. Then the composition, adaptive with the pairs fixed in advance, is dominated by the
product of the pairs (Zhu, Dong & Wang, AISTATS 2022, Theorem 10). Each pair is replaced by one with
losses on a mesh that dominates it, so is each product on the way, and

    D(e^ε) <= Σ_s w(s)·max(0, 1 - e^{ε - su}) + (1 - Σ_s w(s)).

Mechanisms known by their Rényi divergences have one pair together (``divergent``).

From below, the outputs of pairs that mechanisms have are cut into cells with a score each; the
event B that the scores add up to at least a threshold has D(e^ε) >= P(B) - e^ε·Q(B).

Sources: certs/SPEC.md, sections 11.5 and 11.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import ClassVar, Final

from ..arithmetic.dots import (
    Losses,
    Mesh,
)
from ..arithmetic.enclosures import bits_for, enclose, exp_fixed
from ..format.meter import of_product, pay
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import integer, one_of, probability, string
from ..format.strict_json import Json
from ..kernel import Form
from ..statement import DEFINITION, Interleaving
from .divergent import Divergent, read_orders
from .fixed_point import Comparison
from .fixed_point import Losses as Compared
from .ledger import ALL_FAMILIES, DOMINATION, Ledger, need_proof
from .noise import attained, divergences_of, dominating, is_directed
from .pairs_of_laws import Dominating, Law, Pair
from .plans import Plan, read_plan, read_plans
from .points import MAX_UNIT_BITS, read_mesh_unit
from .rule import MAX_SUMS, Axiom, parameter, read_digits
from .theorems import APPROXIMATE

_GUARD: Final = 40
_MAX_THRESHOLD: Final = 10**30
_DIRECTIONS: Final = ("add", "remove")


# --- reading ------------------------------------------------------------------------------------


def _read_direction(value: Json) -> bool:
    return one_of(value, _DIRECTIONS, "direction") == "add"


def _read_tilt(value: Json) -> Fraction:
    tilt = probability(parse_canonical(string(value, "tilt")), "tilt")
    if size(tilt) > MAX_UNIT_BITS:
        raise MalformedError("tilt is not short")
    return tilt


# --- the rules ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeshRule(Axiom[Ledger]):
    """A rule about pairs of laws whose losses are moved to a mesh."""

    form: ClassVar[Form] = Form(Ledger)
    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    interleaved: ClassVar[tuple[Interleaving, ...]] = APPROXIMATE

    digits: int = parameter(read_digits)
    sums: int = parameter(partial(integer, least=0, most=MAX_SUMS, what="sums"))
    """At most so many answers of randomized responses are gathered in one pair; 0: none are."""

    unit: Fraction = parameter(read_mesh_unit)

    @property
    def bits(self) -> int:
        """Finer than the digits."""
        return bits_for(self.digits) + _GUARD

    def mesh(self, plan: Plan, parts: Sequence[tuple[Law, int]]) -> Mesh:
        """The mesh that a plan begins with; second differences lose what it is finer by."""
        plan.require(parts, self.unit)
        finer = 2 * self.unit.denominator.bit_length() + 2 * plan.reach(parts, self.unit)
        return Mesh(self.unit, self.digits, self.bits + finer)


@dataclass(frozen=True)
class MeshUpper(MeshRule):
    """``upper``: dominating pairs with losses on a mesh, in both directions where they differ."""

    name: ClassVar[str] = "mesh-upper"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = DOMINATION

    plans: tuple[Plan, ...] = parameter(read_plans)
    orders: tuple[Fraction, ...] = parameter(read_orders)
    """Of what is known by its Rényi divergences; none where nothing is."""

    def require(self, ledger: Ledger) -> None:
        """A plan for each direction, and orders just where something is known by divergences."""
        by_divergences = ledger.has_rho or bool(divergences_of(ledger))
        if by_divergences and not self.orders:
            raise RejectedError("no orders, for mechanisms given by rho or Rényi divergences")
        if self.orders and not by_divergences:
            raise RejectedError("orders, though no mechanism is given by Rényi divergences")
        directions = 1 + is_directed(ledger)
        if len(self.plans) != directions:
            raise RejectedError(f"{len(self.plans)} plans, for {directions} directions")

    def parts(self, ledger: Ledger) -> Sequence[tuple[Dominating, int]]:
        """What dominates the mechanisms, those known by their divergences last."""
        parts = dominating(ledger, self.bits, self.sums)
        if self.orders:
            concentrated = tuple((m.count, m.parameter) for m in ledger.concentrated)
            parts.append((Divergent(concentrated, divergences_of(ledger), self.orders), 1))
        return parts

    def check(self, ledger: Ledger) -> None:
        """D against Δ for the removal of a record, and for adding one."""
        listed = self.parts(ledger)
        counts = [count for _, count in listed]
        comparison = Comparison(ledger, self.bound, self.digits)
        for back, plan in enumerate(self.plans):
            parts = plan.of(listed)
            mesh = self.mesh(plan, parts)
            weights = [
                pair.dots(points, mesh, back=bool(back))
                for (pair, _), points in zip(parts, plan.windows, strict=True)
            ]
            highest, factors, mesh = plan.composed(weights, counts, mesh, above=True)
            comparison.decide_by(Compared(highest, 1, Number(mesh.unit), factors))


@dataclass(frozen=True)
class MeshLower(MeshRule):
    """``lower``: the event that the scores add up to at least a threshold."""

    name: ClassVar[str] = "mesh-lower"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)
    theorem: ClassVar[str] = DEFINITION

    direction: bool = parameter(_read_direction)
    """Whether a record is added, rather than removed."""

    plan: Plan = parameter(read_plan)
    threshold: int = parameter(
        partial(integer, least=-_MAX_THRESHOLD, most=_MAX_THRESHOLD, what="threshold")
    )
    tilt: Fraction = parameter(_read_tilt)

    def parts(self, ledger: Ledger) -> Sequence[tuple[Pair, int]]:
        """What some of the mechanisms have."""
        return self.plan.of(attained(ledger, self.tilt, self.bits, self.sums))

    def check(self, ledger: Ledger) -> None:
        """P(B) - y·Q(B) against Δ; what is lost of Q may be in B."""
        parts = self.parts(ledger)
        mesh = self.mesh(self.plan, parts)
        scores = [
            pair.scores(points, mesh, back=self.direction)
            for (pair, _), points in zip(parts, self.plan.windows, strict=True)
        ]
        counts = [count for _, count in parts]
        (p, _), (q, q_total) = (
            self._event([each[law] for each in scores], counts, mesh) for law in (0, 1)
        )
        bits = Comparison(ledger, self.bound, self.digits).bits(ledger.size)
        y = exp_fixed(enclose(self.bound.finite(), bits), bits)[1]
        whole = mesh.scale**2
        pay(4 * of_product(max(whole.bit_length(), y.bit_length())))
        kept = (p << bits) - y * (q + whole - q_total)
        low, high = ledger.delta(self.bound.delta, bits)
        need_proof(self.bound.kind, (kept, kept), (low * whole, high * whole))

    def _event(
        self, weights: Sequence[Losses], counts: Sequence[int], mesh: Mesh
    ) -> tuple[int, int]:
        """The weight of scores from the threshold on, and of all, times 10^(2·digits)."""
        highest, (one, other), _ = self.plan.composed(weights, counts, mesh, above=False)
        (first, u), (start, v) = one, other
        bits = 7 * self.digits
        pay(len(u) * (500 + of_product(bits)) + len(v) * (200 + bits // 8))
        sums = [0, *accumulate(v)]
        room = highest - self.threshold - first - start + 1
        within_event = (
            weight * sums[min(max(room - at, 0), len(v))] for at, weight in enumerate(u)
        )
        return sum(within_event), sum(u) * sums[-1]
