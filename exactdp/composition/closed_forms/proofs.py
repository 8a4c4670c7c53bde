r"""Proofs of what a formula gives: the first rule that shows it.

Rules of this file: a certificate states the formula's ε and is by a rule of its own; where no rule
shows it, the reason is the answer.

Theory of operation: the sum is compared first, then Rényi divergences, which cost little at any
count and are nearly always better than a closed form; what is left is decided by the optimum. A
theorem of interleaving is named for all rows alike, and moments rest on another: they are left out.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.problem import Problem
from exactdp.composition.route_certificates import moments_certificate
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger


@dataclass(frozen=True, slots=True)
class RowProof:
    """A certificate, or why there is none.

    Attributes:
        certificate: that the ε is enough; None without one.
        reason: why none was made, or "".
    """

    certificate: Certificate | None
    reason: str = ""


def proof_of(ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int) -> RowProof:
    """What shows that ε is enough for mechanisms by (ε, δ), at a δ that is feasible."""
    subject, problem = Subject.of(ledger), Problem.of(ledger)
    above_all = compare(epsilon, problem.total_epsilon) >= 0
    if not above_all and problem.allowed(delta).sign > 0:
        with contextlib.suppress(CostLimitError):
            found = moments_certificate(subject, problem, epsilon, delta)
            if found is not None:
                return RowProof(found)
    try:
        decision = Solver(problem, max_cost=max_cost).decide(epsilon, delta)
        return RowProof(certificate(subject, epsilon, delta, decision))
    except CostLimitError as error:
        return RowProof(None, f"no rule shows it within the limits: {error}")
