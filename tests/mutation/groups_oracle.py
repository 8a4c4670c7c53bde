"""What each entry of a statement is for a group, in entries about neighbours."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

Entries = list[dict[str, Any]]


def of_group(entry: dict[str, Any], group: int, *, upper: bool) -> Entries | None:
    """Noise that moves ``group`` times as far; None of what is not known to be noise.

    A failure is from above one of each step, and from below one of the first.
    """
    count = {"count": entry["count"]}
    if "rate" in entry or "ln" in entry.get("epsilon", ""):
        return None
    if "epsilon" in entry:
        return [{**each, **count} for each in _of_response(entry, group, upper=upper)]
    scaled = {"mu": group, "rho": group**2, "mu_squared": group**2, "bounded_range": group}
    for key in scaled.keys() & entry.keys():
        return [{key: str(Fraction(entry[key]) * scaled[key]), **count}]
    if "laplace" in entry:
        moved = str(Fraction(entry["laplace"]["sensitivity"]) * group)
        return [{"laplace": {**entry["laplace"], "sensitivity": moved}, **count}]
    on_integers = {"discrete_laplace", "discrete_gaussian", "skellam"} & entry.keys()
    moved_noise = (
        {key: {**entry[key], "shifts": [str(int(s) * group) for s in entry[key]["shifts"]]}}
        for key in on_integers
    )
    return [{**each, **count} for each in moved_noise] or None


def _of_response(entry: dict[str, Any], group: int, *, upper: bool) -> Entries:
    """A count of which each step is randomized response, and a failure."""
    epsilon, failure = Fraction(entry["epsilon"]), float(Fraction(entry["delta"]))
    if upper:
        failure *= sum(exp(step * epsilon) for step in range(group))
    made: Entries = []
    if epsilon:
        noise = {"scale": str(1 / epsilon), "shifts": [str(group)]}
        made.append({"discrete_laplace": noise})
    if failure:
        made.append({"epsilon": "0", "delta": str(Fraction(min(1.0, failure)))})
    return made
