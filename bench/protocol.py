r"""What passes between the command and a cell: one JSON object in, one JSON object out.

Rules of this file: the standard library only, as peers load it in environments of their own. A
cell that fails, hangs or prints nonsense is an outcome with an error, never an exception here.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from bench.measuring import Cost, measured

ROOT: Final = Path(__file__).resolve().parent.parent
MEMORY_LIMIT: Final = 8 * 2**30
_ERROR_LENGTH: Final = 160


@dataclass(frozen=True, slots=True)
class Request:
    """What a cell should do.

    Attributes:
        task: the name of a peer, or of a step of exactdp.
        groups: triples (ε, δ, count); numbers are texts, for peers the shortest of the double.
        delta: the global δ, as text.
        options: further texts, by name.
    """

    task: str
    groups: tuple[tuple[str, str, int], ...] = ()
    delta: str = "0"
    options: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """The text that a cell reads."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Request:
        """Read what :meth:`to_json` wrote."""
        data = json.loads(text)
        groups = tuple((str(e), str(d), int(count)) for e, d, count in data["groups"])
        return Request(str(data["task"]), groups, str(data["delta"]), dict(data["options"]))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cell found.

    Attributes:
        values: results by name, as texts; a peer's answer is ``epsilon``.
        cost: of the one call that was measured; None if there was an error.
        error: why there is no result; empty if there is one.
        process: processor time of the whole process, imports and all; the caller measures it.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    cost: Cost | None = None
    error: str = ""
    process: float = 0.0

    def to_json(self) -> str:
        """The text that a cell prints."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Outcome:
        """Read what :meth:`to_json` wrote.

        Raises:
            ValueError, LookupError, TypeError: another text.
        """
        data = json.loads(text)
        cost = data["cost"]
        return Outcome(
            {str(name): str(value) for name, value in data["values"].items()},
            None if cost is None else Cost(**cost),
            str(data["error"]),
        )


Task = Callable[[Request], Callable[[], Mapping[str, str]]]


def answer(tasks: Mapping[str, Task]) -> None:
    """Be a cell: read a request, import, make one measured call, print the outcome.

    A task imports and prepares, and returns the call that is measured. Whatever it prints goes to
    standard error.
    """
    with contextlib.redirect_stdout(sys.stderr):
        try:
            request = Request.from_json(sys.stdin.read())
            values, cost = measured(tasks[request.task](request))
            outcome = Outcome(values, cost)
        except Exception as error:  # noqa: BLE001 (a peer may raise anything: that is its outcome)
            outcome = Outcome(error=_shorten(f"{type(error).__name__}: {error}"))
    print(outcome.to_json())


def ask(command: Sequence[str], request: Request, timeout: float) -> Outcome:
    """Run a cell and wait for its outcome, at most ``timeout`` seconds."""
    before = _children()
    outcome = _asked(command, request, timeout)
    return replace(outcome, process=_children() - before)


def _children() -> float:
    """Processor time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _asked(command: Sequence[str], request: Request, timeout: float) -> Outcome:
    try:
        done = subprocess.run(  # noqa: S603 (commands of this package, no shell)
            command,
            input=request.to_json(),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            cwd=ROOT,
            env=_environment(),
            preexec_fn=_limit_memory,
        )
    except subprocess.TimeoutExpired:
        return Outcome(error=f"more than {timeout:g} s")
    try:
        return Outcome.from_json(done.stdout)
    except (ValueError, LookupError, TypeError, AttributeError):
        last = done.stderr.strip().splitlines()[-1:] or ["no output"]
        return Outcome(error=_shorten(f"exit {done.returncode}: {last[0]}"))


def _environment() -> dict[str, str]:
    """One thread for everybody, so that processor time compares."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    return {**os.environ, **threads, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def _shorten(text: str) -> str:
    """The first line, without paths."""
    line = text.strip().splitlines()[0].replace(str(ROOT), "…")
    return line if len(line) <= _ERROR_LENGTH else line[: _ERROR_LENGTH - 1] + "…"
