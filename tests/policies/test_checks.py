"""Requirements: what is kept, what is not, and what cannot be said."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from exactdp.policies.checks import check_task, tasks_of
from exactdp.policies.findings import Finding, FindingStatus, exit_code_of
from exactdp.policies.limits import GateLimits
from exactdp.policies.policy import NAME, read_policy
from tests.accountants.asking import FAKE

HEAD: Final = 'format = "exactdp-policy/1"\nledgers = ["*.json"]\n'
ACCOUNTANT: Final = '[[accountants]]\nname = "ours"\n'


def ledger(place: Path, name: str, *claims: dict[str, str], **more: object) -> None:
    """A ledger of ten mechanisms (1/10, 0), which compose to (1, 0)."""
    document = {
        "format": "exactdp-ledger/1",
        "mechanisms": [{"epsilon": "0.1", "count": 10}],
        "claims": [{"basis": "composition", "source": "us", **claim} for claim in claims],
        **more,
    }
    (place / name).write_text(json.dumps(document))


def found(place: Path, policy: str, limits: GateLimits | None = None) -> list[Finding]:
    (place / NAME).write_text(HEAD + policy)
    tasks = tasks_of(read_policy(place / NAME))
    return [each for task in tasks for each in check_task(task, limits or GateLimits())]


def statuses(place: Path, policy: str, limits: GateLimits | None = None) -> list[FindingStatus]:
    return [each.status for each in found(place, policy, limits)]


def behaving(behaviour: str) -> GateLimits:
    command = shlex.join([sys.executable, "-I", str(FAKE), behaviour])
    return GateLimits(programs={"ours": command}, seconds=600, memory=2**31)


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ({"epsilon": "1", "delta": "0"}, "held"),
        ({"epsilon": "2", "delta": "0"}, "held"),
        ({"epsilon": "0.9", "delta": "0"}, "failed"),
        ({"epsilon": "0.9", "basis": "amplification"}, "undecided"),
        ({"rho": "1"}, "undecided"),
    ],
)
def test_claims_of_a_ledger_must_hold(
    tmp_path: Path, claim: dict[str, str], status: FindingStatus
) -> None:
    ledger(tmp_path, "a.json", claim)
    assert statuses(tmp_path, "") == [status]


def test_a_decided_claim_has_its_certificate(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", {"epsilon": "1"}, {"epsilon": "0.9"})
    bounds = [each.certificate and each.certificate.bound for each in found(tmp_path, "")]
    assert bounds == ["upper", "lower"]


def test_a_policy_may_ask_only_that_nothing_is_refuted(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", {"rho": "1"}, {"epsilon": "0.9"}, {"epsilon": "1"})
    assert statuses(tmp_path, 'claims = "not-refuted"') == ["skipped", "failed", "held"]


def test_what_is_beyond_the_limits_is_undecided(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", {"epsilon": "0.9", "delta": "1e-6"})
    assert statuses(tmp_path, "", GateLimits(max_cost=1)) == ["undecided"]


def test_ignored_claims_leave_nothing_required(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", {"epsilon": "0.9"})
    [finding] = found(tmp_path, 'claims = "ignored"')
    assert (finding.status, "claims are ignored" in finding.message) == ("skipped", True)


def test_a_ledger_that_states_nothing_is_said_to(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json")
    [finding] = found(tmp_path, "")
    assert (finding.status, "states no claims" in finding.message) == ("skipped", True)


BUDGET_OF_ONE: Final = '[[budgets]]\nepsilon = 1\ndelta = 0\nscope = "{}"\n'


def test_a_budget_for_each_is_kept_by_each(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json")
    ledger(tmp_path, "b.json", mechanisms=[{"epsilon": "0.1", "count": 11}])
    assert statuses(tmp_path, BUDGET_OF_ONE.format("each")) == ["held", "failed"]


def test_a_budget_together_is_kept_by_their_composition(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", mechanisms=[{"epsilon": "0.1", "count": 4}])
    ledger(tmp_path, "b.json", mechanisms=[{"epsilon": "0.1", "count": 6}])
    assert statuses(tmp_path, BUDGET_OF_ONE.format("together"))[-1] == "held"
    ledger(tmp_path, "c.json", mechanisms=[{"epsilon": "1e-9"}])
    assert statuses(tmp_path, BUDGET_OF_ONE.format("together"))[-1] == "failed"


def test_a_ledger_that_shares_a_budget_is_not_said_to_be_left_alone(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json")
    assert statuses(tmp_path, BUDGET_OF_ONE.format("together")) == ["held"]


@pytest.mark.parametrize(
    "other",
    [
        {"neighbouring": "replace-one"},
        {"unit_of_privacy": "household"},
        {"interaction": "concurrent"},
    ],
)
def test_ledgers_about_different_things_share_no_budget(
    tmp_path: Path, other: dict[str, str]
) -> None:
    ledger(tmp_path, "a.json", neighbouring="add-remove-one")
    ledger(tmp_path, "b.json", **{"neighbouring": "add-remove-one", **other})
    shared = found(tmp_path, BUDGET_OF_ONE.format("together"))[-1]
    assert (shared.status, next(iter(other)) in shared.message) == ("invalid", True)


@pytest.mark.parametrize(
    ("budget", "status"),
    [("rho = 1", "held"), ("rho = 0.9", "failed"), ("mu = 1", "undecided")],
)
def test_budgets_of_other_notions_are_sums(
    tmp_path: Path, budget: str, status: FindingStatus
) -> None:
    ledger(tmp_path, "a.json", mechanisms=[{"rho": "1/10", "count": 10}])
    assert statuses(tmp_path, f'[[budgets]]\n{budget}\nscope = "each"') == [status]


def test_a_ledger_that_cannot_be_read_leaves_the_others_checked(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    ledger(tmp_path, "b.json", {"epsilon": "1"})
    assert statuses(tmp_path, "") == ["invalid", "held"]


def test_a_pattern_that_matches_nothing_is_not_kept(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json", {"epsilon": "1"})
    policy = '[[budgets]]\nrho = 1\nscope = "each"\nledgers = ["*.csv"]'
    *_, last = found(tmp_path, policy)
    assert (last.status, last.source) == ("undecided", "*.csv")


@pytest.mark.parametrize(
    ("behaviour", "status"),
    [("1.1", "held"), ("0.9", "failed"), ("nan", "undecided"), ("inf", "undecided")],
)
def test_an_accountant_must_be_sound(tmp_path: Path, behaviour: str, status: FindingStatus) -> None:
    ledger(tmp_path, "a.json", target_delta="0")
    [finding] = found(tmp_path, ACCOUNTANT, behaving(behaviour))
    assert finding.status == status
    assert (finding.certificate is not None) == (status == "failed")


@pytest.mark.parametrize(
    ("epsilon", "status"), [(0.5, "failed"), (0.9999999, "held"), (1.0, "held")]
)
def test_an_accountant_that_is_refuted_without_a_certificate_is_not_sound(
    tmp_path: Path, epsilon: float, status: FindingStatus
) -> None:
    """Laplace noise on a sampled sum at δ = 0, of which no rule makes certificates."""
    noise = {"laplace": {"scale": "1"}, "clip": "1", "rate": "0.5"}
    document = {"mechanisms": [noise], "target_delta": "0", "neighbouring": "replace-one"}
    (tmp_path / "a.json").write_text(json.dumps({"format": "exactdp-ledger/1", **document}))
    answer = json.dumps({"epsilon": epsilon})
    command = shlex.join([sys.executable, "-Ic", f"input(); print({answer!r})"])
    limits = GateLimits(programs={"ours": command}, seconds=600, memory=2**31)
    [finding] = found(tmp_path, ACCOUNTANT, limits)
    assert (finding.status, finding.certificate) == (status, None)
    assert ("computed, without a certificate" in finding.message) == (epsilon < 1)


def test_an_accountant_that_is_not_there_is_not_sound(tmp_path: Path) -> None:
    ledger(tmp_path, "a.json")
    policy = '[[accountants]]\nname = "opendp/basic"\ndelta = 1e-6'
    limits = GateLimits(pythons={"opendp": "/no/such/python"})
    assert statuses(tmp_path, policy, limits) == ["undecided"]


@pytest.mark.parametrize(
    ("policy", "more", "word"),
    [
        (ACCOUNTANT, {}, "target_delta"),
        ('[[accountants]]\nname = "nobody"\ndelta = 0', {}, "nobody"),
        (ACCOUNTANT + "delta = 1e-6", {"interaction": "concurrent"}, "adaptive"),
    ],
)
def test_a_question_that_cannot_be_asked_is_bad_input(
    tmp_path: Path, policy: str, more: dict[str, str], word: str
) -> None:
    ledger(tmp_path, "a.json", **more)
    [finding] = found(tmp_path, policy, behaving("1"))
    assert (finding.status, word in finding.message) == ("invalid", True)


def finding_of(status: FindingStatus) -> Finding:
    return Finding("p", "l", "claim", "r", status)


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        (["held", "failed", "undecided", "invalid", "skipped"], 2),
        (["held", "failed", "undecided"], 1),
        (["held", "undecided"], 3),
        (["held", "skipped"], 0),
        (["skipped"], 3),
        ([], 3),
    ],
)
def test_the_worst_finding_decides_the_exit_code(seen: list[FindingStatus], code: int) -> None:
    assert exit_code_of(map(finding_of, seen)) == code
