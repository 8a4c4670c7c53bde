"""What is installed has wheels for each Python and each system: nobody needs a compiler."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS: Final[dict[str, tuple[str, ...]]] = {
    "Linux": ("manylinux2014_x86_64", "manylinux_2_28_x86_64"),
    "macOS": ("macosx_11_0_arm64", "macosx_14_0_arm64"),
    "Windows": ("win_amd64",),
}


def resolved(options: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """What pip says of all that the lock pins, of which it installs nothing."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    command += ["--disable-pip-version-check", "--no-deps", "--only-binary=:all:", *options]
    command += ["--require-hashes", "-r", str(ROOT / "requirements.lock")]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def options_for(python: str, system: str, target: Path) -> list[str]:
    platforms = [part for each in SYSTEMS[system] for part in ("--platform", each)]
    abis = [f"--abi={each}" for each in (f"cp{python.replace('.', '')}", "abi3", "none")]
    return [f"--python-version={python}", "--implementation=cp", *abis, *platforms, f"-t{target}"]


@pytest.mark.slow
def test_every_dependency_has_a_wheel_for_every_python_and_system(tmp_path: Path) -> None:
    cases = [*product(PYTHONS, SYSTEMS)]
    with ThreadPoolExecutor(len(SYSTEMS)) as pool:
        answers = [*pool.map(lambda case: resolved(options_for(*case, tmp_path)), cases)]
    if all(each.returncode for each in answers):
        pytest.skip("no package index can be reached")
    failed = {
        case: each.stderr for case, each in zip(cases, answers, strict=True) if each.returncode
    }
    assert failed == {}
