r"""Ask other tools' odometers and filters after every step of analysts who look at answers.

An analyst is a seeded sequence of spends, each of which depends on coins as answers would. Of an
odometer it is asked, after every spend, whether its reading fell, and whether the steps so far
lose more than it says: a sequence fixed in advance is one that an adaptive analyst may choose, so
a certified lower end for it refutes the reading. Of a filter it is asked whether it let through
what exceeds its budget in exact rationals, and how much of the budget it left unspent.

    python -m tools.adaptive_odometers --python PACKAGE=PATH … [--analysts N] [--seed S]

Each package runs in the interpreter that has it; what is printed is the table of docs/budgets.md.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import exactdp

Spend = tuple[str, str]
Reading = tuple[float, float]
STEPS: Final = 120
BUDGET: Final = "1"
_EPSILONS: Final = ("0.2", "0.1", "0.05", "0.02")

_SMARTNOISE: Final = """\
import json, sys
from snsql.sql.odometer import Odometer, OdometerHeterogeneous
from snsql.sql.privacy import Privacy
for line in sys.stdin:
    spends = [(float(e), float(d)) for e, d in json.loads(line)]
    odometer = {make}
    readings = []
    for e, d in spends:
        odometer.spend({spend})
        readings.append([float(each) for each in odometer.spent])
    print(json.dumps(readings))
"""
_OPENDP: Final = """\
import json, sys
import opendp.prelude as dp
dp.enable_features("contrib", "honest-but-curious")
space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
for line in sys.stdin:
    odometer = dp.c.make_fully_adaptive_composition(*space, output_measure=dp.max_divergence())
    {prepare}
    readings = []
    for e, _ in json.loads(line):
        try:
            queryable(dp.m.make_laplace(*space, scale=1 / float(e)))
            readings.append({reading})
        except dp.OpenDPException:
            readings.append(None)  # it answers nothing any more
            break
    print(json.dumps(readings))
"""
SCRIPTS: Final = {
    ("smartnoise-sql", "Odometer"): _SMARTNOISE.format(
        make="Odometer(Privacy(epsilon=spends[0][0], delta=spends[0][1]))", spend="1"
    ),
    ("smartnoise-sql", "OdometerHeterogeneous"): _SMARTNOISE.format(
        make="OdometerHeterogeneous(Privacy(epsilon=1.0, delta=1e-6))",
        spend="Privacy(epsilon=e, delta=d)",
    ),
    ("opendp", "odometer"): _OPENDP.format(
        prepare="queryable = odometer(0.0)", reading="[queryable.privacy_loss(1.0), 0.0]"
    ),
    ("opendp", "privacy filter"): _OPENDP.format(
        prepare=f"queryable = dp.c.make_privacy_filter(odometer, 1.0, {BUDGET}.0)(0.0)",
        reading="[0.0, 0.0]",
    ),
}


def analyst(seed: int, *, equal: bool, delta: str) -> list[Spend]:
    """What one analyst spends: halved or doubled by the answers, or always the same."""
    coins = random.Random(seed)  # noqa: S311 (a simulation)
    place = coins.randrange(len(_EPSILONS))
    spends = []
    for _ in range(STEPS):
        spends.append((_EPSILONS[place], delta))
        if not equal:
            place = min(max(place + coins.choice((-1, 0, 1)), 0), len(_EPSILONS) - 1)
    return spends


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one sequence of readings.

    Attributes:
        fell: the first step after which ε or δ was less than before, or None.
        refuted: the first step whose reading is certified to be too low, or None.
    """

    fell: int | None
    refuted: int | None


def judged(spends: Sequence[Spend], readings: Sequence[Reading]) -> Judged:
    """The verdicts on the readings of an odometer."""
    steps = range(1, len(readings) + 1)
    fell = (
        step
        for step, before, after in zip(steps[1:], readings, readings[1:], strict=False)
        if after[0] < before[0] or after[1] < before[1]
    )
    refuted = (
        step
        for step, reading in zip(steps, readings, strict=True)
        if _loses(spends[:step], reading)
    )
    return Judged(next(fell, None), next(refuted, None))


def _loses(spends: Sequence[Spend], reading: Reading) -> bool:
    """Whether these very steps, fixed in advance, are certified to lose more than the reading."""
    epsilon, delta = map(Fraction, reading)
    [point] = exactdp.profile([(e, d, 1) for e, d in spends], epsilon=[epsilon])
    return bool(point.lower > delta + Fraction(1, 10**12))


def exceeded(spends: Sequence[Spend], accepted: Sequence[bool]) -> tuple[Fraction, Fraction]:
    """What a filter let through beyond its budget, and what it left though the next would fit."""
    budget, spent, idle = Fraction(BUDGET), Fraction(0), Fraction(0)
    for (epsilon, _), through in zip(spends, accepted, strict=False):
        asked = Fraction(epsilon)
        if through:
            spent += asked
        elif spent + asked <= budget:
            idle = max(idle, asked)
    return max(spent - budget, Fraction(0)), idle


def answers(
    python: str, script: str, sequences: Sequence[Sequence[Spend]]
) -> Iterator[list[Reading | None]]:
    """What the tool says of each sequence, in its own interpreter."""
    asked = "".join(f"{json.dumps(each)}\n" for each in sequences)
    run = subprocess.run(  # noqa: S603 (an interpreter that the user names)
        [python, "-W", "ignore", "-c", script],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    yield from map(json.loads, run.stdout.splitlines())


def row(name: tuple[str, str], python: str, sequences: Sequence[Sequence[Spend]]) -> str:
    """A line of the table."""
    said = list(answers(python, SCRIPTS[name], sequences))
    verdict = _of_filter if name[1] == "privacy filter" else _of_odometer
    return f"| {name[0]} {name[1]} | {verdict(sequences, said)} |"


def _of_odometer(sequences: Sequence[Sequence[Spend]], said: Sequence[list[Reading | None]]) -> str:
    found = [
        judged(spends, [each for each in readings if each is not None])
        for spends, readings in zip(sequences, said, strict=True)
    ]
    return f"{_told(found, lambda each: each.fell)} | {_told(found, lambda each: each.refuted)}"


def _told(found: Sequence[Judged], step: Callable[[Judged], int | None]) -> str:
    steps = [at for each in found if (at := step(each)) is not None]
    return f"{len(steps)} of {len(found)}" + (f", first at step {min(steps)}" if steps else "")


def _of_filter(sequences: Sequence[Sequence[Spend]], said: Sequence[list[Reading | None]]) -> str:
    found = [
        exceeded(spends, [each is not None for each in readings])
        for spends, readings in zip(sequences, said, strict=True)
    ]
    over, idle = (sum(1 for each in found if each[place]) for place in (0, 1))
    return (
        f"let too much through: {over} of {len(found)} | refused what fits: {idle} of {len(found)}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description="Ask odometers and filters after every step.")
    parser.add_argument("--python", action="append", default=[], metavar="PACKAGE=PATH")
    parser.add_argument("--analysts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    pythons = dict(each.split("=", 1) for each in options.python)
    print("| | reading fell | reading refuted |\n|---|---|---|")
    for name in SCRIPTS:
        if name[0] in pythons:
            delta = "0" if name[0] == "opendp" else "1e-2"
            sequences = [
                analyst(options.seed + n, equal=name[1] == "Odometer", delta=delta)
                for n in range(options.analysts)
            ]
            print(row(name, pythons[name[0]], sequences))
    return 0


if __name__ == "__main__":
    sys.exit(main())
