"""The gate where others run it: as an action, as a hook before a commit, and in a container.

There are no runners here, so that a test carries out the commands of the action, and those of the
Dockerfile, step by step, in folders of its own. They fetch what the lock pins. Where an image can
be built, it is, and runs: with buildah, podman or docker, whichever is here and can have the base
image. Other ways to call buildah, such as one that is given a base image beforehand:

    EXACTDP_BUILDAH="buildah …" EXACTDP_BUILDAH_OPTIONS="--pull-never …" pytest -m "" -k image
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from exactdp.cli.commands import COMMANDS

Runner = Callable[..., str]
ROOT: Final = Path(__file__).resolve().parents[1]
EXAMPLE: Final = ROOT / "examples" / "gate"
ACTION: Final = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
[HOOK] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
USED: Final = (
    *("exactdp", "ledgers", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml"),
    ".pre-commit-hooks.yaml",
)
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instructions(kind: str) -> list[str]:
    return re.findall(rf"^{kind} (.*)$", DOCKERFILE, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with ledgers and a policy, of somebody who uses exactdp."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "theirs" / "a folder").parent)


def run_step(step: dict[str, Any], folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Carry out a step of the action as a runner does."""
    given = {name: each["default"] for name, each in ACTION["inputs"].items()} | inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)
        for name, text in step["env"].items()
    }
    return subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=os.environ
        | environment
        | {"RUNNER_TEMP": str(folder.parent), "GITHUB_ACTION_PATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_input_of_the_action_is_used_and_none_stands_in_a_script() -> None:
    steps = ACTION["runs"]["steps"]
    used = {name for step in steps for text in step["env"].values() for name in _inputs(text)}
    assert used == ACTION["inputs"].keys()
    assert all("${{" not in step["run"] for step in steps)
    assert all("uses" not in step for step in steps)


def _inputs(text: str) -> list[str]:
    return re.findall(r"\$\{\{ inputs\.(\w+) \}\}", text)


@pytest.mark.slow
def test_the_action_installs_what_is_pinned_and_runs_the_gate(folder: Path) -> None:
    install, check = ACTION["runs"]["steps"]
    installed = run_step(install, folder, python=sys.executable)
    assert installed.returncode == 0, installed.stderr
    done = run_step(check, folder, paths="a folder\n\n", junit="gate.xml", sarif="gate.sarif")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "PASSED: 4 of 4 requirements hold",
    )
    assert {path.name for path in folder.iterdir()} == {"a folder", "gate.xml", "gate.sarif"}
    policy = folder / "a folder" / "exactdp.toml"
    policy.write_text(policy.read_text().replace("epsilon = 3", "epsilon = 1"))
    assert run_step(check, folder).returncode == 1


def test_the_hook_runs_the_gate_when_ledgers_or_policies_change() -> None:
    command, name = HOOK["entry"].split()
    assert (command, name in COMMANDS) == ("exactdp", True)
    assert HOOK["pass_filenames"] is False
    for changed in ("exactdp.toml", "a/exactdp.toml", "ledger.json", "a/b.csv", "c.xlsx"):
        assert re.search(HOOK["files"], changed)
    assert not re.search(HOOK["files"], "notexactdp.toml")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed")
def test_the_hook_stops_a_commit(folder: Path) -> None:
    repository = folder / "a folder"
    policy = repository / "exactdp.toml"
    policy.write_text(policy.read_text().replace("epsilon = 3", "epsilon = 1"))
    _git(repository, "init", "--quiet")
    _git(repository, "add", ".")
    environment = os.environ | {"PRE_COMMIT_HOME": str(folder.parent / "hooks")}
    environment = {key: text for key, text in environment.items() if not key.startswith("GIT_")}
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(_clean_copy(folder.parent))]
    done = subprocess.run(
        [*command, "exactdp-gate", "--all-files", "--verbose"],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "FAILED: 3 of 4 requirements hold, 1 failed" in done.stdout


def _clean_copy(place: Path) -> Path:
    """A repository of what a user of the hook gets, with one commit."""
    copy = place / "exactdp"
    copy.mkdir()
    for name in USED:
        source = ROOT / name
        ignored = shutil.ignore_patterns("__pycache__")
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=ignored)
        else:
            shutil.copy(source, copy)
    _git(copy, "init", "--quiet")
    _git(copy, "add", ".")
    _git(copy, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "--quiet", "-m", "x")
    return copy


def _git(place: Path, *arguments: str) -> None:
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, *arguments], cwd=place, check=True)


