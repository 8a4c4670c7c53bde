"""What a verdict says, and that nothing but a verdict comes out."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp.verifier
from exactdp.verifier import Verdict, verify_bytes, verify_together
from exactdp.verifier.format.outcomes import shown
from exactdp.verifier.verdicts import escaped, failure
from tests.verifier import handmade

GOOD = handmade.canonical_bytes(handmade.simple("sum", "upper", [("1/10", "0", 12)], "6/5", "0"))
Check: TypeAlias = Callable[[bytes], Verdict]
CLAIM: Final = {"fpr": "1/10", "tpr": "1/20"}


def together(data: bytes) -> Verdict:
    """The verdict on one certificate as one of several."""
    return verify_together([data], claim=CLAIM)


CHECKS: Final[tuple[Check, ...]] = (verify_bytes, together)


def test_an_accepted_certificate_is_described_field_by_field() -> None:
    verdict = verify_bytes(GOOD)
    assert (verdict.status, verdict.exit_code, verdict.reason) == ("accepted", 0, "")
    assert (verdict.kind, verdict.epsilon, verdict.delta) == ("upper", "6/5", "0")
    assert (verdict.mechanisms, verdict.rules) == ("12", ("sum",))
    assert verdict.theorem == handmade.MURTAGH_VADHAN
    assert verdict.settles == ""
    assert str(verdict) == verdict.line


def test_a_notebook_shows_the_line_escaped() -> None:
    assert verify_bytes(GOOD)._repr_html_() == f"<code>{verify_bytes(GOOD).line}</code>"
    assert failure("malformed", "<b>", 2)._repr_html_().endswith("reason: &lt;b&gt;</code>")


def test_a_statement_about_every_epsilon_says_so() -> None:
    claim = handmade.simple("trivial", "lower", [("1", "1/10", 2)], "every", "9/50")
    assert verify_bytes(handmade.canonical_bytes(claim)).epsilon == "every"


def test_a_file_that_takes_more_to_read_than_the_limit_is_refused_unread() -> None:
    verdict = verify_bytes(b"{" * 1001, max_cost=10**6)
    spent = "0 of at most 1000000 (--max-cost) is spent, and what comes next takes 1001000"
    assert (verdict.line, verdict.exit_code) == (f"REFUSED  reason: {spent}", 2)
    assert verify_bytes(b"{" * 1000, max_cost=10**6).status == "malformed"
    assert verify_bytes(GOOD, max_cost=0).status == "refused"


@pytest.mark.parametrize("check", CHECKS)
def test_running_out_of_memory_is_refused(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(_certificate: object) -> None:
        raise MemoryError

    monkeypatch.setattr(exactdp.verifier, "prove", exhausted)
    verdict = check(GOOD)
    assert (verdict.status, verdict.exit_code) == ("refused", 2)


@pytest.mark.parametrize("check", CHECKS)
def test_an_error_of_our_own_is_a_rejection_with_exit_code_70(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_certificate: object) -> None:
        raise ZeroDivisionError("x" * 1000)

    monkeypatch.setattr(exactdp.verifier, "prove", broken)
    verdict = check(GOOD)
    assert (verdict.status, verdict.exit_code) == ("rejected", 70)
    assert verdict.line.startswith("REJECTED  reason: internal error: ZeroDivisionError")
    assert len(verdict.line) < 300


def test_statements_refute_together_or_say_why_not() -> None:
    lower = handmade.canonical_bytes(
        handmade.simple("sum", "lower", [("ln(3)", "0", 1)], "ln(2)", "0")
    )
    said = "ACCEPTED  1 statements, which together refute the claim (fpr = 1/10, tpr = 1/20)"
    assert together(lower).line == said
    assert together(GOOD).status == "rejected"
    assert together(b"").status == "malformed"


def test_a_page_is_malformed_with_what_to_do() -> None:
    assert "save those that it holds" in verify_bytes(b"<!doctype html><p>").line


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    assert verify_bytes(data).status == "malformed"


def test_a_changed_byte_is_never_accepted_unless_the_statement_is_the_same() -> None:
    chance = random.Random(1)  # noqa: S311 (examples, not secrets)
    for _ in range(500):
        changed = bytearray(GOOD)
        changed[chance.randrange(len(GOOD))] ^= 1 << chance.randrange(8)
        assert verify_bytes(bytes(changed)).status != "accepted"


def test_hostile_text_is_escaped_and_shortened() -> None:
    assert escaped("a\x1b[31m\n\ud800é", 60) == "a\\x1b[31m\\n\\ud800é"
    assert shown("x" * 100) == "x" * 60 + "…"
    assert len(failure("rejected", "\0" * 10_000, 1).line) < 1000
