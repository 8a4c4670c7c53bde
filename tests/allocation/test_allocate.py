"""One budget shared: it is kept, proved, and near the best that other shares of noise hold."""

from __future__ import annotations

import pickle
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp
from exactdp.allocation.allocate import allocate
from exactdp.allocation.results import Allocation
from exactdp.allocation.statistics import AccuracyTarget, Statistic
from exactdp.arithmetic.numbers import Number
from exactdp.budgets.notions import least_noise
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism
from exactdp.verifier import verify_bytes
from tests.marking import each_case, slow_after

NEAR = mpq(1001, 1000)
LESS = mpq(998, 1000)
BUDGET: dict[str, Any] = {"epsilon": 1, "delta": "1e-6"}


def gaussian(name: str = "a", **keys: Any) -> Statistic:  # noqa: ANN401 (as Statistic takes them)
    return Statistic(name, "gaussian", **keys)


def accepted(certificate: Certificate | None, bound: str) -> bool:
    if certificate is None or certificate.bound != bound:
        return False
    return verify_bytes(certificate.to_bytes(), max_cost=10**12).status == "accepted"


def scales_of(answer: Allocation) -> tuple[mpq, ...]:
    return tuple(share.scale for share in answer.shares)


def shared(answer: Allocation) -> dict[str, mpq]:
    return {share.statistic.name: share.scale for share in answer.shares}


def keeps(
    statistics: Sequence[Statistic], scales: Sequence[mpq], epsilon: Number, delta: Number
) -> bool:
    entries = [each.entry(scale) for each, scale in zip(statistics, scales, strict=True)]
    return certify(Ledger.of(entries), epsilon=epsilon, delta=delta).holds


def error_at(statistics: Sequence[Statistic], scales: Sequence[mpq]) -> mpq:
    return sum((e.weighted_error(b) for e, b in zip(statistics, scales, strict=True)), mpq(0))


def least_multiple(statistics: list[Statistic], scales: list[mpq], *budget: Number) -> list[mpq]:
    """The least multiple of scales that keeps a budget, to a thousandth, by halving."""
    low, high = mpq(1, 2), mpq(2)
    assert keeps(statistics, [each * high for each in scales], *budget)
    while high > low * NEAR:
        middle = (low + high) / 2
        fits = keeps(statistics, [each * middle for each in scales], *budget)
        low, high = (low, middle) if fits else (middle, high)
    return [each * high for each in scales]


def test_twenty_gaussian_statistics_get_the_noise_that_their_composition_asks_for() -> None:
    answer = allocate([gaussian(str(i)) for i in range(20)], **BUDGET)
    alone = least_noise([GaussianMechanism(1, 20)], **BUDGET, label="#1", tolerance="1e-6")
    assert alone.fits is not None
    for scale in scales_of(answer):
        assert abs(scale - alone.fits) < mpq(1, 10**4)
        assert mpq("18.89") < scale < mpq("18.90")
    assert accepted(answer.upper_certificate, "upper")
    assert accepted(answer.lower_certificate, "lower")


MIXED = [Statistic("a"), Statistic("b", "discrete_laplace", count=6), gaussian("c", weight=3)]
CASES: list[tuple[list[Statistic], Number, Number, bool]] = [
    ([gaussian("a"), gaussian("b", weight=30, count=5), gaussian("c", sensitivity=7)],
     1, "1e-6", True),
    ([gaussian("a"), gaussian("b", weight="1/9")], "1/4", "1e-12", True),
    ([Statistic("a"), Statistic("b", "discrete_laplace", weight=9)], 1, 0, True),
    (MIXED, 2, "1e-3", False),
]  # fmt: skip


@pytest.mark.parametrize("number", slow_after(3, range(len(CASES))))
def test_no_shares_nearby_are_better_by_a_hundredth(number: int) -> None:
    statistics, epsilon, delta, is_exact = CASES[number]
    answer = allocate(statistics, epsilon=epsilon, delta=delta)
    allowed = mpq(1001, 1000) if is_exact else mpq(101, 100)
    for place, factor in product(range(len(statistics)), (mpq(4, 5), mpq(5, 4))):
        scales = list(scales_of(answer))
        scales[place] *= factor
        other = least_multiple(statistics, scales, epsilon, delta)
        assert answer.weighted_error <= allowed * error_at(statistics, other)


