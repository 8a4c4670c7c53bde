"""A sign of life: it fills once, on a terminal alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from exactdp.cli.progress import FirstPass, counting_text, working
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


def test_a_terminal_shows_the_work_and_nothing_of_it_stays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with working("composing"):
        report(1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert "composing " in err
    assert "0:00:00" in err
    assert err.endswith("\x1b[2K")  # the line is cleared


def test_a_count_says_how_many_how_fast_and_how_long_still() -> None:
    assert counting_text(500, 20000, 2.0) == "500 of 20000, 250.0 a second, about 78 s left"
    assert counting_text(3, None, 2.0) == "3, 1.5 a second"
    assert counting_text(0, 5, 1.0) == "0 of 5, 0.0 a second"
    assert counting_text(1, 400, 1.0).endswith("about 6 min left")
    assert counting_text(1, 9001, 1.0).endswith("about 2 h 30 min left")
