"""Certificates of ``grid-counts`` made by hand, good ones and bad ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.handmade import Entry
from tests.verifier.optimum_cases import HUNDRED, TINY, RuleCase

Certificate = dict[str, Any]

ABOVE: Final = "596706683/100000000"
BELOW: Final = "298353341/50000000"
UNPROVED_ABOVE: Final = "not proved to be at most Δ"
UNPROVED_BELOW: Final = "not proved to be above Δ"


def counted(
    kind: str,
    epsilon: str = "",
    entries: list[Entry] = HUNDRED,
    delta: str = TINY,
    **changed: Any,  # noqa: ANN401 (texts)
) -> Certificate:
    parameters = {"digits": "30", "unit": "1/10", **changed}
    stated = epsilon or (ABOVE if kind == "upper" else BELOW)
    return handmade.certificate("grid-counts", kind, entries, stated, delta, **parameters)


def accepts() -> dict[str, Certificate]:
    return {"grid-counts-upper": counted("upper"), "grid-counts-lower": counted("lower")}


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    rule, upper, lower = "grid-counts", counted("upper"), counted("lower")
    yield f"{rule}/upper-just-below", counted("upper", BELOW), upper, UNPROVED_ABOVE
    yield f"{rule}/lower-just-above", counted("lower", ABOVE), lower, UNPROVED_BELOW
    for kind, delta, clause in (
        ("upper", f"1/{10**28}", UNPROVED_ABOVE),
        ("lower", f"1/{10**30}", UNPROVED_BELOW),
    ):
        bad, good = (counted(kind, "99/10", delta=delta, digits=d) for d in ("1", "60"))
        yield f"{rule}/{kind}-too-few-digits", bad, good, clause
    bad = counted("upper", unit="3/100")
    yield f"{rule}/upper-unit-that-does-not-divide", bad, upper, UNPROVED_ABOVE
    bad = counted("lower", unit="3/100")
    yield f"{rule}/lower-unit-that-does-not-divide", bad, lower, UNPROVED_BELOW
    bad = counted("lower", unit="1")
    yield f"{rule}/lower-unit-above-every-epsilon", bad, lower, UNPROVED_BELOW
    bad = counted("lower", "10", delta="0")
    yield f"{rule}/lower-at-the-sum", bad, lower, UNPROVED_BELOW
    many = [("1/10", "0", 10_001)]
    bad = counted("upper", "10001/10", many)
    good = counted("upper", "1000", [("1/10", "0", 10_000)])
    yield f"{rule}/too-many-mechanisms", bad, good, "more than 10000 mechanisms are not counted"
    yield f"{rule}/every", counted("lower", "every"), lower, "epsilon is every"
