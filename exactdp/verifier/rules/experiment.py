r"""The outcome of an experiment: how often an attack found a member, and the level.

Rules of this file: counts are integers within limits, and one outcome has one writing; no mechanism
is described here. The level is part of the design: it is fixed before the runs.

Theory of operation: *many runs* count how often membership was told where there was a member, and
where there was none. *One run* has many canaries, each in by a coin of its own, and counts which
guesses about them were right. Tests that were chosen in hindsight share the level.

Sources: certs/SPEC.md, section 14.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Final, Self

from ..format.numbers import size
from ..format.outcomes import MalformedError
from ..format.shapes import integer, members, rational
from ..format.strict_json import Json
from ..statement import UNSPECIFIED, Subject

MAX_RUNS: Final = 10**7
MAX_CANARIES: Final = 10**12
MAX_BITS: Final = 2048


@dataclass(frozen=True)
class Runs:
    """Runs of one kind, and in how many a member was told."""

    runs: int
    found: int


@dataclass(frozen=True)
class ManyRuns:
    """Runs with a member and without; of so many tests this one is the best."""

    members: Runs
    others: Runs
    choices: int


@dataclass(frozen=True)
class OneRun:
    """Canaries, guesses about them, those that were right; of so many numbers of guesses."""

    canaries: int
    guesses: int
    right: int
    choices: int


@dataclass(frozen=True)
class Experiment(Subject):
    """Counts and design, and how often the test may reject what is true."""

    type: ClassVar[str] = "experiment"
    nouns: ClassVar[tuple[str, str]] = ("run", "runs")
    interactions: ClassVar[tuple[str, ...]] = ("adaptive",)
    neighbouring: ClassVar[tuple[str, ...]] = (UNSPECIFIED,)

    outcome: ManyRuns | OneRun
    level: Fraction = field()

    @classmethod
    def read(cls, value: Json) -> Self:
        """The experiment of a statement."""
        one = isinstance(value, dict) and "canaries" in value
        keys = _ONE_RUN if one else _MANY_RUNS
        parts = members(value, ("level", "type", *keys), "subject")
        level = short(parts["level"], "level")
        if not 0 < level < 1:
            raise MalformedError("level is not between 0 and 1")
        return cls(read_outcome({key: parts[key] for key in keys}), level)

    @property
    def count(self) -> int:
        """The number of runs."""
        if isinstance(self.outcome, OneRun):
            return 1
        return self.outcome.members.runs + self.outcome.others.runs


_ONE_RUN: Final = ("canaries", "guess_counts", "guesses", "right")
_MANY_RUNS: Final = ("members", "others", "thresholds")


def read_outcome(value: Json) -> ManyRuns | OneRun:
    """Counts and design, all of them texts."""
    if isinstance(value, dict) and "canaries" in value:
        parts = members(value, _ONE_RUN, "outcome")
        canaries = integer(parts["canaries"], 1, MAX_CANARIES, "canaries")
        guesses = integer(parts["guesses"], 1, min(canaries, MAX_RUNS), "guesses")
        right = integer(parts["right"], 0, guesses, "right")
        choices = integer(parts["guess_counts"], 1, MAX_RUNS, "guess_counts")
        return OneRun(canaries, guesses, right, choices)
    parts = members(value, _MANY_RUNS, "outcome")
    choices = integer(parts["thresholds"], 1, MAX_RUNS, "thresholds")
    return ManyRuns(_runs(parts["members"]), _runs(parts["others"]), choices)


def _runs(value: Json) -> Runs:
    parts = members(value, ("found", "runs"), "runs")
    runs = integer(parts["runs"], 1, MAX_RUNS, "runs")
    return Runs(runs, integer(parts["found"], 0, runs, "found"))


def short(value: Json, what: str) -> Fraction:
    """A rational at least 0 of limited size."""
    number = rational(value, what)
    if size(number) > MAX_BITS:
        raise MalformedError(f"{what} has more than {MAX_BITS} bits")
    return number
