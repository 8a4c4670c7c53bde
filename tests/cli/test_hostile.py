"""No input shows a trace, takes long, or leaves a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.hostile import HOSTILE, Hostile, answer_to
from tests.cli.running import files_below


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(each, id=each.shown[:40], marks=pytest.mark.slow if each.slow else ())
        for each in HOSTILE
    ],
)
def test_a_hostile_input_is_answered_by_a_sentence(hostile: Hostile, place: Path) -> None:
    answer = answer_to(hostile, place)
    printed = answer.out + answer.err
    assert answer.code == hostile.code
    assert hostile.words in printed
    assert "Traceback" not in printed
    assert printed.replace("\n", "").isprintable()
    assert len(printed) < 2000
    assert files_below(place) == dict(hostile.files)
    if answer.code == 2 and answer.err:
        assert answer.out == ""
        assert answer.err.startswith("exactdp: ")
        assert answer.err.count("\n") == 1


def test_the_table_is_long_enough() -> None:
    assert len({each.shown for each in HOSTILE}) == len(HOSTILE) >= 40
