"""The public names: few, importable, and loaded only when they are used."""

from __future__ import annotations

import builtins
import inspect
import subprocess
import sys

import pytest

import exactdp
from exactdp.cli.commands import COMMANDS
from tests.marking import each_case

HEAVY = ("gmpy2", "flint", "sympy", "mpmath", "exactdp.composition", "exactdp.arithmetic")


def loaded_after(statement: str) -> list[str]:
    """Which heavy modules are loaded after ``statement`` in a fresh interpreter."""
    code = f"import sys\n{statement}\nprint(' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    return done.stdout.split()


def test_beside_the_commands_there_are_at_most_twenty_nine_public_names() -> None:
    assert len({*dir(exactdp)} - COMMANDS.keys()) <= 29
    assert exactdp.__all__ == sorted(exactdp.__all__)
    assert {*dir(exactdp)} - {*exactdp.__all__} == {"filter"}


def test_no_name_shadows_a_builtin_where_all_are_imported() -> None:
    namespace: dict[str, object] = {}
    exec("from exactdp import *", namespace)  # noqa: S102 (as users do)
    assert not {*namespace} & {*dir(builtins)} - {"__builtins__", "__name__", "__doc__"}
    assert "compose" in namespace


@each_case("name", dir(exactdp))
def test_every_public_name_can_be_imported_and_is_documented(name: str) -> None:
    value = getattr(exactdp, name)
    assert name == "__version__" or value.__doc__


def test_no_public_function_takes_an_object_for_a_number_or_a_text() -> None:
    taken = {
        f"{name} {parameter.name}"
        for name in dir(exactdp)
        if name != "Number" and callable(value := getattr(exactdp, name))
        for parameter in inspect.signature(value).parameters.values()
        if parameter.annotation == "object"
    }
    assert taken == {
        *(f"{name} value" for name in dir(exactdp) if name.endswith("Error")),  # as it was found
        "read_ledger source",  # a table of any library
    }


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'optcomp'"):
        _ = exactdp.optcomp


def test_importing_the_package_loads_no_engine() -> None:
    assert loaded_after("import exactdp") == []


def test_importing_the_verifier_loads_no_engine() -> None:
    assert loaded_after("import exactdp.verifier") == []
    assert loaded_after("from exactdp import verify, Verdict") == []


def test_using_a_name_loads_what_it_needs() -> None:
    assert "flint" in loaded_after("from exactdp import compose")


def test_the_accountants_are_there_after_an_import_of_the_package_alone() -> None:
    code = "import exactdp; print(exactdp.accountants.ExactAccountant())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
