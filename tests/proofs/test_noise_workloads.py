"""The extracted checker and the verifier, about workloads of mechanisms by their noise."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, checked, seal, single_mutants
from tests.proofs.agreement import (
    COORDINATED,
    assert_agreement,
    assert_agreement_on,
    written,
)
from tests.proofs.checker import coordinated_mutants, said_of
from tests.verifier import noise_cases, noise_class_cases
from tests.verifier.noise_cases import Certificate
from tests.verifier.noise_workload_cases import (
    BY_LISTS,
    OF_LISTED,
    Query,
    colouring,
    discrete,
    geometric,
    of_lists,
    query,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("checker")

LISTED = [["3/2", "1/50"], ["5", "1/10"], ["32", "1/2"]]
TABLE = {"p": ["1/2", "3/10", "1/5", "0"], "q": ["1/3", "5/12", "1/4", "0"]}
CLASSES: list[tuple[dict[str, object], list[dict[str, object]]]] = [
    (
        {"epsilon": "ln(3/2)", "delta": "1/1000"},
        [{"epsilon": "ln(3/2)", "delta": "0"}, {"epsilon": "1/3", "delta": "1/1000"}],
    ),
    ({"mu": "1/3"}, [{"mu": "1/4"}, {"mu": "1/3"}]),
    ({"rho": "1/20"}, [{"rho": "1/20"}, {"rho": "0"}, {"rho": "1/21"}]),
    ({"bounded_range": "1/2"}, [{"bounded_range": "1/2"}, {"bounded_range": "1/3"}]),
    (geometric("7/3", 1, 1, 2), [geometric("3", 2), geometric("7/3", 1, 1, 2)]),
    (geometric("7/3", 1, 1, 2), [geometric("7/3", 1, 1, 2), geometric("7/3", 1, 2)]),
    (geometric("5", 3), [geometric("5", 3)]),
    (discrete("25/4", 2, 2), [discrete("25/4", 1, 2), discrete("25/4", 2, 2)]),
    ({"renyi": LISTED}, [{"renyi": LISTED}, {"renyi": LISTED}]),
    ({"pair": TABLE}, [{"pair": TABLE}, {"pair": TABLE}]),
    ({"pair": TABLE}, [{"pair": TABLE}]),
]
"""What each class concludes, and what is known of its queries."""


def sample(rate: str, **known: object) -> dict[str, object]:
    """The same, where a record takes part with this probability."""
    return {**known, "rate": rate}


OF_SAMPLES: list[tuple[dict[str, object], list[dict[str, object]]]] = [
    (sample("1/3", mu="1/2"), [sample("1/3", mu="1/2"), sample("1/4", mu="1/3")]),
    ({"mu": "1/3"}, [{"mu": "1/3"}, sample("1/3", mu="1/3")]),
    (
        sample("1/2", **discrete("25/4", 2)),
        [sample("1/3", **discrete("25/4", 1)), sample("1/2", **discrete("25/4", 2))],
    ),
    (discrete("4", 2), [sample("1/3", **discrete("4", 2)), discrete("4", 2)]),
    (
        sample("1/4", **geometric("5", 3)),
        [sample("1/4", **geometric("5", 3)), sample("1/5", **geometric("6", 2))],
    ),
]
"""The same of samples, whose divergences are known where alpha is an integer."""

PARTS = ("0 0 1", "0 1 2", "0 2 3")


def of_classes(epsilon: str, alpha: str = "4") -> Certificate:
    """All classes, answered by one rule about the mechanisms that they conclude."""
    classes = CLASSES + OF_SAMPLES if "/" not in alpha else CLASSES
    queries: list[Query] = []
    colours = []
    for _, known in classes:
        first = len(queries)
        queries += [query(part, **each) for part, each in zip(PARTS, known, strict=False)]
        colours.append(" ".join(str(i) for i in range(first, len(queries))))
    counted: dict[str, noise_cases.Entry] = {}
    for greatest, _ in classes:
        counted.setdefault(str(greatest), {"count": "0", **greatest})
        counted[str(greatest)]["count"] = str(int(counted[str(greatest)]["count"]) + 1)
    ledger = noise_cases.orders(list(counted.values()), epsilon, alpha, delta="1/100")
    return colouring(queries, colours, ledger)


@pytest.mark.parametrize("alpha", ["3/2", "7/2", "4"])
def test_both_find_the_same_epsilon_of_classes_of_all_families_that_the_checker_knows(
    alpha: str, tmp_path: Path
) -> None:
    made = [seal(of_classes(str(epsilon), alpha)) for epsilon in range(2, 21, 2)]
    assert_agreement(written(made, tmp_path), MAX_COST)
    assert {verify_bytes(data).status for data in made} == {"accepted", "rejected"}


def test_the_checker_accepts_classes_of_all_families_that_it_knows(tmp_path: Path) -> None:
    files = written([seal(of_classes("20"))], tmp_path)
    assert said_of(files, MAX_COST) == ["ACCEPTED"]


@pytest.mark.slow
def test_both_agree_on_mutants_of_classes_of_all_families(tmp_path: Path) -> None:
    document = of_classes("12")
    chance = random.Random(13)  # noqa: S311 (a fixed sample)
    mutants = [checked(each) for each in single_mutants(document)]
    mutants += coordinated_mutants(document, chance, COORDINATED)
    assert_agreement_on(mutants, tmp_path)


def test_both_find_the_same_epsilon_of_classes_whose_pairs_are_listed(tmp_path: Path) -> None:
    epsilons = [str(Fraction(tenths, 10)) for tenths in range(30, 42)]
    made = [seal(of_lists(OF_LISTED, epsilon, "21/1000")) for epsilon in epsilons]
    assert_agreement(written(made, tmp_path), MAX_COST)
    assert {verify_bytes(data).status for data in made} == {"accepted", "rejected"}


def test_the_checker_accepts_classes_whose_pairs_are_listed(tmp_path: Path) -> None:
    assert said_of(written([seal(BY_LISTS)], tmp_path), MAX_COST) == ["ACCEPTED"]


@pytest.mark.slow
def test_both_agree_on_mutants_of_classes_whose_pairs_are_listed(tmp_path: Path) -> None:
    chance = random.Random(17)  # noqa: S311 (a fixed sample)
    mutants = [checked(each) for each in single_mutants(BY_LISTS)]
    mutants += coordinated_mutants(BY_LISTS, chance, COORDINATED)
    assert_agreement_on(mutants, tmp_path)


def test_both_find_the_same_epsilon_of_classes_of_samples(tmp_path: Path) -> None:
    epsilons = [str(Fraction(hundredths, 100)) for hundredths in range(172, 184, 2)]
    made = [seal(noise_class_cases.sampled(each, "3/100")) for each in epsilons]
    assert_agreement(written(made, tmp_path), MAX_COST)
    assert {verify_bytes(data).status for data in made} == {"accepted", "rejected"}


def test_the_checker_accepts_classes_of_samples(tmp_path: Path) -> None:
    files = written([seal(noise_class_cases.BY_SAMPLES)], tmp_path)
    assert said_of(files, MAX_COST) == ["ACCEPTED"]


def test_the_checker_accepts_classes_by_the_sum_of_their_losses(tmp_path: Path) -> None:
    files = written([seal(noise_class_cases.BY_LOSSES)], tmp_path)
    assert said_of(files, MAX_COST) == ["ACCEPTED"]
