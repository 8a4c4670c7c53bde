"""Hypothesis profiles: HYPOTHESIS_PROFILE=quick (the default), ci or random.

The first two draw the same examples each time, so that what passes once passes again.

Thousands of tests and all that they import stay until the end. So nothing is searched for garbage
while they are collected, and afterwards only what the tests themselves make.
"""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from exactdp.verifier.format.meter import metered

gc.disable()
os.environ.setdefault("EXACTDP_STORE_KEY", "the key of the tests, which writes none of a user's")

settings.register_profile(
    "quick",
    deadline=None,
    derandomize=True,
    max_examples=12,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile(
    "random",
    deadline=None,
    print_blob=True,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(autouse=True, scope="session")
def _parts_of_the_verifier_are_metered() -> Iterator[None]:
    """Tests that ask its arithmetic or its rules directly pay without a limit."""
    with metered(10**40):
        yield


def pytest_collection_finish() -> None:
    """From here on garbage is searched for, but not among what was collected."""
    gc.freeze()
    atexit.register(gc.unfreeze)
    gc.set_threshold(10_000, 20, 10)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in the package alone: the files of the tests, which are many, have none."""
    del file_path
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule)]
