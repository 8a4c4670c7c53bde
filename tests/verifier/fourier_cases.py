"""Certificates of ``fourier-upper`` and ``fourier-lower`` made by hand, good ones and bad ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.handmade import Entry
from tests.verifier.optimum_cases import RuleCase

Certificate = dict[str, Any]

MANY: Final[list[Entry]] = [("1/10", "0", 24), ("3/17", "0", 24)]
DELTA: Final = "1/1000"
ABOVE: Final = "31/10"
BELOW: Final = "59/20"
_ENDS: Final = {"upper": ABOVE, "lower": BELOW}
_PARAMETERS: Final[dict[str, Any]] = {
    "blocks": "60",
    "cut": "20",
    "digits": "20",
    "factors": ["0", "1"],
    "far": "200",
    "last": "1500",
    "near": "40",
    "noise": "1/20",
    "step": "1/8",
    "tilt": "2",
}


def fourier(
    kind: str,
    epsilon: str = "",
    entries: list[Entry] = MANY,
    delta: str = DELTA,
    **changed: Any,  # noqa: ANN401 (texts, or a list of texts)
) -> Certificate:
    parameters = {**_PARAMETERS, **changed}
    if kind == "lower":
        parameters = {"left": "3", "right": "4", **parameters}
    return handmade.certificate(
        f"fourier-{kind}",
        kind,
        entries,
        epsilon or _ENDS[kind],
        delta,
        **parameters,
    )


def accepts() -> dict[str, Certificate]:
    return {"fourier-upper": fourier("upper"), "fourier-lower": fourier("lower")}


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    upper, lower = fourier("upper"), fourier("lower")
    yield "fourier-upper/epsilon-too-small", fourier("upper", BELOW), upper, above
    yield "fourier-lower/epsilon-too-large", fourier("lower", ABOVE), lower, below
    yield "fourier-upper/noise-too-strong", fourier("upper", noise="1"), upper, above
    yield "fourier-lower/noise-too-strong", fourier("lower", noise="1"), lower, below
    yield "fourier-lower/period-too-short", fourier("lower", step="4"), lower, below
    # B is below 0, and the rest is no end: it must not be taken for 0
    bad = fourier("lower", ABOVE, step="4")
    yield "fourier-lower/period-too-short-above", bad, lower, below
    yield "fourier-lower/no-alias-allowed-for", fourier("lower", left="100", step="1"), lower, below
    few = fourier("upper", cut="0")
    yield "fourier-upper/cut-too-low", few, upper, above
    yield "fourier-lower/cut-too-low", fourier("lower", cut="0"), lower, below
    for kind, epsilon, clause in (("upper", "61/20", above), ("lower", "151/50", below)):
        bad, near = fourier(kind, epsilon, last="400"), fourier(kind, epsilon)
        yield f"fourier-{kind}/points-end-early", bad, near, clause
    for kind, good in (("upper", upper), ("lower", lower)):
        rule = f"fourier-{kind}"
        bad = fourier(kind, blocks="3")
        yield f"{rule}/more-blocks", bad, good, "more blocks than stated"
        bad = fourier(kind, far="1", near="10")
        yield f"{rule}/more-points", bad, good, "more points to evaluate than stated"
        bad = fourier(kind, near="1501")
        yield f"{rule}/near-beyond-last", bad, good, "near is beyond last"
        bad = fourier(kind, factors=["0", "2"])
        yield f"{rule}/no-such-factor", bad, good, "factors are not all there"
        bad = fourier(kind, "1", [("0", "0", 3)], factors=[])
        yield f"{rule}/no-positive-epsilon", bad, good, "factors are not all there"
        bad = fourier(kind, last="300")
        yield f"{rule}/noise-not-small", bad, good, "the points end before the noise is small"
        bad = fourier(kind, step=str(10**60), cut="0", far="2000")
        yield f"{rule}/too-few-digits", bad, good, "too few digits for a geometric series"
        many = [("1/100000", "0", 10**18)]
        bad = fourier(kind, "1", many, factors=["0"])
        yield f"{rule}/too-many-mechanisms", bad, good, "too many for the points far out"
    bad = fourier("lower", left="5/2")
    yield "fourier-lower/left-below-the-tilt-and-1", bad, lower, "left is below the tilt and 1"
    bad = copy.deepcopy(lower)
    bad["statement"]["epsilon"] = bad["derivation"][0]["parameters"]["epsilon"] = "every"
    yield "fourier-lower/every", handmade.resealed(bad), lower, "epsilon is every"


def parameter_cases() -> Iterator[RuleCase]:
    """Malformed parameters that only these rules have."""
    good = fourier("lower")
    positive = "is not a rational above 0 of at most 512 bits"
    for name, key, value, clause in (
        ("tilt-zero", "tilt", "0", f"tilt {positive}"),
        ("step-of-logarithms", "step", "ln(2)", f"step {positive}"),
        ("left-negative", "left", "-1", f"left {positive}"),
        ("right-too-long", "right", f"1/{2**600}", f"right {positive}"),
        ("noise-zero", "noise", "0", f"noise {positive}"),
        ("noise-above-one", "noise", "21/20", "noise is above 1"),
        ("factors-twice", "factors", ["0", "0"], "factors do not increase"),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = value
        yield f"parameters/fourier-{name}", bad, good, clause
