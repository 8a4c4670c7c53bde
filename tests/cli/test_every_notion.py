"""Every command for every notion: each answers, or refuses with the reason and what would do."""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp import guard, read_ledger, write_ledger
from exactdp.accountants.guarding import RefutedError, UncheckedWarning
from exactdp.mechanisms.keys import IN_BATCHES
from tests.cli.running import exactdp
from tests.families import NOISE_ON_INTEGERS

NOTIONS: Final[dict[str, dict[str, Any]]] = {
    "pure": {"epsilon": "1/2"},
    "approximate": {"epsilon": "1/2", "delta": "1e-9"},
    "rho": {"rho": "1/8"},
    "mu": {"mu": "1/2"},
    "sigma": {"sigma": 2, "sensitivity": 1},
    "laplace": {"laplace": {"scale": 2, "sensitivity": 1}},
    **{noise.key: noise.entry() for noise in NOISE_ON_INTEGERS},
    "bounded_range": {"bounded_range": "1/2"},
    "pair": {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}},
    "sampled": {"sigma": 1, "sensitivity": 1, "rate": "1/4"},
    "records_per_person": {"sigma": 1, "rate": "1/4", "records_per_person": 3},
    "shuffled": {"sigma": 2, "shuffled": {"batches": 10, "epochs": 1, "order": "fresh"}},
    "allocated": {"sigma": 2, "allocated": {"batches": 10, "epochs": 1}},
    "fixed_size": {"sigma": 2, "fixed_size": {"batch": 1, "records": 10}},
    "factorization": {
        "sigma": 4,
        "factorization": {"tree": 4},
        "participation": {"most": 2, "apart": 2},
    },
    "shuffled_reports": {"shuffled_reports": {"reports": 60, "odds": 2}},
    "renyi": {"renyi": [["2", "1/50"], ["8", "1/10"]]},
    "constraints": {"constraints": [["1/4", "1/10"], ["1/2", "0"]]},
    "selection": {
        "selection": {
            "of": {"epsilon": "1/10", "count": 1},
            "repetitions": {"negative_binomial": {"eta": "1", "gamma": "1/10"}},
        }
    },
}
RELATIONS: Final = {
    **dict.fromkeys(("pair", "sampled", "allocated", "records_per_person"), "add-remove-one"),
    **dict.fromkeys(("shuffled", "fixed_size", "factorization"), "zero-out"),
    "shuffled_reports": "replace-one",
}
NEVER_REPLACED: Final = {"pair", "sampled", "allocated", "records_per_person"}
ZERO: Final = shlex.join(
    [
        sys.executable,
        "-c",
        "import sys\nfor _ in sys.stdin: print('{\"epsilon\": 1e-9}', flush=True)",
    ]
)
AT: Final = ("--delta", "1/1000")
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "compose": ("compose", "LEDGER", *AT, "--tolerance", "0.01", "--certificates", "made"),
    "profile": ("profile", "LEDGER", "--epsilon", "1/4", "--tolerance", "0.1"),
    "certify": ("certify", "LEDGER", "--epsilon", "9", *AT, "--output", "claim.json"),
    "risk": ("risk", "LEDGER", "--fpr", "1/10", "--tolerance", "0.1"),
    "audit": ("audit", "LEDGER"),
    "bounds": ("bounds", "LEDGER", *AT),
    "budget": ("budget", "LEDGER", "--epsilon", "2", *AT, "--tolerance", "0.1"),
    "budget --count-of": ("budget", "LEDGER", "--epsilon", "2", *AT, "--count-of", "#1"),
    "crosscheck": ("crosscheck", "LEDGER", *AT, "--value", "1e-9"),
    "hunt": ("hunt", "LEDGER", "--program", f"zero={ZERO}", "--time-limit", "60"),
    "report": ("report", "LEDGER", "--output", "page.html"),
    "parallel": ("parallel", "WORKLOAD", *AT),
}
NOT_ASKED: Final = {
    *("renyi", "constraints", "selection", *IN_BATCHES),
    *(noise.key for noise in NOISE_ON_INTEGERS if not noise.is_asked),
}
"""What no accountant is asked about: a hunt of that alone has judged nothing."""

