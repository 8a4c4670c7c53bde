r"""What is known of a budget: what fits into it, and what does not.

Rules of this file: the scale to use is the lower end, rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    floor_to,
    places_within,
    short_text,
    shortest_text,
)
from exactdp.budgets.answers import EXCEEDED, BudgetAnswer, CountAnswer, DialAnswer, ScaleAnswer
from exactdp.pages.facts import Fact, fact, listed, shown
from exactdp.pages.number_text import abridged, grouped
from exactdp.pages.phrases import budget_text, budget_unkept, count_kept, dial_kept, scale_kept

MEMBERS: Final = (
    "epsilon delta mechanisms outcome reason evidence scale exact count turned count_of held "
    "certificates"
)
_GREATEST: Final = ("epsilon", "rho", "range", "rate")


def budget_facts(answer: BudgetAnswer, written: Sequence[Path]) -> list[Fact]:
    """The budget, and what it allows."""
    found = [
        fact("epsilon", shortest_text(answer.epsilon), "budget", _budget(answer)),
        fact("delta", short_text(answer.delta)),
        fact("mechanisms", answer.ledger.size),
        fact("outcome", answer.outcome),
        fact("reason", answer.reason),
    ]
    if isinstance(answer, ScaleAnswer):
        found += _scale_facts(answer)
    elif isinstance(answer, CountAnswer):
        found += _count_facts(answer)
    elif isinstance(answer, DialAnswer):
        found += _dial_facts(answer)
    without = ["computed: no certificate shows it"] if answer.evidence == "computed" else []
    found.append(fact("evidence", answer.evidence, "evidence", *without))
    return [*found, *listed("certificates", "written", written)]


def budget_sentence(answer: BudgetAnswer) -> str:
    """What fits into the budget, or that nothing is the most that does."""
    budget = _budget(answer)
    if isinstance(answer, CountAnswer) and answer.fits is not None:
        return count_kept(answer.label, answer.fits, budget)
    if isinstance(answer, DialAnswer) and answer.fits is not None:
        setting = f"{answer.name} = {short_text(answer.fits)}"
        return dial_kept(answer.label, setting, budget)
    ends = _ends(answer) if isinstance(answer, ScaleAnswer) else None
    if ends is not None:
        return scale_kept(answer.ledger.size, budget, ends)
    if answer.reason == EXCEEDED:
        return f"The ledger already exceeds the budget {budget}; no more fits."
    what = "largest scale" if isinstance(answer, ScaleAnswer) else "number"
    return budget_unkept(what, budget, f"{answer.outcome}, as {answer.reason}")


def _budget(answer: BudgetAnswer) -> str:
    return budget_text(answer.epsilon, answer.delta)


def _ends(answer: ScaleAnswer) -> tuple[str, str] | None:
    """Decimals of which the first fits and the second does not; None unless found."""
    if answer.lower is None or answer.upper is None:
        return None
    places = places_within(answer.upper - answer.lower)
    lower = answer.lower if answer.exact is None else floor_to(answer.lower, places)
    return decimal_text(lower), decimal_text(answer.upper)


def _scale_facts(answer: ScaleAnswer) -> list[Fact]:
    ends, title = _ends(answer), "largest scale"
    held = fact("held", list(answer.held), "held", *answer.held)
    exact = None if answer.exact is None else short_text(answer.exact)
    if ends is None:
        lines = [f"{answer.outcome}: {answer.reason}"]
    else:
        lines = [] if exact is None else [f"c = {abridged(exact)} exactly"]
        lines += [f"c ≥ {ends[0]}, which fits: use this one", f"c < {ends[1]}, which does not"]
        lines += [answer.reason] if answer.reason else []
    scale = None if ends is None else {"lower": ends[0], "upper": ends[1]}
    return [held, fact("scale", scale, title, *lines), fact("exact", exact)]


def _count_facts(answer: CountAnswer) -> list[Fact]:
    label, title = fact("count_of", answer.label, "mechanism", answer.label), "more that fit"
    if answer.fits is None:
        return [label, fact("count", None, title, f"{answer.outcome}: {answer.reason}")]
    total = grouped(answer.fitting.size if answer.fitting else answer.ledger.size)
    lines = [f"{grouped(answer.fits)} ({total} mechanisms in all)"]
    if answer.exceeds is None:
        return [label, fact("count", {"fits": answer.fits}, title, *lines, answer.reason)]
    lines.append(f"{grouped(answer.exceeds)} more do not fit")
    lines += [answer.reason] if answer.reason else []
    return [label, fact("count", {"fits": answer.fits, "exceeds": answer.exceeds}, title, *lines)]


def _dial_facts(answer: DialAnswer) -> list[Fact]:
    fits, exceeds = (
        None if each is None else short_text(each) for each in (answer.fits, answer.exceeds)
    )
    value = {"what": answer.turned, "number": answer.name, "of": answer.label}
    if fits is None:
        lines = [f"{answer.outcome}: {answer.reason}"]
    else:
        lines = [f"{answer.name} = {fits}, which fits: use this one"]
        lines += [f"{answer.name} = {exceeds}, which does not"] if exceeds is not None else []
        lines += [answer.reason] if answer.reason else []
    title = f"greatest {answer.name}" if answer.name in _GREATEST else "least noise"
    turned = fact("turned", value | {"fits": fits, "exceeds": exceeds}, title, *lines)
    return [shown("mechanism", answer.label), turned]
