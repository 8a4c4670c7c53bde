"""A command imports what it needs and nothing else, so that it starts at once."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from exactdp.cli.commands import COMMANDS
from exactdp.many.store import Asked, Store
from tests.accountants.asking import FAKE
from tests.attestation.signing import PRIVATE
from tests.cli.running import LEDGERS, exactdp

ENGINE: Final = {"flint", "gmpy2"}
LIBRARIES: Final = ENGINE | {
    *("click", "highspy", "hypothesis", "jsonschema_rs", "matplotlib", "mpmath", "networkx"),
    *("cryptography", "numpy", "rfc8785", "rich", "securesystemslib", "sqlglot", "sympy"),
}
PROGRAM: Final = """
import contextlib, io, sys
from exactdp.cli.main import run
with contextlib.redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
if code not in (0, 1):
    sys.exit(f"exit code {code}")
print(*sys.modules, sep="\\n")
"""
COMMAND: Final = "exactdp.cli.commands."
FIFTY: Final = ("-m", "0.1,1e-9*50")
FLOOR: Final = {
    "asides",
    "cli",
    "errors",
    "readable",
    "pages",
    "verification",
    "version",
}
"""What every command may import: it costs nothing."""
OF_MECHANISMS: Final = {
    "arithmetic",
    "certificate",
    "composition",
    "ledger",
    "mechanisms",
    "timing",
}
"""What ``-m`` needs."""
OF_A_LEDGER: Final = OF_MECHANISMS | {"regular_files"}
CERTIFYING: Final = OF_A_LEDGER | {"verifier"}


@dataclass(frozen=True)
class Typical:
    """How a command is typically called, and what it needs for that beside click.

    Attributes:
        arguments: what follows its name.
        rooms: packages of exactdp, beside ``cli``.
        libraries: packages of others.
    """

    arguments: tuple[str, ...]
    rooms: set[str]
    libraries: frozenset[str] = frozenset(ENGINE)


PROGRAM_OF_OUR_OWN: Final = f"ours={shlex.join([sys.executable, '-I', str(FAKE), '0.9'])}"
COIN: Final = str(LEDGERS / "interactive" / "randomized_response.json")
TYPICAL: Final = {
    "init": Typical(("new.csv",), {"templates"}, frozenset()),
    "example": Typical(("rappor",), {"templates"}, frozenset()),
    "compose": Typical((*FIFTY, "--delta", "1e-6"), OF_MECHANISMS),
    "profile": Typical((*FIFTY, "--epsilon", "1"), OF_MECHANISMS),
    "certify": Typical(
        (*FIFTY, "--epsilon", "5", "--delta", "1e-6", "-o", "5.json"),
        OF_MECHANISMS | {"claims", "verifier"},
    ),
    "risk": Typical(FIFTY, OF_MECHANISMS | {"attacks"}),
    "attack": Typical(("outcome.json", "--against", "1,0"), OF_A_LEDGER | {"attacks"}),
    "audit": Typical(("claims.csv",), OF_A_LEDGER | {"attacks", "claims", "group_privacy"}),
    "gate": Typical(
        ("exactdp.toml",),
        OF_A_LEDGER | {"attacks", "claims", "group_privacy", "many", "policies"},
    ),
    "report": Typical(
        ("fifty.csv", "--delta", "1e-6", "-o", "page.html"),
        CERTIFYING | {"attacks", "claims", "group_privacy"},
    ),
    "bounds": Typical((*FIFTY, "--delta", "1e-6"), OF_MECHANISMS | {"group_privacy"}),
    "budget": Typical(
        ("-m", "0.1", "--epsilon", "1", "--delta", "1e-6"), OF_A_LEDGER | {"budgets"}
    ),
    "dpsgd": Typical(
        ("--batch", "5", "--examples", "9", "--noise", "2", "--epochs", "1", "--delta", "1e-5"),
        OF_MECHANISMS | {"training"},
    ),
    "filter": Typical(
        ("init", "spent.log", "--budget", "epsilon=1"),
        OF_A_LEDGER | {"spending"},
    ),
    "papers": Typical(
        ("mv18", *FIFTY, "--delta", "1e-6", "--eta", "1"),
        OF_MECHANISMS | {"literature", "verifier"},
    ),
    "parallel": Typical(
        ("queries.sql", "--domain", "domain.json"),
        OF_A_LEDGER | {"budgets", "workloads"},
        frozenset({*ENGINE, "jsonschema_rs", "sqlglot"}),
    ),
    "partition": Typical(("2", "3", "6"), OF_MECHANISMS | {"hardness"}),
    "interactive": Typical(
        (COIN,),
        {
            "arithmetic",
            "certificate",
            "composition",
            "interaction",
            "ledger",
            "mechanisms",
            "regular_files",
            "timing",
            "verifier",
        },
        frozenset({*ENGINE, "jsonschema_rs"}),
    ),
    "crosscheck": Typical(
        (*FIFTY, "--delta", "1e-6", "--value", "6"), CERTIFYING | {"accountants"}
    ),
    "hunt": Typical(
        ("--program", PROGRAM_OF_OUR_OWN, "--seed", "7", "--time-limit", "60"),
        CERTIFYING | {"accountants"},  # the first corner is a case: nothing is drawn
    ),
    "verify": Typical(("one.json",), {"regular_files", "verifier"}, frozenset()),
    "attest": Typical(
        ("one.json", "--ledger", "one.csv", "--key", "key.pem", "-o", "envelope.json"),
        {
            *("arithmetic", "attestation", "ledger", "mechanisms", "regular_files", "timing"),
            "verifier",
        },
        frozenset({*ENGINE, "cryptography", "rfc8785", "securesystemslib"}),
    ),
    "explain": Typical(
        ("one.json",),
        {*OF_A_LEDGER, "verifier"} - {"composition"},
        frozenset({*ENGINE, "rich"}),
    ),
    "results": Typical(("store",), {"arithmetic", "ledger", "many", "mechanisms", "timing"}),
    "convert": Typical((*FIFTY, "--to", "csv"), OF_A_LEDGER - {"composition"}),
}


TRIED_OFTEN: Final = ("compose", "explain", "init", "parallel", "verify")
"""One of each kind; all others start a process each in the slow tests."""


@pytest.fixture
def files(place: Path) -> None:
    """What typical calls read."""
    (place / "claims.csv").write_text("epsilon\n1\n")
    policy = 'format = "exactdp-policy/1"\nledgers = ["claims.csv"]\n[[budgets]]\nscope = "each"\n'
    (place / "exactdp.toml").write_text(f"{policy}epsilon = 1\n")
    (place / "fifty.csv").write_text("epsilon,delta,count\n0.1,1e-9,50\n")
    (place / "queries.sql").write_text("-- epsilon: 1\nSELECT COUNT(*) FROM people WHERE age < 9;")
    domain = {"format": "exactdp-workload/1", "domain": {"age": {"size": 99}}, "queries": []}
    (place / "domain.json").write_text(json.dumps(domain))
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "one.json")
    Store(place / "store", Asked("compose", "1", "")).close()
    (place / "one.csv").write_text("epsilon\n1\n")
    (place / "outcome.json").write_text('{"canaries": 100, "guesses": 20, "right": 19}')
    (place / "key.pem").write_bytes(PRIVATE)


def modules_of(*arguments: str) -> set[str]:
    """What a process has imported once it has run a command."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def rooms_of(modules: set[str]) -> set[str]:
    return set(_rooms(modules)) - FLOOR


def _rooms(modules: set[str]) -> Iterator[str]:
    return (name.split(".")[1] for name in modules if name.startswith("exactdp."))


def test_it_is_known_of_every_command_how_it_is_typically_called() -> None:
    assert TYPICAL.keys() == COMMANDS.keys()


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, marks=() if each in TRIED_OFTEN else pytest.mark.slow)
        for each in COMMANDS
    ],
)
def test_a_command_imports_what_it_needs(command: str) -> None:
    typical = TYPICAL[command]
    modules = modules_of(command, *typical.arguments)
    assert rooms_of(modules) == typical.rooms
    assert modules & LIBRARIES == typical.libraries | {"click"}
    others = {name.removeprefix(COMMAND) for name in modules if name.startswith(COMMAND)}
    assert others == {command}


@pytest.mark.parametrize("page", ["--version", "--help", "help"])
def test_pages_import_no_command(page: str) -> None:
    modules = modules_of(page)
    assert rooms_of(modules) == set()
    assert modules & LIBRARIES == {"click"}
    assert not any(name.startswith(COMMAND) for name in modules)
