r"""Bounds for ledgers in ρ, μ and by noise: what their parameters give by the field's theorems.

Rules of this file: every bound holds, by the theorems that it names; a mechanism is read only as
what its noise implies, so that a bound about the reading is one about the ledger. A reading has no
certificate: the certified ends are those of :func:`exactdp.compose`.

Theory of operation: a ledger with ρ or μ is converted, by each formula for itself. A mechanism by
its noise is read as pure where its losses are bounded (Laplace, discrete Laplace, a range, a
table), and as ρ or μ where they are not (discrete Gaussian: ρ = Σ shift²/(2·variance)). A sampled
one is read as what it is without sampling, but for pure ones, whose ε becomes ln(1 + q(e^ε - 1)).

Sources: Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 4 (discrete Gaussian); Cesar & Rogers, ALT
2021 (bounded range, ε²/8); Balle, Barthe & Gaboardi, NeurIPS 2018, Theorem 8 (sampling).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.answers.compose import compose
from exactdp.arithmetic.decimal_text import ceil_to, floor_to
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.noise_subject import NoiseSubject
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.rules.row import ClosedForm
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.closed_forms.rows import Bound, formulas
from exactdp.conversion.derivations import FormulaRoute, Route, Routes
from exactdp.conversion.formulas import FORMULAS
from exactdp.conversion.parts import Parts
from exactdp.errors import CostLimitError, UnsupportedError
from exactdp.ledger.model import (
    ZERO_OUT,
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
    Parametric,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)

_BITS: Final = 256
_PLACES: Final = 20
_FIXED: Final = "parameters fixed in advance"
_NAMES: Final = {
    "zcdp-bun-steinke": "Bun–Steinke",
    "zcdp-canonne-kamath-steinke": "Canonne–Kamath–Steinke",
    "renyi": "Rényi divergences",
    "gaussian": "Gaussian curve",
    "gaussian-mixture": "mixture with Gaussian noise",
    "gaussian-mesh": "mixture with Gaussian noise, on a mesh",
    "gaussian-fourier-upper": "mixture with Gaussian noise, by Fourier transforms",
    "zcdp-pair": "ρ as one (ε, δ) mechanism",
}


def converted_bounds(ledger: Ledger, delta: mpq, places: int) -> tuple[Bound, ...]:
    """The bounds of a ledger with ρ or μ, each rounded up to so many places."""
    parts = Parts.of(ledger)
    if delta >= 1 or parts.allowed(delta).sign <= 0:
        reason = "δ is not between 1 - ∏(1 - δ_i) and 1"
        return tuple(_without_number(rule, reason) for rule in FORMULAS)
    routes = Routes(parts)
    plain = not parts.problem.epsilons  # of these Rényi divergences say what ρ does
    tried: dict[str, Route] = {
        rule: FormulaRoute(parts, rule) for rule in FORMULAS if not (plain and rule == "renyi")
    }
    tried |= {route.rule: route for route in routes.above(delta)}
    return tuple(_of_route(route, ledger, delta, places) for route in tried.values())


def _of_route(route: Route, ledger: Ledger, delta: mpq, places: int) -> Bound:
    try:
        found = route.derivation(delta, mpq(1, 10**places)).epsilon
    except CostLimitError as error:
        return _without_number(route.rule, str(error))
    above = ceil_to(found, places)

    def proof() -> Certificate | None:
        return route.certificate(Subject.of(ledger), ExactNumber(above), delta)

    form = _form(route.rule, _NAMES[route.rule])
    return Bound(
        route.rule,
        ExactNumber(above),
        floor_to(found, places) - mpq(1, 10**places),
        "",
        shown=form,
        _certificate=proof,
    )


def _without_number(rule: str, reason: str) -> Bound:
    return Bound(rule, None, None, reason, shown=_form(rule, _NAMES[rule]))


def _form(rule: str, name: str) -> ClosedForm:
    citation = RULES[rule].theorem.citation
    return ClosedForm(name, "", citation.rstrip("."), citation, _FIXED)


# --- readings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoiseReading:
    """A ledger that a ledger by noise is at most, in words and as one.

    Attributes:
        title: what the mechanisms are read as.
        ledger: the reading.
    """

    title: str
    ledger: Ledger


def readings(ledger: Ledger) -> Iterator[NoiseReading]:
    """The readings that exist: as pure mechanisms, and as ρ or μ."""
    unsampled = any(
        isinstance(entry, SampledMechanism) and _pure(entry) is None for entry in ledger.mechanisms
    )
    concentrated = "as ρ and μ, unsampled" if unsampled else "as ρ and μ"
    listed: list[tuple[Parametric, ...]] = []
    relation = "unspecified" if ledger.neighbouring == ZERO_OUT else ledger.neighbouring
    told = [_known_batch(entry, ledger.neighbouring) for entry in ledger.mechanisms]
    for title, read in (("as ε", pure_reading), (concentrated, concentrated_reading)):
        entries = [read(entry) for entry in told]
        known = tuple(each for each in entries if each is not None)
        if len(known) == len(entries) and known not in listed:
            listed.append(known)
            reading = replace(ledger, mechanisms=known, claims=(), neighbouring=relation)
            yield NoiseReading(title, reading)


def _known_batch(entry: Entry, neighbouring: str) -> Entry:
    if isinstance(entry, ShuffledGaussianMechanism):
        return entry.known_batch(neighbouring)
    return entry


def pure_reading(entry: Entry) -> Parametric | None:
    """A mechanism by its ε, or as it is if that has one already; None if it has none.

    >>> pure_reading(LaplaceMechanism(4, 2)).epsilon
    ExactNumber(rational=mpq(1,2), logs=())
    """
    epsilon = _pure(entry)
    if isinstance(entry, Mechanism):
        return entry
    return None if epsilon is None else Mechanism(epsilon, 0, entry.count, entry.label)


def _pure(entry: Entry) -> ExactNumber | None:
    match entry:
        case LaplaceMechanism(scale=scale, sensitivity=sensitivity):
            return ExactNumber(sensitivity / scale)
        case DiscreteLaplaceMechanism(scale=scale, shifts=shifts):
            return ExactNumber(sum(shifts) / scale)
        case BoundedRangeMechanism(epsilon=size):
            return ExactNumber(size)
        case PairMechanism(p=p, q=q):
            return _greatest_ratio(p, q)
        case SampledMechanism(base=base, rate=rate):
            return _amplified(_pure(base), rate)
    return None


def _greatest_ratio(p: tuple[mpq, ...], q: tuple[mpq, ...]) -> ExactNumber | None:
    rows = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    if any(not a or not b for a, b in rows):
        return None
    return ExactNumber.ln(max(max(a / b, b / a) for a, b in rows))


def _amplified(epsilon: ExactNumber | None, rate: mpq) -> ExactNumber | None:
    """A decimal at least ln(1 + q(e^ε - 1))."""
    if epsilon is None:
        return None
    with precision(_BITS):
        size = (ball_of_rational(rate) * ball(epsilon).expm1()).log1p()
        return ExactNumber(ceil_to(upper_end(size), _PLACES))


def concentrated_reading(entry: Entry) -> Parametric | None:
    """A mechanism by its ρ or μ, or by its ε where that is all; None if neither is known."""
    count, label = entry.count, entry.label
    match entry:
        case Mechanism() | ConcentratedMechanism() | GaussianMechanism():
            return entry
        case DiscreteGaussianMechanism(variance=variance, shifts=shifts):
            rho = sum((mpq(shift) ** 2 for shift in shifts), mpq(0)) / (2 * variance)
            return ConcentratedMechanism(rho, count, label)
        case BoundedRangeMechanism(epsilon=size):
            return ConcentratedMechanism(size**2 / 8, count, label)
        case SampledMechanism(base=GaussianMechanism() | DiscreteGaussianMechanism() as base):
            known = concentrated_reading(base)
            return None if known is None else replace(known, count=count, label=label)
    return pure_reading(entry)


def read_bounds(ledger: Ledger, delta: mpq, places: int, max_cost: int) -> tuple[Bound, ...]:
    """The bounds of the readings of a ledger by noise.

    Raises:
        UnsupportedError: a mechanism of a family that no rule composes, or without a reading.
    """
    NoiseSubject.of(ledger)
    rows: list[Bound] = []
    for reading in readings(ledger):
        if reading.ledger.is_approximate:
            found = [*formulas(reading.ledger, delta, places)]
            optimum = _optimum_of(reading.ledger, delta, places, max_cost)
            found += [] if optimum is None else [optimum]
        else:
            found = [*converted_bounds(reading.ledger, delta, places)]
        rows += (_renamed(row, reading.title) for row in found)
    if not rows:
        raise UnsupportedError(
            field="ledger",
            value="mechanisms of which neither ε nor ρ is known",
            expected="noise with an ε, a ρ or a μ",
            remedy="compose gives the certified interval",
        )
    return tuple(rows)


def _optimum_of(ledger: Ledger, delta: mpq, places: int, max_cost: int) -> Bound | None:
    """The optimal composition of the ε that mechanisms are read as."""
    try:
        optimum = compose(ledger, delta=delta, tolerance=mpq(1, 10**places), max_cost=max_cost)
    except CostLimitError:
        return None
    if optimum.upper_end is None or optimum.lower_end is None:
        return None
    form = ClosedForm("optimal composition", "", "Murtagh, Vadhan 2018, Theorem 1.5", "", _FIXED)
    return Bound("optimum", ExactNumber(optimum.upper_end), optimum.lower_end, "", shown=form)


def _renamed(row: Bound, title: str) -> Bound:
    form = replace(row.form, name=f"{row.form.name}, {title}")
    return replace(row, shown=form, _certificate=None)
