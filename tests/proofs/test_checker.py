"""The verified checker and the verifier say the same of every certificate.

Needs the checker (``make -C proofs checker``), which continuous integration builds before it runs
the tests; without it there is nothing to compare. The files are all of certs/, and all single
mutants of all accepted certificates with their costs mended: about 14 000, none left out.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from tests.mutation.mutate import MAX_COST, single_mutants, with_its_cost

ROOT = Path(__file__).resolve().parents[2]
CERTIFICATES = ROOT / "certs"
CHECKER = ROOT / "proofs/extracted/exactdp-check"
ACCEPTED = sorted(CERTIFICATES.glob("accept/*.json"))
pytestmark = pytest.mark.skipif(not CHECKER.exists(), reason="make -C proofs checker builds it")


def said_of(files: Iterable[Path], max_cost: int) -> list[str]:
    """The first word that the checker says of each file."""
    paths = [str(file) for file in files]
    command = [str(CHECKER), "--max-cost", str(max_cost), *paths]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    assert len(lines) == len(paths), run.stderr
    return [line.removeprefix(path).split()[0] for path, line in zip(paths, lines, strict=True)]


def assert_agreement(files: list[Path], max_cost: int) -> None:
    for file, word in zip(files, said_of(files, max_cost), strict=True):
        assert word == verify_bytes(file.read_bytes(), max_cost=max_cost).status.upper(), file


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["accept", "deployments", "crosscheck"])
def test_both_agree_on_every_good_certificate(folder: str) -> None:
    files = sorted(CERTIFICATES.glob(f"{folder}/*.json"))
    assert_agreement([file for file in files if _is_certificate(file)], DEFAULT_MAX_COST)


def _is_certificate(file: Path) -> bool:
    return "derivation" in json.loads(file.read_bytes())


def test_both_refuse_every_bad_certificate() -> None:
    assert_agreement(sorted(CERTIFICATES.glob("reject/*/*.json")), DEFAULT_MAX_COST)


@pytest.mark.slow
@pytest.mark.parametrize("source", ACCEPTED, ids=lambda source: source.stem)
def test_both_agree_on_mutants(source: Path, tmp_path: Path) -> None:
    files: list[Path] = []
    for mutant in single_mutants(json.loads(source.read_bytes())):
        files.append(tmp_path / f"{len(files)}.json")
        files[-1].write_bytes(with_its_cost(mutant))
    assert files
    assert_agreement(files, MAX_COST)


@pytest.mark.parametrize("arguments", [[], ["no-such-file.json"], ["--max-cost", "x", "a.json"]])
def test_what_cannot_be_read_is_accepted_by_nobody(arguments: list[str]) -> None:
    run = subprocess.run([CHECKER, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "ACCEPTED" not in run.stdout
