"""The page that leads three auditors through the verifier: its files, their order, their sizes."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path
from typing import Final

import pytest

from exactdp.verifier.rules import RULES
from tests.cli.running import exactdp
from tools.tables import PATHS, ROW, counted, lines, lines_of_code, paths

ROOT: Final = Path(__file__).resolve().parents[2]
VERIFIER: Final = ROOT / "exactdp" / "verifier"
PAGE: Final = (ROOT / "docs" / "reading-the-verifier.md").read_text(encoding="utf-8")
READ: Final = paths(PAGE)
TABLES: Final = {"format/outcomes.py", "rules/__init__.py", "subjects.py"}
"""Files that hold classes or a table: nothing in them runs when a certificate is verified."""
MOST_LINES: Final = {"ε": 3600, "SGD": 4800, "rows": 4400}
MOST_LINES_OF_THE_KERNEL: Final = 300
TRAINING: Final = {
    "mechanisms": [{"sigma": "1", "rate": "1/100", "count": 30}],
    "neighbouring": "add-remove-one",
}
TRACE: Final = """
import json, sys
from pathlib import Path
from exactdp import verifier
home = str(Path(verifier.__file__).parent)
ran = set()
def called(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(home) and code.co_name != "<module>":
        ran.add(code.co_filename[len(home) + 1:])
for certificate, file, *claim in json.loads(sys.argv[1]):
    data, asked = Path(certificate).read_bytes(), Path(file).read_bytes()
    sys.setprofile(called)
    verdict = verifier.verify_bytes(data, ledger=asked, claim=tuple(claim))
    sys.setprofile(None)
    assert verdict.status == "accepted", verdict
print(json.dumps(sorted(ran)))
"""

Question = tuple[str, str, str, str]
"""A certificate, the file that it is about, and a claim that it settles."""


def _asked(certificate: Path, file: Path) -> Question:
    statement = json.loads(certificate.read_bytes())["statement"]
    return str(certificate), str(file), statement["epsilon"], statement["delta"]


def _deployments() -> list[Question]:
    """Published certificates about mechanisms given by ε and δ, one for each rule and end."""
    found: dict[tuple[str, ...], Question] = {}
    for path in sorted((ROOT / "certs" / "deployments").glob("*.json")):
        certificate = json.loads(path.read_bytes())
        rules = (step["rule"] for step in certificate["derivation"])
        listed = certificate["statement"]["subject"]["mechanisms"]
        if all("epsilon" in each for each in listed):
            ledger = ROOT / "ledgers" / f"{path.name.partition('.')[0]}.json"
            key = (certificate["statement"]["kind"], *rules)
            found.setdefault(key, _asked(path, ledger))
    assert len(found) > 2
    return [*found.values()]


def _training(folder: Path) -> list[Question]:
    ledger = folder / "training.json"
    ledger.write_text(json.dumps(TRAINING), encoding="utf-8")
    answer = exactdp("compose", str(ledger), "--delta", "1e-5", "--certificates", str(folder / "c"))
    assert answer.code == 0, answer.err
    return [_asked(folder / "c" / f"training.{end}.json", ledger) for end in ("upper", "lower")]


def _workload(folder: Path) -> list[Question]:
    workload = ROOT / "examples" / "parallel" / "petersen.json"
    answer = exactdp("parallel", str(workload), "--delta", "1e-6", "--certificates", str(folder))
    assert answer.code == 0, answer.err
    file = folder / "petersen.workload.json"
    return [_asked(folder / f"petersen.{end}.json", file) for end in ("upper", "lower")]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The files of which verifying each reader's certificates runs something."""
    folders = [tmp_path_factory.mktemp(name) for name in ("training", "workload")]
    asked = (_deployments(), _training(folders[0]), _workload(folders[1]))
    return {path: _traced(each) for path, each in zip(PATHS, asked, strict=True)}


def _traced(questions: list[Question]) -> set[str]:
    """In a process of its own: here another test may have left what a function remembers."""
    done = subprocess.run(
        [sys.executable, "-c", TRACE, json.dumps(questions)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def imported(file: str) -> set[str]:
    """The files of the verifier that a file imports from."""
    module = ".".join(["verifier", *Path(file).with_suffix("").parts])
    package = module.removesuffix(".__init__") if file.endswith("__init__.py") else ""
    package = package or module.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse((VERIFIER / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = resolve_name("." * node.level + (node.module or ""), package)
            for name in (base, *(f"{base}.{alias.name}" for alias in node.names)):
                path = "/".join(name.split(".")[1:])
                if (VERIFIER / f"{path}.py").is_file():
                    found.add(f"{path}.py")
    return found


# --- the paths ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_a_path_has_every_file_that_verifying_runs_and_no_other(
    path: str, ran: dict[str, set[str]]
) -> None:
    read = set(READ[path])
    assert read - TABLES == ran[path] - TABLES, f"the marks of {path} in the table"
    assert read >= TABLES


@pytest.mark.parametrize("path", PATHS)
def test_no_file_needs_one_that_stands_after_it(path: str) -> None:
    files = READ[path]
    for position, file in enumerate(files):
        if file not in TABLES:  # tables name what is not read too
            assert (imported(file) & set(files)) <= set(files[:position]), file


@pytest.mark.parametrize("path", PATHS)
def test_what_is_to_be_read_does_not_grow(path: str) -> None:
    assert sum(map(lines, READ[path])) <= MOST_LINES[path]


# --- the page -------------------------------------------------------------------------------------


def test_the_page_says_how_long_each_file_is_and_all_together() -> None:
    listed = re.findall(r"^\| \[`([\w/]+\.py)`\]\((\S+)\)", PAGE, re.MULTILINE)
    assert len(listed) == len(ROW.findall(PAGE)) > 30
    for file, link in listed:
        assert (ROOT / "docs" / link).resolve() == VERIFIER / file
    assert counted(PAGE) == PAGE, "python -m tools.tables writes it"


def test_a_wrong_number_of_lines_is_found_out() -> None:
    for stated in (*re.findall(r"\d+ files, \d+ lines", PAGE), "| 43 | 15 |"):
        wrong = stated.replace("3", "4")
        assert wrong != stated
        assert counted(PAGE.replace(stated, wrong, 1)) == PAGE


def test_only_lines_of_code_are_counted_as_code() -> None:
    assert lines_of_code("arithmetic/__init__.py") == 0
    assert lines_of_code("format/outcomes.py") == 15


def test_the_certificates_of_deployments_are_about_adaptive_composition() -> None:
    for path in (ROOT / "certs" / "deployments").glob("*.json"):
        statement = json.loads(path.read_bytes()).get("statement", {})
        assert statement.get("interaction", "adaptive") == "adaptive", path


def test_the_page_names_the_rules_of_the_first_reader() -> None:
    used = {
        step["rule"]
        for certificate, *_ in _deployments()
        for step in json.loads(Path(certificate).read_bytes())["derivation"]
    }
    assert used
    assert used <= set(re.findall(r"`([\w-]+)`", PAGE))


def test_the_kernel_is_short_and_names_no_rule_and_no_type_of_subject() -> None:
    assert lines("kernel.py") <= MOST_LINES_OF_THE_KERNEL
    text = (VERIFIER / "kernel.py").read_text(encoding="utf-8")
    assert not [rule for rule in RULES if f'"{rule}"' in text]
    assert not [file for file in imported("kernel.py") if file.startswith("rules/")]
