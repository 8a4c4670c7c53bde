"""What overlap saves, in ε, in noise and in expected error: with the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism, Parametric
from exactdp.workloads.composing import ParallelComposition, compose_parallel
from exactdp.workloads.gains import Gain, expected_error_gain, noise_gain, overlap_gain
from tests.workloads.workloads import workload

EXAMPLE_3 = [
    {0: [0], 1: [0]},
    {0: [0, 1]},
    {0: [0, 2], 1: [1]},
    {1: [0]},
    {0: [2]},
    {0: [1], 1: [1]},
]
HOSPITAL = ["1/2", "1/2", "1/2", "1/4", "1/5", "1/5", "1/5"]
"""The ε of seven queries, of which a row meets one of 1/2, that of 1/4, and one of 1/5."""

TABLE_1 = [(9, 6), (120, 107), (2, 2), (267, 216), (54, 34), (68, 55), (41, 17), (38, 20)]
TABLE_1 += [(284, 208), (883, 563)]
"""t and γ of the paper's ten sets of queries."""
PRINTED = [".333", ".108", "0", ".191", ".370", ".191", ".585", ".474", ".268", ".362"]
SEQUENTIAL = [
    "2.392",
    "8.747",
    "1.133",
    "13.040",
    "5.850",
    "6.573",
    "5.116",
    "4.912",
    "13.446",
    "23.709",
]
OVERLAPPING = [
    "1.9488",
    "8.254",
    "1.133",
    "11.734",
    "4.657",
    "5.921",
    "3.286",
    "3.568",
    "11.516",
    "18.940",
]


def example_3(entry: Parametric, delta: str) -> ParallelComposition:
    return compose_parallel(workload([3, 2], EXAMPLE_3, [entry] * 6), delta=delta)


def hospital() -> ParallelComposition:
    queries = [{0: [0]}, {0: [1]}, {0: [2]}, {}, {1: [0]}, {1: [1]}, {1: [2]}]
    return compose_parallel(workload([3, 3], queries, [Mechanism(e) for e in HOSPITAL]), delta=0)


def nested(t: int, overlap: int, entry: Parametric, delta: str) -> ParallelComposition:
    """Queries of which a row meets ``overlap`` at most: all the rest exclude one another."""
    queries = [{0: [max(0, i - overlap + 1)]} if i >= overlap - 1 else {} for i in range(t)]
    return compose_parallel(workload([t], queries, [entry] * t), delta=delta)


def holds(gain: Gain | None, truth: object, width: str = "1e-20") -> bool:
    assert gain is not None
    low, high = (mpmath.mpf(int(end.numerator)) / int(end.denominator) for end in gain)
    return bool(
        low <= truth + mpmath.mpf("1e-30") and truth <= high + mpmath.mpf("1e-30")
    ) and bool(high - low <= mpmath.mpf(width))


def test_the_expected_error_of_unequal_queries_is_not_that_of_equal_ones() -> None:
    answer = hospital()
    assert answer.optimum == (mpq(95, 100), mpq(95, 100))
    assert expected_error_gain(answer) == (mpq(14, 25), mpq(14, 25))
    assert answer.gain == (mpq(28, 47), mpq(28, 47))
    assert noise_gain(answer) == answer.gain  # at δ = 0 both are 1 - Σ ε of the row / Σ ε
    assert overlap_gain(answer) == (mpq(4, 7), mpq(4, 7))


def test_discrete_noise_has_the_error_of_a_hyperbolic_sine() -> None:
    with mpmath.workdps(40):
        truth = 1 - sum(1 / mpmath.sinh(mpmath.mpf(1) / n) for n in (2, 4, 5)) / sum(
            1 / mpmath.sinh(mpmath.mpf(1) / n) for n in (2, 2, 2, 4, 5, 5, 5)
        )
        assert holds(expected_error_gain(hospital(), "discrete"), truth)


@pytest.mark.parametrize(
    "entry", [GaussianMechanism("1"), ConcentratedMechanism("1/2")], ids=["mu", "rho"]
)
def test_gaussian_noise_saves_by_a_square_root_what_half_the_overlap_saves(
    entry: Parametric,
) -> None:
    answer = example_3(entry, "1e-6")
    with mpmath.workdps(40):
        assert holds(noise_gain(answer), 1 - mpmath.sqrt(mpmath.mpf(3) / 6))
    assert overlap_gain(answer) == (mpq(1, 2), mpq(1, 2))


