r"""What noise says of a claim (ε, δ), and which ρ it has.

Rules of this file: a claim is decided by :func:`exactdp.certify`, with a certificate; or
computed; or open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals, scientific_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.arguments import NOISE_TOLERANCE
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger


@dataclass(frozen=True, slots=True)
class NoiseDecision:
    """What becomes of a claim by the noise.

    Attributes:
        outcome: as in :mod:`exactdp.claims.verdicts`.
        least: the interval of the least ε, to 1e-4; None if it is not known.
        reason: what is to spare, or why nothing is decided.
        certificate: what proves or refutes the claim; None if it is open, or was computed.
    """

    outcome: Literal["holds", "holds-with-equality", "refuted", "not-assessable", "undecided"]
    least: tuple[mpq, mpq] | None = None
    reason: str = ""
    certificate: Certificate | None = None


def rho_of_noise(ledger: Ledger) -> mpq | None:
    """The sum of all ρ, of noise that has one; None if some has none.

    A sample of what has a range has the ρ of that, which its pairs do not say.
    """
    total = mpq(0)
    for entry in ledger.mechanisms:
        known = entry.between(ledger.neighbouring)
        square = known.implied_mu_squared()
        rho = known.implied_rho() if square is None else square / 2
        is_known = all(each.has_moments for each, _ in known.pairs(ledger.neighbouring))
        if rho is None or not is_known:
            return None
        total += rho * known.count
    return total


def decide_by_noise(
    ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int
) -> NoiseDecision:
    """What privacy losses on a mesh say."""
    if not 0 <= delta < 1:
        return NoiseDecision("not-assessable", reason="a δ of 1 says nothing of noise")
    try:
        decided = certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
        answer = compose(ledger, delta=delta, tolerance=NOISE_TOLERANCE, max_cost=max_cost)
    except CostLimitError as error:
        return NoiseDecision("undecided", reason=str(error))
    least = None
    if answer.lower_end is not None and answer.upper_end is not None:
        least = answer.lower_end, answer.upper_end
    if not decided.holds:
        return NoiseDecision("refuted", least, certificate=decided.proof)
    if decided.equality:
        return NoiseDecision("holds-with-equality", least, certificate=decided.proof)
    spare = enclose_in_decimals(epsilon, 12)[0] - least[1] if least else mpq(0)
    reason = f"with {scientific_below(spare, 3)} to spare" if spare > 0 else ""
    return NoiseDecision("holds", least, reason, decided.proof)
