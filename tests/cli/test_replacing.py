"""Nothing that exactdp did not write is written over, and a pair of certificates stays a pair."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from exactdp.cli.application import exactdp_command
from exactdp.cli.files import unfinished, write_together
from exactdp.cli.replacing import require_replaceable
from exactdp.errors import InputError
from exactdp.pages.verifier_file import archive
from tests.cli.running import Answer, exactdp, files_below

COMPOSE: Final = ("compose", "-m", "0.1*9", "--delta", "1e-3", "--certificates", "out")
CERTIFY: Final = ("certify", "-m", "0.1*9", "--epsilon", "0.9", "--delta", "0", "-o")
OTHERS: Final = (("convert",), ("example",), ("init",))
"""Commands that write where an argument says."""
HAND_WRITTEN: Final = '{"mechanisms": [{"epsilon": 0.1}]}\n'
WRITING: Final = {"--certificates", "--csv", "--output", "--plot", "--report"}


def refused(answer: Answer, name: str) -> bool:
    assert answer.out == ""
    assert "--force" in answer.err
    return answer.code == 2 and f": {name}: expected " in answer.err


def test_a_certificate_is_not_written_through_a_link(place: Path) -> None:
    (place / "ledger.json").write_text(HAND_WRITTEN)
    (place / "out").mkdir()
    (place / "out" / "ledger.lower.json").symlink_to("../ledger.json")
    before = files_below(place)
    assert refused(exactdp(*COMPOSE), "out/ledger.lower.json")
    assert files_below(place) == before


def test_a_certificate_of_our_own_behind_a_link_stays(place: Path) -> None:
    assert exactdp(*CERTIFY, "c.json").code == 0
    (place / "link.json").symlink_to("c.json")
    (place / "nowhere.json").symlink_to("missing.json")
    before = files_below(place)
    for name in ("link.json", "nowhere.json"):
        assert refused(exactdp(*CERTIFY, name), name)
    assert files_below(place) == before


def test_force_replaces_the_link_and_not_what_it_points_to(place: Path) -> None:
    (place / "ledger.json").write_text(HAND_WRITTEN)
    (place / "c.json").symlink_to("ledger.json")
    assert exactdp(*CERTIFY, "c.json", "--force").code == 0
    assert not (place / "c.json").is_symlink()
    assert (place / "ledger.json").read_text() == HAND_WRITTEN
    assert exactdp("verify", "c.json").code == 0


FOREIGN: Final = [HAND_WRITTEN, "notes", '{"format": "exactdp-certificate/1"}', "\0", "{", "[1]"]


@pytest.mark.parametrize("text", FOREIGN)
def test_a_file_of_another_kind_is_not_replaced(place: Path, text: str) -> None:
    (place / "out").mkdir()
    for name, command in (
        ("c.json", (*CERTIFY, "c.json")),
        ("out/ledger.upper.json", COMPOSE),
        ("l.json", ("convert", "-m", "1", "l.json")),
        ("l.csv", ("convert", "-m", "1", "l.csv")),
    ):
        (place / name).write_text(text)
        assert refused(exactdp(*command), name)
        assert (place / name).read_text() == text
        assert exactdp(*command, "--force").code == 0
        assert (place / name).read_text() != text


def test_what_exactdp_wrote_is_replaced(place: Path) -> None:
    for delta in ("1e-3", "1e-4"):
        again = [delta if word == "1e-3" else word for word in COMPOSE]
        assert exactdp(*again).code == 0
    for epsilon in ("0.9", "0.5"):
        again = [epsilon if word == "0.9" else word for word in CERTIFY]
        assert exactdp(*again, "c.json").code in (0, 1)
    for epsilon in ("1", "2"):
        assert exactdp("convert", "-m", epsilon, "l.json").code == 0
        assert exactdp("convert", "-m", epsilon, "l.csv").code == 0
    assert '"2"' in (place / "l.json").read_text()
    assert exactdp("verify", "c.json", "out/ledger.upper.json", "out/ledger.lower.json").code == 0


def _commands(group: click.Command, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from _commands(command, *names, name)
    else:
        yield names, group


def test_every_command_that_writes_has_force() -> None:
    writing = {}
    for names, command in _commands(exactdp_command):
        options = {option for parameter in command.params for option in parameter.opts}
        writing[" ".join(names)] = bool(options & WRITING) or names in OTHERS
        assert writing[" ".join(names)] == ("--force" in options), names
    assert sum(writing.values()) > 8


# --- killed at every step -----------------------------------------------------------------------

KILLING: Final = '''
import json, os, signal, sys
from pathlib import Path
from exactdp.cli.files import write_together

def run(steps, step):
    """Write a pair; die before the given step, which is a call of the system that changes files."""
    def count(*_):
        steps[0] += 1
        if steps[0] == step:
            os.kill(os.getpid(), signal.SIGKILL)
    changing = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}
    sys.addaudithook(lambda event, _: count() if event in changing else None)
    fsync = os.fsync
    os.fsync = lambda descriptor: (count(), fsync(descriptor), count())
    new = {"upper": b"new upper", "lower": b"new lower"}
    write_together({Path(f"out/p.{bound}.json"): new[bound] for bound in new}, "x")

step, prepare = int(sys.argv[1]), sys.argv[2]
os.chdir(sys.argv[3])
while True:
    place = Path(str(step)); place.mkdir(); os.chdir(place)
    exec(prepare)
    child = os.fork()
    if child == 0:
        run([0], step)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    os.chdir("..")
    print(step, flush=True)
    if status == 0:
        break
    step += 1
'''
NEW: Final = {"p.upper.json": b"new upper", "p.lower.json": b"new lower"}
PREPARE_OLD: Final = (
    'Path("out").mkdir()\n'
    'Path("out/p.upper.json").write_bytes(b"")\nPath("out/p.lower.json").write_bytes(b"")'
)
EMPTY: Final = {"p.upper.json": b"", "p.lower.json": b""}


def pair(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.glob("p.*"), reverse=True)}


def killed_at_every_step(place: Path, prepare: str) -> list[Path]:
    command = [sys.executable, "-c", KILLING, "1", prepare, str(place)]
    done = subprocess.run(command, capture_output=True, check=True)
    steps = done.stdout.decode().split()
    assert len(steps) > 10
    return [place / step / "out" for step in steps]


def test_a_kill_leaves_both_files_of_a_new_directory_or_no_directory(place: Path) -> None:
    found = [pair(directory) for directory in killed_at_every_step(place, "")]
    assert all(each in ({}, NEW) for each in found)
    assert (found[0], found[-1]) == ({}, NEW)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepare", "old"), [('Path("out").mkdir()', {}), (PREPARE_OLD, EMPTY)], ids=["none", "old"]
)
def test_a_kill_leaves_the_old_pair_or_the_new_or_says_so(
    place: Path, prepare: str, old: dict[str, bytes]
) -> None:
    torn = 0
    for directory in killed_at_every_step(place, prepare):
        found, names = pair(directory), unfinished(directory)
        assert names in ([], list(NEW))
        assert found in (old, NEW) or names
        torn += found not in (old, NEW)
        write_together({directory / "other.json": b"other"}, "x")
        assert pair(directory) == (NEW if names else found)
        assert unfinished(directory) == []
    assert torn, "a kill between the two renames was among the steps"


def test_a_file_that_was_changed_after_the_kill_is_left_alone(place: Path) -> None:
    killed = killed_at_every_step(place, PREPARE_OLD)
    directory = next(each for each in killed if unfinished(each) and pair(each) != NEW)
    (directory / "p.lower.json").write_bytes(b"by hand")
    write_together({directory / "other.json": b"other"}, "x")
    assert pair(directory) == {**NEW, "p.lower.json": b"by hand"}


def test_verify_says_that_writing_was_cut_short(place: Path) -> None:
    assert exactdp(*COMPOSE).code == 0
    token = f".exactdp-{'1' * 16}"
    entry = {"from": f"{token}.0.tmp", "name": "ledger.upper.json", "old": "", "new": ""}
    (place / "out" / f"{token}.journal").write_text(json.dumps([entry]))
    answer = exactdp("verify", "out/ledger.upper.json", "out/ledger.lower.json")
    assert answer.code == 0
    assert answer.err.startswith("exactdp: out/ledger.upper.json: writing was cut short")


@pytest.mark.parametrize(
    "journal",
    [
        *("", "{", "[1]", "{}x", "[{}]", '[{"from": "../t", "name": "n", "old": "", "new": ""}]'),
        *("[" * 10**6, '{"a":' * 10**5 + "1" + "}" * 10**5),
    ],
    ids=lambda journal: journal[:20],
)
def test_a_journal_that_is_none_is_refused(place: Path, journal: str) -> None:
    name = f".exactdp-{'1' * 16}.journal"
    (place / name).write_text(journal)
    with pytest.raises(InputError, match="journal"):
        write_together({place / "c.json": b"new"}, "x")
    assert set(files_below(place)) == {name}


def test_a_verifier_gives_way_to_one_of_another_version_and_to_nothing_else(place: Path) -> None:
    path = place / "exactdp-verifier.pyz"
    path.write_bytes(archive() + b"older")
    require_replaceable(path, archive(), "--output")
    with pytest.raises(InputError, match="one that exactdp wrote"):
        require_replaceable(path, b"#!/usr/bin/env python3\nprint()\n", "--output")
