r"""Laws: the pair of laws that dominates a mechanism, and one that it has, in balls.

Rules of this file: everything is a ball at the precision of the context; P is the law of the answer
with the record, Q that without it.

Theory of operation: the profile of a pair is h(y) = sup_S P(S) - y·Q(S). A curve is given by its
profile, and to be cut by P and Q of what has at least a loss; a table by its atoms. Poisson
sampling at the rate q replaces P by (1 - q)Q + qP (Zhu, Dong & Wang, AISTATS 2022, Theorem 11).

Sources: certs/SPEC.md, section 13.2.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber

AtomLoss = mpq | arb
"""Exact where it is rational."""


@dataclass(frozen=True, slots=True)
class Atom:
    """An output with its probabilities and its loss; None where one of them is 0."""

    p: arb
    q: arb
    loss: AtomLoss | None

    def reversed(self) -> Atom:
        """The output with P and Q exchanged."""
        return Atom(self.q, self.p, None if self.loss is None else -self.loss)


Three = tuple[list[arb], list[arb], list[mpq]]
"""Of outputs that lie evenly around 0, noise around 0 and around a shift, and the logarithm of the
second over the first. Noise around the opposite shift is the second turned round."""


class OutputTable(ABC):
    """A pair of laws by its outputs."""

    @abstractmethod
    def atoms(self, digits: int) -> Iterator[Atom]:
        """The outputs that are likelier than 10^-digits, or more."""

    @abstractmethod
    def size(self, digits: int) -> int:
        """At most how many outputs are listed."""


class Curve(ABC):
    """Mechanisms by their profile."""

    @abstractmethod
    def profile(self, loss: arb) -> arb:
        """h(e^loss)."""


class Cut(Curve):
    """A pair of laws whose outputs can be cut where the loss passes a threshold."""

    @abstractmethod
    def cut(self, loss: arb) -> arb:
        """The threshold for this loss."""

    @abstractmethod
    def tails(self, cut: arb) -> tuple[arb, arb]:
        """P and Q of the outputs at the threshold and above."""


NoiseLaw = OutputTable | Curve
"""What dominates a mechanism."""


# --- tables -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Response(OutputTable):
    """Randomized response."""

    epsilon: ExactNumber

    def size(self, _digits: int) -> int:
        """Two answers."""
        return 2

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The true answer and the other."""
        exact, size = self.epsilon.is_rational, ball(self.epsilon)
        less = 1 / (1 + size.exp())
        true = Atom(1 / (1 + (-size).exp()), less, self.epsilon.rational if exact else size)
        yield from (true, true.reversed())


@dataclass(frozen=True, slots=True)
class GeneralizedResponse(OutputTable):
    """Losses t and t - ε."""

    epsilon: mpq
    t: mpq

    def size(self, _digits: int) -> int:
        """Two answers."""
        return 2

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The answer of loss t and the other."""
        t, epsilon = ball_of_rational(self.t), ball_of_rational(self.epsilon)
        p = -(t - epsilon).expm1() / -(-epsilon).expm1()
        q = p * (-t).exp()
        yield Atom(p, q, self.t)
        yield Atom(1 - p, 1 - q, self.t - self.epsilon)


@dataclass(frozen=True, slots=True)
class Geometric(OutputTable):
    """Discrete Laplace noise."""

    scale: mpq
    shift: int

    def size(self, _digits: int) -> int:
        """From a loss of shift/scale to its opposite."""
        return self.shift + 1

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The losses (shift - 2j)/scale."""
        x = ball_of_rational(-1 / self.scale).exp()
        inside = (1 - x) / (1 + x)
        weights = [inside * x**j for j in range(self.shift + 1)]
        weights[0], weights[-1] = 1 / (1 + x), x**self.shift / (1 + x)
        for j, weight in enumerate(weights):
            yield Atom(weight, weights[self.shift - j], mpq(self.shift - 2 * j) / self.scale)

    def three(self, _digits: int) -> Three:
        """The outputs from -shift to shift, the last with all beyond them."""
        x, shift = ball_of_rational(-1 / self.scale).exp(), self.shift
        inside = [(1 - x) / (1 + x) * x**j for j in range(2 * shift + 1)]
        outputs = range(-shift, shift + 1)
        without = [inside[abs(j)] for j in outputs]
        own = [inside[shift - j] for j in outputs]
        without[0] = without[-1] = x**shift / (1 + x)
        own[0], own[-1] = x ** (2 * shift) / (1 + x), 1 / (1 + x)
        return without, own, [mpq(abs(j) - (shift - j)) / self.scale for j in outputs]


