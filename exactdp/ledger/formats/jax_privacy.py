r"""JAX Privacy's configurations of a training: the ledger of its steps.

Rules of this file: JAX Privacy is not imported, and an object is known by its fields; one with a
field that is not known here, or with a setting that a ledger cannot hold, is refused, as it may
change what holds. The ledger says what was taken from where.

Theory of operation: a ``DPKerasConfig`` trains ``train_steps`` steps; the batch of a step is
``batch_size`` · ``gradient_accumulation_steps`` of ``train_size`` examples, and its own accountant
takes it for a Poisson sample. ``DpParams`` say noise and batches, each alone or as a list of
(t, value), a value being in force from step t on; how long is trained is told to the accountant
beside them (``num_updates``). With ``FIXED_BATCH_SIZE`` a batch is a subset of that size, where a
record is replaced; with ``examples_per_user`` neighbours differ by all examples of one person.

Sources: JAX Privacy 2.0.0, ``keras_api.py`` and ``accounting/analysis.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, SupportsIndex

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.trainings import NOT_SAMPLED
from exactdp.ledger.model import Ledger
from exactdp.ledger.written import written
from exactdp.mechanisms import (
    Entry,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    person_in_sample,
    sampled,
)
from exactdp.mechanisms.checks import MAX_COUNT, positive, whole

_KERAS: Final = (
    *("epsilon", "delta", "clipping_norm", "batch_size", "gradient_accumulation_steps"),
    *("train_steps", "train_size", "poisson_sampling_in_fit", "noise_multiplier"),
    *("rescale_to_unit_norm", "microbatch_size", "seed"),
)
_PARAMETERS: Final = (
    *("noise_multipliers", "num_samples", "delta", "batch_size", "batch_size_scale_schedule"),
    *("is_finite_guarantee", "batch_sizes", "examples_per_user", "cycle_length"),
    *("sampling_method", "truncated_batch_size"),
)
_KNOWN: Final = "a DPKerasConfig or DpParams of JAX Privacy 2.0, with the fields that these have"
_MOST: Final = 10**15


def ledger_of_jax_privacy(config: Any, steps: SupportsIndex | None = None) -> Ledger:  # noqa: ANN401 (JAX Privacy's)
    """The ledger of a training as a configuration of JAX Privacy describes it.

    Every number is the shortest decimal that reads back as the double in the configuration.

    Args:
        config: a ``DPKerasConfig`` whose noise multiplier is set, or ``DpParams``.
        steps: how often noise is added: of ``DpParams``, which do not say so.

    Raises:
        InputError: another object, or a configuration that a ledger cannot hold.
    """
    names = {each.name for each in fields(config)} if is_dataclass(config) else set[str]()
    if names == {*_KERAS}:
        return _of_keras(config, steps)
    if names == {*_PARAMETERS}:
        return _of_parameters(config, steps)
    nearest = min(({*_KERAS}, {*_PARAMETERS}), key=lambda known: len(names ^ known))
    unlike = ", ".join(sorted(names ^ nearest)) if names & nearest else type(config).__name__
    raise InputError(field="config", value=shorten(unlike), expected=_KNOWN)


def _of_keras(config: Any, steps: SupportsIndex | None) -> Ledger:  # noqa: ANN401 (JAX Privacy's)
    if steps is not None:
        raise _refused("steps", "beside train_steps", "the steps of the configuration alone")
    if config.noise_multiplier is None:
        raise _refused(
            "noise_multiplier",
            "None",
            "a number",
            "ask about config.update_with_calibrated_noise_multiplier()",
        )
    many = whole(config.train_size, "train_size", _MOST)
    batch = whole(config.batch_size, "batch_size", many) * whole(
        config.gradient_accumulation_steps, "gradient_accumulation_steps", many
    )
    step = sampled(
        GaussianMechanism.of_noise(_noise(config.noise_multiplier), 1),
        _rate(batch, many),
        whole(config.train_steps, "train_steps", MAX_COUNT),
        "steps",
    )
    is_sampled = config.poisson_sampling_in_fit is True
    who = "fit()" if is_sampled else "the iterator, as its own account takes for granted"
    sentence = f"a DPKerasConfig of JAX Privacy, with batches by Poisson sampling, drawn by {who}"
    reading = (sentence,) if is_sampled else (sentence, NOT_SAMPLED)
    return Ledger((step,), neighbouring="add-remove-one", reading=reading)


def _of_parameters(config: Any, steps: SupportsIndex | None) -> Ledger:  # noqa: ANN401 (JAX Privacy's)
    if steps is None:
        raise _refused("steps", "nothing", "how often noise is added, which DpParams do not say")
    if config.truncated_batch_size is not None:
        remedy = "exactdp dpsgd --max-batch answers, where noise and batches stay the same"
        raise _refused("truncated_batch_size", config.truncated_batch_size, "None", remedy)
    if config.is_finite_guarantee is not True:
        raise _refused("is_finite_guarantee", config.is_finite_guarantee, "True")
    if config.cycle_length not in (None, 1):
        remedy = "write correlated noise with its factorization, in a ledger"
        raise _refused("cycle_length", config.cycle_length, "None or 1", remedy)
    method = getattr(config.sampling_method, "name", None)
    if method not in ("POISSON", "FIXED_BATCH_SIZE"):
        raise _refused("sampling_method", method, "POISSON or FIXED_BATCH_SIZE")
    many = whole(config.num_samples, "num_samples", _MOST)
    records = whole(
        1 if config.examples_per_user is None else config.examples_per_user,
        "examples_per_user",
        many,
    )
    if method == "FIXED_BATCH_SIZE" and records > 1:
        remedy = "answer for one example, and for groups of so many with --group"
        raise _refused("examples_per_user", records, "1 or None beside FIXED_BATCH_SIZE", remedy)
    entries = tuple(
        _release(noise, whole(_plain(batch), "batch_size", many), many, records, count, method)
        for noise, batch, count in _runs(config, whole(steps, "steps", MAX_COUNT))
    )
    drawn = "Poisson sampling" if method == "POISSON" else "subsets of a fixed size"
    by_person = f", {records} examples of a person" if records > 1 else ""
    relation = "add-remove-one" if method == "POISSON" else "replace-one"
    sentence = f"DpParams of JAX Privacy, with batches by {drawn}{by_person}"
    return Ledger(entries, neighbouring=relation, reading=(sentence,))


def _release(noise: mpq, batch: int, many: int, records: int, count: int, method: str) -> Entry:
    """The mechanism of a run of steps."""
    base = GaussianMechanism.of_noise(noise, 1)
    if method == "POISSON":
        if records > 1:
            return person_in_sample(base, _rate(batch, many), records, count, "")
        return sampled(base, _rate(batch, many), count, "")
    if batch == many:
        return GaussianMechanism.of_noise(noise / 2, 1).times(count)
    return FixedSizeGaussianMechanism(noise, batch, many, count)


def _runs(config: Any, steps: int) -> Iterator[tuple[mpq, Any, int]]:  # noqa: ANN401 (JAX Privacy's)
    """Noise, batch and length of each run of steps in which neither changes."""
    noises = _schedule(config.noise_multipliers, "noise_multipliers")
    batches = _schedule(config.batch_sizes, "batch_sizes")
    begins = sorted(begin for begin in {*noises, *batches} if begin < steps)
    for begin, end in zip(begins, [*begins[1:], steps], strict=True):
        yield _noise(_at(noises, begin)), _at(batches, begin), end - begin


def _schedule(value: Any, field: str) -> dict[int, Any]:  # noqa: ANN401 (JAX Privacy's)
    """From which step on which value is in force."""
    if value is None:
        raise _refused(field, "None", "a number, or a list of (step, number)")
    if not isinstance(value, list | tuple):
        return {0: value}
    schedule = {0 if begin == 0 else whole(begin, field, MAX_COUNT): each for begin, each in value}
    if 0 not in schedule or len(schedule) != len(value):
        raise _refused(field, shorten(repr(value)), "a list of (step, number), the first at step 0")
    return schedule


def _at(schedule: dict[int, Any], step: int) -> Any:  # noqa: ANN401 (JAX Privacy's)
    return schedule[max(begin for begin in schedule if begin <= step)]


def _noise(value: Any) -> mpq:  # noqa: ANN401 (JAX Privacy's)
    return positive(as_rational(written(value), "noise_multiplier"), "noise_multiplier")


def _plain(value: Any) -> Any:  # noqa: ANN401 (JAX Privacy's)
    """A batch that a schedule has scaled, which is an array of one float, as a number."""
    number = value.item() if hasattr(value, "item") else value
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _rate(batch: int, many: int) -> mpq:
    if batch > many:
        raise _refused("batch_size", batch, f"at most the {many} examples, with accumulated ones")
    return mpq(batch, many)


def _refused(field: str, value: object, expected: str, remedy: str = "") -> InputError:
    return InputError(field=field, value=str(value), expected=expected, remedy=remedy)