REFUSED: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(COMMANDS, ()),
    "hunt": (),  # nothing is asked, and that is what it says
    "parallel": (*IN_BATCHES, "shuffled_reports"),  # whose records are not added or removed
}
_PAIRS: Final = [
    pair
    for pair in combinations(NOTIONS, 2)
    if "shuffled_reports" not in pair or NEVER_REPLACED.isdisjoint(pair)
]
JOINTS: Final = [
    (command, pair) for at, command in enumerate(COMMANDS) for pair in _PAIRS[at :: len(COMMANDS)]
]
"""Every command for a part of the pairs, so that each pair meets one."""
WHAT_WOULD_DO: Final = {
    **dict.fromkeys((f"parallel {key}" for key in IN_BATCHES), r"exactdp compose.*zero-out"),
    "parallel shuffled_reports": r"exactdp compose.*replace-one",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a ledger and a workload of one mechanism."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _relation(*notions: str) -> str:
    """What all of them are about: beside shuffled batches, records that are zeroed out.

    Beside shuffled reports they are replaced.
    """
    if "shuffled_reports" in notions:
        return "replace-one"
    known = {RELATIONS[notion] for notion in notions if notion in RELATIONS}
    return max(known, default="unspecified")


def _write(*notions: str) -> None:
    entries, relation = [NOTIONS[notion] for notion in notions], _relation(*notions)
    claim = {"epsilon": 9, "delta": "1/1000", "basis": "composition", "source": "us"}
    ledger = {
        "format": "exactdp-ledger/1",
        "neighbouring": relation,
        "mechanisms": entries,
        "target_delta": "1/1000",
        "claims": [claim],
    }
    queries = [
        {"label": f"q{i}", "where": {"a": ["x"]}, **entry} for i, entry in enumerate(entries)
    ]
    workload = {"domain": {"a": {"values": ["x", "y"]}}, "queries": queries}
    Path("LEDGER").write_text(json.dumps(ledger))
    Path("WORKLOAD").write_text(json.dumps(workload))


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", NOTIONS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_for_every_notion_or_says_why_not(command: str, notion: str) -> None:
    _write(notion)
    answer = exactdp(*COMMANDS[command], "--json")
    if notion not in REFUSED[command]:
        assert answer.code in ((0, 1, 3) if notion in NOT_ASKED else (0, 1)), answer.out
        assert answer.result
    else:
        assert answer.code == 2, answer.out
        error = answer.error
        assert error["code"] in ("unsupported", "not-yet-supported")
        assert error["path"].startswith(("mechanisms[0]", "$.queries[0]"))
        assert re.search(WHAT_WOULD_DO.get(f"{command} {notion}", "."), error["remedy"])


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("command", "pair"), JOINTS, ids=repr)
def test_commands_take_two_notions_where_they_take_each_alone(
    command: str, pair: tuple[str, str]
) -> None:
    _write(*pair)
    answer = exactdp(*COMMANDS[command], "--json")
    refused = [notion for notion in pair if notion in REFUSED[command]]
    if not refused:
        assert answer.code in ((0, 1, 3) if NOT_ASKED.intersection(pair) else (0, 1)), answer.out
        assert answer.result
    else:
        assert answer.code == 2, answer.out
        assert answer.error["code"] in ("unsupported", "not-yet-supported")
        assert answer.error["remedy"]


TURNED: Final[dict[str, tuple[str, ...]]] = {
    "--noise-of": ("pair", "shuffled_reports", "renyi", "constraints", "selection"),
    # none has a parameter of noise
    "--rate-of": (
        *("pure", "approximate", "rho", *IN_BATCHES, "shuffled_reports", "renyi"),
        *("constraints", "selection"),
    ),  # none is amplified
}


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", NOTIONS)
@pytest.mark.parametrize("option", TURNED)
def test_what_a_family_has_is_turned_and_what_it_has_not_is_refused_with_what_would_do(
    option: str, notion: str
) -> None:
    _write(notion)
    asked = ("budget", "LEDGER", "--epsilon", "2", *AT, "--tolerance", "0.2", option, "#1")
    answer = exactdp(*asked, "--json")
    if notion not in TURNED[option]:
        assert (answer.code, answer.result["turned"]["of"]) == (0, "#1")
    else:
        assert (answer.code, answer.error["path"]) == (2, "mechanisms[0]")
        assert re.search(r"--count-of LABEL", answer.error["remedy"])


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", ["shuffled", "laplace"])
def test_a_cell_of_each_kind(notion: str) -> None:
    """Some of the slow test above, for the fast suite."""
    _write(notion)
    assert exactdp(*COMMANDS["compose"], "--json").code == 0
    answer = exactdp(*COMMANDS["parallel"], "--json")
    assert answer.code == (2 if notion in REFUSED["parallel"] else 0)


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", ["rho", "laplace", "sampled"])
def test_bounds_are_drawn_for_every_notion(notion: str) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    _write(notion)
    answer = exactdp("bounds", "LEDGER", *AT, "--plot", "curves.svg")
    assert answer.code == 0, answer.err
    assert "Best certified" in Path("curves.svg").read_text()


@dataclass(frozen=True)
class _Event:
    """An event as dp-accounting's: a named tuple, here of a JSON object."""

    fields: dict[str, Any]

    def _asdict(self) -> dict[str, Any]:
        return {key: _event(value) for key, value in self.fields.items()}


def _event(tree: Any) -> Any:  # noqa: ANN401 (JSON)
    if isinstance(tree, list):
        return [_event(each) for each in tree]
    return _Event(tree) if isinstance(tree, dict) else tree


@dataclass(frozen=True)
class _Accountant:
    """One that promises too much of the events that it has."""

    ledger: Any

    def compose(self, event: Any, count: int = 1) -> None:  # noqa: ANN401 (an event)
        raise NotImplementedError

    def get_epsilon(self, target_delta: float) -> float:
        return 1e-9 * target_delta

    def get_delta(self, target_epsilon: float) -> float:
        raise NotImplementedError


WITHOUT_EVENTS: Final = (
    *("approximate", "bounded_range", "pair", "shuffled_reports", *sorted(NOT_ASKED)),
)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", [each for each in NOTIONS if each not in WITHOUT_EVENTS])
def test_guard_judges_every_notion_that_has_an_event(notion: str) -> None:
    _write(notion)
    events = json.loads(write_ledger(read_ledger("LEDGER"), "dp-accounting"))
    relation = "replace-one" if notion == "pure" else "add-remove-one"  # its event is about answers
    guarded = guard(_Accountant(_event(events)), neighbouring=relation)
    if notion in ("rho", "discrete_gaussian"):  # which say less than the event's own mechanism
        with pytest.warns(UncheckedWarning, match="not checked: it knows more"):
            guarded.get_epsilon(0.001)
    else:
        with pytest.raises(RefutedError, match="what the events' parameters need"):
            guarded.get_epsilon(0.001)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("notion", WITHOUT_EVENTS)
def test_what_has_no_event_is_not_written_as_one(notion: str) -> None:
    _write(notion)
    answer = exactdp("convert", "LEDGER", "--to", "dp-accounting", "--json")
    assert (answer.code, answer.error["path"]) == (2, f"mechanisms[0].{answer.error['field']}")
    assert "dp-accounting has an event for" in answer.error["expected"]
