"""A mechanism in one line means the same to every command, and what a ledger's files say of it.

Texts are generated over all families, all that may stand beside them, and values of every kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import click
import pytest

from exactdp.cli.application import exactdp_command
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.formats.inline import entry_of_inline, parse_inline
from exactdp.ledger.reading import read_ledger
from exactdp.ledger.rows import ledger_of_rows
from exactdp.mechanisms import Entry, SampledMechanism
from exactdp.mechanisms.entries import BESIDE, DEFAULTS, FLAT, KEYS
from exactdp.spending.stated import parse_spend, spend_of
from tests.cli.running import exactdp
from tests.families import KEYS as NOISE
from tests.marking import each_case

Cells = dict[str, str]

GOOD: Final[Cells] = {
    "epsilon": "1/0.5", "delta": "1e-9", "rho": "1/8", "mu": "0.5", "sigma": "1.1",
    "mu_squared": "1.62", "gaussian_rho": "0.81", "variance": "2",
    "laplace": "2", "bounded_range": "0.1", **dict.fromkeys(NOISE, "25/4"),
    "sensitivity": "1/2", "shifts": "3", "clip": "2", "rate": "256/6e4", "batches": "10",
    "epochs": "2", "order": "persistent", "records_per_person": "3",
}  # fmt: skip
BAD: Final = ("0", "-1", "01", "1-2", "10%", "ln 3", "x", "1e400000", "1/0", "2026-01-05")
NOTIONS: Final = BESIDE
FIRST: Final = {name: key.first for name, key in KEYS.items() if key.first}
CERTIFICATE: Final = str(next((Path(__file__).parents[2] / "certs" / "accept").glob("*.json")))
DOCS: Final = Path(__file__).parents[2] / "docs" / "ledgers.md"


# --- what is written ----------------------------------------------------------------------------


def good_shapes() -> Iterator[Cells]:
    """Every family with every choice of what may stand beside it."""
    for family, beside in NOTIONS.items():
        for size in range(len(beside) + 1):
            for chosen in combinations(beside, size):
                yield {key: GOOD[key] for key in (family, *chosen)}


def bad_shapes() -> Iterator[Cells]:
    """Those with one value that is none, or with what belongs to another family."""
    for family, beside in NOTIONS.items():
        for key in (family, *beside):
            for value in BAD:
                yield {family: GOOD[family], key: value}
        for other in (*NOTIONS, *FLAT, "delta"):
            if other not in (family, *beside):
                yield {family: GOOD[family], other: GOOD[other]}


SHAPES: Final = [*good_shapes(), *bad_shapes()]


def inline(cells: Cells) -> str:
    return ",".join(f"{key}={value}" for key, value in cells.items())


def nested(cells: Cells) -> dict[str, Any]:
    """The object of a JSON ledger, written apart from the reader."""
    entry: dict[str, Any] = dict(cells)
    if "shifts" in entry:
        entry["shifts"] = entry["shifts"].split("+")
    if "batches" in entry:
        entry["shuffled"] = {
            key: entry.pop(key) for key in ("batches", "epochs", "order") if key in entry
        }
    for family, first in FIRST.items():
        if family in entry:
            own = {key: entry.pop(key) for key in ("sensitivity", "shifts") if key in entry}
            entry[family] = {first: entry[family], **own}
    return entry


# --- the readers --------------------------------------------------------------------------------

Read = Entry | str
"""A mechanism, or the word that it is refused."""
REFUSED: Final = "refused"


def in_line(cells: Cells) -> Read:
    return read_inline(inline(cells))


def in_line_backwards(cells: Cells) -> Read:
    return read_inline(inline(dict(reversed(cells.items()))))


def read_inline(text: str) -> Read:
    try:
        return parse_inline(text)
    except InputError as error:
        return REFUSED if error.path.startswith("-m ") else f"placed at {error.path}"


def in_line_as_json_nests(cells: Cells) -> Read:
    family = next(iter(cells))
    if family not in FIRST:
        return in_line(cells)
    rest = inline({k: v for k, v in cells.items() if k != family})
    return read_inline(f"{family},{FIRST[family]}={cells[family]}" + (f",{rest}" if rest else ""))


def in_csv(cells: Cells) -> Read:
    return read_file(f"{','.join(cells)}\n{','.join(cells.values())}\n".encode())


def in_json(cells: Cells) -> Read:
    entry = nested(cells)
    relation = "zero-out" if "shuffled" in entry else "add-remove-one"
    return read_file(json.dumps({"neighbouring": relation, "mechanisms": [entry]}).encode())


def read_file(data: bytes) -> Read:
    try:
        return read_ledger(data).mechanisms[0]
    except InputError as error:
        return REFUSED if error.path else "placed nowhere"


def in_rows(cells: Cells) -> Read:
    return read_row(dict(cells))


def in_nested_rows(cells: Cells) -> Read:
    return read_row(nested(cells))


def read_row(row: dict[str, Any]) -> Read:
    try:
        return ledger_of_rows([row]).mechanisms[0]
    except InputError as error:
        return REFUSED if error.path.startswith("row 1") else f"placed at {error.path}"


READERS: Final = (
    *(in_line, in_line_backwards, in_line_as_json_nests),
    *(in_csv, in_json, in_rows, in_nested_rows),
)


@pytest.mark.parametrize("family", NOTIONS)
def test_every_reader_reads_a_shape_as_the_same_mechanism_or_refuses_it(family: str) -> None:
    shapes = [cells for cells in SHAPES if next(iter(cells)) == family]
    for cells in shapes:
        read = {reader.__name__: reader(cells) for reader in READERS}
        assert len(set(map(str, read.values()))) == 1, (cells, read)
    assert any(in_line(cells) != REFUSED for cells in shapes)


def test_what_is_left_out_is_what_the_table_says() -> None:
    for cells in good_shapes():
        family = next(iter(cells))
        left_out = {key: DEFAULTS[key] for key in NOTIONS[family] if key in DEFAULTS}
        if "batches" in cells:
            left_out = {key: left_out[key] for key in ("epochs", "order")}
        else:
            instead = ("sensitivity", "shifts", "records_per_person") if "clip" in cells else ()
            needed = ("rate",) if "records_per_person" in cells else ()
            others = ("epochs", "order", *instead, *needed)
            left_out = {k: v for k, v in left_out.items() if k not in others}
        texts = {k: v if isinstance(v, str) else "+".join(v) for k, v in left_out.items()}
        assert in_line({**cells, **{k: v for k, v in texts.items() if k not in cells}}) == in_line(
            cells
        )


def test_the_table_of_defaults_is_that_of_the_documentation() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for name, value in DEFAULTS.items():
        shown = value if isinstance(value, str | int) else f"[{', '.join(value)}]"
        assert f"| `{name}` | `{shown}` |" in page


# --- the commands -------------------------------------------------------------------------------


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The commands that take -m."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))
    elif any("-m" in option.opts for option in command.params):
        yield path


def arguments(folder: Path) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What else each command needs to read -m."""
    log = folder / "x.log"
    if not log.exists():
        assert exactdp("filter", "init", str(log), "--budget", "rho=1000000").code == 0
    return {
        ("compose",): ("--delta", "1e-6"),
        ("profile",): ("--epsilon", "1"),
        ("certify",): ("--epsilon", "1", "--delta", "1e-6"),
        ("risk",): (),
        ("report",): ("--delta", "1e-6", "-o", str(folder / "page.html")),
        ("bounds",): ("--delta", "1e-6"),
        ("budget",): ("--epsilon", "1", "--delta", "1e-6"),
        ("filter", "spend"): (str(log),),
        ("papers",): ("mv18", "--delta", "1e-6"),
        ("crosscheck",): ("--accountant", "dp-accounting", "--delta", "1e-6"),
        ("verify",): (CERTIFICATE,),
        ("explain",): (CERTIFICATE,),
        ("convert",): ("--to", "json"),
    }


