"""Of nothing nothing is proved, whichever function is asked about a ledger of no mechanisms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import exactdp
from exactdp.errors import InputError, NothingComposedError
from exactdp.ledger.nothing import something_of
from tests.marking import each_case

Ask = Callable[[Any], object]

EMPTY: Final = exactdp.Ledger((), empty=True)
PROOF: Final = exactdp.certify(EMPTY, epsilon=0, delta=0).certificate
OUTCOME: Final = b'{"members": {"runs": 9, "found": 9}, "others": {"runs": 9, "found": 0}}'
ASKED: Final[dict[str, Ask]] = {
    "audit": exactdp.audit,
    "bounds": lambda ledger: exactdp.bounds(ledger, delta="1e-6"),
    "budget": lambda ledger: exactdp.budget(ledger, epsilon=1, delta="1e-6"),
    "attack": lambda ledger: exactdp.attack(OUTCOME, ledger=ledger),
    "certify": lambda ledger: exactdp.certify(ledger, epsilon=0, delta=0),
    "compose": lambda ledger: exactdp.compose(ledger, delta=0),
    "convert": lambda ledger: exactdp.convert(ledger, "csv"),
    "crosscheck": lambda ledger: exactdp.crosscheck(ledger, delta="1e-6", values={"a": "1"}),
    "explain": lambda ledger: exactdp.explain(PROOF, ledger=ledger),
    "papers": lambda ledger: exactdp.papers("mv18", ledger, delta="1e-6", eta="1/2"),
    "profile": lambda ledger: exactdp.profile(ledger, epsilon=["0"]),
    "report": lambda ledger: exactdp.report(ledger, delta=0),
    "risk": exactdp.risk,
    "verify": lambda ledger: exactdp.verify(PROOF, ledger=ledger),
}
MORE: Final[dict[str, Ask]] = {
    "papers mv16": lambda ledger: exactdp.papers("mv16", ledger, delta="1e-6", eta="1/2"),
    "papers poster": lambda ledger: exactdp.papers("poster", ledger, delta="1e-6", t=9),
    "budget of a count": lambda ledger: exactdp.budget(
        ledger, epsilon=1, delta="1e-6", count_of="a"
    ),
    "budget of noise": lambda ledger: exactdp.budget(ledger, epsilon=1, delta="1e-6", noise_of="a"),
}
WORK: Final = ASKED | MORE
PROVE_NOTHING: Final = {
    "attest": "signs which bytes were compared, and takes no Ledger",
    "write_ledger": "writes what stands there, as read_ledger reads it",
}
NAME_ONE: Final = {"budget of a count", "budget of noise"}
"""What asks about a mechanism by its label: an empty ledger has none of that name."""


def _takes_a_ledger(name: str) -> bool:
    found = getattr(exactdp, name)
    if inspect.isclass(found) or not callable(found):
        return False
    return not {"ledger", "ledgers"}.isdisjoint(inspect.signature(found).parameters)


def test_every_public_function_that_takes_a_ledger_is_asked_here() -> None:
    assert {*filter(_takes_a_ledger, dir(exactdp))} == {*ASKED, *PROVE_NOTHING}


@each_case("name", WORK)
@each_case("nothing", [exactdp.Ledger(()), exactdp.Ledger.of([], target_delta=0)])
def test_of_a_ledger_of_no_mechanisms_nothing_is_said(name: str, nothing: exactdp.Ledger) -> None:
    with pytest.raises(NothingComposedError, match=r"Ledger\(\(\), empty=True\)"):
        WORK[name](nothing)


@each_case("name", sorted(ASKED.keys() - {"explain", "verify", "convert"}))
@each_case("nothing", [[], (), iter(())])
def test_of_a_list_of_no_mechanisms_nothing_is_said(name: str, nothing: object) -> None:
    with pytest.raises(NothingComposedError, match="at least one mechanism"):
        ASKED[name](nothing)


@pytest.mark.parametrize("name", sorted(ASKED.keys() - {"explain", "verify"}))
@pytest.mark.parametrize("text", ["epsilon\n", '{"mechanisms": []}'])
def test_of_a_file_of_no_mechanisms_nothing_is_said(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "nothing"
    file.write_text(text)
    with pytest.raises(NothingComposedError, match=r"nothing.*says so in JSON") as caught:
        ASKED[name](file)
    assert caught.value.exit_code == 3


@each_case("name", sorted(WORK.keys() - NAME_ONE))
def test_a_ledger_that_is_meant_to_be_empty_is_taken(name: str) -> None:
    assert WORK[name](EMPTY) is not None


@pytest.mark.parametrize("name", sorted(NAME_ONE))
def test_what_asks_about_a_label_finds_none_in_an_empty_ledger(name: str) -> None:
    with pytest.raises(InputError, match="the label of a mechanism"):
        WORK[name](EMPTY)


def test_a_ledger_with_a_mechanism_or_one_that_is_meant_to_be_empty_is_itself() -> None:
    for ledger in (EMPTY, exactdp.Ledger.of(["1"])):
        assert something_of(ledger) is ledger
