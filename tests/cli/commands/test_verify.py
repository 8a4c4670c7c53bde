"""``exactdp verify``: the standalone verifier's verdicts, and questions about them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import exactdp
from tests.marking import slow_after

UPPER = "ACCEPTED  ε ≤ 2 at δ = 0 for 20 mechanisms (upper, adaptive)"


@pytest.fixture(autouse=True)
def certificates(place: Path) -> None:
    """One certificate of each kind, one broken, one that is no certificate."""
    for name, epsilon in (("upper.json", "2"), ("lower.json", "1.9")):
        exactdp("certify", "-m", "0.1*20", "--epsilon", epsilon, "--delta", "0", "-o", name)
    text = (place / "upper.json").read_text()
    (place / "false.json").write_text(text.replace('"20"', '"21"'))
    (place / "ledger.csv").write_text("epsilon,count\n0.1,20\n")
    (place / "ledger.json").write_text('{"mechanisms": [{"epsilon": "0.1", "count": 20}]}')


def test_one_file_is_one_line() -> None:
    answer = exactdp("verify", "upper.json")
    assert (answer.code, answer.details, answer.err) == (0, [UPPER], "")


def test_with_several_files_each_line_is_named_and_the_worst_counts() -> None:
    answer = exactdp("verify", "upper.json", "false.json", "ledger.csv", "lower.json", "missing")
    assert answer.code == 2
    assert [line.split()[:2] for line in answer.details] == [
        ["upper.json:", "ACCEPTED"],
        ["false.json:", "REJECTED"],
        ["ledger.csv:", "MALFORMED"],
        ["lower.json:", "ACCEPTED"],
        ["missing:", "MALFORMED"],
    ]
    assert answer.lines[-1].endswith("cannot read missing: No such file or directory")
    assert exactdp("verify", "false.json", "upper.json").code == 1


@pytest.mark.slow
def test_the_verdicts_are_those_of_the_verifier_alone(place: Path) -> None:
    files = ["upper.json", "false.json", "ledger.csv", "missing", "missing/"]
    for options in ([], ["--json"], ["--ledger=ledger.json"], ["--claim=2,0"], ["--max-cost=1"]):
        alone = subprocess.run(
            [sys.executable, "-I", "-m", "exactdp.verifier", *options, *files],
            cwd=place,
            capture_output=True,
            check=False,
        )
        ours = exactdp("verify", *options, *files)
        assert ours.code == alone.returncode
        if "--json" in options:
            assert ours.document == json.loads(alone.stdout)
        else:
            assert ours.details == alone.stdout.decode().splitlines()


def test_a_certificate_may_come_from_standard_input(place: Path) -> None:
    answer = exactdp("verify", "-", stdin=(place / "upper.json").read_bytes())
    assert (answer.code, answer.details) == (0, [UPPER])


@pytest.mark.parametrize("ledger", ["ledger.json", "ledger.csv", "-"])
def test_the_statement_is_compared_with_a_ledger_in_either_format(place: Path, ledger: str) -> None:
    stdin = (place / "ledger.csv").read_bytes()
    assert exactdp("verify", "upper.json", "--ledger", ledger, stdin=stdin).code == 0
    other = exactdp("verify", "upper.json", "-m", "0.1*21")
    assert (other.code, other.out.partition("reason: ")[2]) == (
        1,
        "the statement is not about this ledger: other mechanisms\n",
    )


def test_the_statement_is_compared_with_mechanisms_on_the_command_line() -> None:
    assert exactdp("verify", "upper.json", "-m", "0.1*19", "-m", "1/10").code == 0


def test_a_ledger_and_mechanisms_at_once_are_refused() -> None:
    answer = exactdp("verify", "upper.json", "-m", "0.1*20", "--ledger", "ledger.json")
    assert (answer.code, answer.out) == (2, "")


def test_a_claim_is_settled_or_not() -> None:
    assert exactdp("verify", "upper.json", "--claim", "2,0").details == [
        f"{UPPER} — proves the claim (2, 0)"
    ]
    assert exactdp("verify", "upper.json", "--claim", "1.99,0").code == 1
    assert "refutes" in exactdp("verify", "lower.json", "--claim", "1.9,0").out


def test_a_cost_above_the_limit_is_refused_before_any_work() -> None:
    answer = exactdp("verify", "upper.json", "--max-cost", "1e3")
    assert (answer.code, answer.details[0].split()[0]) == (2, "REFUSED")


def test_standard_input_is_read_once() -> None:
    assert exactdp("verify", "-", "--ledger", "-").code == 2
    assert "standard input, twice" in exactdp("verify", "-", "-").err


NAMES = [b"plain", "é".encode(), b"\xff", b"a\xe9\\xff", b"\\xff", b"\xed\xb3\xbf", b"new\nline"]


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_after(3, NAMES))
def test_json_gives_a_file_name_back_whatever_its_bytes(place: Path, name: bytes) -> None:
    (place / os.fsdecode(name)).write_bytes((place / "upper.json").read_bytes())
    for module in ("exactdp.verifier", "exactdp"):
        command = [sys.executable, "-m", module, *(["verify"] if module == "exactdp" else [])]
        done = subprocess.run([*command, name, "--json"], capture_output=True, check=False)
        [entry] = json.loads(done.stdout)["result"]["files"]
        text = entry["file"].encode()  # no lone surrogates
        exact = bytes.fromhex(entry["file_bytes"]) if "file_bytes" in entry else None
        assert (done.returncode, done.stderr) == (0, b"")
        assert (text if exact is None else exact) == name
        assert text == name.decode("utf-8", "backslashreplace").encode()


def test_a_ledger_is_called_a_ledger() -> None:
    answer = exactdp("verify", "ledger.json")
    assert (answer.code, answer.details) == (
        2,
        ["MALFORMED  reason: a ledger, not a certificate"],
    )


@pytest.mark.parametrize("command", ["verify", "explain"])
def test_a_report_is_called_a_page(command: str, place: Path) -> None:
    (place / "page.html").write_text('<!DOCTYPE html>"mechanisms", "derivation"')
    answer = exactdp(command, "page.html")
    assert answer.code == 2
    assert "a page, not a certificate: save those that it holds" in answer.out


def test_a_workload_beside_certificates_does_not_fail_the_folder(place: Path) -> None:
    workload = {"domain": {}, "queries": [{"epsilon": 1}]}
    (place / "log.json").write_text(json.dumps(workload))
    assert exactdp("parallel", "log.json", "--certificates", "made").code == 0
    files = sorted(str(path) for path in (place / "made").iterdir())
    assert [name for name in files if name.endswith(".workload.json")]
    answer = exactdp("verify", *files)
    assert (answer.code, len(answer.details)) == (0, len(files) - 1)
    assert "not verified" in answer.err
    assert "log.workload.json" in answer.err
    assert len(exactdp("verify", "--json", *files).result["files"]) == len(files) - 1


def test_only_what_is_named_and_written_as_a_ledger_is_passed_over(place: Path) -> None:
    (place / "false.ledger.json").write_text((place / "false.json").read_text())
    assert exactdp("verify", "upper.json", "false.ledger.json").code == 1
    (place / "other.ledger.json").write_text("{}")
    assert exactdp("verify", "upper.json", "other.ledger.json").code == 2
    assert exactdp("verify", "upper.json", "ledger.json").code == 2
    for name in ("a.ledger.json", "b.ledger.json"):
        (place / name).write_text((place / "ledger.json").read_text())
    alone = exactdp("verify", "a.ledger.json", "b.ledger.json")
    assert (alone.code, "a certificate among them" in alone.err) == (2, True)
    assert exactdp("verify", "a.ledger.json").code == 2
