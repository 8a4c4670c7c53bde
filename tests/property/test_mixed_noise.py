"""Laws of ledgers that mix mechanisms by their noise with others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.verifier import verify_bytes

DELTA = "1e-4"


def ends(
    *mechanisms: object,
    delta: str = DELTA,
    tolerance: str = "1e-3",
    neighbouring: str = "add-remove-one",
) -> tuple[mpq, mpq]:
    ledger = Ledger.of(mechanisms, neighbouring=neighbouring)
    answer = compose(ledger, delta=delta, tolerance=tolerance)
    assert answer.lower is not None
    assert answer.upper is not None
    return answer.lower, answer.upper


def meet(first: tuple[mpq, mpq], second: tuple[mpq, mpq]) -> bool:
    """Whether two intervals overlap."""
    return first[0] <= second[1] and second[0] <= first[1]


def test_sampling_everybody_meets_the_gaussian_curve() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 11: the rate 1 is no sampling."""
    nearly = SampledMechanism(GaussianMechanism("1/2"), "999999/1000000", 3)
    plain = compose([GaussianMechanism("1/2", 3)], delta=DELTA, tolerance="1e-6")
    low, high = ends(nearly)
    assert plain.upper is not None
    assert low <= plain.upper
    assert plain.upper - high <= mpq("1e-3")
    assert low - plain.upper >= -mpq("2e-3")


@pytest.mark.slow
def test_wide_discrete_gaussian_noise_meets_gaussian_noise() -> None:
    """Canonne, Kamath & Steinke, NeurIPS 2020, Thm 7: its profile is a sum for an integral."""
    discrete = ends(DiscreteGaussianMechanism(2500, (50,)), tolerance="1e-4")
    plain = compose([GaussianMechanism(1)], delta=DELTA, tolerance="1e-6")
    assert plain.upper is not None
    assert discrete[0] - mpq("1e-3") <= plain.upper <= discrete[1] + mpq("1e-3")


def test_narrow_discrete_gaussian_noise_reveals_more_than_gaussian_noise_or_less() -> None:
    """Canonne, Kamath & Steinke, NeurIPS 2020, Thm 7: one atom may be all that matters."""
    upper = {
        delta: compose([GaussianMechanism(2)], delta=delta, tolerance="1e-6").upper or mpq(0)
        for delta in ("1/2", "1/1000")
    }
    narrow = DiscreteGaussianMechanism("1/4", (1,))
    assert ends(narrow, delta="1/2")[0] > upper["1/2"] + mpq("0.2")
    assert ends(narrow, delta="1/1000")[1] < upper["1/1000"] - 1


def test_each_direction_is_the_greater_one_somewhere() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: each direction composes by itself."""
    leaves, enters = (
        PairMechanism(["1/50", "49/50"], ["1/1000", "999/1000"]),
        PairMechanism(["1/1000", "999/1000"], ["1/50", "49/50"]),
    )
    both = []
    for table in (leaves, enters):
        ledger = Ledger.of([table, GaussianMechanism("1/1000")], neighbouring="add-remove-one")
        answer = compose(ledger, delta="1/100", tolerance="1e-4")
        certificate = answer.lower_certificate()
        assert certificate is not None
        both.append(str(certificate.parameters["direction"]))
    assert sorted(both) == ["add", "remove"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("less", "more"),
    [
        (LaplaceMechanism(3), LaplaceMechanism(2)),
        (SampledMechanism(GaussianMechanism(1), "1/10", 5), SampledMechanism(
            GaussianMechanism(1), "1/5", 5)),
        (SampledMechanism(GaussianMechanism(1), "1/10", 5), SampledMechanism(
            GaussianMechanism(1), "1/10", 6)),
        (SampledMechanism(GaussianMechanism("1/2"), "1/10"), SampledMechanism(
            GaussianMechanism(1), "1/10")),
        (DiscreteLaplaceMechanism(2, (1, 2)), DiscreteLaplaceMechanism(2, (2, 2))),
        (DiscreteGaussianMechanism(4, (1,)), DiscreteGaussianMechanism(4, (1, 1))),
        (DiscreteGaussianMechanism(5, (2,)), DiscreteGaussianMechanism(4, (2,))),
    ],
)  # fmt: skip
def test_less_noise_a_higher_rate_and_further_shifts_reveal_more(less: Entry, more: Entry) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: what dominates one by one dominates together."""
    beside = Mechanism("1/10", "1e-6")
    assert ends(less, beside)[0] <= ends(more, beside)[1]
    assert ends(more, beside)[0] > ends(less, beside)[1]


