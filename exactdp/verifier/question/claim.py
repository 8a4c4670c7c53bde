r"""Whether a bound settles a claim.

Rules of this file: a claim is proved by what is at most it, and refuted by what is at least it.

Sources: certs/SPEC.md, section 12.4.
"""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.signs import sign
from ..format.numbers import Number, parse
from ..format.outcomes import RejectedError
from ..format.shapes import probability
from ..statement import Bound, not_negative


def read_claim(epsilon: str, delta: str) -> tuple[Number, Fraction]:
    """The claim "(ε, δ)-DP", from the texts of a command line."""
    return not_negative(parse(epsilon), "the claim's epsilon"), probability(
        parse(delta), "the claim's delta"
    )


def check_claim(bound: Bound, epsilon: Number, delta: Fraction) -> str:
    """``proves`` or ``refutes``; reject a bound that does not settle the claim "(ε, δ)-DP"."""
    if bound.notion:
        raise RejectedError("the statement is about no (ε, δ): it settles no such claim")
    if bound.kind == "upper":
        if sign(epsilon - bound.finite()) >= 0 and bound.delta <= delta:
            return "proves"
    elif bound.kind != "lower":
        raise RejectedError(f"a statement that is {bound.kind} settles no claim")
    elif delta <= bound.delta and (bound.epsilon is None or sign(bound.epsilon - epsilon) >= 0):
        return "refutes"
    raise RejectedError("the statement does not settle the claim")
