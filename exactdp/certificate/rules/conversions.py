r"""The rules of zCDP, Rényi divergences and Gaussian noise.

What is about a formula alone (``underivable``) is said to be.
"""

from __future__ import annotations

from typing import Final

from exactdp.certificate.rules.row import Kind, Rule, Theorem
from exactdp.certificate.theorems import (
    CONVERSION_OF_RENYI,
    CONVERSION_OF_ZCDP,
    FOR_ALL,
    FOR_PROFILES,
    FOR_RENYI_DIVERGENCES,
)

_COMPOSED_PROFILES: Final = Theorem(
    "dong-roth-su-2022-theorem-3.2",
    "Composition of trade-off functions: Dong, Roth and Su, J. R. Stat. Soc. B 84(1), 2022, "
    "Theorem 3.2 of arXiv:1905.02383.",
    "https://arxiv.org/abs/1905.02383",
)
_ZCDP: Final = (
    "Every mechanism was taken as zero-concentrated: ρ as it is, μ as ρ = μ²/2, ε as ρ = ε²/2. The "
    "ρ were added up exactly; failures δ of the mechanisms were kept apart."
)
_DIGITS: Final = "in whole numbers of {digits} decimal digits and some more"
_ABOVE: Final = f"{_DIGITS}, rounded up, so that the bound can only grow"
_BELOW: Final = f"{_DIGITS}, rounded down, so that the bound can only fall"
_WITHIN: Final = "The mean, with what rounding lost, does not exceed what δ allows."
_BEYOND: Final = (
    "Even so it exceeds what δ allows. For a ρ stands Gaussian noise of μ² = 2ρ, which has it."
)
_NORMAL: Final = (
    "The μ² were added up exactly. The privacy profile of Gaussian noise, "
    "Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), was computed"
)
_LISTED: Final = (
    "Every combination of answers of the randomized responses was listed with its probability and "
    "its privacy loss, and the profile of the Gaussian noise taken at what that leaves of ε,"
)
_MESHED_ABOVE: Final = (
    "The privacy losses of the randomized responses were replaced by multiples of {unit} that can "
    "only make the whole more revealing; the profile of the Gaussian noise was taken at what each "
    f"leaves of ε, {_ABOVE}."
)
_MESHED_BELOW: Final = (
    "The privacy losses of the randomized responses were counted in multiples of {unit}, every ε "
    "rounded down; the profile of the Gaussian noise was taken at what each leaves of ε, "
    f"{_BELOW}."
)

_OF_GAUSSIAN: Final[dict[Kind, str]] = {
    "upper": f"{_NORMAL} {_ABOVE}. {_WITHIN}",
    "lower": f"{_NORMAL} {_BELOW}. {_BEYOND}",
}
_OF_MIXTURE: Final[dict[Kind, str]] = {
    "upper": f"{_LISTED} {_ABOVE}. {_WITHIN}",
    "lower": f"{_LISTED} {_BELOW}. {_BEYOND}",
}
_OF_MESH: Final[dict[Kind, str]] = {
    "upper": f"{_MESHED_ABOVE} {_WITHIN}",
    "lower": f"{_MESHED_BELOW} {_BEYOND}",
}

RULES: Final = {
    "moments": Rule(
        theorem=CONVERSION_OF_RENYI,
        about="mechanisms",
        kinds={
            "upper": "The Rényi divergences of order α = {alpha} were added up: αρ, αμ²/2, αε²/8 "
            "of a range, of what is listed that of the next order, those of noise, and for an ε "
            "that of randomized response, the greatest there is. Failures δ of the mechanisms were "
            f"kept apart. The conversion of the sum gives a δ, computed {_ABOVE}, that is at most "
            "what the claim allows."
        },
        parameters=("alpha", "digits"),
        interleaved=FOR_RENYI_DIVERGENCES,
    ),
    "formula": Rule(
        theorem=CONVERSION_OF_ZCDP,
        about="mechanisms",
        kinds={"underivable": f"{_ZCDP} {{formula}}"},
        parameters=("alpha", "digits"),
    ),
    "gaussian": Rule(
        theorem=Theorem(
            "dong-roth-su-2022-corollary-2.13",
            "The profile of Gaussian differential privacy: Dong, Roth and Su, J. R. Stat. Soc. B "
            "84(1), 2022, Corollary 2.13 of arXiv:1905.02383.",
            "https://arxiv.org/abs/1905.02383",
        ),
        about="mechanisms",
        kinds=_OF_GAUSSIAN,
        parameters=("digits",),
        interleaved=FOR_PROFILES,
    ),
    "gaussian-mixture": Rule(
        theorem=_COMPOSED_PROFILES,
        about="mechanisms",
        kinds=_OF_MIXTURE,
        parameters=("digits",),
        interleaved=FOR_PROFILES,
    ),
    "gaussian-mesh": Rule(
        theorem=_COMPOSED_PROFILES,
        about="mechanisms",
        kinds=_OF_MESH,
        parameters=("digits", "sums", "unit"),
        interleaved=FOR_PROFILES,
    ),
    "zcdp-pair": Rule(
        theorem=_COMPOSED_PROFILES,
        about="mechanisms",
        kinds={
            "upper": "The mechanisms given by ρ were converted by themselves into one more "
            "mechanism, with ε = {pair} and the δ that α = {alpha} gives, and composed with the "
            f"rest. {_MESHED_ABOVE} {_WITHIN}"
        },
        parameters=("alpha", "digits", "pair", "sums", "unit"),
        interleaved=FOR_ALL,
    ),
}
