"""Every command is a function of the package; what it answers is read, kept and sent elsewhere."""

from __future__ import annotations

import copy
import importlib
import inspect
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import exactdp
from exactdp.cli.commands import COMMANDS
from exactdp.errors import InputError
from exactdp.many.store import Asked, Store
from exactdp.policies.policy import NAME
from exactdp.verifier import Verdict
from tests.accountants.asking import FAKE
from tests.attestation.signing import PRIVATE
from tests.cli.running import LEDGERS
from tests.marking import each_case
from tools import build_site

TWO: Final = [("ln(3)", 0, 2)]
COIN: Final = LEDGERS / "interactive" / "randomized_response.json"
GOOGLE: Final = LEDGERS / "google_mobility_2020_user_day.json"
PROGRAM: Final = f"{sys.executable} -I {FAKE} 0.9"
LAPLACE: Final = exactdp.read_ledger(
    b'{"mechanisms": [{"laplace": {"scale": "2", "sensitivity": "1"}}]}'
)
OUTCOME: Final = b'{"canaries": 100, "guesses": 20, "right": 19}'
WORKLOAD: Final = b'{"domain": {"age": {"size": 9}}, "queries": [{"epsilon": 1}, {"epsilon": 1}]}'


def proof() -> exactdp.Certificate:
    found = exactdp.compose(TWO, delta="1/10").upper_certificate()
    assert found is not None
    return found


def _filter(place: Path) -> object:
    return exactdp.filter(place / "a.log", budget="rho=1/2").spend(rho="1/4")


def _gate(place: Path) -> object:
    (place / "ledger.csv").write_text("epsilon\n1\n")
    policy = 'format = "exactdp-policy/1"\nledgers = ["*.csv"]\n[[budgets]]\nscope = "each"\n'
    (place / NAME).write_text(f"{policy}epsilon = 1\n")
    return exactdp.gate(place)


def _results(place: Path) -> object:
    Store(place / "store", Asked("compose", "1", "")).close()
    return exactdp.results(place / "store")


def _attest(place: Path) -> object:
    ledger = exactdp.Ledger.of(TWO)
    (place / "two.json").write_text(exactdp.write_ledger(ledger))
    return exactdp.attest(proof(), ledger=place / "two.json", key=PRIVATE)


ANSWERS: Final[dict[str, Callable[[Path], Any]]] = {
    "init": lambda _: exactdp.init("mine.csv"),
    "example": lambda _: exactdp.example("rappor"),
    "compose": lambda _: exactdp.compose(TWO, delta="1/10"),
    "profile": lambda _: exactdp.profile(TWO, epsilon=["1"]),
    "certify": lambda _: exactdp.certify(TWO, epsilon="2", delta="1/10"),
    "risk": lambda _: exactdp.risk(TWO),
    "attack": lambda _: exactdp.attack(OUTCOME, epsilon=1),
    "audit": lambda _: exactdp.audit(GOOGLE),
    "gate": _gate,
    "report": lambda _: exactdp.report(TWO, delta="1/10"),
    "bounds": lambda _: exactdp.bounds(TWO, delta="1/10"),
    "budget": lambda _: exactdp.budget([("0.1", 0, 9)], epsilon=1, delta="1e-6"),
    "dpsgd": lambda _: exactdp.dpsgd(
        batch_size=5, dataset_size=9, noise_multiplier=2, epochs=1, delta="1e-5"
    ),
    "filter": _filter,
    "papers": lambda _: exactdp.papers("mv16", [("0.1", 0, 9)], delta="1e-6", eta="1/2"),
    "parallel": lambda _: exactdp.parallel(WORKLOAD),
    "partition": lambda _: exactdp.partition([2, 3, 6]),
    "interactive": lambda _: exactdp.interactive(COIN, COIN, delta="1/10"),
    "crosscheck": lambda _: exactdp.crosscheck(TWO, delta="1/10", values={"a tool": "1"}),
    "hunt": lambda _: exactdp.hunt(program=PROGRAM, seeds=[7]),
    "verify": lambda _: exactdp.verify(proof()),
    "attest": _attest,
    "explain": lambda _: exactdp.explain(proof()),
    "results": _results,
    "convert": lambda _: exactdp.convert(GOOGLE, "csv"),
}
TEXTS: Final = {"init", "example", "attest", "results", "convert"}
"""Functions whose answers are what Python has already: text, bytes, rows."""


