"""``exactdp papers``: answer, promise and what is certified stand apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.composition.engines.engine import METHODS
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.literature import ALGORITHMS
from exactdp.pages.facts import rows_of
from exactdp.pages.facts.papers import run_algorithm
from exactdp.verifier import verify_bytes
from tests.cli.running import exactdp
from tests.marking import each_case

NO_LIMIT = 10**15
TWENTY = [("0.1", "0", 20)]


@pytest.mark.parametrize("algorithm", ["mv18", "mv16", "poster"])
@pytest.mark.parametrize("delta", ["2^-30", "1e-10"])
def test_the_report_separates_answer_promise_and_what_is_certified(
    algorithm: str, delta: str
) -> None:
    ledger = Ledger.of([("0.0299", "1e-11", 90), ("ln(1.03)", 0, 10)])
    option = {"t": "500"} if algorithm == "poster" else {"eta": "0.1"}
    report = run_algorithm(algorithm, ledger, delta=delta, **option)  # type: ignore[arg-type]
    names = {name for name, _ in rows_of(report.facts)}
    assert {"the paper's promise", "certified"} <= names
    assert report.refuted is (algorithm != "mv18" and delta == "2^-30")
    for data in report.certificates.values():
        assert verify_bytes(data, max_cost=NO_LIMIT).status == "accepted"


def test_the_report_of_a_decision_names_the_readings_that_are_wrong() -> None:
    ledger = Ledger.of(TWENTY)
    report = run_algorithm("poster", ledger, delta="1/20", t="10", epsilon="0.3")
    assert report.refuted
    assert "wrong: rounded" in dict(rows_of(report.facts))["certified"]


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        ("mv18", {}),
        ("mv16", {"eta": "1", "t": "3"}),
        ("poster", {"eta": "1", "t": "3"}),
        ("poster", {}),
        ("mv18", {"eta": "1", "epsilon": "3"}),
        ("table", {"eta": "1"}),
        ("poster", {"t": "3", "odds": "3"}),
    ],
)
def test_options_of_another_algorithm_are_refused(algorithm: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="--"):
        run_algorithm(algorithm, Ledger.of(TWENTY), delta="1/20", **options)  # type: ignore[arg-type]


def test_a_refuted_answer_is_printed_with_its_certificate_and_exit_code_1(place: Path) -> None:
    question = ("-m", "0.0299*100", "--delta", "2^-30", "--eta", "0.1")
    answer = exactdp("papers", "mv16", *question, "--certificates", ".")
    assert answer.code == 1
    assert "REFUTED" in answer.out
    assert verify_bytes((place / "ledger.refutation.json").read_bytes()).status == "accepted"


@each_case("algorithm", ALGORITHMS)
@each_case("command", ["compose", "profile", "certify", "bounds", "budget"])
def test_commands_that_compose_name_the_command_of_the_papers(command: str, algorithm: str) -> None:
    answer = exactdp(command, "-m", "0.1*20", "--method", algorithm)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        f"exactdp: --method: {algorithm}: expected {' or '.join(METHODS)}; the papers' algorithms "
        f"have a command of their own: exactdp papers {algorithm}\n"
    )
