r"""Phases of a training: noise, rate or batch that change from one epoch on.

Rules of this file: a phase is a plan of its own; what it does not say is said once for all. A
training in phases is composed of theirs, in their order.

Theory of operation: the parameters of all phases are fixed in advance, so that the entries of their
ledgers, which are about the same neighbours, stand in one ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.model import Ledger
from exactdp.training.plans import Loader, TrainingPlan

Phase = str | Mapping[str, Any]
"""What a phase says: NAME=VALUE, with commas between, or the same as a mapping."""

_NAMES: Final[Mapping[str, str]] = {
    "noise": "noise",
    "noise_multiplier": "noise",
    "batch": "batch",
    "batch_size": "batch",
    "rate": "rate",
    "epochs": "epochs",
    "steps": "steps",
}
_WHOLE: Final = ("batch", "epochs", "steps")
_INSTEAD: Final[Mapping[str, tuple[str, ...]]] = {
    "rate": ("batch", "examples"),
    "batch": ("rate",),
    "epochs": ("steps",),
    "steps": ("epochs",),
}
_EXPECTED: Final = (
    "NAME=VALUE[,NAME=VALUE...], of noise-multiplier, batch-size, rate, epochs and steps, such as "
    "noise-multiplier=1.3,epochs=10"
)


def phases_of(phases: Sequence[Phase], common: Mapping[str, Any]) -> tuple[TrainingPlan, ...]:
    """The plan of each phase; without any, the one plan of what is common.

    Args:
        phases: in their order.
        common: the arguments of :meth:`TrainingPlan.of` that a phase need not say.

    Raises:
        InputError: an unknown name, one that is said twice, or no plan; or something said for all
            that no phase takes.

    >>> sizes = {"noise": 1, "batch": 5, "examples": 9}
    >>> [each.steps for each in phases_of(["noise=2,epochs=3", {"steps": 7}], sizes)]
    [6, 7]
    """
    if isinstance(phases, str | Mapping):
        raise InputError(field="phases", value=shorten(str(phases)), expected="a list of phases")
    given = [_given(each) for each in phases]
    _refuse_unused(common, given)
    return tuple(_plan(common, each) for each in given) or (_plan(common, {}),)


def drawn_by(phases: Sequence[TrainingPlan], loader: Loader) -> Ledger:
    """What all phases are, if batches are drawn so."""
    return _in_turn([each.drawn_by(loader) for each in phases])


def known_batch(phases: Sequence[TrainingPlan], loader: Loader) -> Ledger:
    """What all phases are at most, if each example is in one batch of an epoch."""
    return _in_turn([each.known_batch(loader) for each in phases])


def _in_turn(ledgers: Sequence[Ledger]) -> Ledger:
    first = ledgers[0]
    entries = tuple(entry for each in ledgers for entry in each.mechanisms)
    return Ledger(entries, name=first.name, neighbouring=first.neighbouring)


def _replaced(given: Mapping[str, Any]) -> set[str]:
    """What is said for all that a phase does not take, as it says it, or something instead."""
    return {*given, *(name for key in given for name in _INSTEAD.get(key, ()))}


def _refuse_unused(common: Mapping[str, Any], phases: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what is said for all and meant for none."""
    unused = set.intersection(*map(_replaced, phases)) if phases else set[str]()
    for name in common:
        if name in unused and common[name] is not None:
            raise InputError(
                field=name,
                value=str(common[name]),
                expected="a phase that takes it: each says its own, or something instead",
                remedy=f"leave out {name}, or leave it out of a phase",
            )


def _plan(common: Mapping[str, Any], given: Mapping[str, Any]) -> TrainingPlan:
    replaced = _replaced(given) - {*given}
    plan = {**{key: value for key, value in common.items() if key not in replaced}, **given}
    if plan.get("noise") is None:
        raise InputError(
            field="noise",
            value="nothing",
            expected="a noise multiplier, for all or in each phase",
            remedy="exactdp budget finds the least one for an ε: -m sigma=1,rate=256/60000*14063 "
            "--epsilon 1 --noise-of '#1'",
        )
    every: dict[str, Any] = {"batch": None, "examples": None, "epochs": None}
    return TrainingPlan.of(**every | plan)


def _given(phase: Phase) -> dict[str, Any]:
    """What a phase says, by the names of the library."""
    pairs = phase.items() if isinstance(phase, Mapping) else _pairs(phase)
    given: dict[str, Any] = {}
    for name, value in pairs:
        known = _NAMES.get(name.strip().replace("-", "_"))
        if known is None or known in given:
            raise InputError(
                field="phase",
                value=shorten(name if known is None else f"{known}, twice"),
                expected=_EXPECTED,
            )
        given[known] = count_of(value) if known in _WHOLE and isinstance(value, str) else value
    return given


def _pairs(text: str) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in parts):
        raise InputError(field="phase", value=shorten(text), expected=_EXPECTED)
    return [(name, value.strip()) for name, _, value in parts]
