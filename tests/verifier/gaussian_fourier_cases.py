"""Certificates of ``gaussian-fourier-upper`` and ``-lower`` by hand, good ones and bad ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier import handmade_conversions as made
from tests.verifier.fourier_cases import DELTA, MANY
from tests.verifier.handmade_conversions import Subject
from tests.verifier.optimum_cases import RuleCase

Certificate = dict[str, Any]

NOISY: Final = Subject(pairs=tuple(MANY), gaussian=(("1/2", 1),))
FAINT: Final = Subject(pairs=tuple(MANY), gaussian=(("1/100", 4),))
_ENDS: Final = {"upper": "353/100", "lower": "351/100"}
_FAINT_ENDS: Final = {"upper": "31/10", "lower": "149/50"}
_PARAMETERS: Final[dict[str, Any]] = {
    "blocks": "60",
    "cut": "20",
    "digits": "20",
    "factors": ["0", "1"],
    "far": "200",
    "last": "150",
    "near": "40",
    "noise": "0",
    "step": "1/8",
    "tilt": "2",
}
_WITH_NOISE: Final = {"last": "1500", "noise": "1/20"}


def gaussian_fourier(
    kind: str,
    epsilon: str = "",
    subject: Subject = NOISY,
    **changed: Any,  # noqa: ANN401 (texts, or a list of texts)
) -> Certificate:
    parameters = {**_PARAMETERS, **changed}
    if kind == "lower":
        parameters = {"left": "3", "right": "4", **parameters}
    rule = f"gaussian-fourier-{kind}"
    return made.certificate(rule, kind, subject, epsilon or _ENDS[kind], DELTA, **parameters)


def _faint(kind: str, epsilon: str = "", **changed: Any) -> Certificate:  # noqa: ANN401 (as above)
    parameters = {**_WITH_NOISE, **changed}
    return gaussian_fourier(kind, epsilon or _FAINT_ENDS[kind], FAINT, **parameters)


def accepts() -> dict[str, Certificate]:
    concentrated = Subject(tuple(MANY), (("3/10", 1),), (("2/25", 1),))  # in all as μ = 1/2
    return {
        **{f"gaussian-fourier-{kind}": gaussian_fourier(kind) for kind in ("upper", "lower")},
        **{f"gaussian-fourier-{kind}-noise": _faint(kind) for kind in ("upper", "lower")},
        "gaussian-fourier-lower-rho": gaussian_fourier("lower", subject=concentrated),
    }


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    upper, lower = gaussian_fourier("upper"), gaussian_fourier("lower")
    rule = "gaussian-fourier-upper"
    yield f"{rule}/epsilon-too-small", gaussian_fourier("upper", "351/100"), upper, above
    bad = gaussian_fourier("upper", subject=Subject(tuple(MANY), (("1/2", 2),)))
    yield f"{rule}/one-more", bad, upper, above
    bad = gaussian_fourier("upper", "100", Subject(tuple(MANY), (("1/2", 1),), (("1", 1),)))
    yield f"{rule}/rho-from-above", bad, upper, "no upper bound here"
    rule = "gaussian-fourier-lower"
    yield f"{rule}/epsilon-too-large", gaussian_fourier("lower", "353/100"), lower, below
    bad = gaussian_fourier("lower", subject=Subject(tuple(MANY), (("49/100", 1),)))
    yield f"{rule}/too-little-noise", bad, lower, below
    yield f"{rule}/period-too-short", gaussian_fourier("lower", step="4"), lower, below
    bad = gaussian_fourier("lower", left="20", step="3/2")
    yield f"{rule}/no-alias-allowed-for", bad, lower, below
    bad = gaussian_fourier("lower", left="5/2")
    yield f"{rule}/left-below-the-tilt-and-1", bad, lower, "left is below the tilt and 1"
    bad = copy.deepcopy(lower)
    bad["statement"]["epsilon"] = bad["derivation"][0]["parameters"]["epsilon"] = "every"
    yield f"{rule}/every", handmade.resealed(bad), lower, "epsilon is every"
    for kind, clause in (("upper", above), ("lower", below)):
        yield from _cases_of_both(kind, clause)


def _cases_of_both(kind: str, clause: str) -> Iterator[RuleCase]:
    rule, good, faint = f"gaussian-fourier-{kind}", gaussian_fourier(kind), _faint(kind)
    yield f"{rule}/noise-too-strong", gaussian_fourier(kind, noise="1"), good, clause
    yield f"{rule}/noise-too-strong-for-little", _faint(kind, noise="1"), faint, clause
    yield f"{rule}/cut-too-low", gaussian_fourier(kind, cut="0", near="2"), good, clause
    yield f"{rule}/points-end-early", gaussian_fourier(kind, last="30", near="20"), good, clause
    bad = _faint(kind, last="300")
    yield f"{rule}/noise-not-small", bad, faint, "the points end before the noise is small"
    bad = gaussian_fourier(kind, "1", Subject(tuple(MANY), (("0", 2),)))
    yield f"{rule}/no-mu", bad, good, "no mu is above 0"
    bad = gaussian_fourier(kind, "1", Subject((("0", "0", 3),), (("1/2", 1),)), factors=[])
    yield f"{rule}/no-positive-epsilon", bad, good, "factors are not all there"
    bad = gaussian_fourier(kind, near="151")
    yield f"{rule}/near-beyond-last", bad, good, "near is beyond last"
    bad = gaussian_fourier(kind, factors=["0", "2"])
    yield f"{rule}/no-such-factor", bad, good, "factors are not all there"
    bad = gaussian_fourier(kind, blocks="1", near="2")
    yield f"{rule}/more-blocks", bad, good, "more blocks than stated"
    bad = gaussian_fourier(kind, far="1", near="2")
    yield f"{rule}/more-points", bad, good, "more points to evaluate than stated"


def parameter_cases() -> Iterator[RuleCase]:
    """Malformed parameters: the noise of these rules may be 0, but not below."""
    good = gaussian_fourier("lower")
    for name, key, value, clause in (
        ("noise-negative", "noise", "-1", "noise is not a rational above 0"),
        ("noise-above-one", "noise", "21/20", "noise is above 1"),
        ("tilt-zero", "tilt", "0", "tilt is not a rational above 0"),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = value
        yield f"parameters/gaussian-fourier-{name}", bad, good, clause
