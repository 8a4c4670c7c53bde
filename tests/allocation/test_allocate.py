"""One budget shared: it is kept, proved, and near the best that a grid of rationals holds."""

from __future__ import annotations

import pickle
import re
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
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.verifier import verify_bytes
from tests.marking import each_case

GAUSSIAN: dict[str, Any] = {"noise": "gaussian", "delta": "1e-9"}
NEAR = mpq(1001, 1000)


def accepted(certificate: Certificate | None, bound: str) -> bool:
    if certificate is None or certificate.bound != bound:
        return False
    return verify_bytes(certificate.to_bytes(), max_cost=10**12).status == "accepted"


def shared(answer: Allocation) -> dict[str, mpq]:
    return {share.statistic.name: share.epsilon for share in answer.shares}


def error_at(statistics: list[Statistic], epsilons: tuple[mpq, ...]) -> mpq:
    return sum(
        (each.weighted_error(e) for each, e in zip(statistics, epsilons, strict=True)), mpq(0)
    )


def keeps(statistics: list[Statistic], epsilons: tuple[mpq, ...], budget: tuple[str, str]) -> bool:
    entries = [
        (ExactNumber(e), each.delta, each.count)
        for each, e in zip(statistics, epsilons, strict=True)
    ]
    return certify(Ledger.of(entries), epsilon=budget[0], delta=budget[1]).holds


CASES: list[tuple[list[Statistic], tuple[str, str], mpq, int]] = [
    ([Statistic("a"), Statistic("b", weight=8)], ("1", "1e-2"), mpq(1, 50), 60),
    ([Statistic("a"), Statistic("b", weight=30)], ("3", "1e-1"), mpq(1, 20), 90),
    ([Statistic("a", count=9), Statistic("b", weight=20)], ("1", "1e-3"), mpq(1, 100), 70),
    ([Statistic("a", "discrete_laplace", count=6), Statistic("b", **GAUSSIAN)],
     ("2", "1e-3"), mpq(1, 50), 90),
    ([Statistic("a"), Statistic("b", weight=5, sensitivity=2), Statistic("c", count=4)],
     ("1", "1e-2"), mpq(1, 25), 20),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)))
def test_no_point_of_a_rational_grid_is_better_by_a_thousandth(number: int) -> None:
    statistics, budget, unit, most = CASES[number]
    answer = allocate(statistics, epsilon=budget[0], delta=budget[1])
    best = best_on_grid(statistics, budget, unit, most)
    assert answer.weighted_error <= best * NEAR


def best_on_grid(statistics: list[Statistic], budget: tuple[str, str], unit: mpq, most: int) -> mpq:
    """The least weighted error of multiples of ``unit``: all of them, but for the last statistic.

    The more the others have, the less is left for the last, so that its greatest is sought from
    where it was.
    """
    errors = []
    for head in product(range(1, most + 1), repeat=len(statistics) - 2):
        last = most
        for step in range(1, most + 1):
            steps = (*head, step)
            while last and not keeps(statistics, tuple(n * unit for n in (*steps, last)), budget):
                last -= 1
            if not last:
                break
            errors.append(error_at(statistics, tuple(n * unit for n in (*steps, last))))
    return min(errors)


