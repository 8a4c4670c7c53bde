"""A verdict for each rule on each claim, and what is said of the whole."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.claims.outcomes import RuleVerdict
from exactdp.claims.verdicts import Audited, audit
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger import Claim, Ledger, read_ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes
from tests.marking import each_case

LEDGERS = Path(__file__).parents[2] / "ledgers"
CKS = "zcdp-canonne-kamath-steinke"


def audited(
    mechanisms: list[Entry], claim: Claim, group: int = 1, interaction: str = "adaptive"
) -> Audited:
    ledger = Ledger(tuple(mechanisms), claims=(claim,), interaction=interaction)
    [found] = audit(ledger, max_cost=DEFAULT_MAX_COST, group=group)
    for verdict in found.verdicts:
        for certificate in (verdict.certificate, verdict.mended):
            if certificate is not None:
                assert verify_bytes(certificate.to_bytes()).status == "accepted"
    return found


def claimed(epsilon: str, delta: str = "1e-6", basis: str = "composition") -> Claim:
    return Claim(ExactNumber.parse(epsilon), ExactNumber.parse(delta).rational, basis, "s")


def of_rho(rho: str, basis: str = "composition") -> Claim:
    return Claim(None, None, basis, "s", rho=rho)


def by_rule(found: Audited) -> dict[str, RuleVerdict]:
    return {verdict.rule: verdict for verdict in found.verdicts}


@pytest.mark.parametrize(
    ("stem", "least", "most"),
    [
        ("census_2020_pl94_us_persons", "4.89e-9", "4.90e-9"),
        ("census_2020_pl94_us_units", "5.88e-8", "5.89e-8"),
        ("census_2020_pl94_pr_units", "5.88e-8", "5.89e-8"),
    ],
)
def test_the_census_certificates_are_not_derivable_by_their_conversion(
    stem: str, least: str, most: str
) -> None:
    ledger = read_ledger(LEDGERS / f"{stem}.json")
    rho, epsilon = audit(ledger, max_cost=DEFAULT_MAX_COST)
    assert rho.outcome == "holds-with-equality"
    assert epsilon.outcome == "not-derivable"
    verdict = by_rule(epsilon)[CKS]
    gap = epsilon.gap(verdict)
    assert gap is not None
    assert Fraction(least) < Fraction(str(gap[0])) < Fraction(str(gap[1])) < Fraction(most)
    assert verdict.certificate is not None
    assert verdict.mended is not None
    stated = verify_bytes(verdict.certificate.to_bytes())
    mended = verify_bytes(verdict.mended.to_bytes())
    assert (stated.kind, stated.epsilon) == ("underivable", str(epsilon.claim.epsilon))
    assert (mended.kind, mended.delta) == ("upper", stated.delta)
    excess = Fraction(mended.epsilon) - Fraction(stated.epsilon)
    assert Fraction(str(gap[0])) < excess < Fraction(most) + Fraction("3e-12")


def test_the_gaussian_line_of_the_census_is_an_assumption_and_settles_nothing() -> None:
    ledger = read_ledger(LEDGERS / "census_2020_pl94_us_persons.json")
    _, epsilon = audit(ledger, max_cost=DEFAULT_MAX_COST)
    [line] = [verdict for verdict in epsilon.verdicts if verdict.assumption]
    assert (line.outcome, line.assumption) == (
        "would-hold",
        "if the noise were Gaussian with these ρ",
    )
    assert line.certificate is None
    assert epsilon.outcome == "not-derivable"


def test_a_claim_about_pairs_is_settled_by_the_optimum_whatever_closed_forms_say() -> None:
    found = audited([Mechanism("0.1", 0, 100)], claimed("6"))
    verdicts = by_rule(found)
    assert found.outcome == "holds"
    assert verdicts["sum"].outcome == "not-derivable"
    assert verdicts["optimal composition"].outcome == "holds"
    gap = found.gap(verdicts["sum"])
    assert gap is not None
    assert gap[0] <= mpq(4) <= gap[1]


def test_a_refuted_claim_has_a_certified_gap() -> None:
    found = audited([Mechanism("0.1", 0, 100)], claimed("4.7"))
    assert found.outcome == "refuted"
    verdict = by_rule(found)["optimal composition"]
    gap = found.gap(verdict)
    assert gap is not None
    assert mpq("0.0745675881") <= gap[0] <= gap[1] <= mpq("0.0745675883")
    assert verdict.certificate is not None
    assert verdict.certificate.bound == "lower"


def test_an_infeasible_claim_is_refuted_without_a_gap() -> None:
    found = audited([Mechanism("0.1", "1e-3", 10)], claimed("100"))
    assert found.outcome == "refuted"
    assert found.gap(by_rule(found)["optimal composition"]) is None


def test_interleaved_mechanisms_are_judged_by_the_first_theorem_too() -> None:
    found = audited([Mechanism("1", "1e-8", 2)], claimed("2", "2e-8"), interaction="concurrent")
    verdicts = by_rule(found)
    assert found.outcome == "holds"
    assert verdicts["concurrent-basic"].outcome == "not-derivable"
    assert verdicts["optimal composition"].theorem == "vadhan-zhang-2023-f-dp"
    found = audited([Mechanism("1", "1e-8", 2)], claimed("2", "4e-8"), interaction="concurrent")
    assert by_rule(found)["concurrent-basic"].outcome == "holds"


@pytest.mark.parametrize("basis", ["amplification", "finer-structure"])
def test_a_claim_on_another_basis_is_not_assessable(basis: str) -> None:
    found = audited([Mechanism("0.1", 0, 100)], claimed("0.1", basis=basis))
    assert found.outcome == "not-assessable"
    assert [verdict.outcome for verdict in found.verdicts] == ["not-assessable"]


@pytest.mark.parametrize(
    ("rho", "outcome", "reason"),
    [
        ("1/2", "holds-with-equality", ""),
        ("0.6", "holds", ""),
        ("0.49", "refuted", ""),
        ("0.499999", "refuted", ""),
        ("1/3", "refuted", ""),
    ],
)
def test_a_claimed_rho_is_compared_with_the_sum(rho: str, outcome: str, reason: str) -> None:
    found = audited([ConcentratedMechanism("1/4", 2)], of_rho(rho))
    assert (found.outcome, found.verdicts[0].reason) == (outcome, reason)


def test_a_sum_rounded_down_is_refuted_and_said_to_be_rounded() -> None:
    found = audited([ConcentratedMechanism("4.9622")], of_rho("4.96"))
    assert found.outcome == "refuted"
    assert found.verdicts[0].reason == "the claim is the sum, rounded down"
    found = audited([ConcentratedMechanism("4.9622")], of_rho("4.95"))
    assert found.verdicts[0].reason == ""


def test_gaussian_mechanisms_have_a_rho_and_a_mu() -> None:
    noise: list[Entry] = [GaussianMechanism("3"), GaussianMechanism("4")]
    assert audited(noise, of_rho("12.5")).outcome == "holds-with-equality"
    assert audited(noise, Claim(None, None, "composition", "s", mu="5")).outcome == (
        "holds-with-equality"
    )
    assert audited(noise, Claim(None, None, "composition", "s", mu="4.9")).outcome == "refuted"
    assert audited(noise, Claim(None, None, "composition", "s", mu="ln(9)")).outcome == (
        "not-assessable"
    )
    mixed: list[Entry] = [ConcentratedMechanism("1"), *noise]
    assert audited(mixed, Claim(None, None, "composition", "s", mu="9")).outcome == "not-assessable"


def test_a_mixture_is_judged_by_the_best_derivation() -> None:
    mixed: list[Entry] = [GaussianMechanism("1/2"), Mechanism("1/2", 0, 3)]
    for epsilon, outcome in (("4", "holds"), ("1", "refuted")):
        found = audited(mixed, claimed(epsilon))
        assert found.outcome == outcome
        assert list(by_rule(found)) == ["best derivation"]


def test_a_rho_below_what_gaussian_noise_attains_is_refuted() -> None:
    found = audited([ConcentratedMechanism("1/2")], claimed("4"))
    assert found.outcome == "refuted"
    assert by_rule(found)["gaussian curve"].outcome == "would-fail"


@pytest.mark.parametrize("delta", ["0", "1"])
def test_claims_at_the_ends_of_delta_are_judged(delta: str) -> None:
    found = audited([ConcentratedMechanism("1/2")], claimed("4", delta))
    assert found.outcome == ("refuted" if delta == "0" else "holds")
    found = audited([Mechanism("1/2")], claimed("1/4", delta))
    assert found.outcome == ("refuted" if delta == "0" else "holds")


@pytest.mark.parametrize(
    ("epsilon", "outcome"), [("2.4", "holds"), ("1.5", "not-derivable"), ("1.1", "refuted")]
)
def test_claims_about_groups_are_judged_by_group_privacy(epsilon: str, outcome: str) -> None:
    found = audited([Mechanism("0.1", 0, 12)], claimed(epsilon, "0"), group=2)
    assert found.outcome == outcome
    assert [verdict.rule for verdict in found.verdicts] == ["group privacy for groups of 2"]


def test_beyond_the_limit_a_claim_is_undecided() -> None:
    ledger = Ledger((Mechanism("0.1", 0, 100),), claims=(claimed("6"),))
    [found] = audit(ledger, max_cost=1)
    assert by_rule(found)["optimal composition"].outcome == "undecided"
    [found] = audit(ledger, max_cost=1, group=2)
    assert found.outcome == "undecided"


def test_a_ledger_without_claims_has_no_verdicts() -> None:
    assert audit(replace(Ledger.of([("1", 0)]), claims=()), max_cost=1) == ()


@each_case("path", sorted(LEDGERS.glob("*.json")))
def test_a_claim_that_is_decided_has_a_certificate(path: Path) -> None:
    decided = ("holds", "holds-with-equality", "refuted")
    for claim in (each for each in audit(path) if each.outcome in decided):
        shown = [each for each in claim.verdicts if each.certificate is not None]
        assert shown, claim.claim
        assert not claim.is_computed


@each_case(
    ("places", "outcome"),
    [(None, "refuted"), (1, "refuted"), (0, "holds")],
)
def test_a_rounded_claim_is_judged_up_to_what_is_rounded_to_it(
    places: int | None, outcome: str
) -> None:
    claim = Claim(None, None, "composition", "s", rho="4", places=places)
    found = audited([ConcentratedMechanism("4.1")], claim)
    assert found.outcome == outcome
    assert not found.is_computed
    proof = found.verdicts[0].certificate
    assert proof is not None
    assert (proof.notion, str(proof.amount)) == ("rho", str(claim.within_rounding.number))
    upto = {None: "", 1: "judged up to 4.05", 0: "judged up to 4.5"}
    assert found.verdicts[0].reason.startswith(upto[places])


def test_a_rounded_epsilon_is_certified_at_the_end_of_its_rounding() -> None:
    exact = claimed("1.1", "0")
    assert audited([Mechanism("1.14")], exact).outcome == "refuted"
    found = audited([Mechanism("1.14")], replace(exact, places=1))
    assert (found.outcome, found.is_computed) == ("holds", False)
    certificate = found.verdicts[0].certificate
    assert certificate is not None
    assert str(certificate.epsilon) == "23/20"
    assert audited([Mechanism("1.15")], replace(exact, places=1)).outcome == "holds"
    assert audited([Mechanism("1.1501")], replace(exact, places=1)).outcome == "refuted"


@each_case(
    ("success", "outcome", "is_computed"),
    [
        ("3/4", "holds", False),
        ("0.8", "holds", False),
        ("0.7499", "refuted", False),
        ("0.4", "refuted", True),
    ],
)
def test_right_guesses_are_a_claim_of_epsilon_and_delta_and_decided_by_its_certificate(
    success: str, outcome: str, is_computed: bool
) -> None:
    """Randomized response twice with e^ε = 3: advantage 1/2, right guesses 3/4 at 1/2."""
    claim = Claim(None, None, "composition", "s", prior=mpq(1, 2), success=mpq(success))
    found = audited([Mechanism(ExactNumber.ln(mpq(3)), 0, 2)], claim)
    assert (found.outcome, found.is_computed) == (outcome, is_computed)


@each_case(
    ("tpr", "outcome", "is_computed"),
    [
        ("0.09", "holds", False),
        ("0.5", "holds", False),
        ("0.0899", "refuted", False),
        ("0.0841", "refuted", False),
        ("0.02", "refuted", False),
        ("0.001", "refuted", True),
    ],
)
def test_true_positives_hold_by_a_certificate_and_fail_by_one_or_by_three(
    tpr: str, outcome: str, is_computed: bool
) -> None:
    """Randomized response twice with e^ε = 3: the likeliest answer is 9 times as likely."""
    claim = Claim(None, None, "composition", "s", fpr=mpq(1, 100), tpr=mpq(tpr))
    found = audited([Mechanism(ExactNumber.ln(mpq(3)), 0, 2)], claim)
    assert (found.outcome, found.is_computed) == (outcome, is_computed)
    assert (
        audited(
            [Mechanism(ExactNumber.ln(mpq(3)), 0, 2)], replace(claim, basis="amplification")
        ).outcome
        == "not-assessable"
    )


def test_what_an_attack_gains_is_about_neighbours_and_not_about_groups() -> None:
    claim = Claim(None, None, "composition", "s", prior=mpq(1, 2), success=mpq(1))
    assert audited([Mechanism(1)], claim, group=2).outcome == "not-assessable"


def test_noise_decides_claims_of_what_an_attack_gains() -> None:
    claim = Claim(None, None, "amplification", "s", prior=mpq(1, 2), success=mpq(7, 10))
    found = audited([GaussianMechanism(1)], replace(claim, basis="composition"))
    assert (found.outcome, found.is_computed) == ("holds", False)
