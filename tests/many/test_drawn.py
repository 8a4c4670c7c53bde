"""The ledgers that are measured: drawn from deployments, and ledgers themselves."""

from __future__ import annotations

import json

from bench.many import drawn
from exactdp.ledger.reading import read_ledger


def test_drawn_ledgers_are_ledgers_with_a_delta_and_hardly_ever_the_same() -> None:
    texts = [json.dumps(each) for each in drawn(200)]
    ledgers = [read_ledger(text.encode()) for text in texts]
    assert all(each.target_delta is not None for each in ledgers)
    assert len(set(texts)) > 190


def test_a_seed_draws_the_same_ledgers_again() -> None:
    assert [*drawn(20, seed=7)] == [*drawn(20, seed=7)] != [*drawn(20, seed=8)]
