"""The verifier of ``examples`` in another language, on what is published."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import seal, single_mutants

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = ROOT / "examples" / "sum.mjs"
NODE: Final = shutil.which("node")


def _files() -> list[Path]:
    """Accepted certificates, and those that must be rejected, but for a few large ones."""
    found = [*ROOT.glob("certs/accept/*.json"), *ROOT.glob("certs/deployments/*.json")]
    found += ROOT.glob("certs/reject/*/*.json")
    return sorted(path for path in found if path.stat().st_size < 2**20)


def _rests_on_a_plain_sum(path: Path) -> bool:
    """Whether one step proves it, by ``sum``, of rational ε and δ alone."""
    data = path.read_bytes()
    document = json.loads(data)
    rules = [step["rule"] for step in document["derivation"]]
    if rules != ["sum"] or b"ln(" in data:
        return False
    entries = document["statement"]["subject"]["mechanisms"]
    return all(each.keys() <= {"count", "delta", "epsilon", "mu", "rho"} for each in entries)


def _accepted(files: list[Path]) -> set[Path]:
    """What the program accepts; it says something of every file."""
    if NODE is None:
        pytest.skip("node, which runs the program, is not installed")
    done = subprocess.run(
        [NODE, str(PROGRAM), *map(str, files)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    words = [line.split(maxsplit=2)[:2] for line in done.stdout.splitlines()]
    assert [Path(path) for _, path in words] == files, done.stderr
    return {Path(path) for word, path in words if word == "ACCEPTED"}


@pytest.mark.slow
def test_it_accepts_what_rests_on_a_plain_sum_and_nothing_that_is_not_accepted() -> None:
    files = _files()
    accepted = _accepted(files)
    assert len(accepted) > 10
    assert all(verify_bytes(path.read_bytes()).status == "accepted" for path in accepted)
    published = [path for path in files if path.parent.name in ("accept", "deployments")]
    assert accepted == {path for path in published if _rests_on_a_plain_sum(path)}


@pytest.mark.slow
def test_it_says_of_every_mutant_what_the_verifier_says(tmp_path: Path) -> None:
    sources = [path for path in ROOT.glob("certs/accept/*.json") if _rests_on_a_plain_sum(path)]
    made = {seal(mutant) for path in sorted(sources) for mutant in single_mutants(_document(path))}
    files = []
    for number, data in enumerate(sorted(made)):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_bytes(data)
    found = _accepted(files)
    plain = (path for path in files if _rests_on_a_plain_sum(path))
    asked = {path for path in plain if verify_bytes(path.read_bytes()).status == "accepted"}
    assert len(files) > 200
    assert len(asked) > 20
    assert found == asked


def test_the_certificate_that_the_specification_shows_is_accepted(tmp_path: Path) -> None:
    spec = (ROOT / "certs" / "SPEC.md").read_text(encoding="utf-8")
    [text] = re.findall(r'^ {4}(\{"derivation":.*\})$', spec, re.MULTILINE)
    path = tmp_path / "shown.json"
    path.write_bytes(text.encode())
    assert verify_bytes(path.read_bytes()).status == "accepted"
    assert _accepted([path]) == {path}


def _document(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document
