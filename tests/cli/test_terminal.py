"""What reaches a terminal, a pipe, or a full disk."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import EXECUTABLE, GOOGLE, exactdp

HOSTILE: Final = (
    '{"name": "\\u001b[31mred\\u0007\\u009b2J\\u202egnol\\nline", "unit_of_privacy": "\\u001b[2J",'
    ' "mechanisms": [{"epsilon": 1, "label": "\\u001b[31m"}], "target_delta": 0, "claims":'
    ' [{"epsilon": 1, "basis": "composition", "source": "\\u001b[31m"}]}'
)
COMPOSE_FULL: Final = (*EXECUTABLE, "compose", "-m", "1", "--delta", "0")


WIDTHS: Final = [40, *(pytest.param(each, marks=pytest.mark.slow) for each in (80, 200))]


def on_terminal(arguments: Sequence[str], columns: int, **variables: str) -> tuple[int, str]:
    """The exit code and all output of a command on a terminal of so many columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    }
    environment |= {"TERM": "xterm", **variables}
    with subprocess.Popen(
        [*EXECUTABLE, *arguments], stdin=child, stdout=child, stderr=child, env=environment
    ) as process:
        os.close(child)
        data = b""
        try:
            while chunk := os.read(parent, 65536):
                data += chunk
        except OSError:  # the terminal is closed when the process ends
            pass
        code = process.wait(timeout=600)
    os.close(parent)
    return code, data.decode().replace("\r\n", "\n")


def _visible(text: str) -> str:
    """What stays on the screen: without colours and without the progress display."""
    shown = text.rpartition("\x1b[2K")[2]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)


@pytest.mark.slow
@pytest.mark.parametrize("columns", WIDTHS)
def test_tables_fold_to_the_terminal(columns: int) -> None:
    code, text = on_terminal(["compose", GOOGLE], columns)
    visible = _visible(text)
    assert code == 0
    assert max(map(len, visible.splitlines())) <= columns
    words = " ".join(visible.split())
    assert "optimal composition ε ≥ 2.5631831172 ε ≤ 2.5631831173" in words
    assert "claimed 2.64 at δ = 0: holds, with equality" in words


@pytest.mark.slow
@pytest.mark.parametrize("columns", WIDTHS)
def test_long_numbers_fold_and_lose_no_digit(columns: int) -> None:
    arguments = ["compose", "-m", "0.1*9", "--delta", "1e-3", "--tolerance", "1e-60"]
    _, text = on_terminal(arguments, columns)
    visible = _visible(text)
    assert max(map(len, visible.splitlines())) <= columns
    upper = exactdp(*arguments, "--json").result["epsilon"]["upper"]
    assert f"ε≤{upper}" in re.sub(r"\s", "", visible)


@pytest.mark.slow
@pytest.mark.parametrize(
    "columns",
    [
        "0",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("many", "1", "9", "-3", "99999999")),
    ],
)
def test_an_absurd_width_is_no_bug(columns: str) -> None:
    code, text = on_terminal(["compose", GOOGLE], 80, COLUMNS=columns)
    assert code == 0
    assert "Traceback" not in text
    assert "ε≤2.5631831173" in re.sub(r"\s", "", _visible(text))


@pytest.mark.slow
def test_prose_is_a_page_on_a_wide_terminal_and_folds_on_a_narrow_one() -> None:
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "c.json")
    for columns, most in ((200, 88), (40, 40)):
        visible = _visible(on_terminal(["explain", "c.json"], columns)[1])
        assert max(map(len, visible.splitlines()[:-3])) <= most


