"""The ledgers of real deployments in ``ledgers/``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.ledger import Claim, Ledger, parse_inline, read_ledger, write_ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from tests.marking import each_case

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "ledgers"
PATHS = sorted(FOLDER.glob("*.json"))


CONCENTRATED = [
    path
    for path in PATHS
    if any(isinstance(each, ConcentratedMechanism) for each in read_ledger(path))
]


def _claims(paths: list[Path]) -> list[Any]:
    """Every claim of the ledgers at these places, beside the place."""
    return [
        pytest.param(path, claim, id=f"{path.stem}-{number}")
        for path in paths
        for number, claim in enumerate(read_ledger(path).claims, start=1)
    ]


def _sum(ledger: Ledger) -> ExactNumber:
    return sum((m.epsilon * m.count for m in ledger.approximate()), start=ExactNumber.of(0))


def _sum_of_rho(ledger: Ledger) -> mpq:
    mechanisms = [each for each in ledger if isinstance(each, ConcentratedMechanism)]
    assert len(mechanisms) == len(ledger.mechanisms)
    return sum((each.rho * each.count for each in mechanisms), start=mpq(0))


def test_there_are_twenty_deployments_half_of_them_in_zcdp() -> None:
    assert len(PATHS) == 20
    assert len(CONCENTRATED) == 10


@each_case("path", PATHS)
def test_each_file_is_what_the_writer_writes(path: Path) -> None:
    assert write_ledger(read_ledger(path)) == path.read_text(encoding="utf-8")


@each_case("path", PATHS)
def test_each_file_says_where_it_comes_from_and_what_the_analyst_chose(path: Path) -> None:
    ledger = read_ledger(path)
    assert ledger.name
    assert ledger.unit_of_privacy
    assert isinstance(ledger.source, tuple)
    assert dict(ledger.source)["title"]
    assert re.search("target_delta is .*an analyst's choice", ledger.notes)


@pytest.mark.parametrize(
    ("path", "claim"), [pair for pair in _claims(CONCENTRATED) if pair.values[1].rho is not None]
)
def test_each_claimed_rho_is_the_sum_or_its_rounding(path: Path, claim: Claim) -> None:
    excess = _sum_of_rho(read_ledger(path)) - as_rational(claim.rho, "rho")
    assert excess == 0 or ("rounded" in claim.source and 0 < excess < mpq(1, 200))


def test_the_signed_certificates_state_one_total_for_all_housing_units() -> None:
    totals = {_sum_of_rho(read_ledger(path)) for path in PATHS if "pl94" in path.stem}
    assert totals == {mpq(293764, 114921), mpq(11417641, 152349649)}


@pytest.mark.parametrize(
    ("path", "claim"),
    [
        pair
        for pair in _claims([path for path in PATHS if path not in CONCENTRATED])
        if pair.values[1].basis == "composition"
    ],
)
def test_each_claim_of_composition_is_the_sum_or_its_rounding(path: Path, claim: Claim) -> None:
    assert claim.epsilon is not None
    assert claim.delta == 0
    assert 0 <= claim.epsilon.rational - _sum(read_ledger(path)).rational < 1


@each_case("path", PATHS)
def test_each_file_is_named_in_the_guide_beside_it(path: Path) -> None:
    assert f"({path.name})" in (FOLDER / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(
    r"```(?:json|csv)\n(.*?)```",
    (ROOT / "docs" / "ledgers.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_guide_can_be_read(example: str) -> None:
    assert read_ledger(example.encode()).size > 0


def test_the_guide_of_inline_mechanisms_says_what_they_mean() -> None:
    text = (ROOT / "docs" / "ledgers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `-m '(.+?)'` \| `(.+?)` \| `(.+?)` \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 6
    for option, epsilon, delta, count in rows:
        assert parse_inline(option) == Mechanism(epsilon, delta, int(count))


def test_recurve_states_the_published_and_the_corrected_claim() -> None:
    claims = read_ledger(FOLDER / "recurve_ohmconnect_2020.json").claims
    assert [(str(c.epsilon), c.basis) for c in claims] == [
        ("843/1000", "amplification"),
        ("118/25", "amplification"),
    ]


MODELLED = sorted((FOLDER / "modelled").glob("*.json"))
REGISTRY = sorted((FOLDER / "registry").glob("*.json"))


def test_nine_deployments_are_in_their_parts_and_34_entries_of_the_registry_are_ledgers() -> None:
    assert (len(MODELLED), len(REGISTRY)) == (9, 34)


@each_case("path", [*MODELLED, *REGISTRY])
def test_these_too_are_what_the_writer_writes_and_claim_something(path: Path) -> None:
    ledger = read_ledger(path)
    assert write_ledger(ledger) == path.read_text(encoding="utf-8")
    assert ledger.claims
    via = ledger.said_of_source("via")
    assert "OpenDP Deployments Registry" in via or path.stem.startswith("rappor")


@each_case("path", MODELLED)
def test_each_in_its_parts_is_named_in_the_guide_and_says_whose_delta_it_has(path: Path) -> None:
    assert f"({path.parent.name}/{path.name})" in (FOLDER / "README.md").read_text("utf-8")
    assert re.search("target_delta is .*an analyst's choice", read_ledger(path).notes)


def test_the_bits_of_rappor_are_those_of_its_probabilities() -> None:
    f, p, q, h = mpq(3, 4), mpq(1, 2), mpq(3, 4), 2
    one = f / 2 * (p + q) + (1 - f) * q  # a set bit is reported as 1
    zero = f / 2 * (p + q) + (1 - f) * p
    [couple] = read_ledger(FOLDER / "modelled" / "rappor_chrome_homepage_report.json").approximate()
    ratio = one * (1 - zero) / (zero * (1 - one))
    assert (couple.epsilon, couple.count) == (ExactNumber.parse(f"ln({ratio})"), h)
    path = FOLDER / "modelled" / "rappor_chrome_homepage_unchanged.json"
    [bit] = read_ledger(path).approximate()
    memoised = (1 - f / 2) / (f / 2)
    assert (bit.epsilon, bit.count) == (ExactNumber.parse(f"ln({memoised})"), 2 * h)
