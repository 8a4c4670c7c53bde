"""Certificates of ``fourier-upper`` and ``-lower`` about noise, by hand, good ones and bad ones.

Written from certs/SPEC.md, sections 11.7 and 11.8, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.verifier.noise_cases import Certificate, Entry, RuleCase, entry, laplace, made, shuffled

DELTA: Final = "1/1000"
STEPS: Final = {"scale": "8", "shifts": ["1", "2", "2"]}
MANY: Final = [
    laplace("8", 24),
    entry(24, delta="0", epsilon="11/64"),
    entry(8, discrete_laplace=STEPS),
]
NOISY: Final = [*MANY, entry(mu="1/2")]
CONCENTRATED: Final = [*MANY, entry(mu="3/10"), entry(rho="2/25"), entry(renyi=[["2", "1"]])]
_ENDS: Final = {"upper": "5", "lower": "24/5"}
_NOISY_ENDS: Final = {"upper": "533/100", "lower": "531/100"}
_PARAMETERS: Final[dict[str, Any]] = {
    "blocks": "60",
    "cut": "20",
    "digits": "20",
    "factors": ["0", "1", "2", "3"],
    "far": "200",
    "last": "1500",
    "near": "40",
    "noise": "1/20",
    "step": "1/8",
    "tilt": "2",
}


def noise_fourier(
    kind: str,
    epsilon: str = "",
    entries: Sequence[Entry] = MANY,
    **changed: Any,  # noqa: ANN401 (texts, or a list of texts)
) -> Certificate:
    parameters = {**_PARAMETERS, **changed}
    if kind == "lower":
        parameters = {"left": "3", "right": "4", **parameters}
    claim = (epsilon or _ENDS[kind], DELTA)
    return made(f"fourier-{kind}", kind, entries, claim, **parameters)


def _noisy(kind: str, epsilon: str = "", **changed: Any) -> Certificate:  # noqa: ANN401 (as above)
    parameters = {"entries": NOISY, "noise": "0", "last": "150", **changed}
    return noise_fourier(kind, epsilon or _NOISY_ENDS[kind], **parameters)


def accepts() -> dict[str, Certificate]:
    return {
        **{f"fourier-{kind}-noise": noise_fourier(kind) for kind in ("upper", "lower")},
        **{f"fourier-{kind}-noise-mu": _noisy(kind) for kind in ("upper", "lower")},
    }


def others() -> dict[str, Certificate]:
    """Other ways to have μ = 1/2: someone who is told the batch sees as much noise."""
    told = [*MANY, shuffled("2", 10, 1, "fresh")]
    return {
        "a batch that is told": _noisy("upper", entries=told),
        "rho from below": _noisy("lower", entries=CONCENTRATED),
    }


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    upper, lower = noise_fourier("upper"), noise_fourier("lower")
    rule = "fourier-upper/noise"
    yield f"{rule}-epsilon-too-small", noise_fourier("upper", "24/5"), upper, above
    for name, more in (
        ("one-laplace-more", laplace("1")),
        ("one-response-more", entry(delta="0", epsilon="1/2")),
        ("one-shift-more", entry(discrete_laplace={"scale": "2", "shifts": ["2"]})),
        ("one-failure-more", entry(delta="1/2000", epsilon="0")),
    ):
        yield f"{rule}-{name}", noise_fourier("upper", entries=[*MANY, more]), upper, above
    unknown = "have no profile"
    for name, more in (("rho", entry(rho="1/10")), ("renyi", entry(renyi=[["2", "1/10"]]))):
        bad = noise_fourier("upper", "100", entries=[*MANY, more])
        yield f"{rule}-{name}-from-above", bad, upper, unknown
    rule = "fourier-lower/noise"
    yield f"{rule}-epsilon-too-large", noise_fourier("lower", "5"), lower, below
    bad = noise_fourier("lower", entries=[laplace("8", 12), *MANY[1:]])
    yield f"{rule}-fewer-of-laplace", bad, lower, below
    yield f"{rule}-period-too-short", noise_fourier("lower", step="4"), lower, below
    bad = noise_fourier("lower", left="20", step="3/2")
    yield f"{rule}-no-alias-allowed-for", bad, lower, below
    bad = _noisy("lower", entries=[*MANY, shuffled("2", 10, 1, "fresh")])
    yield f"{rule}-shuffled-from-below", bad, lower, "characteristic function is not known"
    for kind, clause in (("upper", above), ("lower", below)):
        yield from _cases_of_both(kind, clause)
        yield from _families(kind)


def _families(kind: str) -> Iterator[RuleCase]:
    """Noise whose characteristic function has no closed form here."""
    rule, good = f"fourier-{kind}/noise", noise_fourier(kind)
    unknown = "characteristic function is not known"
    far = {"scale": str(2**40 + 1), "shifts": ["2"]}
    for name, more in (
        ("gaussian", entry(discrete_gaussian={"shifts": ["1"], "variance": "4"})),
        ("range", entry(bounded_range="1/10")),
        ("table", entry(pair={"p": ["1/2", "1/2"], "q": ["1/2", "1/2"]})),
        ("sampled", laplace("1", rate="1/2")),
        ("large-scale", entry(discrete_laplace=far)),
    ):
        yield f"{rule}-{name}", noise_fourier(kind, "1", entries=[*MANY, more]), good, unknown
    alone = [entry(mu="1/2"), entry(renyi=[["2", "1/10"]])]
    if kind == "lower":
        bad = _noisy("lower", "1", entries=alone, factors=[])
        yield f"{rule}-nothing-but-gaussian", bad, good, "factors are not all there"


def _cases_of_both(kind: str, clause: str) -> Iterator[RuleCase]:
    rule, good = f"fourier-{kind}/noise", noise_fourier(kind)
    yield f"{rule}-noise-too-strong", noise_fourier(kind, noise="1"), good, clause
    yield f"{rule}-cut-too-low", noise_fourier(kind, cut="0", near="2"), good, clause
    bad = _noisy(kind, last="15", near="10")
    yield f"{rule}-points-end-early", bad, _noisy(kind), clause
    bad = noise_fourier(kind, last="300")
    yield f"{rule}-noise-not-small", bad, good, "the points end before the noise is small"
    bad = noise_fourier(kind, noise="0")
    yield f"{rule}-without-noise", bad, good, "without noise, and no mu is above 0"
    bad = noise_fourier(kind, factors=["0", "4"])
    yield f"{rule}-no-such-factor", bad, good, "factors are not all there"
