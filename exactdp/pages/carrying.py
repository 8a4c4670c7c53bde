r"""How a bound is carried over, in words: to groups, and to workloads by cases of their rows.

Rules of this file: the sentences say what the verifier checked, and nothing that it did not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from exactdp.mechanisms import REPLACE_ONE
from exactdp.pages.number_text import grouped

_OF_EACH: Final = (
    "That is not about the mechanisms below, but about what they are for a group of {group}: ε and "
    "μ times g, ρ times g², and each δ at least δ·(1 + e^ε + … + e^{{(g−1)ε}})."
)
_IN_STEPS: Final = (
    "From that, a group of {group} is reached in as many steps, each of which multiplies by e^ε "
    "and adds δ: g·ε, and δ·(1 + e^ε + … + e^{{(g−1)ε}}), are at most what is claimed, the second "
    "computed from above."
)
_CLASSES: Final = (
    "The queries were sorted into classes ({classes}), and any two of a class were found to have "
    "no row in common."
)
_ONCE: Final = (
    f"{_CLASSES} A row meets at most one of each class, so that one mechanism that reveals at "
    "least as much as any of its class stands for all of it: the one of the greatest parameters; "
    "of noise, that with a greater shift, or known to be worse noise, or a greater rate."
)
_TWICE: Final = (
    f"{_CLASSES} The row that leaves meets at most one of each class, and so does the row that "
    "enters, so that two mechanisms stand for a class: those of the greatest parameters in it and "
    "of the second greatest, both with its greatest δ; a class of one query counts once."
)
_CASES: Final = (
    "The rows were sorted into cases ({cases}) by the values of their attributes. In each case the "
    "queries that a row of it may satisfy were sorted into classes, and any two of a class were "
    "found to have no row of that case in common. A row belongs to one case, and meets at most one "
    "query of each of its classes, so that one mechanism with the greatest parameters of the first "
    "classes of all cases, one with those of the second, and so on, stand for all of them."
)
_CASES_OF_TWO: Final = (
    "Pairs of rows, one that leaves and one that enters, were sorted into cases ({cases}) by the "
    "values of their attributes. In each case the queries that the row which leaves may satisfy "
    "were sorted into classes, and any two of a class were found to have no row of that case in "
    "common; and so were those of the row which enters. Either meets at most one query of each of "
    "its classes. One mechanism with the greatest parameters of what stands first in all cases, "
    "one of what stands second, and so on, stand for all of them: a query that is a class of its "
    "own for both rows stands there once."
)


def carried_in_words(parameters: Mapping[str, Any], relation: str) -> dict[str, str]:
    """What the rules ``group`` and ``cases`` checked, by the names in the table of rules."""
    return {
        "for_group": _for_group(parameters),
        "group": grouped(int(parameters.get("group", 1))),
        "sorted": _sorted(parameters.get("tree", ()), replaced=relation == REPLACE_ONE),
    }


def _for_group(parameters: Mapping[str, Any]) -> str:
    """As steps of the whole, or by what each mechanism is."""
    group = grouped(int(parameters.get("group", 1)))
    return (_OF_EACH if "deltas" in parameters else _IN_STEPS).format(group=group)


def _sorted(tree: Sequence[Mapping[str, Any]], *, replaced: bool) -> str:
    """One leaf with classes, or cases; of a row, or of two."""
    if len(tree) == 1 and "colours" in tree[0]:
        classes = grouped(len(tree[0]["colours"]))
        return (_TWICE if replaced else _ONCE).format(classes=classes)
    cases = grouped(sum("below" not in node for node in tree))
    return (_CASES_OF_TWO if replaced else _CASES).format(cases=cases)
