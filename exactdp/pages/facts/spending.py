r"""What is known of a budget that is spent as one goes, and of its log.

Rules of this file: an ε that is promised is an upper end, and written as one; what a file system
does not find is said with what to do about it. Each answer is its facts and a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, scientific_below, short_text
from exactdp.arithmetic.numbers import Number
from exactdp.errors import UnsupportedError
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, shown
from exactdp.pages.number_text import delta_of, rational_text
from exactdp.pages.phrases import counted
from exactdp.spending.auditing import Adoption, Audit
from exactdp.spending.budget import NOTHING, Budget, Charge
from exactdp.spending.filter import Spent
from exactdp.spending.history import History, Spending, together
from exactdp.spending.log import State, finds_older_copies
from exactdp.spending.odometer import THEOREM, odometer
from exactdp.spending.promises import Promise, promise


class Told(NamedTuple):
    """What is known, the sentence on top, and the order of JSON where it is another."""

    facts: list[Fact]
    sentence: str
    members: str = ""


_MADE: Final = "log budget finds_older_copies imported spent delta epsilon"
_STANDING: Final = "log budget spent left number head adoption delta epsilon odometer"
_AUDITED: Final = (
    "log intact problem entries backwards adoption budget spent head finds_older_copies"
)
_SO_FAR: Final = "what is spent so far is no (ε, δ) statement: the promise is about the budget"
_MEASURES: Final = {"epsilon": "ε", "rho": "ρ", "mu": "μ²", "renyi": "Rényi divergence"}
_READABLE: Final = 16
_DIGITS: Final = 6
_LACKS: Final = {
    "moved": "no extended attributes on this file system: an older copy that is written over the "
    "log is not found",
    "none": "neither extended attributes nor times of birth on this file system: an older copy "
    "that is put in the place of the log is not found",
}
_KEEP_HEAD: Final = "keep the head that status prints elsewhere, for: exactdp filter audit --head"


def made(log: str, state: State, imported: int) -> Told:
    """A new log: its budget, and what is spent of it already."""
    budget, head = state.header.budget, state.head
    found = [fact("log", log, "log", log), _budget_fact(budget)]
    if imported:
        found.append(
            _charge_fact("spent", "spent", budget, head.spent, f" in {counted(imported, 'line')}")
        )
        found.append(fact("imported", imported))
    if state.header.delta is not None:
        found += _promise_facts(promise(budget, state.header.delta))
    found.append(_older_copies_fact(finds_older_copies(head)))
    sentence = f"The log {log} has the budget {budget}, which is fixed from now on."
    return Told(found, sentence, _MADE)


def spent_now(log: str, budget: Budget, spent: Spent) -> Told:
    """A spend that was counted."""
    found = [
        fact("log", log),
        fact("number", spent.number),
        _charge_fact("charge", "spent", budget, spent.charge),
        _charge_fact("spent", "in all", budget, spent.total),
        _charge_fact("left", "left", budget, spent.left),
        fact("head", spent.digest),
    ]
    left = _charge_text(budget, spent.left)
    return Told(found, f"The spend is on record, and the query may run: {left} is left.")


def standing(log: str, state: State, adoptions: Sequence[Adoption], delta: Number | None) -> Told:
    """What is spent, what is left, and what the budget promises at a δ."""
    budget, head, lines = state.header.budget, state.head, state.head.number
    adopted, left = _adopted_since(adoptions), budget.limit - head.spent
    found = [
        fact("log", log),
        _budget_fact(budget),
        _charge_fact("spent", "spent", budget, head.spent, f" in {counted(lines, 'line')}"),
        _charge_fact("left", "left", budget, left),
        fact("number", lines),
        fact("adoption", adopted),
    ]
    if delta is not None:
        promised = promise(budget, delta)
        found += _promise_facts(promised, _SO_FAR)
        found += _odometer_facts(budget, head.spent, promised)
    sentence = f"Of the budget {budget}, {_charge_text(budget, left)} is left after "
    sentence += f"{counted(lines, 'line')}."
    if adopted:
        sentence = f"{sentence.rstrip('.')}, as far as the log knows: {adopted}."
    found.append(fact("head", head.digest, "head", head.digest))
    return Told(found, sentence, _STANDING)


def audited(log: str, found: Audit) -> Told:
    """Whether the log is as it was written."""
    adopted, times = _adopted_since(found.adoptions), found.backwards
    word = f"as it was written since {adopted}" if adopted else "as it was written"
    told = word
    if not found.intact:
        also = f"; {adopted}" if adopted else ""
        word, told = f"BROKEN: {found.problem}", f"not as it was written: {found.problem}{also}"
    known = [fact("log", log), fact("intact", found.intact, "audit", word)]
    known.append(fact("problem", found.problem))
    header, head = found.header, found.head
    if header is None or head is None:
        known.append(fact("entries", dict(found.entries)))
    else:
        counts = ", ".join(f"{n} {kind}" for kind, n in sorted(found.entries.items()))
        known += [
            _budget_fact(header.budget),
            fact("entries", dict(found.entries), "lines that hold", counts or "the first"),
            _charge_fact("spent", "spent there", header.budget, head.spent),
            fact("head", head.digest),
            _older_copies_fact(finds_older_copies(head)),
        ]
    clocks = [f"went backwards {times} times; nothing rests on them"] if times else []
    known += [fact("backwards", times, "clocks", *clocks), fact("adoption", adopted)]
    return Told(known, f"The log is {told.rstrip('.')}.", _AUDITED)


def certified(log: str, promised: Promise, written: Sequence[Path]) -> Told:
    """What the budget promises, and where the certificates of that are."""
    paths = [*map(str, written)]
    known = [fact("log", log), _budget_fact(promised.budget), *_promise_facts(promised)]
    known.append(fact("certificates", paths, "certificates", *paths))
    at = f"at δ = {delta_of(promised.delta, up=True)}"
    if promised.upper is None:
        return Told(known, f"The budget {promised.budget} promises no finite ε {at}.")
    epsilon = f"ε = {short_text(promised.upper)} {at}"
    return Told(known, f"The budget {promised.budget} promises {epsilon}, whatever is spent.")


def mended(log: str, removed: bytes) -> Told:
    """What a writer left behind the last whole line."""
    text = f"{len(removed)} bytes removed, and recorded in the log"
    sentence = "What a writer left behind the last whole line is removed, and that is on record."
    if not removed:
        text = "the line feed of the last line is put back, and recorded in the log"
        sentence = "The last line is whole again, and what it spends counts; that is on record."
    return Told([fact("log", log), fact("removed", removed.hex(), "mended", text)], sentence)


def adopted_now(log: str) -> Told:
    """A copy, or older bytes, that are the log from now on."""
    text = "this file is the log now; what the original spent since is not in it"
    known = [fact("log", log), fact("adopted", True, "adopted", text)]
    return Told(known, "This file is the log from now on, and that is on record.")


def monthly(log: str, found: History) -> Told:
    """What was spent in each month and for what."""
    known = [fact("log", log), fact("budget", found.budget.document()), _months_fact(found)]
    months = f", in {counted(len(found.months), 'month')}"
    return Told(known, f"Of the budget {_spent_of(found.budget, [found], months)}")


def monthly_together(logs: Sequence[str], found: Sequence[History]) -> Told:
    """The same of several logs on the same data, whose budgets add up."""
    whole = together(found)
    parts = [
        {"log": log, "budget": each.budget.document(), "months": _months_fact(each).value}
        for log, each in zip(logs, found, strict=True)
    ]
    known = [fact("logs", parts), fact("budget", whole.document())]
    return Told(known, f"Of {len(found)} budgets, together {_spent_of(whole, found)}")


def month_rows(found: History, log: str = "") -> list[list[Fact]]:
    """What was spent in each month and for what, as rows of a table."""
    rows = list[list[Fact]]()
    for month, left in zip(found.months, found.left(), strict=True):
        rows += [
            _history_row(found.budget, month.name, label or "(no label)", each)
            for label, each in month.labels.items()
        ]
        rows.append(_history_row(found.budget, month.name, "in all", month.whole, left))
    return [[shown("log", log), *row] for row in rows] if log else rows


def _spent_of(budget: Budget, found: Sequence[History], more: str = "") -> str:
    spent = sum((each.spent for each in found), NOTHING)
    lines, left = sum(each.lines for each in found), _charge_text(budget, budget.limit - spent)
    was = f"{_charge_text(budget, spent)} was spent in {counted(lines, 'line')}"
    return f"{budget}, {was}{more}: {left} is left."


def _months_fact(found: History) -> Fact:
    months = []
    for month, left in zip(found.months, found.left(), strict=True):
        labels = [
            {"label": label, "lines": each.lines, "spent": _charge_value(each.charge)}
            for label, each in month.labels.items()
        ]
        whole = {"lines": month.whole.lines, "spent": _charge_value(month.whole.charge)}
        left_then = {"left": _charge_value(left), "labels": labels}
        months.append({"month": month.name, **whole, **left_then})
    return fact("months", months)


def measure_of(budget: Budget) -> str:
    """What a budget adds up, as a letter."""
    return _MEASURES[budget.kind]


def _history_row(
    budget: Budget, month: str, label: str, spending: Spending, left: Charge | None = None
) -> list[Fact]:
    return [
        shown("month", month),
        shown("label", label),
        shown("lines", str(spending.lines)),
        shown("spent", _charge_text(budget, spending.charge)),
        shown("left", "" if left is None else _charge_text(budget, left)),
    ]


def _adopted_since(adoptions: Sequence[Adoption]) -> str:
    """Since when a log is as it was written, and what may be missing; "" without an adoption."""
    if not adoptions:
        return ""
    last = adoptions[-1]
    what = "after older bytes were put back" if last.in_place else "as a copy"
    more = len(adoptions) - 1
    again = f" (and {counted(more, 'time')} before)" if more else ""
    return (
        f"it was adopted in line {last.line}, {what}{again}, and spends that these bytes did not "
        "have may be missing"
    )


def _budget_fact(budget: Budget) -> Fact:
    return fact("budget", budget.document(), "budget", str(budget))


def _charge_fact(key: str, title: str, budget: Budget, charge: Charge, also: str = "") -> Fact:
    """A charge against a budget."""
    return fact(key, _charge_value(charge), title, f"{_charge_text(budget, charge)}{also}")


def _charge_value(charge: Charge) -> dict[str, str]:
    return {"size": str(charge.size), "delta": str(charge.delta)}


def _charge_text(budget: Budget, charge: Charge) -> str:
    """A charge against a budget."""
    failures = f", δ = {rational_text(charge.delta)}" if charge.delta else ""
    size = mpq(charge.size)
    text = short_text(size)
    about = f" (about {scientific_below(size, _DIGITS)})" if len(text) > _READABLE else ""
    return f"{_MEASURES[budget.kind]} = {text}{about}{failures}"


def _promise_facts(promised: Promise, *remarks: str) -> list[Fact]:
    """The promise, with what is known from below."""
    lower, upper = promised.lower, promised.upper
    delta = fact("delta", str(promised.delta))
    at = f"at δ = {rational_text(promised.delta)}"
    if upper is None:
        return [delta, fact("epsilon", None, "promise", f"no finite ε {at}", *remarks)]
    known = f"; not below {decimal_text(lower)}" if lower and lower != upper else ""
    exact = ", exactly" if (lower or mpq(0)) == upper else ""
    text = f"ε ≤ {short_text(upper)} {at}, whatever is spent of it{exact}{known}"
    value = {"lower": None if lower is None else short_text(lower), "upper": short_text(upper)}
    return [delta, labelled("epsilon", value, "certificate", "promise", text, *remarks)]


def _odometer_facts(budget: Budget, spent: Charge, promised: Promise) -> list[Fact]:
    """The reading of the odometer, for a budget that has one."""
    try:
        now = decimal_text(odometer(budget, spent, promised.delta).epsilon)
        end = decimal_text(odometer(budget, budget.limit, promised.delta).epsilon)
    except UnsupportedError:
        return []
    value = {"epsilon": now, "at_the_end": end, "theorem": THEOREM}
    text = f"ε ≤ {now} so far, at all times at once, by Ville's inequality for zCDP"
    price = f"its price: it would end at {end}, above the filter's promise"
    return [labelled("odometer", value, COMPUTED, "odometer", text, price)]


def _older_copies_fact(finds: str) -> Fact:
    """Where an older copy of the log can be put back without being found."""
    lines = [_LACKS[finds], _KEEP_HEAD] if finds in _LACKS else []
    return fact("finds_older_copies", finds, "beware", *lines)
