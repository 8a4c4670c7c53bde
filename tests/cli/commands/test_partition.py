"""``exactdp partition``: what it prints and refuses."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import exactdp


def test_the_count_is_printed_with_what_it_took() -> None:
    lines = exactdp("partition", "2", "3", "6").details
    assert lines[0].split() == ["integers", "3"]
    assert lines[1].split() == ["partitions", "(computed)", "2"]
    assert " ".join(lines[2].split()).startswith("privacy profiles 4 points, in ")


def test_json_holds_the_count_as_text() -> None:
    answer = json.loads(exactdp("partition", *["1"] * 80, "--divisor", "3", "--json").out)
    assert answer["command"] == "partition"
    assert answer["result"]["partitions"] == str(2**80)
    assert answer["result"]["oracle_calls"] == 4


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("x",), 2, "a whole number at least 1"),
        (("0",), 2, "integers at least 1"),
        (("1e9",), 2, "in plain digits"),
        (("٣",), 2, "in plain digits"),
        (("9" * 10**5,), 2, "in plain digits"),
        (("2", "--divisor", "0"), 2, "from 1 to 10^9"),
        (("2", "--divisor", "x"), 2, "from 1 to 1000000000"),
        (("2", "3", "5", "--divisor", "7", "--max-cost", "1"), 3, "predicted cost"),
    ],
)
def test_what_is_no_integer_is_refused(arguments: tuple[str, ...], code: int, words: str) -> None:
    answer = exactdp("partition", *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
