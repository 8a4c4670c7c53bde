r"""What a solver answers: the least ε for a δ, enclosed, and whether a claim holds.

Rules of this file: every number in an answer is a certain end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.fourier.spectrum import Spectrum

_NO_SLACK: Final = mpq(0)


@dataclass(frozen=True, slots=True)
class Optimum:
    """OptComp at one δ, enclosed.

    Attributes:
        lower: a decimal <= OptComp, in nats; None if no finite ε is enough.
        upper: a decimal >= OptComp; None if no finite ε is enough.
        exact: OptComp itself, where it has a closed form.
        method: how it was found: "closed-form", or the name of an engine.
        complete: whether the interval is as narrow as asked; False where time ran out.
    """

    lower: mpq | None
    upper: mpq | None
    exact: ExactNumber | None
    method: str
    complete: bool = True

    @staticmethod
    def closed(exact: ExactNumber, places: int, method: str = "closed-form") -> Optimum:
        """An exact answer, enclosed in decimals of ``places`` places."""
        return Optimum(*enclose_in_decimals(exact, places), exact, method)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether every composition with these parameters is (ε, δ)-DP, decided.

    Attributes:
        holds: the answer.
        rule: the certificate rule that shows it.
        slack: D(e^ε) differs from Δ by at least this; 0 where the rule needs none, or in a tie.
        equality: whether ε is known to be OptComp itself.
        mesh: the mesh at which a bracket decided; None for other rules.
        losses: how many privacy losses were told apart, where their masses are exact; else 0.
        threshold: the least score of the event that shows the lower bound of a bracket.
        spectrum: what the Fourier bracket decided by; None for other rules.
    """

    holds: bool
    rule: str
    slack: mpq = _NO_SLACK
    equality: bool = False
    mesh: mpq | None = None
    losses: int = 0
    threshold: int = 0
    spectrum: Spectrum | None = None


VACUOUS: Final = Decision(holds=True, rule="trivial")
"""The decision where δ is 1."""

INFEASIBLE: Final = Decision(holds=False, rule="trivial")
"""The decision where Δ < 0: no ε is enough."""
