r"""What is known of an answer, once for people and for programs.

Rules of this package: a fact has its key in JSON and its title in text, so that neither can say
what the other does not; numbers are rounded where the fact is stated, upper ends up and lower ends
down; what was computed without a certificate is labelled so, for people and for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from exactdp.composition.answers.results import EvidenceKind

COMPUTED: Final[EvidenceKind] = "computed"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known.

    Attributes:
        key: what JSON calls it; "" where people alone are told.
        value: what JSON says.
        title: what a table calls it.
        lines: what the table says; without lines, programs alone are told.
    """

    key: str
    value: object
    title: str = ""
    lines: tuple[str, ...] = ()

    @property
    def for_programs(self) -> Fact:
        """The fact without its words, which stand elsewhere."""
        return Fact(self.key, self.value)


def labelled(
    key: str,
    value: Mapping[str, object] | None,
    evidence: EvidenceKind,
    title: str = "",
    *lines: str,
) -> Fact:
    """A fact with what its numbers rest on: beside them in JSON, and in the title if computed."""
    shown_value = None if value is None else {**value, "evidence": evidence}
    return Fact(key, shown_value, titled(title, evidence), lines)


def titled(title: str, evidence: EvidenceKind | None) -> str:
    """A title that says so of numbers that were computed."""
    return f"{title} (computed)" if title and evidence == COMPUTED else title


FactTable: TypeAlias = Sequence[Fact] | Sequence[Sequence[Fact]]
"""What is known, in two columns or, where several things are known alike, in a line for each."""


def fact(key: str, value: object, title: str = "", *lines: str) -> Fact:
    """A fact for programs, and for people where it has lines."""
    return Fact(key, value, title, lines)


def shown(title: str, *lines: str) -> Fact:
    """A fact in words, for people: programs are given its numbers under other keys."""
    return Fact("", None, title, lines)


def listed(key: str, title: str, texts: Sequence[str | Path]) -> list[Fact]:
    """A list, if it has anything in it."""
    names = tuple(map(str, texts))
    return [Fact(key, list(names), title, names)] if names else []


def result_of(facts: Iterable[Fact], members: str = "") -> dict[str, object]:
    """The facts as an object of JSON.

    Args:
        facts: what is known, in the order in which people read it.
        members: all keys that there may be, in the order of JSON where that is another.
    """
    known = {each.key: each.value for each in facts if each.key}
    order = members.split()
    return {key: known[key] for key in sorted(known, key=order.index)} if order else known


def rows_of(facts: Iterable[Fact]) -> list[tuple[str, str]]:
    """The facts in two columns: what, and how much."""
    return [
        (each.title if not i else "", line) for each in facts for i, line in enumerate(each.lines)
    ]


def table_of(known: FactTable) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Titles and rows: what is known in two columns has no titles."""
    flat = [each for each in known if isinstance(each, Fact)]
    if flat or not known:
        return (), tuple(rows_of(flat))
    told = [[each for each in row if each.lines] for row in known if not isinstance(row, Fact)]
    titles = tuple(each.title for each in told[0])
    return titles, tuple(tuple(each.lines[0] for each in row) for row in told)
