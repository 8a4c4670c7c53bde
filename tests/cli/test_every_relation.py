"""Every command for every family and every relation, at δ above 0, at 0, and below what fails.

Each answers, or refuses and names what it refuses. What has no certificate is called neither proved
nor refuted, and no file is written for it.
"""

from __future__ import annotations

import json
from math import expm1, log, log1p
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.ledger.model import NEIGHBOURING
from exactdp.verifier import verify_bytes
from tests.cli.running import Answer, exactdp
from tests.families import NOISE_ON_INTEGERS
from tests.marking import slow_after

FAMILIES: Final[dict[str, dict[str, Any]]] = {
    "pure": {"epsilon": "1/2"},
    "approximate": {"epsilon": "1/2", "delta": "1/100"},
    "rho": {"rho": "1/8"},
    "mu": {"mu": "1/2"},
    "laplace": {"laplace": {"scale": 2, "sensitivity": 1}},
    **{noise.key: noise.entry(1, 1) for noise in NOISE_ON_INTEGERS},
    "bounded_range": {"bounded_range": "1/2"},
    "pair": {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}},
    "one-sided pair": {"pair": {"p": ["99/100", "1/100"], "q": ["1", "0"]}},
    "sampled gaussian": {"sigma": 1, "sensitivity": 1, "rate": "1/4"},
    "sampled laplace": {"laplace": {"scale": 2, "sensitivity": 1}, "rate": "1/4"},
    **{f"sampled {noise.key}": {**noise.entry(), "rate": "1/4"} for noise in NOISE_ON_INTEGERS},
    "sampled range": {"bounded_range": "1/2", "rate": "1/4"},
    "sampled pair": {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}, "rate": "1/4"},
    "clipped gaussian": {"sigma": 1, "clip": 1, "rate": "1/4"},
    "clipped laplace": {"laplace": {"scale": 2}, "clip": 1, "rate": "1/4"},
    **{f"clipped {noise.key}": noise.clipped for noise in NOISE_ON_INTEGERS},
    "shuffled": {"sigma": 2, "shuffled": {"batches": 10, "epochs": 1, "order": "fresh"}},
    "renyi": {"renyi": [["2", "1/50"], ["8", "1/10"]]},
    "constraints": {"constraints": [["1/4", "1/10"], ["1/2", "0"]]},
}
SAMPLED: Final = log1p(expm1(0.5) / 4)
CLIPPED: Final = SAMPLED - log1p(expm1(-0.5) / 4)
LEAST_EPSILON: Final = {
    "pure": 0.5,
    "laplace": 0.5,
    "discrete_laplace": 1.0,
    "bounded_range": 0.5,
    "constraints": 0.5,
    "pair": log(3),
    "sampled laplace": SAMPLED,
    "sampled discrete_laplace": SAMPLED,
    "sampled range": SAMPLED,
    "sampled pair": log(3 / 2),
    "clipped laplace": CLIPPED,
    "clipped discrete_laplace": CLIPPED,
}
"""At δ = 0; the others have none."""
UNDECIDED: Final = 3
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "compose": ("compose", "LEDGER", "--delta", "{delta}", "--certificates", "made"),
    "certify": ("certify", "LEDGER", "--epsilon", "9", "--delta", "{delta}", "-o", "claim.json"),
    "profile": ("profile", "LEDGER", "--epsilon", "9"),
    "risk": ("risk", "LEDGER", "--prior", "1/10", "--tolerance", "0.1"),
    "audit": ("audit", "LEDGER"),
    "bounds": ("bounds", "LEDGER", "--delta", "{delta}"),
    "budget": ("budget", "LEDGER", "--epsilon", "2", "--delta", "{delta}", "--tolerance", "0.1"),
    "crosscheck": ("crosscheck", "LEDGER", "--delta", "{delta}", "--value", "1/10"),
    "report": ("report", "LEDGER", "--delta", "{delta}", "--output", "page.html"),
    "convert": ("convert", "LEDGER", "--to", "json"),
    "groups": ("compose", "LEDGER", "--delta", "{delta}", "--group", "3"),
    "papers": ("papers", "mv18", "LEDGER", "--delta", "{delta}", "--eta", "1"),
    "gate": ("gate", "."),
    "parallel": ("parallel", "WORKLOAD", "--delta", "{delta}"),
}
DELTAS: Final = ("1/50", "0")


def _relation(family: str) -> str:
    """One that the family is about."""
    if family == "shuffled":
        return "zero-out"
    if "clipped" in family:
        return "replace-one"
    return "add-remove-one" if "pair" in family or "sampled" in family else "unspecified"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for a ledger and what is made of it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(entry: dict[str, Any], relation: str, delta: str) -> None:
    claim = {"epsilon": 9, "delta": delta, "basis": "composition", "source": "us"}
    ledger = {
        "format": "exactdp-ledger/1",
        "neighbouring": relation,
        "mechanisms": [entry],
        "claims": [claim],
    }
    query = {"label": "q", "where": {"a": ["x"]}, **entry}
    workload = {
        "domain": {"a": {"values": ["x", "y"]}},
        "neighbouring": relation,
        "queries": [query],
    }
    policy = 'format = "exactdp-policy/1"\nledgers = ["LEDGER.json"]\n[[budgets]]\nscope = "each"\n'
    Path("LEDGER").write_text(json.dumps(ledger))
    Path("LEDGER.json").write_text(json.dumps(ledger))
    Path("WORKLOAD").write_text(json.dumps(workload))
    Path("exactdp.toml").write_text(f'{policy}epsilon = 9\ndelta = "{delta}"\n')


