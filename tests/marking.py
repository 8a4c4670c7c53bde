"""Marks on the values of a parameter: a few of them in the fast suite, all of them in CI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow_after(number: int, values: Iterable[Any]) -> list[Any]:
    """Values for ``parametrize``, of which all but the first ``number`` are marked slow."""
    return [
        value if position < number else pytest.param(value, marks=pytest.mark.slow)
        for position, value in enumerate(values)
    ]
