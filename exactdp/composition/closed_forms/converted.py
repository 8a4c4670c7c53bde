r"""Bounds for ledgers in ρ, μ and by noise: what their parameters give by the field's theorems.

Rules of this file: every bound holds, by the theorems that it names; a mechanism is read only as
what its noise implies (``readings``), so that a bound about the reading is one about the ledger. A
reading has no certificate: the certified ends are those of :func:`exactdp.compose`. A theorem that
does not apply has a row with the reason.

Theory of operation: a ledger with ρ or μ is converted, by each formula for itself. Rényi
divergences of one order add up, whatever the mechanisms are read as.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, floor_to
from exactdp.arithmetic.enclosures import lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.subject import Subject
from exactdp.certificate.theorems import BUN_STEINKE, CONVERSION_OF_ZCDP
from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.proofs import RowProof
from exactdp.composition.closed_forms.readings import (
    AS_EPSILON,
    AS_RHO,
    AS_RHO_UNSAMPLED,
    entries_read,
    readings,
)
from exactdp.composition.closed_forms.rows import Bound, formulas
from exactdp.composition.closed_forms.table import ClosedForm
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.moments.formulas import FORMULAS
from exactdp.composition.engines.moments.orders import bound_at, mironov_at
from exactdp.composition.problem import Problem
from exactdp.composition.routes import FormulaRoute, Route, Routes
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

_BITS: Final = 256
_PLACES: Final = 20
_FIXED: Final = "parameters fixed in advance"
_NAMES: Final = {
    "zcdp-bun-steinke": "Bun–Steinke",
    "zcdp-canonne-kamath-steinke": "Canonne–Kamath–Steinke",
    "moments": "Rényi divergences",
    "gaussian": "Gaussian curve",
    "gaussian-mixture": "mixture with Gaussian noise",
    "gaussian-mesh": "mixture with Gaussian noise, on a mesh",
    "fourier-upper": "mixture with Gaussian noise, by Fourier transforms",
    "zcdp-pair": "ρ as one (ε, δ) mechanism",
}
_THEOREMS: Final = {
    "zcdp-bun-steinke": BUN_STEINKE,
    "zcdp-canonne-kamath-steinke": CONVERSION_OF_ZCDP,
}
_OF_ONE_ORDER: Final = "Rényi divergences of one order"
_MIRONOV_NAME: Final = "renyi"
_OF_EPSILON: Final = ("ε", "Dwork, McSherry, Nissim, Smith 2006, and those after it")
_OF_RHO: Final = ("ρ or μ", "Bun, Steinke 2016, and those after it")
_UNREAD: Final = {AS_EPSILON: _OF_EPSILON, AS_RHO: _OF_RHO, AS_RHO_UNSAMPLED: _OF_RHO}
_MIRONOV: Final = ClosedForm(
    "Rényi divergences of one order, by Mironov",
    "",
    "Mironov, CSF 2017, Proposition 3, from the Rényi divergence of one order",
    "",
    _FIXED,
)


def converted_bounds(ledger: Ledger, delta: mpq, places: int) -> tuple[Bound, ...]:
    """The bounds of a ledger with ρ or μ, each rounded up to so many places."""
    problem = Problem.of_parameters(ledger)
    if delta >= 1 or problem.allowed(delta).sign <= 0:
        reason = "δ is not between 1 - ∏(1 - δ_i) and 1"
        return tuple(_without_number(rule, reason) for rule in FORMULAS)
    routes = Routes(problem)
    plain = not problem.epsilons  # of these Rényi divergences say what ρ does
    tried: dict[str, Route] = {
        rule: FormulaRoute(problem, rule) for rule in FORMULAS if not (plain and rule == "moments")
    }
    better = (route for route in routes.above(delta) if not (plain and route.rule == "moments"))
    tried |= {route.rule: route for route in better}
    return tuple(_of_route(route, ledger, delta, places) for route in tried.values())


def _of_route(route: Route, ledger: Ledger, delta: mpq, places: int) -> Bound:
    try:
        found = route.derivation(delta, mpq(1, 10**places)).epsilon
    except CostLimitError as error:
        return _without_number(route.rule, str(error))
    above = ceil_to(found, places)

    def proof() -> RowProof:
        found = route.certificate(Subject.of(ledger), ExactNumber(above), delta)
        return RowProof(found, "" if found else "no rule shows it")

    form = _form(route.rule, _NAMES[route.rule])
    return Bound(
        route.rule,
        ExactNumber(above),
        floor_to(found, places) - mpq(1, 10**places),
        "",
        shown=form,
        _proof=proof,
    )


def _without_number(rule: str, reason: str) -> Bound:
    return Bound(rule, None, None, reason, shown=_form(rule, _NAMES[rule]))


def _form(rule: str, name: str) -> ClosedForm:
    citation = _THEOREMS.get(rule, RULES["moments" if rule not in RULES else rule].theorem).citation
    return ClosedForm(name, "", citation.rstrip("."), citation, _FIXED)


# --- readings -----------------------------------------------------------------------------------


def read_bounds(ledger: Ledger, delta: mpq, places: int, max_cost: int) -> tuple[Bound, ...]:
    """The bounds of the readings of a ledger by noise, and those of Rényi divergences."""
    laws = DominatingPairs(Subject.of(ledger))
    rows: list[Bound] = []
    for reading in readings(ledger):
        if reading.ledger.given_by == "epsilon-delta":
            found = [*formulas(reading.ledger, delta, places)]
            optimum = _optimum_of(reading.ledger, delta, places, max_cost)
            found += [] if optimum is None else [optimum]
        else:
            found = [*converted_bounds(reading.ledger, delta, places)]
        rows += (_renamed(row, reading.title) for row in found)
    return (*rows, *_without_reading(ledger), *_of_divergences(laws, delta, places))


def _without_reading(ledger: Ledger) -> Iterator[Bound]:
    """Why there is no reading of a kind: the first mechanism of which it is not known."""
    for title, entries in entries_read(ledger):
        if None in entries:
            unknown, source = _UNREAD[title]
            reason = f"no {unknown} is known of mechanisms[{entries.index(None)}]"
            form = ClosedForm(f"closed forms, {title}", "", source, "", _FIXED)
            yield Bound("sum", None, None, reason, shown=form)


def _of_divergences(laws: DominatingPairs, delta: mpq, places: int) -> tuple[Bound, Bound]:
    """What the Rényi divergences of one order give, of noise and of lists of them alike."""
    form = _form("moments", _OF_ONE_ORDER)
    reason = _why_no_divergences(laws, delta)
    if reason:
        return (
            Bound("moments", None, None, reason, shown=form),
            Bound(_MIRONOV_NAME, None, None, reason, shown=_MIRONOV),
        )
    step = mpq(1, 10**places)
    order, above = bound_at(laws, delta, places), mironov_at(laws, delta, places)
    proved, published = ExactNumber(order.epsilon), ExactNumber(above)
    near = max(mpq(0), order.epsilon - 3 * step), max(mpq(0), above - 2 * step)

    def proof() -> RowProof:
        return RowProof(order.certificate(proved, delta))

    return (
        Bound("moments", proved, near[0], "", shown=form, _proof=proof),
        Bound(_MIRONOV_NAME, published, near[1], "", shown=_MIRONOV),
    )


def _why_no_divergences(laws: DominatingPairs, delta: mpq) -> str:
    """Why no order gives a bound, or ""."""
    if not laws.has_moments:
        return "of some mechanism no divergence is known, or it is infinite"
    with precision(_BITS + 4 * delta.denominator.bit_length()):
        enough = lower_end(laws.allowed(delta)) > 0
    return "" if enough else "δ is not above 1 - ∏(1 - δ_i)"


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
    return replace(row, shown=form, _proof=None)
