"""Questions about mechanisms by their noise: their entries, and what peers are asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.accountants.accountants import ABOUT_NOISE, KNOWN, Accountant, chosen
from exactdp.accountants.noise_peers import ask_about_noise, inverse_above, root_below
from exactdp.accountants.peers import answer
from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion, question_line
from exactdp.accountants.verdicts import Truth, judge
from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes
from tests.accountants.asking import checked

STEP = SampledMechanism(GaussianMechanism("10/11"), "256/60000", 9)


def asked(*mechanisms: object, delta: str = "1/100000") -> AccountantQuestion:
    return AccountantQuestion(Ledger.of(mechanisms), delta=mpq(delta))


def line(*mechanisms: object, against: bool = False) -> list[dict[str, Any]]:
    """The entries of a question, as users would ask it or rounded against the accusation."""
    text = question_line(asked(*mechanisms), "ours", pure=False, against=against)
    listed: list[dict[str, Any]] = json.loads(text)["mechanisms"]
    return listed


def test_entries_are_those_of_a_ledger_in_doubles() -> None:
    assert line(
        STEP,
        LaplaceMechanism(4, 2, 3),
        DiscreteLaplaceMechanism(2, (1, 3)),
        DiscreteGaussianMechanism("25/4", (1, 1)),
        BoundedRangeMechanism("1/4"),
        ConcentratedMechanism("1/8"),
        Mechanism("1/2", "1/1024", 7),
        PairMechanism(["1/4", "3/4"], ["1/2", "1/2"]),
        GaussianMechanism(0),
    ) == [
        {"sigma": 1.1, "sensitivity": 1.0, "rate": 0.004266666666666667, "count": 9},
        {"laplace": {"scale": 2.0, "sensitivity": 1.0}, "count": 3},
        {"discrete_laplace": {"scale": 2.0, "shifts": [1, 3]}, "count": 1},
        {"discrete_gaussian": {"variance": 6.25, "shifts": [1, 1]}, "count": 1},
        {"bounded_range": 0.25, "count": 1},
        {"rho": 0.125, "count": 1},
        {"epsilon": 0.5, "delta": 0.0009765625, "count": 7},
        {"pair": {"p": [0.25, 0.75], "q": [0.5, 0.5]}, "count": 1},
    ]


def test_noise_is_rounded_down_and_rates_up() -> None:
    [entry] = line(SampledMechanism(GaussianMechanism("3"), "1/3"), against=True)
    assert (
        Fraction(entry["sigma"]) <= Fraction(1, 3) < Fraction(entry["sigma"]) + Fraction(1, 2**54)
    )
    assert Fraction(entry["rate"]) >= Fraction(1, 3) > Fraction(entry["rate"]) - Fraction(1, 2**54)


@pytest.mark.parametrize(
    "mechanism",
    [PairMechanism(["1/3", "2/3"], ["1/2", "1/2"]), RenyiMechanism([["2", "1/50"]])],
)
def test_what_doubles_do_not_say_is_not_asked(mechanism: object) -> None:
    with pytest.raises(UnsupportedError, match="accountant"):
        question_line(asked(mechanism), "ours", pure=False)


def test_who_knows_parameters_alone_is_not_asked_about_noise() -> None:
    names = {f"{package}/{setting}" for package, all_of in KNOWN.items() for setting in all_of}
    assert names - ABOUT_NOISE == {
        "autodp/kov",
        "diffprivlib/total",
        "opendp/basic",
        "smartnoise-sql/heterogeneous",
        "smartnoise-sql/odometer",
    }
    [accountant] = chosen(["autodp/kov"])
    assert not accountant.noise
    with pytest.raises(UnsupportedError, match="answer for noise"):
        question_line(asked(STEP), accountant.name, pure=False, noise=accountant.noise)


@pytest.mark.slow
def test_an_answer_about_noise_is_refuted_with_a_certificate() -> None:
    row = checked("basic", asked(LaplaceMechanism(1), delta="1/1000"))
    assert row.verdict.outcome == "unusable"  # this fake knows parameters alone
    answered = AccountantAnswer("answered", "a remark", epsilon=mpq("0.9"))
    verdict = judge(answered, Truth(asked(LaplaceMechanism(1), delta="1/1000")))
    assert (verdict.outcome, verdict.message) == ("unsound", "a remark")
    assert verdict.certificate is not None
    data = verdict.certificate.to_bytes()
    assert verify_bytes(data, max_cost=10**12).status == "accepted"


def test_a_claim_at_delta_0_is_decided_by_the_greatest_loss_with_a_certificate() -> None:
    truth = Truth(asked(LaplaceMechanism(1), delta="1/1000"))
    for epsilon, outcome in (("1", "sound"), ("0.9", "unsound")):
        answered = AccountantAnswer("answered", epsilon=mpq(epsilon), delta=mpq(0))
        verdict = judge(answered, truth)
        assert (verdict.outcome, verdict.certificate is None) == (outcome, outcome == "sound")


# --- peers, which fakes stand for ----------------------------------------------------------------


class _Distribution(SimpleNamespace):
    """A distribution that knows what was composed."""

    def compose(self, other: _Distribution) -> _Distribution:
        return _Distribution(calls=[*self.calls, *other.calls])

    def self_compose(self, count: int) -> _Distribution:
        return _Distribution(calls=[(*call, count) for call in self.calls])

    def get_epsilon_for_delta(self, delta: float) -> float:
        SEEN.append((self.calls, delta))
        return 1.5

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        SEEN.append((self.calls, epsilon))
        return 1e-7


SEEN: list[Any] = []


def _module(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> ModuleType:
    module = ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def _recording(name: str) -> Any:  # noqa: ANN401 (a function of any shape)
    def made(*arguments: object, **options: object) -> _Distribution:
        shown = {key: value for key, value in options.items() if key == "sampling_prob"}
        return _Distribution(calls=[(name, *arguments, *shown.values())])

    return made


@pytest.fixture
def fake_pld(monkeypatch: pytest.MonkeyPatch) -> None:
    families = ("gaussian", "laplace", "discrete_laplace", "discrete_gaussian")
    made: Mapping[str, Any] = {f"from_{each}_mechanism": _recording(each) for each in families}
    distribution = _module(
        monkeypatch,
        "dp_accounting.pld.privacy_loss_distribution",
        identity=lambda **_: _Distribution(calls=[]),
        **made,
    )
    pld = _module(monkeypatch, "dp_accounting.pld", privacy_loss_distribution=distribution)
    _module(monkeypatch, "dp_accounting", pld=pld)
    SEEN.clear()


@pytest.mark.usefixtures("fake_pld")
def test_dp_accounting_is_asked_by_the_functions_of_its_documentation() -> None:
    entries = line(
        STEP,
        LaplaceMechanism(4, 2, 3),
        DiscreteLaplaceMechanism(2, (1, 3)),
        DiscreteGaussianMechanism(9, (2,)),
    )
    said = ask_about_noise("dp-accounting/pld-1e-4", entries, 1e-6, None)
    assert said == {"epsilon": 1.5}
    [(calls, delta)] = SEEN
    assert delta == 1e-6
    assert calls == [
        ("gaussian", 1.1, 0.004266666666666667, 9),
        ("laplace", 2.0, 1.0, 1.0, 3),
        ("discrete_laplace", 0.5, 1, 1.0, 1),
        ("discrete_laplace", 0.5, 3, 1.0, 1),
        ("discrete_gaussian", 3.0, 2, 1.0, 1),
    ]
    assert ask_about_noise("dp-accounting/pld-1e-3", entries, None, 2.0) == {"delta": 1e-7}
    refused = ask_about_noise("dp-accounting/pld-1e-3", [{"rho": 1.0, "count": 1}], 1e-6, None)
    assert refused == {"unsupported": "rho"}


def test_opacus_needs_no_torch_and_its_warning_is_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import warnings  # noqa: PLC0415 (the fake's)

    class GaussianAccountant:
        history: list[Any]

        def __init__(self) -> None:
            warnings.warn("it can underestimate", stacklevel=1)

        def get_epsilon(self, delta: float) -> float:
            SEEN.append((self.history, delta))
            return 0.25

    accountants = _module(monkeypatch, "opacus.accountants", GaussianAccountant=GaussianAccountant)
    _module(monkeypatch, "opacus", accountants=accountants)
    SEEN.clear()
    said = ask_about_noise("opacus/gdp", line(STEP), 1e-5, None)
    assert said == {"epsilon": 0.25, "remark": "it warns: it can underestimate"}
    assert SEEN == [([(1.1, 0.004266666666666667, 9)], 1e-5)]
    assert "unsupported" in ask_about_noise("opacus/gdp", line(LaplaceMechanism(1)), 1e-5, None)
    assert "unsupported" in ask_about_noise("opacus/gdp", [*line(STEP)] * 2, 1e-5, None)
    assert "unsupported" in ask_about_noise("opacus/gdp", line(STEP), None, 1.0)


def test_what_a_peer_does_not_know_it_is_not_asked() -> None:
    assert ask_about_noise("autodp/kov", line(STEP), 1e-5, None) == {
        "unsupported": "mechanisms by their noise"
    }
    question = {"accountant": "opacus/rdp", "mechanisms": line(LaplaceMechanism(1)), "delta": 1e-5}
    given = answer(question)
    assert given["unsupported"] == "laplace: Gaussian noise alone"


@pytest.mark.parametrize("value", [3.0, 0.1, 7e-5, 2.0])
def test_parameters_are_translated_to_more_revealing_ones(value: float) -> None:
    assert (
        1 / Fraction(value)
        <= Fraction(inverse_above(value))
        < 1 / Fraction(value) * (1 + Fraction(1, 2**51))
    )
    root = Fraction(root_below(value))
    assert root**2 <= Fraction(value) < root**2 * (1 + Fraction(1, 2**50))


def test_a_program_is_asked_about_noise() -> None:
    assert Accountant("ours", ("true",)).noise
