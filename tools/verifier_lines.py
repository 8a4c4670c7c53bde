r"""Write how long the verifier's files are into ``docs/reading-the-verifier.md``.

Each row of its tables, and the sums below them, are counted from the files that they name.

    python -m tools.verifier_lines [--check]
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tokenize
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
VERIFIER: Final = ROOT / "exactdp" / "verifier"
PAGE: Final = ROOT / "docs" / "reading-the-verifier.md"
NOT_NEEDED: Final = "**Not needed for these certificates**"
ROW: Final = re.compile(r"^(\| \[`([\w/]+\.py)`\]\(\S+\)) \| \d+ \| \d+ \|", re.MULTILINE)
TOGETHER: Final = re.compile(r"Together \d+ lines, of which \d+ are code")
BOTH: Final = re.compile(r"All files of both tables together are \d+ lines of code")


def lines(file: str) -> int:
    """How long a file of the verifier is."""
    return len((VERIFIER / file).read_text(encoding="utf-8").splitlines())


def lines_of_code(file: str) -> int:
    """How many lines are neither blank, nor of a docstring, nor of a comment alone."""
    path = VERIFIER / file
    told = {
        line
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    spaces = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    with path.open(encoding="utf-8") as source:
        found = {
            line
            for token in tokenize.generate_tokens(source.readline)
            if token.type not in (*spaces, tokenize.ENDMARKER)
            for line in range(token.start[0], token.end[0] + 1)
        }
    return len(found - told)


def counted(page: str) -> str:
    """The page with the numbers as the files have them now."""
    read, _, rest = page.partition(NOT_NEEDED)
    first, all_of_them = _files(read), [*_files(read), *_files(rest)]
    page = ROW.sub(lambda row: f"{row[1]} | {lines(row[2])} | {lines_of_code(row[2])} |", page)
    code = _sum_of_code(first)
    together = f"Together {sum(map(lines, first))} lines, of which {code} are code"
    both = f"All files of both tables together are {_sum_of_code(all_of_them)} lines of code"
    return BOTH.sub(both, TOGETHER.sub(together, page))


def _files(page: str) -> list[str]:
    return [row[2] for row in ROW.finditer(page)]


def _sum_of_code(files: Iterable[str]) -> int:
    return sum(map(lines_of_code, files))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the numbers, or only say whether they would change; return the exit code."""
    parser = argparse.ArgumentParser(description="Count the lines of the verifier's files.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    before = PAGE.read_text(encoding="utf-8")
    after = counted(before)
    if parser.parse_args(arguments).check:
        return int(before != after)
    PAGE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
