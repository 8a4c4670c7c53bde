"""Hypothesis profiles: HYPOTHESIS_PROFILE=quick (the default; no randomness) or ci."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("EXACTDP_STORE_KEY", "the key of the tests, which writes none of a user's")

settings.register_profile(
    "quick",
    deadline=None,
    derandomize=True,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    deadline=None,
    print_blob=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
