r"""Mechanisms by their noise: exactdp beside other accountants, at equal error.

    python -m bench.noise [--repeats N] [--only NAME]…

Rules of this file: a cell is the first call of a fresh process, in processor time, the least of
some; all programs of a row take turns, so that what else the machine does meets each. What exactdp
loses is in the table like what it wins.

Theory of operation: exactdp answers to 1e-3, with an interval that is certain. A peer is asked at
the coarsest of a few settings at which its answer is within 1e-3 of the middle of an interval that
is narrower; where it never is, its last answer stands beside its time. prv-accountant and the PRV
accountant of Opacus, which take seconds, are asked about one row, at a setting that is enough.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from bench.envs import environment
from bench.machine import description
from bench.noise_cells import SEARCH
from bench.own import request_for
from bench.problems import Problem
from bench.protocol import ROOT, Outcome, Request, ask
from bench.schedules import schedules

RESULTS: Final = ROOT / "bench" / "noise.json"
_PATIENCE: Final = 300.0
_ERROR: Final = Fraction(1, 1000)
_TRUTH: Final = "1e-4"
_WIDE: Final = ("D5", "1000 σ²")
"""Rows on which a narrower interval takes minutes: its own middle stands for the truth."""
_MESHES: Final = ("1e-2", "5e-3", "2e-3", "1e-3", "5e-4", "2e-4", "1e-4", "5e-5", "2e-5", "1e-5")
_ERRORS: Final = ("5e-4",)
_TITLE: Final = "## Mechanisms by their noise, at equal error"
_LEGEND: Final = (
    "**Where exactdp loses:** {}. By `python -m bench.noise`; the page shows it after `python -m "
    "bench --render`. exactdp is asked to 1e-3 and answers with an interval, of which it can make "
    "certificates; a peer at the coarsest setting (its mesh, or its error) at which its answer is "
    "within 1e-3 of the truth. *call*: processor time of the first call in a fresh process, after "
    "import; *whole process*: with everything that it imports; *×*: how many times that of the "
    "program exactdp took. Each is the least of two, all programs of a row in turns, on two cores "
    "that were busy with other work; prv-accountant and the PRV accountant of Opacus, which take "
    "seconds, some minutes before. Rényi divergences (*rdp*) come to no such error, however "
    "long they take, and are not counted as won or lost."
)
_DP_SGD: Final = "sigma=1,rate=0.01*1000"


@dataclass(frozen=True, slots=True)
class Peer:
    """A program beside exactdp: its name, its environment, and from coarse to fine its settings."""

    name: str
    settings: tuple[str, ...]
    environment: str

    @staticmethod
    def of(name: str, settings: tuple[str, ...]) -> Peer:
        """A peer in the environment of its own name."""
        return Peer(name, settings, name.partition(" ")[0])


PLD: Final = Peer.of("dp-accounting", _MESHES)
OPAKE: Final = Peer.of("opake-accounting", _MESHES)
PRV: Final = Peer.of("prv-accountant", _ERRORS)
OPACUS: Final = Peer.of("opacus", _ERRORS)
RDP: Final = Peer("opacus", ("rdp",), "opacus")
ACCELERATOR: Final = Peer.of("dp-accelerator", ("rdp",))


@dataclass(frozen=True, slots=True)
class Row:
    """What is asked, of whom.

    Attributes:
        problem: its mechanisms, δ and tolerance.
        peers: who is asked beside exactdp.
        step: what exactdp does.
        points: the ε of a profile.
    """

    problem: Problem
    peers: tuple[Peer, ...]
    step: str = "compose"
    points: str = ""


def rows() -> Iterator[Row]:
    """All rows, in the order of the table."""
    steps = {each.name: each for each in schedules()}
    yield Row(steps["D1"], (PLD, OPAKE, PRV, OPACUS, RDP, ACCELERATOR))
    for name in ("D2", "D3", "D4", "D5"):
        yield Row(steps[name], (PLD, OPAKE, RDP, ACCELERATOR))
    for name in ("10 σ", "100 σ", "50 q"):
        yield Row(steps[name], (PLD, OPAKE))
    yield Row(steps["1000 σ²"], (PLD,))
    laplace = ("laplace=1,rate=0.01*1000",)
    mixed = ("sigma=2,rate=0.01*1000", "laplace=20*20", "0.05,1e-9*20")
    for name, title, noise, delta in (
        ("SL", "Laplace of scale 1, q=1/100, T=1000", laplace, "1e-5"),
        ("G1", "discrete Gaussian, σ²=100, 100 times", ("discrete_gaussian=100*100",), "1e-6"),
        ("mixed", "DP-SGD, Laplace and (ε, δ) together", mixed, "1e-5"),
    ):
        yield Row(Problem(name, title, (), delta, "1e-3", noise=noise), (PLD,))
    one = Problem("σ for ε = 1", "calibration, q=1/100, T=1000", (), "1e-5", noise=(_DP_SGD,))
    settings = ("1e-3", "1e-4")
    calibration = Peer("dp-accounting calibration", settings, "dp-accounting")
    yield Row(one, (calibration,), "calibrate")
    beside = Peer("dp-accounting profile", _MESHES, "dp-accounting")
    for many in (1, 10, 100):
        points = " ".join(f"{50 + 150 * i // many}/100" for i in range(many))
        what = replace(one, name=f"{many} δ", title=f"profile of D1 at {many} ε, to 1e-3 of δ")
        yield Row(what, (beside,), "profile", points)


def measured(row: Row, repeats: int) -> dict[str, Any]:
    """The ends and times of exactdp, and those of each peer at the setting of equal error."""
    own = _own(row)
    chosen = [(peer, *_setting(row, peer)) for peer in row.peers]
    kept = [(peer, setting) for peer, setting, _ in chosen if setting]
    outcomes: dict[str, list[Outcome]] = {}
    for _ in range(repeats):
        outcomes.setdefault("exactdp", []).append(_ask_own(own))
        for peer, setting in kept:
            outcomes.setdefault(_label(peer, setting), []).append(_ask(row, peer, setting))
    found = {who: _least(each) for who, each in outcomes.items()}
    refusals = {peer.name: error for peer, setting, error in chosen if not setting}
    names = {"name": row.problem.name, "description": row.problem.title}
    return {**names, "cells": found, "refusals": refusals}


def _own(row: Row, tolerance: str = "") -> Request:
    problem = replace(row.problem, tolerance=tolerance) if tolerance else row.problem
    return request_for(row.step, problem, points=row.points)


def _ask_own(request: Request) -> Outcome:
    return ask([sys.executable, "-m", "bench.own"], request, _PATIENCE)


def _ask(row: Row, peer: Peer, setting: str, **beside: str) -> Outcome:
    home = environment(peer.environment)
    if home.problem:
        return Outcome(error=home.problem)
    asked = json.dumps(entries(row))
    options = {"setting": setting, "entries": asked, "points": row.points, **beside}
    request = Request(peer.name, (), str(float(Fraction(row.problem.delta))), options)
    return ask([str(home.python), "-m", "bench.noise_cells"], request, _PATIENCE)


def entries(row: Row) -> list[dict[str, Any]]:
    """The mechanisms in numbers that a peer's cell reads."""
    found = []
    for text in row.problem.noise:
        parameters, _, count = text.partition("*")
        parts = [part.partition("=") for part in parameters.split(",")]
        if not parts[0][1]:
            parts = [("epsilon", "=", parts[0][0]), ("delta", "=", parts[1][0])]
        found.append({**{key: value for key, _, value in parts}, "count": int(count or 1)})
    return found


