r"""What it costs to start: whole processes that ask one small question.

Rules of this file: processor time alone, the median of runs that take turns, so that what else the
machine does falls on all of them alike.

Theory of operation: the command ``exactdp compose`` is held against a script of three lines that
asks the same of the library, ``exactdp verify`` against the verifier as a module by itself.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

TABLE: Final = "starting"
_SCRIPT: Final = (
    "import exactdp\n"
    'answer = exactdp.compose([("0.1", "1e-9", 50)], delta="1e-6")\n'
    "print(answer.lower, answer.upper)\n"
)
_QUESTION: Final = ("compose", "-m", "0.1,1e-9*50", "--delta", "1e-6")
_MODULE: Final = (sys.executable, "-m", "exactdp")
_BESIDE: Final = {
    "exactdp compose": "three lines of Python",
    "exactdp compose --json": "three lines of Python",
    "exactdp verify": "python -I -m exactdp.verifier",
}


def starts(repeats: int) -> Iterator[tuple[str, float]]:
    """Each process by name, and its median processor time."""
    with TemporaryDirectory() as directory:
        processes = _processes(Path(directory))
        times: dict[str, list[float]] = {name: [] for name in processes}
        for _ in range(repeats):
            for name, command in processes.items():
                times[name].append(_processor_time(command))
    yield from ((name, median(each)) for name, each in times.items())


def _processes(directory: Path) -> Mapping[str, Sequence[str]]:
    script, certificate = directory / "three_lines.py", directory / "ledger.upper.json"
    script.write_text(_SCRIPT, encoding="utf-8")
    made = (*_MODULE, *_QUESTION, "--certificates", str(directory))
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (our own command)
    return {
        "python -c pass": (sys.executable, "-c", "pass"),
        "three lines of Python": (sys.executable, str(script)),
        "exactdp compose": (*_MODULE, *_QUESTION),
        "exactdp compose --json": (*_MODULE, *_QUESTION, "--json"),
        "python -I -m exactdp.verifier": (
            *(sys.executable, "-I", "-m", "exactdp.verifier"),
            str(certificate),
        ),
        "exactdp verify": (*_MODULE, "verify", str(certificate)),
    }


def _processor_time(command: Sequence[str]) -> float:
    before = _children()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (as above)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page(records: Iterable[Mapping[str, Any]]) -> str:
    """The table of starts, each beside what it is held against; "" if none was measured."""
    times = {r["program"]: r["outcome"]["cost"]["cpu"] for r in records if r["table"] == TABLE}
    lines = ["| process | processor time | beside | times as long |", "| --- | --- | --- | --- |"]
    for name, spent in times.items():
        other = _BESIDE.get(name, "")
        ratio = f"{spent / times[other]:.2f}" if other else ""
        lines.append(f"| `{name}` | {1000 * spent:.0f} ms | {other} | {ratio} |")
    return "\n".join(lines) if times else ""
