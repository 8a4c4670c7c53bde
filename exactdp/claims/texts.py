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
    if claim.epsilon is not None:
        return f"{epsilon_text(claim.epsilon)} at δ = {delta_text(claim.delta or mpq(0))}"
    name, value = ("ρ", claim.rho) if claim.rho is not None else ("μ", claim.mu)
    return f"{name} = {epsilon_text(ExactNumber.parse(value or '0'))}"


def is_rounded(exact: mpq, text: str) -> bool:
    """Whether a decimal is ``exact`` to as many places as it has."""
    whole, _, places = text.partition(".")
    if not (whole + places).isdecimal():
        return False
    return abs(exact - mpq(text)) * 2 * mpz(10) ** len(places) <= 1
