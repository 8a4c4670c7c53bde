"""Certificates of ``fourier-upper`` and ``fourier-lower`` made by hand, good ones and bad ones.

Mechanisms given by their noise are in ``noise_fourier_cases``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier import handmade_conversions as made
from tests.verifier.handmade import Entry
from tests.verifier.handmade_conversions import Subject
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


NOISY: Final = Subject(pairs=tuple(MANY), gaussian=(("1/2", 1),))
FAINT: Final = Subject(pairs=tuple(MANY), gaussian=(("1/100", 4),))
_NOISY_ENDS: Final = {"upper": "353/100", "lower": "351/100"}
_FAINT_ENDS: Final = {"upper": "31/10", "lower": "149/50"}


def beside_gaussian(
    kind: str,
    epsilon: str = "",
    subject: Subject = NOISY,
    **changed: Any,  # noqa: ANN401 (texts, or a list of texts)
) -> Certificate:
    parameters = {**_PARAMETERS, "last": "150", "noise": "0", **changed}
    if kind == "lower":
        parameters = {"left": "3", "right": "4", **parameters}
    claim = epsilon or _NOISY_ENDS[kind], DELTA
    return made.certificate(f"fourier-{kind}", kind, subject, *claim, **parameters)


def _faint(kind: str, epsilon: str = "", **changed: Any) -> Certificate:  # noqa: ANN401 (as above)
    parameters = {"last": "1500", "noise": "1/20", **changed}
    return beside_gaussian(kind, epsilon or _FAINT_ENDS[kind], FAINT, **parameters)


def accepts() -> dict[str, Certificate]:
    concentrated = Subject(tuple(MANY), (("3/10", 1),), (("2/25", 1),))  # in all as μ = 1/2
    kinds = ("upper", "lower")
    return {
        **{f"fourier-{kind}": fourier(kind) for kind in kinds},
        **{f"fourier-{kind}-mu": beside_gaussian(kind) for kind in kinds},
        **{f"fourier-{kind}-small-mu": _faint(kind) for kind in kinds},
        "fourier-lower-rho": beside_gaussian("lower", subject=concentrated),
    }


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


def gaussian_cases() -> Iterator[RuleCase]:
    """Beside Gaussian mechanisms, whose own noise may do."""
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    upper, lower = beside_gaussian("upper"), beside_gaussian("lower")
    rule = "fourier-upper"
    yield f"{rule}/epsilon-too-small-with-mu", beside_gaussian("upper", "351/100"), upper, above
    bad = beside_gaussian("upper", subject=Subject(tuple(MANY), (("1/2", 2),)))
    yield f"{rule}/one-mu-more", bad, upper, above
    bad = beside_gaussian("upper", "100", Subject(tuple(MANY), (("1/2", 1),), (("1", 1),)))
    yield f"{rule}/rho-from-above", bad, upper, "have no profile"
    rule = "fourier-lower"
    yield f"{rule}/epsilon-too-large-with-mu", beside_gaussian("lower", "353/100"), lower, below
    bad = beside_gaussian("lower", subject=Subject(tuple(MANY), (("49/100", 1),)))
    yield f"{rule}/too-little-mu", bad, lower, below
    bad = beside_gaussian("lower", left="20", step="3/2")
    yield f"{rule}/no-alias-allowed-for-with-mu", bad, lower, below
    for kind, good, clause in (("upper", upper, above), ("lower", lower, below)):
        rule = f"fourier-{kind}"
        bad = beside_gaussian(kind, noise="1")
        yield f"{rule}/noise-too-strong-with-mu", bad, good, clause
        bad = _faint(kind, noise="1")
        yield f"{rule}/noise-too-strong-for-little", bad, _faint(kind), clause
        bad = beside_gaussian(kind, cut="0", near="2")
        yield f"{rule}/cut-too-low-with-mu", bad, good, clause
        bad = beside_gaussian(kind, last="30", near="20")
        yield f"{rule}/points-end-early-with-mu", bad, good, clause
        bad = beside_gaussian(kind, "1", Subject(tuple(MANY), (("0", 2),)))
        yield f"{rule}/no-mu", bad, good, "without noise, and no mu is above 0"
        nothing = Subject((("0", "0", 3),), (("1/2", 1),))
        bad = beside_gaussian(kind, "1", nothing, factors=[])
        yield f"{rule}/mu-alone", bad, good, "factors are not all there"


def parameter_cases() -> Iterator[RuleCase]:
    """Malformed parameters that only these rules have."""
    good = fourier("lower")
    positive = "is not a rational above 0 of at most 512 bits"
    for name, key, value, clause in (
        ("tilt-zero", "tilt", "0", f"tilt {positive}"),
        ("step-of-logarithms", "step", "ln(2)", f"step {positive}"),
        ("left-negative", "left", "-1", f"left {positive}"),
        ("right-too-long", "right", f"1/{2**600}", f"right {positive}"),
        ("noise-negative", "noise", "-1", f"noise {positive}"),
        ("noise-above-one", "noise", "21/20", "noise is above 1"),
        ("factors-twice", "factors", ["0", "0"], "factors do not increase"),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = value
        yield f"parameters/fourier-{name}", bad, good, clause
