r"""The environments of the peers: one each, made where it is missing, under ``.bench``.

Rules of this file: a peer that cannot be installed is a fact to report, not an error; versions are
pinned, so that two runs compare.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.protocol import ROOT

HOME: Final = ROOT / ".bench"
PLOTS: Final = "plots"
PINS: Final[Mapping[str, tuple[str, ...]]] = {
    "dp-accounting": ("dp-accounting==0.6.0", "numpy==2.4.6", "scipy==1.17.1"),
    "prv-accountant": ("prv-accountant==0.2.0", "numpy==2.4.6", "scipy==1.17.1"),
    "autodp": ("autodp==0.2.3.1", "numpy==2.4.6", "scipy==1.17.1"),
    # later releases of scikit-learn lack a name that it imports
    "diffprivlib": ("diffprivlib==0.6.5", "scikit-learn==1.5.2", "numpy==2.1.3", "scipy==1.17.1"),
    "opendp": ("opendp==0.14.2",),
    # without torch, of which its accountants need one name
    "opacus": ("--no-deps", "opacus==1.5.4", "numpy==2.4.6", "scipy==1.17.1"),
    "smartnoise-sql": ("smartnoise-sql==1.0.10", "numpy==2.4.6"),
    "opake-accounting": ("opake-accounting==0.16.1",),
    "dp-accelerator": ("dp-accelerator==0.1.0", "numpy==2.4.6"),
    PLOTS: ("matplotlib==3.10.7",),
}
INTERPRETERS: Final[Mapping[str, str]] = {"opake-accounting": "python3.13"}
"""Of peers that another Python than this one is needed for."""
_READY: Final = "ready"


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a peer runs.

    Attributes:
        name: a key of :data:`PINS`.
        python: its interpreter.
        problem: why it cannot be used; empty if it can.
    """

    name: str
    python: Path
    problem: str = ""

    @property
    def versions(self) -> str:
        """What is installed there, by version."""
        pins = [pin for pin in PINS[self.name] if not pin.startswith("-")]
        return ", ".join(pins).replace("==", " ")


def environment(name: str) -> Environment:
    """The environment of a peer, made if it is missing or if other versions are asked for."""
    home = HOME / name
    python = home / "bin" / "python"
    pins = "\n".join(PINS[name])
    ready = home / _READY
    if ready.exists() and ready.read_text(encoding="utf-8") == pins:
        return Environment(name, python)
    steps = (
        [INTERPRETERS.get(name, sys.executable), "-m", "venv", "--clear", str(home)],
        [str(python), "-m", "pip", "install", "--quiet", *PINS[name]],
    )
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, check=False)  # noqa: S603 (pip, no shell)
        except FileNotFoundError:
            return Environment(name, python, f"there is no {step[0]}")
        if done.returncode:
            return Environment(name, python, _reason(done.stderr, name))
    (HOME / ".gitignore").write_text("*\n", encoding="utf-8")
    ready.write_text(pins, encoding="utf-8")
    return Environment(name, python)


def _reason(errors: str, wanted: str) -> str:
    """The last error that names no place."""
    lines = [line for line in errors.splitlines() if line.startswith("ERROR")]
    named = [line for line in lines if "://" not in line and str(ROOT) not in line]
    return (named or [f"{wanted} cannot be installed"])[-1].removeprefix("ERROR: ")