@dataclass(frozen=True, slots=True)
class DiscreteNormal(OutputTable):
    """Discrete Gaussian noise."""

    variance: mpq
    shift: int

    def size(self, digits: int) -> int:
        """As many outputs as the verifier lists."""
        return 2 * self._reach(digits) + self.shift + 1

    def _reach(self, digits: int) -> int:
        return isqrt(int(5 * self.variance * (digits + 4))) + 2

    def atoms(self, digits: int) -> Iterator[Atom]:
        """The losses (shift² - 2·shift·x)/(2·variance), for P centred at 0 and Q at the shift."""
        reach, double, half = self._reach(digits), 2 * self.variance, self._half(digits)
        outputs = range(-reach, reach + self.shift + 1)
        weights = [half[abs(x)] if abs(x) <= reach else arb(0) for x in outputs]
        for x, p, q in zip(outputs, weights, reversed(weights), strict=True):
            yield Atom(p, q, mpq(self.shift**2 - 2 * self.shift * x) / double)

    def three(self, digits: int) -> Three:
        """The outputs from -n - shift to n + shift, for the n that are listed."""
        shift, reach, half = self.shift, self._reach(digits), self._half(digits)
        outputs = range(-reach - shift, reach + shift + 1)
        without, own = (
            [half[abs(x - at)] if abs(x - at) <= reach else arb(0) for x in outputs]
            for at in (0, shift)
        )
        return without, own, [mpq(2 * shift * x - shift**2) / (2 * self.variance) for x in outputs]

    def _half(self, digits: int) -> list[arb]:
        """P(x) for x = 0, 1, …, as if there were no more."""
        exponents = (mpq(-x * x) / (2 * self.variance) for x in range(self._reach(digits) + 1))
        terms = [ball_of_rational(each).exp() for each in exponents]
        total = terms[0] + 2 * sum(terms[1:], arb(0))
        return [term / total for term in terms]


@dataclass(frozen=True, slots=True)
class WrittenLaws(OutputTable):
    """A pair of laws that is written out."""

    p: tuple[mpq, ...]
    q: tuple[mpq, ...]

    @property
    def one_sided(self) -> bool:
        """Whether some output is possible under one law alone."""
        return any(bool(p) != bool(q) for p, q in zip(self.p, self.q, strict=True))

    def size(self, _digits: int) -> int:
        """Its outputs."""
        return len(self.p)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """Each output with ln(p/q)."""
        for p, q in zip(self.p, self.q, strict=True):
            if p or q:
                loss = ball_of_rational(p / q).log() if p and q else None
                yield Atom(ball_of_rational(p), ball_of_rational(q), loss)


@dataclass(frozen=True, slots=True)
class SampledTable(OutputTable):
    """A table on a record that takes part with the probability ``rate``."""

    table: OutputTable
    rate: mpq

    def size(self, digits: int) -> int:
        """The same outputs, each with two logarithms more."""
        return 3 * self.table.size(digits)

    def atoms(self, digits: int) -> Iterator[Atom]:
        """Each output under (1 - q)Q + qP."""
        rate, rest = ball_of_rational(self.rate), ball_of_rational(1 - self.rate)
        for atom in self.table.atoms(digits):
            loss: AtomLoss | None = None
            if atom.loss is not None:
                before = atom.loss if isinstance(atom.loss, arb) else ball_of_rational(atom.loss)
                loss = (rest + rate * before.exp()).log()
            elif atom.q > 0:
                loss = rest.log()
            yield Atom(rest * atom.q + rate * atom.p, atom.q, loss)


