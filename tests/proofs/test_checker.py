"""The verified checker and the verifier agree; of a rule that is not verified, it says so.

Needs the checker (``make -C proofs checker``), which continuous integration builds before it runs
the tests; without it there is nothing to compare.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, Document, seal, single_mutants, twin_mutants

ROOT = Path(__file__).resolve().parents[2]
CERTIFICATES = ROOT / "certs"
CHECKER = ROOT / "proofs/extracted/exactdp-check"
# True, and refused by the verifier for want of digits; the checker's Δ is an exact fraction.
TRUE_BUT_IMPRECISE = CERTIFICATES / "reject/grid/too-few-digits-for-the-deltas.json"
VERIFIED = ("vacuous", "sum", "infeasible", "grid")

pytestmark = pytest.mark.skipif(not CHECKER.exists(), reason="make -C proofs checker builds it")


def verdicts(files: Iterable[Path]) -> list[str]:
    """The first word that the checker says of each file."""
    paths = [str(file) for file in files]
    run = subprocess.run([CHECKER, *paths], capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    assert len(lines) == len(paths), run.stderr
    return [line.removeprefix(path).split()[0] for path, line in zip(paths, lines, strict=True)]


def _verified(document: Document) -> bool:
    """Whether a certificate is of the kind that the checker knows, whatever it is worth."""
    statement, steps = document["statement"], document["derivation"]
    return (
        len(steps) == 1
        and steps[0]["rule"] in VERIFIED
        and statement["group"] == "1"
        and statement["kind"] in ("upper", "lower")
        and statement["interaction"] == "adaptive"
        and statement["subject"]["type"] == "ledger"
        and all("epsilon" in each for each in statement["subject"]["mechanisms"])
    )


def assert_agreement(files: list[Path]) -> None:
    for file, said in zip(files, verdicts(files), strict=True):
        accepted = verify_bytes(file.read_bytes(), max_cost=MAX_COST).exit_code == 0
        if said == "UNSUPPORTED":
            assert not _verified(json.loads(file.read_bytes())), file
        else:
            assert (said == "ACCEPTED") == accepted, (file, said)


@pytest.mark.slow
def test_both_agree_on_every_accepted_certificate() -> None:
    files = sorted([*CERTIFICATES.glob("accept/*.json"), *CERTIFICATES.glob("deployments/*.json")])
    assert_agreement(files)
    assert verdicts(files).count("ACCEPTED") >= 20


def test_both_refuse_every_bad_certificate() -> None:
    files = sorted({*CERTIFICATES.glob("reject/*/*.json")} - {TRUE_BUT_IMPRECISE})
    assert "ACCEPTED" not in verdicts(files)
    assert_agreement(files)


@pytest.mark.slow
@pytest.mark.parametrize("rule", VERIFIED)
def test_both_agree_on_mutants(rule: str, tmp_path: Path) -> None:
    files: list[Path] = []
    for source in sorted(CERTIFICATES.glob("accept/*.json")):
        document = json.loads(source.read_bytes())
        if document["derivation"][0]["rule"] == rule:
            for mutant in [*single_mutants(document), *twin_mutants(document)]:
                files.append(tmp_path / f"{len(files)}.json")
                files[-1].write_bytes(seal(mutant))
    assert files
    assert_agreement(files)
