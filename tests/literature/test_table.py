"""The papers' dynamic programming over rationals, run for ledgers, against the engine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.literature.running import papers
from exactdp.literature.table import TableAnswer, table
from exactdp.mechanisms import Mechanism
from exactdp.verifier import verify_bytes
from tests.cli.running import exactdp


def test_the_table_and_the_engine_agree_on_drawn_ledgers() -> None:
    chance = Random(1)  # noqa: S311 (a fixed sample)
    for _ in range(40):
        odds = chance.choice([mpq(3), mpq(3, 2), mpq(11, 10)])
        entries = tuple(
            Mechanism(f"{chance.randint(0, 4)}*ln({odds})", mpq(chance.randint(0, 2), 10**4), count)
            for count in (1, 2, chance.randint(1, 4))
        )
        delta = mpq(chance.randint(0, 4), 20) + mpq(1, 500)
        answer = table(Ledger(entries), delta=delta, odds=odds)
        optimum = compose(Ledger(entries), delta=delta)
        above, below = answer.judged(), answer.judged_below()
        assert answer.epsilon is not None
        assert above is not None
        assert above.holds
        assert below is None or not below.holds
        assert optimum.exact is not None
        assert compare(optimum.exact, answer.epsilon) <= 0


def test_what_is_no_multiple_and_what_would_take_long_is_refused() -> None:
    with pytest.raises(InputError, match="an integer multiple of"):
        table(["0.1"], delta="1/10", odds=3)
    with pytest.raises(DomainError, match="a rational above 1"):
        table(["ln(3)"], delta="1/10", odds=1)
    with pytest.raises(CostLimitError, match="predicted cost"):
        table([("ln(3)", 0, 10**9)], delta="1/10", odds=3)
    with pytest.raises(InputError, match="odds"):
        papers("table", ["ln(3)"], delta="1/10")


def test_no_finite_epsilon_is_an_answer() -> None:
    answer = papers("table", [("ln(3)", "1/10", 3)], delta="1/100", odds=3)
    assert isinstance(answer, TableAnswer)
    assert (answer.multiple, answer.epsilon, answer.judged()) == (None, None, None)
    found = exactdp(
        "papers", "table", "-m", "ln(3),1/10*3", "--delta", "1/100", "--odds", "3", "--json"
    )
    assert found.result["certified"][0]["epsilon"] == "every"


def test_the_command_says_both_ends_and_certifies_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = exactdp(
        *("papers", "table", "-m", "ln(3)*2", "--delta", "1/10", "--odds", "3", "--json"),
        *("--certificates", "."),
    )
    assert (found.code, found.result["multiple"], found.result["refuted"]) == (0, "2", False)
    for name in found.result["certificates"]:
        assert verify_bytes(Path(name).read_bytes()).status == "accepted"
