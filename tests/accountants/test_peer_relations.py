"""Known accountants are asked about the neighbours that a ledger states, or not asked.

Every accountant, every relation, noise on all records and on a sample: modules that record what
they were asked stand for the packages.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from enum import Enum, auto
from itertools import product
from types import ModuleType
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.accountants.accountants import ABOUT_NOISE, KNOWN, chosen
from exactdp.accountants.hunting import question_of
from exactdp.accountants.noise_hunting import BATCHES, KIND
from exactdp.accountants.noise_peers import ask_about_noise
from exactdp.accountants.noise_reproductions import noise_reproduction
from exactdp.accountants.peers import answer
from exactdp.accountants.protocol import ABOUT_EVENTS, AccountantQuestion, question_line
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)


class NeighboringRelation(Enum):
    """The relations of dp-accounting."""

    ADD_OR_REMOVE_ONE = auto()
    REPLACE_ONE = auto()
    REPLACE_SPECIAL = auto()


class UnsupportedEventError(Exception):
    """What its accountants raise."""


ASKED: list[tuple[Any, ...]] = []


def _module(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> ModuleType:
    module = ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def _event(name: str) -> Callable[..., tuple[Any, ...]]:
    return lambda *values, **fields: (name, *values, *fields.values())


class _Recording:
    """An accountant of events that records its relation and what it was asked."""

    def __init__(self, neighboring_relation: NeighboringRelation) -> None:
        self.relation = neighboring_relation

    def compose(self, event: object, count: int = 1) -> None:
        ASKED.append((self.relation.name, event, count))

    def get_epsilon(self, delta: float) -> float:
        return delta

    get_delta = get_epsilon


class _Distribution:
    """A distribution that knows nothing but how it was made."""

    def __init__(self, *values: object, **options: Any) -> None:  # noqa: ANN401 (as it comes)
        relation = options.get("neighboring_relation", NeighboringRelation.ADD_OR_REMOVE_ONE)
        if values:
            ASKED.append((relation.name, *values, options.get("sampling_prob")))

    def compose(self, _other: object) -> _Distribution:
        return self

    def self_compose(self, _count: int) -> _Distribution:
        return self

    def get_epsilon_for_delta(self, delta: float) -> float:
        return delta

    get_delta_for_epsilon = get_epsilon_for_delta


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages that record what they are asked."""
    names = "Gaussian Laplace DiscreteLaplace RandomizedResponse PoissonSampled Composed ZC"
    names += " SampledWithoutReplacement"
    events = _module(
        monkeypatch,
        "dp_accounting.dp_event",
        **{f"{name}DpEvent": _event(name) for name in names.split()},
    )
    relations = _module(
        monkeypatch,
        "dp_accounting.privacy_accountant",
        NeighboringRelation=NeighboringRelation,
    )
    rdp = _module(monkeypatch, "dp_accounting.rdp", RdpAccountant=_Recording)
    families = ("gaussian", "laplace", "discrete_laplace", "discrete_gaussian")
    distribution = _module(
        monkeypatch,
        "dp_accounting.pld.privacy_loss_distribution",
        identity=lambda **_: _Distribution(),
        **{f"from_{family}_mechanism": _Distribution for family in families},
    )
    pld = _module(
        monkeypatch,
        "dp_accounting.pld",
        privacy_loss_distribution=distribution,
        common=ModuleType("common"),
        PLDAccountant=_Recording,
    )
    _module(
        monkeypatch,
        "dp_accounting",
        dp_event=events,
        privacy_accountant=relations,
        rdp=rdp,
        pld=pld,
    )
    ASKED.clear()


def _line(entry: Entry, relation: str, name: str) -> dict[str, Any]:
    asked = AccountantQuestion(Ledger((entry,), neighbouring=relation), delta=mpq(1, 2**20))
    made: dict[str, Any] = json.loads(question_line(asked, name, pure=False, against=False))
    return made


STEP = SampledMechanism(GaussianMechanism("1/2"), "1/4")
CLIPPED = SampledMechanism(GaussianMechanism("1/2"), "1/4", clip=3)
NOISE = GaussianMechanism("1/2"), LaplaceMechanism(2), DiscreteLaplaceMechanism(2, (2,))
NAMED = {"add-remove-one": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}
RELATED = ("dp-accounting/rdp", ABOUT_EVENTS)
"""Who is told a relation with every question, and takes a bound on one record."""
REACHES = {"add-remove-one": 1, "replace-one": 2}


