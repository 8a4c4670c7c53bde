"""Good and bad certificates about shuffled reports.

Written from certs/SPEC.md, sections 7, 11.1, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

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

GIVEN_WAY: Final = {"relation": "replace-one", "delta": "1/1000"}


def reported(
    reports: int, odds: str, values: object = None, count: int = 1, given: str = "odds"
) -> Entry:
    plan = {given: odds, "reports": str(reports)}
    return entry(
        count, shuffled_reports=plan if values is None else {**plan, "values": str(values)}
    )


ROUNDS: Final = [reported(60, "3", count=2)]
OF_THREE: Final = [reported(60, "3", 3, 2)]
OF_TWO: Final = [reported(60, "5/2", 2, 2)]
OF_NINE: Final = [reported(8, "5", 9)]
BY_EPSILON: Final = [reported(60, "1", 3, 2, given="local_epsilon")]
WINDOW: Final = plan([(-22, 22)], (-44, 44, 1))
ONCE: Final = plan([(-34, 34)])
CLONES: Final = dots(ROUNDS, "81/100", "1/20", WINDOW, **GIVEN_WAY)
BLANKET: Final = dots(OF_THREE, "11/20", "1/20", WINDOW, **GIVEN_WAY)
BLANKET_OF_TWO: Final = dots(OF_TWO, "49/100", "1/20", WINDOW, **GIVEN_WAY)
LOCAL: Final = dots(BY_EPSILON, "12/25", "1/20", WINDOW, **GIVEN_WAY)
LOCAL_BELOW: Final = score(BY_EPSILON, "11/25", "1/20", WINDOW, 9, **GIVEN_WAY)
THIRD: Final = score(OF_THREE, "1/2", "1/20", WINDOW, 12, **GIVEN_WAY)
ANY_BELOW: Final = score(ROUNDS, "1/2", "1/20", WINDOW, 12, **GIVEN_WAY)
ONE_VALUE: Final = score(OF_TWO, "2/5", "1/20", WINDOW, 9, **GIVEN_WAY)
ALIKE: Final = score(OF_NINE, "7/10", "1/20", ONCE, 15, **GIVEN_WAY, tilt="13/16")
HISTOGRAM: Final = score(OF_NINE, "11/10", "1/20", ONCE, 23, **GIVEN_WAY, tilt="9/16")


def accepts() -> dict[str, Certificate]:
    """Rounds of any randomizer, and of randomized response on two, three and nine values."""
    return {
        "mesh-upper-clones": CLONES,
        "mesh-upper-blanket": BLANKET,
        "mesh-upper-blanket-of-two": BLANKET_OF_TWO,
        "mesh-upper-local-epsilon": LOCAL,
        "mesh-lower-local-epsilon": LOCAL_BELOW,
        "mesh-lower-third-value": THIRD,
        "mesh-lower-any-randomizer": ANY_BELOW,
        "mesh-lower-one-value": ONE_VALUE,
        "mesh-lower-histogram": HISTOGRAM,
        "mesh-lower-histogram-alike": ALIKE,
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold."""
    above, below = "is not proved to be at most Δ", "is not proved to be above Δ"
    for name, entries, epsilon, good in (
        ("clones-epsilon", ROUNDS, "4/5", CLONES),
        ("clones-reports", [reported(59, "3", count=2)], "81/100", CLONES),
        ("clones-odds", [reported(60, "31/10", count=2)], "81/100", CLONES),
        ("clones-count", [reported(60, "3", count=3)], "81/100", CLONES),
        ("local-epsilon", [reported(60, "11/10", 3, 2, "local_epsilon")], "12/25", LOCAL),
        ("clones-of-three", ROUNDS, "11/20", BLANKET),
        ("blanket-as-third-value", OF_THREE, "27/50", BLANKET),
        ("blanket-of-two", [reported(60, "3", 2, 2)], "11/20", BLANKET),
    ):
        bad = dots(entries, epsilon, "1/20", WINDOW, **GIVEN_WAY)
        yield f"mesh-upper/reports-{name}", bad, good, above
    for name, entries, epsilon, threshold, good in (
        ("third-value-epsilon", OF_THREE, "27/50", 12, THIRD),
        ("third-value-reports", [reported(80, "3", 3, 2)], "1/2", 12, THIRD),
        ("third-value-threshold", OF_THREE, "1/2", 3, THIRD),
        ("local-epsilon", [reported(60, "9/10", 3, 2, "local_epsilon")], "11/25", 9, LOCAL_BELOW),
        ("any-randomizer-odds", [reported(60, "5/2", count=2)], "1/2", 12, ANY_BELOW),
        ("one-value-values", [reported(60, "5/2", 9, 2)], "2/5", 9, ONE_VALUE),
        ("one-value-direction", OF_TWO, "9/20", 9, ONE_VALUE),
    ):
        bad = score(entries, epsilon, "1/20", WINDOW, threshold, **GIVEN_WAY)
        yield f"mesh-lower/reports-{name}", bad, good, below
    bad = score(OF_NINE, "11/10", "1/20", ONCE, 23, **GIVEN_WAY, tilt="1/2")
    yield "mesh-lower/reports-histogram-tilt", bad, HISTOGRAM, below
    stated = statement("lower", OF_TWO, "every", "0", "replace-one")
    bound = {"bound": "lower", "delta": "0", "epsilon": "every"}
    bad = sealed(stated, [{"parameters": bound, "premises": [], "rule": "trivial"}])
    yield "trivial/reports", bad, ONE_VALUE, "delta is feasible"
    for relation in ("add-remove-one", "zero-out", "unspecified"):
        bad = changed(CLONES, "statement.neighbouring", relation)
        yield f"mesh-upper/reports-{relation}", bad, CLONES, "has replace-one"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0"
    for name, path, value, clause in (
        ("odds-one", "odds", "1", "odds are not a short rational above 1"),
        ("odds-long", "odds", f"{2**256 + 1}/{2**255}", "odds are not a short rational above 1"),
        ("odds-missing", "odds", ..., "neither odds nor local_epsilon, or both"),
        ("odds-twice", "local_epsilon", "1", "neither odds nor local_epsilon, or both"),
        ("reports-one", "reports", "1", "reports is not an integer from 2"),
        ("reports-many", "reports", str(10**9 + 1), "reports is not an integer from 2"),
        ("values-one", "values", "1", "values is not an integer from 2"),
        ("records", "records", "60", "shuffled_reports: unknown key records"),
    ):
        bad = changed(THIRD, f"{first}.shuffled_reports.{path}", value)
        yield f"shuffled-reports/{name}", bad, THIRD, clause
    for name, value in (
        ("small", f"1/{10**9 + 1}"),
        ("large", "41"),
        ("long", f"{10**80 + 1}/{10**80}"),
    ):
        bad = changed(LOCAL_BELOW, f"{first}.shuffled_reports.local_epsilon", value)
        clause = "local_epsilon is not a short rational within its range"
        yield f"shuffled-reports/local-epsilon-{name}", bad, LOCAL_BELOW, clause
    for name, key, value in (("rate", "rate", "1/2"), ("sigma", "sigma", "1")):
        bad = changed(THIRD, f"{first}.{key}", value)
        yield f"shuffled-reports/{name}", bad, THIRD, f"mechanism: unknown key {key}"
