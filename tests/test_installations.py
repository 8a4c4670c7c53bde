"""What installs something installs what is pinned, with hashes: wherever a command does so.

A build back end runs as code while a package is built, so that it is pinned like everything else:
without build isolation, which would fetch the newest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.sources import ROOT

SCRIPTS = ("action.yml", "Dockerfile", "tests/run", ".ci/run", ".github/**/*.yml", "**/*.sh")
PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md", "proofs/*.md", "certs/*.md")
TO_PEOPLE = {
    "README.md": (
        r"pip install exactdp`",
        r"pip install --quiet \. &&",
        r"pip install --no-deps \.",
    ),
    "docs/scripting.md": (r"pip install sigstore$", r"pip install 'exactdp\[\w+\]'"),
}
"""What people are told to install by hand, from the index that they trust, besides extras."""
EXTRA = r"pip install 'exactdp\[[\w-]+\]'"

_INSTALLING = re.compile(
    r"\bpip[0-9.]*\"? +(?:install|wheel|download)\b|\bpipx\b|\buv +(?:sync|tool|run|pip +install)\b"
    r"|\buvx\b|\bpython[0-9.]* +-m +build\b|\b(?:npm|gem|cargo|go|conda|brew) +(?:install|ci|i)\b"
)
_LOCKS = re.compile(r"-r +\"?(?:\$GITHUB_ACTION_PATH/)?(\S+?)\"?(?= |$)")
_TREE = re.compile(r" (?:-e )?(?:\.|\"\$GITHUB_ACTION_PATH\")$")
_OWN_WHEEL = re.compile(r" wheels/\*\.whl$")
_BASE = re.compile(r"python:3\.[0-9]+\.[0-9]+-slim-[a-z]+@sha256:[0-9a-f]{64}(?: AS [a-z]+)?")


def commands(patterns: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The lines of files that install, with the file's name; continued lines are one."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            name = str(path.relative_to(ROOT))
            if name.startswith((".venv", ".bench", "site/")) or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8").replace("\\\n", " ")
            for line in text.splitlines():
                if _INSTALLING.search(line) and not line.lstrip().startswith("#"):
                    yield name, line.strip()


def is_pinned(line: str) -> bool:
    """Whether a command installs what a lock pins, or this tree with what is installed."""
    locks = _LOCKS.findall(line)
    if locks:
        known = all((ROOT / lock).is_file() and lock.endswith(".lock") for lock in locks)
        left = _LOCKS.sub("", line)[_INSTALLING.search(line).end() :]  # type: ignore[union-attr]
        return (
            known and " --require-hashes" in line and all(o.startswith("-") for o in left.split())
        )
    if " --no-deps " not in line:
        return False
    if _OWN_WHEEL.search(line):
        return " --no-index " in line
    return _TREE.search(line) is not None and " --no-build-isolation " in line


@pytest.mark.parametrize(("name", "line"), [*commands(SCRIPTS)])
def test_a_script_installs_what_is_pinned_with_hashes(name: str, line: str) -> None:
    assert is_pinned(line), f"{name}: {line}"


@pytest.mark.parametrize(("name", "line"), [*commands(PAGES)])
def test_a_page_tells_people_to_install_what_is_pinned_or_what_they_choose(
    name: str, line: str
) -> None:
    said = re.sub("|".join((EXTRA, *TO_PEOPLE.get(name, ()))), "", line)
    assert not _INSTALLING.search(said) or is_pinned(line), f"{name}: {line}"


def test_every_file_that_installs_is_looked_at() -> None:
    assert {name for name, _ in commands(SCRIPTS)} >= {
        *("action.yml", "Dockerfile", "tests/run", ".github/workflows/release.yml")
    }


@pytest.mark.parametrize(
    "line",
    [
        "pip install --quiet .",
        "pip install --no-deps .",
        "pip install --no-build-isolation .",
        "pip install -r requirements.lock",
        "pip install --require-hashes -r requirements.lock hatchling",
        "pip install --require-hashes -r requirements.txt",
        "pip install --no-deps --no-build-isolation somebody",
        "pip wheel --no-deps .",
        "python -m build",
        "uv sync",
    ],
)
def test_what_is_not_pinned_is_found(line: str) -> None:
    assert _INSTALLING.search(line)
    assert not is_pinned(line)


def test_an_image_begins_with_one_that_is_named_by_its_digest() -> None:
    bases = [
        line.removeprefix("FROM ")
        for path in [ROOT / "Dockerfile", *ROOT.glob("**/*.Dockerfile")]
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("FROM ")
    ]
    assert bases
    assert all(_BASE.fullmatch(base) for base in bases)


def test_a_workflow_takes_no_action_of_others_that_is_not_pinned() -> None:
    for path in [ROOT / "action.yml", *ROOT.glob(".github/**/*.yml")]:
        for used in re.findall(r"^\s*-? *uses: *(\S+)", path.read_text(), re.MULTILINE):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), f"{path.name}: {used}"