@pytest.mark.parametrize(("name", "relation"), [*product(RELATED, NAMED)])
@pytest.mark.parametrize("entry", NOISE, ids=lambda each: type(each).__name__)
def test_an_accountant_of_events_is_told_the_relation_of_the_ledger(
    entry: Entry, name: str, relation: str
) -> None:
    given = answer(_line(entry, relation, name))
    refused = (name, type(entry)) == ("dp-accounting/rdp", DiscreteLaplaceMechanism)
    assert ("unsupported" in given) == refused
    if not refused:
        _assert_told(relation)


def _assert_told(relation: str) -> None:
    """An accountant was told the relation, and noise on what a record reaches under it."""
    [(asked, event, _)] = ASKED
    assert asked == NAMED[relation]
    [family, *numbers] = event[1][0] if event[0] == "Composed" else event
    if family == "DiscreteLaplace":
        assert numbers == [0.5, 2 // REACHES[relation]]
    else:
        assert numbers == [2.0 * REACHES[relation]]


@pytest.mark.parametrize(("setting", "relation"), [*product(("1e-3", "1e-4"), NAMED)])
def test_the_gaussian_distribution_is_asked_for_under_the_relation(
    setting: str, relation: str
) -> None:
    entries = _line(GaussianMechanism("1/2"), relation, "")["mechanisms"]
    ask_about_noise(f"dp-accounting/pld-{setting}", entries, 1e-6, None, relation)
    [asked] = ASKED
    assert asked == (NAMED[relation], 2.0 * REACHES[relation], 1.0)


@pytest.mark.parametrize("entry", NOISE[1:], ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("relation", NAMED)
def test_a_distribution_by_its_sensitivity_is_that_of_any_neighbours(
    entry: Entry, relation: str
) -> None:
    entries = _line(entry, relation, "")["mechanisms"]
    ask_about_noise("dp-accounting/pld-1e-3", entries, 1e-6, None, relation)
    ask_about_noise("dp-accounting/pld-1e-3", entries, 1e-6, None)
    first, second = ASKED
    assert first == second


@pytest.mark.parametrize("name", sorted(ABOUT_NOISE))
def test_a_sample_where_a_record_is_replaced_is_asked_about_by_its_clip_or_not_at_all(
    name: str,
) -> None:
    entry = {"sigma": 2.0, "sensitivity": 1.0, "rate": 0.25, "count": 1}
    given = ask_about_noise(name, [entry], 1e-6, None, "replace-one")
    assert "unsupported" in given
    assert ASKED == []
    [clipped] = _line(CLIPPED, "replace-one", "")["mechanisms"]
    assert clipped == {"sigma": 2.0, "clip": 1.0, "rate": 0.25, "count": 1}
    given = ask_about_noise(name, [clipped], 1e-6, None, "replace-one")
    if name.startswith("dp-accounting/pld-"):
        assert ASKED == [("REPLACE_ONE", 2.0, 0.25)]
    else:
        assert ("unsupported" in given, ASKED) == (True, [])


@pytest.mark.parametrize("name", ["opacus/prv", "opacus/rdp", "opacus/gdp"])
def test_who_knows_added_and_removed_records_alone_is_not_asked_about_replaced_ones(
    name: str,
) -> None:
    entry = {"sigma": 2.0, "sensitivity": 1.0, "count": 1}
    said = ask_about_noise(name, [entry], 1e-6, None, "replace-one")
    assert said == {
        "unsupported": "a record that is replaced: its steps are of records that are added or "
        "removed"
    }


def test_events_where_a_record_is_replaced_are_not_written_of_samples_and_odd_shifts() -> None:
    with pytest.raises(UnsupportedError, match="differ by a replaced record"):
        _line(DiscreteLaplaceMechanism(2, (3,)), "replace-one", ABOUT_EVENTS)
    with pytest.raises(UnsupportedError, match="clip beside a rate"):
        _line(STEP, "replace-one", ABOUT_EVENTS)


@pytest.mark.parametrize(("relation", "clip"), [("replace-one", True), ("add-remove-one", False)])
def test_a_clip_is_told_where_a_record_is_replaced(relation: str, clip: bool) -> None:
    [entry] = _line(CLIPPED, relation, "")["mechanisms"]
    assert ("clip" in entry, "sensitivity" in entry) == (clip, not clip)
    answer(_line(CLIPPED, relation, ABOUT_EVENTS))
    [(asked, (_, [(family, rate, (_, multiplier))]), _)] = ASKED
    assert (asked, family, rate, multiplier) == (NAMED[relation], "PoissonSampled", 0.25, 2.0)


@pytest.mark.parametrize(
    ("base", "clip", "told"),
    [
        (LaplaceMechanism(6, 3), 3, {"laplace": {"scale": 2.0}, "clip": 1.0}),
        (
            DiscreteLaplaceMechanism(6, (3,)),
            3,
            {"discrete_laplace": {"scale": 6.0}, "clip": 3},
        ),
        (
            DiscreteGaussianMechanism(9, (3,)),
            3,
            {"discrete_gaussian": {"variance": 9.0}, "clip": 3},
        ),
    ],
)
def test_a_clip_stands_beside_noise_of_every_family(
    base: LaplaceMechanism | DiscreteLaplaceMechanism | DiscreteGaussianMechanism,
    clip: int,
    told: dict[str, object],
) -> None:
    entry = SampledMechanism(base, "1/4", clip=clip)
    [asked] = _line(entry, "replace-one", "")["mechanisms"]
    assert asked == {**told, "rate": 0.25, "count": 1}


def test_parameters_of_no_stated_neighbours_are_asked_about_where_all_have_an_event() -> None:
    ledger = Ledger((GaussianMechanism("1/2"), Mechanism("1")))
    asked = AccountantQuestion(ledger, delta=mpq(1, 2**20))
    line = json.loads(question_line(asked, ABOUT_EVENTS, pure=False))
    assert (line["neighbouring"], line["stated"]) == ("replace-one", True)
    assert answer(line)["basis"] == "composition"
    [(relation, (_, [gaussian, _response]), _)] = ASKED
    assert (relation, gaussian) == ("REPLACE_ONE", ("Gaussian", 4.0))


def test_events_about_different_neighbours_are_not_asked_about() -> None:
    tree = {
        "module_name": "dp_accounting.dp_event",
        "class_name": "ComposedDpEvent",
        "events": [
            {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0},
            {"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2},
        ],
    }
    asked = AccountantQuestion(Ledger((GaussianMechanism("1/2"),)), delta=mpq(1, 8), events=tree)
    line = json.loads(question_line(asked, ABOUT_EVENTS, pure=False))
    assert "other neighbours" in answer(line)["unsupported"]


def test_what_the_accountant_calls_unsupported_was_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise UnsupportedEventError("Unsupported event: it")

    monkeypatch.setattr(_Recording, "compose", refusing)
    given = answer(_line(GaussianMechanism("1/2"), "replace-one", ABOUT_EVENTS))
    assert given == {"unsupported": "UnsupportedEventError: Unsupported event: it"}


@pytest.mark.parametrize("relation", NAMED)
@pytest.mark.parametrize("name", ["dp-accounting/pld-1e-4", *RELATED])
def test_a_script_asks_what_was_asked(name: str, relation: str) -> None:
    line = _line(GaussianMechanism("1/2"), relation, name)
    answer(line)
    [asked] = [each[:2] for each in ASKED]
    ASKED.clear()
    script = noise_reproduction(name, line)
    assert len(script.splitlines()) <= 5
    exec(script, {"print": lambda *_: None})  # noqa: S102 (it asks what stands for the package)
    again = [each for each in ASKED if each[1]]
    assert [each[0] for each in again] == [asked[0]]
    assert f"{2 * REACHES[relation]}" in script


NAMES = [f"{package}/{each}" for package, settings in KNOWN.items() for each in settings]
FIXED: dict[str, Any] = {"sigma": 1.0, "clip": 1.0, "examples": 100, "batch": 1}


@pytest.mark.parametrize("name", sorted({*NAMES} - ABOUT_NOISE))
def test_who_knows_no_noise_is_not_asked_about_batches(name: str) -> None:
    asked = question_of((((10, (1, 2), (1, 2)),), 5, BATCHES, KIND))
    with pytest.raises(UnsupportedError, match="given by epsilon and delta"):
        question_line(asked, name, pure=False, noise=False)


@pytest.mark.parametrize("name", sorted(ABOUT_NOISE))
def test_who_has_no_batches_of_a_fixed_size_is_not_asked_about_them(name: str) -> None:
    [accountant] = chosen([name])
    asked = question_of((((10, (1, 2), (1, 2)),), 5, BATCHES, KIND))
    line = json.loads(question_line(asked, name, pure=accountant.pure))
    assert line["mechanisms"] == [{"fixed_size": FIXED, "count": 100}]
    assert line["neighbouring"] == "replace-one"
    given = answer(line)
    if name == "dp-accounting/rdp":
        event = ("SampledWithoutReplacement", 100, 1, ("Gaussian", 1.0))
        assert [("REPLACE_ONE", event, 100)] == ASKED
        script = noise_reproduction(name, line)
        assert len(script.splitlines()) <= 5
        exec(script, {"print": lambda *_: None})  # noqa: S102 (it asks what stands for the package)
        assert [("REPLACE_ONE", event, 100)] * 2 == ASKED
    else:
        about = "mechanisms by their noise" if name == ABOUT_EVENTS else "a fixed size|replaced"
        assert re.search(about, given["unsupported"])
        assert ASKED == []
