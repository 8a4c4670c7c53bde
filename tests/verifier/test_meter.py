"""What is paid: before the work, whatever a cache holds, and never more than the limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from exactdp.verifier.arithmetic import enclosures
from exactdp.verifier.format.meter import (
    Meter,
    metered,
    of_division,
    of_product,
    of_series,
    pay,
    remembered,
)
from exactdp.verifier.format.outcomes import RefusedError
from exactdp.verifier.rules import RULES
from tests.marking import slow_after, slow_among
from tests.verifier import handmade
from tests.verifier.make_rejects import accepts, rejects
from tests.verifier.paying import NO_LIMIT, paid, verdict_and_paid
from tools import corners
from tools.denial_of_service import FOLDER, LIMIT, MANIFEST, line, written

LISTED: list[dict[str, str]] = json.loads(MANIFEST.read_text("utf-8"))["certificates"]
CERTS = Path(__file__).resolve().parents[2] / "certs"
PUBLISHED = [*CERTS.glob("deployments/*.json"), *CERTS.glob("by_noise/*.json")]
GOOD = accepts()
LONG = ("fourier-upper-20000", "fourier-upper-109", "fourier-upper-epsilon-2-")
SOME = dict(list(GOOD.items())[::12])
LONGEST = {"mesh-upper-orders-mixed.json", "mesh-lower-epochs.json"} & SOME.keys()


def test_a_limit_allows_what_is_paid_up_to_it_and_no_more() -> None:
    with metered(10) as meter:
        pay(10)
        with pytest.raises(RefusedError, match=r"10 of at most 10 .* what comes next takes 1$"):
            pay(1)
        assert meter.paid == 10


def test_an_amount_of_many_digits_is_shortened() -> None:
    with metered(10), pytest.raises(RefusedError, match=r"takes 1000.*…$"):
        pay(10**10_000)


def test_a_meter_within_another_leaves_it_as_it_was_even_after_an_error() -> None:
    with metered(10) as outer:
        pay(1)
        with pytest.raises(RefusedError, match="is spent"), metered(1):
            pay(2)
        pay(2)
        assert outer.paid == 3


def test_a_check_within_a_check_pays_into_its_own_meter() -> None:
    with metered(1) as outer:
        assert verify_bytes(GOOD["sum-upper.json"]).status == "accepted"
        assert outer.paid == 0


def test_what_is_remembered_is_paid_for_again() -> None:
    @remembered(1)
    def expensive(number: int) -> int:
        pay(number)
        return number

    for _ in range(2):
        with metered(7) as meter:
            assert expensive(7) == 7
            assert meter.paid == 7
    with metered(6), pytest.raises(RefusedError, match="is spent"):
        expensive(7)


@pytest.mark.parametrize("name", slow_after(4, SOME))
def test_what_is_paid_depends_on_the_bytes_alone(name: str) -> None:
    first, again = paid(SOME[name]), paid(SOME[name])
    assert first == again


@pytest.mark.parametrize("name", slow_among(LONGEST, SOME))
def test_a_certificate_is_accepted_at_the_limit_that_it_pays_and_refused_below(name: str) -> None:
    verdict, needed = verdict_and_paid(SOME[name])
    assert verdict.status == "accepted"
    assert verify_bytes(SOME[name], max_cost=needed).status == "accepted"
    for limit in (needed - 1, needed // 2, 0):
        assert verify_bytes(SOME[name], max_cost=limit).status == "refused"


def test_no_limit_makes_a_bad_file_accepted() -> None:
    for case in list(rejects())[::400]:
        statuses = {verify_bytes(case.data, max_cost=10**n).status for n in (0, 5, 6, 7, 8, 9)}
        assert "accepted" not in statuses, case.name
        assert statuses <= {case.verdict, "refused"}, case.name


@pytest.mark.slow
def test_every_published_certificate_is_accepted_at_a_twentieth_of_the_default() -> None:
    for path in PUBLISHED:
        data = path.read_bytes()
        if b'"derivation"' in data:
            assert verify_bytes(data, max_cost=DEFAULT_MAX_COST // 20).status == "accepted", path


def test_finer_arithmetic_pays_more() -> None:
    for of in (of_product, of_division, of_series):
        amounts = [of(bits) for bits in (1, 64, 1000, 66_000)]
        assert amounts == sorted(set(amounts))
        assert amounts[0] > 0


def test_without_a_meter_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def get(self) -> Meter:
            raise LookupError("no meter")

    monkeypatch.setattr("exactdp.verifier.format.meter._meter", Missing())
    with pytest.raises(LookupError, match="no meter"):
        enclosures.enclose_pi(100)


# --- denial of service --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "listed",
    slow_among([each for each in LISTED if each["file"].startswith(LONG)], LISTED),
    ids=[each["file"] for each in LISTED],
)
def test_what_asks_for_much_work_pays_no_more_than_the_limit(listed: dict[str, str]) -> None:
    verdict, spent = verdict_and_paid((FOLDER / listed["file"]).read_bytes(), LIMIT)
    assert (verdict.status, verdict.reason) == (listed["verdict"], listed["reason"])
    assert spent <= LIMIT


@pytest.mark.slow
def test_the_files_that_ask_for_much_work_are_those_that_the_tool_makes() -> None:
    made = dict(written())
    kept = {path.name: path.read_bytes() for path in FOLDER.glob("*.json") if path != MANIFEST}
    assert kept == made
    assert [line(*each) for each in made.items()] == LISTED
    assert max(map(len, kept.values())) <= 2**16


def of_positions(colours: int, leaves: int) -> bytes:
    """A tree of so many leaves, one of which has so many colours, and all others none."""
    splits = [{"attribute": "0", "below": str(leaves - i)} for i in range(1, leaves)]
    alone = {"colours": [[str(i)] for i in range(colours)]}
    nodes = [*splits, alone, *[{"colours": []}] * (leaves - 1)]
    claim = handmade.statement("upper", [], "1", "0")
    claim["neighbouring"] = "add-remove-one"
    claim["subject"] = {"type": "workload", "domain": [], "queries": []}
    step = {"rule": "cases", "premises": [], "parameters": {"tree": nodes}}
    return handmade.canonical_bytes(handmade.sealed(claim, [step]))


def test_every_rule_is_among_those_whose_hardest_certificates_are_asked() -> None:
    assert {rule.partition(",")[0] for rule in corners.RULES} == set(RULES)


def test_positions_times_leaves_are_paid_for_before_they_are_walked_through() -> None:
    verdict, spent = verdict_and_paid(of_positions(2000, 1000), 10**8)
    assert (verdict.status, spent <= 10**8) == ("refused", True)
    assert "takes 400000000" in verdict.reason
    assert verdict_and_paid(of_positions(2, 2), NO_LIMIT)[1] < 10**7
