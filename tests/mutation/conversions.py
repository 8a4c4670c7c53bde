"""The oracle for statements about ρ and μ, in mpmath at 60 digits; nothing comes from exactdp.

About mechanisms it knows a lower and an upper end of the truth: randomized responses and Gaussian
noise (a ρ as noise with μ² = 2ρ) attain the first; the second is the first if there is no ρ, and
else the least that Rényi divergences give, or one (ε, δ)-DP mechanism in the place of all with a ρ.
A statement between them is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types

from tests.verifier.oracles import forced_delta

MOST_ATOMS = 3000
_DOUBLINGS = 40
_THIRDS = 120
_SIZES = range(1, 17)

_Pair = tuple[str, str, int]


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether a statement is true; None if it is too large, or cannot be told."""
    with mpmath.workdps(60):
        parts = _Parts(statement)
        if any(text.count("ln") for text, _, _ in parts.pairs):
            return None
        epsilon = statement["epsilon"]
        if epsilon == "every":
            left = parts.left(statement["delta"])
            return bool(left < 0 or (left == 0 and parts.square_from_below > 0))
        if "ln" in epsilon:
            return None
        return _judged(parts, statement, _real(epsilon))


def _judged(parts: _Parts, statement: dict[str, Any], epsilon: Any) -> bool | None:  # noqa: ANN401
    if statement["delta"] == "1" and statement["kind"] != "underivable":
        return bool(statement["kind"] == "upper")
    left = parts.left(statement["delta"])
    if statement["kind"] == "underivable":
        return bool(left <= 0 or parts.formula(statement["theorem"], epsilon) > left)
    least = parts.divergence(epsilon)
    if least is None:
        return None
    if least > left:
        return bool(statement["kind"] == "lower")
    if not parts.rho or parts.renyi(epsilon) <= left or parts.as_a_pair(epsilon) <= left:
        return bool(statement["kind"] == "upper")
    return None


def _real(text: str) -> Any:  # noqa: ANN401 (mpmath)
    value = Fraction(text)
    return mpmath.mpf(value.numerator) / value.denominator


class _Parts:
    def __init__(self, statement: dict[str, Any]) -> None:
        mechanisms = statement["subject"]["mechanisms"]
        self.pairs: list[_Pair] = [
            (m["epsilon"], m["delta"], int(m["count"])) for m in mechanisms if "epsilon" in m
        ]
        self.square = sum(
            (_real(m["mu"]) ** 2 * int(m["count"]) for m in mechanisms if "mu" in m), mpmath.mpf(0)
        )
        self.rho = sum(
            (_real(m["rho"]) * int(m["count"]) for m in mechanisms if "rho" in m), mpmath.mpf(0)
        )

    @property
    def square_from_below(self) -> Any:  # noqa: ANN401 (mpmath)
        return self.square + 2 * self.rho

    def left(self, delta: str) -> Any:  # noqa: ANN401 (mpmath)
        value = forced_delta(self.pairs, delta)
        return mpmath.mpf(value.numerator) / value.denominator

    def divergence(self, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
        """That of randomized responses and Gaussian noise; None if there are too many atoms."""
        atoms = 1
        for _, _, count in self.pairs:
            atoms *= count + 1
        if atoms > MOST_ATOMS:
            return None
        return self._mixture(epsilon, self.pairs, self.square_from_below)

    def as_a_pair(self, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
        """About the least δ where one randomized response stands for all with a ρ."""
        return min(self._with_a_pair(epsilon, k * mpmath.sqrt(self.rho)) for k in _SIZES)

    def _with_a_pair(self, epsilon: Any, size: Any) -> Any:  # noqa: ANN401 (mpmath)
        lost = _least(lambda order: _converted(order, order * (1 + order) * self.rho, size))
        pairs = [*self.pairs, (mpmath.nstr(size, 60), "0", 1)]
        return lost + (1 - lost) * self._mixture(epsilon, pairs, self.square)

    def _mixture(self, epsilon: Any, pairs: Sequence[_Pair], square: Any) -> Any:  # noqa: ANN401
        mu = mpmath.sqrt(square)
        total = mpmath.mpf(0)
        for vector in product(*(range(count + 1) for _, _, count in pairs)):
            weight, loss = mpmath.mpf(1), mpmath.mpf(0)
            for j, (text, _, count) in zip(vector, pairs, strict=True):
                size = _real(text)
                truthful = 1 / (1 + mpmath.exp(-size))
                weight *= comb(count, j) * truthful ** (count - j) * (1 - truthful) ** j
                loss += (count - 2 * j) * size
            total += weight * _profile(epsilon - loss, mu)
        return total

    def renyi(self, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
        """About the least δ that Rényi divergences give."""
        return _least(lambda order: self._log_delta(order, epsilon, pure=True))

    def formula(self, theorem: str, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
        """The least δ of the formula that a theorem names."""
        if not theorem.startswith("bun"):
            return _least(lambda order: self._log_delta(order, epsilon, pure=False))
        rho = self._total_rho()
        if epsilon < rho:
            return mpmath.inf  # it gives no ε below ρ, whatever δ is
        return mpmath.exp(-((epsilon - rho) ** 2) / (4 * rho)) if rho else mpmath.mpf(0)

    def _total_rho(self) -> Any:  # noqa: ANN401 (mpmath)
        pure = sum((_real(text) ** 2 * n for text, _, n in self.pairs), mpmath.mpf(0))
        return self.rho + self.square / 2 + pure / 2

    def _log_delta(self, above_one: Any, epsilon: Any, *, pure: bool) -> Any:  # noqa: ANN401
        alpha = 1 + above_one
        rho = self.rho + self.square / 2 if pure else self._total_rho()
        total = above_one * alpha * rho
        for text, _, n in self.pairs if pure else []:
            size = _real(text)
            top = mpmath.exp(alpha * size) + mpmath.exp((1 - alpha) * size)
            total += n * mpmath.log(top / (1 + mpmath.exp(size)))
        return _converted(above_one, total, epsilon)


def _converted(above_one: Any, total: Any, epsilon: Any) -> Any:  # noqa: ANN401 (mpmath)
    """ln δ that a moment gives at one order."""
    alpha = 1 + above_one
    factor = alpha * mpmath.log(1 - 1 / alpha) - mpmath.log(above_one)
    return total - above_one * epsilon + factor


def _least(log_delta: Callable[[Any], Any]) -> Any:  # noqa: ANN401 (mpmath)
    """e to the least value of a convex function of α - 1 > 0: a coarse look, then by thirds."""
    best = min((mpmath.mpf(2) ** k for k in range(-_DOUBLINGS, _DOUBLINGS)), key=log_delta)
    low, high = best / 2, best * 2
    for _ in range(_THIRDS):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if log_delta(one) < log_delta(other):
            high = other
        else:
            low = one
    return mpmath.exp(log_delta(low))


def _profile(rest: Any, mu: Any) -> Any:  # noqa: ANN401 (mpmath)
    if not mu:
        return max(mpmath.mpf(0), 1 - mpmath.exp(rest))
    return mpmath.ncdf(mu / 2 - rest / mu) - mpmath.exp(rest) * mpmath.ncdf(-mu / 2 - rest / mu)
