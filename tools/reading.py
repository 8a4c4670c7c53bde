"""What three readers of the verifier read: the functions that verifying runs.

Verifying the certificates of each reader, both ends, with the ledger and a claim, is traced. What
runs is counted into ``docs/verifier.md``, which has the files in order and says what to
convince oneself of in each.

    python -m tools.reading [--check]   # the numbers of the page; with --check nothing is written
    python -m tools.reading ε           # the functions that a reader reads, in order
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.cli.running import exactdp

ROOT: Final = Path(__file__).resolve().parent.parent
VERIFIER: Final = ROOT / "exactdp" / "verifier"
PAGE: Final = ROOT / "docs" / "verifier.md"
PATHS: Final = ("ε", "SGD", "rows")
"""The readers, in the order of the page's columns."""
TABLES: Final = ("format/outcomes.py", "subjects.py", "rules/__init__.py")
"""Files that hold classes or a table: nothing in them runs, and all of them is read."""
ROW: Final = re.compile(
    r"^(\| \[`([\w/]+\.py)`\]\(\S+\)) \| \d+ \| *(\d*) *\| *(\d*) *\| *(\d*) *\|", re.MULTILINE
)
LENGTH: Final = re.compile(r"\d+ files, \d+ functions, \d+ lines \(\d+ with all that is beside\)")
TRAINING: Final = {
    "mechanisms": [{"sigma": "1", "rate": "1/100", "count": 30}],
    "neighbouring": "add-remove-one",
}
TRACE: Final = """
import json, sys
from pathlib import Path
from exactdp import verifier
home = str(Path(verifier.__file__).parent)
ran = set()
def called(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(home) and code.co_name != "<module>":
        ran.add((code.co_filename[len(home) + 1:], code.co_firstlineno))
for certificate, file, *claim in json.loads(sys.argv[1]):
    data, asked = Path(certificate).read_bytes(), Path(file).read_bytes()
    sys.setprofile(called)
    verdict = verifier.verify_bytes(data, ledger=asked, claim=tuple(claim))
    sys.setprofile(None)
    assert verdict.status == "accepted", verdict
print(json.dumps(sorted(ran)))
"""

Question = tuple[str, str, str, str]
"""A certificate, the file that it is about, and a claim that it settles."""

Functions = Mapping[str, Mapping[str, range]]
"""The functions of each file, by name, with their lines."""


# --- what each reader verifies --------------------------------------------------------------------


def _asked(certificate: Path, file: Path) -> Question:
    statement = json.loads(certificate.read_bytes())["statement"]
    return str(certificate), str(file), statement["epsilon"], statement["delta"]


def of_deployments() -> list[Question]:
    """Published certificates about mechanisms given by ε and δ, one for each rule and end."""
    found: dict[tuple[str, ...], Question] = {}
    for path in sorted((ROOT / "certs" / "deployments").glob("*.json")):
        certificate = json.loads(path.read_bytes())
        rules = (step["rule"] for step in certificate["derivation"])
        listed = certificate["statement"]["subject"]["mechanisms"]
        if all("epsilon" in each for each in listed):
            ledger = ROOT / "ledgers" / f"{path.name.partition('.')[0]}.json"
            key = (certificate["statement"]["kind"], *rules)
            found.setdefault(key, _asked(path, ledger))
    return [*found.values()]


def of_training(folder: Path) -> list[Question]:
    """Sampled Gaussian noise."""
    ledger = folder / "training.json"
    ledger.write_text(json.dumps(TRAINING), encoding="utf-8")
    answer = exactdp("compose", str(ledger), "--delta", "1e-5", "--certificates", str(folder / "c"))
    assert answer.code == 0, answer.err
    return [_asked(folder / "c" / f"training.{end}.json", ledger) for end in ("upper", "lower")]


def of_workload(folder: Path) -> list[Question]:
    """Queries that overlap."""
    workload = ROOT / "examples" / "parallel" / "petersen.json"
    answer = exactdp("parallel", str(workload), "--delta", "1e-6", "--certificates", str(folder))
    assert answer.code == 0, answer.err
    file = folder / "petersen.workload.json"
    return [_asked(folder / f"petersen.{end}.json", file) for end in ("upper", "lower")]


# --- what runs ------------------------------------------------------------------------------------


@cache
def read_by() -> Mapping[str, Functions]:
    """The functions that run for each reader."""
    with TemporaryDirectory() as name:
        folders = [Path(name) / each for each in PATHS[1:]]
        for folder in folders:
            folder.mkdir()
        asked = of_deployments(), of_training(folders[0]), of_workload(folders[1])
        return {path: _traced(each) for path, each in zip(PATHS, asked, strict=True)}


def _traced(questions: list[Question]) -> Functions:
    """In a process of its own: here something else may have left what a function remembers."""
    done = subprocess.run(  # noqa: S603 (this interpreter, and a text of this file)
        [sys.executable, "-c", TRACE, json.dumps(questions)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    ran = {(file, line) for file, line in json.loads(done.stdout)}
    return {
        file: {name: body for name, body in functions(file).items() if (file, body.start) in ran}
        for file, _ in ran
    }


@cache
def functions(file: str) -> Mapping[str, range]:
    """The lines of each function of a file, decorators and docstrings included."""
    found = {}
    for node in ast.walk(ast.parse((VERIFIER / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            body = range(first, (node.end_lineno or first) + 1)
            found[f"{node.name}, line {node.lineno}"] = body
    return found


def lines(file: str) -> int:
    """How long a file of the verifier is."""
    return len((VERIFIER / file).read_text(encoding="utf-8").splitlines())


def to_read(path: str, file: str) -> int:
    """How many lines of a file a reader reads; 0 if nothing of it runs."""
    if file in TABLES:
        return lines(file)
    return len({line for body in read_by()[path].get(file, {}).values() for line in body})


# --- the page -------------------------------------------------------------------------------------


def listed(page: str) -> list[str]:
    """The files of the page, in order."""
    return [row[2] for row in ROW.finditer(page)]


def counted(page: str) -> str:
    """The page with the numbers as the files have them now."""
    files = listed(page)
    lengths = iter([_length(path, files) for path in PATHS])
    page = LENGTH.sub(lambda _: next(lengths), page)
    return ROW.sub(_row, page)


def _row(row: re.Match[str]) -> str:
    numbers = (str(to_read(path, row[2]) or "") for path in PATHS)
    return f"{row[1]} | {lines(row[2])} | {' | '.join(numbers)} |"


def _length(path: str, files: Sequence[str]) -> str:
    read = [file for file in files if to_read(path, file)]
    run = sum(map(len, read_by()[path].values()))
    shown, whole = sum(to_read(path, file) for file in read), sum(map(lines, read))
    return f"{len(read)} files, {run} functions, {shown} lines ({whole} with all that is beside)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the numbers, or name the functions; return the exit code."""
    parser = argparse.ArgumentParser(description="What a reader of the verifier reads.")
    parser.add_argument("reader", nargs="?", choices=PATHS)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    asked = parser.parse_args(arguments)
    page = PAGE.read_text(encoding="utf-8")
    if asked.reader:
        for file in listed(page):
            for name in read_by()[asked.reader].get(file, {}):
                print(f"{file}: {name}")
        return 0
    after = counted(page)
    if after != page and not asked.check:
        PAGE.write_text(after, encoding="utf-8")
    return int(asked.check and after != page)


if __name__ == "__main__":
    sys.exit(main())
