"""A sign of life: it fills once, on a terminal alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from exactdp.cli.progress import FirstPass, working
from exactdp.composition.engines.progress import report

Shown = list[tuple[float, float | None]]


def shown_of(reports: list[tuple[int, int]]) -> Shown:
    """What a bar shows after each report."""
    bar = SimpleNamespace(completed=0, total=None)
    listener = FirstPass(bar)
    shown: Shown = []
    for done, expected in reports:
        listener(done, expected)
        shown.append((bar.completed, bar.total))
    return shown


def test_a_bar_follows_the_first_work() -> None:
    assert shown_of([(1, 4), (3, 4), (4, 4)]) == [(1, 4), (3, 4), (4, 4)]


def test_a_bar_never_runs_a_second_time() -> None:
    three_products = [(2, 4), (4, 4), (3, 9), (9, 9), (1, 2), (2, 2)]
    assert shown_of(three_products) == [(2, 4), (4, 4), *[(4, None)] * 4]


def test_work_that_begins_again_before_its_end_is_a_second_time() -> None:
    assert shown_of([(3, 4), (1, 4), (4, 4)]) == [(3, 4), (3, None), (3, None)]


def test_nothing_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with working("composing"):
        report(1, 2)
    assert capsys.readouterr() == ("", "")
