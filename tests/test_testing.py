"""The plugin for pytest: a test of an accountant fails with its counterexample in files."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.accountants.called import AccountantFunction
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.testing import AccountantJudge, accountant_judge, shown_epsilon
from exactdp.timing.reading import reading

__all__ = ["accountant_judge"]


def basic(mechanisms: list[tuple[float, float, int]], delta: float) -> float:
    """Basic composition, which is right where δ pays for the δ_i."""
    failing = sum(each * count for _, each, count in mechanisms)
    return (
        sum(epsilon * count for epsilon, _, count in mechanisms)
        if failing <= delta
        else float("inf")
    )


def hopeful(mechanisms: list[tuple[float, float, int]], delta: float) -> float:
    return 0.9 * basic(mechanisms, delta)


def broken(_mechanisms: list[tuple[float, float, int]], _delta: float) -> float:
    raise ZeroDivisionError("of its own")


def endless(_mechanisms: list[tuple[float, float, int]], _delta: float) -> float:
    return float("nan")


def test_a_double_is_shown_as_python_prints_it(accountant_judge: AccountantJudge) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"ε = 0\.1 at δ = 1e-6 is too small"):
        accountant_judge.answer(["1"], delta=1e-6, epsilon=0.1)
    assert shown_epsilon(ExactNumber(mpq(2899371538903935, 562949953421312))) == "5.150318463094434"


def test_an_accountant_that_is_right_passes(accountant_judge: AccountantJudge) -> None:
    accountant_judge.answer([("0.1", "1e-9", 50)], delta=1e-6, epsilon=3.177)
    assert list(accountant_judge.directory.iterdir()) == []


@pytest.mark.slow
def test_a_hunt_finds_nothing_against_basic_composition(accountant_judge: AccountantJudge) -> None:
    pytest.importorskip("hypothesis", reason="the extra hunt is not installed")
    clock = count()  # a question takes one second of it
    with reading(lambda: 10**9 * next(clock)):
        found = accountant_judge.hunt(basic, seconds=16)
    assert found.case is None
    assert found.judged


def counterexample(tmp_path: Path) -> exactdp.Verdict:
    """The verdict on the two files that were left."""
    proof, ledger = (tmp_path / f"counterexample{end}.json" for end in (".certificate", ""))
    return exactdp.verify(proof, ledger=ledger)


def test_an_answer_that_is_too_small_fails_with_its_counterexample(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="too small") as caught:
        AccountantJudge(tmp_path).answer([("0.1", "1e-9", 50)], delta="1e-6", epsilon=3.0)
    first, second, third = str(caught.value).splitlines()
    assert first == "the answer: ε = 3 at δ = 1e-6 is too small by at least 0.176922"
    assert second == f"counterexample: {tmp_path / 'counterexample.json'}"
    assert third.startswith("proof: exactdp verify ")
    assert counterexample(tmp_path).status == "accepted"


def test_an_answer_that_is_no_number_fails(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="ε = nan, which promises nothing"):
        AccountantJudge(tmp_path).answer([("0.1", "1e-9", 50)], delta="1e-6", epsilon=float("nan"))


def test_a_function_that_is_wrong_fails_with_a_small_counterexample(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"hopeful: ε = \S+ at δ = ") as caught:
        AccountantJudge(tmp_path).hunt(hopeful, seconds=600)
    assert "is too small by at least" in str(caught.value)
    assert exactdp.read_ledger(tmp_path / "counterexample.json").size == 1
    assert counterexample(tmp_path).status == "accepted"


@pytest.mark.parametrize(("nothing", "said"), [(broken, "of its own"), (endless, "nan")])
def test_a_function_that_answers_nothing_is_not_taken_for_right(
    tmp_path: Path, nothing: AccountantFunction, said: str
) -> None:
    pytest.importorskip("hypothesis", reason="the extra hunt is not installed")
    clock = count()  # as above
    why = f"no answer of {nothing.__name__} could be judged: .*{said}"
    with reading(lambda: 10**9 * next(clock)), pytest.raises(pytest.fail.Exception, match=why):
        AccountantJudge(tmp_path).hunt(nothing, seconds=20, seeds=[1])


@pytest.mark.slow
def test_pytest_takes_it_for_a_plugin(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["exactdp.testing"]\n')
    (tmp_path / "test_mine.py").write_text(
        "def test_mine(accountant_judge):\n"
        "    accountant_judge.answer([('0.1', '1e-9', 50)], delta=1e-6, epsilon=3.0)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the answer: ε = 3 at δ = 1e-6 is too small by at least 0.176922" in done.stdout
