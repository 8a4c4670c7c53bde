r"""Run the cells of the notebooks in ``examples``, and write what they show below them.

Rules of this file: cells run in order in one namespace, in the folder of the project; a cell shows
what it prints and the value of its last line, as a notebook would; the same cells give the same
bytes.

    python tools/refresh_notebook.py [--check]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
NOTEBOOKS: Final = tuple(sorted((ROOT / "examples").glob("*.ipynb")))


def refreshed(text: str) -> str:
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
    """Refresh the notebooks, or check them; return the exit code."""
    parser = argparse.ArgumentParser(description="Run the cells of the notebooks.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args(arguments).check
    stale = 0
    for path in NOTEBOOKS:
        old = path.read_text(encoding="utf-8")
        new = refreshed(old)
        stale += old != new
        if not check:
            path.write_text(new, encoding="utf-8")
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
