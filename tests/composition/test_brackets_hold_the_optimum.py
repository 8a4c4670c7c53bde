"""The engine that rounds losses both ways encloses what the one that is exact on a grid finds."""

from __future__ import annotations

from random import Random

import pytest
from gmpy2 import mpq

from exactdp import compose


def _drawn(seed: int) -> tuple[list[tuple[str, int, int]], mpq]:
    random = Random(seed)  # noqa: S311 (draws, no secrets)
    ledger = [
        (f"{random.randint(1, 3000)}/10000", 0, random.randint(50, 300))
        for _ in range(random.randint(2, 5))
    ]
    return ledger, mpq(1, 10 ** random.randint(1, 8))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 6, 10])
def test_a_bracket_holds_the_optimum_at_any_tolerance(seed: int) -> None:
    """Ends are moved apart by a part of their distance: never towards each other."""
    ledger, delta = _drawn(seed)
    exact = compose(ledger, delta=delta, method="grid", tolerance="1e-25")
    assert exact.lower_end is not None
    assert exact.upper_end is not None
    for times in range(1, 7):
        tolerance = mpq(times, 10**5)
        found = compose(ledger, delta=delta, method="bracket", tolerance=tolerance)
        assert found.lower_end is not None
        assert found.upper_end is not None
        assert found.lower_end <= exact.upper_end
        assert exact.lower_end <= found.upper_end
