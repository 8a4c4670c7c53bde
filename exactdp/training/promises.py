r"""``exactdp.dpsgd``: what a plan of DP-SGD promises, by how its batches are drawn.

Rules of this file: ways to draw batches are about different neighbours, and have answers of their
own; what is not asked for is not composed. Where the privacy losses are too many for a mesh, the
ends are further apart, unless a tolerance was asked for. Where those of shuffled or allocated
batches are too many or too large for any, they are answered as Gaussian noise of known batches, and
nothing is said from below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, SupportsIndex, TypedDict, Unpack

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.composition.answers.arguments import nonnegative, probability
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition, EvidenceKind
from exactdp.errors import CostLimitError, DomainError
from exactdp.mechanisms.checks import whole
from exactdp.readable import Readable
from exactdp.training.phases import Phase, drawn_by, known_batch, phases_of
from exactdp.training.plans import IN_EPOCHS, LOADERS, Loader, TrainingPlan
from exactdp.training.truncated import Truncation, truncated

Outcome = Literal["proved", "refuted", "undecided"]
TOLERANCES: Final[dict[Loader, str]] = {
    "poisson": "1e-4",
    "allocated": "1e-2",
    "shuffled": "1e-1",
    "shuffled-keep-last": "1e-4",
    "fixed-size": "1e-2",
}
"""Widths in nats unless another is asked for; a mesh of ratios, or of two data sets, takes long."""
_COARSER: Final = ("2e-1", "1")
_OF_KNOWN_BATCHES: Final = "1e-6"


@dataclass(frozen=True, slots=True)
class LoaderAnswer:
    """What holds of a plan whose batches are drawn in one way.

    Attributes:
        loader: how they are drawn.
        interval: the least ε; of known batches only its upper end is about this loader.
        is_known_batch: whether it is that of one who is told the batch of the example.
        truncation: what holds where samples keep at most so many examples, if that was asked.
    """

    loader: Loader
    interval: Composition
    is_known_batch: bool = False
    truncation: Truncation | None = None

    @property
    def lower(self) -> mpq | None:
        """An ε below which none holds on some training data; None is infinity."""
        if self.truncation is not None:
            return self.truncation.lower
        return mpq(0) if self.is_known_batch else self.interval.lower_end

    @property
    def upper(self) -> mpq | None:
        """An ε that holds; None is infinity."""
        if self.truncation is not None:
            return self.truncation.upper
        return self.interval.upper_end

    @property
    def evidence(self) -> EvidenceKind:
        """What both ends rest on."""
        return self.interval.evidence if self.truncation is None else "computed"

    @property
    def drawn_as(self) -> str:
        """Of what its certificates are."""
        return "known-batch" if self.is_known_batch else self.loader

    def exceeds(self, epsilon: mpq) -> bool:
        """Whether this ε is refuted."""
        return self.lower is None or self.lower > epsilon


@dataclass(frozen=True, slots=True)
class TrainingAnswer(Readable):
    """What holds of a plan at δ, for the loader that is asked for, and for others beside it.

    Attributes:
        phases: what is trained, a plan for each phase, in their order; mostly one.
        delta: the δ that was asked about.
        asked: the answer for the loader that was asked for.
        others: those for all other loaders, if they were asked for as well.
        claim: the claimed ε; None if there is none.
    """

    phases: tuple[TrainingPlan, ...]
    delta: mpq
    asked: LoaderAnswer
    others: tuple[LoaderAnswer, ...] = ()
    claim: ExactNumber | None = None

    @property
    def plan(self) -> TrainingPlan:
        """The first phase, which is all that is trained unless there are more."""
        return self.phases[0]

    def steps_by(self, loader: Loader) -> int:
        """How often a loader has noise added, in all phases."""
        return sum(each.steps_by(loader) for each in self.phases)

    @property
    def every(self) -> list[LoaderAnswer]:
        """All that were composed, in the order of :data:`LOADERS`."""
        return sorted((self.asked, *self.others), key=lambda each: LOADERS.index(each.loader))

    @property
    def outcome(self) -> Outcome | None:
        """What has become of the claim."""
        if self.claim is None:
            return None
        lower, upper = self.asked.lower, self.asked.upper
        if upper is not None and compare(self.claim, ExactNumber(upper)) >= 0:
            return "proved"
        refuted = lower is None or compare(self.claim, ExactNumber(lower)) < 0
        return "refuted" if refuted else "undecided"

    @property
    def breaking(self) -> list[LoaderAnswer]:
        """The loaders that are shown not to keep what sampled batches promise."""
        promise = {each.loader: each.upper for each in self.every}.get("poisson")
        return [] if promise is None else [each for each in self.every if each.exceeds(promise)]

    def facts(self) -> list[tuple[str, str]]:
        """An answer for each loader, and what has become of the claim."""
        at = f" at δ = {short_text(self.delta)}"
        rows = [(each.loader, _interval_text(each) + at) for each in self.every]
        return [*rows, *([] if self.outcome is None else [("claim", self.outcome)])]


class FormerNames(TypedDict, total=False):
    """Arguments of :func:`dpsgd` by the names that they had before."""

    batch: SupportsIndex | None
    examples: SupportsIndex | None
    noise: Number | None


def dpsgd(  # noqa: PLR0913 (one argument for each option of the command)
    *,
    batch_size: SupportsIndex | None = None,
    dataset_size: SupportsIndex | None = None,
    rate: Number | None = None,
    noise_multiplier: Number | None = None,
    epochs: SupportsIndex | None = None,
    delta: Number,
    steps: SupportsIndex | None = None,
    loader: str = "poisson",
    all_loaders: bool = False,
    epsilon: Number | None = None,
    tolerance: Number | None = None,
    max_batch: SupportsIndex | None = None,
    records_per_person: SupportsIndex = 1,
    phases: Sequence[Phase] = (),
    **former: Unpack[FormerNames],
) -> TrainingAnswer:
    """What a plan of DP-SGD promises: the least ε for a loader, or for each, from both sides.

    Args:
        batch_size: how many examples a batch has.
        dataset_size: the number of training examples.
        rate: in place of both, the probability with which an example enters a Poisson sample.
        noise_multiplier: the standard deviation over the clipping norm; None where each phase has
            its own.
        epochs: passes over the data; None where ``steps`` says how long is trained.
        delta: the target δ.
        steps: how often noise is added; of loaders that cut epochs into batches, whole epochs.
        loader: how batches are drawn: "poisson" (each example by itself), "allocated" (each example
            draws its batch of an epoch), "shuffled" (all shuffled and cut into full
            batches, the rest left out: drop_last=True), "shuffled-keep-last" (with a last, short
            batch: PyTorch's shuffle=True with its default, drop_last=False), or "fixed-size" (anew
            in each step, without replacement).
        all_loaders: answer for the other loaders as well.
        epsilon: a claim to judge at δ, for the loader that is asked for; None for none.
        tolerance: the greatest width of an interval, in nats; those of shuffled batches and of
            batches of a fixed size leave a gap besides. None takes 1e-4, or 1e-2 of allocated
            batches and of those of a fixed size, and 1e-1 of shuffled ones, which take longer.
        max_batch: how many examples of a Poisson sample a batch keeps at most; None for all.
        records_per_person: how many examples one person has at most, of Poisson samples; all of
            them are then added or removed.
        phases: where noise, batch or rate change from one epoch or step on, what each phase has of
            its own: "noise=1.3,epochs=10", or a mapping. What a phase does not say is that above.
        former: what ``batch_size``, ``dataset_size`` and ``noise_multiplier`` were called before.

    Raises:
        InputError: bad arguments, or a rate where more must be known than that.

    >>> sizes = {"batch_size": 5, "dataset_size": 9}
    >>> answer = dpsgd(**sizes, noise_multiplier=2, epochs=1, delta="1e-5", epsilon=1)
    >>> answer.plan.steps, answer.outcome
    (2, 'refuted')
    """
    sizes: dict[str, object] = {"batch": batch_size, "examples": dataset_size}
    sizes["noise"] = noise_multiplier
    for name, value in former.items():
        if name not in sizes:
            raise TypeError(f"dpsgd() got an unexpected keyword argument {name!r}")
        if None not in (value, sizes[name]):
            raise DomainError(field=name, value=str(value), expected="one value, by one name")
        sizes[name] = value if sizes[name] is None else sizes[name]
    common = {**sizes, "rate": rate, "epochs": epochs, "steps": steps}
    common |= {"records_per_person": records_per_person}
    plans = phases_of(phases, common)
    target = probability(delta)
    asked = next((each for each in LOADERS if each == loader), None)
    if asked is None:
        raise DomainError(field="loader", value=str(loader), expected=" or ".join(LOADERS))
    claim = None if epsilon is None else nonnegative(epsilon)
    others = [each for each in LOADERS if each != asked] if all_loaders else []
    found = _answers(plans, target, [asked, *others], tolerance)
    first = next(found)
    if max_batch is not None:
        if asked != "poisson":
            raise DomainError(field="max_batch", value=f"beside {asked}", expected="poisson")
        if any(each.is_by_rate for each in plans):
            raise DomainError(field="max_batch", value="beside a rate", expected="the examples")
        width = TOLERANCES[asked] if tolerance is None else tolerance
        most = whole(max_batch, "max_batch", plans[0].examples)
        first = replace(first, truncation=truncated(plans, most, target, width))
    return TrainingAnswer(plans, target, first, tuple(found), claim)


def _answers(
    plans: tuple[TrainingPlan, ...],
    delta: mpq,
    loaders: list[Loader],
    tolerance: Number | None,
) -> Iterator[LoaderAnswer]:
    for loader in loaders:
        widths = [tolerance] if tolerance is not None else _widths(loader)
        yield _answer(plans, delta, loader, widths)


def _widths(loader: Loader) -> list[Number | None]:
    """How near ends come unasked, where the losses are too many for it less and less near."""
    wider = _COARSER if loader in IN_EPOCHS else (None,)
    return [TOLERANCES[loader], *wider]


def _answer(
    plans: tuple[TrainingPlan, ...], delta: mpq, loader: Loader, widths: Sequence[Number | None]
) -> LoaderAnswer:
    """The ends at the first width that fits, or those of known batches."""
    ledger = drawn_by(plans, loader)
    for place, width in enumerate(widths, 1):
        try:
            return LoaderAnswer(loader, compose(ledger, delta=delta, tolerance=width))
        except CostLimitError:
            if loader not in IN_EPOCHS and place == len(widths):
                raise
    known = compose(known_batch(plans, loader), delta=delta, tolerance=_OF_KNOWN_BATCHES)
    return LoaderAnswer(loader, known, is_known_batch=True)


def _interval_text(answer: LoaderAnswer) -> str:
    lower, upper = (
        "∞" if end is None else decimal_text(end) for end in (answer.lower, answer.upper)
    )
    return f"ε ∈ [{lower}, {upper}]"
