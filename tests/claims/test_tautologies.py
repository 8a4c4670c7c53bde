"""Claims that could not have failed: of one mechanism, or of a ledger made from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.claims.tautologies import DERIVED, tautology
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import audit
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from tests.cli.running import LEDGERS, exactdp

FOUR = Claim(ExactNumber.of(4), mpq("1e-9"), "composition", "")
RHO = Claim(None, None, "composition", "", rho="0.25")
MU = Claim(None, None, "composition", "", mu="1/2")


@pytest.mark.parametrize(
    ("entry", "claim", "own"),
    [
        (Mechanism(4, "1e-9"), FOUR, True),
        (Mechanism(4, "1e-9", 2), FOUR, False),
        (Mechanism(4, "2e-9"), FOUR, False),
        (Mechanism(3, "1e-9"), FOUR, False),
        (Mechanism(4, 0), Claim(ExactNumber.of(4), None, "composition", ""), True),
        (Mechanism(4, 0), Claim(ExactNumber.of(4), None, "amplification", ""), False),
        (ConcentratedMechanism("1/4"), RHO, True),
        (ConcentratedMechanism("1/5"), RHO, False),
        (ConcentratedMechanism("1/4"), FOUR, False),
        (GaussianMechanism("1/2"), MU, True),
        (GaussianMechanism("1/3"), MU, False),
    ],
)
def test_the_parameter_of_the_one_mechanism_is_no_finding(
    entry: Entry, claim: Claim, own: bool
) -> None:
    assert bool(tautology(Ledger((entry,)), claim)) is own


def test_a_ledger_says_of_one_claim_what_was_chosen_for_it() -> None:
    source = {DERIVED: "4 at δ = 1e-9: the count is 4/2"}
    ledger = Ledger((Mechanism(2, 0, 2),), claims=(FOUR, RHO), source=source)  # type: ignore[arg-type]  # a mapping is accepted
    assert [tautology(ledger, each) for each in ledger.claims] == ["the count is 4/2", ""]
    assert audit(ledger)[0].tautology == "the count is 4/2"
    assert audit(ledger, group=2)[0].tautology == ""


def test_each_shipped_ledger_that_was_made_from_a_claim_states_this_claim() -> None:
    found = 0
    for path in LEDGERS.rglob("*.json"):
        if path.parent.name == "interactive":
            continue
        ledger = read_ledger(path)
        of_claim, _, chosen = ledger.said_of_source(DERIVED).partition(": ")
        if of_claim:
            texts = [claim_text(each, shortest_text, short_text) for each in ledger.claims]
            assert chosen, path
            assert any(text.startswith(of_claim) for text in texts), path
            assert any(tautology(ledger, each) == chosen for each in ledger.claims), path
            found += 1
    assert found == 4


def test_of_the_published_deployments_these_claims_could_not_have_failed() -> None:
    found = {
        path.stem
        for path in Path(LEDGERS).glob("*.json")
        for claim in read_ledger(path).claims
        if tautology(read_ledger(path), claim)
    }
    assert found == {
        "census_2020_ddhca_us",
        "census_2020_ddhcb_us",
        "israel_births_2014",
        "wikimedia_pageviews_current_2023",
    }


def test_every_command_that_shows_a_verdict_says_that_the_claim_could_not_fail(
    tmp_path: Path,
) -> None:
    births = str(LEDGERS / "israel_births_2014.json")
    page = tmp_path / "page.html"
    own = "it is the parameter of the ledger's one mechanism"
    told = exactdp("certify", births, "--epsilon", "9.98", "--delta", "0", "--json")
    assert told.result["tautology"] == own
    [claim] = exactdp("compose", births, "--delta", "0", "--json").result["claims"]
    assert claim["tautology"] == own
    exactdp("report", births, "-o", str(page))
    assert "a tautology: it is the parameter of the ledger" in page.read_text()
    assert f"a tautology: {own}" in exactdp("audit", births).out
    free = exactdp("certify", births, "--epsilon", "10", "--delta", "0", "--json")
    assert "tautology" not in free.result
