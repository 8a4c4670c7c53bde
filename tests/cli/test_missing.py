"""A package or a module of the system that is missing is a sentence with its cure, never a bug."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.cli.commands import COMMANDS
from exactdp.cli.missing import EXTRAS, NEEDED, SYSTEMS, lack_of
from tests.sources import nodes

ROOT: Final = Path(__file__).parents[2]
CODE: Final = ROOT / "exactdp"
UNIX: Final = frozenset(
    ("crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
)
"""The modules of Python that not every system has."""
KNOWN_CODES: Final = {0, 1, 2, 3}
LEDGER: Final = str(ROOT / "ledgers" / "google_mobility_2020_user_day.json")
SQL: Final = str(ROOT / "examples" / "parallel" / "log.sql")
OUTCOME: Final = str(ROOT / "examples" / "outcomes" / "one_run.json")
DOMAIN: Final = str(ROOT / "examples" / "parallel" / "domain.json")
CERTIFICATE: Final = str(ROOT / "certs" / "accept" / "sum-upper.json")

INVOCATIONS: Final[dict[str, list[list[str]]]] = {
    "init": [["init", "new.json"]],
    "example": [["example", "rappor"]],
    "compose": [
        ["compose", "-m", "0.1*3", "--delta", "1e-6"],
        ["compose", "book.xlsx", "--delta", "1e-6"],
        ["compose", LEDGER, "--plot", "x.svg"],
        ["compose", "-m", "laplace=2*3", "--delta", "1e-6", "--json"],
    ],
    "profile": [["profile", "-m", "0.1*3", "--epsilon", "0.2", "--plot", "x.svg"]],
    "certify": [["certify", "-m", "0.1*3", "--epsilon", "1", "--delta", "0"]],
    "risk": [["risk", "-m", "0.1*3", "--plot", "x.svg"]],
    "attack": [["attack", OUTCOME, "--plot", "x.svg"]],
    "audit": [["audit", LEDGER]],
    "gate": [["gate", "."]],
    "report": [["report", LEDGER, "-o", "x.html"]],
    "bounds": [["bounds", "-m", "0.1*3", "--delta", "1e-6", "--plot", "y.svg"]],
    "budget": [["budget", "-m", "0.1*3", "--epsilon", "1", "--delta", "1e-6"]],
    "dpsgd": [["dpsgd", "--sigma", "1", "--records", "1000", "--batch", "10", "--epochs", "1"]],
    "filter": [
        ["filter", "init", "x.log", "--budget", "rho=1"],
        ["filter", "spend", "x.log", "-m", "0.1"],
        ["filter", "status", "x.log", "--json"],
    ],
    "papers": [["papers", "mv18", "-m", "0.1*3", "--delta", "1e-6"]],
    "parallel": [["parallel", SQL, "--domain", DOMAIN, "--each", "0.1", "--delta", "1e-6"]],
    "partition": [["partition", "12"]],
    "interactive": [["interactive", "--help"]],
    "crosscheck": [["crosscheck", "-m", "0.1*3", "--delta", "1e-6", "--value", "1"]],
    "hunt": [["hunt", "--accountant", "dp-accounting", "--time-limit", "1"]],
    "verify": [["verify", CERTIFICATE]],
    "attest": [["attest", CERTIFICATE, "--ledger", LEDGER, "--key", "x.pem", "-o", "x.intoto"]],
    "explain": [["explain", CERTIFICATE]],
    "results": [["results", "none.sqlite", "-o", "x.parquet"]],
    "convert": [["convert", LEDGER, "--to", "csv"], ["convert", "entry.yaml", "--to", "json"]],
}
CHILD: Final = """
import contextlib, io, json, sys
blocked = sys.argv[1]
class Blocking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None
sys.meta_path.insert(0, Blocking())
sys.modules.pop(blocked, None)
from exactdp.cli.main import run
for arguments in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    loaded = sorted({name.partition(".")[0] for name in sys.modules})
    print(json.dumps([arguments, code, out.getvalue(), err.getvalue(), loaded]))
