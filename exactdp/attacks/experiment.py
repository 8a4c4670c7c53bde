r"""The outcome of an attack that was run: counts and design, from JSON.

Rules of this file: JSON is read strictly, and counts are whole numbers; a count that cannot be,
such as more found than there were runs, is refused with its place.

Theory of operation: *many runs* count how often membership was told where there was a member, and
where there was none. *One run* has many canaries, each in with probability 1/2 independently, and
counts which guesses about them were right.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from exactdp.errors import InputError
from exactdp.ledger.formats.bounded import read_bounded
from exactdp.ledger.formats.strict_json import Document, check_keys, json_path, parse

MOST_RUNS: Final = 10**7
MOST_CANARIES: Final = 10**12
_MOST_BYTES: Final = 2**16
_EXAMPLE: Final = (
    '{"members": {"runs": 1000, "found": 300}, "others": {"runs": 1000, "found": 5}}, or '
    '{"canaries": 1000, "guesses": 100, "right": 98}'
)


@dataclass(frozen=True, slots=True)
class ManyRuns:
    """Runs with a member and without, and how often the attack told a member.

    Attributes:
        members: runs with a member, and in how many it was found.
        others: runs without one, and in how many it was found nevertheless.
        choices: of so many tests this one is the best on these very runs.
    """

    members: tuple[int, int]
    others: tuple[int, int]
    choices: int = 1


@dataclass(frozen=True, slots=True)
class OneRun:
    """One run with many canaries, each in by a coin of its own.

    Attributes:
        canaries: how many there are.
        guesses: about how many membership was guessed.
        right: how many guesses were right.
        choices: of so many numbers of guesses this one is the best in hindsight.
    """

    canaries: int
    guesses: int
    right: int
    choices: int = 1


def read_experiment(source: str | Path) -> ManyRuns | OneRun:
    """The outcome that a file holds; ``-`` is standard input.

    Raises:
        InputError: no such file, or no outcome.
    """
    return experiment_of_json(read_bounded(source, _MOST_BYTES, "outcome"))


def experiment_of_json(data: bytes) -> ManyRuns | OneRun:
    """The outcome that the bytes of a JSON file describe.

    Raises:
        InputError: not strict JSON, or no outcome.

    >>> experiment_of_json(b'{"canaries": 9, "guesses": 5, "right": 4}')
    OneRun(canaries=9, guesses=5, right=4, choices=1)
    """
    document = parse(data)
    tree = document.tree
    if not isinstance(tree, dict):
        raise InputError(
            field="outcome", value=document.shown(tree), expected="an object", remedy=_EXAMPLE
        )
    if "canaries" in tree:
        return _one_run(document, tree)
    check_keys(
        tree, ("members", "others", "thresholds"), document, [], of="an outcome", remedy=_EXAMPLE
    )
    members, others = (_runs(document, tree, name) for name in ("members", "others"))
    return ManyRuns(members, others, _count(document, tree, ["thresholds"], (1, MOST_RUNS), 1))


def _one_run(document: Document, tree: dict[str, Any]) -> OneRun:
    known = ("canaries", "guesses", "right", "guess_counts")
    check_keys(tree, known, document, [], of="an outcome of one run", remedy=_EXAMPLE)
    canaries = _count(document, tree, ["canaries"], (1, MOST_CANARIES))
    guesses = _count(document, tree, ["guesses"], (1, min(canaries, MOST_RUNS)))
    right = _count(document, tree, ["right"], (0, guesses))
    choices = _count(document, tree, ["guess_counts"], (1, MOST_RUNS), 1)
    return OneRun(canaries, guesses, right, choices)


def _runs(document: Document, tree: dict[str, Any], name: str) -> tuple[int, int]:
    found = tree.get(name)
    if not isinstance(found, dict):
        raise InputError(
            field=name,
            value="nothing" if found is None else document.shown(found),
            path=json_path([name]),
            expected="an object with runs and found",
            remedy=_EXAMPLE,
        )
    check_keys(found, ("runs", "found"), document, [name], of=name)
    runs = _count(document, found, [name, "runs"], (1, MOST_RUNS))
    return runs, _count(document, found, [name, "found"], (0, runs))


def _count(
    document: Document,
    tree: dict[str, Any],
    path: list[str | int],
    limits: tuple[int, int],
    default: int | None = None,
) -> int:
    """A whole number of the tree, between limits."""
    name = str(path[-1])
    value = tree.get(name, default)
    if type(value) is int and limits[0] <= value <= limits[1]:
        return value
    raise InputError(
        field=name,
        value="nothing" if value is None else document.shown(value),
        path=json_path(path),
        expected=f"a whole number from {limits[0]} to {limits[1]}",
    )