def test_the_container_is_built_in_stages_and_runs_without_rights() -> None:
    stages = instructions("FROM")
    assert len(stages) == 2
    assert {stage.removesuffix(" AS build") for stage in stages} == {*BASES}
    last = DOCKERFILE.split("\nFROM ")[-1]
    assert re.search(r"^USER (?!root|0)", last, re.MULTILINE)
    assert last.index("\nUSER ") < last.index("\nENTRYPOINT ")
    assert "pip install" not in last


@pytest.mark.slow
def test_the_commands_of_the_container_build_what_it_runs(folder: Path) -> None:
    build, opt = folder.parent / "build", folder.parent / "opt"
    build.mkdir()
    copied = [
        name for line in instructions("COPY") if "--from" not in line for name in line.split()[:-1]
    ]
    for name in copied:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, build / name)
        else:
            shutil.copy(ROOT / name, build)
    commands = [each for each in instructions("RUN") if not each.startswith("useradd")]
    for command in commands:
        here = command.replace("/opt/", f"{opt}/").replace("python -m", f"{sys.executable} -m")
        done = subprocess.run(
            ["/bin/sh", "-c", here], cwd=build, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    [entry] = re.findall(r'^ENTRYPOINT \["(.*)"\]$', DOCKERFILE, re.MULTILINE)
    run = entry.replace("/opt/", f"{opt}/")
    passed = subprocess.run([run, "gate"], cwd=folder, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout.splitlines()[-1]) == (
        0,
        "PASSED: 4 of 4 requirements hold",
    )


BASES: Final = sorted(set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)))
[ENTRYPOINT] = re.findall(r'^ENTRYPOINT \["(.*)"\]$', DOCKERFILE, re.MULTILINE)
_SECONDS_TO_PULL: Final = 60


def _done(*arguments: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=seconds)


def _why_not(program: str) -> str:
    """Why a program cannot build the image here; "" if it can."""
    if shutil.which(program) is None:
        return f"{program} is not installed"
    try:
        for base in BASES:
            pulled = _done(program, "pull", base, seconds=_SECONDS_TO_PULL)
            if pulled.returncode:
                said = (pulled.stderr.strip() or "no reason given").splitlines()[-1]
                return f"{program} cannot have {base}: {said[-160:]}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program}: {type(error).__name__}"
    return ""


def _checked(*arguments: str) -> str:
    done = _done(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def _built_by_buildah(buildah: list[str], options: list[str]) -> Iterator[Runner]:
    """Running a command in a container of the image, with a folder that it only reads."""
    isolation = ("--isolation", "chroot")
    _checked(*buildah, "bud", *isolation, *options, "-t", "exactdp-test", str(ROOT))
    container = _checked(*buildah, "from", "--pull-never", "localhost/exactdp-test").strip()

    def run(folder: Path, *command: str) -> str:
        place = f"{folder}:/work:ro"
        return _checked(*buildah, "run", *isolation, "-v", place, container, *command)

    try:
        yield run
    finally:
        _done(*buildah, "rm", container)
        _done(*buildah, "rmi", "exactdp-test")


@contextmanager
def _built_by(program: str) -> Iterator[Runner]:
    """As :func:`_built_by_buildah`, with podman or docker."""
    _checked(program, "build", "-t", "exactdp-test", str(ROOT))

    def run(folder: Path, *command: str) -> str:
        options = ("--rm", "-v", f"{folder}:/work:ro", "--entrypoint", command[0])
        return _checked(program, "run", *options, "exactdp-test", *command[1:])

    try:
        yield run
    finally:
        _done(program, "rmi", "exactdp-test")


def _image() -> AbstractContextManager[Runner]:
    """The image, built by what there is; without anything the test is skipped, and says why."""
    if "EXACTDP_BUILDAH" in os.environ:
        options = shlex.split(os.environ.get("EXACTDP_BUILDAH_OPTIONS", ""))
        return _built_by_buildah(shlex.split(os.environ["EXACTDP_BUILDAH"]), options)
    reasons = {program: _why_not(program) for program in ("buildah", "podman", "docker")}
    usable = [program for program, reason in reasons.items() if not reason]
    if not usable:
        pytest.skip(f"no image can be built here: {'; '.join(reasons.values())}")
    return _built_by_buildah(["buildah"], []) if usable[0] == "buildah" else _built_by(usable[0])


@pytest.mark.slow
def test_the_image_is_built_and_runs_the_gate_without_rights(folder: Path) -> None:
    with _image() as run:
        passed = run(folder / "a folder", ENTRYPOINT, "gate")
        assert passed.splitlines()[-1] == "PASSED: 4 of 4 requirements hold"
        assert "uid=0" not in run(folder / "a folder", "id")
