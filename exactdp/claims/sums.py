r"""Claims of a ρ or a μ: exact sums, which Gaussian noise attains, each with its certificate.

Rules of this file: a claim that holds has an upper certificate, and one that is refuted a lower
one; of noise of another kind the sum shows a claim, and does not refute one.

Theory of operation: the ρ of mechanisms add up (Bun & Steinke, TCC 2016-B, Lemma 1.7), and so do
the μ² of Gaussian ones (Dong, Roth & Su 2022, Corollary 3.3); for a group of g both are g² times as
great. Gaussian noise has no less than its sum, nor does discrete Gaussian noise: its Rényi
divergence of order 2 is twice its ρ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rules.row import Kind
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.claims.noise import rho_of_noise
from exactdp.claims.outcomes import ClaimOutcome, RuleVerdict
from exactdp.claims.texts import is_rounded
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Claim, Ledger

SUM_OF_RHO: Final = "sum of ρ"
SUM_OF_MU: Final = "sum of μ²"
OF_NOISE: Final = "noise says more about a mechanism than ρ or μ"
"""Why a claim of these is not assessed."""
_RULES: Final = {"rho": "zcdp-sum", "mu": "gdp-sum"}


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A claim of a notion: what it is about, and how to prove or refute it."""

    ledger: Ledger
    notion: str
    amount: ExactNumber
    group: int

    def certificate(self, bound: Kind) -> Certificate:
        """The proof that the amount is enough, or that it is not."""
        subject, parameters = Subject.of(self.ledger), {"group": str(self.group)}
        return Certificate(
            subject,
            bound,
            self.amount,
            mpq(0),
            _RULES[self.notion],
            parameters,
            group=self.group,
            notion=self.notion,
        )


def verdict_on_sum(ledger: Ledger, claim: Claim, group: int = 1) -> RuleVerdict:
    """What the sum of all ρ, or of all μ², says of a claim."""
    notion, text = ("rho", claim.rho) if claim.rho is not None else ("mu", claim.mu)
    claimed = _Claimed(ledger, notion, ExactNumber.parse(text or "0"), group)
    if ledger.given_by == "noise":
        return _of_noise(claimed)
    problem = Problem.of_parameters(ledger)
    if problem.mechanisms:
        reason = "mechanisms given by ε and δ add nothing exact to ρ or μ"
        return RuleVerdict(SUM_OF_RHO, "not-assessable", reason=reason)
    if notion == "rho":
        exact = (problem.rho + problem.square / 2) * group**2
        rounded = compare(ExactNumber(exact), claimed.amount) > 0 and is_rounded(exact, text or "")
        reason = "the claim is the sum, rounded down" if rounded else ""
        return _compared(SUM_OF_RHO, claimed, exact, claimed.amount, (exact, exact), reason)
    if problem.rho:
        return RuleVerdict(
            SUM_OF_MU, "not-assessable", reason="μ says more about a mechanism than ρ"
        )
    if not claimed.amount.is_rational:
        return RuleVerdict(SUM_OF_MU, "not-assessable", reason="the claimed μ is not rational")
    square = ExactNumber(claimed.amount.rational**2)
    return _compared(SUM_OF_MU, claimed, problem.square * group**2, square)


def _compared(
    rule: str,
    claimed: _Claimed,
    exact: mpq,
    amount: ExactNumber,
    least: tuple[mpq, mpq] | None = None,
    reason: str = "",
) -> RuleVerdict:
    order = compare(ExactNumber(exact), amount)
    outcome: ClaimOutcome = "refuted" if order > 0 else "holds" if order else "holds-with-equality"
    proof = claimed.certificate("lower" if order > 0 else "upper")
    return RuleVerdict(rule, outcome, least, reason, proof)


def _of_noise(claimed: _Claimed) -> RuleVerdict:
    """Of noise that has a ρ; what it attains of it may be less."""
    rho = rho_of_noise(claimed.ledger)
    if rho is None or claimed.notion != "rho":
        rule = SUM_OF_RHO if claimed.notion == "rho" else SUM_OF_MU
        return RuleVerdict(rule, "not-assessable", reason=OF_NOISE)
    between = (each.between(claimed.ledger.neighbouring) for each in claimed.ledger.mechanisms)
    attained = sum((each.attained_rho() * each.count for each in between), mpq(0))
    if compare(ExactNumber(rho), claimed.amount) <= 0:
        return RuleVerdict(SUM_OF_RHO, "holds", (rho, rho), "", claimed.certificate("upper"))
    if compare(ExactNumber(attained), claimed.amount) > 0:
        proof = claimed.certificate("lower")
        return RuleVerdict(SUM_OF_RHO, "refuted", (attained, rho), "", proof)
    reason = "the noise may have less ρ than its bound"
    return RuleVerdict(SUM_OF_RHO, "not-derivable", (rho, rho), reason)