def _ask(command: str, family: str, relation: str, delta: str) -> Answer:
    _write(FAMILIES[family], relation, delta)
    return exactdp(*(each.format(delta=delta) for each in COMMANDS[command]), "--json")


def _check(answer: Answer) -> None:
    """See that it is an answer, or a refusal that names what it refuses."""
    assert answer.code in (0, 1, 2, UNDECIDED), answer.out
    if answer.code != 2 and "error" not in answer.out:
        assert answer.result
    elif '"error"' in answer.out:
        assert answer.error["field"]
        assert answer.error["expected"]
    if '"result"' in answer.out and answer.result.get("evidence") == "computed":
        assert '"proved"' not in answer.out
        assert '"verdict": "refuted"' not in answer.out
        assert not list(Path().glob("made/*.json"))
        assert not Path("claim.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("relation", NEIGHBOURING)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_or_refuses_by_name_whatever_family_and_relation(
    command: str, relation: str, family: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, delta in enumerate(DELTAS):
        folder = place / f"{number}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        _check(_ask(command, family, relation, delta))


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", ["certify", "audit", "budget", "crosscheck", "report", "gate"])
@pytest.mark.parametrize("family", ["laplace", "clipped laplace", "shuffled"])
def test_a_cell_of_each_command_at_delta_0(command: str, family: str) -> None:
    """Some of the slow test above, for the fast suite."""
    _check(_ask(command, family, _relation(family), "0"))


WITHOUT_CERTIFICATE: Final = ("clipped laplace", "clipped discrete_laplace", "renyi")
"""Of which no rule of certificates says what holds, or fails, there."""


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("family", FAMILIES)
def test_at_delta_0_the_least_epsilon_is_the_greatest_loss_or_there_is_none(family: str) -> None:
    answer = _ask("compose", family, _relation(family), "0")
    assert answer.code == 0, answer.out
    result = answer.result
    assert result["feasible"] is (family in LEAST_EPSILON)
    if family in LEAST_EPSILON:
        size = LEAST_EPSILON[family]
        assert float(result["epsilon"]["lower"]) <= size + 1e-8
        assert float(result["epsilon"]["upper"]) >= size - 1e-8
        assert float(result["epsilon"]["upper"]) - float(result["epsilon"]["lower"]) <= 1e-4
    computed = family in WITHOUT_CERTIFICATE
    assert result.get("evidence", "certificate") == ("computed" if computed else "certificate")
    exactdp("compose", "LEDGER", "--certificates", "made")
    made = list(Path("made").iterdir()) if Path("made").exists() else []
    assert bool(made) == (not computed)
    assert all(verify_bytes(each.read_bytes()).status == "accepted" for each in made)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "family", slow_after(4, [each for each in FAMILIES if each != "approximate"])
)
def test_a_delta_below_what_fails_is_infeasible_beside_every_family(family: str) -> None:
    _write(FAMILIES[family], _relation(family), "1/50")
    ledger = json.loads(Path("LEDGER").read_text())
    ledger["mechanisms"].append({"epsilon": 1, "delta": "0.0134"})
    Path("LEDGER").write_text(json.dumps(ledger))
    composed = exactdp("compose", "LEDGER", "--delta", "0.0049", "--json")
    assert (composed.code, composed.result["feasible"]) == (0, False)
    least = {"one-sided pair": "0.023266"}.get(family, "0.0134")
    assert composed.result["least_feasible_delta"] == least
    certified = exactdp("certify", "LEDGER", "--epsilon", "1", "--delta", "0.0049", "--json")
    assert certified.code == 1
    assert certified.result["verdict"] in ("fails", "refuted")


@pytest.mark.usefixtures("place")
def test_text_says_that_an_answer_was_computed_and_why_there_is_no_certificate() -> None:
    clipped = {"laplace": {"scale": "10"}, "clip": 1, "rate": "1/2", "count": 100}
    ledger = {"mechanisms": [clipped], "neighbouring": "replace-one"}
    Path("clipped.json").write_text(json.dumps(ledger))
    asked = ("clipped.json", "--delta", "0")
    answer = exactdp("compose", *asked, "--certificates", "made")
    assert answer.code == 0
    assert "ε ≤ 10 at δ = 0 (computed; tight)" in answer.out
    assert "evidence         computed" in answer.out
    assert "no rule of certificates states these yet" in answer.out
    claim = exactdp("certify", *asked, "--epsilon", "10", "-o", "claim.json")
    assert (claim.code, Path("claim.json").exists()) == (0, False)
    assert "proved" not in claim.out
    refused = exactdp("certify", *asked, "--epsilon", "9.99")
    assert refused.code == 1
    assert "refuted" not in refused.out
    point = exactdp("profile", "-m", "laplace=10*100", "--epsilon", "10")
    assert "ε ≤ 10 at δ = 0 (computed)" in point.out
