r"""The command: ``python -m bench``.

With no option it measures everything and writes ``bench/results.json``, ``bench/README.md`` and
the plots. A part (``--quick``, ``--only``) is printed, and written nowhere but under ``.bench``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.envs import HOME, PLOTS, environment
from bench.noise import section as noise_section
from bench.plots import names
from bench.protocol import ROOT
from bench.report import markdown
from bench.suite import Plan, run

RESULTS: Final = ROOT / "bench" / "results.json"
LATEST: Final = HOME / "latest.json"
PART: Final = HOME / "part.json"
PLOTTED: Final = ROOT / "bench" / "plots"
PAGE: Final = ROOT / "bench" / "README.md"
_OF_ANOTHER_TOOL: Final = "\n## What checking takes at most\n"
"""From here on the page is written by hand, from ``tools.denial_of_service``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and print the page."""
    options = _parser().parse_args(arguments)
    if options.render:
        _publish(_read(RESULTS))
        return 0
    plan = Plan(
        quick=options.quick,
        only=tuple(options.only),
        peers=options.peers,
        repeats=1 if options.quick else options.repeats,
        timeout=min(options.timeout, 10.0) if options.quick else options.timeout,
    )
    partial = plan.quick or bool(plan.only) or not plan.peers
    HOME.mkdir(exist_ok=True)
    results: Mapping[str, Any] = {}
    for results in run(plan):
        _write(PART if partial else LATEST, results)  # an interrupted run leaves what it found
    if partial:
        print(markdown(results))
    else:
        _write(RESULTS, results)
        _publish(results)
    return 0


def _publish(results: Mapping[str, Any]) -> None:
    """Write the plots and the page."""
    drawn: list[str] = []
    home = environment(PLOTS)
    if home.problem:
        print(f"no plots: {home.problem}", file=sys.stderr)
    else:
        command = [str(home.python), "-m", "bench.plots", str(RESULTS), str(PLOTTED)]
        subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603 (our own module)
        drawn = names(results["records"])
    _, mark, measured = PAGE.read_text(encoding="utf-8").partition(_OF_ANOTHER_TOOL)
    PAGE.write_text(markdown(results, drawn, noise_section()) + mark + measured, encoding="utf-8")


def _write(path: Path, results: Mapping[str, Any]) -> None:
    text = json.dumps(results, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _read(path: Path) -> Any:  # noqa: ANN401 (JSON)
    return json.loads(path.read_text(encoding="utf-8"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure exactdp and its peers; nothing is asserted."
    )
    parser.add_argument("--quick", action="store_true", help="the small problems, in a minute")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="P4 P9 k=1000 …")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="exactdp alone")
    parser.add_argument("--repeats", type=int, default=5, help="best of so many (default 5)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds a peer's cell may take"
    )
    parser.add_argument("--render", action="store_true", help="page and plots from the last run")
    return parser


if __name__ == "__main__":
    sys.exit(main())
