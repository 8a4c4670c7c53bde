"""The extracted checker and the verifier find the same epsilon from below, family by family."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, seal
from tests.proofs.agreement import assert_agreement
from tests.verifier import noise_cases
from tests.verifier.noise_batch_cases import maxima
from tests.verifier.noise_cases import LEAKY, PAIR, entry, laplace, shuffled

pytestmark = pytest.mark.usefixtures("checker")

SHIFT = {"scale": "5/4", "shifts": ["1"]}
FAMILIES = {
    "responses": [entry(4, epsilon="ln(2)", delta="1/1000")],
    "table": [entry(4, pair=PAIR)],
    "sampled-table": [entry(4, pair=LEAKY, rate="1/2")],
    "shifts": [entry(4, discrete_laplace=SHIFT)],
    "sampled-shifts": [entry(4, discrete_laplace=SHIFT, rate="1/4")],
    "range": [entry(4, bounded_range="1/2")],
    "sampled-range": [entry(4, bounded_range="1", rate="1/2")],
    "laplace": [laplace("2", 4)],
    "sampled-laplace": [laplace("2", 4, rate="1/3")],
    "sampled-normal": [entry(4, mu="1", rate="1/6")],
}
BESIDE = {"mu": [entry(4, mu="1/2")], "rho": [entry(2, rho="1/4"), entry(mu="1/10")]}
STEP = 4


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", [*FAMILIES, *BESIDE])
def test_both_find_the_same_epsilon_of_cells(name: str, direction: str, tmp_path: Path) -> None:
    if name in FAMILIES:
        entries = [*FAMILIES[name], entry(4, bounded_range="1/100")]
        windows = [(-20, 20)] * 2
        levels = [(-400, 400, 1)] * 2
    else:
        entries, windows, levels = (
            [*BESIDE[name], entry(bounded_range="1/100")],
            [(-20, 20)] * 2,
            [],
        )
    plan = noise_cases.plan(windows, *levels)
    files = [tmp_path / f"{n}.json" for n in range(0, 80, STEP)]
    for n, file in zip(range(0, 80, STEP), files, strict=True):
        made = noise_cases.score(
            entries, f"{n}/20", "1/5", plan, n // STEP, delta="1/100", direction=direction
        )
        file.write_bytes(seal(made))
    assert_agreement(files, MAX_COST)
    statuses = {verify_bytes(file.read_bytes(), max_cost=MAX_COST).status for file in files}
    assert statuses == {"accepted", "rejected"}


SUMS = {
    "one-epoch": (shuffled("1", 10, 1, "fresh"), range(-10, 30), []),
    "one-batch": (shuffled("1", 1, 1, "fresh"), range(-10, 30), []),
    "epochs": (shuffled("1", 10, 2, "fresh"), range(-10, 30), [(-400, 400, 1)]),
    "one-order": (shuffled("1", 10, 2, "persistent"), range(-20, 60, 2), []),
    "a-billion-batches": (shuffled("1/2", 10**9, 1, "fresh"), range(120, 200, 2), []),
}


@pytest.mark.parametrize("relation", ["zero-out", "replace-one"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", SUMS)
def test_both_find_the_same_epsilon_of_the_greatest_sum(
    name: str, direction: str, relation: str, tmp_path: Path
) -> None:
    batches, cuts, levels = SUMS[name]
    plan = maxima(noise_cases.plan([(-20, 20)], *levels), cuts)
    parameters = {"delta": "1/1000000", "direction": direction, "relation": relation}
    made = [
        seal(noise_cases.score([batches], f"{n}/10", "1/10", plan, threshold, **parameters))
        for n in range(0, 40, STEP)
        for threshold in (n // 2, n)
    ]
    files = [tmp_path / f"{number}.json" for number in range(len(made))]
    for file, data in zip(files, made, strict=True):
        file.write_bytes(data)
    assert_agreement(files, MAX_COST)
    statuses = {verify_bytes(data, max_cost=MAX_COST).status for data in made}
    assert statuses == {"accepted", "rejected"}
