"""Ledgers and claims: whether a certificate is about what was asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactdp.verifier import Verdict, verify_bytes
from tests.marking import each_case
from tests.verifier import handmade, interactive_cases

ENTRIES: list[handmade.Entry] = [("1/10", "0", 12), ("1/2", "1/1000", 1)]
LEDGER: dict[str, Any] = {
    "format": "exactdp-ledger/1",
    "name": "example",
    "mechanisms": [
        {"epsilon": "0.1", "count": 5, "label": "a"},
        {"epsilon": "1/2", "delta": "1e-3"},
        {"epsilon": 0.1, "count": "7", "delta": 0},
    ],
}
UPPER = handmade.canonical_bytes(handmade.simple("sum", "upper", ENTRIES, "17/10", "1/1000"))
LOWER = handmade.canonical_bytes(handmade.simple("sum", "lower", ENTRIES, "8/5", "1/1000"))
NEVER = handmade.canonical_bytes(handmade.simple("trivial", "lower", ENTRIES, "every", "1/2000"))


def with_ledger(**changes: object) -> Verdict:
    ledger = {key: value for key, value in {**LEDGER, **changes}.items() if value is not None}
    return verify_bytes(UPPER, ledger=json.dumps(ledger, indent=1).encode())


def mechanism(**parts: object) -> Verdict:
    return with_ledger(mechanisms=[{"epsilon": "0.1", **parts}])


def test_a_ledger_of_the_same_mechanisms_matches_however_it_is_written() -> None:
    assert with_ledger().status == "accepted"
    assert with_ledger(format=None, name=None).status == "accepted"
    assert with_ledger(neighbouring="unspecified", interaction="adaptive").status == "accepted"


def test_whatever_else_a_ledger_says_is_not_interpreted() -> None:
    verdict = with_ledger(
        notes="n",
        reading=["not read as parameters: column date"],
        empty=False,
        unit_of_privacy="person",
        target_delta=1e-6,
        source={"url": "x", "page": "3"},
        claims=[{"epsilon": "1", "basis": "composition", "source": "s"}],
    )
    assert verdict.status == "accepted"


@pytest.mark.parametrize(
    "changes",
    [
        {"mechanisms": []},
        {"mechanisms": LEDGER["mechanisms"][:2]},
        {"mechanisms": [*LEDGER["mechanisms"], {"epsilon": "0"}]},
        {"mechanisms": [{"epsilon": "0.1", "count": 13}, LEDGER["mechanisms"][1]]},
        {"neighbouring": "add-remove-one"},
        {"interaction": "concurrent"},
    ],
    ids=["none", "fewer", "one more", "another count", "neighbouring", "interaction"],
)
def test_a_certificate_about_another_ledger_is_rejected(changes: dict[str, object]) -> None:
    verdict = with_ledger(**changes)
    assert verdict.status == "rejected"
    assert "not about this ledger" in verdict.reason


SEVERAL: list[dict[str, str]] = [
    {"count": "2", "delta": "0", "epsilon": "1/10"},
    {"count": "3", "mu": "1/2"},
    {"count": "1", "rho": "1/8"},
    {"count": "1", "rho": "1/9"},
]


def about(mechanisms: list[dict[str, str]]) -> dict[str, Any]:
    """A trivial certificate about mechanisms of any notion."""
    document = handmade.trivial([])
    document["statement"]["subject"]["mechanisms"] = mechanisms
    return handmade.resealed(document)


def test_a_statement_may_be_about_mechanisms_of_several_notions() -> None:
    data = handmade.canonical_bytes(about(SEVERAL))
    assert verify_bytes(data).mechanisms == "7"
    ledger = {
        "mechanisms": [
            {"rho": "1/9"},
            {"mu": 0.5, "count": 2},
            {"epsilon": 0.1, "count": 2},
            {"rho": "0.125", "label": "x"},
            {"sigma": 4, "sensitivity": "2"},
        ]
    }
    assert verify_bytes(data, ledger=json.dumps(ledger).encode()).status == "accepted"
    ledger["mechanisms"][0] = {"mu": "1/9"}
    assert verify_bytes(data, ledger=json.dumps(ledger).encode()).status == "rejected"


def test_rules_about_pairs_refuse_other_notions() -> None:
    document = handmade.simple("sum", "upper", ENTRIES, "8/5", "1/1000")
    document["statement"]["subject"]["mechanisms"] += SEVERAL[1:2]
    verdict = verify_bytes(handmade.canonical_bytes(handmade.resealed(document)))
    assert "is not about mechanisms given by mu" in verdict.reason


@pytest.mark.parametrize(
    "mechanisms",
    [
        [SEVERAL[1], SEVERAL[0]],
        [SEVERAL[2], SEVERAL[1]],
        [SEVERAL[3], SEVERAL[2]],
        [SEVERAL[1], SEVERAL[1]],
        [{"count": "1", "mu": "-1"}],
        [{"count": "1", "rho": "ln(2)"}],
        [{"count": "1", "mu": "0.5"}],
        [{"count": "1", "mu": "1", "rho": "1"}],
        [{"count": "1", "delta": "0", "mu": "1"}],
        [{"count": "1", "sigma": "1", "sensitivity": "1"}],
    ],
)
def test_entries_of_other_notions_are_as_strict(mechanisms: list[dict[str, str]]) -> None:
    data = handmade.canonical_bytes(about(mechanisms))
    assert verify_bytes(data).status == "malformed"


@pytest.mark.parametrize(
    "mechanism",
    [
        {"sensitivity": 1},
        {"sigma": 0, "sensitivity": 1},
        {"sigma": 1, "sensitivity": -1},
        {"sigma": "ln(2)", "sensitivity": 1},
        {"mu": 1, "delta": 0},
        {"mu": 1, "rho": 1},
    ],
)
def test_a_ledger_with_half_a_notion_is_malformed(mechanism: dict[str, object]) -> None:
    assert with_ledger(mechanisms=[mechanism]).status == "malformed"


@each_case(
    ("changes", "clause"),
    [
        ({"extra": 1}, "ledger: unknown key extra"),
        ({"mechanisms": None}, "ledger: missing key mechanisms"),
        ({"mechanisms": {}}, "mechanisms is not an array"),
        ({"mechanisms": ["0.1"]}, "mechanism is not an object"),
        ({"mechanisms": [{"count": 1}]}, "mechanism: missing key epsilon"),
        ({"format": "exactdp-ledger/2"}, "ledger format is not one of"),
        ({"neighbouring": "x"}, "neighbouring is not one of"),
        ({"interaction": "parallel"}, "interaction is not one of"),
        ({"name": 3}, "name is not a string"),
        ({"notes": []}, "notes is not a string"),
        ({"claims": {}}, "claims is not an array"),
        ({"claims": [{"basis": "b"}]}, "claim: missing key source"),
        ({"claims": [{"basis": "b", "source": "s", "x": 1}]}, "claim: unknown key x"),
        ({"source": True}, "a JSON literal true"),
        ({"reading": "x"}, "reading is not an array"),
        ({"reading": [["x"]]}, "reading is not a string"),
        ({"empty": True}, "empty is neither false, nor true beside no mechanisms"),
        ({"empty": "false"}, "empty is neither false, nor true beside no mechanisms"),
        ({"mechanisms": [], "empty": "true"}, "empty is neither false"),
    ],
)
def test_a_ledger_that_is_not_of_the_format_is_malformed(
    changes: dict[str, object], clause: str
) -> None:
    verdict = with_ledger(**changes)
    assert verdict.status == "malformed"
    assert clause in verdict.reason


@each_case(
    "parts",
    [
        {"epsilon": "1e999999999"},
        {"epsilon": "x"},
        {"epsilon": []},
        {"delta": "1/0"},
        {"count": "007"},
        {"count": "1e3"},
        {"count": 1.5},
        {"count": 0},
        {"count": -1},
        {"count": 10**19},
        {"label": 1},
        {"weight": 1},
    ],
)
def test_a_mechanism_that_is_not_of_the_format_is_malformed(parts: dict[str, object]) -> None:
    assert mechanism(**parts).status == "malformed"


def test_a_ledger_of_hostile_bytes_is_malformed() -> None:
    for ledger in (b"", b"\xff", b"[" * 10**5, b'{"mechanisms":[],"mechanisms":[]}', b"{} {}"):
        assert verify_bytes(UPPER, ledger=ledger).status == "malformed"


@pytest.mark.parametrize(
    ("data", "claim", "verb"),
    [
        (UPPER, ("1.7", "1e-3"), "proves"),
        (UPPER, ("2", "1"), "proves"),
        (UPPER, ("ln(6)", "0.001"), "proves"),
        (LOWER, ("1.6", "1e-3"), "refutes"),
        (LOWER, ("0", "0"), "refutes"),
        (NEVER, ("1000", "0.0005"), "refutes"),
        (NEVER, ("1e9", "0"), "refutes"),
    ],
)
def test_a_statement_that_implies_the_claim_or_its_contrary_settles_it(
    data: bytes, claim: tuple[str, str], verb: str
) -> None:
    verdict = verify_bytes(data, claim=claim)
    assert verdict.status == "accepted"
    assert verdict.line.endswith(f" — {verb} the claim ({claim[0]}, {claim[1]})")
    assert verdict.settles


@pytest.mark.parametrize(
    ("data", "claim"),
    [
        (UPPER, ("1.69", "1e-3")),
        (UPPER, ("1.7", "9e-4")),
        (UPPER, ("ln(5)", "1")),
        (LOWER, ("1.61", "1e-3")),
        (LOWER, ("1.6", "2e-3")),
        (NEVER, ("1", "6e-4")),
    ],
)
def test_a_statement_that_does_not_settle_the_claim_is_rejected(
    data: bytes, claim: tuple[str, str]
) -> None:
    verdict = verify_bytes(data, claim=claim)
    assert verdict.status == "rejected"
    assert "does not settle the claim" in verdict.reason


@pytest.mark.parametrize(
    "claim", [("x", "0"), ("1", ""), ("-1", "0"), ("1", "2"), ("1", "-1"), ("1", "ln(2)")]
)
def test_a_claim_that_cannot_be_read_is_malformed(claim: tuple[str, str]) -> None:
    assert verify_bytes(UPPER, claim=claim).status == "malformed"


def test_a_statement_about_interactive_mechanisms_is_about_no_ledger() -> None:
    data = handmade.canonical_bytes(interactive_cases.accepts()["post-processing"])
    for mechanisms in ([], [{"epsilon": "ln(3)"}]):
        ledger = json.dumps({"mechanisms": mechanisms, "interaction": "concurrent"}).encode()
        verdict = verify_bytes(data, ledger=ledger)
        assert verdict.status == "rejected"
        assert "not about a ledger" in verdict.reason
    assert verify_bytes(data, claim=("ln(3)", "0")).settles.startswith("proves")


def test_a_ledger_that_is_meant_to_be_empty_is_compared_like_any_other() -> None:
    verdict = with_ledger(mechanisms=[], empty=True)
    assert (verdict.status, "other mechanisms" in verdict.reason) == ("rejected", True)
