from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactdp.verifier.__main__ import version
from tests.verifier import handmade

ROOT = Path(__file__).resolve().parents[2]
GOOD = handmade.canonical_bytes(handmade.simple("sum", "upper", [("1/10", "0", 12)], "6/5", "0"))


@pytest.fixture(scope="module")
def build() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "build_verifier.py"))


@pytest.fixture
def zipapp(build: dict[str, Any], tmp_path: Path) -> Path:
    target = tmp_path / "exactdp-verifier.pyz"
    assert build["main"](["-o", str(target)]) == 0
    return target


def run(zipapp: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", str(zipapp), *arguments],
        input=GOOD,
        capture_output=True,
        check=False,
    )


def test_two_builds_are_the_same_bytes(build: dict[str, Any], zipapp: Path) -> None:
    assert zipapp.read_bytes() == build["archive"]()


@pytest.mark.slow
def test_the_zipapp_verifies(zipapp: Path) -> None:
    result = run(zipapp, "-")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"ACCEPTED")


@pytest.mark.slow
def test_the_zipapp_has_the_digest_of_the_package(zipapp: Path) -> None:
    assert run(zipapp, "--version").stdout.decode().strip() == version()


def test_the_zipapp_can_be_executed(zipapp: Path) -> None:
    assert zipapp.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    assert zipapp.stat().st_mode & 0o111
