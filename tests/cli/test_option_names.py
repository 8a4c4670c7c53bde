"""One idea has one option, whichever command takes it, and one option is one idea."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import click
import pytest

from exactdp.cli import topics
from exactdp.cli.commands import COMMANDS
from exactdp.cli.option_table import LAST as ORDER
from exactdp.cli.option_table import TAKES
from exactdp.cli.options import Option, parameters
from tests.cli.running import exactdp
from tests.marking import each_case

LAST: Final = ORDER.split()
NAMES: Final = [name for name in TAKES if not name.startswith("@")]
OTHER_SPELLINGS: Final = {
    "--name": {"--title", "--called"},
    "--delta": {"--target-delta", "--at-delta", "--d"},
    "--epsilon": {"--eps", "--target-epsilon"},
    "--report": {"--page", "--html"},
    "--plot": {"--picture", "--figure", "--draw", "--trade-off", "--chart"},
    "--json": {"--format", "--as-json"},
    "--csv": {"--table"},
    "--certificates": {"--proofs", "--certs"},
    "--output": {"--out", "--to-file"},
    "--force": {"--overwrite", "--replace", "--yes"},
    "--mechanism": {"--mech", "--spend"},
    "--claim": {"--claims", "--claimed"},
    "--tolerance": {"--tol", "--width"},
    "--time-limit": {"--time", "--seconds", "--limit"},
    "--input-timeout": {"--ledger-timeout", "--many-timeout"},
    "--memory": {"--ram"},
    "--jobs": {"--processes", "--workers"},
    "--label": {"--tag"},
}
"""What each idea is called, and what it might be called as well, and is not."""
SEVERAL_WORDS: Final = {
    "--from": "each command reads formats of its own",
    "--output": "a file, or the directory of what a hunt writes",
    "--plot": "its FILE may be left out by parallel, which draws in text as well",
    "--value": "a report asks at one δ, and says whose the number is",
}
"""Options whose value is not called the same everywhere, and why."""


def options() -> Iterator[tuple[str, Option]]:
    for name in NAMES:
        yield from ((name, each) for each in parameters(name) if isinstance(each, Option))


def shown(option: Option) -> str:
    return next(name for name in reversed(option.opts) if name not in option.former)


def shown_in_front(option: click.Parameter) -> bool:
    return isinstance(option, Option) and shown(option)[2:] not in (*LAST, "mechanism", "name")


def test_no_idea_has_two_spellings() -> None:
    seen = {flag for _, each in options() for flag in each.opts if flag not in each.former}
    assert seen >= OTHER_SPELLINGS.keys()
    for name, others in OTHER_SPELLINGS.items():
        assert not seen & others, name


def test_what_means_the_same_has_the_same_name() -> None:
    spelled = defaultdict(set)
    for _, each in options():
        spelled[each.help].add(shown(each))
    same = {meaning: flags for meaning, flags in spelled.items() if len(flags) > 1 and meaning}
    assert same == {}


def test_an_option_takes_a_value_everywhere_or_nowhere_and_calls_it_the_same() -> None:
    values = defaultdict(set)
    for _, each in options():
        values[shown(each)].add("" if each.is_flag else str(each.metavar or each.type.name))
    several = {flag for flag, words in values.items() if len(words) > 1}
    assert several == SEVERAL_WORDS.keys()


def test_a_former_name_is_understood_and_not_shown() -> None:
    former = [(name, each) for name, each in options() if each.former]
    assert len(former) > 5
    for name, each in former:
        context = click.Context(click.Command(name))
        record = each.get_help_record(context)
        assert record is not None
        assert not any(f"{flag} " in f"{record[0]} " for flag in each.former)
        assert {*each.former} < {*each.opts}
    assert exactdp("hunt", "--time", "x").err.startswith("exactdp: --time-limit: x: expected ")


@each_case("name", NAMES)
def test_options_stand_by_their_use(name: str) -> None:
    flags = [shown(each).removeprefix("--") for _, each in options() if _ == name]
    last = [LAST.index(flag) for flag in flags if flag in LAST]
    assert last == sorted(last)
    assert flags[0] == "mechanism" or "mechanism" not in flags
    own = [flag not in LAST for flag in flags]
    assert own == sorted(own, reverse=True)
    needed = [each.required for each in parameters(name) if shown_in_front(each)]
    assert needed == sorted(needed, reverse=True)


@each_case("topic", [(), ("compose",), ("filter", "spend")])
def test_help_shows_the_page_of_a_command(topic: tuple[str, ...]) -> None:
    assert exactdp("help", *topic) == exactdp(*topic, "--help")


def test_a_page_says_once_how_a_mechanism_is_written() -> None:
    page = exactdp("help", "mechanisms")
    assert (page.code, page.err) == (0, "")
    assert "sigma=1.1,rate=256/60000*14063" in page.out
    for name in COMMANDS:
        assert "bounded_range" not in exactdp(name, "--help").out
    answer = exactdp("help", "compse")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("did you mean compose?\n")


def test_a_family_that_the_page_does_not_mention_is_listed_below_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shorter = topics._PAGE.replace("skellam=", "").replace("order=", "")
    monkeypatch.setattr(topics, "_PAGE", shorter)
    further = exactdp("help", "mechanisms").out.partition("Further words:\n")[2].splitlines()
    assert [line.split()[0] for line in further] == ["skellam=…", "order=…"]
    assert "Skellam noise on integers" in further[0]


def test_mechanisms_are_called_as_the_command_line_says(place: object) -> None:
    assert place
    answer = exactdp("compose", "-m", "0.1", "--delta", "0", "--name", "Spring release")
    assert "Spring release: 1 mechanism" in answer.lines