# --- curves -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Normal(Cut):
    """Gaussian noise, by μ²."""

    square: mpq

    def profile(self, loss: arb) -> arb:
        """Φ(μ/2 - l/μ) - e^l·Φ(-μ/2 - l/μ)."""
        p, q = self.tails(loss)
        return p - loss.exp() * q

    def cut(self, loss: arb) -> arb:
        """The loss itself."""
        return loss

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """Φ(μ/2 - l/μ) and Φ(-μ/2 - l/μ)."""
        half = ball_of_rational(self.square) / 2
        root = (4 * half).sqrt()  # μ·√2
        return ((cut - half) / root).erfc() / 2, ((cut + half) / root).erfc() / 2


@dataclass(frozen=True, slots=True)
class TwoSided(Cut):
    """Laplace noise: losses from -a to a, for a = sensitivity/scale."""

    most: mpq

    def profile(self, loss: arb) -> arb:
        """1 - e^{(l - a)/2} within ±a."""
        most = ball_of_rational(self.most)
        if loss >= most:
            return arb(0)
        return 1 - (loss if loss <= -most else (loss - most) / 2).exp()

    def cut(self, loss: arb) -> arb:
        """The loss itself."""
        return loss

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """1 - e^{(l - a)/2}/2 and e^{-(l + a)/2}/2 within ±a."""
        most = ball_of_rational(self.most)
        if cut <= -most:
            return arb(1), arb(1)
        if cut > most:
            return arb(0), arb(0)
        return 1 - ((cut - most) / 2).exp() / 2, (-(cut + most) / 2).exp() / 2


@dataclass(frozen=True, slots=True)
class Range(Curve):
    """All mechanisms of bounded range."""

    epsilon: mpq

    def profile(self, loss: arb) -> arb:
        """(1 - e^{(l - ε)/2})²/(1 - e^{-ε}) within ±ε."""
        most = ball_of_rational(self.epsilon)
        if loss >= most:
            return arb(0)
        if loss <= -most:
            return 1 - loss.exp()
        root = ((loss - most) / 2).expm1()
        return root * root / -(-most).expm1()  # a power of a ball around 0 is no number


@dataclass(frozen=True, slots=True)
class SampledCurve(Curve):
    """A curve on a record that takes part with the probability ``rate``."""

    curve: Curve
    rate: mpq

    def profile(self, loss: arb) -> arb:
        """q·h(t) for y > 1 - q, else 1 - y."""
        t = _without(loss, self.rate)
        if not t > 0:
            return 1 - loss.exp()
        return ball_of_rational(self.rate) * self.curve.profile(t.log())


@dataclass(frozen=True, slots=True)
class EitherWay(Curve):
    """A curve above y = 1, and its own reverse: a record gives way to another, or to none."""

    curve: Curve

    def profile(self, loss: arb) -> arb:
        """The value of h for y >= 1, else of 1 - y + y·h(1/y)."""
        if loss < 0:
            return 1 - loss.exp() * (1 - self.curve.profile(-loss))
        return self.curve.profile(loss)


@dataclass(frozen=True, slots=True)
class SampledCut(Cut):
    """Outputs that can be cut, of a record that takes part with a probability."""

    curve: Cut
    rate: mpq

    def profile(self, loss: arb) -> arb:
        """See :class:`SampledCurve`."""
        return SampledCurve(self.curve, self.rate).profile(loss)

    def cut(self, loss: arb) -> arb:
        """The threshold at ln t."""
        t = _without(loss, self.rate)
        return self.curve.cut(t.log()) if t > 0 else arb(-1000)

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """(1 - q)Q + qP, and Q."""
        p, q = self.curve.tails(cut)
        rate = ball_of_rational(self.rate)
        return (1 - rate) * q + rate * p, q


def _without(loss: arb, rate: mpq) -> arb:
    """The value of t = (y - 1 + q)/q for y = e^loss."""
    return (loss.exp() - ball_of_rational(1 - rate)) / ball_of_rational(rate)
