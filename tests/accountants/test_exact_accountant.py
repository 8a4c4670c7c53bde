"""An accountant of our own: asked at any time, in Opacus's and dp-accounting's places."""

from __future__ import annotations

import abc
import math
import sys
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import exactdp
from exactdp.accountants import ExactAccountant
from exactdp.errors import ExactDPError, InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import LaplaceMechanism

MODULE = "dp_accounting.dp_event"


class _LaplaceTuple(NamedTuple):
    module_name: str
    class_name: str
    noise_multiplier: float


@dataclass(frozen=True)
class Laplace:
    """An event with dp-accounting's interface."""

    noise_multiplier: float = 2.0
    module_name: str = MODULE

    def to_named_tuple(self) -> _LaplaceTuple:
        return _LaplaceTuple(self.module_name, "LaplaceDpEvent", self.noise_multiplier)


class Relation(Enum):
    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


@dataclass
class Optimizer:
    """What Opacus's accountants read of an optimizer."""

    noise_multiplier: float = 2.0
    accumulated_iterations: int = 2


def test_what_is_composed_step_by_step_is_what_is_composed_at_once() -> None:
    account = ExactAccountant().compose(("0.1", "1e-9"), 20).compose("0.2")
    account.compose([("0.1", "1e-9", 5)], 2).compose(exactdp.Ledger.of(["ln(3)"]))
    whole = exactdp.Ledger.of([("0.1", "1e-9", 30), "0.2", "ln(3)"])
    answer = exactdp.compose(whole, delta="1e-6")
    assert account.epsilon("1e-6") == answer.upper == account.answer("1e-6").upper
    assert account.delta(1) == exactdp.profile(whole, epsilon=[1])[0].upper
    assert repr(account) == "<ExactAccountant: mechanisms: 32>"


def test_nothing_has_run_at_first() -> None:
    account = ExactAccountant()
    assert str(account.epsilon(0)) == "0"
    assert (account.get_epsilon(0.0), len(account), bool(account)) == (0.0, 0, True)


def test_its_own_questions_refuse_floats_and_those_of_tools_take_their_exact_value() -> None:
    account = ExactAccountant().compose(("0.1", "1e-9"), 20)
    with pytest.raises(InputError, match=r"exactdp\.written\(1e-06\)"):
        account.epsilon(1e-6)  # type: ignore[arg-type]
    exact = account.epsilon(Fraction(1e-6))
    assert exact is not None
    assert Fraction(account.get_epsilon(1e-6)) >= exact.exact
    assert account.get_epsilon(delta=1e-6) == account.get_epsilon(1e-6)
    assert Fraction(account.get_delta(0.5)) >= account.delta("0.5").exact
    with pytest.raises(InputError, match="finite"):
        account.get_epsilon(math.nan)


def test_no_finite_epsilon_is_infinite() -> None:
    account = ExactAccountant().compose(("0.1", "0.01"), 20)
    assert (account.epsilon("1e-6"), account.get_epsilon(1e-6)) == (None, math.inf)


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "2"])
def test_a_count_is_a_whole_number(count: int) -> None:
    with pytest.raises(InputError, match="a whole number from 1 on"):
        ExactAccountant().compose("0.1", count)


# --- events of dp-accounting ----------------------------------------------------------------------


def test_events_are_composed_at_their_exact_values() -> None:
    laplace = LaplaceMechanism(Fraction(0.3), 1)
    assert exactdp.compose(Laplace(0.3), delta="1e-6").ledger.mechanisms == (laplace,)
    two = exactdp.compose([Laplace(0.3), Laplace(0.5)], delta="1e-6").ledger
    assert (two.size, two.neighbouring) == (2, "add-remove-one")
    account = ExactAccountant().compose(Laplace(0.3), 2).compose([Laplace(0.5)])
    assert account.as_ledger().mechanisms == (laplace.times(2), LaplaceMechanism("1/2", 1))


@pytest.mark.parametrize(
    ("relation", "sensitivity", "stated"),
    [
        (Relation.ADD_OR_REMOVE_ONE, 1, "add-remove-one"),
        (Relation.REPLACE_ONE, 2, "replace-one"),
        ("replace-one", 2, "replace-one"),
        (Relation.REPLACE_SPECIAL, 1, "add-remove-one"),
        (None, 1, "add-remove-one"),
    ],
)
def test_the_accountant_names_the_neighbours(
    relation: object, sensitivity: int, stated: str
) -> None:
    ledger = ExactAccountant(relation).compose(Laplace(2.0)).as_ledger()
    assert ledger.mechanisms == (LaplaceMechanism(2, sensitivity),)
    assert ledger.neighbouring == stated


