r"""The report of ``exactdp filter status``: what a budget promises, and what was spent of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import Provable
from exactdp.pages.band import Band
from exactdp.pages.explanation import TAKEN_AS_GIVEN_OF_BUDGETS
from exactdp.pages.facts import Fact, shown
from exactdp.pages.facts.spending import Told, month_rows
from exactdp.pages.findings import Detail, Findings, ReportSubject, proofs_of
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.page import name_of, report_page
from exactdp.pages.profile_band import levels_around
from exactdp.pages.standing import Opening
from exactdp.spending.budget import Budget, Charge
from exactdp.spending.certificates import BudgetSubject, certificates_of_promise
from exactdp.spending.history import history
from exactdp.spending.log import State
from exactdp.spending.promises import Promise, promise

_MOST_ROWS: Final = 500
_INTERACTION: Final = "fully-adaptive"


def budget_page(log: str, state: State, delta: Number | None, told: Told) -> bytes:
    """The page on a budget and its log, which begins as the command's answer does."""
    data = Path(log).read_bytes()[: state.length]
    promised = promise(state.header.budget, delta)
    found = budget_findings(name_of(log), data, state, promised, told.facts)
    found = replace(found, details=(*found.details, _months(log)))
    return report_page([found], Opening((told.sentence,), ("proved",)))


def budget_findings(
    file: str, log: bytes, state: State, promised: Promise, facts: Sequence[Fact]
) -> Findings:
    """What is known of a budget and its log."""
    header, head = state.header, state.head
    budget, stem = header.budget, PurePath(file).stem
    about = BudgetSubject(budget, header.neighbouring, head)
    made: dict[str, Provable] = {**certificates_of_promise(promised, about)}
    opening = f"all mechanisms that a budget of {budget} pays for, chosen after the answers before"
    whole = _whole(promised)
    return Findings(
        file,
        replace(whole.ledger, neighbouring=header.neighbouring, unit_of_privacy=header.unit),
        whole,
        "",
        _band(budget, promised.delta),
        (),
        proofs_of(stem, made),
        details=(Detail(f"The budget, {budget}", "As it stands", facts), _spends(log)),
        subject=ReportSubject(file, "log", log, opening, TAKEN_AS_GIVEN_OF_BUDGETS, _INTERACTION),
    )


def _whole(promised: Promise) -> Composition:
    """The promise as an answer about no mechanisms: which they are is decided as one goes."""
    nothing = compose(Ledger((), empty=True), delta=promised.delta)
    ends = {"lower_end": promised.lower, "upper_end": promised.upper, "exact": None}
    return replace(nothing, **ends)  # type: ignore[arg-type]  # the fields are of these types


def _band(budget: Budget, delta: mpq) -> Band | None:
    """What the budget promises at some δ."""
    deltas = [each for each in levels_around(delta) if each > budget.delta]
    promises = [promise(budget, each) for each in deltas]
    return Band.by_delta(
        (each.delta, each.lower or mpq(0), each.upper)
        for each in promises
        if each.upper is not None
    )


def _months(log: str) -> Detail:
    rows = month_rows(history(log))
    return Detail("By month", "What was spent in each month, and for what", rows[:_MOST_ROWS])


def _spends(log: bytes) -> Detail:
    rows = [*_rows(log)]
    more = len(rows) - _MOST_ROWS
    remarks = (f"{grouped(more)} more lines are in the log itself, which is below.",)
    return Detail(
        "What was spent",
        "The lines of the log that spend, in their order",
        rows[:_MOST_ROWS],
        remarks if more > 0 else (),
    )


def _rows(log: bytes) -> Iterator[list[Fact]]:
    for line in log.splitlines():
        entry = json.loads(line)
        if entry["entry"] == "spend":
            charge = Charge(mpq(entry["charge"]["size"]), mpq(entry["charge"]["delta"]))
            yield [
                shown("line", entry["number"]),
                shown("for", entry["label"]),
                shown("size", rational_text(charge.size)),
                shown("failures", rational_text(charge.delta)),
                shown("written", entry["time"]),
            ]
