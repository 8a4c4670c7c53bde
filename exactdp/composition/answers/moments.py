r"""Answers by moments where the optimum is out of reach: ledgers of (ε, δ) of any count.

Rules of this file: nothing here is optimal, and every answer says so. An upper end is what Rényi
divergences of one order give, or the sum where that is less; no rule shows anything from below
where counts are beyond the others.

Source: Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import enclose_in_decimals, places_within
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.results import Composition, Evidence
from exactdp.composition.certificates import certificate
from exactdp.composition.decisions import Decision
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
    problem, subject = Problem.of(ledger), Subject.of(ledger)
    upper, method = least_epsilon("moments", problem, problem.allowed(delta), width), "moments"
    if compare(problem.total_epsilon, ExactNumber(upper)) <= 0:
        upper, method = (
            enclose_in_decimals(problem.total_epsilon, places_within(width) + 1)[1],
            "sum",
        )

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        if not enough:
            return None
        if method == "sum":
            return certificate(subject, epsilon, delta, Decision(holds=True, rule="sum"))
        return moments_certificate(subject, problem, epsilon, delta)

    nothing = "nothing: 0 is the least that there is"
    evidence = Evidence(
        problem,
        prove,
        nothing,
        NOT_OPTIMAL,
        reaches_least_delta=True,
        basic_epsilon=problem.total_epsilon,
    )
    return Composition(ledger, delta, mpq(0), upper, None, method, False, (), evidence)