@each_case("name", COMMANDS)
def test_every_command_is_a_function_with_a_docstring_and_a_place_in_the_reference(
    name: str,
) -> None:
    assert name in dir(exactdp)
    function = getattr(exactdp, name)
    assert callable(function)
    assert inspect.signature(function).parameters
    assert f"\n## exactdp.{name}\n" in build_site.reference()


def test_groups_theorems_and_interactions_are_for_the_command_line_but_for_audits() -> None:
    """As README says."""
    told = {"group", "theorem", "interaction"}
    found = {
        name: told & {*inspect.signature(getattr(exactdp, name)).parameters} for name in COMMANDS
    }
    assert {name: each for name, each in found.items() if each} == {"audit": {"group"}}


def test_it_is_known_of_every_command_how_its_function_is_called() -> None:
    assert ANSWERS.keys() == COMMANDS.keys()


def each_of(answer: Any) -> list[Any]:  # noqa: ANN401 (whatever a function answers)
    return list(answer) if isinstance(answer, list | tuple) else [answer]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_is_read_kept_and_sent_elsewhere(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name](tmp_path)
    assert pickle.loads(pickle.dumps(answer)) == answer  # noqa: S301 (our own bytes)
    assert copy.deepcopy(answer) == answer
    shown = [] if name in TEXTS else each_of(answer)
    assert shown or name in TEXTS
    for each in shown:
        assert str(each)
        assert "mpq(" not in str(each)
        assert type(each).__name__ not in str(each), "a representation, and no sentence"
        if isinstance(each, Verdict):
            assert each._repr_html_() == f"<code>{each}</code>"
        else:
            assert each._repr_html_().startswith("<table><tr>")
            assert json.loads(json.dumps(each.as_dict())) == each.as_dict()


@pytest.mark.parametrize(
    "ledger",
    [
        GOOGLE,
        [exactdp.GaussianMechanism(1)],
        [exactdp.ConcentratedMechanism("1/8"), ("0.1", 0)],
        LAPLACE,
    ],
    ids=["pairs", "mu", "mixed", "noise"],
)
def test_a_copy_of_an_answer_gives_the_same_certificates(ledger: Any) -> None:  # noqa: ANN401 (what compose takes)
    answer = exactdp.compose(ledger, delta="1e-6")
    again = pickle.loads(pickle.dumps(answer))  # noqa: S301 (our own bytes)
    for name in ("upper_certificate", "lower_certificate"):
        assert getattr(again, name)().to_bytes() == getattr(answer, name)().to_bytes()


@each_case("command", COMMANDS)
def test_every_command_is_a_function_whatever_was_imported_first(command: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=f"exactdp.{command}"):
        importlib.import_module(f"exactdp.{command}")
    function = getattr(exactdp, command)
    assert inspect.isfunction(function)
    assert inspect.getdoc(function)


@pytest.mark.slow
def test_a_path_is_a_ledger_and_a_name_is_not() -> None:
    assert exactdp.compose(GOOGLE).ledger.size == 18
    with pytest.raises(InputError, match="read a file with exactdp"):
        exactdp.compose(str(GOOGLE))


@pytest.mark.slow
def test_integers_of_numpy_are_integers() -> None:
    assert exactdp.partition(list(np.array([2, 3, 6]))).count == 2
    answer = exactdp.dpsgd(
        batch_size=np.int64(5),
        dataset_size=np.int64(9),
        noise_multiplier=np.int32(2),
        epochs=np.int64(1),
        delta="1e-5",
    )
    assert answer.plan.steps == 2
    assert type(answer.plan.batch) is int
    assert exactdp.compose([(np.int64(1), 0, np.int32(3))], delta="1e-6").ledger.size == 3
    with pytest.raises(InputError, match="integers at least 1"):
        exactdp.partition([np.float64(2)])  # type: ignore[list-item]  # the point of the test


def test_verify_takes_a_limit_of_numpy() -> None:
    assert exactdp.verify(proof(), max_cost=np.int64(10**10)).status == "accepted"
    with pytest.raises(InputError, match="a whole number at least 1"):
        exactdp.verify(proof(), max_cost=1.5)  # type: ignore[arg-type]  # the point of the test
