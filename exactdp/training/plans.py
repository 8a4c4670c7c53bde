r"""A plan of DP-SGD, as the ledgers of what it may be.

Rules of this file: everything is exact; a plan is what people type, and a ledger what is composed.

Theory of operation: every step adds Gaussian noise of ``noise`` times the clipping norm to a sum of
clipped gradients. If each example enters each batch with probability q = batch/examples, apart from
all others, a step is a Poisson-sampled Gaussian mechanism; epochs·examples/batch steps, rounded up,
are the plan. If instead the examples are shuffled and cut into batches, each is in one batch of an
epoch; whoever is told in which, sees one Gaussian release an epoch and noise that has nothing to do
with it. So what is learned is at most that of ``epochs`` Gaussian mechanisms (zero-out: a record
moves its sum by at most the norm; replace-one: by at most twice that).

Sources: Abadi et al., "Deep learning with differential privacy", CCS 2016; Chua et al., "How
private are DP-SGD implementations?", ICML 2024, on the two kinds of batches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, SupportsIndex

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.errors import DomainError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ZERO_OUT, GaussianMechanism, ShuffledGaussianMechanism, sampled
from exactdp.mechanisms.checks import MAX_COUNT, positive, whole

LOADERS: Final = ("poisson", "shuffled")
_MOST_EXAMPLES: Final = 10**15
_SHUFFLED: Final = "DP-SGD, shuffled"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What is trained: examples in batches, for so many epochs, with so much noise.

    Attributes:
        noise: the noise multiplier σ: the standard deviation over the clipping norm; above 0.
    """

    batch: int
    examples: int
    epochs: int
    noise: mpq

    @staticmethod
    def of(
        batch: SupportsIndex, examples: SupportsIndex, epochs: SupportsIndex, noise: Number
    ) -> TrainingPlan:
        """A plan, checked.

        Raises:
            InputError: a value out of range.
        """
        many = whole(examples, "examples", _MOST_EXAMPLES)
        plan = TrainingPlan(
            whole(batch, "batch", many),
            many,
            whole(epochs, "epochs", 10**9),
            positive(noise, "noise"),
        )
        if plan.steps > MAX_COUNT:
            raise DomainError(
                field="epochs", value=plan.epochs, expected="at most 10^18 steps in all"
            )
        return plan

    @property
    def rate(self) -> mpq:
        """The probability with which an example enters a batch, where batches are sampled."""
        return mpq(self.batch, self.examples)

    @property
    def steps(self) -> int:
        """How often noise is added: epochs·examples/batch, rounded up."""
        return -(-self.epochs * self.examples // self.batch)

    @property
    def batches(self) -> int:
        """The batches of an epoch, where examples are shuffled; the last may be shorter."""
        return -(-self.examples // self.batch)

    def poisson(self) -> Ledger:
        """What the plan is if every batch is a Poisson sample."""
        step = sampled(self._release(1), self.rate, self.steps, "steps")
        return Ledger((step,), name="DP-SGD", neighbouring="add-remove-one")

    def shuffled(self) -> Ledger:
        """What the plan is if the examples are shuffled into batches, anew in each epoch."""
        epochs = ShuffledGaussianMechanism(self.noise, self.batches, self.epochs, label="epochs")
        return Ledger((epochs,), name=_SHUFFLED, neighbouring=ZERO_OUT)

    def known_batch(self) -> Ledger:
        """What the shuffled plan is at most, for records zeroed out: a release an epoch."""
        return Ledger((self._release(self.epochs),), name=_SHUFFLED)

    def _release(self, count: int) -> GaussianMechanism:
        return GaussianMechanism(1 / self.noise, count)
