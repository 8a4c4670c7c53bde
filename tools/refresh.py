r"""Run what the pages and the notebooks show, and write what it prints below it.

- *Pages*: a block fenced as ``console`` holds commands, each after ``$ ``, and their output. All
  commands of a page run in order in one empty directory that has ``ledgers``, ``certs`` and
  ``examples`` of this project in it, so that a command sees the files of those before it. Blanks at
  the ends of lines are not kept.
- *Notebooks* of ``examples``: cells run in order in one namespace, in the folder of the project; a
  cell shows what it prints and the value of its last line, as a notebook would; the same cells give
  the same bytes.

    python tools/refresh.py [--check] [FILE...]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
FENCE = "```console\n"
PAGES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if FENCE in path.read_text(encoding="utf-8")
)
NOTEBOOKS: Final = tuple(
    path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "examples").glob("*.ipynb"))
)
SHOWN = ("ledgers", "certs", "examples")

_BLOCK = re.compile(rf"(?<=^{FENCE})(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*(?:(?<=\\)\n.*)*)$", re.MULTILINE)
# The reader's first command also installs exactdp; whoever runs this has done that.
_INSTALLATION = re.compile(r"^python3 -m venv \S+ && \S+pip install [^&]*&& [^ ]*/bin/")


def refreshed_page(page: str) -> str:
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


def refreshed_notebook(text: str) -> str:
    """The text of a notebook, with what its cells show now."""
    notebook = json.loads(text)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    with contextlib.chdir(ROOT):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cell["execution_count"] = number
                cell["outputs"] = outputs("".join(cell["source"]), namespace, number)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def outputs(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell shows: its printed lines, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), namespace)  # noqa: S102 (the cells are our own)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)  # noqa: S307 (as above)
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        shown.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": [value._repr_html_()], "text/plain": [str(value)]}
        result = {"data": data, "execution_count": number, "metadata": {}}
        shown.append({**result, "output_type": "execute_result"})
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the files, or only show what would change; return the exit code."""
    parser = argparse.ArgumentParser(description="Run what the pages and notebooks show.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    parser.add_argument("files", nargs="*", default=[*PAGES, *NOTEBOOKS], help="default: all")
    options = parser.parse_args(arguments)
    changed = False
    for name in options.files:
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = (refreshed_notebook if name in NOTEBOOKS else refreshed_page)(before)
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
