r"""The rules for mechanisms by their noise: ``profile-dots`` from above, ``profile-test`` below.

Rules of this file: weights are from below. From above, what is cut off or rounded away stands at an
infinite loss, and a loss is moved up only; from below, a score may be any function of the outputs.

Theory of operation: a mechanism is dominated by a pair of laws if its profile is nowhere above that
of the pair. Then the composition, adaptive with the pairs fixed in advance, is dominated by the
product of the pairs (Zhu, Dong & Wang, AISTATS 2022, Theorem 10). Each pair is replaced by one with
losses on a mesh that dominates it, so is each product on the way, and

    D(e^ε) <= Σ_s w(s)·max(0, 1 - e^{ε - su}) + (1 - Σ_s w(s)).

From below, the outputs of pairs that mechanisms have are cut into cells with a score each; the
event B that the scores add up to at least a threshold has D(e^ε) >= P(B) - e^ε·Q(B).

The counts are written in binary: with L_b the product of the pairs whose count has the bit b, the
whole is (…((L_K)²·L_{K-1})²…)²·L_0. After each step but the last it is kept within a window, and
everything may go on to a coarser mesh.

Sources: certs/SPEC.md, section 13.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.dots import (
    Losses,
    Mesh,
    Points,
    Window,
    coarsened,
    places,
    rounded,
    within,
)
from ..arithmetic.enclosures import bits_for, enclose, exp_floating
from ..arithmetic.products import Weights, product, two_factors
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members, one_of, probability, rational, string
from ..format.strict_json import Json
from ..kernel import Form
from ..statement import DEFINITION
from . import prices
from .fixed_point import Comparison
from .fixed_point import Losses as Compared
from .ledger import need_proof
from .noise_ledger import NoiseLedger
from .pairs_of_laws import MAX_LOSS, Dominating, Pair, Priced
from .rule import Axiom, parameter, read_digits
from .shuffled import Maximum, with_cuts
from .work import Work

DOMINATION: Final = "zhu-dong-wang-2022-theorem-10"
_GUARD: Final = 40
_MAX_INDEX: Final = 10**9
_MAX_CUT: Final = 10**12
_MAX_THRESHOLD: Final = 10**30
_MAX_TIMES: Final = 16
_OF_A_WINDOW: Final = 2
_OF_A_LEVEL: Final = 3
_OF_A_SECTION: Final = 3
_OF_SECTIONS: Final = range(3, 130, 2)
_MAX_UNIT_BITS: Final = 256
_DIRECTIONS: Final = ("add", "remove")

Factors: TypeAlias = tuple[Weights, Weights]


@dataclass(frozen=True)
class Level:
    """The window of losses after a step, and how much coarser the mesh then becomes."""

    window: Window
    times: int

    @property
    def length(self) -> int:
        """At most so many cells on the coarser mesh."""
        return (self.window[1] - self.window[0]) // self.times + 3


@dataclass(frozen=True)
class Plan:
    """Points for each pair of laws, and the levels for the bits of the counts, highest first."""

    windows: tuple[Points, ...]
    levels: tuple[Level, ...]
    cuts: tuple[tuple[int, ...], ...]
    """Of each maximum of shuffled batches, in order."""

    def require(self, parts: Sequence[tuple[Priced, int]], unit: Fraction) -> None:
        """Reject a plan for others, or one with losses too large to compute with."""
        if len(self.windows) != len(parts):
            raise RejectedError(f"{len(self.windows)} windows, for {len(parts)} pairs of laws")
        bits = max(count for _, count in parts).bit_length()
        if len(self.levels) != bits - 1:
            raise RejectedError(f"{len(self.levels)} levels, for counts of {bits} bits")
        if self.reach(unit) > MAX_LOSS:
            raise RejectedError(f"a privacy loss above {MAX_LOSS}")
        for (pair, _), points in zip(parts, self.windows, strict=True):
            if isinstance(pair, Maximum) and len(pair.cuts) != points.count - 1:
                raise RejectedError(f"{len(pair.cuts)} cuts, for {points.count} points")

    def slots(self, parts: Sequence[tuple[Priced, int]]) -> int:
        """How many weights are multiplied, each counted once for every two that it meets."""
        lengths = [points.last - points.first + 3 for points in self.windows]
        counts = [count for _, count in parts]
        whole, total = 1, 0
        for place in range(len(self.levels), -1, -1):
            used = [n for n, count in zip(lengths, counts, strict=True) if count >> place & 1]
            total += (2 * whole + sum(used)) * (len(used) + 2).bit_length()
            if place:
                level = self.levels[-place]
                whole = level.length
                lengths = [n // level.times + 3 for n in lengths]
                total += sum(lengths)
        return total

    def reach(self, unit: Fraction) -> int:
        """The greatest loss of a window, rounded up."""
        return int(max(abs(j) for points in self.windows for j in points.window) * unit) + 1

    def evaluating(self, parts: Sequence[tuple[Priced, int]], digits: int, fine: int) -> int:
        """What it costs to evaluate the points and atoms."""
        pairs = zip(parts, self.windows, strict=True)
        shares = sum(level.times for level in self.levels)
        return shares * prices.transcendental(fine) + sum(
            pair.price(points, digits, fine) for (pair, _), points in pairs
        )

    def composed(
        self, weights: Sequence[Losses], counts: Sequence[int], mesh: Mesh, *, above: bool
    ) -> tuple[int, Factors, Mesh]:
        """The whole as two factors of places from the highest loss down, and that loss."""
        parts, whole = list(weights), {0: mesh.scale}
        for place in range(len(self.levels), 0, -1):
            highest, factors = _factors(whole, parts, counts, place)
            first, values = product(factors, mesh.digits)
            level = self.levels[-place]
            found = {highest - at: weight for at, weight in enumerate(values, first)}
            whole = within(found, level.window, cut=above)
            if level.times > 1:
                moved = [
                    coarsened(each, level.times, mesh) if above else rounded(each, level.times)
                    for each in (whole, *parts)
                ]
                whole, parts = moved[0], moved[1:]
                mesh = mesh.coarser(level.times)
        highest, factors = _factors(whole, parts, counts, 0)
        return highest, two_factors(factors, 0, (), mesh.digits), mesh


def _factors(
    whole: Losses, parts: Sequence[Losses], counts: Sequence[int], place: int
) -> tuple[int, list[dict[int, int]]]:
    """The whole twice, and the parts whose count has the bit; with the highest loss of all."""
    used = [whole, whole, *(each for each, n in zip(parts, counts, strict=True) if n >> place & 1)]
    if not all(used):
        raise RejectedError("no weight is left at these digits, or in a window")
    tops = [max(each) for each in used]
    return sum(tops), [dict(places(each, top)) for each, top in zip(used, tops, strict=True)]


# --- reading ------------------------------------------------------------------------------------


def read_mesh_unit(value: Json) -> Fraction:
    """A rational from 10^-12 to 1000."""
    unit = rational(value, "unit")
    if not Fraction(1, 10**12) <= unit <= MAX_LOSS or size(unit) > _MAX_UNIT_BITS:
        raise MalformedError("unit is not a short rational from 1e-12 to 1000")
    return unit


def _read_plan(value: Json) -> Plan:
    parts = members(value, ("levels", "windows"), "plan", ("cuts",))
    windows = array(parts["windows"], "windows")
    levels = array(parts["levels"], "levels")
    return Plan(
        tuple(_read_points(array(each, "window")) for each in windows),
        tuple(_read_level(array(each, "level")) for each in levels),
        _read_cuts(array(parts["cuts"], "cuts")) if "cuts" in parts else (),
    )


def _read_cuts(value: list[Json]) -> tuple[tuple[int, ...], ...]:
    """At least one list of thresholds that do not fall."""
    lists = tuple(
        tuple(integer(each, -_MAX_CUT, _MAX_CUT, "cut") for each in array(cuts, "cuts"))
        for cuts in value
    )
    if not lists or any(after < before for cuts in lists for before, after in pairwise(cuts)):
        raise MalformedError("cuts are not lists of integers that do not fall")
    return lists


def _read_level(value: list[Json]) -> Level:
    if len(value) != _OF_A_LEVEL:
        raise MalformedError(f"a level does not have {_OF_A_LEVEL} numbers")
    first, last = (_read_loss(each) for each in value[:2])
    _require_rising(first, last)
    return Level((first, last), integer(value[2], 1, _MAX_TIMES, "times"))


def _read_points(value: list[Json]) -> Points:
    """The first and the last, with steps of 1; or the first, and for each section its step and end.

    One section with steps of 1 has the shorter form.
    """
    if len(value) == _OF_A_WINDOW:
        value = [value[0], "1", value[1]]
    elif len(value) not in _OF_SECTIONS or (len(value) == _OF_A_SECTION and value[1] == "1"):
        raise MalformedError("a window does not have 2, or 3, 5, …, 129 numbers")
    end = first = _read_loss(value[0])
    sections = []
    for step_text, end_text in zip(value[1::2], value[2::2], strict=True):
        step, before = integer(step_text, 1, _MAX_INDEX, "step"), end
        end = _read_loss(end_text)
        _require_rising(before, end)
        if (end - before) % step:
            raise MalformedError("a section of a window is not a multiple of its step")
        sections.append((step, end))
    return Points(first, tuple(sections))


def _read_loss(value: Json) -> int:
    return integer(value, -_MAX_INDEX, _MAX_INDEX, "loss")


def _require_rising(first: int, last: int) -> None:
    if first >= last:
        raise MalformedError("a window's first loss is not below its last")


def _read_plans(value: Json) -> tuple[Plan, ...]:
    return tuple(_read_plan(each) for each in array(value, "plans"))


def _read_direction(value: Json) -> bool:
    return one_of(value, _DIRECTIONS, "direction") == "add"


def _read_threshold(value: Json) -> int:
    return integer(value, -_MAX_THRESHOLD, _MAX_THRESHOLD, "threshold")


def _read_tilt(value: Json) -> Fraction:
    tilt = probability(parse_canonical(string(value, "tilt")), "tilt")
    if size(tilt) > _MAX_UNIT_BITS:
        raise MalformedError("tilt is not short")
    return tilt


# --- the rules ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ProfileRule(Axiom[NoiseLedger]):
    """A rule about mechanisms by their noise."""

    form: ClassVar[Form] = Form(NoiseLedger)

    products: ClassVar[int]
    """How many laws a plan is followed for."""

    digits: int = parameter(read_digits)
    unit: Fraction = parameter(read_mesh_unit)

    @property
    @abstractmethod
    def all_plans(self) -> tuple[Plan, ...]:
        """The plans to follow."""

    @property
    def own_tilt(self) -> Fraction:
        """For mechanisms of bounded range."""
        return Fraction(0)

    @property
    def own_bits(self) -> int:
        """For the sum of what Gaussian mechanisms have."""
        return bits_for(self.digits) + _GUARD

    @abstractmethod
    def parts(self, ledger: NoiseLedger) -> Sequence[tuple[Priced, int]]:
        """What is composed."""

    def require(self, ledger: NoiseLedger) -> None:
        """Plans for what is composed."""
        parts = self.parts(ledger)
        if not parts:
            raise RejectedError("no mechanism has laws to compose")
        for plan in self.all_plans:
            plan.require(parts, self.unit)

    def cost(self, ledger: NoiseLedger) -> int:
        """SPEC 13.4 and 13.5."""
        parts = self.parts(ledger)
        work = self._work(ledger)
        evaluating = sum(plan.evaluating(parts, self.digits, work.fine) for plan in self.all_plans)
        slots = self.products * sum(plan.slots(parts) for plan in self.all_plans)
        enclosed = work.transcendental(work.terms) + work.fractions
        entries = prices.entries(ledger.size + len(parts))
        return entries + enclosed + evaluating + 20 * slots * (work.fine + 30)

    def _work(self, ledger: NoiseLedger) -> Work:
        """The sizes of all numbers; e^L has less than 2L bits."""
        reach = max((plan.reach(self.unit) for plan in self.all_plans), default=0)
        sizes = (
            2 * reach,
            2 * size(self.unit),
            size(self.own_tilt),
            *ledger.sizes,
        )
        return Work(ledger.others, self.bound, self.digits, (), sizes)

    def mesh(self, plan: Plan) -> Mesh:
        """The mesh to begin with; finer than the digits by what second differences lose."""
        finer = 2 * self.unit.denominator.bit_length() + 2 * plan.reach(self.unit)
        return Mesh(self.unit, self.digits, bits_for(self.digits) + _GUARD + finer)


@dataclass(frozen=True)
class ProfileDots(ProfileRule):
    """``upper``: dominating pairs with losses on a mesh, in both directions where they differ."""

    name: ClassVar[str] = "profile-dots"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = DOMINATION
    products: ClassVar[int] = 1

    plans: tuple[Plan, ...] = parameter(_read_plans)

    @property
    def all_plans(self) -> tuple[Plan, ...]:
        """One for each direction."""
        return self.plans

    def require(self, ledger: NoiseLedger) -> None:
        """No ρ and no list of divergences, and a plan for each direction."""
        if ledger.listed:
            raise RejectedError("mechanisms given by Rényi divergences have no profile")
        if ledger.others.has_rho:
            raise RejectedError("mechanisms given by rho have no profile")
        directions = 1 + ledger.directed
        if len(self.plans) != directions:
            raise RejectedError(f"{len(self.plans)} plans, for {directions} directions")
        if any(plan.cuts for plan in self.plans):
            raise RejectedError("cuts, though nothing is cut from above")
        super().require(ledger)

    def parts(self, ledger: NoiseLedger) -> Sequence[tuple[Dominating, int]]:
        """What dominates the mechanisms."""
        return ledger.dominating(self.own_bits)

    def check(self, ledger: NoiseLedger) -> None:
        """D against Δ for the removal of a record, and for adding one."""
        parts = self.parts(ledger)
        counts = [count for _, count in parts]
        comparison = Comparison(ledger.others, self.bound, self.digits)
        for back, plan in enumerate(self.plans):
            mesh = self.mesh(plan)
            weights = [
                pair.dots(points, mesh, back=bool(back))
                for (pair, _), points in zip(parts, plan.windows, strict=True)
            ]
            highest, factors, mesh = plan.composed(weights, counts, mesh, above=True)
            comparison.decide_by(Compared(highest, 1, Number(mesh.unit), factors))


@dataclass(frozen=True)
class ProfileTest(ProfileRule):
    """``lower``: the event that the scores add up to at least a threshold."""

    name: ClassVar[str] = "profile-test"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)
    theorem: ClassVar[str] = DEFINITION
    products: ClassVar[int] = 2

    direction: bool = parameter(_read_direction)
    """Whether a record is added, rather than removed."""

    plan: Plan = parameter(_read_plan)
    threshold: int = parameter(_read_threshold)
    tilt: Fraction = parameter(_read_tilt)

    @property
    def all_plans(self) -> tuple[Plan, ...]:
        """One for both laws."""
        return (self.plan,)

    @property
    def own_tilt(self) -> Fraction:
        """The certificate's."""
        return self.tilt

    def parts(self, ledger: NoiseLedger) -> Sequence[tuple[Pair, int]]:
        """What some of the mechanisms have."""
        return with_cuts(ledger.attained(self.tilt, self.own_bits), self.plan.cuts)

    def check(self, ledger: NoiseLedger) -> None:
        """P(B) - y·Q(B) against Δ; what is lost of Q may be in B."""
        parts, mesh = self.parts(ledger), self.mesh(self.plan)
        scores = [
            pair.scores(points, mesh, back=self.direction)
            for (pair, _), points in zip(parts, self.plan.windows, strict=True)
        ]
        counts = [count for _, count in parts]
        (p, _), (q, q_total) = (
            self._event([each[law] for each in scores], counts, mesh) for law in (0, 1)
        )
        bits = Comparison(ledger.others, self.bound, self.digits).bits(ledger.size)
        y, exponent = exp_floating(enclose(self.bound.finite(), bits), bits)[1:]
        whole = mesh.scale**2
        q_most = y * (q + whole - q_total) << max(exponent, 0)
        kept = (p << bits + max(-exponent, 0)) - q_most
        low, high = ledger.others.delta(self.bound.delta, bits)
        scale = whole << max(-exponent, 0)
        need_proof(self.bound.kind, (kept, kept), (low * scale, high * scale))

    def _event(
        self, weights: Sequence[Losses], counts: Sequence[int], mesh: Mesh
    ) -> tuple[int, int]:
        """The weight of scores from the threshold on, and of all, times 10^(2·digits)."""
        highest, (one, other), _ = self.plan.composed(weights, counts, mesh, above=False)
        (first, u), (start, v) = one, other
        sums = [0, *accumulate(v)]
        room = highest - self.threshold - first - start + 1
        within_event = (
            weight * sums[min(max(room - at, 0), len(v))] for at, weight in enumerate(u)
        )
        return sum(within_event), sum(u) * sums[-1]