"""


@cache
def imported() -> set[str]:
    """The packages that the code imports anywhere, but for itself and the common part of Python."""
    found: set[str] = set()
    for path in CODE.rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Import):
                found |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return {name for name in found - {"exactdp"} if name not in sys.stdlib_module_names} | (
        found & UNIX
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", INVOCATIONS)
def test_no_command_calls_a_missing_module_a_bug(command: str, tmp_path: Path) -> None:
    asked = INVOCATIONS[command]
    used = {name for *_, loaded in invoked("nothing", asked, tmp_path) for name in loaded}
    for module in sorted(used & imported()):
        for arguments, code, said in without(module, asked, tmp_path):
            assert code in KNOWN_CODES, (module, arguments, said)
            if module in said and code == 2:
                assert re.search(CURE, said), (module, arguments, said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("click", "verify"),
        ("fcntl", "filter"),
        ("gmpy2", "compose"),
        ("matplotlib", "profile"),
        ("sqlglot", "parallel"),
    ],
)
def test_a_command_that_needs_a_missing_module_says_what_to_do(
    module: str, command: str, tmp_path: Path
) -> None:
    for arguments, code, said in without(module, INVOCATIONS[command], tmp_path):
        assert code == 2, (arguments, said)
        assert re.search(CURE, said), (arguments, said)
        assert "bug" not in said


CURE: Final = "pip install|Linux or macOS|install a Python"


def without(
    module: str, asked: list[list[str]], tmp_path: Path
) -> Iterator[tuple[list[str], int, str]]:
    """What the commands answer where a module is missing: exit code, and all that is said."""
    for arguments, code, out, err, _ in invoked(module, asked, tmp_path):
        yield arguments, code, out + err


def invoked(module: str, asked: list[list[str]], tmp_path: Path) -> list[Any]:
    """The same with what is written apart, and the packages that were loaded by then."""
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    (tmp_path / "entry.yaml").write_text("deployment:\n  name: x\n")
    (tmp_path / "x.pem").write_text("no key\n")
    done = subprocess.run(
        [sys.executable, "-c", CHILD, module],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked)
    return answers


def test_every_command_is_invoked() -> None:
    assert set(INVOCATIONS) == set(COMMANDS)


@pytest.mark.slow
def test_the_extra_of_every_package_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    names = {
        extra: {normal(requirement) for requirement in extras[extra]}
        for extra in extras
        if extra != "dev"
    }
    needed = {normal(requirement) for requirement in project["dependencies"]}
    distributions = packages_distributions()
    for module, extra in EXTRAS.items():
        assert extra in names
        held = {normal(each) for each in distributions.get(module, ())}
        assert not held or module == "cryptography" or held & names[extra], module
    for module in NEEDED:
        assert {normal(each) for each in distributions[module]} & needed
    assert set(names) == set(EXTRAS.values())
    assert imported() - UNIX <= {*EXTRAS, *NEEDED, *PEERS}


PEERS: Final = ("scipy", "pandas", "pytest", "torch")
"""What extras bring along."""


def normal(requirement: str) -> str:
    """The name of a distribution in a requirement, in one spelling."""
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


@pytest.mark.parametrize("module", sorted(UNIX))
def test_a_module_that_the_system_does_not_have_is_said_to_be_of_the_system(module: str) -> None:
    lack = lack_of(ModuleNotFoundError(name=module))
    assert lack is not None
    assert (lack.exit_code, lack.expected) == (2, SYSTEMS)
    assert f"whose Python has no {module}" in str(lack)


def test_what_fails_on_an_unsupported_system_is_said_to_be_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert lack_of(AttributeError("module 'os' has no attribute 'pread'")) is None
    monkeypatch.setattr("os.name", "nt")
    lack = lack_of(AttributeError("module 'os' has no attribute 'pread'"))
    assert lack is not None
    assert (lack.exit_code, lack.expected) == (2, SYSTEMS)


def test_a_module_of_our_own_that_is_missing_is_a_bug() -> None:
    assert lack_of(ModuleNotFoundError(name="exactdp.none")) is None
    assert lack_of(ValueError("x")) is None


def test_the_systems_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {each for each in project["classifiers"] if each.startswith("Operating System")}
    assert declared == {"Operating System :: MacOS", "Operating System :: POSIX :: Linux"}
    assert SYSTEMS in (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", ["sqlite3", "_sqlite3", "lzma"])
def test_a_module_that_python_was_built_without_asks_for_no_other_system(module: str) -> None:
    lack = lack_of(ModuleNotFoundError(name=module))
    assert lack is not None
    assert (lack.exit_code, lack.code) == (2, "not-installed")
    assert f"without its own module {module}" in str(lack)
