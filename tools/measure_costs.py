"""Measure what certificates cost against what they say, over adversarial ones of every rule.

    python -m tools.measure_costs [--random N] [--only RULE] [--least COST] [--limit COST] [--write]

Each certificate is verified in a process of its own, by the Python verifier and, where it is built,
by the extracted checker (``proofs/extracted/exactdp-check``). What counts is processor time and
peak memory beyond those of a certificate with nothing to check, for each 10^9 of cost. A file that
is refused or malformed has a cost too: what reading it would cost. A process that takes more
seconds than its cost allows is stopped. ``--write`` puts the worst of each rule that was measured
into ``docs/benchmarks.md``; the rows of other rules stay as they are. It is refused where a program
is not measured whose columns the page has.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.verifier import verify_bytes
from tools.adversaries import Adversary
from tools.corners import attacks, random_adversaries

ROOT: Final = Path(__file__).resolve().parents[1]
CHECKER: Final = ROOT / "proofs" / "extracted" / "exactdp-check"
PAGE: Final = ROOT / "docs" / "benchmarks.md"
BYTE_COST: Final = 1000
UNLIMITED: Final = 10**90
DEFAULT_LIMIT: Final = 3 * 10**10
SPARE_SECONDS: Final = 0.1
SPARE_MEBIBYTES: Final = 8
"""Not counted beside start-up: a small check may load more of a program."""
SECONDS_PER_COST: Final = 10 / 10**9
MOST_SECONDS: Final = 150
"""A process that takes longer is stopped, whatever its cost allows."""

_LAUNCHER: Final = """
import os, resource, sys
limit = int(sys.argv[1])
child = os.fork()
if not child:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    os.execv(sys.argv[2], sys.argv[2:])
_, _, usage = os.wait4(child, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=sys.stderr)
"""
"""Runs a program and says what it spent; peak memory would else be at least that of this one."""

UNKNOWN: Final = "UNKNOWN"
_VERDICTS: Final = ("ACCEPTED", "REJECTED", "MALFORMED", "REFUSED")
_NEEDED: Final = re.compile(r"(\d+) is needed$")
_ROW: Final = re.compile(r"^\| `([^`]+)` \|.*$", re.MULTILINE)
_TITLE: Final = re.compile(r"(?<=\| )(\w+): s(?= \|)")
_BEGIN: Final = "<!-- measured costs -->"
_END: Final = "<!-- end of measured costs -->"


@dataclass(frozen=True)
class Spent:
    """Processor time and peak memory of a process."""

    seconds: float
    mebibytes: float


@dataclass(frozen=True)
class Measured:
    """What one program spent on one certificate, beyond starting."""

    adversary: Adversary
    cost: int
    verdict: str
    spent: Spent

    @property
    def seconds(self) -> float:
        """For each 10^9 of cost."""
        return self.spent.seconds / self.cost * 10**9

    @property
    def gibibytes(self) -> float:
        """For each 10^9 of cost."""
        return self.spent.mebibytes / 1024 / self.cost * 10**9


def priced(adversary: Adversary) -> tuple[bytes, int]:
    """The certificate with the cost that the verifier asks for, and that cost."""
    asked = verify_bytes(adversary.certificate(UNLIMITED), max_cost=10**100)
    needed = _NEEDED.search(asked.reason)
    if needed is not None:
        cost = int(needed[1])
    else:  # refused or malformed, at the price of reading
        cost = BYTE_COST * (len(adversary.certificate(UNLIMITED)) - len(str(UNLIMITED)))
    return adversary.certificate(cost), cost


def allowed(cost: int) -> int:
    """The seconds after which a check of this cost is stopped, start-up and all."""
    return min(MOST_SECONDS, 3 + int(cost * SECONDS_PER_COST))


def run(command: Sequence[str], data: bytes, cost: int) -> tuple[str, Spent]:
    """The word of the verdict, and what the process spent."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(data)
        file.flush()
        launched = [sys.executable, "-S", "-c", _LAUNCHER, str(allowed(cost)), *command, file.name]
        process = subprocess.run(  # noqa: S603 (a program of this repository)
            launched, capture_output=True, text=True, check=False, cwd=ROOT
        )
    words = process.stdout.split()
    seconds, kibibytes = process.stderr.split()[-2:]
    spent = Spent(float(seconds), int(kibibytes) / 1024)
    if spent.seconds >= allowed(cost):
        return "STOPPED", spent
    if "unknown rule" in process.stdout:
        return UNKNOWN, spent
    return next((word for word in words if word in _VERDICTS), "STOPPED"), spent


def programs() -> Iterator[tuple[str, list[str]]]:
    """Each verifier that is here, with its command."""
    yield "verifier", [sys.executable, "-m", "exactdp.verifier", "--max-cost", "1" + "0" * 20]
    if CHECKER.exists():
        yield "checker", [str(CHECKER), "--max-cost", "1" + "0" * 18]


def not_measured(page: str, measured_ones: Iterable[str]) -> list[str]:
    """The programs whose columns the page has, and which are not among those measured."""
    _, _, rest = page.partition(_BEGIN)
    lines, _, _ = rest.partition(_END)
    return [name for name in _TITLE.findall(lines) if name not in set(measured_ones)]


