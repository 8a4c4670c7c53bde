r"""Trainings with noise, as configurations have them: one object, or a list of them in turn.

Rules of this file: a number is read by a name that libraries give it (TensorFlow Privacy, JAX
Privacy, Opacus); what says nothing of privacy is named as not read, and every other key is refused.
Batches are taken for Poisson samples, where a record is added or removed, and the ledger says so.

Theory of operation: a step is the Gaussian mechanism on a Poisson sample at the rate batch over
dataset size, or at the rate that stands there; epochs are as many steps as it takes, rounded up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.strict_json import Document, check_keys, json_path, parse
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, sampled
from exactdp.mechanisms.checks import positive

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "noise": ("noise_multiplier",),
    "batch": ("batch_size",),
    "examples": ("dataset_size", "num_examples", "num_samples"),
    "rate": ("sample_rate", "sampling_probability"),
    "steps": ("steps", "num_steps", "num_updates"),
    "epochs": ("epochs", "num_epochs"),
}
_UNREAD: Final = ("delta", "l2_norm_clip", "learning_rate", "max_grad_norm", "clipping_norm")
_BEGIN: Final = 200


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
    entries = [_entry(each, document, keys) for each, keys in schedule]
    unread = sorted({key for each, _ in schedule for key in each if key in _UNREAD})
    sentence = "a training whose batches are taken for Poisson samples"
    reading = f"{sentence}; not read: {', '.join(unread)}" if unread else sentence
    return Ledger(tuple(entries), neighbouring="add-remove-one", reading=(reading,))


def _entry(tree: Any, document: Document, keys: list[Any]) -> Any:  # noqa: ANN401 (JSON, a mechanism)
    check_keys(
        tree,
        (*(name for names in _NAMES.values() for name in names), *_UNREAD),
        document,
        keys,
        of="a training",
    )
    given = {what: _value(what, tree, document, keys) for what in _NAMES}
    rate = given["rate"] or _quotient(given["batch"], given["examples"], keys, "sample_rate")
    if given["rate"] and given["batch"] and given["examples"]:
        raise _unclear("sample_rate", "beside batch_size and dataset_size", keys)
    if (given["steps"] is None) == (given["epochs"] is None):
        raise _unclear("steps", "neither steps nor epochs, or both", keys)
    steps = given["steps"] or mpq(-(-(given["epochs"] or mpq(0)) // rate))
    if steps.denominator != 1:
        raise DomainError(
            field="steps", value=str(steps), path=json_path(keys), expected="a whole number"
        )
    noise = positive(given["noise"] or mpq(0), "noise_multiplier")
    return sampled(GaussianMechanism(1 / noise), rate, int(steps), "")


def _value(what: str, tree: Any, document: Document, keys: list[Any]) -> mpq | None:  # noqa: ANN401
    names = [name for name in _NAMES[what] if name in tree]
    if len(names) > 1:
        raise _unclear(names[0], f"beside {names[1]}", keys)
    if not names:
        return None
    return positive(as_rational(document.text_of(tree[names[0]]), names[0]), names[0])


def _quotient(above: mpq | None, below: mpq | None, keys: list[Any], field: str) -> mpq:
    if above is None or below is None:
        raise _unclear(field, "nothing", keys)
    return above / below


def _unclear(field: str, value: str, keys: list[Any]) -> InputError:
    return InputError(
        field=field,
        value=value,
        path=json_path(keys),
        expected="noise_multiplier, sample_rate (or batch_size and dataset_size), and steps or "
        "epochs, each once",
    )
