r"""Five tasks side by side: the lines, the time and the answer of four programs.

    python -m bench.tasks   # runs every script, and writes bench/tasks.json

Rules of this file: a script does a task as the program's own documentation does, in whole lines,
and prints one number, or exactdp's two ends. ``python -m tools.tables`` writes the table from what
is kept; a test runs exactdp's scripts, and those of others where they are installed.

Theory of operation: each script runs in a process of its own, in the environment of its peer. The
time is that of the whole process with its imports, processor time, the least of three.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from bench.envs import PINS, environment
from bench.protocol import ROOT

RESULTS: Final = ROOT / "bench" / "tasks.json"
OURS: Final = "exactdp"
PEERS: Final = ("dp-accounting", "opendp", "opacus")
RUNS: Final = 3
_LIMIT: Final = 300
_SLACK: Final = Decimal("1e-9")
"""What the sums of doubles of two machines may differ by."""

WITHOUT_TORCH: Final = """\
import sys, types
from importlib.util import find_spec
package = types.ModuleType("opacus")
package.__path__ = list(find_spec("opacus").submodule_search_locations)
optimizers = types.ModuleType("opacus.optimizers")
optimizers.DPOptimizer = object
sys.modules |= {"opacus": package, "opacus.optimizers": optimizers}
"""
"""What lets Opacus's accountants be imported where torch is not installed; not counted."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked, and how each program is asked.

    Attributes:
        asked: in words.
        scripts: by program; a program that is not here has no way to ask.
    """

    asked: str
    scripts: dict[str, str]

    @property
    def noise(self) -> bool:
        """Whether the least noise is asked for, instead of ε."""
        return self.asked.startswith("least σ")


TASKS: Final = (
    Task(
        "ε of 100 mechanisms, each 0.1-DP, at δ = 10⁻⁶",
        {
            OURS: """\
import exactdp
print(*exactdp.compose([("0.1", 0, 100)], delta="1e-6").decimals())
""",
            "dp-accounting": """\
from dp_accounting.pld import common, privacy_loss_distribution as pld
one = pld.from_privacy_parameters(common.DifferentialPrivacyParameters(0.1, 0))
print(one.self_compose(100).get_epsilon_for_delta(1e-6))
""",
            "opendp": """\
import opendp.prelude as dp
dp.enable_features("contrib")
truth = 1.1051709180756477 / 2.1051709180756477
part = dp.c.make_pureDP_to_zCDP(dp.m.make_randomized_response_bool(truth))
total = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([part] * 100))
print(total.map(1).epsilon(1e-6))
""",
        },
    ),
    Task(
        "ε of 50 Gaussian queries, σ = 10, at δ = 10⁻⁶",
        {
            OURS: """\
import exactdp
print(*exactdp.compose([{"sigma": "10", "count": 50}], delta="1e-6").decimals())
""",
            "dp-accounting": """\
from dp_accounting import dp_event, pld
accountant = pld.PLDAccountant()
accountant.compose(dp_event.GaussianDpEvent(10), 50)
print(accountant.get_epsilon(1e-6))
""",
            "opendp": """\
import opendp.prelude as dp
dp.enable_features("contrib")
space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
total = dp.c.make_composition([dp.m.make_gaussian(*space, scale=10.0)] * 50)
print(dp.c.make_zCDP_to_approxDP(total).map(1.0).epsilon(1e-6))
""",
            "opacus": """\
from opacus.accountants import PRVAccountant
accountant = PRVAccountant()
accountant.history = [(10, 1, 50)]
print(accountant.get_epsilon(delta=1e-6))
""",
        },
    ),
    Task(
        "ε of DP-SGD, σ = 1, rate 0.01, 1000 steps, at δ = 10⁻⁵",
        {
            OURS: """\
import exactdp
steps = [{"sigma": "1", "rate": "0.01", "count": 1000}]
print(*exactdp.compose(steps, delta="1e-5").decimals())
""",
            "dp-accounting": """\
from dp_accounting import dp_event, pld
accountant = pld.PLDAccountant()
step = dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(1))
accountant.compose(step, 1000)
print(accountant.get_epsilon(1e-5))
""",
            "opacus": """\
from opacus.accountants import PRVAccountant
accountant = PRVAccountant()
accountant.history = [(1, 0.01, 1000)]
print(accountant.get_epsilon(delta=1e-5))
""",
        },
    ),
    Task(
        "ε of 100 counts with discrete Gaussian noise, σ² = 100, at δ = 10⁻⁶",
        {
            OURS: """\
import exactdp
counts = [{"discrete_gaussian": "100", "count": 100}]
print(*exactdp.compose(counts, delta="1e-6").decimals())
""",
            "dp-accounting": """\
from dp_accounting.pld import privacy_loss_distribution as pld
one = pld.from_discrete_gaussian_mechanism(10)
print(one.self_compose(100).get_epsilon_for_delta(1e-6))
""",
            "opendp": """\
import opendp.prelude as dp
dp.enable_features("contrib")
space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
total = dp.c.make_composition([dp.m.make_gaussian(*space, scale=10.0)] * 100)
print(dp.c.make_zCDP_to_approxDP(total).map(1).epsilon(1e-6))
""",
        },
    ),
    Task(
        "least σ with which 20 Gaussian queries keep (1, 10⁻⁶)",
        {
            OURS: """\