UNREADABLE: Final = (
    *("", "x", "0,1", "0.1,", "0.1*1e3", "0.1*2*3", "2026-01-05", "0.5-0.1", "01", "10%"),
    *("laplace", "laplace,2", "laplace=2,5", "laplace=0", "sigma=1,rate=2", "pair=1", "eps=1"),
    *("rho=1,mu=1", "laplace=2,shifts=1", "discrete_gaussian=4,shifts=1.5", "mu=1,mu=2"),
    *("discrete_laplace=4,shifts=0", "1×10^-6", "laplace,variance=2", "sensitivity=2", "rate=1/2"),
)


def test_the_commands_that_take_a_mechanism_are_all_tested(tmp_path: Path) -> None:
    assert set(commands(exactdp_command)) == set(arguments(tmp_path))


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 6])
def test_every_command_refuses_a_text_with_the_same_words(tmp_path: Path, every: int) -> None:
    for text in UNREADABLE[::every]:
        with pytest.raises(InputError, match="-m ") as caught:
            parse_inline(text)
        for command, further in arguments(tmp_path).items():
            answer = exactdp(*command, *further, "-m", text)
            assert (answer.code, answer.out) == (2, ""), (command, text)
            assert answer.err == f"exactdp: {caught.value}\n", (command, text)


