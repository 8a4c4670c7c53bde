r"""What is known of an answer, once for people and for programs.

Rules of this package: a fact has its key in JSON and its title in text, so that neither can say
what the other does not; numbers are rounded where the fact is stated, upper ends up and lower ends
down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.pages.number_text import Rows


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


def result_of(facts: Iterable[Fact]) -> dict[str, object]:
    """The facts as an object of JSON."""
    return {each.key: each.value for each in facts if each.key}


def rows_of(facts: Iterable[Fact]) -> Rows:
    """The facts as the rows of a table."""
    return [
        (each.title if not i else "", line) for each in facts for i, line in enumerate(each.lines)
    ]


def ends(lower: mpq | None, upper: mpq | None) -> dict[str, str]:
    """Both ends of an interval, exactly, for JSON; None is infinity."""
    named = {"lower": lower, "upper": upper}
    return {name: "inf" if end is None else decimal_text(end) for name, end in named.items()}
