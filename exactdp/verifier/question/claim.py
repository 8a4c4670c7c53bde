r"""Whether a bound settles a claim.

Rules of this file: a claim is proved by what is at most it, and refuted by what is at least it. All
comparisons are exact; e^ε is compared by the sign of a logarithm less ε.

Theory of operation: a claim says (ε, δ)-DP, or an amount of another notion, or what an attack on
membership gains. Right guesses from a prior are a δ at one ε. True positives at false ones follow
from a bound in either role of two neighbours; a bound from below says of some test how far it is
above a line, and of what it finds at another rate the least that is then possible.

Sources: certs/SPEC.md, section 12.4; Dong, Roth & Su 2022, Proposition 6; Kairouz, Oh &
Viswanath, ICML 2015, Theorem 2.1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from ..arithmetic.signs import sign
from ..format.meter import pay
from ..format.numbers import Number, normal_form, parse
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import probability
from ..statement import Bound, not_negative

Claimed: TypeAlias = tuple[str, str] | Mapping[str, str]
"""The texts of ε and δ, or of other numbers by their names."""
_LOGARITHM: Final = 1000


class Claim(ABC):
    """What is claimed, in which notion."""

    notion: ClassVar[str] = ""

    @abstractmethod
    def follows(self, bound: Bound) -> bool:
        """Whether an ``upper`` bound implies it."""

    @abstractmethod
    def fails(self, bound: Bound) -> bool:
        """Whether a ``lower`` bound contradicts it."""


@dataclass(frozen=True)
class Pair(Claim):
    """(ε, δ)-DP."""

    epsilon: Number
    delta: Fraction

    def follows(self, bound: Bound) -> bool:
        """Neither number is below the bound's."""
        return sign(self.epsilon - bound.finite()) >= 0 and bound.delta <= self.delta

    def fails(self, bound: Bound) -> bool:
        """Neither number is above the bound's."""
        return self.delta <= bound.delta and _is_at_most(self.epsilon, bound)


@dataclass(frozen=True)
class Rho(Claim):
    """ρ-zCDP."""

    notion: ClassVar[str] = "rho"
    amount: Number

    def follows(self, bound: Bound) -> bool:
        """The bound is at most as great."""
        return sign(self.amount - bound.finite()) >= 0

    def fails(self, bound: Bound) -> bool:
        """The bound is at least as great."""
        return _is_at_most(self.amount, bound)


@dataclass(frozen=True)
class Mu(Rho):
    """μ-GDP."""

    notion: ClassVar[str] = "mu"


@dataclass(frozen=True)
class TruePositives(Claim):
    """No attack with false positives of at most ``fpr`` has more true ones than ``tpr``."""

    fpr: Fraction
    tpr: Fraction

    def follows(self, bound: Bound) -> bool:
        """By the least of 1, δ + yα and 1 - (1 - δ - α)/y, with y = e^ε."""
        left = 1 - self.tpr
        own = (self.tpr - bound.delta) / self.fpr
        return not left or any(
            ratio >= 1 and sign(_ln(ratio) - bound.finite()) >= 0
            for ratio in (own, (1 - bound.delta - self.fpr) / left)
        )

    def fails(self, bound: Bound) -> bool:
        """By the lesser of α + δ(1 - α) and αy/(1 - δ), or of α/(1 - δ) and 1 - (1 - α)(1 - δ)/y.

        So much some test finds that is more than δ above a line of slope y, or another in the
        exchanged role.
        """
        left, out = 1 - bound.delta, 1 - self.tpr
        own = self.tpr <= 1 - (1 - self.fpr) * left
        if own and _is_at_most(_ln(max(Fraction(1), self.tpr * left / self.fpr)), bound):
            return True
        exchanged = out > 0 and self.tpr * left <= self.fpr
        return exchanged and _is_at_most(_ln(max(Fraction(1), (1 - self.fpr) * left / out)), bound)


