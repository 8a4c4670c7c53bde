r"""``exactdp.dpsgd``: what a plan of DP-SGD promises, by how its batches are drawn.

Rules of this file: the two ways to draw batches are about different neighbours, and have answers
of their own. Where the privacy losses of shuffled batches are too many or too large for a mesh,
they are answered as Gaussian noise of known batches, and nothing is said from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, SupportsIndex

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import probability
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.readable import Readable
from exactdp.training.plans import TrainingPlan

_OF_KNOWN_BATCHES: Final = "1e-6"
DEFAULT_TOLERANCE: Final = "1e-4"


@dataclass(frozen=True, slots=True)
class TrainingAnswer(Readable):
    """What holds of a plan at δ, for batches that are sampled, and for batches that are shuffled.

    Attributes:
        plan: what is trained.
        sampled: the interval for Poisson-sampled batches, examples added or removed.
        shuffled: the interval for shuffled batches, an example zeroed out; or that of known
            batches, of which the upper end holds of shuffled ones.
        shuffled_as: which of the two.
    """

    plan: TrainingPlan
    sampled: Composition
    shuffled: Composition
    shuffled_as: Literal["shuffled", "known-batch"]

    @property
    def refuted(self) -> mpq:
        """An ε that shuffled batches do not keep on some training data; 0 if none is known."""
        return (self.shuffled.lower_end if self.shuffled_as == "shuffled" else None) or mpq(0)

    @property
    def shuffling_breaks(self) -> bool:
        """Whether shuffled batches are shown not to keep what sampled ones promise."""
        promise = self.sampled.upper_end
        return promise is not None and self.refuted > promise

    def facts(self) -> list[tuple[str, str]]:
        """Both answers."""
        upper = "∞" if self.shuffled.upper_end is None else decimal_text(self.shuffled.upper_end)
        return [
            ("batches sampled", str(self.sampled)),
            ("batches shuffled", f"ε ∈ [{decimal_text(self.refuted)}, {upper}]"),
        ]


def dpsgd(
    *,
    batch: SupportsIndex,
    examples: SupportsIndex,
    noise: Number,
    epochs: SupportsIndex,
    delta: Number,
    tolerance: Number = DEFAULT_TOLERANCE,
) -> TrainingAnswer:
    """What a plan of DP-SGD promises: ε for Poisson-sampled batches, and for shuffled ones.

    Args:
        batch: the batch size.
        examples: the number of training examples.
        noise: the noise multiplier: the standard deviation over the clipping norm.
        epochs: passes over the data.
        delta: the δ at which ε is asked for.
        tolerance: the greatest width of the interval for Poisson-sampled batches, in nats; the
            ends for shuffled ones are as near to what there is to know of them.

    Raises:
        InputError: bad arguments.

    >>> answer = dpsgd(batch=5, examples=9, noise=2, epochs=1, delta="1e-5")
    >>> answer.plan.steps
    2
    """
    plan, target = TrainingPlan.of(batch, examples, epochs, noise), probability(delta)
    return TrainingAnswer(
        plan,
        compose(plan.poisson(), delta=target, tolerance=tolerance),
        *_shuffled(plan, target, tolerance),
    )


def _shuffled(
    plan: TrainingPlan, delta: mpq, tolerance: Number
) -> tuple[Composition, Literal["shuffled", "known-batch"]]:
    try:
        return compose(plan.shuffled(), delta=delta, tolerance=tolerance), "shuffled"
    except CostLimitError:
        found = compose(plan.known_batch(), delta=delta, tolerance=_OF_KNOWN_BATCHES)
        return found, "known-batch"