def _drawn(random: Random) -> Sequence[Entry]:
    """A few mechanisms of small losses, each family and each notion alike."""
    scale, count = random.randint(2, 9), random.randint(1, 3)
    made: list[Entry] = [
        LaplaceMechanism(scale, 1, count),
        DiscreteLaplaceMechanism(scale, (random.randint(1, 3),), count),
        DiscreteGaussianMechanism(scale, (1,) * random.randint(1, 2), count),
        BoundedRangeMechanism(f"1/{scale}", count),
        GaussianMechanism(f"1/{scale}", count),
        Mechanism(f"1/{scale}", "1e-6", count),
        ConcentratedMechanism(f"1/{scale**2}", count),
        RenyiMechanism([["2", f"1/{scale}"], [scale + 3, "1"]], count),
        SampledMechanism(LaplaceMechanism(scale), f"1/{scale}", count),
        SampledMechanism(GaussianMechanism(f"1/{scale}"), f"1/{scale}", count),
        PairMechanism([f"1/{scale + 1}", f"{scale}/{scale + 1}"], ["1/2", "1/2"], count),
        ShuffledGaussianMechanism(scale, random.randint(1, 20), count, "fresh"),
        ShuffledGaussianMechanism(scale, random.randint(1, 20), count, "persistent"),
    ]
    return random.sample(made, random.randint(1, 4))


def _is_ordered(seed: int) -> bool:
    """Whether the ends of a drawn ledger are in order; one too much for its δ is none."""
    listed = _drawn(Random(seed))  # noqa: S311 (repeatable on purpose)
    try:
        low, high = ends(*listed, delta="1e-3", tolerance="1e-1", neighbouring="unspecified")
    except CostLimitError:
        return False
    return 0 <= low <= high


@pytest.mark.slow
def test_the_upper_end_is_never_below_the_lower() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: both ends are about the same mechanisms."""
    assert [seed for seed in range(150) if not _is_ordered(seed)] == []


BESIDE = [
    LaplaceMechanism(3),
    DiscreteLaplaceMechanism(3, (1, 2)),
    DiscreteGaussianMechanism(4, (1,)),
    BoundedRangeMechanism("1/3"),
    GaussianMechanism("1/3"),
    ConcentratedMechanism("1/20"),
    Mechanism("1/3", "1e-7"),
    RenyiMechanism([["2", "1/50"], ["8", "1/10"]]),
]


@cache
def _with_batches(relation: str, *beside: Entry) -> Composition:
    """Shuffled batches, and what is beside them."""
    batches = ShuffledGaussianMechanism("1", 20, 2)
    ledger = Ledger((batches, *beside), neighbouring=relation)
    return compose(ledger, delta=DELTA, tolerance="1e-2")


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["zero-out", "replace-one"])
@pytest.mark.parametrize("beside", BESIDE)
def test_shuffled_batches_beside_any_family_reveal_more_than_alone(
    beside: Entry, relation: str
) -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: what is added to a composition hides nothing."""
    alone, both = _with_batches(relation), _with_batches(relation, beside)
    assert alone.lower is not None
    assert both.lower is not None
    assert both.upper is not None
    assert alone.upper is not None
    assert alone.lower - mpq("1e-2") <= both.lower <= both.upper
    assert alone.upper <= both.upper + mpq("1e-2")
    for certificate in (both.upper_certificate(), both.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"
