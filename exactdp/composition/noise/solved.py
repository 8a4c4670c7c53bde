r"""The least ε at a δ: its ends, and what proves them.

Rules of this file: an end is given only with what proves it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.engines.mesh.bracket import Bracket
from exactdp.composition.engines.mesh.upper_bracket import UPPER_RULE
from exactdp.composition.engines.moments.orders import OrderBound


def _prove_nothing(epsilon: ExactNumber) -> None:
    """No certificate: the lower end is 0."""


@dataclass(frozen=True)
class Solved:
    """The least ε at δ.

    Attributes:
        delta: δ.
        lower: a decimal at most that.
        upper: a decimal at least that.
        rule: what proves the upper end.
        explanation: how that was found, in words.
        prove_upper: proves that an ε of at least ``upper`` is enough, at a δ of at least this.
        prove_lower: proves that an ε of at most ``lower`` is not enough.
    """

    delta: mpq
    lower: mpq
    upper: mpq
    rule: str
    explanation: str
    prove_upper: Callable[[ExactNumber, mpq], Certificate]
    prove_lower: Callable[[ExactNumber], Certificate | None] = _prove_nothing

    @staticmethod
    def on_a_mesh(delta: mpq, ends: tuple[mpq, mpq], bracket: Bracket) -> Solved:
        """Both ends by a bracket."""
        return Solved(
            delta,
            *ends,
            UPPER_RULE,
            f"privacy losses on a mesh of {bracket.unit}",
            bracket.upper_certificate,
            partial(bracket.lower_certificate, delta=delta),
        )

    @staticmethod
    def of_order(delta: mpq, order: OrderBound) -> Solved:
        """The upper end that Rényi divergences of one order give, and a lower one of 0."""
        return Solved(delta, mpq(0), *_by_order(order))

    def with_order(self, order: OrderBound) -> Solved:
        """The ends, with the upper one of Rényi divergences where that is less."""
        if order.epsilon >= self.upper:
            return self
        upper, rule, explanation, prove = _by_order(order)
        return replace(self, upper=upper, rule=rule, explanation=explanation, prove_upper=prove)

    def with_lower(self, lower: mpq, bracket: Bracket) -> Solved:
        """The ends, with a lower one by a bracket."""
        prove = partial(bracket.lower_certificate, delta=self.delta)
        return replace(self, lower=lower, prove_lower=prove)


@dataclass(frozen=True)
class Judged:
    """What is found of a claim (ε, δ).

    Attributes:
        holds: whether ε is enough; None where that is open.
        prove: what proves it, where it is not open.
        solved: the ends, where both were found.
    """

    holds: bool | None
    prove: Callable[[], Certificate | None] = lambda: None
    solved: Solved | None = None

    @staticmethod
    def of(solved: Solved, epsilon: ExactNumber) -> Judged:
        """By both ends."""
        if sign(epsilon - ExactNumber(solved.upper)) >= 0:
            prove = cache(partial(solved.prove_upper, epsilon, solved.delta))
            return Judged(True, prove, solved)
        if solved.lower and sign(ExactNumber(solved.lower) - epsilon) >= 0:
            return Judged(False, cache(partial(solved.prove_lower, epsilon)), solved)
        return Judged(None, solved=solved)


def _by_order(
    order: OrderBound,
) -> tuple[mpq, str, str, Callable[[ExactNumber, mpq], Certificate]]:
    """The upper end by an order, its rule, an explanation, and its proof."""
    explanation = f"Rényi divergences of order {order.alpha}"
    return order.epsilon, "moments", explanation, order.certificate
