r"""Gaussian noise on the sums of shuffled batches, the last records of each order left out.

Rules of this file: what is not known, as of an order that is kept or where nothing is left out, is
refused.

Theory of operation: with n records, T batches of b and r = n - Tb left out, let R be an epoch whose
batches have neither the record nor its neighbour. Up to what is revealed anyway, an epoch is

.. math:: P = \tfrac rn R + \tfrac bn \sum_t P_t, \quad Q = \tfrac rn R + \tfrac bn \sum_t Q_t,

with P_t and Q_t the laws where batch t has the one or the other instead of some record, which goes
where nothing is released.

Sources: certs/SPEC.md, sections 7.4 and 7.5; the proof is ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms.batches import (
    MOST_BATCHES,
    MOST_RECORDS,
    REACHES,
    GaussianOnBatches,
    norm_of_one,
)
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import REPLACE_ONE, ZERO_OUT, EntryShape, set_field
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import CountedPair
from exactdp.mechanisms.scored_epochs import ScoredEpoch
from exactdp.mechanisms.shuffled_epochs import ShuffledEpoch


@dataclass(frozen=True, slots=True, init=False)
class RemainderGaussianMechanism(GaussianOnBatches):
    r"""Gaussian noise on the sum of every shuffled batch, where some records are left out.

    In each epoch all records are shuffled anew, so many batches are cut off, and the rest, at least
    one record, is in none of them (``drop_last``). Where a record is zeroed out it still counts.

    >>> RemainderGaussianMechanism("1.1", 234, 256, 60000, 60).left_out
    96
    """

    sigma: mpq
    batches: int
    batch: int
    records: int
    epochs: int
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = ()
    """None of its own: that of shuffled batches names it, with a batch and records."""
    PLAN: ClassVar[Key] = Key(
        "shuffled",
        "",
        {"batches": None, "batch": None, "records": None, "epochs": "1", "order": "fresh"},
    )

    def __init__(
        self,
        sigma: Number,
        batches: int,
        batch: int,
        records: int,
        epochs: int = 1,
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        set_field(self, "batches", whole(batches, "batches", MOST_BATCHES))
        set_field(self, "batch", whole(batch, "batch", MOST_RECORDS))
        set_field(self, "records", whole(records, "records", MOST_RECORDS))
        set_field(self, "epochs", whole(epochs, "epochs", MOST_BATCHES))
        _need_remainder(self.batches, self.batch, self.records)
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> RemainderGaussianMechanism:
        """Records have norm at most 1: a sensitivity is none that could be stated."""
        norm_of_one(entry, text_of)
        *numbers, order = cls.PLAN.read(entry, text_of)
        names = ("batches", "batch", "records", "epochs")
        plan = [whole_of(text, name) for text, name in zip(numbers, names, strict=True)]
        _need_fresh(order)
        return cls(text_of(entry["sigma"]), plan[0], plan[1], plan[2], plan[3], *counted(entry))

    def shape(self) -> EntryShape:
        return {"sigma": self.sigma, **self.PLAN.shape_of(self)}

    @property
    def order(self) -> str:
        """Each epoch is shuffled anew."""
        return "fresh"

    @property
    def left_out(self) -> int:
        """How many records an epoch leaves out."""
        return self.records - self.batches * self.batch

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (ZERO_OUT, REPLACE_ONE)

    def with_known_batch(self, relation: str) -> GaussianMechanism:
        """To someone who knows the batch of the record, a release an epoch at most."""
        return GaussianMechanism(
            REACHES[relation] / self.sigma, self.count * self.epochs, self.label
        )

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """The greatest curve of three laws."""
        share = mpq(self.batch, self.records)
        far = relation == REPLACE_ONE
        yield ShuffledEpoch(1 / self.sigma**2, self.batches, share, far), self.epochs

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """All others pull the other way."""
        share, reach = mpq(self.batch, self.records), REACHES[relation]
        yield ScoredEpoch(1 / self.sigma**2, self.batches, share, 2 - reach), self.epochs

    def gap(self) -> str:
        return "what lies between two data sets: one reveals most above y = 1, the other below"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of shuffled batches, where all other records pull one way and one the other"

    def differs_by_direction(self, relation: str) -> bool:
        return relation != REPLACE_ONE

    def rho_estimate(self) -> mpq:
        """About that of a Poisson sample of twice the reach."""
        return 2 * self.epochs * self.batches * mpq(self.batch, self.records) ** 2 / self.sigma**2


def _need_fresh(order: str) -> None:
    """See that each epoch is shuffled anew."""
    if order != "fresh":
        raise InputError(
            field="order",
            value=order,
            expected="fresh: with records, each epoch is shuffled anew",
            remedy="leave batch and records away: for an order that is kept, what is known of "
            "batches of which each record's is known holds",
        )


def _need_remainder(batches: int, batch: int, records: int) -> None:
    """See that each epoch leaves a record out."""
    left = records - batches * batch
    if left > 0:
        return
    what = "leave no record out" if left == 0 else "hold more than all records"
    raise DomainError(
        field="records",
        value=str(records),
        expected=f"more than {batches * batch}: {batches} batches of {batch} {what}, and what "
        "shuffling hides is known only where some record is in no batch (drop_last)",
        remedy="leave batch and records away: then a record's batch counts as known; or set one "
        "record aside in each epoch",
    )
