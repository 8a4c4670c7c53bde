r"""Claims in words."""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq, mpz

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Claim


def claim_text(
    claim: Claim, epsilon_text: Callable[[ExactNumber], str], delta_text: Callable[[mpq], str]
) -> str:
    """A claim in words, its numbers written by the functions given; no δ means δ = 0."""
    rounded = "" if claim.places is None else f", rounded to {_places(claim.places)}"
    if claim.epsilon is not None:
        at = f" at δ = {delta_text(claim.delta or mpq(0))}"
        return f"{epsilon_text(claim.epsilon)}{at}{rounded}"
    if claim.tpr is not None:
        at = f" at FPR = {delta_text(claim.fpr or mpq(0))}"
        return f"TPR = {delta_text(claim.tpr)}{at}{rounded}"
    if claim.success is not None:
        at = f" at a prior of {delta_text(claim.prior or mpq(0))}"
        return f"right guesses = {delta_text(claim.success)}{at}{rounded}"
    name, value = ("ρ", claim.rho) if claim.rho is not None else ("μ", claim.mu)
    return f"{name} = {epsilon_text(ExactNumber.parse(value or '0'))}{rounded}"


def is_rounded(exact: mpq, text: str) -> bool:
    """Whether a decimal is ``exact`` to as many places as it has."""
    whole, _, places = text.partition(".")
    if not (whole + places).isdecimal():
        return False
    return abs(exact - mpq(text)) * 2 * mpz(10) ** len(places) <= 1


def _places(number: int) -> str:
    return f"{number} decimal place{'' if number == 1 else 's'}"
