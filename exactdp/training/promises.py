r"""``exactdp.dpsgd``: what a plan of DP-SGD promises, by how its batches are drawn.

Rules of this file: the two ways to draw batches are about different neighbours, and have answers
of their own; what is computed without a certificate is called so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, SupportsIndex

from gmpy2 import mpq

from exactdp.answers.arguments import probability
from exactdp.answers.compose import compose
from exactdp.answers.results import Composition
from exactdp.arithmetic.decimal_text import decimal_text, floor_to
from exactdp.readable import Readable
from exactdp.training.plans import TrainingPlan
from exactdp.training.shuffling import least_epsilon

_PLACES: Final = 6
_OF_THE_SHUFFLED: Final = "1e-6"
DEFAULT_TOLERANCE: Final = "1e-4"


@dataclass(frozen=True, slots=True)
class TrainingAnswer(Readable):
    """What holds of a plan at δ, for batches that are sampled, and for batches that are shuffled.

    Attributes:
        plan: what is trained.
        sampled: the interval for Poisson-sampled batches, examples added or removed.
        shuffled: for shuffled batches, an example zeroed out: the upper end of this holds.
        refuted: an ε that shuffled batches do not keep, without a certificate.
    """

    plan: TrainingPlan
    sampled: Composition
    shuffled: Composition
    refuted: mpq

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
    noise: object,
    epochs: SupportsIndex,
    delta: object,
    tolerance: object = DEFAULT_TOLERANCE,
) -> TrainingAnswer:
    """What a plan of DP-SGD promises: ε for Poisson-sampled batches, and for shuffled ones.

    Args:
        batch: the batch size.
        examples: the number of training examples.
        noise: the noise multiplier: the standard deviation over the clipping norm.
        epochs: passes over the data.
        delta: the δ at which ε is asked for.
        tolerance: the greatest width of the interval for Poisson-sampled batches, in nats.

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
        compose(plan.known_batch(), delta=target, tolerance=_OF_THE_SHUFFLED),
        floor_to(least_epsilon(plan.shuffled(), target), _PLACES),
    )
