r"""How certificates about ρ and μ were checked, in plain words.

Rules of this file: as in :mod:`exactdp.cli.explanations.certificates`; what is about a
formula is said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.rendering import exact_text

Parameters = Mapping[str, str]

_ZCDP: Final = (
    "Every mechanism was taken as zero-concentrated: ρ as it is, μ as ρ = μ²/2, ε as ρ = ε²/2. The "
    "ρ were added up exactly; failures δ of the mechanisms were kept apart."
)
_ROUNDED: Final = "in whole numbers of {digits} decimal digits and some more, rounded to its harm"


def _bun_steinke(kind: str, step: Parameters) -> str:
    side = "at least" if kind == "upper" else "less than"
    return f"{_ZCDP} The ε claimed is {side} ρ + 2·√(ρ·ln(1/δ)), computed {_rounded(step)}."


def _canonne_kamath_steinke(kind: str, step: Parameters) -> str:
    order = _number(step, "alpha")
    if kind == "upper":
        return (
            f"{_ZCDP} The formula holds for every α above 1; at α = {order} its δ, computed "
            f"{_rounded(step)}, is at most what the claim allows."
        )
    return (
        f"{_ZCDP} The logarithm of the formula's δ is a convex function of α. Its value and its "
        f"slope at α = {order}, computed {_rounded(step)}, show that nowhere does it come down to "
        "what the claim allows: no α at all gives it."
    )


def _renyi(kind: str, step: Parameters) -> str:
    del kind
    return (
        f"The Rényi divergences of order α = {_number(step, 'alpha')} were added up: αρ, αμ²/2, "
        "and for an ε that of randomized response, the greatest there is; failures δ of the "
        "mechanisms were kept apart. The conversion of the sum gives a δ, computed "
        f"{_rounded(step)}, that is at most what the claim allows."
    )


def _gaussian(kind: str, step: Parameters) -> str:
    return (
        "The μ² were added up exactly. The privacy profile of Gaussian noise, "
        "Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), was computed "
        f"{_rounded(step)}. {_side(kind)}{_noise_for_rho(kind)}"
    )


def _gaussian_mixture(kind: str, step: Parameters) -> str:
    return (
        "Every combination of answers of the randomized responses was listed with its probability "
        "and its privacy loss, and the profile of the Gaussian noise taken at what that leaves of "
        f"ε, {_rounded(step)}. {_side(kind)}{_noise_for_rho(kind)}"
    )


def _gaussian_mesh(kind: str, step: Parameters) -> str:
    return f"{_on_mesh(kind, step)} {_side(kind)}{_noise_for_rho(kind)}"


def _zcdp_pair(kind: str, step: Parameters) -> str:
    return (
        "The mechanisms given by ρ were converted by themselves into one more mechanism, with "
        f"ε = {_number(step, 'pair')} and the δ that α = {_number(step, 'alpha')} gives, and "
        f"composed with the rest. {_on_mesh(kind, step)} {_side(kind)}"
    )


def _on_mesh(kind: str, step: Parameters) -> str:
    unit = _number(step, "unit")
    moved = (
        "replaced by multiples of {} that can only make the whole more revealing"
        if kind == "upper"
        else "counted in multiples of {}, every ε rounded down"
    )
    return (
        f"The privacy losses of the randomized responses were {moved.format(unit)}; the profile "
        f"of the Gaussian noise was taken at what each leaves of ε, {_rounded(step)}."
    )


def _side(kind: str) -> str:
    if kind == "upper":
        return "The mean, with what rounding lost, does not exceed what δ allows."
    return "Even so it exceeds what δ allows."


def _noise_for_rho(kind: str) -> str:
    return "" if kind == "upper" else " For a ρ stands Gaussian noise of μ² = 2ρ, which has it."


def _rounded(step: Parameters) -> str:
    return _ROUNDED.format(digits=step["digits"])


def _number(step: Parameters, key: str) -> str:
    return exact_text(ExactNumber.parse(step[key]))


CONVERSIONS: Final[Mapping[str, Callable[[str, Parameters], str]]] = {
    "zcdp-bun-steinke": _bun_steinke,
    "zcdp-canonne-kamath-steinke": _canonne_kamath_steinke,
    "renyi": _renyi,
    "gaussian": _gaussian,
    "gaussian-mixture": _gaussian_mixture,
    "gaussian-mesh": _gaussian_mesh,
    "zcdp-pair": _zcdp_pair,
}

THEOREMS_OF_CONVERSIONS: Final = {
    "bun-steinke-2016-proposition-1.3": "The conversion of Bun and Steinke, TCC 2016-B, "
    "Proposition 1.3: ρ-zCDP implies (ρ + 2·√(ρ·ln(1/δ)), δ)-DP.",
    "canonne-kamath-steinke-2020-corollary-13": "The conversion of Canonne, Kamath and Steinke, "
    "NeurIPS 2020, Corollary 13 of arXiv:2004.00010: what ρ-zCDP implies, for any α above 1.",
    "canonne-kamath-steinke-2020-proposition-12": "The conversion of Canonne, Kamath and Steinke, "
    "NeurIPS 2020, Proposition 12 of arXiv:2004.00010, from the Rényi divergence of one order.",
    "dong-roth-su-2022-corollary-2.13": "The profile of Gaussian differential privacy: Dong, Roth "
    "and Su, J. R. Stat. Soc. B 84(1), 2022, Corollary 2.13 of arXiv:1905.02383.",
    "dong-roth-su-2022-theorem-3.2": "Composition of trade-off functions: Dong, Roth and Su, "
    "J. R. Stat. Soc. B 84(1), 2022, Theorem 3.2 of arXiv:1905.02383.",
}
