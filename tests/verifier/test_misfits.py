"""A derivation that does not fit is rejected as one: every rule, subject and premise is tried."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.kernel import Form
from exactdp.verifier.rules import RULES
from exactdp.verifier.rules.ledger import Ledger
from exactdp.verifier.rules.workload import Workload
from exactdp.verifier.subjects import SUBJECTS
from tests.marking import each_case
from tests.mutation.clauses import clauses, without
from tests.verifier import handmade
from tests.verifier.make_rejects import accepts
from tests.verifier.misfits import CLAUSE, Misfit, misfits

ACCEPTED: Final = Path(__file__).resolve().parents[2] / "certs" / "accept"

MADE = list(misfits({name: json.loads(data) for name, data in accepts().items()}))


def is_rejected_as_such(misfit: Misfit) -> bool:
    verdict = verify_bytes(handmade.canonical_bytes(misfit.certificate))
    rejected = (verdict.status, verdict.exit_code) == ("rejected", 1)
    return rejected and f"rule {misfit.rule}: {CLAUSE}" in verdict.reason


@each_case("rule", RULES)
def test_what_does_not_fit_is_rejected_as_such(rule: str) -> None:
    of_the_rule = [misfit for misfit in MADE if misfit.rule == rule]
    assert len(of_the_rule) > 1
    assert [each.name for each in of_the_rule if not is_rejected_as_such(each)] == []


def test_every_rule_is_tried_on_every_subject_and_every_form_that_it_does_not_declare() -> None:
    forms = {rule.form for rule in RULES.values()}
    forms |= {Form(form.subject) for form in forms}
    tried = {(each.rule, each.subject, each.premise) for each in MADE}
    missing = {
        (name, subject, premise)
        for name in RULES
        for subject in SUBJECTS
        for premise in (None, *forms)
        if (name, subject, premise) not in tried
    }
    assert missing == {fit for name in RULES for fit in fits(name)}


def fits(name: str) -> set[tuple[str, str, Form | None]]:
    """Where a rule is used as it declares: alone or on its premise, and on every stand-in."""
    rule = RULES[name]
    if rule.form.by is not None:
        return set()
    about = rule.form.subject
    assert about is not None
    if rule.premises:
        return {(name, about.type, premise) for premise in rule.premises}
    reductions = {each.form for each in RULES.values() if each.form.by is about}
    if rule.form.notion:
        return {(name, about.type, None)}
    carried = {(name, form.subject.type, form) for form in reductions if form.subject is not None}
    return {(name, about.type, None), *carried}


ENTRIES: Final[dict[str, dict[str, object]]] = {
    "mu": {"mu": "1"},
    "noise": {"laplace": {"scale": "1", "sensitivity": "1"}},
    "rho": {"rho": "1"},
}
ADDED, REPLACED = "add-remove-one", "replace-one"
GOOD: Final = [json.loads(data) for data in accepts().values()]


def _by_what_it_does_not_know(rule: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Accepted certificates whose subjects get one mechanism more, or other neighbours."""
    known = RULES[rule]
    for good in GOOD:
        claim = good["statement"]
        about = claim["subject"]
        plain = claim["interaction"] == "adaptive"
        if good["derivation"][0]["rule"] != rule or about["type"] not in ("mechanisms", "workload"):
            continue
        for family in ENTRIES.keys() - known.families if plain else ():
            changed = copy.deepcopy(good)
            subject, entry = changed["statement"]["subject"], ENTRIES[family]
            if about["type"] == "workload" and claim["neighbouring"] == ADDED:
                subject["queries"].append({**entry, "where": []})
                yield f"given by {family}", changed
            if about["type"] == "mechanisms":
                subject["mechanisms"].append({**entry, "count": "1"})
                subject["mechanisms"].sort(key=without_count)
                yield f"given by {family}", changed
        by_noise = any("laplace" in str(query) for query in about.get("queries", ()))
        for relation in {ADDED, REPLACED} - {*known.relations}:
            if about["type"] == "workload" and not by_noise:
                yield (
                    f"{relation} neighbours",
                    handmade.changed(good, "statement.neighbouring", relation),
                )


def without_count(entry: Mapping[str, object]) -> bytes:
    return handmade.canonical_bytes({k: v for k, v in entry.items() if k != "count"})


@each_case("rule", RULES)
def test_a_rule_is_asked_of_no_mechanisms_or_neighbours_that_it_does_not_declare(rule: str) -> None:
    known, tried = RULES[rule], set()
    for what, changed in _by_what_it_does_not_know(rule):
        verdict = verify_bytes(handmade.canonical_bytes(handmade.resealed(changed)))
        assert verdict.status == "rejected"
        assert f"is not about {what}" in verdict.reason.replace("mechanisms ", "")
        tried.add(what)
    if known.form.subject is Ledger and not known.premises:
        others = ENTRIES.keys() - known.families
        assert {f"given by {family}" for family in others} <= tried
    if known.form.subject is Workload:
        assert {f"{each} neighbours" for each in {ADDED, REPLACED} - {*known.relations}} <= tried


def test_a_rule_is_asked_of_no_neighbours_that_it_stops_declaring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = (ACCEPTED / "cases-of-two-upper.json").read_bytes()
    assert verify_bytes(data).status == "accepted"
    monkeypatch.setattr(RULES["cases"], "relations", (ADDED,))
    assert "is not about replace-one neighbours" in verify_bytes(data).reason


@pytest.mark.slow
def test_without_the_forms_no_misfit_is_known_as_such() -> None:
    checks = [each for each in clauses() if each.words.startswith(("f'takes ", "f'concludes "))]
    assert len(checks) == 2
    verify = without(*checks)
    reasons = {verify.verify_bytes(handmade.canonical_bytes(m.certificate)).reason for m in MADE}
    assert not any(CLAUSE in reason for reason in reasons)
