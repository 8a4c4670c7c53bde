"""What a report asks, and what it takes from the command that has asked already."""

from __future__ import annotations

from typing import Final, NoReturn

import pytest

from exactdp import Ledger, compose
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger import ledger_of_inline
from exactdp.pages import findings
from exactdp.pages.findings import Findings, find
from exactdp.timing.clock import Clock
from exactdp.timing.reading import reading
from tests.cli.running import exactdp

BY_KIND: Final = {"parameters": "0.1,1e-9*12", "noise": "laplace=2*3"}


def _refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("composed again")


def _found(ledger: Ledger, seconds: float | None) -> Findings:
    answer = compose(ledger, delta="1e-6")
    return find(
        "some.json",
        ledger,
        delta=answer.delta,
        max_cost=DEFAULT_MAX_COST,
        known=answer,
        clock=Clock(seconds),
    )


@pytest.mark.parametrize("kind", BY_KIND)
def test_the_profile_is_left_out_where_no_time_is_left(kind: str) -> None:
    ledger = ledger_of_inline([BY_KIND[kind]])
    late, early = _found(ledger, 0), _found(ledger, None)
    assert late.band is None
    assert early.band is not None
    assert [each.data for each in late.proofs] == [each.data for each in early.proofs]


def test_what_is_known_is_not_composed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "compose", _refuse)
    found = _found(ledger_of_inline([BY_KIND["parameters"]]), None)
    assert [each.name for each in found.proofs] == ["some.upper.json", "some.lower.json"]
    options = ("-m", BY_KIND["parameters"], "--delta", "1e-6", "--report", "page.html")
    with reading(lambda: 0):
        assert exactdp("compose", *options, "--time-limit", "9").code == 0
