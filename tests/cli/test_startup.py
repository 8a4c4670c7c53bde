"""A command imports what it needs and nothing else, so that it starts at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.running import exactdp

HEAVY = {"flint", "gmpy2", "hypothesis", "jsonschema_rs", "matplotlib", "rich", "sympy"}
ROOMS = {"audit", "cli", "closed_forms", "composition", "conversion", "crosscheck", "hardness"}
ROOMS |= {"interactive", "ledger", "papers", "parallel", "verifier"}
PROGRAM = """
import contextlib, io, sys
from exactdp.cli.main import run
with contextlib.redirect_stdout(io.StringIO()):
    run(sys.argv[1:])
print(*sys.modules, sep="\\n")
"""
COMPOSE = ("compose", "-m", "0.1,1e-9*50", "--delta", "1e-6")


def modules_of(*arguments: str) -> set[str]:
    """What a process has imported once it has run a command."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def rooms_of(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("exactdp.")} & ROOMS


@pytest.mark.parametrize("page", ["--version", "--help"])
def test_pages_import_no_command(page: str) -> None:
    modules = modules_of(page)
    assert rooms_of(modules) == {"cli"}
    assert modules & HEAVY == set()
    assert not any(name.startswith("exactdp.cli.commands.") for name in modules)


def test_verifying_imports_the_verifier_and_nothing_of_the_engine() -> None:
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "one.json")
    modules = modules_of("verify", "one.json")
    assert rooms_of(modules) == {"cli", "verifier"}
    assert modules & HEAVY == set()
    assert "exactdp.arithmetic" not in modules


def test_composing_imports_no_other_command() -> None:
    modules = modules_of(*COMPOSE, "--json")
    assert modules & HEAVY == {"flint", "gmpy2"}
    others = {name for name in modules if name.startswith("exactdp.cli.commands.")}
    assert others == {"exactdp.cli.commands.compose"}
    assert not rooms_of(modules) & {"crosscheck", "hardness", "interactive", "parallel", "verifier"}


def test_tables_need_no_more_than_one_library() -> None:
    assert modules_of(*COMPOSE) & HEAVY == {"flint", "gmpy2", "rich"}