@pytest.mark.parametrize("rho", ["2", "1/2", "1/100"])
def test_discrete_gaussian_noise_has_the_mean_of_its_definition(rho: str) -> None:
    entries = [ConcentratedMechanism(rho), ConcentratedMechanism("1")]
    answer = compose_parallel(workload([2], [{0: [0]}, {0: [1]}], entries), delta="1e-6")
    gain = expected_error_gain(answer, "discrete")

    def mean(parameter: mpmath.mpf) -> mpmath.mpf:
        weights = {k: mpmath.exp(-parameter * k * k) for k in range(-200, 201)}
        return sum(abs(k) * w for k, w in weights.items()) / sum(weights.values())

    with mpmath.workdps(40):
        errors = [
            mean(mpmath.mpf(mpq(each).numerator) / mpq(each).denominator) for each in (rho, 1)
        ]
        met = errors[answer.met[0]]
        assert holds(gain, 1 - met / sum(errors))


def test_no_discrete_noise_has_a_mu_nor_sums_that_never_end() -> None:
    for entry in (GaussianMechanism("1"), ConcentratedMechanism("1e-9")):
        assert expected_error_gain(example_3(entry, "1e-6"), "discrete") is None
        assert expected_error_gain(example_3(entry, "1e-6")) is not None


def test_noise_saved_is_what_makes_the_sequence_cost_the_overlap() -> None:
    delta = "1e-6"
    answer = nested(60, 6, Mechanism("1/10"), delta)
    gain = noise_gain(answer)
    assert gain is not None
    low, high = gain
    assert 0 <= high - low < mpq(1, 1000)
    target = answer.optimum[0]
    for scale, keeps in ((1 - high - mpq(1, 1000), True), (1 - low + mpq(1, 1000), False)):
        upper = compose(Ledger((Mechanism(scale / 10, count=60),)), delta=delta).upper
        assert upper is not None
        assert target is not None
        assert (upper <= target) is keeps


@pytest.mark.slow
@pytest.mark.parametrize("row", range(10))
def test_table_1_of_the_paper_follows_from_t_and_the_overlap(row: int) -> None:
    t, overlap = TABLE_1[row]
    answer = nested(t, overlap, GaussianMechanism("1"), "1e-6")
    assert overlap_gain(answer) == (1 - mpq(overlap, t),) * 2
    with mpmath.workdps(30):
        assert abs(1 - mpmath.mpf(overlap) / t - mpmath.mpf(PRINTED[row])) < mpmath.mpf("0.0006")
        assert holds(noise_gain(answer), 1 - mpmath.sqrt(mpmath.mpf(overlap) / t))
        for count, printed in ((t, SEQUENTIAL[row]), (overlap, OVERLAPPING[row])):
            expected = mpmath.sqrt(2 * mpmath.mpf(count) / mpmath.pi)
            assert abs(expected - mpmath.mpf(printed)) / expected < mpmath.mpf("0.0041")


def no_gains() -> Sequence[tuple[str, list[Parametric]]]:
    return [
        ("silent", [Mechanism("0"), Mechanism("1")]),
        ("silent mu", [GaussianMechanism("0")]),
        ("none", []),
    ]


@pytest.mark.parametrize(("name", "entries"), no_gains())
def test_without_a_finite_error_there_is_no_gain_in_it(
    name: str, entries: list[Parametric]
) -> None:
    answer = compose_parallel(workload([2], [{}] * len(entries), entries), delta="1e-6")
    assert expected_error_gain(answer) is None, name


def test_several_notions_have_no_common_noise() -> None:
    mixed = workload([2], [{0: [0]}, {0: [1]}], [Mechanism("1"), GaussianMechanism("1")])
    answer = compose_parallel(mixed, delta="1e-6")
    assert noise_gain(answer) is None
    assert expected_error_gain(answer) is not None


def test_of_more_different_parameters_than_are_scaled_no_noise_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    two = workload([2], [{0: [0]}, {0: [1]}], [Mechanism("1/10"), Mechanism("1/5")])
    answer = compose_parallel(two, delta=0)
    assert noise_gain(answer) is not None
    monkeypatch.setattr("exactdp.workloads.gains.MOST_SCALED", 1)
    assert noise_gain(answer) is None
