r"""Trainings with noise, as configurations have them: one object, or a list of them in turn.

Rules of this file: a number is read by a name that libraries give it (TensorFlow Privacy, JAX
Privacy, Opacus); what says nothing of privacy is named as not read, and every other key is refused.
Batches are taken for Poisson samples, where a record is added or removed, and the ledger says so.

Theory of operation: a step is the Gaussian mechanism on a Poisson sample at the rate batch over
dataset size, or at the rate that stands there; epochs are as many steps as it takes, rounded up. If
gradients are accumulated, a batch is that of all of them. A person of several examples is added or
removed with all of them. Where a microbatch has several examples, its mean is clipped, so that one
example moves it by twice the norm, as TensorFlow Privacy counts it; its statement takes that for
granted unless it is told otherwise, and so do its arguments here. The configuration of an
optimizer alone says neither how many examples there are nor how long is trained.

Sources: TensorFlow Privacy 0.9.0, ``compute_dp_sgd_privacy_lib.py`` and ``dp_optimizer_keras.py``;
JAX Privacy 2.0.0, ``keras_api.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.strict_json import Document, check_keys, json_path, parse
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry, GaussianMechanism, person_in_sample
from exactdp.mechanisms.checks import positive
from exactdp.mechanisms.keys import whole_of

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "noise": ("noise_multiplier",),
    "batch": ("batch_size",),
    "examples": (
        *("dataset_size", "num_examples", "num_samples", "number_of_examples", "train_size"),
        *("n", "N"),
    ),
    "rate": ("sample_rate", "sampling_probability"),
    "steps": ("steps", "num_steps", "num_updates", "train_steps"),
    "epochs": ("epochs", "num_epochs"),
    "person": ("max_examples_per_user", "examples_per_user"),
    "microbatches": ("num_microbatches",),
    "accumulated": ("gradient_accumulation_steps",),
}
_WHOLE: Final = ("batch", "examples", "microbatches", "accumulated")
_MICROBATCHED: Final = "used_microbatching"
_SAMPLED: Final = "poisson_sampling_in_fit"
NOT_SAMPLED: Final = (
    "poisson_sampling_in_fit is false: fit() takes batches as they come, and this is about them "
    "only if whoever feeds it draws Poisson samples (exactdp dpsgd --loader answers for others)"
)
"""What JAX Privacy's configuration says of its batches."""
_OF_A_STATEMENT: Final = "number_of_examples"
"""A name that only ``compute_dp_sgd_privacy_statement`` has, which counts microbatches unasked."""
_UNREAD: Final = (
    *("l2_norm_clip", "learning_rate", "max_grad_norm", "clipping_norm", "name"),
    *("accountant_type", "epsilon", "seed", "rescale_to_unit_norm"),
    *("momentum", "nesterov", "decay", "weight_decay", "amsgrad", "beta_1", "beta_2"),
    *("initial_accumulator_value", "clipnorm", "clipvalue", "global_clipnorm", "jit_compile"),
    *("use_ema", "ema_momentum", "ema_overwrite_frequency", "is_legacy_optimizer"),
    *("loss_scale_factor", "microbatch_size", "lr", "betas", "optimizer", "model", "device"),
)
_DELTA: Final = "delta"
_BEGIN: Final = 1000


def recognises(data: bytes) -> bool:
    """Whether the bytes begin as a configuration, or a list of them."""
    begin = b"".join(data[:_BEGIN].split())
    others = (b'"mechanisms":', b'"class_name":', b'"module_name":')
    known = b'"noise_multiplier":' in begin and not any(each in begin for each in others)
    return known and begin.startswith((b"{", b"[{"))


def read(data: bytes) -> Ledger:
    """Read a configuration, or those of a schedule, in their order.

    Raises:
        InputError: a key is missing, twice there by two names, or unknown; or out of range.

    >>> read(b'{"noise_multiplier": 1.1, "sample_rate": 0.01, "steps": 100}').size
    100
    """
    document = parse(data)
    tree = document.tree
    schedule: list[tuple[Any, list[Any]]] = [(tree, [])]
    if isinstance(tree, list):
        schedule = [(each, [index]) for index, each in enumerate(tree)]
    for each, keys in schedule:
        if not isinstance(each, dict):
            raise _unclear("training", document.shown(each), keys)
    plans = [_Training(each, document, keys) for each, keys in schedule]
    entries = [each.entry() for each in plans]
    unread = sorted({key for each, _ in schedule for key in each if key in _UNREAD})
    sentence = "a training whose batches are taken for Poisson samples"
    if any(each.is_microbatched for each in plans):
        sentence += ", and in which an example moves a microbatch of several by twice the norm"
    deltas = {
        document.text_of(each[_DELTA]) for each, _ in schedule if each.get(_DELTA) is not None
    }
    if len(deltas) > 1:
        raise InputError(
            field=_DELTA,
            value=" and ".join(sorted(deltas)),
            expected="one δ for all phases, which are composed",
            remedy="remove delta, and pass the δ that is asked for",
        )
    reading = [f"{sentence}; not read: {', '.join(unread)}" if unread else sentence]
    reading += [NOT_SAMPLED] if any(each.says(_SAMPLED) is False for each in plans) else []
    return Ledger(
        tuple(entries),
        target_delta=as_rational(deltas.pop(), _DELTA) if deltas else None,
        neighbouring="add-remove-one",
        reading=tuple(reading),
    )


