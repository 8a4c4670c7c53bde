"""The extracted checker and the verifier agree on profiles: of listed pairs, and of ranges."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import DiscreteGaussianMechanism, SampledMechanism
from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, Document, checked, seal, single_mutants
from tests.proofs.agreement import (
    COORDINATED,
    assert_agreement,
    assert_agreement_on,
)
from tests.proofs.checker import coordinated_mutants, said_of
from tests.verifier import noise_cases

pytestmark = pytest.mark.usefixtures("checker")

TABLED = {"p": ["1/2", "3/10", "1/5", "0"], "q": ["1/3", "23/60", "1/5", "1/12"]}
RESPONSES = [
    noise_cases.entry(2, epsilon="1/2", delta="1/1000"),
    noise_cases.entry(3, epsilon="1/2", delta="1/100000"),
    noise_cases.entry(2, epsilon="ln(3/2)", delta="0"),
    noise_cases.entry(epsilon="0", delta="1/1000"),
]
LAPLACE = [
    noise_cases.entry(5, laplace={"scale": "2", "sensitivity": "1"}),
    noise_cases.entry(2, laplace={"scale": "7/3", "sensitivity": "5/4"}),
]
SHIFTED = noise_cases.entry(discrete_laplace={"scale": "3", "shifts": ["2", "2", "5"]})
BELLS = [
    noise_cases.entry(3, discrete_gaussian={"shifts": ["1", "1", "3"], "variance": "25/4"}),
    noise_cases.entry(2, discrete_gaussian={"shifts": ["1"], "variance": "4"}),
]
BELLS_OF_SAMPLES = [
    noise_cases.entry(4, discrete_gaussian={"shifts": ["3"], "variance": "25/4"}, rate="1/3"),
    noise_cases.entry(discrete_gaussian={"shifts": ["1"], "variance": "1/2"}, rate="9/10"),
]
OF_BELLS = noise_cases.plan([*[(-30, 30)] * 2, *[(-60, 60)] * 3], (-60, 60, 1), (-100, 100, 2))
OF_SHIFTS = noise_cases.plan([(-30, 30)] * 4, (-60, 60, 1), (-100, 100, 2))
OF_LAPLACE = noise_cases.plan([*[(-30, 30)] * 5, (-30, 3, 0, 2, 30)], (-60, 60, 1), (-100, 100, 2))
OF_TABLES = noise_cases.plan([(-30, 30)] * 4, (-60, 60, 3), (-40, 40, 1))
LISTED_PAIRS = {
    "shifts": ([*RESPONSES, SHIFTED], [OF_SHIFTS]),
    "laplace": ([*RESPONSES, SHIFTED, *LAPLACE], [OF_LAPLACE]),
    "bells": ([*RESPONSES, *BELLS], [OF_BELLS]),
    "bells of samples": ([*RESPONSES, *BELLS_OF_SAMPLES], [OF_TABLES, OF_TABLES]),
    "tables": (
        [
            *RESPONSES,
            noise_cases.entry(4, pair=TABLED),
            noise_cases.entry(pair={"p": ["1/1000", "999/1000"], "q": ["1/300", "299/300"]}),
        ],
        [OF_TABLES, OF_TABLES],
    ),
    "ranges": (
        [
            *RESPONSES,
            noise_cases.entry(4, bounded_range="3/4"),
            noise_cases.entry(bounded_range="1/3"),
        ],
        [OF_SHIFTS],
    ),
}


@pytest.mark.parametrize("name", LISTED_PAIRS)
@pytest.mark.parametrize("delta", ["1/1000", "1/20", "1/2"])
def test_both_find_the_same_epsilon_of_listed_pairs(name: str, delta: str, tmp_path: Path) -> None:
    entries, plans = LISTED_PAIRS[name]
    made = [
        seal(noise_cases.dots(entries, f"{n}/10", "1/10", *plans, delta=delta))
        for n in range(0, 80, 4)
    ]
    files = [tmp_path / f"{number}.json" for number in range(len(made))]
    for file, data in zip(files, made, strict=True):
        file.write_bytes(data)
    assert_agreement(files, MAX_COST)
    statuses = {verify_bytes(data).status for data in made}
    assert statuses == {"accepted", "rejected"} or delta != "1/2"


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTED_PAIRS)
def test_both_agree_on_mutants_of_listed_pairs(name: str, tmp_path: Path) -> None:
    entries, plans = LISTED_PAIRS[name]
    document = noise_cases.dots(entries, "6", "1/10", *plans, delta="1/2")
    chance = random.Random(23)  # noqa: S311 (a fixed sample)
    mutants = [checked(each) for each in single_mutants(document)]
    mutants += coordinated_mutants(document, chance, COORDINATED)
    assert_agreement_on(mutants, tmp_path)


CENSUS = [
    noise_cases.entry(discrete_gaussian={"shifts": ["1", "1"], "variance": "25/4"}),
    noise_cases.entry(discrete_gaussian={"shifts": ["1"], "variance": "4"}),
]
OF_CENSUS = noise_cases.plan([(-624, 624), (-775, 775)], (-528, 560, 1))
"""At delta 10^-6 the least epsilon is between 3.558401 and 3.558402."""


def test_discrete_gaussian_noise_from_both_sides_near_the_truth(tmp_path: Path) -> None:
    below, above = "3558401/1000000", "3558402/1000000"
    files = []
    for number, epsilon in enumerate((below, above)):
        of_kinds = (
            noise_cases.dots(CENSUS, epsilon, "1/200", OF_CENSUS, delta="1/1000000", digits="18"),
            noise_cases.score(
                CENSUS, epsilon, "1/200", OF_CENSUS, 713, delta="1/1000000", digits="19"
            ),
        )
        for kind, document in zip(("upper", "lower"), of_kinds, strict=True):
            files.append(tmp_path / f"{number}.{kind}.json")
            files[-1].write_bytes(seal(document))
    assert said_of(files, MAX_COST) == ["REJECTED", "ACCEPTED", "ACCEPTED", "REJECTED"]
    assert_agreement(files, MAX_COST)


SAMPLE = SampledMechanism(DiscreteGaussianMechanism(4, (2,)), "1/4", 6)


@pytest.mark.parametrize("kind", ["upper", "lower"])
def test_samples_of_discrete_gaussian_noise_near_the_truth(kind: str, tmp_path: Path) -> None:
    answer = compose(Ledger((SAMPLE,)), delta="1e-6", tolerance="1e-5")
    above = kind == "upper"
    certificate = answer.upper_certificate() if above else answer.lower_certificate()
    assert certificate is not None
    document = json.loads(certificate.to_bytes())
    beyond = str(answer.lower_end if above else answer.upper_end)
    files = [tmp_path / "good.json", tmp_path / "bad.json"]
    files[0].write_bytes(seal(document))
    files[1].write_bytes(seal(at_epsilon(document, beyond)))
    assert said_of(files, MAX_COST) == ["ACCEPTED", "REJECTED"]
    assert_agreement(files, MAX_COST)


def at_epsilon(document: Document, epsilon: str) -> Document:
    changed = copy.deepcopy(document)
    changed["statement"]["epsilon"] = changed["derivation"][-1]["parameters"]["epsilon"] = epsilon
    return changed


@pytest.mark.parametrize(
    ("field", "value", "status", "line"),
    [
        ("neighbouring", "add-remove-one", "accepted", "ACCEPTED"),
        ("neighbouring", "replace-one", "rejected", "REJECTED"),
        ("neighbouring", "zero-out", "rejected", "REJECTED"),
        ("shifts", ["1", "3"], "malformed", "MALFORMED"),
        ("rate", "1", "malformed", "MALFORMED"),
    ],
)
def test_of_what_a_sample_of_discrete_gaussian_noise_is(
    field: str, value: object, status: str, line: str, tmp_path: Path
) -> None:
    law = {"shifts": value if field == "shifts" else ["3"], "variance": "25/4"}
    rate = str(value) if field == "rate" else "1/3"
    sample = noise_cases.entry(4, discrete_gaussian=law, rate=rate)
    entries = [*RESPONSES, sample, BELLS_OF_SAMPLES[1]]
    document = noise_cases.dots(entries, "6", "1/10", OF_TABLES, OF_TABLES, delta="1/2")
    if field == "neighbouring":
        document["statement"]["neighbouring"] = value
    file = tmp_path / "sample.json"
    file.write_bytes(seal(document))
    assert verify_bytes(file.read_bytes(), max_cost=MAX_COST).status == status
    assert said_of([file], MAX_COST) == [line]
