r"""Run the commands that the pages show, and write what they print below them.

A block fenced as ``console`` holds commands, each after ``$ ``, and their output. All commands of
a page run in order in one empty directory that has ``ledgers``, ``certs`` and ``examples`` of this
project in it, so that a command sees the files of those before it. Blanks at the ends of lines are
not kept.

    python tools/refresh_readme.py [--check] [PAGE...]
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = "```console\n"
PAGES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if FENCE in path.read_text(encoding="utf-8")
)
SHOWN = ("ledgers", "certs", "examples")

_BLOCK = re.compile(rf"(?<=^{FENCE})(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*(?:(?<=\\)\n.*)*)$", re.MULTILINE)
# The reader's first command also installs exactdp; whoever runs this has done that.
_INSTALLATION = re.compile(r"^python3 -m venv \S+ && \S+pip install [^&]*&& [^ ]*/bin/")


def refreshed(page: str) -> str:
    """The text of a page, with the output of its commands as it is now."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for shown in SHOWN:
            (place / shown).symlink_to(ROOT / shown, target_is_directory=True)
        return _BLOCK.sub(lambda block: _run_block(block[1], place), page)


def commands(page: str) -> list[str]:
    """The commands that a page shows."""
    return [command for block in _BLOCK.findall(page) for command in _COMMAND.findall(block)]


def _run_block(block: str, place: Path) -> str:
    return "".join(f"$ {command}\n{_run(command, place)}" for command in _COMMAND.findall(block))


def _run(command: str, place: Path) -> str:
    """What a command prints, to either stream."""
    done = subprocess.run(  # noqa: S603 (the commands are our own)
        ["/bin/sh", "-c", _INSTALLATION.sub("", command.replace("\\\n", " "))],
        cwd=place,
        env={
            "HOME": str(place),
            "LC_ALL": "C.UTF-8",
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin")),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the pages, or only show what would change; return the exit code."""
    parser = argparse.ArgumentParser(description="Run the commands that the pages show.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    parser.add_argument("pages", nargs="*", default=PAGES, metavar="PAGE", help="default: all")
    options = parser.parse_args(arguments)
    changed = False
    for name in options.pages:
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = refreshed(before)
        changed |= before != after
        sys.stdout.writelines(
            difflib.unified_diff(
                before.splitlines(keepends=True), after.splitlines(keepends=True), name, "now"
            )
        )
        if not options.check:
            path.write_text(after, encoding="utf-8")
    return int(options.check and changed)


if __name__ == "__main__":
    sys.exit(main())