NOISE = st.sampled_from(["laplace", "discrete_laplace", "gaussian"])
STATISTICS = st.lists(
    st.tuples(NOISE, st.sampled_from(["1/10", "1", "7"]), st.integers(1, 30)),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(STATISTICS, st.sampled_from(["1/4", "1", "ln(8)"]), st.sampled_from(["1e-6", "1e-3"]))
def test_what_is_shared_is_proved_to_keep_the_budget_and_a_little_less_noise_not_to(
    drawn: list[tuple[str, str, int]], epsilon: str, delta: str
) -> None:
    statistics = [
        Statistic(str(i), noise, weight=weight, count=count)
        for i, (noise, weight, count) in enumerate(drawn)
    ]
    answer = allocate(statistics, epsilon=epsilon, delta=delta)
    assert answer.outcome == "found"
    assert accepted(answer.upper_certificate, "upper")
    assert accepted(answer.lower_certificate, "lower")
    scales = scales_of(answer)
    assert answer.ledger == Ledger(
        tuple(each.entry(scale) for each, scale in zip(statistics, scales, strict=True))
    )
    assert not keeps(statistics, [scale * LESS for scale in scales], epsilon, delta)
    assert answer.weighted_error == error_at(statistics, scales)
    (even,) = answer.rivals
    assert (
        len({scale / each.sensitivity for scale, each in zip(even.scales, statistics, strict=True)})
        == 1
    )
    assert keeps(statistics, even.scales, epsilon, delta)
    assert answer.weighted_error <= even.weighted_error


def test_gaussian_shares_have_their_closed_form_and_one_step_less_breaks_the_budget() -> None:
    statistics = [gaussian("a", sensitivity=2), gaussian("b", weight=8, count=3), gaussian("c")]
    answer = allocate(statistics, **BUDGET)
    found = scales_of(answer)
    for each, scale in zip(statistics, found, strict=True):
        cube = (scale / found[2]) ** 3
        assert abs(cube * each.weight / each.sensitivity**2 - 1) < mpq(1, 10**6)
    assert keeps(statistics, scales_of(answer), *BUDGET.values())
    less = [scale * (1 - mpq(1, 10**5)) for scale in scales_of(answer)]
    assert not keeps(statistics, less, *BUDGET.values())


def test_without_any_delta_the_epsilons_add_up() -> None:
    answer = allocate([Statistic("a"), Statistic("b", weight=9, count=2)], epsilon=1, delta=0)
    a, b = scales_of(answer)
    assert 1 - mpq(1, 10**5) < 1 / a + 2 / b <= 1
    assert abs(a / b - 3) < mpq(1, 10**5)
    assert accepted(answer.upper_certificate, "upper")
    assert accepted(answer.lower_certificate, "lower")


def test_gaussian_noise_keeps_no_budget_without_a_delta() -> None:
    answer = allocate([Statistic("a"), gaussian("b")], epsilon=1, delta=0)
    assert (answer.outcome, answer.shares) == ("none", ())
    assert answer.reason == "no Gaussian noise keeps a budget whose δ is 0"


def test_equal_statistics_stay_a_group_however_many() -> None:
    most = 10**18 - 1
    answer = allocate([gaussian("many", count=most), gaussian("one")], epsilon=1, delta="1e-9")
    assert answer.ledger is not None
    assert [each.count for each in answer.ledger.mechanisms] == [most, 1]
    assert accepted(answer.upper_certificate, "upper")


@pytest.mark.slow
def test_too_many_for_the_limit_are_composed_by_divergences() -> None:
    answer = allocate([Statistic("many", count=10**18)], epsilon=1, delta="1e-9")
    assert accepted(answer.upper_certificate, "upper")


def test_a_target_is_met_and_the_rest_is_shared() -> None:
    target = AccuracyTarget(20, "0.95")
    statistics = [gaussian("aim", target=target), gaussian("a", count=20)]
    answer = allocate(statistics, **BUDGET)
    aim, rest = answer.shares
    assert (aim.set_by, rest.set_by) == ("target", "allocation")
    assert aim.meets_target
    assert allocate([gaussian("a", count=20)], **BUDGET).shares[0].scale < rest.scale


def test_a_weighted_statistic_never_falls_below_its_target() -> None:
    target = AccuracyTarget(6)
    statistics = [gaussian("aim", weight="1/1000", target=target), gaussian("a", weight=1000)]
    held = allocate(statistics, **BUDGET).shares[0]
    assert (held.set_by, held.meets_target) == ("target", True)
    eager = gaussian("aim", weight=1000, target=target)
    more = allocate([eager, gaussian("a", weight="1/1000")], **BUDGET).shares[0]
    assert (more.set_by, more.meets_target) == ("allocation", True)
    assert more.scale < held.scale


@each_case("delta", ["0", "1e-6"])
def test_targets_that_do_not_fit_are_an_answer_with_a_proof(delta: str) -> None:
    aims = [Statistic(name, target=AccuracyTarget(1)) for name in "ab"]
    answer = allocate(aims, epsilon=1, delta=delta)
    assert (answer.outcome, answer.shares, answer.upper_certificate) == ("none", (), None)
    assert "already exceed the budget" in answer.reason
    assert accepted(answer.lower_certificate, "lower")


@each_case("delta", ["0", "1e-6"])
def test_targets_alone_that_fit_are_proved_to(delta: str) -> None:
    aims = [Statistic(name, target=AccuracyTarget(3)) for name in "ab"]
    answer = allocate(aims, epsilon=1, delta=delta)
    assert (answer.outcome, answer.rivals, answer.lower_certificate) == ("found", (), None)
    assert accepted(answer.upper_certificate, "upper")


def test_what_is_fixed_stays_and_the_others_share_what_is_left() -> None:
    statistics = [gaussian("a", delta="1e-9"), gaussian("b"), gaussian("c", count=10)]
    before = shared(allocate(statistics, **BUDGET))
    answer = allocate(statistics, **BUDGET, fix={"a": "0.01"})
    after = shared(answer)
    assert certify([statistics[0].entry(after["a"])], epsilon="0.01", delta="1e-9").holds
    assert after["a"] > before["a"]
    assert after["b"] < before["b"]
    assert after["c"] < before["c"]
    assert answer.shares[0].set_by == "fixed"
    assert accepted(answer.upper_certificate, "upper")


def test_noise_that_is_decided_stays() -> None:
    answer = allocate([gaussian("a", scale="1000/7"), gaussian("b")], **BUDGET)
    assert answer.shares[0].scale == mpq(1000, 7)
    assert [share.set_by for share in answer.shares] == ["fixed", "allocation"]
    assert accepted(answer.upper_certificate, "upper")
    little = allocate([gaussian("a", scale=1), gaussian("b")], **BUDGET)
    assert little.outcome == "none"
    assert accepted(little.lower_certificate, "lower")


def test_what_is_left_out_leaves_its_share_to_the_others() -> None:
    statistics = [gaussian("a"), gaussian("b"), gaussian("c", count=10)]
    before = shared(allocate(statistics, **BUDGET))
    after = shared(allocate(statistics, **BUDGET, without=["a"]))
    assert set(after) == {"b", "c"}
    assert all(after[name] < before[name] for name in after)


def test_names_that_nobody_has_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean mean\\?"):
        allocate([Statistic("mean")], epsilon=1, delta=0, fix={"meen": 1})
    with pytest.raises(InputError, match="there are mean"):
        allocate([Statistic("mean")], epsilon=1, delta=0, without=["x"])
    with pytest.raises(InputError, match="a list of names"):
        allocate([Statistic("mean")], epsilon=1, delta=0, without="mean")
    with pytest.raises(InputError, match="not left out by without"):
        allocate([Statistic("m"), Statistic("n")], epsilon=1, delta=0, fix={"m": 1}, without=["m"])
    with pytest.raises(InputError, match="1 to 1000 statistics"):
        allocate([Statistic("mean")], epsilon=1, delta=0, without=["mean"])
    with pytest.raises(InputError, match="no other statistic has"):
        allocate([Statistic("mean"), Statistic("mean")], epsilon=1, delta=0)
    with pytest.raises(InputError, match="at most 10\\^18 answers"):
        allocate([Statistic("a", count=10**18), Statistic("b")], epsilon=1, delta=0)


@pytest.mark.parametrize(("epsilon", "delta"), [(0, "1e-6"), (1, 1), (-1, 0), (1, 2)])
def test_budgets_that_share_nothing_are_refused(epsilon: int, delta: Number) -> None:
    with pytest.raises(DomainError, match="expected a"):
        allocate([Statistic("mean")], epsilon=epsilon, delta=delta)


@each_case(
    ("keys", "words"),
    [
        ({"name": " "}, "not blank"),
        ({"noise": "cauchy"}, "laplace or discrete_laplace"),
        ({"sensitivity": 0}, "above 0"),
        ({"sensitivity": "1/2", "noise": "discrete_laplace"}, "a whole number"),
        ({"sensitivity": 10**6 + 1, "noise": "discrete_gaussian"}, "to 1000000 for"),
        ({"count": 0}, "a whole number from 1"),
        ({"delta": "1e-9"}, "0, for laplace noise"),
        ({"noise": "gaussian", "epsilon": 1}, "a δ of its own"),
        ({"noise": "gaussian", "delta": "1/2"}, "below 1/2"),
        ({"epsilon": 1, "scale": 1}, "one of epsilon and scale"),
        ({"scale": 0}, "above 0"),
        ({"weight": 0}, "a weight above 0, or a target"),
        ({"weight": -1}, "0, or a rational"),
        ({"epsilon": 0}, "above 0"),
        ({"epsilon": 0.5}, "an exact number"),
    ],
)
def test_a_statistic_that_no_noise_serves_is_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        Statistic(**{"name": "mean", **keys})


def test_targets_out_of_range_are_refused() -> None:
    with pytest.raises(DomainError, match=r"from 0\.5 to 1"):
        AccuracyTarget(1, "0.2")
    with pytest.raises(DomainError, match="above 0"):
        AccuracyTarget(0)


def test_a_file_may_name_the_budget(tmp_path: Path) -> None:
    path = tmp_path / "survey.json"
    path.write_text(
        '{"epsilon": 1, "delta": 1e-6, "confidence": 0.9, "statistics": [{"name": "a"}]}'
    )
    answer = exactdp.allocate(path)
    assert (answer.delta, answer.confidence) == (mpq(1, 10**6), mpq(9, 10))
    assert answer == exactdp.allocate(exactdp.read_statistics(str(path)), epsilon=1)
    assert exactdp.allocate(str(path), delta=0, confidence="1/2").confidence == mpq(1, 2)


def test_a_budget_that_nobody_names_is_asked_for() -> None:
    with pytest.raises(InputError, match="one epsilon, as no file names it"):
        allocate([Statistic("a")], delta=0)
    with pytest.raises(InputError, match="one delta, as no file names it"):
        allocate([Statistic("a")], epsilon=1)


def test_an_answer_reads_as_sentences_and_survives_pickling() -> None:
    answer = allocate([Statistic("a"), Statistic("b", weight=8)], epsilon=1, delta=0)
    assert str(answer).splitlines()[0] == "budget: ε = 1 at δ = 0"
    assert str(answer).splitlines()[1].startswith("a: b = 3.8284")
    assert "weighted error: at most" in str(answer)
    assert pickle.loads(pickle.dumps(answer)) == answer  # noqa: S301 (our own bytes)
    assert answer._repr_html_().startswith("<table><tr>")
    nothing = allocate([Statistic("a", target=AccuracyTarget("0.1"))], epsilon=1, delta=0)
    assert "allocation: none: what is fixed" in str(nothing)
