"""``exactdp interactive``: the privacy loss, the simulation, the certificates."""

from __future__ import annotations

from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.interaction.mechanism import InteractiveMechanism, randomized_response
from exactdp.interaction.reading import mechanism_to_json
from tests.cli.running import LEDGERS, exactdp

COIN = str(LEDGERS / "interactive" / "randomized_response.json")
SECOND = str(LEDGERS / "interactive" / "second_question.json")


def test_the_loss_and_the_simulation_are_printed() -> None:
    answer = exactdp("interactive", COIN)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "ε = ln(3) at δ = 0 (exact; no smaller ε holds): this mechanism.\n"
        "\n"
        "mechanisms     1, 3 histories\n"
        "δ              0\n"
        "privacy loss   ε = ln(3), at most 1.0986122887\n"
        "simulation     T after randomized response with this (ε, δ), verified at 2 ends\n"
        "\n"
        "end of T after   it is 0   0   1   it is 1\n"
        "ask → 0          1         1   0   0\n"
        "ask → 1          0         0   1   1\n"
    )


def test_several_mechanisms_are_interleaved_and_certified() -> None:
    answer = exactdp("interactive", COIN, COIN, "--delta", "1/10", "--certificates", "made")
    assert answer.code == 0
    assert "2, interleaved, 13 histories" in answer.out
    assert "ε = ln(37/5), at most 2.0014800003" in answer.out
    for bound, claim in (("upper", "ln(37/5),0.1"), ("lower", "2.00148,0.1")):
        name = f"made/randomized_response-randomized_response.{bound}.json"
        assert name in answer.out
        assert exactdp("verify", name, "--claim", claim).code == 0


def test_an_infinite_loss_is_certified_from_below_alone() -> None:
    answer = exactdp("interactive", SECOND, "--certificates", ".")
    assert "privacy loss   infinite" in answer.out
    assert "simulation     none" in answer.out
    assert not Path("second_question.upper.json").exists()
    verdict = exactdp("verify", "second_question.lower.json", "--claim", "1000,0")
    assert verdict.code == 0


def test_a_loss_of_zero_has_no_certificate_from_below() -> None:
    tree = {"toss": {"heads": ("1/2", "1/2"), "tails": ("1/2", "1/2")}}
    Path("fair.json").write_text(mechanism_to_json(InteractiveMechanism.of(tree)))
    answer = exactdp("interactive", "fair.json", "--certificates", "made")
    assert answer.code == 0
    assert [path.name for path in Path("made").iterdir()] == ["fair.upper.json"]


def test_a_mechanism_comes_from_standard_input() -> None:
    data = mechanism_to_json(randomized_response(mpq(2), mpq(1, 5))).encode()
    answer = exactdp("interactive", "-", "--delta", "0.2", "--certificates", ".", stdin=data)
    assert "ε = ln(2)" in answer.out
    assert Path("mechanism.upper.json").exists()


def test_many_ends_are_not_all_printed() -> None:
    answer = exactdp("interactive", SECOND, COIN, "--delta", "1/10")
    assert answer.code == 0
    assert answer.lines[-1].endswith("more ends; --json prints them all")
    result = exactdp("interactive", SECOND, COIN, "--delta", "1/10", "--json").result
    assert len(result["simulation"]) > 16
    assert sum(mpq(end["probabilities"][0]) for end in result["simulation"]) > 1


@pytest.mark.slow
def test_what_is_too_large_to_write_out_keeps_its_loss() -> None:
    answer = exactdp("interactive", *[COIN] * 7, "--delta", "1/100")
    assert answer.code == 0
    assert "not written out: too many histories" in answer.out
    assert exactdp("interactive", *[COIN] * 7, "--json").result["simulation"] is None
    refused = exactdp("interactive", *[COIN] * 7, "--certificates", "made")
    assert (refused.code, refused.out) == (2, "")
    assert "to certify" in refused.err
    assert not Path("made").exists()


def test_a_certificate_that_no_verifier_would_read_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactdp.cli.commands.interactive.MAX_BYTES", 100)
    answer = exactdp("interactive", COIN, "--certificates", "made")
    assert (answer.code, answer.out) == (3, "")
    assert "at most 100 bytes" in answer.err
    assert not Path("made").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("none.json",), 2, "a file that can be read"),
        (("-", "-"), 2, "one file at most"),
        ((COIN, "--delta", "2"), 2, "from 0 to 1"),
        ((COIN, "--delta", "ln(2)"), 2, "rational"),
        ((COIN, "--certificates", "-"), 2, "the name of a file or directory"),
        ([COIN] * 9, 2, "1 to 8 interactive mechanisms"),
        ([SECOND] * 8, 3, "100000000 states"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    arguments: tuple[str, ...], code: int, words: str
) -> None:
    answer = exactdp("interactive", *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1
