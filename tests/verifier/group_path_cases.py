"""Good and bad certificates for groups along a path of neighbours.

Written from certs/SPEC.md, section 11.24, alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier import handmade
from tests.verifier.handmade import changed
from tests.verifier.noise_cases import OF_TEN, TEN, Certificate, RuleCase, dots, score


def along(
    premises: Sequence[Certificate], steps: Sequence[int], epsilon: str, delta: str
) -> Certificate:
    """``group-path`` after the steps of certificates about the same mechanisms."""
    first, *_ = premises
    kind, group = first["statement"]["kind"], str(sum(steps))
    derivation = [copy.deepcopy(step) for each in premises for step in each["derivation"]]
    parameters = {
        "bound": kind,
        "epsilon": epsilon,
        "delta": delta,
        "digits": "20",
        "group": group,
        "steps": [str(each) for each in steps],
    }
    places = [str(place) for place in range(len(derivation))]
    derivation.append({"rule": "group-path", "parameters": parameters, "premises": places})
    stated = {**first["statement"], "epsilon": epsilon, "delta": delta, "group": group}
    return handmade.sealed(stated, derivation)


BELOW: Final = score(TEN, "4", "1/20", OF_TEN, 90)
NEAR: Final = dots(TEN, "9", "1/20", OF_TEN, delta="1/100")
FAR: Final = dots(TEN, "21/2", "1/20", OF_TEN, delta="1/1000000")
PATH: Final = along([NEAR, FAR], [1, 1], "39/2", "19/1000")
LONG: Final = along([FAR], [2], "21", "1/20")
TWICE: Final = along(
    [handmade.simple("sum", "upper", [("1/10", "0", 12)], "6/5", "0")], [2], "12/5", "0"
)
FAILING: Final = handmade.simple("sum", "upper", [("0", "1/100", 1)], "0", "1/100")
EXACT: Final = along([FAILING], [3], "0", "3/100")
ALONE: Final = along([BELOW], [2], "4", "1/100000")


def accepts() -> dict[str, Certificate]:
    """Of two bounds, of one twice, exactly where nothing grows, and from below."""
    return {
        "group-path-upper": PATH,
        "group-path-long": LONG,
        "group-path-exact": EXACT,
        "group-path-lower": ALONE,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not follow, or of other paths."""
    last = "derivation.2.parameters"
    for name, bad, good, clause in (
        (
            "epsilon",
            along([NEAR, FAR], [1, 1], "1949/100", "19/1000"),
            PATH,
            "below the sum along the path",
        ),
        (
            "delta",
            along([NEAR, FAR], [1, 1], "39/2", "9/500"),
            PATH,
            "not proved to be at least that along the path",
        ),
        (
            "order",
            along([FAR, NEAR], [1, 1], "39/2", "19/1000"),
            PATH,
            "not proved to be at least that along the path",
        ),
        ("steps", changed(PATH, f"{last}.steps", ["1", "2"]), PATH, "not as many as the group"),
        ("one", along([FAR], [1], "21/2", "1/1000000"), LONG, "which is at least 2"),
        ("missing", changed(PATH, "derivation.2.premises", ["0"]), PATH, "does not fit"),
        ("two-below", along([BELOW, BELOW], [1, 1], "4", "1/100000"), ALONE, "has one premise"),
        ("stronger-below", along([BELOW], [2], "5", "1/100000"), ALONE, "not those of the premise"),
    ):
        yield f"group-path/{name}", bad, good, clause
    mixed = changed(TWICE, "derivation.0.parameters.bound", "lower")
    less = along([FAILING], [3], "0", "299/10000")
    yield "group-path/exact", less, EXACT, "not proved to be at least that along the path"
    yield "group-path/kinds", mixed, TWICE, "of another kind"
