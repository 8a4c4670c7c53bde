r"""A plan of DP-SGD, as the ledgers of what it may be.

Rules of this file: everything is exact; a plan is what people type, and a ledger what is composed.

Theory of operation: every step adds Gaussian noise of ``noise`` times the clipping norm to a sum of
clipped gradients. If each example enters each batch with probability q = batch/examples, apart from
all others, a step is a Poisson-sampled Gaussian mechanism; epochs·examples/batch steps, rounded up,
are the plan. If instead the examples are shuffled and cut into batches, each is in one batch of an
epoch; whoever is told in which, sees one Gaussian release an epoch and noise that has nothing to do
with it. So what is learned is at most that of ``epochs`` Gaussian mechanisms (zero-out: a record
moves its sum by at most the norm; replace-one: by at most twice that). If the last batch is dropped
where it is short, and its examples with it, far less is known to be learned. If each example draws
its batch of an epoch by itself, batches are allocated; and each step may draw a batch of a fixed
size anew.

Sources: Abadi et al., "Deep learning with differential privacy", CCS 2016; Chua et al., "How
private are DP-SGD implementations?", ICML 2024, on sampled and shuffled batches; Feldman &
Shenfeld, "Privacy amplification by random allocation", arXiv:2502.08202, on allocated ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, SupportsIndex, get_args

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ZERO_OUT,
    AllocatedGaussianMechanism,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    RemainderGaussianMechanism,
    ShuffledGaussianMechanism,
    person_in_sample,
)
from exactdp.mechanisms.checks import MAX_COUNT, positive, whole
from exactdp.mechanisms.records_of_person import MOST_RECORDS

Loader = Literal["poisson", "allocated", "shuffled", "shuffled-keep-last", "fixed-size"]
LOADERS: Final[tuple[Loader, ...]] = get_args(Loader)
IN_EPOCHS: Final[tuple[Loader, ...]] = ("allocated", "shuffled", "shuffled-keep-last")
"""Of which each example is in one batch of an epoch at most."""

_MOST_EXAMPLES: Final = 10**15
_ADD_REMOVE: Final = "add-remove-one"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What is trained: examples in batches, for so many epochs, with so much noise.

    Attributes:
        noise: the noise multiplier σ: the standard deviation over the clipping norm; above 0.
        epochs: the passes over the data; None where the steps are said instead.
        said_steps: how often noise is added, where that is said.
        is_by_rate: whether the rate is said, of which ``batch`` and ``examples`` are then the
            numerator and the denominator: that is enough where each example enters by itself.
        records_per_person: how many of the examples are of one person at most.
    """

    batch: int
    examples: int
    epochs: int | None
    noise: mpq
    said_steps: int | None = None
    is_by_rate: bool = False
    records_per_person: int = 1

    @staticmethod
    def of(
        batch: SupportsIndex | None,
        examples: SupportsIndex | None,
        epochs: SupportsIndex | None,
        noise: Number,
        steps: SupportsIndex | None = None,
        rate: Number | None = None,
        records_per_person: SupportsIndex = 1,
    ) -> TrainingPlan:
        """A plan, checked, by its epochs or its steps, and by its batch and examples or its rate.

        Raises:
            InputError: a value out of range, or both epochs and steps, or neither; or a rate beside
                a batch or examples, or neither a rate nor both of these.
        """
        size, many = _size(batch, examples) if rate is None else _parts(rate, batch, examples)
        if (epochs is None) == (steps is None):
            raise InputError(
                field="epochs",
                value="neither epochs nor steps" if epochs is None else "beside steps",
                expected="how long is trained, in epochs or in steps",
            )
        most = MOST_RECORDS if rate is not None else min(many, MOST_RECORDS)
        plan = TrainingPlan(
            size,
            many,
            None if epochs is None else whole(epochs, "epochs", 10**9),
            positive(noise, "noise"),
            None if steps is None else whole(steps, "steps", MAX_COUNT),
            is_by_rate=rate is not None,
            records_per_person=whole(records_per_person, "records_per_person", most),
        )
        if plan.steps > MAX_COUNT:
            raise DomainError(
                field="epochs", value=str(plan.epochs), expected="at most 10^18 steps in all"
            )
        return plan

    @property
    def rate(self) -> mpq:
        """The probability with which an example enters a batch, where batches are sampled."""
        return mpq(self.batch, self.examples)

    @property
    def steps(self) -> int:
        """How often noise is added: as it is said, or epochs·examples/batch, rounded up."""
        if self.epochs is None:
            return self.said_steps or 0
        return -(-self.epochs * self.examples // self.batch)

    def epochs_of(self, batches: int) -> int:
        """The epochs, where each has so many batches.

        Raises:
            DomainError: the steps that are said end within one.
        """
        if self.epochs is not None:
            return self.epochs
        epochs, more = divmod(self.steps, batches)
        if more:
            last = f"{epochs * batches} or " if epochs else ""
            raise DomainError(
                field="steps",
                value=str(self.steps),
                expected=f"whole epochs of {batches} batches: each example is in one of them",
                remedy=f"ask about {last}{(epochs + 1) * batches} steps",
            )
        return epochs

    @property
    def batches(self) -> int:
        """The batches of an epoch, where examples are shuffled; the last may be shorter."""
        return -(-self.examples // self.batch)

    @property
    def full_batches(self) -> int:
        """The batches of an epoch that are full."""
        return self.examples // self.batch

    def batches_of(self, loader: Loader) -> int:
        """The batches of an epoch, as a loader cuts it that has each example in one at most."""
        return self.full_batches if loader == "shuffled" else self.batches

    def steps_by(self, loader: Loader) -> int:
        """How often a loader has noise added: where it cuts epochs, once for each of its batches.

        >>> plan = TrainingPlan.of(32, 100, 3, "1.5")
        >>> [plan.steps_by(loader) for loader in ("poisson", "shuffled", "shuffled-keep-last")]
        [10, 9, 12]
        """
        if loader not in IN_EPOCHS:
            return self.steps
        batches = self.batches_of(loader)
        return self.epochs_of(batches) * batches

    def drawn_by(self, loader: Loader) -> Ledger:
        """What the plan is if batches are drawn so.

        Raises:
            DomainError: it is said by its rate, and batches are not Poisson samples.
            UnsupportedError: a person has several records, in batches that are no samples.
        """
        if self.is_by_rate and loader != "poisson":
            raise DomainError(
                field="rate",
                value=f"beside batches that are {loader}",
                expected="a batch and examples: only of Poisson samples the rate is enough",
                remedy="say --batch-size and --dataset-size",
            )
        if self.records_per_person > 1 and loader != "poisson":
            raise UnsupportedError(
                field="records_per_person",
                value=f"{self.records_per_person} beside {loader}",
                expected="batches that are Poisson samples: of others it is known for one record",
                remedy="compose the plan as a ledger with --group, or take poisson",
            )
        return {
            "poisson": self.poisson,
            "allocated": self.allocated,
            "shuffled": self.shuffled,
            "shuffled-keep-last": self.shuffled_keep_last,
            "fixed-size": self.of_fixed_size,
        }[loader]()

    def poisson(self) -> Ledger:
        """What the plan is if every batch is a Poisson sample."""
        step = person_in_sample(
            self._release(1), self.rate, self.records_per_person, self.steps, "steps"
        )
        return Ledger((step,), name="DP-SGD", neighbouring=_ADD_REMOVE)

    def allocated(self) -> Ledger:
        """What the plan is if each example draws its batch of an epoch by itself."""
        if self.batches == 1:
            return self.known_batch("allocated")
        many = self.epochs_of(self.batches)
        epochs = AllocatedGaussianMechanism(self.noise, self.batches, many, label="epochs")
        return Ledger((epochs,), name=_name_of("allocated"), neighbouring=_ADD_REMOVE)

    def shuffled(self) -> Ledger:
        """What the plan is if the examples are shuffled into full batches, anew in each epoch.

        Where none is left out, it is what it is if the last batch is kept.
        """
        full = self.full_batches
        if full * self.batch == self.examples:
            return self.shuffled_keep_last()
        many = self.epochs_of(full)
        epochs = RemainderGaussianMechanism(
            self.noise, full, self.batch, self.examples, many, label="epochs"
        )
        return Ledger((epochs,), name=_name_of("shuffled"), neighbouring=ZERO_OUT)

    def shuffled_keep_last(self) -> Ledger:
        """What the plan is if the examples are shuffled into batches, a last short one as well."""
        many = self.epochs_of(self.batches)
        epochs = ShuffledGaussianMechanism(self.noise, self.batches, many, label="epochs")
        return Ledger((epochs,), name=_name_of("shuffled-keep-last"), neighbouring=ZERO_OUT)

    def of_fixed_size(self) -> Ledger:
        """What the plan is if each step draws so many examples, without replacement."""
        name = _name_of("fixed-size")
        if self.batch == self.examples:
            return Ledger((self._release(self.steps),), name=name)
        step = FixedSizeGaussianMechanism(
            self.noise, self.batch, self.examples, self.steps, label="steps"
        )
        return Ledger((step,), name=name, neighbouring=ZERO_OUT)

    def known_batch(self, loader: Loader) -> Ledger:
        """What a plan with an example in one batch of an epoch is at most: a release an epoch."""
        many = self.epochs_of(self.batches_of(loader))
        return Ledger((self._release(many),), name=_name_of(loader))

    def _release(self, count: int) -> GaussianMechanism:
        return GaussianMechanism(1 / self.noise, count)


def _size(batch: SupportsIndex | None, examples: SupportsIndex | None) -> tuple[int, int]:
    """The batch and the examples, both said."""
    if batch is None or examples is None:
        missing = "examples" if examples is None else "batch"
        raise InputError(
            field=missing, value="nothing", expected="a batch and examples, or a rate alone"
        )
    many = whole(examples, "examples", _MOST_EXAMPLES)
    return whole(batch, "batch", many), many


def _parts(
    rate: Number, batch: SupportsIndex | None, examples: SupportsIndex | None
) -> tuple[int, int]:
    """The numerator and the denominator of a rate, in place of a batch and examples."""
    if batch is not None or examples is not None:
        beside = "examples" if batch is None else "batch"
        raise InputError(
            field="rate", value=f"beside {beside}", expected="a rate, or a batch and examples"
        )
    found = positive(rate, "rate")
    if found > 1:
        raise DomainError(field="rate", value=str(rate), expected="a number above 0, at most 1")
    return int(found.numerator), int(found.denominator)


def _name_of(loader: Loader) -> str:
    return f"DP-SGD, {loader}"
