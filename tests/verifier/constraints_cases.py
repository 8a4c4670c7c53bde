"""Good and bad certificates about mechanisms that meet several pairs of ε and δ.

Written from certs/SPEC.md, sections 7.1, 7.4, 11.1, 11.3, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.verifier.atom_cases import tables
from tests.verifier.handmade import changed, sealed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    RuleCase,
    dots,
    entry,
    plan,
    score,
    statement,
)

Pairs = list[tuple[str, str]]


def meeting(pairs: Pairs, count: int = 1) -> Entry:
    return entry(count, constraints=[[*each] for each in pairs])


# of (ln 2, 1/10), (ln 4, 0): t_1 = 9/30 - 1/20 = 1/4 at 2, t_2 = 1/20 at 4
TWO: Final[Pairs] = [("ln(2)", "1/10"), ("ln(4)", "0")]
# with 1/20 for 0: 9/30 - 1/40 and 1/40, over 19/20
FAILING: Final[Pairs] = [("ln(2)", "1/10"), ("ln(4)", "1/20")]
IRRATIONAL: Final[Pairs] = [("1/2", "1/10"), ("1", "1/1000")]
NEAR: Final[Pairs] = [
    (f"1/{2**1900}", f"1/{2**1900 * 10**9 // 1264911064}"),
    (f"1/{2**1900 - 4}", f"1/{2**1900 * 10**9 // 1264911064 + 1}"),
    (f"1/{2**1900 // 5}", "0"),
]
"""Two that differ by 2^-3798, of which each says something."""
OPEN: Final = [["1/2*ln(2)", "3/10"], ["3/2*ln(2)", "1/5"], ["1/2*ln(18)", "1/10"]]
"""On one line."""
EXACTLY: Final = {"sums": "1000"}
WINDOW: Final = plan([(-20, 20)], (-40, 40, 1))
UP: Final = tables("upper", [meeting(TWO)], "ln(3)", "1/20", **EXACTLY)
FAILED: Final = tables("upper", [meeting(FAILING)], "ln(3)", "3/40", **EXACTLY)
DOWN: Final = tables("lower", [meeting(TWO, 2)], "ln(3)", "1/5", **EXACTLY)
ABOVE: Final = dots([meeting(IRRATIONAL, 2)], "8/5", "1/20", WINDOW, delta="1/20")
BELOW: Final = score([meeting(IRRATIONAL, 2)], "1", "1/20", WINDOW, 21, delta="1/20")
BESIDE: Final = plan([(-20, 20), (-20, 20)], (-40, 40, 1))
NEARLY: Final = dots([meeting(NEAR), meeting(IRRATIONAL, 2)], "8/5", "1/20", BESIDE, delta="1/20")


def never(delta: str) -> Certificate:
    """For no finite ε."""
    made_of = statement("lower", [meeting(FAILING)], "every", delta, "unspecified")
    bound = {"bound": "lower", "delta": delta, "epsilon": "every"}
    return sealed(made_of, [{"parameters": bound, "premises": [], "rule": "trivial"}])


NEVER: Final = never("1/25")
LOGARITHMS: Final[Pairs] = [("1/2*ln(2)", "1/10"), ("ln(2)", "1/1000")]
OF_LOGARITHMS: Final = dots([meeting(LOGARITHMS, 2)], "6/5", "1/20", WINDOW, delta="1/20")
INNER: Final[Pairs] = [("1/10", "3/10"), ("1/2", "1/1000")]
OF_INNER: Final = dots([meeting(INNER, 2)], "9/10", "1/20", WINDOW, delta="1/20")
"""The first of two says nothing beside the other."""


def accepts() -> dict[str, Certificate]:
    """With odds that are rational, and that are not."""
    return {
        "atoms-constraints-upper": UP,
        "atoms-constraints-failing": FAILED,
        "atoms-constraints-lower": DOWN,
        "mesh-upper-constraints": ABOVE,
        "mesh-upper-constraints-near": NEARLY,
        "mesh-lower-constraints": BELOW,
        "trivial-constraints": NEVER,
        "mesh-upper-constraints-of-logarithms": OF_LOGARITHMS,
        "mesh-upper-constraints-implied": OF_INNER,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold."""
    above, below = "the divergence is above Δ", "the divergence is not above Δ"
    bad = tables("upper", [meeting(TWO)], "ln(29/10)", "1/20", **EXACTLY)
    yield "atoms/constraints-just-below", bad, UP, above
    bad = tables(
        "upper", [meeting([("ln(2)", "1/10"), ("ln(5)", "0")])], "ln(3)", "1/20", **EXACTLY
    )
    yield "atoms/constraints-epsilon", bad, UP, above
    bad = tables("upper", [meeting(FAILING)], "ln(3)", "1/20", **EXACTLY)
    yield "atoms/constraints-failure", bad, FAILED, above
    bad = changed(UP, "statement.subject.mechanisms.0.constraints", OPEN)
    yield "atoms/constraints-open", bad, UP, "it is open which of the constraints say something"
    bad = tables("upper", [meeting(TWO, 2)], "ln(3)", "1/20", **EXACTLY)
    yield "atoms/constraints-count", bad, UP, above
    implied = [("ln(2)", "0"), ("ln(4)", "1/10")]
    bad = tables("lower", [meeting(implied, 2)], "ln(3)", "1/5", **EXACTLY)
    yield "atoms/constraints-implied", bad, DOWN, below
    bad = tables("upper", [meeting(IRRATIONAL)], "1", "1/20", **EXACTLY)
    yield "atoms/constraints-irrational", bad, UP, "is not about noise, but for tables"
    bad = dots([meeting(IRRATIONAL, 2)], "1", "1/20", WINDOW, delta="1/20")
    yield "mesh-upper/constraints-epsilon", bad, ABOVE, "is not proved to be at most Δ"
    bad = dots([meeting(IRRATIONAL[1:], 2)], "8/5", "1/20", WINDOW, delta="1/20")
    yield "mesh-upper/constraints-left-out", bad, ABOVE, "is not proved to be at most Δ"
    bad = dots([meeting(NEAR), meeting(IRRATIONAL, 2)], "1", "1/20", BESIDE, delta="1/20")
    yield "mesh-upper/constraints-near", bad, NEARLY, "is not proved to be at most Δ"
    bad = score([meeting(IRRATIONAL, 2)], "8/5", "1/20", WINDOW, 21, delta="1/20")
    yield "mesh-lower/constraints-epsilon", bad, BELOW, "is not proved to be above Δ"
    bad = never("1/20")
    yield "trivial/constraints-failure", bad, NEVER, "delta is feasible"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0"
    listed = f"{first}.constraints"
    many = [[f"{j}", "1/2"] for j in range(13)]
    for name, path, value, clause in (
        ("none", listed, [], "constraints are not 1 to 12"),
        ("thirteen", listed, many, "constraints are not 1 to 12"),
        ("three", f"{listed}.0", ["1/2", "1/10", "0"], "a constraint is no pair"),
        ("order", listed, [["ln(4)", "0"], ["ln(2)", "1/10"]], "constraints do not rise"),
        ("twice", listed, [["2*ln(2)", "1/10"], ["ln(4)", "0"]], "constraints do not rise"),
        ("negative", f"{listed}.0.0", "-1", "the epsilon of a constraint is not from 0 to 1000"),
        ("large", f"{listed}.1.0", "1001", "the epsilon of a constraint is not from 0 to 1000"),
        ("bits", f"{listed}.0.0", f"1/{2**2048}", "a constraint has more than 2048 bits"),
        ("delta", f"{listed}.1.1", "1", "a mechanism's delta is 1"),
        ("rate", f"{first}.rate", "1/2", "mechanism: unknown key rate"),
    ):
        yield f"constraints/{name}", changed(UP, path, value), UP, clause
