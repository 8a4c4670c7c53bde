"""Good and bad certificates by ``sum``, of noise.

Written from certs/SPEC.md, section 11.2, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types

from tests.verifier import handmade
from tests.verifier.noise_cases import Certificate, Entry, RuleCase, entry, laplace, made

NAME: Final = "sum-of-losses"
RULE: Final = "sum"
with mpmath.workdps(350):
    _LOSS = int(mpmath.floor(mpmath.log((1 + mpmath.e) / 2) * 10**330))
NEAR: Final = str(Fraction(_LOSS, 10**330))
"""A number that 1024 bits do not tell from the greatest loss of Laplace noise on a sample."""


def greatest(
    kind: str, entries: Sequence[Entry], epsilon: str, delta: str = "0", **relation: str
) -> Certificate:
    whole = made(RULE, kind, entries, ("1", "0"), **relation)
    step = whole["derivation"][0]
    step["parameters"] |= {"epsilon": epsilon, "delta": delta}
    claim = {"epsilon": epsilon, "delta": delta, "theorem": "zhu-dong-wang-2022-theorem-10"}
    return handmade.sealed(whole["statement"] | claim, [step])


NINETY: Final = [laplace("10", 90)]
NINE: Final = greatest("upper", NINETY, "9")
BELOW: Final = greatest("lower", NINETY, "899/100")
TABLE: Final = entry(pair={"p": ["1/2", "1/2", "0"], "q": ["1/6", "1/3", "1/2"]})
MIXED: Final = [
    TABLE,
    entry(bounded_range="2"),
    entry(2, delta="1/10", epsilon="1"),
    entry(discrete_laplace={"scale": "2", "shifts": ["1", "3"]}),
    entry(
        selection={
            "of": {"count": "1", "delta": "0", "epsilon": "1/4"},
            "repetitions": {"negative_binomial": {"eta": "0", "gamma": "1/2"}},
        }
    ),
]
"""With a record ln(3), 2, 2, 2 and 1/2, and without it ln(2/3) in the place of the first, but
with a mass of 1/2."""
MOST: Final = greatest("upper", MIXED, "13/2 + ln(3)", "119/200")
LEAST: Final = greatest("lower", [TABLE, entry(bounded_range="2")], "2 + ln(2)", "0")
SAMPLES: Final = [
    laplace("1", rate="1/2"),
    entry(bounded_range="1", rate="1/2"),
    entry(pair={"p": ["1/2", "1/2", "0"], "q": ["1/6", "1/3", "1/2"]}, rate="1/2"),
]
"""Twice ln((1 + e)/2) = 0.6201…, and ln(2), or -ln((1 + 1/e)/2) = 0.3798…, and ln(2)."""
SAMPLED: Final = greatest("upper", SAMPLES, "12403/10000 + ln(2)")
CONSTRAINED: Final = [
    entry(constraints=[["1", "1/10"], ["2", "1/20"]]),
    entry(constraints=[["ln(2)", "1/10"], ["ln(4)", "1/20"]]),
]
"""2 and ln(4), beside failures of 1/20 each."""
RANGES: Final = SAMPLES[1:2]
MU: Final = [*NINETY, entry(mu="1")]
DIVERGENT: Final = [laplace("10", 90), entry(renyi=[["2", "1"]])]


def accepts() -> dict[str, Certificate]:
    """The worked example of the SPEC; of all that has a greatest loss; beside other noise."""
    return {
        f"{NAME}-upper": NINE,
        f"{NAME}-lower": BELOW,
        f"{NAME}-upper-all": MOST,
        f"{NAME}-lower-pair": LEAST,
        f"{NAME}-upper-samples": SAMPLED,
        f"{NAME}-lower-samples": greatest("lower", SAMPLES, "31/25 + ln(2)"),
        f"{NAME}-upper-replaced": greatest("upper", RANGES, "3101/5000", relation="replace-one"),
        f"{NAME}-lower-replaced": greatest("lower", RANGES, "31/50", relation="replace-one"),
        f"{NAME}-upper-constraints": greatest("upper", CONSTRAINED, "2 + ln(4)", "39/400"),
        f"{NAME}-lower-constraints": greatest("lower", CONSTRAINED, "169/50", "39/400"),
        f"{NAME}-lower-beside": greatest("lower", DIVERGENT, "8"),
    }


def cases() -> Iterator[RuleCase]:
    """Claims that miss the sum, or what fails, by a little; and losses that are not known."""
    below, fails = "epsilon is below the sum", "delta is too small"
    above = "epsilon is not below the sum"
    certain = [entry(pair={"p": ["1", "0"], "q": ["0", "1"]})]
    one = greatest("upper", certain, "0", "1")
    gaussian = entry(discrete_gaussian={"shifts": ["1"], "variance": "9"})
    unknown = "has no greatest loss that is known here"
    clipped = [entry(clip="1", laplace={"scale": "1"}, rate="1/2")]
    far = [laplace("1/1001", rate="1/2")]
    yield from (
        (f"{NAME}/below", greatest("upper", NINETY, f"{9 * 10**30 - 1}/{10**30}"), NINE, below),
        (f"{NAME}/equal", greatest("lower", NINETY, "9"), BELOW, above),
        (f"{NAME}/direction", greatest("upper", MIXED, "13/2", "119/200"), MOST, below),
        (f"{NAME}/fails", greatest("upper", MIXED, "13/2 + ln(3)", "59/100"), MOST, fails),
        (f"{NAME}/certain", greatest("upper", certain, "0", "99/100"), one, fails),
        (f"{NAME}/gaussian", greatest("upper", [gaussian], "9"), NINE, unknown),
        (
            f"{NAME}/clipped",
            greatest("upper", clipped, "9", relation="replace-one"),
            NINE,
            unknown,
        ),
        (f"{NAME}/samples", greatest("upper", SAMPLES, "31/25 + ln(2)"), SAMPLED, below),
        (f"{NAME}/far", greatest("upper", far, "2000"), SAMPLED, "no rational up to 1000"),
        (f"{NAME}/near", greatest("upper", SAMPLES[:1], NEAR), SAMPLED, "too near to the sum"),
        (f"{NAME}/orders", greatest("upper", DIVERGENT, "9"), NINE, "divergences say nothing"),
        (f"{NAME}/mu", greatest("upper", MU, "9"), NINE, "is not about mechanisms given by mu"),
    )