def test_neighbours_are_not_mixed() -> None:
    other = Ledger.of(["1"], neighbouring="replace-one")
    mixed = ExactAccountant().compose(other).compose(Laplace())
    with pytest.raises(InputError, match="add-remove-one and replace-one"):
        mixed.epsilon("1e-6")
    assert repr(mixed).startswith("<ExactAccountant: no ledger: neighbouring")
    with pytest.raises(InputError, match="neighboring_relation"):
        ExactAccountant("neighbours")


def test_what_no_ledger_holds_is_not_supported_and_not_kept() -> None:
    account, strange = ExactAccountant(), Laplace(module_name="another")
    assert account.supports(Laplace())
    assert not account.supports(strange)
    with pytest.raises(ExactDPError, match="module_name"):
        account.compose(strange)
    assert account.as_ledger().size == 0


# --- steps of Opacus ------------------------------------------------------------------------------


def test_steps_of_an_optimizer_are_a_history() -> None:
    account = ExactAccountant()
    hook = account.get_optimizer_hook_fn(sample_rate=0.01)
    for noise in (2.0, 2.0, 3.0):
        hook(Optimizer(noise))
    assert account.history == [(2.0, 0.02, 2), (3.0, 0.02, 1)]
    assert (len(account), account.mechanism(), str(account)) == (3, "exact", "mechanisms: 3")
    copy = ExactAccountant()
    copy.load_state_dict(account.state_dict())
    assert copy.as_ledger() == account.as_ledger()


@pytest.mark.parametrize(
    "state", [{}, {"history": 3}, {"history": [[1, 2]]}, {"history": [[1, 0.1, -1]]}]
)
def test_a_state_without_a_history_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"history|count"):
        ExactAccountant().load_state_dict(state)


@pytest.mark.parametrize(("noise", "rate"), [(0.0, 0.1), (1.0, 1.01), (1.0, -0.1)])
def test_a_step_without_noise_or_of_no_rate_is_refused_at_once(noise: float, rate: float) -> None:
    account = ExactAccountant()
    with pytest.raises(InputError, match=r"noise|probability|rate"):
        account.step(noise_multiplier=noise, sample_rate=rate)
    assert not account.history


def test_a_history_that_opacus_replaces_is_the_one_that_counts() -> None:
    account = ExactAccountant()
    account.history = [(2.0, 1.0, 3)]
    expected = exactdp.compose([exactdp.GaussianMechanism("1/2", 3)], delta="1e-6").upper
    assert account.epsilon("1e-6") == expected


class _Interface(abc.ABC):  # noqa: B024 (what it demands is Opacus's own affair)
    """An abstract class that a library has."""


@pytest.mark.parametrize(
    ("module", "name"),
    [("opacus.accountants", "IAccountant"), ("dp_accounting", "PrivacyAccountant")],
)
def test_it_is_an_accountant_of_each_library(
    module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = ModuleType(module)
    setattr(library, name, _Interface)
    monkeypatch.setitem(sys.modules, module, library)
    assert isinstance(ExactAccountant(), _Interface)


@dataclass
class Engine:
    """Opacus's engine, as far as it is read."""

    accountant: ExactAccountant


def test_the_ledger_of_an_engine_has_the_decimals_that_were_written() -> None:
    account = ExactAccountant()
    account.history = [(1.1, 0.004266666666666667, 14062), (2.0, 1.0, 3), (2.0, 0.0, 3)]
    ledger = exactdp.from_opacus(Engine(account))
    saved = b'{"history": [[1.1, 0.004266666666666667, 14062], [2.0, 1.0, 3], [2.0, 0.0, 3]]}'
    assert ledger == exactdp.read_ledger(saved)
    assert ledger == exactdp.from_opacus(account) == exactdp.from_opacus(account.state_dict())
    assert ledger == exactdp.from_opacus(account.history)
    assert (ledger.size, ledger.neighbouring) == (14065, "add-remove-one")
    said = "a history of Opacus, 3 × [noise multiplier, sample rate, steps]"
    assert ledger.reading == (f"{said}, with batches by Poisson sampling",)
