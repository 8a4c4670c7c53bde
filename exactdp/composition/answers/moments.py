r"""Answers by moments where the optimum is out of reach: ledgers of (ε, δ) of any count.

Rules of this file: nothing here is optimal, and every answer says so. An upper end is what Rényi
divergences of one order give; from below no rule shows anything where counts are beyond the others.

Source: Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.results import BY_MOMENTS, Composition, Evidence
from exactdp.composition.engines.moments.formulas import least_epsilon
from exactdp.composition.problem import Problem
from exactdp.composition.route_certificates import moments_certificate
from exactdp.ledger.model import Ledger

NOT_OPTIMAL: Final = (
    "not optimal: the optimum was out of reach within the limits, and nothing is shown from below"
)


def compose_by_moments(ledger: Ledger, delta: mpq, width: mpq) -> Composition:
    """An interval around the least ε at δ: from 0 to what the best order gives.

    Args:
        ledger: mechanisms by (ε, δ), some ε above 0.
        delta: the global δ, above what fails anyway and below 1.
        width: how much the upper end may lie above what the best order gives.
    """
    problem = Problem.of(ledger)
    upper = least_epsilon("moments", problem, problem.allowed(delta), width)

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        if not enough:
            return None
        return moments_certificate(Subject.of(ledger), problem, epsilon, delta)

    nothing = "nothing: 0 is the least that there is"
    evidence = Evidence(problem, prove, nothing, NOT_OPTIMAL, reaches_least_delta=True)
    return Composition(ledger, delta, mpq(0), upper, None, BY_MOMENTS, False, (), evidence)
