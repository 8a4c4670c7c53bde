"""Good and bad certificates by ``clopper-pearson`` and ``one-run``, for ``make_rejects``.

Written from certs/SPEC.md, sections 11.26, 11.27 and 14, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.verifier import handmade

Certificate = dict[str, Any]
MANY: Final = "clopper-pearson"
ONE: Final = "one-run"
RUNS: Final = {
    "members": {"runs": "1000", "found": "300"},
    "others": {"runs": "1000", "found": "5"},
    "thresholds": "1",
}
CANARIES: Final = {"canaries": "1000", "guesses": "100", "right": "100", "guess_counts": "1"}


def rejected(
    outcome: dict[str, Any],
    epsilon: str,
    delta: str,
    rule: str,
    level: str = "1/20",
    **parameters: str,
) -> Certificate:
    claim = {
        "kind": "rejected",
        "subject": {"type": "experiment", "level": level, **outcome},
        "epsilon": epsilon,
        "delta": delta,
        "group": "1",
        "neighbouring": "unspecified",
        "interaction": "adaptive",
        "theorem": handmade.theorem_of(rule),
    }
    given = {"bound": "rejected", "epsilon": epsilon, "delta": delta, **parameters}
    return handmade.sealed(claim, [{"rule": rule, "premises": [], "parameters": given}])


def many(outcome: dict[str, Any] = RUNS, epsilon: str = "3", **more: str) -> Certificate:
    rates = {"tpr": "2717/10000", "fpr": "1163/100000"}
    return rejected(outcome, epsilon, more.pop("delta", "1/100000"), MANY, **{**rates, **more})


def one(outcome: dict[str, Any] = CANARIES, epsilon: str = "17/5", **more: str) -> Certificate:
    return rejected(outcome, epsilon, more.pop("delta", "1/100000"), ONE, **{"odds": "30", **more})


GOOD_MANY: Final = many()
GOOD_ONE: Final = one()
BELOW_THE_MEAN: Final = one(
    {"canaries": "5", "guesses": "5", "right": "2", "guess_counts": "1"},
    epsilon="ln(3/2)",
    delta="1/1000",
    odds="3/2",
    level="9229/10000",
)
"""A published bound is below the truth here: 0.913728, where some mechanism has 0.913822."""
BACK: Final = {
    "members": {"runs": "1000", "found": "995"},
    "others": {"runs": "1000", "found": "700"},
    "thresholds": "1",
}

OTHER_OUTCOMES: Final = (
    (GOOD_MANY, {**RUNS, "others": {"runs": 1000, "found": 6}}),
    (GOOD_MANY, {**RUNS, "thresholds": 2}),
    (GOOD_MANY, CANARIES),
    (GOOD_ONE, {**CANARIES, "right": 99}),
    (GOOD_ONE, {**CANARIES, "guess_counts": 2}),
)
"""Certificates, and files of another outcome than theirs."""


def accepts() -> dict[str, Certificate]:
    """The worked examples of the specification, and the second direction."""
    return {
        f"{MANY}-rejected": GOOD_MANY,
        f"{MANY}-the-other-direction": many(
            BACK, epsilon="3", delta="1/100000", tpr="98837/100000", fpr="7283/10000"
        ),
        f"{MANY}-thresholds": many(
            {**RUNS, "thresholds": "10"}, epsilon="5/2", tpr="6/25", fpr="17/1000"
        ),
        f"{ONE}-rejected": GOOD_ONE,
        f"{ONE}-guess-counts": one({**CANARIES, "guess_counts": "4"}, epsilon="2", odds="8"),
        f"{ONE}-below-the-mean": BELOW_THE_MEAN,
        f"{ONE}-some-wrong": one(
            {**CANARIES, "guesses": "1000", "right": "700"},
            epsilon="73/100",
            delta="0",
            odds="519/250",
        ),
    }


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed subjects and parameters, each one change away from a good certificate."""
    for name, key, value, clause in (
        ("level-nothing", "level", "0", "level is not between 0 and 1"),
        ("level-all", "level", "1", "level is not between 0 and 1"),
        ("level-long", "level", f"1/{2**2048}", "level has more than 2048 bits"),
        ("more-found-than-runs", "members.found", "1001", "found is not an integer"),
        ("no-runs", "others.runs", "0", "runs is not an integer"),
        ("no-thresholds", "thresholds", "0", "thresholds is not an integer"),
    ):
        bad = handmade.changed(GOOD_MANY, f"statement.subject.{key}", value)
        yield f"experiment/{name}", bad, GOOD_MANY, clause
    for name, key, value, clause in (
        ("more-guesses-than-canaries", "guesses", "1001", "guesses is not an integer"),
        ("more-right-than-guesses", "right", "101", "right is not an integer"),
        ("no-guess-counts", "guess_counts", "0", "guess_counts is not an integer"),
        ("no-canaries", "canaries", "0", "canaries is not an integer"),
    ):
        bad = handmade.changed(GOOD_ONE, f"statement.subject.{key}", value)
        yield f"experiment/{name}", bad, GOOD_ONE, clause
    path = "derivation.0.parameters"
    for key in ("tpr", "fpr"):
        for name, value in (("nothing", "0"), ("all", "1")):
            bad = handmade.changed(GOOD_MANY, f"{path}.{key}", value)
            yield f"{MANY}/{key}-{name}", bad, GOOD_MANY, "a rate is not between 0 and 1"
    bad = handmade.changed(GOOD_ONE, f"{path}.odds", "1/2")
    yield f"{ONE}/odds-below-one", bad, GOOD_ONE, "odds are below 1"


