r"""Certificates of what the outcome of an attack rejects.

Rules of this file: a certificate is about one (ε, δ), the claim or the greatest ε that is known to
be rejected. A ledger's own profile is rejected by two: one point of it, from above, is a claim that
the ledger keeps and the outcome rejects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.attack import Attack
from exactdp.attacks.experiment import ManyRuns, OneRun
from exactdp.certificate.rules.row import Theorem
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError

_BITS: Final = 256
_DIGITS: Final = 40


@dataclass(frozen=True, slots=True)
class ExperimentSubject:
    """The outcome of an experiment, and its level, as a certificate states them."""

    experiment: ManyRuns | OneRun
    level: mpq
    neighbouring: str = "unspecified"
    interaction: str = "adaptive"

    def document(self) -> dict[str, object]:
        """The subject as the format has it."""
        common = {"type": "experiment", "level": str(self.level)}
        found = self.experiment
        if isinstance(found, OneRun):
            return {
                **common,
                "canaries": str(found.canaries),
                "guesses": str(found.guesses),
                "right": str(found.right),
                "guess_counts": str(found.choices),
            }
        sides = {"members": found.members, "others": found.others}
        counts = {
            name: {"runs": str(runs), "found": str(hits)} for name, (runs, hits) in sides.items()
        }
        return {**common, **counts, "thresholds": str(found.choices)}

    def covered_by(self, _theorem: Theorem) -> bool:
        """No theorem of composition is about an experiment."""
        return False


def rejection_certificates(
    found: Attack, max_cost: int = DEFAULT_MAX_COST
) -> dict[str, Certificate]:
    """The certificates of what is rejected, by what they show; none if nothing is.

    Of a ledger's own profile there are two: a claim that the ledger keeps, and that it is rejected.

    Args:
        found: what the outcome rejects.
        max_cost: refuse work predicted to cost more: of what is refused there is no certificate.
    """
    if found.ledger is None:
        made = rejection_certificate(found)
        return {} if made is None else {"rejected": made}
    if found.by is None:
        return {}
    epsilon, delta = found.by
    try:
        kept = certify(found.ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
    except CostLimitError:
        return {}
    if not kept.holds or kept.proof is None:
        return {}
    return {"rejected": _rejecting(found, epsilon, delta), "upper": kept.proof}


def rejection_certificate(found: Attack) -> Certificate | None:
    """The certificate that a claim, or the greatest ε, is rejected; None if none is."""
    if found.ledger is not None or found.delta is None or found.rejected is False:
        return None
    epsilon = found.epsilon
    if epsilon is None:
        if found.rejected_up_to is None:
            return None
        epsilon = ExactNumber(found.rejected_up_to)
    return _rejecting(found, epsilon, found.delta)


def _rejecting(found: Attack, epsilon: ExactNumber, delta: mpq) -> Certificate:
    """The certificate about one claim."""
    rule, parameters = "one-run", dict[str, object]()
    if found.rates is None:
        with precision(_BITS):
            most = max(upper_end(ball(epsilon)), found.rejected_up_to or mpq(0))
            parameters["odds"] = str(round_above(upper_end(ball_of_rational(most).exp()), _DIGITS))
    else:
        rule = "clopper-pearson"
        parameters |= zip(("tpr", "fpr"), map(str, found.rates), strict=True)
    subject = ExperimentSubject(found.experiment, found.level)
    return Certificate(subject, "rejected", epsilon, delta, rule, parameters)
