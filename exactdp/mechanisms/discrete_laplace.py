r"""Discrete Laplace noise.

Source: Ghosh, Roughgarden & Sundararajan, STOC 2009.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.mechanisms.approximate import moment_of_response
from exactdp.mechanisms.characteristic import Characteristic, DiscreteLaplaceCharacteristic
from exactdp.mechanisms.checks import checked_shifts, positive
from exactdp.mechanisms.family import Pick, set_field
from exactdp.mechanisms.integers import OnIntegers
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.laplace import rho_of_greatest
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import Atom, Direction, GreatestLoss, common_step
from exactdp.mechanisms.sums import SumTable, Three

_MOST_SCALE: Final = 2**40
"""Beyond it, a step of the loss is too short for its characteristic function."""


@dataclass(frozen=True, slots=True, init=False)
class DiscreteLaplaceMechanism(OnIntegers):
    r"""Discrete Laplace noise, P(x) ∝ e^{-|x|/scale}, on integers that move by these shifts.

    A shift of 1 is randomized response with ε = 1/scale: its noise says no more than its ε does.
    """

    scale: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "discrete_laplace",
            "scale",
            {"shifts": ["1"]},
            '"epsilon": Σ shifts/scale',
            means={
                "discrete_laplace": "discrete Laplace (geometric) noise on integers",
                "scale": "the scale b of discrete Laplace noise, e^(-|x|/b): a rational number "
                "above 0",
                "shifts": OnIntegers.SHIFTS,
            },
        ),
    )

    def __init__(
        self, scale: Number, shifts: Iterable[int] = (1,), count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; shifts are sorted, for their order says nothing."""
        set_field(self, "scale", positive(scale, "scale"))
        set_field(self, "shifts", checked_shifts(shifts))
        self._counted(count, label)

    def pair_of(self, shift: int) -> DiscreteLaplacePair:
        return DiscreteLaplacePair(self.scale, shift)

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """All shifts over the scale, and 0."""
        return ExactNumber(sum(self.shifts) / self.scale), mpq(0)

    def implied_rho(self) -> None:
        """Its ε says more."""

    def rho_estimate(self) -> mpq:
        """About the sum of ε²/2, each at most ε."""
        return sum((rho_of_greatest(shift / self.scale) for shift in self.shifts), mpq(0))

    def ordering(self) -> Order:
        """By the scale and each shift."""
        return Order(("discrete_laplace",), self.shifts[::-1], 1 / self.scale)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By the scale and each shift."""
        shifts = zip(*(each.shifts for each in group), strict=True)
        scale = 1 / pick(1 / each.scale for each in group)
        return cls(scale, cls.picked(shifts, pick))

    def scaled(self, factor: mpq) -> DiscreteLaplaceMechanism:
        return replace(self, scale=self.scale / factor)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its scale."""
        return "scale", self.scale

    def with_noise(self, noise: mpq) -> DiscreteLaplaceMechanism:
        return replace(self, scale=noise)

    def expected_error(self) -> arb | None:
        """1/sinh(1/scale)."""
        return 1 / ball_of_rational(1 / self.scale).sinh() if len(self.shifts) == 1 else None


@dataclass(frozen=True, slots=True)
class DiscreteLaplacePair(SumTable):
    """Discrete Laplace noise around two whole numbers."""

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

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """The shift over the scale."""
        del direction
        return GreatestLoss(ExactNumber(self.shift / self.scale))

    def response(self) -> ExactNumber | None:
        """A shift of 1."""
        return ExactNumber(1 / self.scale) if self.shift == 1 else None

    def moment(self, order: arb) -> arb:
        """At most that of randomized response of the greatest loss."""
        return moment_of_response(ball_of_rational(self.shift / self.scale), order)

    def characteristic(self, count: int) -> Characteristic | None:
        if self.scale > _MOST_SCALE:
            return None
        return DiscreteLaplaceCharacteristic(count, 1 / self.scale, self.shift)

    def step(self) -> mpq:
        return common_step(mpq(self.shift), mpq(2)) / self.scale
