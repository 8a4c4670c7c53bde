"""Law: an interval is as narrow as asked, or refused with the tolerance that fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    Sampleable,
    SampledMechanism,
)

COUNTS = (1, 1, 2, 3, 5, 9)
DELTAS = ("1/10", "1/100", "1/10000", "1e-6", "1e-8")
TOLERANCES = ("1e-2", "1e-3", "1e-4", "1e-5", "1e-6")
HARD = (25, 95, 213)
"""Seeds of small losses at a small δ, where points must be nearer than a mesh alone suggests."""

SOME_SAMPLED = 0.4
SOME_PLAIN = 0.55


def _table(random: Random, count: int) -> PairMechanism:
    size = random.randint(2, 4)
    laws = [[random.randint(1, 9) for _ in range(size)] for _ in range(2)]
    p, q = ([f"{each}/{sum(law)}" for each in law] for law in laws)
    return PairMechanism(p, q, count)


def _by_noise(random: Random, count: int) -> Sampleable:
    scale, shift = f"{random.randint(9, 40)}/{random.randint(3, 9)}", random.randint(1, 3)
    families: list[Callable[[], Sampleable]] = [
        lambda: LaplaceMechanism(scale, 1, count),
        lambda: DiscreteLaplaceMechanism(scale, (shift,), count),
        lambda: DiscreteGaussianMechanism(scale, (shift,), count),
        lambda: _table(random, count),
    ]
    return random.choice(families)()


def _entry(random: Random) -> Entry:
    count, kind = random.choice(COUNTS), random.random()
    if kind < SOME_SAMPLED:
        gaussian = GaussianMechanism(f"{random.randint(1, 6)}/{random.randint(4, 9)}")
        base: Sampleable = random.choice([gaussian, _by_noise(random, 1)])
        return SampledMechanism(base, f"1/{random.randint(2, 30)}", count)
    if kind < SOME_PLAIN:
        return Mechanism(f"{random.randint(1, 9)}/10", random.choice(["0", "1e-10"]), count)
    return _by_noise(random, count)


def _answered(ledger: Ledger, delta: str, tolerance: str) -> bool:
    """Whether the ends are as near as asked, or as near as the refusal says is possible."""
    try:
        answer = compose(ledger, delta=delta, tolerance=tolerance)
    except CostLimitError as error:
        fitting = re.search(r"1e-\d+", f"{error.expected} {error.remedy}")
        return fitting is not None and _answered(ledger, delta, fitting.group())
    return 0 <= (answer.upper or mpq(0)) - (answer.lower or mpq(0)) <= mpq(tolerance)


def _holds(seed: int) -> bool:
    random = Random(seed)  # noqa: S311 (repeatable on purpose)
    listed = [LaplaceMechanism(9), *(_entry(random) for _ in range(random.choice([0, 1, 1, 2])))]
    listed = listed[1:] if len(listed) > 1 and seed % 2 else listed
    ledger = Ledger.of(listed, neighbouring="add-remove-one")
    return _answered(ledger, random.choice(DELTAS), random.choice(TOLERANCES))


@pytest.mark.slow  # small ledgers of all families
def test_an_interval_is_as_narrow_as_asked() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: both ends converge with the mesh."""
    assert [seed for seed in (*HARD, *range(50)) if not _holds(seed)] == []


def test_what_no_mesh_reaches_is_refused_with_a_tolerance_that_is_then_answered() -> None:
    """Zhu, Dong & Wang, AISTATS 2022, Thm 10: but a mesh has at most so many points."""
    steps = Ledger.of([LaplaceMechanism(3, 1, 20)])
    with pytest.raises(CostLimitError, match="1e-") as caught:
        compose(steps, delta="1e-6", tolerance="1e-15")
    fitting = re.search(r"1e-\d+", f"{caught.value.expected} {caught.value.remedy}")
    assert fitting
    assert mpq(fitting.group()) > mpq("1e-15")
