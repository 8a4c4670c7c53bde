"""The table of options says of the library what the library says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
import pytest

from exactdp.accountants.protocol import UNSPECIFIED
from exactdp.budgets.budget import DEFAULT_TOLERANCE as BUDGET_TOLERANCE
from exactdp.budgets.notions import DIAL_TOLERANCE
from exactdp.certificate.theorems import CONCURRENT
from exactdp.cli import commands
from exactdp.cli.application import exactdp_command
from exactdp.cli.commands import COMMANDS
from exactdp.cli.option_table import TAKES
from exactdp.cli.options import parameters
from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE, NOISE_TOLERANCE
from exactdp.composition.engines.engine import METHODS
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger.model import INTERACTION
from exactdp.ledger.reading import FORMATS, READERS
from exactdp.literature import ALGORITHMS
from exactdp.spending.budget import KINDS
from exactdp.spending.lines import NEIGHBOURING
from exactdp.spending.records import FORMATS as RECORDS
from exactdp.training.plans import LOADERS
from exactdp.training.promises import TOLERANCES
from exactdp.verifier import DEFAULT_MAX_COST as VERIFIER_MAX_COST
from exactdp.workloads.collations import BINARY
from exactdp.workloads.composing import DEFAULT_TIME_LIMIT
from tests.marking import each_case

NAMES: Final = [name for name in TAKES if not name.startswith("@")]
VERIFYING: Final = ("attest", "explain", "verify")
WITH_NOISE: Final = f"{DEFAULT_TOLERANCE}, or {NOISE_TOLERANCE} with noise"
BUDGET: Final = f"{BUDGET_TOLERANCE}, or {DIAL_TOLERANCE} with noise"


def taken(name: str) -> dict[str, click.Parameter]:
    return {str(each.name): each for each in parameters(name)}


def test_every_command_takes_what_its_block_lists() -> None:
    found = []
    for name in COMMANDS:
        command = exactdp_command.get_command(click.Context(exactdp_command), name)
        inner = command.commands if isinstance(command, click.Group) else {"": command}
        found += [f"{name} {each}".strip() for each in inner]
    assert sorted(found) == sorted(NAMES)


@pytest.mark.parametrize(
    ("name", "option", "words"),
    [
        ("compose", "method", METHODS),
        ("compose", "interaction", INTERACTION),
        ("convert", "from_format", READERS),
        ("convert", "to_format", FORMATS),
        ("filter import", "format_", RECORDS),
        ("filter init", "by", KINDS),
        ("papers", "algorithm", ALGORITHMS),
    ],
)
def test_what_stands_for_a_value_lists_what_there_is(
    name: str, option: str, words: tuple[str, ...]
) -> None:
    assert taken(name)[option].metavar == "|".join(words)


@pytest.mark.parametrize(
    ("name", "option", "choices"),
    [
        ("dpsgd", "loader", LOADERS),
        ("filter init", "by", KINDS),
        ("filter init", "neighbouring", NEIGHBOURING),
        ("papers", "algorithm", ALGORITHMS),
        ("parallel", "collation", (BINARY,)),
    ],
)
def test_choices_are_those_of_the_library(name: str, option: str, choices: tuple[str, ...]) -> None:
    kind = taken(name)[option].type
    assert isinstance(kind, click.Choice)
    assert tuple(kind.choices) == tuple(choices)


@pytest.mark.parametrize(
    ("name", "option", "default"),
    [
        ("papers", "tolerance", DEFAULT_TOLERANCE),
        ("parallel", "time_limit", DEFAULT_TIME_LIMIT),
        ("filter init", "neighbouring", UNSPECIFIED),
    ],
)
def test_defaults_are_those_of_the_library(name: str, option: str, default: object) -> None:
    assert value_of(taken(name)[option]) == default


def value_of(option: click.Parameter) -> Any:  # noqa: ANN401 (of whatever kind)
    context = click.Context(click.Command("x"))
    return option.type_cast_value(context, option.get_default(context))


@each_case("name", [name for name in NAMES if "max_cost" in taken(name)])
def test_work_is_limited_as_the_engine_or_the_verifier_limits_it(name: str) -> None:
    limit = VERIFIER_MAX_COST if name in VERIFYING else DEFAULT_MAX_COST
    assert value_of(taken(name)["max_cost"]) == limit


@pytest.mark.parametrize(
    ("name", "shown"),
    [(name, WITH_NOISE) for name in ("compose", "profile", "bounds", "parallel", "crosscheck")]
    + [("budget", BUDGET)],
)
def test_what_is_shown_for_noise_is_what_the_library_takes(name: str, shown: str) -> None:
    option = taken(name)["tolerance"]
    assert isinstance(option, click.Option)
    assert option.show_default == shown


def test_the_widths_of_loaders_are_those_of_the_library() -> None:
    option = taken("dpsgd")["tolerance"]
    assert isinstance(option, click.Option)
    assert "(default: 1e-4; of allocated ones and of a fixed size 1e-2; of" in str(option.help)
    assert set(TOLERANCES) == set(LOADERS)
    wide = {loader for loader, width in TOLERANCES.items() if width == "1e-2"}
    assert wide == {"allocated", "fixed-size"}
    assert TOLERANCES["shuffled"] == "1e-1"
    assert {TOLERANCES[each] for each in TOLERANCES.keys() - wide - {"shuffled"}} == {"1e-4"}


def test_the_theorems_of_concurrent_composition_are_listed() -> None:
    option = taken("compose")["theorem"]
    assert isinstance(option, click.Option)
    assert f": {', '.join(theorem.name for theorem in CONCURRENT)} (" in str(option.help)


def test_no_command_is_longer_than_120_lines() -> None:
    files = [*Path(commands.__file__).parent.glob("[a-z]*.py")]
    assert len(files) == len(COMMANDS)
    for file in files:
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 120, file.name