@pytest.mark.slow
def test_no_line_ends_in_blanks() -> None:
    for arguments in (
        ["compose", GOOGLE],
        ["profile", "-m", "1", "--epsilon", "1"],
        ["certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "c.json"],
        ["explain", "c.json"],
    ):
        assert not re.search(r"[ \t]$", exactdp(*arguments).out, re.MULTILINE)
    visible = _visible(on_terminal(["compose", GOOGLE], 80)[1])
    assert not re.search(r"[ \t]$", visible, re.MULTILINE)


@pytest.mark.slow
def test_in_a_pipe_there_are_no_colours() -> None:
    assert "\x1b" not in exactdp("compose", GOOGLE).out
    assert "\x1b" in on_terminal(["compose", GOOGLE], 80)[1]


@pytest.mark.slow
def test_colours_can_be_declined() -> None:
    _, text = on_terminal(["compose", GOOGLE], 80, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", text)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["compose", "h.json"], ["convert", "h.json", "--to", "csv"]])
def test_no_text_of_a_ledger_steers_the_terminal(place: Path, command: list[str]) -> None:
    (place / "h.json").write_text(HOSTILE)
    code, text = on_terminal(command, 200)
    assert code == 0
    for raw in ("\x1b[31m", "\x1b[2J", "\x9b", "\x07", "\u202e"):
        assert raw not in text
    assert "\\x1b[31m" in text


def test_in_a_pipe_the_text_of_a_ledger_is_escaped_for_people_and_whole_in_files() -> None:
    answer = exactdp("compose", "-", stdin=HOSTILE.encode())
    assert answer.details[0].startswith("\\x1b[31mred\\x07\\x9b2J\\u202egnol")
    answer = exactdp("compose", "-", "--json", stdin=HOSTILE.encode())
    assert answer.result["claims"][0]["source"] == "\x1b[31m"
    assert answer.out.replace("\n", "").isprintable()
    csv = exactdp("convert", "-", "--to", "csv", stdin=HOSTILE.encode())
    assert (
        "'\\x1b[31m,1,0,1" in csv.out
    )  # what spreadsheets and terminals would obey is written out
    text = exactdp("convert", "-", "--to", "json", "--json", stdin=HOSTILE.encode())
    assert text.out.replace("\n", "").isprintable()


def test_a_name_stays_on_one_line_of_the_heading(place: Path) -> None:
    (place / "h.json").write_text(HOSTILE)
    assert "mechanism" in exactdp("compose", "h.json").lines[0]


@pytest.mark.slow
def test_no_argument_steers_the_terminal() -> None:
    for arguments in (
        ["\x1b[31m"],
        ["compose", "--\x1b[31m"],
        ["compose", "\x1b[31m.json", "--delta", "0"],
        ["compose", "-m", "\x1b[31m", "--delta", "0"],
        ["compose", "a", "\x1b[31m"],
        ["compose", "-m", "1", "--delta", "0", "--method", "\x1b[31m"],
        ["certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "\x1b[31m/c"],
        ["verify", "\x1b[31m", "\x9b"],
        ["verify", "a", "--claim", "\x1b[31m,0"],
        ["convert", "-m", "1", "--to", "\x1b[31m"],
    ):
        answer = exactdp(*arguments)
        assert answer.code == 2
        printed = answer.out + answer.err
        assert printed.replace("\n", "").isprintable()


def test_names_of_files_are_escaped_in_tables() -> None:
    answer = exactdp("compose", "-m", "1", "--delta", "0", "--certificates", "\x1b[31m")
    assert answer.code == 0
    assert "\\x1b[31m/ledger.upper.json" in answer.out


@pytest.mark.slow
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_an_answer_that_cannot_be_printed_is_said_on_standard_error(json: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMPOSE_FULL, *json], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "exactdp: standard output: No space left on device: expected a place that takes the "
        "answer\n"
    )


@pytest.mark.slow
def test_closed_streams_are_no_bug() -> None:
    command = " ".join(COMPOSE_FULL)
    redirections = [(">&-", 2), ("<&-", 0), ("2>&-", 0), ("> /dev/full 2>&-", 2)]
    for redirection, code in [*redirections, (">&- 2> /dev/full", 2), ("> /dev/full 2>&1", 2)]:
        shell = ["/bin/sh", "-c", f"{command} {redirection}"]
        done = subprocess.run(shell, capture_output=True, check=False)
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_the_output_is_utf_8_whatever_the_locale_says() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "LC_ALL": "C"}
    done = subprocess.run(COMPOSE_FULL, env=environment, capture_output=True, check=True)
    assert "optimal composition   ε = 1".encode() in done.stdout


@pytest.mark.slow
def test_a_reader_that_has_gone_ends_the_command_quietly() -> None:
    for command in (COMPOSE_FULL, (*EXECUTABLE, "--help"), (*EXECUTABLE, "verify", "x")):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.slow
def test_help_loads_little_and_an_answer_no_table_library_for_json() -> None:
    program = (
        "import sys\n"
        "from exactdp.cli.main import run\n"
        "run(sys.argv[1:])\n"
        "assert not {'rich', 'sympy', 'mpmath', 'jsonschema_rs'} & set(sys.modules)\n"
    )
    for arguments in (["--help"], ["compose", "-m", "1", "--delta", "0", "--json"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["verify missing", "verify missing --json", "--help", "--version"]
)
@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-"])
def test_output_that_is_lost_is_exit_code_2(command: str, redirection: str) -> None:
    shell = ["/bin/sh", "-c", f"{' '.join(EXECUTABLE)} {command} {redirection}"]
    done = subprocess.run(shell, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"exactdp: standard output: ")
    assert done.stderr.count(b"\n") == 1
