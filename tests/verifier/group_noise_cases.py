"""Good and bad certificates for groups, by what mechanisms are for a group.

Written from certs/SPEC.md, section 11.23, alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    RuleCase,
    dots,
    entry,
    laplace,
    plan,
    score,
    statement,
)


def of_group(
    premise: Certificate,
    entries: Sequence[Entry],
    scales: Sequence[str],
    deltas: Sequence[str] | None,
    group: int = 2,
) -> Certificate:
    """``group-noise`` after the step of a certificate about the noise of the group."""
    value = copy.deepcopy(premise)
    claim = value["statement"]
    parameters: dict[str, Any] = {
        "bound": claim["kind"],
        "epsilon": claim["epsilon"],
        "delta": claim["delta"],
        "digits": "20",
        "group": str(group),
        "scales": [*scales],
    }
    if deltas is not None:
        parameters["deltas"] = [*deltas]
    stated = statement(claim["kind"], entries, claim["epsilon"], claim["delta"], "unspecified")
    value["statement"] |= {"subject": stated["subject"], "group": str(group)}
    step = {"rule": "group-noise", "parameters": parameters, "premises": ["0"]}
    value["derivation"].append(step)
    return handmade.resealed(value)


FREE: Final = {"relation": "unspecified"}
MIXED: Final = [entry(epsilon="1", delta="1/1000"), laplace("2")]
FAILURE: Final = entry(epsilon="0", delta="1/250")
LEAST_FAILURE: Final = entry(epsilon="0", delta="1/1000")
STEPS: Final = entry(discrete_laplace={"scale": "1", "shifts": ["2"]})
TWICE: Final = entry(laplace={"scale": "2", "sensitivity": "2"})
FOR_TWO: Final = [FAILURE, STEPS, TWICE]
BELOW_FOR_TWO: Final = [LEAST_FAILURE, STEPS, TWICE]
WINDOWS: Final = plan([(-40, 40), (-20, 20)])
MOST: Final = {"delta": "1/10", **FREE}
ABOVE: Final = of_group(dots(FOR_TWO, "14/5", "1/20", WINDOWS, **MOST), MIXED, ["1"], ["1/250"])
BELOW: Final = of_group(
    score(BELOW_FOR_TWO, "9/5", "1/20", WINDOWS, 41, **MOST), MIXED, ["1"], None
)
LESS: Final = [
    entry(discrete_gaussian={"shifts": ["1"], "variance": "4"}),
    entry(bounded_range="1"),
]
MORE: Final = [
    entry(discrete_gaussian={"shifts": ["2"], "variance": "4"}),
    entry(bounded_range="2"),
]
WIDE: Final = plan([(-40, 40), (-100, 100)])
NOTHING: Final = entry(epsilon="0", delta="1/500")
FAILS: Final = [entry(epsilon="0", delta="1/1000"), laplace("2")]
FAILS_ALONE: Final = of_group(
    dots([NOTHING, TWICE], "9/5", "1/20", plan([(-20, 20)]), **MOST), FAILS, ["1"], ["1/500"]
)
PURE: Final = [entry(epsilon="1", delta="0"), laplace("2")]
PURE_ABOVE: Final = of_group(
    dots([STEPS, TWICE], "14/5", "1/20", WINDOWS, **MOST), PURE, ["1"], ["0"]
)
OTHERS: Final = of_group(dots(MORE, "5/2", "1/20", WIDE, **MOST), LESS, [], [])


def accepts() -> dict[str, Certificate]:
    """Of (ε, δ) and noise, from above and from below."""
    return {
        "group-noise-upper": ABOVE,
        "group-noise-lower": BELOW,
        "group-noise-others": OTHERS,
        "group-noise-failing": FAILS_ALONE,
        "group-noise-pure": PURE_ABOVE,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold, or are of other mechanisms."""
    last = "derivation.1.parameters"
    above = "is not proved to be at most Δ"
    for name, path, value, clause in (
        ("scale-above", f"{last}.scales", ["101/100"], "not on the safe side"),
        ("delta-of-g-times", f"{last}.deltas", ["1/500"], "not proved to be at least"),
        ("scale-of-nothing", f"{last}.scales", ["0"], "a scale is 0"),
        ("no-scales", f"{last}.scales", [], "not as many scales"),
        ("no-deltas", f"{last}.deltas", ..., "deltas belong to an upper bound"),
    ):
        yield f"group-noise/{name}", changed(ABOVE, path, value), ABOVE, clause
    bad = changed(BELOW, f"{last}.scales", ["99/100"])
    yield "group-noise/scale-below", bad, BELOW, "not on the safe side"
    bad = changed(BELOW, f"{last}.deltas", ["1/1000"])
    yield "group-noise/lower-with-deltas", bad, BELOW, "deltas belong to an upper bound"
    bad = of_group(dots(FOR_TWO, "14/5", "1/20", WINDOWS, **MOST), MIXED, ["1"], ["1/250"], 1)
    yield "group-noise/of-one", bad, ABOVE, "a group of 1 is none"
    bad = changed(changed(ABOVE, f"{last}.epsilon", "3"), "statement.epsilon", "3")
    yield "group-noise/epsilon-of-another", bad, ABOVE, "not those of the premise"
    bad = changed(changed(BELOW, f"{last}.bound", "upper"), "statement.kind", "upper")
    bad = changed(bad, f"{last}.deltas", ["1/250"])
    yield "group-noise/premise-from-below", bad, ABOVE, "the premise is of another kind"
    bad = of_group(dots(FOR_TWO, "9/5", "1/20", WINDOWS, **MOST), MIXED, ["1"], ["1/250"])
    yield "group-noise/epsilon", bad, ABOVE, above
    bad = of_group(dots(FOR_TWO, "14/5", "1/20", WINDOWS, **MOST), MIXED, ["1"], ["1/250"], 3)
    yield "group-noise/of-three", bad, ABOVE, above
    sampled = [entry(epsilon="1", delta="1/1000"), laplace("2", rate="1/2")]
    bad = changed(ABOVE, "statement.subject", statement("upper", sampled, "0", "0", "")["subject"])
    bad = changed(bad, "statement.neighbouring", "add-remove-one")
    yield "group-noise/sampled", bad, ABOVE, "has no noise for a group"
