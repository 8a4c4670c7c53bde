"""The promises of README and of the page of guarantees: each is a row of a table, which is run.

Of the sections below every paragraph, item and row is the statement of a row in ``promises.toml``,
or is listed here as one that promises nothing.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.running import exactdp

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = tomllib.loads((ROOT / "tests" / "promises.toml").read_text(encoding="utf-8"))
ROWS: Final[list[dict[str, Any]]] = TABLE["promise"]
SECTIONS: Final = {
    "README.md": (
        "# exactdp",
        "## A certificate, verified",
        "## Other accountants, crosschecked",
        "## Guarantees, and their limits",
        "## From Python",
        "## Exit codes",
    ),
    "docs/guarantees.md": (
        "## What a certificate means",
        "## What it does not mean",
        "## Rounding",
        "## Ties",
    ),
}
NO_PROMISE: Final = {
    (
        "From the source, cloned with `git clone ADDRESS exactdp && cd exactdp`, install it and "
        "compose what Google published about its Community Mobility Reports:"
    ),
    "Pass the tests:",
    "Below, `exactdp` and `python` are those of `.venv/bin`.",
    "A claim is proved or refuted, with a certificate either way:",
    "Not possible yet, or only in part:",
    "| code | meaning |",
    "|---:|---|",
}
"""What introduces the block below it, which another test runs."""
_CODE: Final = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_BETWEEN: Final = re.compile(r"\n\n+|\n(?=- |\||\d+\. )")

HUNDRED: Final = """
import random, sys, exactdp
chance = random.Random(1)
many = [(f"0.{chance.randrange(10**7, 10**8)}", 0) for _ in range(100)]
try:
    answer = exactdp.compose(many, delta="1e-6", tolerance=sys.argv[1])
    print(answer.complete, answer.method)
except exactdp.CostLimitError as error:
    print(error)
"""
BUG: Final = """
import sys
from exactdp.cli import application, main
def broken(arguments):
    raise RuntimeError
application.invoke = broken
sys.exit(main.run(["compose"]))
"""
INTERRUPTED: Final = """
import os, signal, subprocess, sys
program = (
    "import os, signal, sys; from exactdp.cli import application, main; "
    "application.invoke = lambda _: os.kill(os.getpid(), signal.SIGINT) or 0; "
    "sys.argv = ['exactdp', 'compose', '-m', '0.1', '--delta', '0', '--certificates', 'made']; "
    "main.main()"
)
default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
done = subprocess.run([sys.executable, "-c", program], preexec_fn=default, stderr=subprocess.PIPE)
print(done.returncode, [each for each in os.listdir() if each == "made"])
"""
PURE: Final = {"target_delta": "1e-6", "mechanisms": [{"epsilon": "0.1"}]}
MIXED: Final = {
    "interaction": "concurrent",
    "mechanisms": [{"rho": "1/10"}, {"epsilon": "1", "delta": "1e-9"}],
}
FILES: Final = {
    "hundred.py": HUNDRED,
    "bug.py": BUG,
    "interrupted.py": INTERRUPTED,
    "one.json": json.dumps(PURE),
    "two.json": json.dumps(PURE),
    "mixed.json": json.dumps(MIXED),
}


def _blocks(page: str) -> list[str]:
    """The paragraphs, items and rows of the sections that promise something, in one line each."""
    text = _CODE.sub("\n", (ROOT / page).read_text(encoding="utf-8"))
    section, found = "", []
    for block in _BETWEEN.split(text):
        words = " ".join(block.split())
        if words.startswith("#"):
            section = words
        elif words and section in SECTIONS[page]:
            found.append(words)
    return found


@pytest.mark.parametrize("page", SECTIONS)
def test_every_promise_has_a_row_and_every_row_stands_in_its_page(page: str) -> None:
    blocks = [each for each in _blocks(page) if each not in NO_PROMISE]
    statements = [row["statement"] for row in ROWS if row["page"] == page]
    assert statements == blocks


def test_what_promises_nothing_stands_in_a_page() -> None:
    assert {block for page in SECTIONS for block in _blocks(page)} >= NO_PROMISE


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with what the commands read."""
    for name in ("ledgers", "certs", "docs", "tools"):
        (tmp_path / name).symlink_to(ROOT / name, target_is_directory=True)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _outcome(command: str) -> tuple[int, str]:
    program, *arguments = shlex.split(command)
    if program == "exactdp":
        answer = exactdp(*arguments)
        return answer.code, answer.out + answer.err
    assert program == "python"
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, id=row["statement"][:40], marks=[pytest.mark.slow] if "slow" in row else []
        )
        for row in ROWS
    ],
)
@pytest.mark.usefixtures("shop")
def test_a_promise_is_kept(row: dict[str, Any]) -> None:
    assert row["shown"]
    for shown in row["shown"]:
        code, printed = _outcome(shown["command"])
        assert code == shown["code"], (shown["command"], printed)
        assert shown["expected"] in printed, (shown["command"], printed)