def cases() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    found, few = "so many members found", "so few others found"
    yield f"{MANY}/members", many(tpr="29/100"), GOOD_MANY, found
    yield f"{MANY}/others", many(fpr="11/1000"), GOOD_MANY, few
    level = handmade.changed(GOOD_MANY, "statement.subject.level", "1/25")
    yield f"{MANY}/whole-level-for-each", handmade.resealed(level), GOOD_MANY, found
    yield f"{MANY}/thresholds-not-counted", many({**RUNS, "thresholds": "2"}), GOOD_MANY, found
    yield f"{MANY}/epsilon", many(epsilon="79/25"), GOOD_MANY, "allows these"
    yield f"{MANY}/delta", many(delta="1/10"), GOOD_MANY, "the claim allows these rates"
    yield f"{MANY}/about-one-run", _by_the_other(GOOD_ONE, GOOD_MANY), GOOD_ONE, "about many runs"
    yield f"{ONE}/about-many-runs", _by_the_other(GOOD_MANY, GOOD_ONE), GOOD_MANY, "about one run"
    right = "so many right guesses"
    yield f"{ONE}/odds-too-small", one(epsilon="69/20"), GOOD_ONE, "odds are below e^epsilon"
    yield f"{ONE}/odds-too-large", one(odds="33"), GOOD_ONE, right
    yield f"{ONE}/delta", one(delta="1/100"), GOOD_ONE, right
    yield f"{ONE}/guess-counts", one({**CANARIES, "guess_counts": "2"}), GOOD_ONE, right
    yield f"{ONE}/right", one({**CANARIES, "right": "99"}), GOOD_ONE, right
    published = {**CANARIES, "canaries": "1000000", "guesses": "10", "right": "10"}
    bad = one(published, epsilon="0", odds="1")
    yield f"{ONE}/zero-delta-publisher", bad, one(epsilon="0", odds="1"), right
    bad = handmade.changed(BELOW_THE_MEAN, "statement.subject.level", "4569/5000")
    yield f"{ONE}/published-bound", handmade.resealed(bad), BELOW_THE_MEAN, right
    bad = handmade.changed(GOOD_ONE, "derivation.0.parameters.bound", "lower")
    yield f"{ONE}/lower", bad, GOOD_ONE, "proves rejected bounds only"
    bad = handmade.changed(GOOD_MANY, "statement.neighbouring", "add-remove-one")
    yield f"{MANY}/neighbouring", handmade.resealed(bad), GOOD_MANY, "has unspecified neighbours"


def _by_the_other(certificate: Certificate, other: Certificate) -> Certificate:
    """What one states, by the rule of the other."""
    statement, (step,) = certificate["statement"], other["derivation"]
    claim = {key: statement[key] for key in ("epsilon", "delta")}
    changed = {**step, "parameters": {**step["parameters"], **claim}}
    return handmade.sealed({**statement, "theorem": other["statement"]["theorem"]}, [changed])
