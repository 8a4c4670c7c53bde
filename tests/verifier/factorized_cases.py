"""Good and bad certificates about factorizations, one pair for each rule of their sensitivity.

Written from certs/SPEC.md, sections 7.7, 11.1, 11.5 and 11.6, alone. Each has μ² = 1 at both ends
or, for rows with a gap, from above; at δ = 1e-5 the least ε of that is 4.3771….
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    RuleCase,
    ShapeCase,
    dots,
    entry,
    plan,
    score,
)

ABOVE_END: Final = "44/10"
BELOW_END: Final = "43/10"
UNIT: Final = "1/10"
WINDOW: Final = plan([(-80, 80)])
THRESHOLD: Final = 44
FIRST: Final = "statement.subject.mechanisms.0"


def factorized(sigma: str, factorization: object, participation: object, count: int = 1) -> Entry:
    return entry(count, sigma=sigma, factorization=factorization, participation=participation)


def apart(most: int, steps: int) -> dict[str, str]:
    return {"most": str(most), "apart": str(steps)}


TREE: Final = factorized("6", {"tree": "16"}, apart(4, 4))
RULES: Final = {
    "rows": TREE,
    "toeplitz": factorized("3", {"toeplitz": ["1"], "steps": "81"}, apart(9, 2)),
    "signs": factorized("2", {"toeplitz": ["1", "-1"], "steps": "5"}, apart(2, 2)),
    "listed": factorized(
        "2", {"rows": [["1", "1"], ["0"]], "from": ["0", "2"]}, [["0", "1"], ["2"]]
    ),
    "every": factorized("3", {"rows": [["2", "-1", "1"]], "from": ["0"]}, {"every": "2"}),
    "banded": factorized(
        "3", {"rows": [["1"]] * 9, "from": [str(j) for j in range(9)]}, apart(9, 1)
    ),
    "toeplitz-rows": factorized("3", {"toeplitz": ["1", "-1"], "steps": "3"}, apart(3, 1)),
    "sqrt": factorized("1", {"sqrt": "1", "band": "1"}, apart(1, 1)),
    "blt": factorized(
        "3", {"blt": {"scales": ["1", "0"], "decays": ["1", "0"]}, "steps": "9"}, apart(1, 1)
    ),
}
TOGETHER: Final = [factorized("12", {"tree": "16"}, apart(4, 4), 2), entry(2, mu="1/2")]


def upper(
    entries: list[Entry], epsilon: str = ABOVE_END, relation: str = "zero-out"
) -> Certificate:
    return dots(entries, epsilon, UNIT, WINDOW, relation=relation)


def lower(
    entries: list[Entry], epsilon: str = BELOW_END, relation: str = "zero-out"
) -> Certificate:
    return score(entries, epsilon, UNIT, WINDOW, THRESHOLD, relation=relation)


REPLACED: Final = [factorized("12", {"tree": "16"}, apart(4, 4))]


def accepts() -> dict[str, Certificate]:
    """Both ends by each rule; with other noise; and where a record is replaced."""
    found = {}
    for name, one in RULES.items():
        found[f"mesh-upper-factorized-{name}"] = upper([one])
        found[f"mesh-lower-factorized-{name}"] = lower([one])
    found["mesh-upper-factorized-together"] = upper(TOGETHER)
    found["mesh-lower-factorized-together"] = lower(TOGETHER, relation="add-remove-one")
    found["mesh-upper-factorized-replaced"] = upper(REPLACED, relation="replace-one")
    found["mesh-lower-factorized-replaced"] = lower(REPLACED, relation="replace-one")
    return found


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold: a little more influence from above, a little less from below."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    more: dict[str, tuple[str, Any]] = {
        "rows": ("participation.apart", "3"),
        "toeplitz": ("participation.most", "10"),
        "signs": ("factorization.toeplitz", ["1", "-5/4"]),
        "listed": ("factorization.rows", [["1", "-6/5"], ["0"]]),
        "every": ("participation.every", "1"),
        "banded": ("sigma", "5/2"),
        "toeplitz-rows": ("sigma", "5/2"),
        "sqrt": ("sigma", "9/10"),
        "blt": ("factorization.steps", "10"),
    }
    less: dict[str, tuple[str, Any]] = {
        "rows": ("participation.most", "3"),
        "toeplitz": ("participation.most", "8"),
        "signs": ("factorization.toeplitz", ["1", "-3/4"]),
        "listed": ("participation", [["0"], ["1"]]),
        "every": ("participation.every", "3"),
        "banded": ("participation.most", "8"),
        "toeplitz-rows": ("participation.most", "2"),
        "sqrt": ("sigma", "11/10"),
        "blt": ("factorization.steps", "8"),
    }
    for name, one in RULES.items():
        path, value = more[name]
        bad = changed(upper([one]), f"{FIRST}.{path}", value)
        yield f"mesh-upper/factorized-{name}", bad, upper([one]), above
        path, value = less[name]
        bad = changed(lower([one]), f"{FIRST}.{path}", value)
        yield f"mesh-lower/factorized-{name}", bad, lower([one]), below
    bad = upper([TREE], relation="replace-one")
    yield "mesh-upper/factorized-replaced", bad, upper(REPLACED, relation="replace-one"), above
    bad = lower(REPLACED)
    yield "mesh-lower/factorized-zeroed", bad, lower(REPLACED, relation="replace-one"), below
    bad = changed(upper([TREE]), "statement.neighbouring", "unspecified")
    yield "mesh-upper/factorized-unspecified", bad, upper([TREE]), "has add-remove-one"


def shapes() -> Iterator[ShapeCase]:
    """Malformed entries, each one change away from a good certificate."""
    tree, steps = lower([TREE]), lower([RULES["toeplitz"]])
    rows, root, blt = (lower([RULES[name]]) for name in ("listed", "sqrt", "blt"))
    big = {"toeplitz": ["1", "1/2", "3/4"], "steps": "4097"}
    for name, good, path, value, clause in (
        ("sigma", tree, "sigma", "0", "a mechanism's sigma is 0"),
        ("rate", tree, "rate", "1/2", "mechanism: unknown key rate"),
        ("none", tree, "factorization", {"steps": "3"}, "factorization has none of"),
        ("text", tree, "factorization", "tree", "factorization has none of"),
        ("both", tree, "factorization", {"tree": "4", "band": "2"}, "unknown key band"),
        ("tree", tree, "factorization.tree", "4097", "tree is not an integer from 1 to 4096"),
        ("most", tree, "participation.most", "0", "most is not an integer from 1"),
        ("apart", tree, "participation.apart", ..., "participation: missing key apart"),
        ("every", tree, "participation.every", "4", "participation: unknown key"),
        ("no-rounds", tree, "participation", [], "participation has no rounds"),
        ("no-round", tree, "participation", [[]], "a participation has no rounds"),
        ("round", tree, "participation", [["16"]], "round is not an integer from 0 to 15"),
        ("falling", tree, "participation", [["3", "3"]], "are not increasing"),
        ("steps", steps, "factorization.steps", "1000001", "steps is not an integer from 1"),
        ("long", steps, "factorization", {"toeplitz": ["1", "1"], "steps": "1"}, "1 to 1 numbers"),
        ("logarithm", steps, "factorization.toeplitz", ["ln(2)"], "is no rational"),
        ("rounds", steps, "factorization", big, "has more than 4096 rounds"),
        ("denominator", rows, "factorization.rows", [["1/7", "1"], [f"1/{2**2046}"]], "2048 bits"),
        ("from", rows, "factorization.from", ["0"], "with as many first rounds"),
        ("band", root, "factorization.band", "2", "band is not an integer from 1 to 1"),
        ("decays", blt, "factorization.blt.decays", ["1"], "as many decays"),
        ("bits", blt, "factorization.blt.decays", ["1", f"1/{2**2048}"], "more than 2048 bits"),
        ("decay", blt, "factorization.blt.decays", ["2", "0"], "is above 1"),
        ("scale", blt, "factorization.blt.scales", ["1", "1/2"], "is above 1"),
        ("negative", blt, "factorization.blt.scales", ["1", "-1/2"], "not a rational at least 0"),
    ):
        yield f"factorized/{name}", changed(good, f"{FIRST}.{path}", value), good, clause