BEYOND: Final = ({"epsilon", "rate"}, {"rho", "rate"}, {"rho", "delta"})
"""What a budget counts, or refuses for its own reasons, and no ledger holds."""


@each_case("cells", [each for each in SHAPES if not any(keys <= each.keys() for keys in BEYOND)])
def test_a_budget_counts_the_mechanism_that_a_ledger_holds_or_says_why_not(cells: Cells) -> None:
    text = inline(cells)
    read = of_ledger(text)
    if isinstance(read, str):
        with pytest.raises(InputError, match="-m ") as refused:
            parse_spend(text)
        assert str(refused.value) == read
    else:
        assert counted(text) in (where_a_record_is_removed(read), None)


def where_a_record_is_removed(entry: Entry) -> Entry:
    """The mechanism as a log has it, which counts samples for such neighbours alone."""
    return replace(entry, clip=None) if isinstance(entry, SampledMechanism) else entry


def of_ledger(text: str) -> Read:
    """The mechanism, or the error in words."""
    try:
        return parse_inline(text)
    except InputError as error:
        return str(error)


def counted(text: str) -> Entry | str | None:
    """The mechanism that the log would hold; None where no budget counts it."""
    try:
        document = spend_of(parse_spend(text)).document
    except UnsupportedError as error:
        return None if error.code == "not-counted" else str(error)
    ledger = {"neighbouring": "add-remove-one", "mechanisms": [document]}
    return read_ledger(json.dumps(ledger).encode()).mechanisms[0]


@pytest.mark.parametrize("text", ["1,rate=1/10", "rho=1/8,delta=1e-9"])
def test_what_a_budget_counts_and_no_ledger_holds_is_refused_there_by_name(text: str) -> None:
    assert spend_of(parse_spend(text)).mechanism.count == 1
    with pytest.raises(UnsupportedError, match=r" beside (epsilon|rho): expected"):
        parse_inline(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["0.1,1e-9*3", "laplace=1/0.11*18", "rho=1/8*2", "sigma=2", "laplace,scale=3"]
)
def test_a_command_answers_for_a_text_what_it_answers_for_its_ledger(
    tmp_path: Path, text: str
) -> None:
    ledger = tmp_path / "x.json"
    assert exactdp("convert", "-m", text, str(ledger)).code == 0
    for command in ("compose", "profile", "bounds"):
        further = arguments(tmp_path)[command,]
        answers = [exactdp(command, *given, *further) for given in (("-m", text), (str(ledger),))]
        assert answers[0].lines[0] == answers[1].lines[0]


def test_the_entry_of_a_text_names_what_was_stated_and_nothing_else() -> None:
    assert entry_of_inline("sigma=2*3") == {"sigma": "2", "count": 3}
    assert entry_of_inline("0.1") == {"epsilon": "0.1"}
    assert entry_of_inline("discrete_gaussian,shifts=1+1,variance=4") == {
        "discrete_gaussian": {"variance": "4", "shifts": ["1", "1"]}
    }
