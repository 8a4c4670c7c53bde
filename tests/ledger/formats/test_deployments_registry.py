"""Entries of the registry of deployments: read exactly, refused by place, read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from exactdp.claims.verdicts import audit
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism

ENTRY = """\
# An entry with all that the registry's schema of July 2026 has, as its 41 entries are laid out.
url_slug: a-release-2026
status: Approved
tier: 3
deployment:
  basic:
    name: A release
    data_curators:
      - A curator
    description: |
      Counts: of visits, by day. See [the report](https://example.org/report).
    intended_use: >-
      Planning.
    data_product_type: Dataset
    data_product_region: Elsewhere
    publication_date: '2026-07-15'
  dp_variant:
    variant_name: VARIANT
    data_domain: Tables of visits
    unprotected_quantities: The number of days
  privacy_loss:
    privacy_unit: a user
    privacy_unit_details: All visits of a user
    privacy_parameters:
      epsilon: 0.1
      delta: 1e-9
      rho: 0.25
    privacy_parameters_details: "For the whole: release"
  deployment_model:
    model_name: Central
    release_type: One release
  accounting:
    composition: basic
  implementation:
    mechanisms: Laplace
    justification: ''
  administrative:
    registry_authors: [Somebody]
"""
FLAT = """
name: A release
dp_variant: {variant_name: VARIANT}
privacy_loss:
  privacy_unit: a user
  privacy_parameters: {epsilon: 0.1, delta: 1e-9, rho: 0.25}
accounting: {composition: basic}
"""


def entry_of(entry: str, variant: str) -> str:
    """The entry, which states a δ unless it is pure, and a ρ only if that is its variant."""
    if variant == "Pure DP":
        entry = entry.replace("      delta: 1e-9\n", "").replace("delta: 1e-9, ", "")
    if variant != "Zero-concentrated DP":
        entry = entry.replace("      rho: 0.25\n", "").replace(", rho: 0.25", "")
    return entry.replace("VARIANT", variant)


PURE_WITH_DELTA: Final = entry_of(FLAT, "Approximate DP").replace("Approximate DP", "Pure DP")
WHOLE: Final = "the whole release"
VARIANTS = [
    ("Pure DP", Mechanism("0.1", label="the whole release")),
    ("Approximate DP", Mechanism("0.1", "1e-9", label="the whole release")),
    ("Zero-concentrated DP", ConcentratedMechanism("1/4", label="the whole release")),
]


@pytest.mark.parametrize("entry", [ENTRY, FLAT, f"---\n{ENTRY}"])
@pytest.mark.parametrize(("variant", "mechanism"), VARIANTS)
def test_an_entry_of_the_registry_is_one_mechanism_and_is_recognised(
    entry: str, variant: str, mechanism: Mechanism
) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    data = entry_of(entry, variant).encode()
    ledger = read_ledger(data)
    assert ledger.mechanisms == (mechanism,)
    assert (ledger.name, ledger.unit_of_privacy) == ("A release", "a user")
    assert ledger.notes.startswith("composition: basic")
    assert read_ledger(data, "deployments-registry") == ledger


REGISTRY: Final = Path(__file__).parents[1] / "registry"
REAL: Final = {
    "apple_iconic_scenes_photo_selections_2023": Mechanism("1", "1.5e-7", label=WHOLE),
    "google_mobility": Mechanism("2.64", label=WHOLE),
    "recurve_energy_dp": Mechanism("4.72", "5.06e-9", label=WHOLE),
    "user_url_privacy": ConcentratedMechanism("0.0728", label=WHOLE),
    "wikimedia_current_usage_data": ConcentratedMechanism("0.015", label=WHOLE),
}
REFUSED: Final = {"korean_statistics_datahub": "variant_name", "uber": "delta"}


def test_real_entries_are_read_written_and_read_again() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    assert {path.stem for path in REGISTRY.glob("*.yaml")} == {*REAL, *REFUSED}
    for name, mechanism in REAL.items():
        ledger = read_ledger(REGISTRY / f"{name}.yaml")
        assert ledger.mechanisms == (mechanism,), name
        assert ledger.name
        written = write_ledger(ledger, "deployments-registry").encode()
        assert read_ledger(written).mechanisms == ledger.mechanisms


@pytest.mark.parametrize("name", REFUSED)
def test_real_entries_without_a_number_are_refused_by_what_is_missing(name: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match=f"{REFUSED[name]} at deployment"):
        read_ledger(REGISTRY / f"{name}.yaml")


def test_a_delta_beside_a_pure_variant_is_kept_and_an_epsilon_beside_rho_is_a_claim() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    ledger = read_ledger(PURE_WITH_DELTA.encode())
    assert ledger.mechanisms == (Mechanism("0.1", "1e-9", label=WHOLE),)
    rho, epsilon = audit(read_ledger(REGISTRY / "user_url_privacy.yaml"))
    assert (str(epsilon.claim.epsilon), str(epsilon.claim.delta)) == ("1453/1000", "1/100000")
    assert (rho.outcome, epsilon.outcome) == ("holds-with-equality", "refuted")
    assert (bool(rho.tautology), bool(epsilon.tautology)) == (True, False)


def test_what_an_entry_states_of_the_whole_is_a_claim_that_could_not_fail() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    for name in REAL:
        first, *_ = audit(read_ledger(REGISTRY / f"{name}.yaml"))
        assert first.outcome == "holds-with-equality", name
        assert first.tautology, name


def test_what_an_entry_does_not_protect_is_said_of_its_source() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    ledger = read_ledger(entry_of(ENTRY, "Pure DP").encode())
    assert ledger.unprotected_quantities == "The number of days"
    assert read_ledger(write_ledger(ledger).encode()) == ledger


@pytest.mark.parametrize(("variant", "mechanism"), VARIANTS)
def test_what_is_written_as_an_entry_is_read_again(variant: str, mechanism: Mechanism) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    name = 'A "name": with \\ and \u2028, # too 🙂'
    ledger = Ledger((mechanism,), name=name, unit_of_privacy="a user\na day")
    text = write_ledger(ledger, "deployments-registry")
    assert text.startswith('deployment:\n  basic:\n    name: "A ')
    assert f'variant_name: "{variant}"' in text
    assert replace(read_ledger(text.encode()), claims=(), source="") == ledger
    third = Ledger((Mechanism("ln(3)", "1/3", label="the whole release"),), notes="composition: x")
    again = read_ledger(write_ledger(third, "deployments-registry").encode())
    assert replace(again, claims=(), source="") == third


@pytest.mark.parametrize(
    "entries", [[Mechanism(1), Mechanism(2)], [Mechanism(1, 0, 2)], [GaussianMechanism(1)], []]
)
def test_an_entry_is_about_one_whole_release(entries: list[Mechanism]) -> None:
    with pytest.raises(UnsupportedError, match="one mechanism given by epsilon or rho"):
        write_ledger(Ledger(tuple(entries)), "deployments-registry")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (ENTRY.replace("VARIANT", "Renyi DP"), "variant_name at deployment.dp_variant"),
        (FLAT.replace("VARIANT", "Renyi DP"), "variant_name at dp_variant"),
        (entry_of(ENTRY, "Pure DP").replace("epsilon", "eps"), "eps at deployment."),
        (entry_of(ENTRY, "Pure DP").replace("      epsilon: 0.1\n", ""), "epsilon at deployment."),
        (entry_of(FLAT, "Pure DP").replace("0.1", "low"), "epsilon at privacy_loss"),
        ("a: [", "ledger at line"),
        ("deployment: x", "variant_name at deployment"),
        ("- 1", "variant_name at dp_variant"),
    ],
)
def test_another_entry_is_refused_at_its_place(text: str, field: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match=f"^{field}"):
        read_ledger(text.encode(), "deployments-registry")
