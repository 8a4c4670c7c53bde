"""The locks: they pin what pyproject asks for, with hashes, and name no place."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distributions, requires
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE: list[str] = PROJECT["dependencies"]
DEV: list[str] = PROJECT["optional-dependencies"]["dev"]
BUILD: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "build-system"
]["requires"]
LOCKS = {
    "requirements.lock": CORE,
    "requirements-build.lock": BUILD,
    "requirements-dev.lock": [*CORE, *DEV],
}


def _entries(name: str) -> list[str]:
    """The requirements of a lock, each with its hashes on one line."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _pins(name: str) -> dict[str, Version]:
    pins: dict[str, Version] = {}
    for entry in _entries(name):
        found = re.match(r"([\w.-]+)(?:\[[\w,.-]+\])?==([\w.]+) ", entry)
        assert found, entry
        pins[canonicalize_name(found[1])] = Version(found[2])
    return pins


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_what_is_asked_for(name: str) -> None:
    pins = _pins(name)
    for requirement in map(Requirement, LOCKS[name]):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_a_hash_for_every_pin(name: str) -> None:
    assert all(re.search(r" --hash=sha256:[0-9a-f]{64}\b", entry) for entry in _entries(name))


def _extras(asked: Requirement) -> set[tuple[str, str]]:
    return {(canonicalize_name(asked.name), extra) for extra in asked.extras}


@pytest.mark.slow
def test_whatever_is_asked_for_with_an_extra_is_pinned_with_it() -> None:
    entries = (Requirement(entry.split(" ")[0]) for entry in _entries("requirements-dev.lock"))
    pinned = set(chain.from_iterable(map(_extras, entries)))
    pins = _pins("requirements-dev.lock")
    installed = [d.requires or () for d in distributions() if canonicalize_name(d.name) in pins]
    for asked in map(Requirement, [*CORE, *DEV, *chain.from_iterable(installed)]):
        if asked.marker is None or asked.marker.evaluate({"extra": ""}):
            assert _extras(asked) <= pinned, asked


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_place(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.search(r"://|file:|^ *(-[^-]|--(?!hash))|[/@]|\bindex\b", text, re.MULTILINE) is None


def test_the_locks_agree() -> None:
    whole = set(_entries("requirements-dev.lock"))
    for name in LOCKS:
        assert set(_entries(name)) <= whole


def test_the_lock_of_the_build_pins_all_that_the_build_back_end_needs() -> None:
    pins = _pins("requirements-build.lock")
    waiting = [Requirement(each) for each in BUILD]
    needed = set()
    while waiting:
        asked = waiting.pop()
        if asked.marker is None or asked.marker.evaluate({"extra": ""}):
            needed.add(canonicalize_name(asked.name))
            waiting += map(Requirement, requires(asked.name) or ())
    assert needed == pins.keys()


def test_every_dependency_has_a_least_version() -> None:
    for requirement in map(Requirement, [*CORE, *DEV]):
        assert [specifier.operator for specifier in requirement.specifier] == [">="]


def test_the_editable_install_is_built_by_what_the_lock_pins() -> None:
    assert set(BUILD) <= set(DEV)