def floor(command: Sequence[str]) -> Spent:
    """What it takes to start, and to check nothing."""
    runs = [run(command, Adversary.trivial().certificate(1), 0)[1] for _ in range(3)]
    return Spent(max(each.seconds for each in runs), max(each.mebibytes for each in runs))


def measured(
    command: Sequence[str], start: Spent, adversary: Adversary, data: bytes, cost: int
) -> Measured:
    """What the program spends on a certificate, beyond starting."""
    verdict, spent = run(command, data, cost)
    beyond = Spent(
        max(0.0, spent.seconds - start.seconds - SPARE_SECONDS),
        max(0.0, spent.mebibytes - start.mebibytes - SPARE_MEBIBYTES),
    )
    return Measured(adversary, cost, verdict, beyond)


def worst(found: Iterable[Measured]) -> dict[str, tuple[Measured, Measured]]:
    """What took the most time for its cost, and the most memory, by rule; of equals the dearest."""
    by_rule: dict[str, list[Measured]] = {}
    for each in found:
        by_rule.setdefault(each.adversary.rule, []).append(each)
    return {
        rule: (
            max(all_, key=lambda m: (m.seconds, m.cost)),
            max(all_, key=lambda m: (m.gibibytes, m.cost)),
        )
        for rule, all_ in sorted(by_rule.items())
    }


def starting(starts: Mapping[str, Spent]) -> str:
    """What it takes each program to start."""
    return " ".join(
        f"Start-up of the {program}: {start.seconds:.2f} s and {start.mebibytes:.0f} MiB."
        for program, start in starts.items()
    )


def header(names: Sequence[str]) -> list[str]:
    """The first lines of the table, with columns for each program."""
    titles = [f"{program}: {unit}" for program in names for unit in ("s", "MiB")]
    return [f"| rule | {' | '.join(titles)} |", "|---" * (1 + len(titles)) + "|"]


def rows(found: Mapping[str, Sequence[Measured]]) -> dict[str, str]:
    """The worst of each rule, with columns for each program, as lines of Markdown."""
    by_program = [worst(each) for each in found.values()]
    return {
        rule: _row(rule, [cell for each in by_program for cell in _cells(each.get(rule))])
        for rule in {rule for each in by_program for rule in each}
    }


def _row(rule: str, cells: Sequence[str]) -> str:
    return f"| `{rule}` | {' | '.join(cells)} |"


def _cells(found: tuple[Measured, Measured] | None) -> list[str]:
    if found is None:
        return [""] * 2
    slow, large = found
    return [f"{slow.seconds:.3f}", f"{large.gibibytes * 1024:.1f}"]


def line(program: str, each: Measured) -> str:
    """What is printed of one check."""
    return (
        f"{program:8} {each.seconds:9.2f} s {each.gibibytes:8.3f} GiB per 10^9  {each.cost:>15} "
        f"{each.spent.seconds:8.2f} s {each.spent.mebibytes:7.0f} MiB  {each.verdict:9} "
        f"{each.adversary.rule} {each.adversary.name}"
    )


def rows_of(page: str) -> dict[str, str]:
    """The rows of the table on the page, by rule."""
    _, _, rest = page.partition(_BEGIN)
    lines, _, _ = rest.partition(_END)
    return {str(row[1]): str(row[0]) for row in _ROW.finditer(lines)}


def rewritten(page: str, above: Sequence[str], new: Mapping[str, str]) -> str:
    """The page with these rows in its table, and those of other rules as they were."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    kept = {**rows_of(page), **new}
    lines = [*above, *(kept[rule] for rule in sorted(kept))]
    return f"{before}{_BEGIN}\n" + "\n".join(lines) + f"\n{_END}{after}"


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=0, metavar="N", help="random ones of a rule")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="RULE")
    parser.add_argument("--program", metavar="NAME")
    parser.add_argument("--least", type=int, default=0, metavar="COST")
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, metavar="COST")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    generator = random.Random(options.seed)  # noqa: S311 (nothing is kept secret by it)
    chosen = [*attacks(), *random_adversaries(generator, options.random)]
    chosen = [each for each in chosen if options.only in (None, each.rule)]
    commands = {name: command for name, command in programs() if options.program in (None, name)}
    missing = not_measured(PAGE.read_text("utf-8"), commands) if options.write else []
    if missing:
        parser.error(
            f"--write would drop the columns of the {' and the '.join(missing)}: build it, "
            "leave out --program, or leave out --write"
        )
    starts = {program: floor(command) for program, command in commands.items()}
    found: dict[str, list[Measured]] = {program: [] for program in commands}
    for adversary in chosen:
        data, cost = priced(adversary)
        if not options.least <= cost <= options.limit:
            continue
        for program, command in commands.items():
            each = measured(command, starts[program], adversary, data, cost)
            if each.verdict != UNKNOWN:
                found[program].append(each)
            print(line(program, each), flush=True)
    above, new = [starting(starts), "", *header(list(commands))], rows(found)
    print("\n".join([*above, *(new[rule] for rule in sorted(new))]))
    if options.write:
        PAGE.write_text(rewritten(PAGE.read_text("utf-8"), above, new), "utf-8")


if __name__ == "__main__":
    main()
