r"""Schedules of noise: many steps, many different steps, and what dp-accounting takes for them.

    python -m bench.schedules [--repeats N] [--only NAME]…

Rules of this file: a cell is the first call of a fresh process, in processor time, the least of
some; exactdp and dp-accounting take turns, so that what else the machine does meets both. Answers
of dp-accounting are upper bounds up to rounding, at a mesh of 1e-4; those of exactdp are intervals
that two certificates prove.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from bench.envs import environment
from bench.machine import description
from bench.own import request_for
from bench.peers import NOISE_PEERS
from bench.problems import Problem
from bench.protocol import ROOT, Outcome, Request, ask
from bench.suite import STEPS, peer_request

RESULTS: Final = ROOT / "bench" / "schedules.json"
_PEER: Final = NOISE_PEERS[0]
_PATIENCE: Final = 300.0
_TOLERANCE: Final = "1e-3"


def schedules() -> tuple[Problem, ...]:
    """DP-SGD with one kind of step and with many, and discrete Gaussian noise; each to 1e-3."""
    alike = {
        "D1": ("1", "1/100", 1000),
        "D2": ("1.1", "256/60000", 14_063),
        "D3": ("0.6", "1/1000", 10**5),
        "D4": ("2", "1/10", 100),
        "D5": ("0.5", "1/10000", 10**6),
    }
    sigmas = tuple(f"sigma={1500 - 70 * i}/1000,rate=0.01*1000" for i in range(10))
    hundred = tuple(f"sigma={1500 - 7 * i}/1000,rate=0.01*100" for i in range(100))
    rates = tuple(f"sigma=1,rate={200 + 36 * i}/100000*50" for i in range(50))
    counts = tuple(f"discrete_gaussian={1000 + 7 * i}" for i in range(1000))
    many = {
        "10 σ": ("10 σ from 1.5 to 0.87, q=0.01, 1000 steps each", "1e-5", sigmas),
        "100 σ": ("100 σ from 1.5 to 0.807, q=0.01, 100 steps each", "1e-5", hundred),
        "50 q": ("50 rates from 0.002 to 0.01964, σ=1, 50 steps each", "1e-5", rates),
        "1000 σ²": ("1000 variances of discrete Gaussian noise", "1e-10", counts),
    }
    return (
        *(
            Problem(
                name,
                f"DP-SGD, q={rate}, σ={sigma}, T={count}",
                (),
                "1e-5",
                _TOLERANCE,
                noise=(f"sigma={sigma},rate={rate}*{count}",),
            )
            for name, (sigma, rate, count) in alike.items()
        ),
        *(
            Problem(name, what, (), delta, _TOLERANCE, noise=noise)
            for name, (what, delta, noise) in many.items()
        ),
    )


def measured(problem: Problem, repeats: int) -> Mapping[str, Any]:
    """The ends, what dp-accounting says, and the least times, in seconds."""
    home = environment(_PEER.environment)
    times: dict[str, list[float]] = {}
    said: dict[str, str] = {}

    def asked(who: str, command: Sequence[str], request: Request) -> None:
        outcome: Outcome = ask(command, request, _PATIENCE)
        if outcome.cost is None:
            said[who] = outcome.error
            return
        times.setdefault(who, []).append(outcome.cost.cpu)
        said.update({f"{who} {name}": value for name, value in outcome.values.items()})

    own = [sys.executable, "-m", "bench.own"]
    peer = [str(home.python), "-m", "bench.peers"]
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(repeats):
            asked("compose", own, request_for("compose", problem, directory=directory))
            asked("dp-accounting", peer, peer_request(_PEER, problem))
        for step in STEPS[1:]:
            asked(step, own, request_for(step, problem, directory=directory))
    least = {who: min(each) for who, each in times.items()}
    return {"name": problem.name, "description": problem.title, "seconds": least, **said}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table of the page."""
    lines = [
        "| schedule | ε | compose | verify | dp-accounting 1e-4 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        took = {who: _time(seconds) for who, seconds in row["seconds"].items()}
        low, high = (float(Fraction(row.get(f"compose {end}", "0"))) for end in ("lower", "upper"))
        other = row.get("dp-accounting epsilon")
        said = row.get("dp-accounting", "") if other is None else f"{float(other):.6f}, "
        lines.append(
            f"| **{row['name']}** {row['description']} | [{low:.6f}, {high:.6f}] | "
            f"{took.get('compose', '')} | {took.get('verify', '')} | "
            f"{said}{took.get('dp-accounting', '')} |"
        )
    return "\n".join(lines)


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, keep what was found where everything was asked, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.schedules")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args(arguments)
    rows = []
    for problem in schedules():
        if not options.only or problem.name in options.only:
            rows.append(measured(problem, options.repeats))
            print(json.dumps(rows[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    if not options.only:
        found = {"machine": description(), "rows": rows}
        Path(RESULTS).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