class _Training:
    """One configuration, by what each of its numbers is."""

    def __init__(self, tree: Any, document: Document, keys: list[Any]) -> None:  # noqa: ANN401 (JSON)
        known = (name for names in _NAMES.values() for name in names)
        check_keys(
            tree,
            (*known, *_UNREAD, _DELTA, _MICROBATCHED, _SAMPLED),
            document,
            keys,
            of="a training",
            remedy="remove it, if the noise and the batches are the same without it",
        )
        self.tree, self.keys = tree, keys
        self.given = {what: _value(what, tree, document, keys) for what in _NAMES}

    def entry(self) -> Entry:
        """Its steps."""
        rate, steps = self._rate(), self._steps()
        if steps.denominator != 1:
            raise DomainError(
                field="steps",
                value=str(steps),
                path=json_path(self.keys),
                expected="a whole number",
            )
        noise = positive(self.given["noise"] or mpq(0), "noise_multiplier")
        moved = 2 if self.is_microbatched else 1
        person = whole_of(str(self.given["person"] or 1), "max_examples_per_user")
        return person_in_sample(GaussianMechanism(moved / noise), rate, person, int(steps))

    def _rate(self) -> mpq:
        batch, examples, rate = (self.given[what] for what in ("batch", "examples", "rate"))
        if rate and batch and examples:
            raise self._unclear("sample_rate", "beside batch_size and dataset_size")
        if rate is None and (batch is None or examples is None):
            raise self._unclear("sample_rate", "nothing")
        one_batch = rate or (batch or mpq(0)) / (examples or mpq(1))
        many = self.given["accumulated"] or mpq(1)
        if many != 1 and (rate or not (self.given["epochs"] or "train_steps" in self.tree)):
            found = f"{many}, with a rate, or steps that may count each of them"
            raise self._unclear("gradient_accumulation_steps", found)
        return one_batch * many

    def _steps(self) -> mpq:
        steps, epochs = self.given["steps"], self.given["epochs"]
        if (steps is None) == (epochs is None):
            raise self._unclear("steps", "neither steps nor epochs, or both")
        return steps or mpq(-(-(epochs or mpq(0)) // self._rate()))

    def says(self, key: str) -> bool | None:
        """Whether a key is true or false; None where it is not there."""
        stated = self.tree.get(key)
        if stated is None or isinstance(stated, bool):
            return stated
        raise self._unclear(key, f"{stated}, which is neither true nor false")

    @property
    def is_microbatched(self) -> bool:
        """Whether a microbatch has several examples."""
        stated = self.says(_MICROBATCHED)
        many, batch = self.given["microbatches"], self.given["batch"]
        if many is None:
            silent = stated is None and "num_microbatches" not in self.tree
            return stated is True or (silent and _OF_A_STATEMENT in self.tree)
        if batch is None:
            raise self._unclear("num_microbatches", f"{many}, of a batch that is not given")
        if many > batch or (stated is not None and stated != (many < batch)):
            raise self._unclear("num_microbatches", f"{many}, of a batch of {batch}")
        return many < batch

    def _unclear(self, field: str, value: str) -> InputError:
        return _unclear(field, value, self.keys)


def _value(what: str, tree: Any, document: Document, keys: list[Any]) -> mpq | None:  # noqa: ANN401
    names = [name for name in _NAMES[what] if tree.get(name) is not None]
    if len(names) > 1:
        raise _unclear(names[0], f"beside {names[1]}", keys)
    if not names:
        return None
    found = positive(as_rational(document.text_of(tree[names[0]]), names[0]), names[0])
    if what in _WHOLE and found.denominator != 1:
        raise DomainError(
            field=names[0], value=str(found), path=json_path(keys), expected="a whole number"
        )
    return found


def _unclear(field: str, value: str, keys: list[Any]) -> InputError:
    return InputError(
        field=field,
        value=value,
        path=json_path(keys),
        expected="noise_multiplier, sample_rate (or batch_size and dataset_size), and steps or "
        "epochs, each once",
        remedy="an optimizer does not know how many examples there are, nor how long is trained: "
        "write batch_size, dataset_size and epochs beside its configuration"
        if field in ("sample_rate", "steps")
        else "",
    )