import exactdp
queries = [{"sigma": "1", "count": 20, "label": "query"}]
most = {"epsilon": 1, "delta": "1e-6", "tolerance": "1e-6"}
answer = exactdp.budget(queries, noise_of="query", **most)
print(float(answer.exceeds), float(answer.fits))
""",
            "dp-accounting": """\
import dp_accounting
from dp_accounting import dp_event, pld
event = lambda sigma: dp_event.SelfComposedDpEvent(dp_event.GaussianDpEvent(sigma), 20)
between = dp_accounting.ExplicitBracketInterval(1, 100)
print(dp_accounting.calibrate_dp_mechanism(pld.PLDAccountant, event, 1, 1e-6, between))
""",
            "opendp": """\
import opendp.prelude as dp
dp.enable_features("contrib")
space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
one = lambda sigma: dp.m.make_gaussian(*space, scale=sigma)
total = lambda sigma: dp.c.make_zCDP_to_approxDP(dp.c.make_composition([one(sigma)] * 20))
print(dp.binary_search(lambda s: total(s).map(1.0).epsilon(1e-6) <= 1, bounds=(1.0, 100.0)))
""",
            "opacus": """\
from opacus.accountants.utils import get_noise_multiplier
most = {"target_epsilon": 1, "target_delta": 1e-6, "accountant": "prv"}
print(get_noise_multiplier(sample_rate=1, steps=20, **most))
""",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One program's answer to one task.

    Attributes:
        task: its place in :data:`TASKS`.
        program: which.
        printed: what its script printed: a number, or exactdp's two.
        seconds: processor time of the process.
    """

    task: int
    program: str
    printed: str
    seconds: float

    @property
    def numbers(self) -> list[Decimal]:
        """What was printed."""
        return [Decimal(each) for each in self.printed.split()]


def interpreter(program: str) -> Path:
    """Where a program is installed; its environment is made if it is missing."""
    if program == OURS:
        return Path(sys.executable)
    found = environment(program)
    if found.problem:
        raise RuntimeError(found.problem)
    return found.python


def answer(script: str, program: str, python: Path) -> tuple[str, float]:
    """What a script prints, and the processor time of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 (our own scripts)
        [
            str(python),
            "-W",
            "ignore",
            "-c",
            (WITHOUT_TORCH if program == "opacus" else "") + script,
        ],
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=True,
        cwd=ROOT,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.strip(), round(spent, 2)


def measured() -> list[Row]:
    """Every script, run."""
    rows = []
    for place, task in enumerate(TASKS):
        for program, script in task.scripts.items():
            python = interpreter(program)
            runs = [answer(script, program, python) for _ in range(RUNS)]
            printed = runs[0][0]
            rows.append(Row(place, program, printed, min(seconds for _, seconds in runs)))
    return rows


def kept() -> list[Row]:
    """What was measured, as it is kept."""
    record: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return [Row(**row) for row in record["rows"]]


def table() -> list[str]:
    """The lines of the table of the documentation."""
    lines = [
        "| task | program | lines | time | answer | certain? |",
        "|---|---|---|---|---|---|",
    ]
    rows = {(row.task, row.program): row for row in kept()}
    for place, task in enumerate(TASKS):
        ends = rows[place, OURS].numbers
        for program in (OURS, *PEERS):
            row = rows.get((place, program))
            told = "no way to ask | | | |" if row is None else _told(task, row, ends)
            lines.append(f"| {task.asked if program == OURS else ''} | {_title(program)} | {told}")
    return lines


def judged(row: Row, ends: list[Decimal]) -> str:
    """Where an answer stands, beside the two certified ends."""
    low, high = ends
    if row.program == OURS:
        return "yes: a certificate for each end"
    [number] = row.numbers
    if number < low - _SLACK:
        return f"no: refuted, too small by about {_short(low - number)}"
    if number > high + _SLACK:
        return f"no certificate; safe here, about {_short(number - high)} too large"
    return "no certificate; within 1e-9 of the certified ends"


def _told(task: Task, row: Row, ends: list[Decimal]) -> str:
    length = len(task.scripts[row.program].splitlines())
    shown = " to ".join(_shown(number) for number in row.numbers)
    return f"{length} | {row.seconds} s | {shown} | {judged(row, ends)} |"


def _shown(number: Decimal) -> str:
    return str(round(number, 10).normalize())


def _short(number: Decimal) -> str:
    return f"{number:.2g}"


def _title(program: str) -> str:
    if program == OURS:
        return program
    name = {"opendp": "OpenDP", "opacus": "Opacus"}.get(program, program)
    [version] = (pin.partition("==")[2] for pin in PINS[program] if pin.startswith(f"{program}=="))
    return f"{name} {version}"


def main() -> None:
    """Run every script, and keep what they print."""
    rows = [
        {
            "task": each.task,
            "program": each.program,
            "printed": each.printed,
            "seconds": each.seconds,
        }
        for each in measured()
    ]
    RESULTS.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
