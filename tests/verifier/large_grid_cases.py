"""Certificates of ``grid-counts`` and ``grid-fourier`` made by hand, good ones and bad ones."""

from __future__ import annotations

import copy
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


_PERIOD: Final = {
    "cut": "60",
    "digits": "20",
    "points": "101",
    "tilt": "5",
    "unit": "1/10",
    "values": "50",
}


def periodic(
    kind: str,
    epsilon: str = "",
    entries: list[Entry] = HUNDRED,
    delta: str = TINY,
    **changed: Any,  # noqa: ANN401 (texts)
) -> Certificate:
    stated, parameters = epsilon or (ABOVE if kind == "upper" else BELOW), {**_PERIOD, **changed}
    return handmade.certificate("grid-fourier", kind, entries, stated, delta, **parameters)


def accepts() -> dict[str, Certificate]:
    made = {"counts": counted, "fourier": periodic}
    kinds = ("upper", "lower")
    return {f"grid-{name}-{kind}": make(kind) for name, make in made.items() for kind in kinds}


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _counting_cases()
    yield from _period_cases()


def _counting_cases() -> Iterator[RuleCase]:
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


def _period_cases() -> Iterator[RuleCase]:
    rule, upper, lower = "grid-fourier", periodic("upper"), periodic("lower")
    yield f"{rule}/upper-just-below", periodic("upper", BELOW), upper, UNPROVED_ABOVE
    yield f"{rule}/lower-just-above", periodic("lower", ABOVE), lower, UNPROVED_BELOW
    for kind, good, clause in (("upper", upper, UNPROVED_ABOVE), ("lower", lower, UNPROVED_BELOW)):
        yield f"{rule}/{kind}-cut-too-low", periodic(kind, cut="4"), good, clause
        yield f"{rule}/{kind}-period-too-short", periodic(kind, points="31"), good, clause
        bad = periodic(kind, unit="3/100", points="351", values="175")
        yield f"{rule}/{kind}-unit-that-does-not-divide", bad, good, clause
    bad = periodic("lower", points="45", tilt="1")
    yield f"{rule}/lower-no-alias-allowed-for", bad, lower, UNPROVED_BELOW
    bad = periodic("upper", values="10")
    yield f"{rule}/more-values", bad, upper, "more points to evaluate than stated"
    bad = periodic("upper", "11")
    yield f"{rule}/epsilon-above-the-sum", bad, upper, "has no loss above epsilon"
    bad = periodic("upper", unit=f"1/{10**19}")
    yield f"{rule}/grid-too-long", bad, upper, "the grid is too long"
    bad = periodic("upper", tilt=f"1/{10**60}")
    yield f"{rule}/tilt-too-low", bad, upper, "too few digits for a geometric series"
    bad = periodic("upper", "5901/1000", tilt="5000")
    yield f"{rule}/tilt-too-high", bad, upper, "too few digits for the least loss"
    bad = periodic("upper", "6", tilt="500")
    yield f"{rule}/tilt-too-high-for-epsilon", bad, upper, "a bound of the divergence is far above"
    yield f"{rule}/every", periodic("lower", "every"), lower, "epsilon is every"


def parameter_cases() -> Iterator[RuleCase]:
    """Malformed parameters that only ``grid-fourier`` has."""
    good = periodic("lower")
    positive = "tilt is not a rational above 0 of at most 512 bits"
    for name, key, value, clause in (
        ("points-even", "points", "100", "points is even"),
        ("tilt-zero", "tilt", "0", positive),
        ("tilt-of-logarithms", "tilt", "ln(2)", positive),
        ("tilt-too-long", "tilt", f"1/{2**600}", positive),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = value
        yield f"parameters/grid-fourier-{name}", bad, good, clause
