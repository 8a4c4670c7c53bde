"""Answers in scripts and notebooks: the ε to state, one line, a picture."""

from __future__ import annotations

import builtins
import pickle
from typing import Any

import pytest

import exactdp
from exactdp.errors import InputError
from exactdp.mechanisms import DiscreteLaplaceMechanism, LaplaceMechanism, SampledMechanism

FIFTY = [("0.1", "1e-9", 50, "ages")]


def test_the_epsilon_to_state_is_the_upper_end() -> None:
    answer = exactdp.compose(FIFTY, delta="1e-6")
    assert answer.epsilon == answer.upper
    assert exactdp.compose(["1"], delta=0).epsilon == 1
    assert exactdp.compose([("1", "0.5")], delta="1e-6").epsilon is None
    [point] = exactdp.profile(FIFTY, epsilon=[1])
    assert point.delta == point.upper


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (exactdp.Mechanism("0.1", "1e-9", 50, "ages"), "epsilon=0.1, delta=1e-9, count=50, "),
        (exactdp.Mechanism("ln(3)"), "<Mechanism: epsilon=ln(3), delta=0>"),
        (exactdp.GaussianMechanism("1/2", 3), "<GaussianMechanism: mu=0.5, count=3>"),
        (LaplaceMechanism(10, 1), "<LaplaceMechanism: scale=10, sensitivity=1>"),
        (SampledMechanism(exactdp.GaussianMechanism(1), "0.01", 9), "rate=0.01, count=9>"),
        (DiscreteLaplaceMechanism(2, (1, 2)), "scale=2, shifts=[1, 2]>"),
        (exactdp.Ledger.of(FIFTY, name="a\nb"), "<Ledger: ledger: a; b; mechanisms: 50"),
        (exactdp.compose(FIFTY, delta="1e-6"), "<Composition: ε ∈ [3.17692"),
        (exactdp.certify(["1"], epsilon=1, delta=0), "<Certified: proved: ε = 1 at δ = 0"),
    ],
)
def test_what_is_shown_in_a_shell_is_one_line(shown: object, line: str) -> None:
    text = repr(shown)
    assert line in text
    assert "\n" not in text
    assert len(text) < 160
    assert text.startswith(f"<{type(shown).__name__}: ")


def test_a_long_ledger_is_one_line() -> None:
    assert len(repr(exactdp.Ledger.of(["1"], name="x" * 1000))) < 160


def test_a_picture_has_both_bounds_and_the_answer() -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    answer: exactdp.Composition = pickle.loads(  # noqa: S301 (our own bytes)
        pickle.dumps(exactdp.compose(FIFTY, delta="1e-6"))
    )
    [axes] = answer.plot().axes
    names = [line.get_label() for line in axes.lines]
    assert names == ["upper bound", "lower bound", "ε ≤ 3.1770 at δ = 1e-6"]
    high, low, mark = (line.get_xydata().tolist() for line in axes.lines)
    assert all(x <= other for (x, _), (other, _) in zip(low, high, strict=True))
    assert [1e-6 in {y for _, y in curve} for curve in (high, low, mark)] == [True, True, True]
    again = exactdp.compose(["1"], delta=0).plot(axes)
    assert (again, len(axes.lines)) == (axes.figure, 5)


def test_without_matplotlib_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> object:  # noqa: ANN401 (Python's own)
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name=name)
        return real(name, *rest)

    answer = exactdp.compose(FIFTY, delta="1e-6")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'exactdp\[plot\]'") as caught:
        answer.plot()
    assert caught.value.code == "not-installed"