STATISTICS = st.lists(
    st.tuples(
        st.sampled_from(["laplace", "discrete_laplace", "gaussian"]),
        st.sampled_from(["1/10", "1", "7"]),
        st.integers(1, 30),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(STATISTICS, st.sampled_from(["1/4", "1", "ln(8)"]), st.sampled_from(["1e-6", "1e-3"]))
def test_what_is_shared_is_proved_to_keep_the_budget_and_is_no_worse_than_any_rival(
    drawn: list[tuple[str, str, int]], epsilon: str, delta: str
) -> None:
    statistics = [
        Statistic(
            str(i), noise, weight=weight, count=count, delta="1e-9" if noise == "gaussian" else 0
        )
        for i, (noise, weight, count) in enumerate(drawn)
    ]
    answer = allocate(statistics, epsilon=epsilon, delta=delta)
    assert answer.outcome == "found"
    assert accepted(answer.upper_certificate, "upper")
    assert accepted(answer.lower_certificate, "lower")
    assert answer.ledger is not None
    mechanisms = [
        (each.label, each.epsilon.rational, each.delta) for each in answer.ledger.approximate()
    ]
    assert mechanisms == [
        (share.statistic.name, share.epsilon, share.statistic.delta) for share in answer.shares
    ]
    again = error_at(statistics, tuple(share.epsilon for share in answer.shares))
    assert answer.weighted_error == again
    for rival in answer.rivals:
        assert rival.weighted_error is not None
        assert answer.weighted_error <= rival.weighted_error * (1 + mpq(1, 10**5))


def test_basic_splits_add_up_to_the_budget() -> None:
    statistics = [Statistic("a", count=3), Statistic("b", weight=4)]
    even, weighted, _ = allocate(statistics, epsilon=2, delta="1e-6").rivals
    for rival in (even, weighted):
        assert rival.epsilons is not None
        assert 3 * rival.epsilons[0] + rival.epsilons[1] == 2
    assert even.epsilons == (mpq(1, 2), mpq(1, 2))
    assert weighted.epsilons is not None
    assert abs(weighted.epsilons[1] / weighted.epsilons[0] - 2) < mpq(1, 50)  # √4


def test_without_any_delta_the_optimum_is_basic_composition() -> None:
    answer = allocate([Statistic("a"), Statistic("b", weight=9)], epsilon=1, delta=0)
    shares = shared(answer)
    assert 1 - mpq(1, 10**5) < shares["a"] + shares["b"] <= 1
    assert abs(shares["b"] / shares["a"] - 3) < mpq(1, 50)


def test_equal_statistics_stay_a_group_however_many() -> None:
    answer = allocate([Statistic("many", count=10**6), Statistic("one")], epsilon=1, delta="1e-9")
    assert answer.ledger is not None
    assert [each.count for each in answer.ledger.mechanisms] == [10**6, 1]
    assert accepted(answer.upper_certificate, "upper")


def test_a_target_is_met_and_the_rest_is_shared() -> None:
    target = AccuracyTarget(20, "0.95")
    statistics = [Statistic("aim", "discrete_laplace", target=target), Statistic("a", count=20)]
    answer = allocate(statistics, epsilon=1, delta="1e-6")
    aim, rest = answer.shares
    assert (aim.set_by, rest.set_by) == ("target", "allocation")
    assert aim.meets_target
    assert (
        allocate([Statistic("a", count=20)], epsilon=1, delta="1e-6").shares[0].epsilon
        > rest.epsilon
    )


@pytest.mark.slow
def test_a_weighted_statistic_never_falls_below_its_target() -> None:
    target = AccuracyTarget(4)
    statistics = [Statistic("aim", weight="1/1000", target=target), Statistic("a", weight=1000)]
    held = allocate(statistics, epsilon=1, delta="1e-6").shares[0]
    assert (held.set_by, held.meets_target) == ("target", True)
    eager = Statistic("aim", weight=1000, target=target)
    more = allocate([eager, Statistic("a", weight="1/1000")], epsilon=1, delta="1e-6").shares[0]
    assert (more.set_by, more.meets_target) == ("allocation", True)
    assert more.epsilon > held.epsilon


def test_targets_that_do_not_fit_are_an_answer_with_a_proof() -> None:
    aims = [Statistic(name, target=AccuracyTarget(1)) for name in "ab"]
    answer = allocate(aims, epsilon=1, delta="1e-6")
    assert (answer.outcome, answer.shares, answer.upper_certificate) == ("none", (), None)
    assert "already exceed the budget" in answer.reason
    assert accepted(answer.lower_certificate, "lower")


def test_targets_alone_that_fit_are_proved_to() -> None:
    aims = [Statistic(name, target=AccuracyTarget(3)) for name in "ab"]
    answer = allocate(aims, epsilon=1, delta="1e-6")
    assert (answer.outcome, answer.rivals, answer.lower_certificate) == ("found", (), None)
    assert accepted(answer.upper_certificate, "upper")


def test_deltas_of_statistics_that_exceed_the_budget_are_an_answer() -> None:
    answer = allocate([Statistic("g", "gaussian", delta="1e-3")], epsilon=1, delta="1e-6")
    assert answer.outcome == "none"
    assert "the δ_i alone exceed the budget" in answer.reason
    assert accepted(answer.lower_certificate, "lower")


def test_what_is_fixed_stays_and_the_others_share_what_is_left() -> None:
    statistics = [Statistic("a"), Statistic("b"), Statistic("c", count=10)]
    before = shared(allocate(statistics, epsilon=1, delta="1e-6"))
    answer = allocate(statistics, epsilon=1, delta="1e-6", fix={"a": "0.01"}, tolerance="1e-4")
    after = shared(answer)
    assert after["a"] == mpq(1, 100) < before["a"]
    assert after["b"] > before["b"]
    assert after["c"] > before["c"]
    assert answer.shares[0].set_by == "fixed"
    assert accepted(answer.upper_certificate, "upper")


@pytest.mark.slow
def test_what_is_left_out_leaves_its_share_to_the_others() -> None:
    statistics = [Statistic("a"), Statistic("b"), Statistic("c", count=10)]
    before = shared(allocate(statistics, epsilon=1, delta="1e-6"))
    after = shared(allocate(statistics, epsilon=1, delta="1e-6", without=["a"]))
    assert set(after) == {"b", "c"}
    assert all(after[name] > before[name] for name in after)


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
        ({"sensitivity": 101, "noise": "discrete_gaussian", "delta": "1e-9"}, "to 100 for"),
        ({"count": 0}, "a whole number from 1"),
        ({"delta": "1e-9"}, "0, for laplace noise"),
        ({"noise": "gaussian"}, "a δ of its own"),
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
    assert str(answer).splitlines()[1].startswith("a: ε = 0.2")
    assert "weighted error: at most" in str(answer)
    assert pickle.loads(pickle.dumps(answer)) == answer  # noqa: S301 (our own bytes)
    assert answer._repr_html_().startswith("<table><tr>")
    nothing = allocate([Statistic("a", target=AccuracyTarget("0.1"))], epsilon=1, delta=0)
    assert "allocation: none: what is fixed" in str(nothing)
