"""Splitting: several cores give the bits of one, in threads and in processes."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import pytest
from flint import ctx, fmpz_poly

from exactdp import compose
from exactdp.composition.engines import splitting
from exactdp.composition.engines.engine import Method
from exactdp.composition.engines.splitting import map_parts, threads_for, use_cores
from exactdp.composition.engines.weights import Weights, times
from exactdp.many.mapping import Calls

SEED: Final = 20261122
LEDGERS: Final[dict[Method, list[tuple[object, ...]]]] = {
    "bracket": [(f"0.{number:05}", "1e-9", 2) for number in range(10_007, 20_000, 1_001)],
    "grid": [("0.001", 0, 4000), ("0.037", 0, 1000)],
}


def large(chance: random.Random) -> fmpz_poly:
    return fmpz_poly([chance.getrandbits(700) for _ in range(4000)])


def test_threads_multiply_to_the_same_integers() -> None:
    chance = random.Random(SEED)  # noqa: S311 (polynomials, not secrets)
    left, right = Weights(3, large(chance)), Weights(5, large(chance))
    for end in (None, 4000):
        alone = times(left, right, 600, end)
        with use_cores(3), threads_for(left.scaled, right.scaled):
            assert ctx.threads == 3
            together = times(left, right, 600, end)
        assert (together.offset, together.scaled) == (alone.offset, alone.scaled)
    assert ctx.threads == 1


def test_small_products_are_not_split() -> None:
    small = fmpz_poly([1] * 100)
    with use_cores(3), threads_for(small, small):
        assert ctx.threads == 1


@pytest.fixture
def calls() -> Iterator[Calls]:
    with contextlib.closing(Calls(2)) as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.parametrize("method", LEDGERS)
def test_a_composition_that_is_split_has_the_ends_of_one_that_is_not(
    method: Method, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = LEDGERS[method]
    alone = compose(ledger, delta="1e-6", method=method, tolerance="1e-6")
    monkeypatch.setattr(splitting, "LEAST_BITS", 0)
    monkeypatch.setattr(splitting, "LEAST_COST", 0)
    sent: list[int] = []

    def mapper(function: Callable[[Any], Any], values: Sequence[Any], /) -> Iterable[Any]:
        sent.append(len(values))
        return calls(function, values)

    with use_cores(2, mapper):
        split = compose(ledger, delta="1e-6", method=method, tolerance="1e-6")
    assert (split.lower, split.upper) == (alone.lower, alone.upper)
    assert bool(sent) == (method == "bracket")


def test_whoever_said_first_how_many_cores_there_are_has_the_word(calls: Calls) -> None:
    with use_cores(1), use_cores(2, calls):
        assert map_parts(str, [1, 2], cost=10**12) == ["1", "2"]
    assert calls._pool is None


def test_cheap_parts_stay_in_this_process(calls: Calls) -> None:
    with use_cores(2, calls):
        assert map_parts(str, [1, 2], cost=1) == ["1", "2"]
        assert calls._pool is None
        assert map_parts(str, [1, 2], cost=10**12) == ["1", "2"]
        assert calls._pool is not None
