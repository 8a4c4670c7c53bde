r"""Compositions enclosed by those of two ledgers: one that reveals no more, and one no less.

Purpose: a certain interval in a part of the time, where the mechanisms are not all given by (ε, δ).

Rules of this file: a lower end is that of the ledger that reveals no more, an upper end that of the
one that reveals no less. Which ledgers these are is the caller's to know.

Theory of operation: what is composed of mechanisms of which each is dominated is dominated, so that
an upper end of the greater composition is one of the lesser, and a lower end of the lesser one of
the greater. Certificates are about the ledger as it is, at the ends that were found so.

Source: Zhu, Dong & Wang, AISTATS 2022, Theorem 10.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.arguments import probability, tolerance_of
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.conversions import enclose_converted
from exactdp.composition.answers.results import Composition, Evidence
from exactdp.composition.problem import Problem
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger

_OPEN: Final = "as narrow as the time limit allowed; mechanisms are rounded to few different ones"
_ATTAINED: Final = "mechanisms that reveal no more"


def _evidence(ledger: Ledger, delta: mpq, max_cost: int) -> Evidence:
    """Of a composition between two others: claims, decided where they are asked for."""

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate:
        found = certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
        if found.holds != enough or found.proof is None:
            raise InternalError(field="epsilon", value=str(epsilon), expected="an end that holds")
        return found.proof

    return Evidence(Problem.of(Ledger(ledger.pairs)), prove, _ATTAINED, _OPEN)


def compose_sandwiched(
    ledger: Ledger,
    ends: tuple[Ledger, Ledger],
    *,
    delta: Number,
    tolerance: Number,
    max_cost: int,
    seconds: float | None = None,
) -> Composition:
    """The least ε for a δ of mechanisms by ρ, μ or their noise, from those of two other ledgers.

    Args:
        ledger: what is asked about.
        ends: one that reveals no more, and one that reveals no less.
        delta: the global δ, above what fails anyway and below 1.
        tolerance: the greatest width of each end's interval, in nats; > 0.
        max_cost: refuse work predicted to cost more, for each end.
        seconds: for both, where some mechanism is given by its noise.

    Raises:
        CostLimitError: the work would exceed the limits.
    """
    width, target = tolerance_of(tolerance), probability(delta)
    if ledger.given_by == "noise":
        below, above = _by_noise(ends, target, width, max_cost, seconds)
    else:
        below, above = enclose_converted(ends, target, width, max_cost=max_cost)
    return replace(
        above,
        ledger=ledger,
        lower_end=below,
        exact=None,
        complete=False,
        _evidence=_evidence(ledger, target, max_cost),
    )


def _by_noise(
    ends: tuple[Ledger, Ledger], delta: mpq, width: mpq, max_cost: int, seconds: float | None
) -> tuple[mpq | None, Composition]:
    from exactdp.composition.answers.noise import NoiseAnswers  # noqa: PLC0415 (most need none of it)

    each = None if seconds is None else seconds / 2
    below, above = (
        NoiseAnswers(end, max_cost).compose(delta, width, refining=each) for end in ends
    )
    return below.lower_end, above
