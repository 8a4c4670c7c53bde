"""Claims of ledgers by noise: decided by the noise, whatever they rest on."""

from __future__ import annotations

from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.claims.claims import judge
from exactdp.claims.verdicts import BY_NOISE, Audited, audit
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    SampledMechanism,
)
from exactdp.verifier import verify_bytes
from tools.deployments import BY_NOISE as FOLDER
from tools.deployments import ledgers_by_noise

CERTIFICATES = Path(__file__).resolve().parents[2] / "certs" / "by_noise"
COST = 10**12


def claim(epsilon: str | None, delta: str = "1e-6", **others: str) -> Claim:
    text = {"basis": "composition", "source": "", **others}
    return Claim(epsilon, mpq(delta) if epsilon else None, **text)  # type: ignore[arg-type]  # texts


def audited(entry: object, *claims: Claim, group: int = 1) -> list[Audited]:
    listed = Ledger.of([entry]).mechanisms
    return [*audit(Ledger(listed, claims=claims), max_cost=COST, group=group)]


NOISE = DiscreteGaussianMechanism(4, (1, 1), 5)


def test_noise_decides_a_claim_with_what_is_to_spare() -> None:
    holds, fails = audited(NOISE, claim("9"), claim("1"))
    assert [each.outcome for each in (holds, fails)] == ["holds", "refuted"]
    [by_noise, converted] = holds.verdicts
    assert (by_noise.rule, converted.reason) == (BY_NOISE, "of the ρ of the noise")
    assert by_noise.reason.endswith(" to spare")
    for each in (holds, fails):
        certificate = each.verdicts[0].certificate
        assert certificate is not None
        data = certificate.to_bytes()
        assert verify_bytes(data).status == "accepted"


def test_gaussian_noise_is_not_judged_by_its_rho_a_second_time() -> None:
    sampled = SampledMechanism(GaussianMechanism(1), "1/10")
    for entries in ([sampled], [sampled, NOISE], [GaussianMechanism(1), NOISE]):
        ledger = Ledger(Ledger.of(entries).mechanisms, claims=(claim("9"),))
        [each] = audit(ledger, max_cost=COST)
        assert [verdict.rule for verdict in each.verdicts] == [BY_NOISE]


@pytest.mark.parametrize("basis", ["amplification", "finer-structure"])
def test_what_rests_on_the_noise_is_assessed_where_the_ledger_holds_it(basis: str) -> None:
    sampled = SampledMechanism(LaplaceMechanism(2), "1/10", 3)
    [each] = audited(sampled, claim("1/2", basis=basis))
    assert each.outcome == "holds"
    ledger = Ledger.of([sampled])
    assert judge(ledger, claim("1/2", basis=basis), max_cost=COST).outcome == "holds"


def test_a_rho_is_shown_or_refuted_by_the_noise() -> None:
    shown, below, mu = audited(NOISE, *(claim(None, **each) for each in ({"rho": "1.25"},
        {"rho": "1.2"}, {"mu": "2"})))  # fmt: skip
    assert (shown.outcome, below.outcome, mu.outcome) == (
        "holds",
        "refuted",
        "not-assessable",
    )
    rho = claim(None, rho="1.25")
    judged = judge(Ledger.of([NOISE]), rho, max_cost=COST)
    assert (judged.outcome, judged.certificate) == ("holds", shown.verdicts[0].certificate)


@pytest.mark.parametrize(
    "beside", [GaussianMechanism("1/10"), SampledMechanism(GaussianMechanism("1/10"), "1/5")]
)
def test_gaussian_noise_has_a_rho_beside_noise_of_another_kind(beside: Entry) -> None:
    claims = [claim(None, rho=rho) for rho in ("1.255", "1.2549999", "1.2499999")]
    listed = Ledger.of([NOISE, beside]).mechanisms
    found = audit(Ledger(listed, claims=tuple(claims)), max_cost=COST)
    outcomes = [each.outcome for each in found]
    attained = "refuted" if isinstance(beside, GaussianMechanism) else "not-derivable"
    assert outcomes == ["holds", attained, "refuted"]
    for each in found:
        proof = each.verdicts[0].certificate
        assert (proof is None) == (each.outcome == "not-derivable")
        assert proof is None or verify_bytes(proof.to_bytes()).status == "accepted"


def test_groups_are_not_assessable() -> None:
    [of_groups] = audited(NOISE, claim("9"), group=2)
    assert of_groups.outcome == "not-assessable"


def test_a_claim_at_delta_0_is_decided_with_a_certificate() -> None:
    [without] = audited(NOISE, claim("9", "0"))
    assert (without.outcome, without.is_computed) == ("refuted", False)
    [pure] = audited(LaplaceMechanism(10, 1, 90), claim("9", "0"))
    assert (pure.outcome, pure.is_computed) == ("holds-with-equality", False)
    judged = judge(Ledger.of([LaplaceMechanism(10, 1, 90)]), claim("9", "0"), max_cost=COST)
    assert judged.outcome == "holds-with-equality"
    assert judged.certificate is not None
    assert verify_bytes(judged.certificate.to_bytes()).status == "accepted"


def test_the_censuss_ledgers_by_noise_are_those_of_its_rho() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path.name for path in ledgers_by_noise()}
    for path, text in ledgers_by_noise().items():
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_the_stated_epsilon_of_the_housing_units_holds_of_the_noise() -> None:
    ledger = read_ledger(FOLDER / "census_2020_pl94_us_units.json")
    [rho, epsilon] = audit(ledger, max_cost=COST)
    assert (rho.outcome, epsilon.outcome) == ("holds", "holds")
    least = epsilon.verdicts[0].least
    assert least is not None
    assert mpq("2.3631") < least[0] < least[1] < mpq("2.3633")  # stated: 2.474671006…


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_the_verifier_accepts_that_the_stated_epsilon_holds(path: Path) -> None:
    stated = read_ledger(path).claims[1]
    claimed = (str(stated.epsilon), str(stated.delta))
    data = (CERTIFICATES / f"{path.stem}.claim-2.json").read_bytes()
    verdict = verify_bytes(data, ledger=path.read_bytes(), claim=claimed, max_cost=10**13)
    assert verdict.status == "accepted"
