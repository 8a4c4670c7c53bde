"""What is installed has wheels for each Python and each system: nobody needs a compiler."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

LOCK: Final = Path(__file__).resolve().parents[1] / "requirements.lock"
COMPILED: Final = ("gmpy2", "jsonschema-rs", "numpy", "python-flint")
"""What has a wheel for each system; all else has one wheel for all."""
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS: Final[dict[str, tuple[str, ...]]] = {
    "Linux": ("manylinux2014_x86_64", "manylinux_2_28_x86_64"),
    "macOS": ("macosx_11_0_arm64", "macosx_14_0_arm64"),
    "Windows": ("win_amd64",),
}


def pins(python: str) -> dict[str, str]:
    """What the lock pins for a version of Python, by name."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    listed = [Requirement(line.rstrip(" \\")) for line in lines if "==" in line]
    given = {"python_full_version": f"{python}.0"}
    kept = [each for each in listed if each.marker is None or each.marker.evaluate(given)]
    return {each.name: f"{each.name}{each.specifier}" for each in kept}


def resolved(python: str, system: str, target: Path) -> subprocess.CompletedProcess[str]:
    """What pip says of what is compiled, of which it downloads what wheels say of themselves."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    command += ["--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    command += ["--ignore-requires-python"]  # pip compares with the Python that it runs in
    command += [*options_for(python, system, target), *(pins(python)[name] for name in COMPILED)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def options_for(python: str, system: str, target: Path) -> list[str]:
    platforms = [part for each in SYSTEMS[system] for part in ("--platform", each)]
    abis = [f"--abi={each}" for each in (f"cp{python.replace('.', '')}", "abi3", "none")]
    return [f"--python-version={python}", "--implementation=cp", *abis, *platforms, f"-t{target}"]


def test_all_but_what_is_compiled_has_one_wheel_for_all_systems() -> None:
    for name in pins(PYTHONS[0]).keys() - {*COMPILED}:
        wheel = distribution(name).read_text("WHEEL")
        assert wheel is None or "Tag: py3-none-any" in wheel, name


@pytest.mark.slow
def test_what_is_compiled_has_a_wheel_for_every_python_and_system(tmp_path: Path) -> None:
    cases = [*product(PYTHONS, SYSTEMS)]
    with ThreadPoolExecutor(len(cases)) as pool:
        answers = [*pool.map(lambda case: resolved(case[0], case[1], tmp_path), cases)]
    if all(each.returncode for each in answers):
        pytest.skip("no package index can be reached")
    failed = {
        case: each.stderr for case, each in zip(cases, answers, strict=True) if each.returncode
    }
    assert failed == {}
