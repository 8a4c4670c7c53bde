r"""Pairs: two laws of a mechanism's answers, with the record and without it, in balls.

Rules of this file: everything is a ball at the precision of the context; P is the law of the answer
with the record, Q that without it. A question that a pair does not answer has the answer None, and
whoever asks refuses then. What adds a record asks for the reverse.

Theory of operation: the profile of a pair is h(y) = sup_S P(S) - y·Q(S). A curve is given by its
profile, and to be cut by P and Q of what has at least a loss; a table by its atoms. Poisson
sampling at the rate q replaces P by (1 - q)Q + qP (Zhu, Dong & Wang, AISTATS 2022, Theorem 11). The
greatest loss of a sum of pairs is the sum of their greatest losses.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import ball, ball_of_rational, parameter_ball
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InternalError

if TYPE_CHECKING:
    from exactdp.arithmetic.doubles import Enclosures
    from exactdp.mechanisms.characteristic import Characteristic

Direction = Literal["remove", "add"]
"""Whether P has the record, or Q has it."""
REVERSE: Final[dict[Direction, Direction]] = {"remove": "add", "add": "remove"}

AtomLoss = mpq | arb
"""Exact where it is rational."""


def ball_of_loss(loss: AtomLoss) -> arb:
    """The loss, at the precision of the context."""
    return loss if isinstance(loss, arb) else ball_of_rational(loss)


@dataclass(frozen=True, slots=True)
class Atom:
    """An output with its probabilities and its loss; None where one of them is 0."""

    p: arb
    q: arb
    loss: AtomLoss | None

    def reversed(self) -> Atom:
        """The output with P and Q exchanged."""
        return Atom(self.q, self.p, None if self.loss is None else -self.loss)


@dataclass(frozen=True, slots=True)
class SampledLoss:
    """The number ln(1 - q + q·e^l) of a sample, for a rational l above 0."""

    loss: mpq
    rate: mpq

    def ball(self) -> arb:
        """The loss, at the precision of the context."""
        return (ball_of_rational(self.rate) * ball_of_rational(self.loss).expm1()).log1p()


@dataclass(frozen=True, slots=True)
class GreatestLoss:
    """The greatest loss of one mechanism: a number of the grammar, and samples with their signs."""

    exact: ExactNumber
    sampled: tuple[tuple[SampledLoss, int], ...] = ()

    def ball(self) -> arb:
        """The loss, at the precision of the context."""
        return sum((times * each.ball() for each, times in self.sampled), ball(self.exact))


class PairOfLaws(ABC):
    """What every pair is asked."""

    @abstractmethod
    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        """The greatest finite loss, or the least upper bound of all; None if there is none."""

    STATES_GREATEST: ClassVar[bool] = False  # whether certificates know its greatest loss

    @property
    def reaches_greatest(self) -> bool:
        """Whether the greatest loss is known to have a probability above 0."""
        return False

    @abstractmethod
    def mass_at_infinity(self, direction: Direction) -> mpq:
        """The probability of answers that the other input never gives."""

    @abstractmethod
    def on_sample(self, rate: mpq) -> Pair:
        """The pair on a record that takes part with a probability below 1."""

    # --- what only some answer ------------------------------------------------------------------

    def response(self) -> ExactNumber | None:
        """The ε, if it is the pair of randomized response."""
        return None

    def outputs(self) -> tuple[tuple[mpq, mpq], ...] | None:
        """P and Q of each output, if there are few and all of them are rational."""
        return None

    def mu_squared(self) -> mpq | None:
        """μ², if it is the pair of Gaussian noise."""
        return None

    def rho(self) -> mpq | None:
        """ρ, if the divergence of every order α is at most α·ρ, and no less is known."""
        return None

    def moment(self, _order: arb) -> arb | None:
        """(α - 1) times the Rényi divergence of order α, or more; None if that is not known."""
        return None

    def characteristic(self, _count: int) -> Characteristic | None:
        """Its part of the characteristic function of the loss, where that has a closed form."""
        return None

    def on_mesh(self, _unit: mpq, _lost: mpq) -> Pair:
        """The pair as it is looked at on a mesh, if a probability of ``lost`` may be lost."""
        assert isinstance(self, OutputTable | Curve)
        return self

    def plan_parameter(
        self, _losses: Sequence[mpq], _direction: Direction
    ) -> tuple[str, object] | None:
        """What the plan of a certificate says of it alone, after its key; None where nothing.

        Args:
            _losses: the points of the mesh at which it is looked at.
            _direction: "add" where P and Q change places.
        """
        return None

    def points_on(
        self, _unit: mpq, _direction: Direction
    ) -> tuple[int, tuple[tuple[int, int], ...]] | None:
        """Where it is to be looked at, in units: the first point, then steps with their ends.

        None where that is for the mesh to choose.
        """
        return None

    def step(self) -> mpq | None:
        """A rational of which all losses are multiples; None if none is known."""
        return None

    @property
    def has_moments(self) -> bool:
        """Whether it is known to have finite divergences of every order."""
        return False

    def tilt_at(self, _loss: arb) -> mpq | None:
        """Which of the attained pairs has the greatest profile at e^loss, where there is a choice.

        From 0 to 1, or beyond where the loss is out of range.
        """
        return None

    # --- on a sample ----------------------------------------------------------------------------

    @property
    def has_sampled_moments(self) -> bool:
        """Whether the moments on a sample are known: sums of its own, for a reverse of itself."""
        return False

    def sample(self) -> tuple[Pair, mpq] | None:
        """The pair without sampling and the rate, if it is one on a sample."""
        return None

    def greatest_on_sample(self, rate: mpq, direction: Direction) -> GreatestLoss | None:
        """The greatest loss on a sample, by that without sampling.

        Adding a record to noise without a greatest loss has losses below -ln(1 - q).
        """
        known = self.greatest_loss(direction)
        if known is None:
            return GreatestLoss(ExactNumber.ln(1 / (1 - rate))) if direction == "add" else None
        size = rational_loss(known)
        if direction == "add":
            return GreatestLoss(known.exact, ((SampledLoss(size, 1 - rate), -1),))
        return GreatestLoss(ExactNumber(mpq(0)), ((SampledLoss(size, rate), 1),))

    @abstractmethod
    def mass_on_sample(self, rate: mpq, direction: Direction) -> mpq:
        """The mass at infinity on a sample."""


Pair: TypeAlias = "OutputTable | Curve"
"""What dominates a mechanism, or what it attains."""

CountedPair: TypeAlias = tuple[Pair, int]
"""A pair, and how often one mechanism has it."""


class SameSupport(PairOfLaws):
    """A pair of which each law gives every answer that the other gives."""

    def mass_at_infinity(self, direction: Direction) -> mpq:
        """There is none."""
        del direction
        return mpq(0)

    def mass_on_sample(self, _rate: mpq, direction: Direction) -> mpq:
        """There is none."""
        del direction
        return mpq(0)


def common_step(one: mpq, other: mpq) -> mpq:
    """The greatest common divisor of two rationals."""
    below = one.denominator * other.denominator
    return mpq(gcd(int(one * below), int(other * below)), mpz(below))


def rational_loss(known: GreatestLoss) -> mpq:
    """A greatest loss that is a rational number.

    Raises:
        InternalError: it is none.
    """
    if known.sampled or known.exact.logs:
        raise InternalError(field="pair", value="a sample", expected="a rational greatest loss")
    return known.exact.rational


class OutputTable(PairOfLaws):
    """A pair by its outputs."""

    @abstractmethod
    def atoms(self, digits: int) -> Iterator[Atom]:
        """The outputs that are likelier than 10^-digits, or more."""

    @abstractmethod
    def size(self, digits: int) -> int:
        """At most how many outputs are listed."""

    def on_sample(self, rate: mpq) -> Pair:
        return SampledTable(self, rate)


class Curve(PairOfLaws):
    """A pair by its profile."""

    IS_CONVEX: ClassVar[bool] = True
    """Whether its values are those of one profile, not only above one."""

    @abstractmethod
    def profile(self, loss: arb) -> arb:
        """h(e^loss)."""

    def value_at(self, loss: mpq, direction: Direction) -> arb:
        """The profile at a loss, or that of the reverse, 1 - y + y·h(1/y)."""
        ball_of = ball_of_rational(loss)
        if direction == "remove":
            return self.profile(ball_of)
        return 1 - ball_of.exp() * (1 - self.profile(-ball_of))

    def on_sample(self, rate: mpq) -> Pair:
        return SampledCurve(self, rate)


class Cut(Curve):
    """A pair whose outputs can be cut where the loss passes a threshold."""

    @abstractmethod
    def cut(self, loss: arb) -> arb:
        """The threshold for this loss."""

    def cuts(self, _listed: tuple[int, ...], _unit: mpq) -> tuple[int, ...] | None:
        """Cuts near the losses half-way between points, which a certificate has to name.

        In units of its own; None where :meth:`cut` is a closed form.
        """
        return None

    def at(self, cut: int, unit: mpq) -> arb:
        """The threshold of one of these."""
        return ball_of_rational(cut * unit)

    @abstractmethod
    def tails(self, cut: arb) -> tuple[arb, arb]:
        """P and Q of the outputs at the threshold and above."""

    @property
    def is_enclosed(self) -> bool:
        """Whether what follows is known, in doubles; then no output has a mass of its own."""
        return False

    def enclosed_cuts(self, losses: Enclosures) -> Enclosures:
        """The thresholds for these losses."""
        raise NotImplementedError

    def enclosed_tails(self, cuts: Enclosures, *, below: bool) -> tuple[Enclosures, Enclosures]:
        """P and Q of the outputs above each threshold, or of those below it."""
        raise NotImplementedError

    def on_sample(self, rate: mpq) -> Pair:
        return SampledCut(self, rate)


# --- samples ------------------------------------------------------------------------------------


class Sampled(PairOfLaws):
    """A pair on a record that takes part with the probability ``rate``."""

    inner: Pair
    rate: mpq

    @property
    def has_moments(self) -> bool:
        return self.inner.has_sampled_moments

    @property
    def reaches_greatest(self) -> bool:
        return self.inner.reaches_greatest

    def sample(self) -> tuple[Pair, mpq]:
        return self.inner, self.rate

    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        return self.inner.greatest_on_sample(self.rate, direction)

    def mass_at_infinity(self, direction: Direction) -> mpq:
        return self.inner.mass_on_sample(self.rate, direction)

    def mass_on_sample(self, rate: mpq, direction: Direction) -> mpq:
        return self.inner.mass_on_sample(self.rate * rate, direction)

    def on_sample(self, rate: mpq) -> Pair:
        """The same at a lower rate."""
        return self.inner.on_sample(self.rate * rate)


@dataclass(frozen=True, slots=True)
class SampledTable(Sampled, OutputTable):
    """A table on a sample."""

    inner: OutputTable
    rate: mpq

    def size(self, digits: int) -> int:
        """The same outputs, each with two logarithms more."""
        return 3 * self.inner.size(digits)

    def outputs(self) -> tuple[tuple[mpq, mpq], ...] | None:
        known = self.inner.outputs()
        return known and tuple(((1 - self.rate) * q + self.rate * p, q) for p, q in known)

    def atoms(self, digits: int) -> Iterator[Atom]:
        """Each output under (1 - q)Q + qP."""
        rate, rest = ball_of_rational(self.rate), ball_of_rational(1 - self.rate)
        for atom in self.inner.atoms(digits):
            loss: AtomLoss | None = None
            if atom.loss is not None:
                loss = (rest + rate * ball_of_loss(atom.loss).exp()).log()
            elif atom.q > 0:
                loss = rest.log()
            yield Atom(rest * atom.q + rate * atom.p, atom.q, loss)


@dataclass(frozen=True, slots=True)
class SampledCurve(Sampled, Curve):
    """A curve on a sample."""

    inner: Curve
    rate: mpq

    def profile(self, loss: arb) -> arb:
        """q·h(t) for y > 1 - q, else 1 - y."""
        t = _without(loss, self.rate)
        if not t > 0:
            return 1 - loss.exp()
        return parameter_ball(self.rate) * self.inner.profile(t.log())


@dataclass(frozen=True, slots=True)
class ReplaceOneEnvelope(SameSupport, Curve):
    """A curve above y = 1, and its own reverse: a record gives way to another, or to none."""

    curve: Curve

    def profile(self, loss: arb) -> arb:
        """The value of h for y >= 1, else of 1 - y + y·h(1/y)."""
        if loss < 0:
            return 1 - loss.exp() * (1 - self.curve.profile(-loss))
        return self.curve.profile(loss)

    @property
    def reaches_greatest(self) -> bool:
        return self.curve.reaches_greatest

    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        del direction
        return self.curve.greatest_loss("remove")


@dataclass(frozen=True, slots=True)
class SampledCut(Sampled, Cut):
    """Outputs that can be cut, on a sample."""

    inner: Cut
    rate: mpq

    def profile(self, loss: arb) -> arb:
        return SampledCurve(self.inner, self.rate).profile(loss)

    def cut(self, loss: arb) -> arb:
        """The threshold at ln t."""
        t = _without(loss, self.rate)
        return self.inner.cut(t.log()) if t > 0 else arb(-1000)

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """(1 - q)Q + qP, and Q."""
        p, q = self.inner.tails(cut)
        rate = parameter_ball(self.rate)
        return (1 - rate) * q + rate * p, q

    @property
    def is_enclosed(self) -> bool:
        return self.inner.is_enclosed

    def enclosed_cuts(self, losses: Enclosures) -> Enclosures:
        """The thresholds at ln t."""
        return self.inner.enclosed_cuts((losses.expm1() / self.rate + mpq(1)).log())

    def enclosed_tails(self, cuts: Enclosures, *, below: bool) -> tuple[Enclosures, Enclosures]:
        p, q = self.inner.enclosed_tails(cuts, below=below)
        return q * (1 - self.rate) + p * self.rate, q


def _without(loss: arb, rate: mpq) -> arb:
    """The value of t = (y - 1 + q)/q for y = e^loss."""
    rate_ball = parameter_ball(rate)
    return (loss.exp() - (1 - rate_ball)) / rate_ball
