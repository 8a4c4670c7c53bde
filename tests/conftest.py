"""Hypothesis profiles: HYPOTHESIS_PROFILE=quick (the default), ci or random.

The first two draw the same examples each time, so that what passes once passes again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from exactdp.verifier.format.meter import metered

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
