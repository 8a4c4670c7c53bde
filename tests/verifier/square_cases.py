"""Good and bad certificates about Gaussian noise whose μ or deviation is irrational.

Written from certs/SPEC.md, section 7.1, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import Certificate, dots, entry, made, plan

FOUR: Final = [entry(4, mu_squared="1/3")]
THEOREM: Final = "dong-roth-su-2022-corollary-2.13"
PLAIN: Final = changed(
    made("gaussian", "upper", FOUR, ("5175/1000", "1/100000"), digits="30"),
    "statement.theorem",
    THEOREM,
)
SAMPLE: Final = [entry(mu_squared="2", rate="1/10")]
WINDOWS: Final = (plan([(-10, 200)]), plan([(-200, 10)]))
SAMPLED: Final = dots(SAMPLE, "7", "1/20", *WINDOWS)
CLIP: Final = [entry(clip="1", rate="1/10", variance="1/2")]
CLIPPED: Final = dots(CLIP, "7", "1/20", plan([(-200, 200)]), relation="replace-one")


def accepts() -> dict[str, Certificate]:
    """Noise by its square: plain, of a sample, and of a sample with a clip."""
    return {
        "gaussian-upper-squared": PLAIN,
        "mesh-upper-squared": SAMPLED,
        "mesh-upper-variance": CLIPPED,
    }


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries: what has a rational root is written by that."""
    first = "statement.subject.mechanisms.0"
    for name, good, key, value, clause in (
        ("mu-squared-square", PLAIN, "mu_squared", "4/9", "mu_squared is the square of a rational"),
        ("mu-squared-zero", PLAIN, "mu_squared", "0", "mu_squared is the square of a rational"),
        ("sampled-square", SAMPLED, "mu_squared", "4", "mu_squared is the square of a rational"),
        ("variance-square", CLIPPED, "variance", "1/4", "variance is the square of a rational"),
        ("variance-zero", CLIPPED, "variance", "0", "variance is 0"),
    ):
        yield f"squares/{name}", changed(good, f"{first}.{key}", value), good, clause