def read_claim(claim: Claimed) -> Claim:
    """What is claimed, from the texts of a command line."""
    given = by_name(claim)
    read = FORMS.get(frozenset(given))
    if read is None:
        raise MalformedError(f"the claim is none of {CLAIMS}")
    return read({name: parse(text) for name, text in given.items()})


def by_name(claim: Claimed) -> Mapping[str, str]:
    """The texts of a claim by the names of its numbers."""
    if isinstance(claim, Mapping):
        return claim
    return dict(zip(("epsilon", "delta"), claim, strict=True))


def check_claim(bound: Bound, claim: Claim) -> str:
    """``proves`` or ``refutes``; reject a bound that does not settle the claim."""
    if bound.notion != claim.notion:
        about = bound.notion or "(ε, δ)"
        raise RejectedError(f"the statement is about {about}: it settles no such claim")
    if bound.kind == "upper":
        if claim.follows(bound):
            return "proves"
    elif bound.kind != "lower":
        raise RejectedError(f"a statement that is {bound.kind} settles no claim")
    elif claim.fails(bound):
        return "refutes"
    raise RejectedError("the statement does not settle the claim")


def _is_at_most(amount: Number, bound: Bound) -> bool:
    return bound.epsilon is None or sign(bound.epsilon - amount) >= 0


def _ln(ratio: Fraction) -> Number:
    pay(_LOGARITHM)
    return normal_form([Fraction(0)], [(Fraction(1), ratio)])


def _of_pair(given: Mapping[str, Number]) -> Claim:
    epsilon = not_negative(given["epsilon"], "the claim's epsilon")
    return Pair(epsilon, probability(given["delta"], "the claim's delta"))


def _of_guesses(given: Mapping[str, Number]) -> Claim:
    """Guesses are right with 1 - p + p·δ at y = (1 - p)/p, p the lesser of prior and rest."""
    prior = _rate(given["prior"], "prior")
    lesser, success = min(prior, 1 - prior), probability(given["success"], "the claim's success")
    return Pair(_ln((1 - lesser) / lesser), (success - 1 + lesser) / lesser)


def _of_true_positives(given: Mapping[str, Number]) -> Claim:
    return TruePositives(_rate(given["fpr"], "fpr"), probability(given["tpr"], "the claim's tpr"))


def _rate(number: Number, name: str) -> Fraction:
    rate = probability(number, f"the claim's {name}")
    if not 0 < rate < 1:
        raise MalformedError(f"the claim's {name} is not between 0 and 1")
    return rate


FORMS: Final[Mapping[frozenset[str], Callable[[Mapping[str, Number]], Claim]]] = {
    frozenset({"epsilon", "delta"}): _of_pair,
    frozenset({"fpr", "tpr"}): _of_true_positives,
    frozenset({"prior", "success"}): _of_guesses,
    frozenset({"rho"}): lambda given: Rho(not_negative(given["rho"], "the claim's rho")),
    frozenset({"mu"}): lambda given: Mu(not_negative(given["mu"], "the claim's mu")),
}
CLAIMS: Final = "EPS,DELTA; rho=R; mu=M; fpr=A,tpr=T; prior=P,success=S"


def texts_of_claim(text: str) -> Claimed | None:
    """The numbers of a claim as it is typed; None if it is of none of the forms.

    >>> texts_of_claim("2.64, 1e-6"), texts_of_claim("fpr=0.001,tpr=0.02")
    (('2.64', '1e-6'), {'fpr': '0.001', 'tpr': '0.02'})
    """
    if "=" not in text:
        epsilon, comma, delta = text.rpartition(",")
        return (epsilon.strip(), delta.strip()) if comma else None
    parts = [part.partition("=") for part in text.split(",")]
    named = {name.strip().lower(): value.strip() for name, _, value in parts}
    return named if len(named) == len(parts) and frozenset(named) in FORMS else None
