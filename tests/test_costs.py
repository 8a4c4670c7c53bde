"""Attacks on the cost of checking: refused, malformed, or no dearer than they say.

How long they take is measured by ``tools.measure_costs``, never here: these tests ask what is
promised before any work, and that what is small is checked to its end.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from exactdp.verifier.rules import RULES as RULES_OF_THE_VERIFIER
from tools.adversaries import Adversary, known_attacks, of_ledger, pair
from tools.corner import Corner
from tools.corners import RULES, of_corner
from tools.dear_certificates import DEAR, LIMIT, MANIFEST, dear
from tools.measure_costs import (
    BYTE_COST,
    PAGE,
    Measured,
    Spent,
    header,
    line,
    not_measured,
    priced,
    programs,
    rewritten,
    rows,
    rows_of,
    run,
)
from tools.noisy_corners import RECORDS, Records, of_records

LISTED: list[dict[str, str]] = json.loads(MANIFEST.read_text("utf-8"))["certificates"]

TOO_LARGE = {
    "8000 logarithms of equal hashes": "more than 50000 characters",
    "3000 logarithms of value 0": "more than 50000 characters",
    "a rational of 2^21 bits": "more than 50000 characters",
    "a unit of 100000 bits": "more than 50000 characters",
    "ε of 100000 bits": "more than 50000 characters",
    "μ of 400000 bits": "more than 50000 characters",
    "α of 1000000 bits": "more than 50000 characters",
}


@pytest.mark.slow
def test_what_does_not_fit_the_format_is_malformed_at_the_price_of_reading() -> None:
    found = set()
    for attack in known_attacks():
        if attack.name in TOO_LARGE:
            data, cost = priced(attack)
            assert cost <= BYTE_COST * len(data)
            verdict = verify_bytes(data)
            assert (verdict.status, TOO_LARGE[attack.name] in verdict.reason) == ("malformed", True)
            found.add(attack.name)
    assert found == set(TOO_LARGE)


@pytest.mark.slow
def test_no_limit_below_the_cost_lets_an_attack_work() -> None:
    for attack in known_attacks():
        data, cost = priced(attack)
        assert cost >= BYTE_COST * (len(data) - 101)
        assert verify_bytes(data, max_cost=cost - 1).status == "refused", attack.name
        assert verify_bytes(data, max_cost=0).status == "refused", attack.name


def test_every_rule_has_certificates_at_its_corners() -> None:
    assert set(RULES) == set(RULES_OF_THE_VERIFIER)


@pytest.mark.parametrize("rule", RULES)
def test_longer_numbers_cost_more(rule: str) -> None:
    corner = Corner(digits=30, bits=64, entries=1, count=1, logs=0, failing=False)
    short, long = (of_corner(rule, replace(corner, bits=bits)) for bits in (64, 6000))
    assert priced(short)[1] < priced(long)[1]


def test_a_cost_below_that_of_reading_is_told_before_a_number_is_read() -> None:
    unreadable = of_ledger("sum", "no numbers", [pair("x")], ("x", "x"))
    assert "to read it alone" in verify_bytes(unreadable.certificate(1)).reason
    assert verify_bytes(unreadable.certificate(DEFAULT_MAX_COST)).status == "malformed"


@pytest.mark.slow
@pytest.mark.parametrize("listed", LISTED, ids=[each["file"] for each in LISTED])
def test_an_attack_is_turned_down_by_its_sentence_and_at_its_price(listed: dict[str, str]) -> None:
    data, cost = (DEAR / listed["file"]).read_bytes(), int(listed["cost"])
    verdict = verify_bytes(data, max_cost=LIMIT)
    assert (verdict.status, verdict.reason) == (listed["verdict"], listed["reason"])
    below = verify_bytes(data, max_cost=cost - 1)
    assert below.status == "refused"
    assert f"the limit {cost - 1} " in below.reason


@pytest.mark.slow
def test_the_attacks_that_are_kept_are_those_that_the_tool_makes() -> None:
    made = {f"{each.name}.json": each for each in dear()}
    kept = {path.name: path.read_bytes() for path in DEAR.glob("*.json") if path != MANIFEST}
    assert kept == {name: each.data for name, each in made.items()}
    assert [each.line for each in made.values()] == LISTED
    assert max(map(len, kept.values())) <= 2**16


def test_the_table_of_what_checking_costs_has_every_rule() -> None:
    assert set(rows_of(PAGE.read_text("utf-8"))) == set(RULES_OF_THE_VERIFIER)


@pytest.mark.slow
def test_what_is_measured_of_one_rule_leaves_the_rows_of_others() -> None:
    found = {}
    for program, command in programs():
        verdict, spent = run(command, Adversary.trivial().certificate(514_001), 514_001)
        each = Measured(Adversary.trivial(), 514_001, verdict, spent)
        assert spent.seconds > 0
        assert program in line(program, each)
        found[program] = [each]
    page = PAGE.read_text("utf-8")
    written = rows_of(rewritten(page, header(list(found)), rows(found)))
    before = rows_of(page)
    assert written.pop("vacuous") != before.pop("vacuous")
    assert written == before


def test_a_program_whose_columns_would_be_lost_is_named() -> None:
    page = PAGE.read_text("utf-8")
    assert not_measured(page, ["verifier"]) == ["checker"]
    assert not_measured(page, ["verifier", "checker"]) == []


def test_what_costs_more_than_it_says_stands_out() -> None:
    slow = Measured(Adversary.trivial(), 10**9, "ACCEPTED", Spent(11.0, 2048.0))
    assert (slow.seconds, slow.gibibytes) == (11.0, 2.0)


@pytest.mark.parametrize("records", RECORDS, ids=lambda each: f"{each.name}, {each.rules[0]}")
def test_samples_and_batches_are_read_to_their_end_at_their_price(records: Records) -> None:
    corner = Corner(digits=30, bits=64, entries=1, count=1, logs=0, failing=False)
    for rule in records.rules:
        data, cost = priced(of_records(rule, corner, records))
        assert verify_bytes(data, max_cost=cost - 1).status == "refused", rule
        assert priced(of_records(rule, replace(corner, bits=600), records))[1] > cost