def _setting(row: Row, peer: Peer) -> tuple[str, str]:
    """The coarsest setting of a peer at which its error is small; else the last, or why none."""
    if len(peer.settings) == 1:
        return peer.settings[0], ""
    truth = _truth(row)
    error = _ERROR * truth if row.step == "profile" else _ERROR
    asked = {"settings": " ".join(peer.settings), "truth": str(truth), "error": str(error)}
    outcome = _ask(row, replace(peer, name=SEARCH + peer.name), "", **asked)
    return outcome.values.get("setting", ""), outcome.error or "no setting is answered"


def _truth(row: Row) -> Fraction:
    wide = row.step == "calibrate" or row.problem.name in _WIDE
    tolerance = "" if wide else _TRUTH
    values = _ask_own(_own(row, tolerance)).values
    ends = [Fraction(values[end]) for end in ("lower", "upper") if end in values]
    return sum(ends, Fraction(0)) / len(ends)


def _label(peer: Peer, setting: str) -> str:
    return f"{peer.name} {setting}"


def _least(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    done = [each for each in outcomes if each.cost is not None]
    if not done:
        return {"error": outcomes[-1].error}
    call = min(each.cost.cpu for each in done if each.cost is not None)
    process = min(each.process for each in done)
    return {"call": call, "process": process, **done[-1].values}


# --- the page -----------------------------------------------------------------------------------


def section() -> str:
    """What the page of benchmarks says of noise; "" where nothing was measured."""
    if not RESULTS.exists():
        return ""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    return "\n\n".join((_TITLE, _LEGEND.format(lost(kept["rows"])), table(kept["rows"])))


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """One line for each program of each row, what exactdp loses first."""
    lines = [
        "| row | program | ε, or what is asked for | call | × | whole process | × |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in found:
        cells = dict(row["cells"])
        own = cells.pop("exactdp")
        said = _ends(own)
        lines.append(
            f"| **{row['name']}** {row['description']} | exactdp | {said} | "
            f"{_time(own.get('call'))} | | {_time(own.get('process'))} | |"
        )
        for who, cell in cells.items():
            said = cell.get("error") or f"{float(cell['epsilon']):.6g}"
            ratios = [_ratio(own.get(key), cell.get(key)) for key in ("call", "process")]
            lines.append(
                f"| | {who} | {said} | {_time(cell.get('call'))} | {ratios[0]} | "
                f"{_time(cell.get('process'))} | {ratios[1]} |"
            )
    return "\n".join(lines)


def lost(found: Sequence[Mapping[str, Any]]) -> str:
    """The rows on which another program answers sooner at equal error, in a sentence."""
    said = []
    for row in found:
        own = row["cells"]["exactdp"]
        for who, cell in row["cells"].items():
            if who != "exactdp" and who.endswith("rdp") is False and "call" in cell:
                ratio = own["call"] / cell["call"] if "call" in own else 0
                said += [f"{row['name']} ({who}: {ratio:.2g} times)"] if ratio > 1 else []
    return "; ".join(said) or "nothing"


def _ends(own: Mapping[str, Any]) -> str:
    if "error" in own:
        return str(own["error"])
    ends = [float(Fraction(own[end])) for end in ("lower", "upper") if end in own]
    shown = ", ".join(f"{end:.6g}" for end in ends)
    return f"[{shown}]" if len(ends) > 1 else shown


def _ratio(own: float | None, other: float | None) -> str:
    return "" if not own or not other else f"{own / other:.2g}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, keep what was found, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.noise")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args(arguments)
    kept = {row["name"]: row for row in _kept()}
    for row in rows():
        if not options.only or row.problem.name in options.only:
            kept[row.problem.name] = measured(row, options.repeats)
            print(json.dumps(kept[row.problem.name], ensure_ascii=False), file=sys.stderr)
            found = {"machine": description(), "rows": _ordered(kept)}
            text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
            Path(RESULTS).write_text(text, encoding="utf-8")
    print(section())
    return 0


def _kept() -> list[dict[str, Any]]:
    return list(json.loads(RESULTS.read_text("utf-8"))["rows"]) if RESULTS.exists() else []


def _ordered(kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [kept[row.problem.name] for row in rows() if row.problem.name in kept]


if __name__ == "__main__":
    sys.exit(main())
