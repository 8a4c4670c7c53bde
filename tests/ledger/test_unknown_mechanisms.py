"""Mechanisms that no engine knows: every door refuses them by the name of their class.

The kinds are generated: a stranger of its own, one derived from every family, and one whose shape
looks like that of a family.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isabstract
from pathlib import Path
from typing import Any, Final

import pytest

import exactdp
from exactdp.errors import ExactDPError, InputError
from exactdp.group_privacy.answers import compose_for_groups
from exactdp.ledger.model import NEIGHBOURING, Ledger
from exactdp.mechanisms import (
    FAMILIES,
    SAMPLED_BASES,
    EntryShape,
    Family,
    LaplaceMechanism,
    SampledMechanism,
)
from exactdp.workloads.workload import Query
from tests.marking import each_case

NOTHING: Final[dict[str, Any]] = {"count": 1, "label": ""}


class Stranger(Family):
    """A family that nobody has heard of."""

    def __init__(self) -> None:
        self.count, self.label = 5, ""

    def shape(self) -> EntryShape:
        return {"staircase": {"epsilon": "3"}}


class Pretender(Stranger):
    """One that writes itself as a family with less to say than it has."""

    def shape(self) -> EntryShape:
        return {"laplace": {"scale": "1000000", "sensitivity": "1"}}


def _derived(family: type) -> Any:  # noqa: ANN401 (an object of a class made here)
    """An object of a class that is derived from a family, and says nothing of its own."""
    kind = type(f"Own{family.__name__}", (family,), {"__slots__": ()})
    return object.__new__(kind)


def _made(kind: Any) -> Any:  # noqa: ANN401 (a class, and its object)
    """An object of a class that leaves questions without an answer."""
    kind.__abstractmethods__ = frozenset()
    return kind()


UNKNOWN: Final = [
    _made(Stranger),
    _made(Pretender),
    *map(_derived, sorted(FAMILIES, key=lambda each: each.__name__)),
]
DOORS: Final[dict[str, Callable[[Any], object]]] = {
    "Ledger": lambda entry: Ledger((entry,)),
    "Ledger.of": lambda entry: Ledger.of([entry]),
    "beside known ones": lambda entry: Ledger((LaplaceMechanism(1), entry)),
    "compose": lambda entry: exactdp.compose([entry], delta="1e-6"),
    "certify": lambda entry: exactdp.certify([entry], epsilon=1, delta="1e-6"),
    "certify at 0": lambda entry: exactdp.certify([entry], epsilon=1, delta=0),
    "profile": lambda entry: exactdp.profile([entry], epsilon=[1]),
    "audit": lambda entry: exactdp.audit([entry]),
    "bounds": lambda entry: exactdp.bounds([entry], delta="1e-6"),
    "budget": lambda entry: exactdp.budget([entry], epsilon=1, delta="1e-6"),
    "crosscheck": lambda entry: exactdp.crosscheck([entry], delta="1e-6"),
    "report": lambda entry: exactdp.report([entry], Path("page.html")),
    "groups": lambda entry: compose_for_groups([entry], 3, delta="1e-6"),
    "papers": lambda entry: exactdp.papers("mv18", [entry], delta="1e-6"),
    "a query": lambda entry: Query(entry, {}),
}


@each_case("door", DOORS)
@each_case("entry", UNKNOWN)
def test_every_door_refuses_every_unknown_mechanism_by_name(entry: object, door: str) -> None:
    with pytest.raises(InputError, match="expected objects of class") as refusal:
        DOORS[door](entry)
    assert refusal.value.value == type(entry).__name__
    assert refusal.value.remedy


@each_case("relation", NEIGHBOURING)
@each_case("entry", UNKNOWN)
def test_no_relation_makes_an_unknown_mechanism_known(entry: Any, relation: str) -> None:  # noqa: ANN401 (of no class that is known)
    with pytest.raises(InputError, match="expected objects of class") as refusal:
        Ledger((entry,), neighbouring=relation)
    assert refusal.value.value == type(entry).__name__


@pytest.mark.parametrize(
    "base", [*map(_derived, SAMPLED_BASES), _made(Stranger)], ids=lambda base: type(base).__name__
)
def test_an_unknown_mechanism_is_not_run_on_a_sample(base: Any) -> None:  # noqa: ANN401 (as above)
    with pytest.raises(ExactDPError, match=f"{type(base).__name__}.*what is known of others"):
        SampledMechanism(base, "1/2")


def test_a_stranger_is_told_in_which_ways_it_can_be_written() -> None:
    with pytest.raises(InputError, match="PairMechanism") as refusal:
        Ledger((_made(Stranger),))
    assert "no engine knows the noise of Stranger" in refusal.value.remedy


def test_a_family_that_leaves_a_question_without_an_answer_cannot_be_made() -> None:
    class Forgetful(Family):
        """One that has a shape alone."""

        def shape(self) -> EntryShape:
            return {}

    with pytest.raises(TypeError, match="abstract"):
        Forgetful()  # type: ignore[abstract] # that is what is tested


def test_every_class_here_that_can_be_made_is_a_family() -> None:
    made = (each for each in _derived_from(Family) if not isabstract(each))
    ours = {f"{each.__module__}.{each.__name__}" for each in made}  # one with slots is made twice
    families = {f"{each.__module__}.{each.__name__}" for each in FAMILIES}
    assert {each for each in ours if each.startswith("exactdp.")} == families


def _derived_from(kind: type) -> set[type]:
    return {kind}.union(*map(_derived_from, kind.__subclasses__()))
