"""What tests of the extracted checker need: the checker, which only ``make -C proofs`` makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.checker import CHECKER


@pytest.fixture(scope="session")
def checker() -> Path:
    """The program that was extracted from the proofs; a clone has none until it is built."""
    if not CHECKER.exists():
        pytest.skip("the extracted checker is not built: make -C proofs checker")
    return CHECKER
