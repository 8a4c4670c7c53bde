"""Single-token mutants of the package outside its verifier, and whether the tests of a room notice.

Use: ``python -m tools.mutants [--seed N] [--draw N] [--seconds N] [--only K …]``.

Rules of this file: the seed decides what is drawn, and is printed. Mutants live in a copy of what
is committed; no file of the tree is written. The verifier has mutants of its own, in
``tests/mutation``.

Theory of operation: a comparison becomes strict or lax, a sum a difference, a constant the next, an
end the other end. A mutant is asked the doctests of its module, the tests that import the module,
and the fast tests of its room, in this order, until one fails or the time is over.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
import time
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PAIRS: Final = (
    *(("<", "<="), (">", ">="), ("==", "!="), ("+", "-"), ("+=", "-="), ("and", "or")),
    *(("min", "max"), ("floor", "ceil"), ("floor_to", "ceil_to"), ("lower_end", "upper_end")),
    *(("lower", "upper"), ("scientific_below", "scientific_above"), ("all", "any")),
    ("True", "False"),
)
OTHER: Final = {**dict(PAIRS), **{right: left for left, right in PAIRS}}
INTEGER: Final = re.compile(r"[0-9_]+")
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A token of a file, and what stands there instead."""

    path: str
    line: int
    column: int
    token: str
    other: str

    def applied(self, source: str) -> str:
        """The source with the token replaced."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1]
        end = self.column + len(self.token)
        lines[self.line - 1] = line[: self.column] + self.other + line[end:]
        return "".join(lines)

    def __str__(self) -> str:
        line = (ROOT / self.path).read_text(encoding="utf-8").splitlines()[self.line - 1]
        place = f"{self.path}:{self.line}:{self.column}"
        return f"{place}: {self.token} becomes {self.other} in: {line.strip()}"


def mutants_of(path: str, random: Random) -> Iterator[Mutant]:
    """All of a file."""
    source = (ROOT / path).read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line, column = token.start
        if token.line.startswith("@dataclass"):
            continue
        if token.type in (tokenize.OP, tokenize.NAME) and token.string in OTHER:
            yield Mutant(path, line, column, token.string, OTHER[token.string])
        elif token.type == tokenize.NUMBER and INTEGER.fullmatch(token.string):
            other = f"({int(token.string) + random.choice((-1, 1))})"
            yield Mutant(path, line, column, token.string, other)


def drawn(seed: int, number: int) -> list[Mutant]:
    """So many of all mutants, evenly, in an order that the seed decides."""
    random = Random(seed)  # noqa: S311 (a draw, no secret)
    paths = sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / "exactdp").rglob("*.py")
        if path.relative_to(ROOT / "exactdp").parts[0] != "verifier"
    )
    return random.sample([each for path in paths for each in mutants_of(path, random)], number)


def tests_of(path: str) -> list[str]:
    """What judges a module: itself, tests of its name or that import it, those of its room."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    imported = re.compile(rf"^\s*(?:from|import) {re.escape(module)}\b", re.MULTILINE)
    room = f"tests/{Path(path).parts[1].removesuffix('.py')}"
    files = [str(each.relative_to(ROOT)) for each in sorted((ROOT / "tests").rglob("test_*.py"))]
    named = [each for each in files if Path(each).stem.startswith(f"test_{Path(path).stem}")]
    own = [each for each in named if each.startswith(room)]
    importing = [each for each in files if imported.search((ROOT / each).read_text("utf-8"))]
    importing.sort(key=lambda each: not each.startswith(room))
    return [path, *dict.fromkeys(own + importing), *([room] if (ROOT / room).is_dir() else [])]


def judged(mutant: Mutant, tree: Path, seconds: float) -> str:
    """The test that notices, or that none did, by the end or in time."""
    file = tree / mutant.path
    source = file.read_text(encoding="utf-8")
    file.write_text(mutant.applied(source), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(  # noqa: S603 (our own)
            [*command, *tests_of(mutant.path)],
            cwd=tree,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "survived, as far as there was time"
    finally:
        file.write_text(source, encoding="utf-8")
    if not done.returncode:
        return "survived"
    found = FAILED.search(done.stdout)
    return f"killed by {found[1] if found else 'an error'}"


def main() -> int:
    """Draw, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--draw", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", type=int, nargs="*", help="their numbers in the draw")
    given = parser.parse_args()
    print(f"seed {given.seed}, {given.draw} drawn")
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as committed:
            committed.extractall(folder, filter="data")
        for number, mutant in enumerate(drawn(given.seed, given.draw)):
            if given.only is None or number in given.only:
                start = time.monotonic()
                verdict = judged(mutant, Path(folder), given.seconds)
                print(f"{number:3} {time.monotonic() - start:4.0f} s {verdict}", flush=True)
                print(f"    {mutant}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
