r"""What is known of a budget that statistics share.

Rules of this file: an error is rounded up, and so is noise whose digits are many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.results import Allocation, RivalSplit, StatisticShare
from exactdp.arithmetic.decimal_text import (
    round_above,
    round_below,
    scientific_above,
    scientific_text,
    short_text,
    shortest_text,
)
from exactdp.pages.facts import COMPUTED, Fact, FactTable, fact, result_of, shown
from exactdp.pages.number_text import grouped
from exactdp.pages.phrases import budget_text, shared

_DIGITS: Final = 6
_DIGITS_OF_SCALE: Final = 8
_HUNDRED: Final = 100
_PROVED: Final = "certified, and accepted by the verifier"
_COMPUTED: Final = "computed: no rule of certificates states it yet"
_TIGHT: Final = "certified as well: a little less noise of all that are free does not"
_RIVAL: Final = "split scales weighted_error times"
_SHARE: Final = "name noise count scale set_by expected_error within meets_target scale_before"


@dataclass(frozen=True, slots=True)
class Allocated:
    """What a budget gives, and what it gave before anything was fixed or left out."""

    answer: Allocation
    before: Allocation | None

    @property
    def budget(self) -> str:
        """The budget in words."""
        return budget_text(self.answer.epsilon, self.answer.delta)

    def facts(self) -> list[Fact]:
        """The budget, for programs; of its shares and rivals text has tables."""
        answer = self.answer
        error = _end(answer.weighted_error) if answer.shares else None
        return [
            fact("epsilon", shortest_text(answer.epsilon)),
            fact("delta", short_text(answer.delta)),
            fact("confidence", short_text(answer.confidence)),
            fact("outcome", answer.outcome),
            fact("reason", answer.reason),
            fact("shares", [result_of(each, _SHARE) for each in self.shares()]),
            fact("weighted_error", error),
            fact("rivals", [result_of(each, _RIVAL) for each in self.rivals()[:-1]]),
            fact("verified", answer.upper_certificate is not None),
            fact("evidence", COMPUTED),
        ]

    def shares(self) -> list[list[Fact]]:
        """What each statistic is given, in a line."""
        earlier = {} if self.before is None else {e.statistic.name: e for e in self.before.shares}
        rows = []
        for share in self.answer.shares:
            row = _share_facts(share, self.answer.confidence)
            old = earlier.get(share.statistic.name)
            if old is not None:
                before = short_text(old.scale)
                row.append(fact("scale_before", before, "scale before", _scale(old)))
            elif self.before is not None:
                row.append(shown("scale before", ""))
            rows.append(row)
        return rows

    def rivals(self) -> list[list[Fact]]:
        """Other splits of the same budget, and how much larger their errors are."""
        error = self.answer.weighted_error
        rows = [_rival_facts(each, error) for each in self.answer.rivals]
        this = ("split", "this allocation"), ("weighted error", _error(error)), ("times this", "1")
        return [*rows, [shown(title, text) for title, text in this]]

    def proved(self) -> list[Fact]:
        """The error of all, and that the budget is kept."""
        answer = self.answer
        error = [_error(answer.weighted_error)] if answer.weighted_error else []
        tight = [] if answer.lower_certificate is None else [_TIGHT]
        proved = _COMPUTED if answer.upper_certificate is None else _PROVED
        return [
            shown("weighted error", *error),
            shown("keeps the budget", proved, *tight),
        ]


def allocation_facts(name: str, found: Sequence[Allocated]) -> list[Fact]:
    """All budgets, for programs."""
    return [
        fact("statistics", name),
        fact("allocations", [result_of(each.facts()) for each in found]),
    ]


def allocation_sentence(found: Sequence[Allocated]) -> str:
    """Which budgets are kept."""
    kept = sum(each.answer.outcome != "none" for each in found)
    return shared([each.budget for each in found], len(found[0].answer.statistics), kept)


def allocation_heading(name: str, found: Sequence[Allocated]) -> str:
    """How many statistics there are, and how many answers."""
    statistics = found[0].answer.statistics
    answers = grouped(sum(each.count for each in statistics))
    return f"{name or 'Statistics'}: {len(statistics)} statistics, {answers} answers"


def allocation_tables(found: Sequence[Allocated]) -> Iterator[FactTable]:
    """For every δ: the budget, the shares, what is proved, and rivals."""
    for each in found:
        budget = shown("budget", each.budget)
        if each.answer.outcome == "none":
            yield [budget, shown("allocation", f"none: {each.answer.reason}")]
            continue
        yield [budget]
        yield each.shares()
        yield each.proved()
        if each.answer.rivals:
            yield each.rivals()


def _share_facts(share: StatisticShare, confidence: mpq) -> list[Fact]:
    statistic, accuracy = share.statistic, share.accuracy
    expected, within = accuracy.expected, accuracy.within
    percent = short_text(confidence * _HUNDRED)
    set_by = share.set_by if share.meets_target else f"{share.set_by}, misses its target"
    return [
        fact("name", statistic.name, "statistic", statistic.name),
        fact("noise", statistic.noise, "noise", statistic.noise),
        fact("count", str(statistic.count), "answers", grouped(statistic.count)),
        fact("scale", short_text(share.scale), "scale", _scale(share)),
        fact("expected_error", _end(expected), "expected error", _error(expected)),
        fact("within", _end(within), f"{percent} % within", _error(within)),
        fact("set_by", share.set_by, "noise set by", set_by),
        fact("meets_target", share.meets_target),
    ]


def _rival_facts(rival: RivalSplit, error: mpq) -> list[Fact]:
    times = scientific_text(round_below(rival.weighted_error / error, 4)) if error else ""
    return [
        fact("split", rival.split, "split", rival.split),
        fact("scales", [*map(short_text, rival.scales)]),
        fact(
            "weighted_error",
            _end(rival.weighted_error),
            "weighted error",
            _error(rival.weighted_error),
        ),
        fact("times", times or None, "times this", times),
    ]


def _scale(share: StatisticShare) -> str:
    """The noise, rounded up where its digits are many."""
    name = share.statistic.family.scale_name
    return f"{name} = {scientific_above(share.scale, _DIGITS_OF_SCALE)}"


def _error(value: mpq) -> str:
    return scientific_above(value, _DIGITS)


def _end(value: mpq) -> str:
    """An upper end as a finite decimal."""
    return scientific_text(round_above(value, 12))
