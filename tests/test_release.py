"""A release, made as its workflow makes it, but for the last step, which publishes."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import exactdp
from tools import make_release

ROOT: Final = Path(__file__).resolve().parents[1]
WORKFLOW: Final = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
STEPS: Final[list[dict[str, Any]]] = WORKFLOW["jobs"]["release"]["steps"]
REPOSITORY: Final = "https://example.org/somebody/exactdp"
TAG: Final = f"v{exactdp.__version__}"


def test_only_the_last_step_may_publish_and_none_runs_what_it_is_given() -> None:
    assert [step["name"] for step in STEPS] == ["Check out", "Install", "Make", "Check", "Publish"]
    assert all("${{" not in step["run"] for step in STEPS)
    assert all("uses" not in step for step in STEPS)
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [step["name"] for step in STEPS if "GH_TOKEN" in step.get("env", {})] == ["Publish"]


@pytest.mark.parametrize(
    ("tag", "changelog", "reason"),
    [
        ("v999", f"## [{exactdp.__version__}]", "not that of version"),
        (TAG, "## [Unreleased]", "no section"),
    ],
)
def test_a_tag_that_is_not_of_this_version_is_refused(
    tag: str, changelog: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        make_release.check_tag(tag, changelog)


def test_a_wrong_tag_makes_nothing(tmp_path: Path) -> None:
    assert make_release.main(["--tag", "v999", "-o", str(tmp_path / "dist")]) == 2
    assert not (tmp_path / "dist").exists()


def test_the_bill_of_materials_names_every_pin() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    bill = json.loads(make_release.bill_of_materials(lock))
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE)
    assert [(each["name"], each["version"]) for each in bill["components"]] == pins
    assert all(each["properties"] for each in bill["components"])


def copied(place: Path) -> Path:
    """The files of the repository, with a changelog of this version."""
    ignored = shutil.ignore_patterns(
        *(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "dist", "site"),
        *("*.vo", "*.vok", "*.vos", "*.glob", "*.aux", "*.cache", "extracted", "_build"),
        *(".coverage*", ".bench"),
    )
    copy = Path(shutil.copytree(ROOT, place / "copy", ignore=ignored))
    changelog = copy / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    changelog.write_text(text.replace("## [Unreleased]", f"## [{exactdp.__version__}]", 1))
    (copy / ".venv" / "bin").mkdir(parents=True)
    python = copy / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    return copy


def run_step(step: dict[str, Any], place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-e", "-c", step["run"]],
        cwd=place,
        env=os.environ | {"TAG": TAG, "PYTHONPATH": str(place), "EXACTDP_REPOSITORY": REPOSITORY},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_dry_run_makes_every_file_of_a_release(tmp_path: Path) -> None:
    place = copied(tmp_path)
    make, check = (step for step in STEPS if step["name"] in ("Make", "Check"))
    made, checked = run_step(make, place), run_step(check, place)
    assert made.returncode == checked.returncode == 0, made.stderr + checked.stdout
    assert checked.stdout.count("PASSED") == len(("wheel", "source"))  # twine, strictly
    version = exactdp.__version__
    names = {path.name for path in (place / "dist").iterdir()}
    assert names == {
        f"exactdp-{version}-py3-none-any.whl",
        f"exactdp-{version}.tar.gz",
        "exactdp-verifier.pyz",
        "exactdp-check.html",
        "exactdp.1",
        "exactdp.cdx.json",
        "SHA256SUMS",
    }
    with zipfile.ZipFile(place / "dist" / f"exactdp-{version}-py3-none-any.whl") as wheel:
        assert "exactdp/verifier/__main__.py" in wheel.namelist()
        stated = wheel.read(f"exactdp-{version}.dist-info/METADATA").decode()
        assert f"Project-URL: Source, {REPOSITORY}\n" in stated
        assert f"({REPOSITORY}/blob/{TAG}/SECURITY.md)" in stated
    first = (place / "dist" / "SHA256SUMS").read_bytes()
    assert run_step(make, place).returncode == 0
    assert (place / "dist" / "SHA256SUMS").read_bytes() == first
