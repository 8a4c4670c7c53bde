"""Records of Tumult and OpenDP are ledgers: for compose, audit and convert alike."""

from __future__ import annotations

import json

import pytest

from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from tests.ledger.formats.descriptions import (
    FILTER,
    FILTER_ARGUMENTS,
    GAUSSIAN,
    LAPLACE,
    RESPONSE,
    described,
    lines,
    measured,
)

TUMULT = b"""\
2026-01-05T09:00 ages: PureDPBudget(epsilon=0.1)

incomes ApproxDPBudget(epsilon=0.5, delta=1e-09)
RhoZCDPBudget(rho=0.01)
"""
SPENT = (
    Mechanism("0.1", label="2026-01-05T09:00 ages"),
    Mechanism("0.5", "1e-9", label="incomes"),
    ConcentratedMechanism("1/100"),
)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n \n"])
def test_a_tumult_session_is_recognised_and_is_a_ledger(mark: bytes) -> None:
    assert read_ledger(mark + TUMULT) == Ledger(SPENT)
    assert read_ledger(TUMULT, "tumult") == Ledger(SPENT)


def test_a_ledger_that_speaks_of_tumult_is_none_of_its_sessions() -> None:
    ledger = Ledger((Mechanism(1),), notes="PureDPBudget(epsilon=1)")
    assert read_ledger(write_ledger(ledger).replace("\n", "").encode()) == ledger
    csv = "# from PureDPBudget(epsilon=1)\nlabel,epsilon\nPureDPBudget(epsilon=2),1\n"
    assert read_ledger(csv.encode()).mechanisms[0].label == "PureDPBudget(epsilon=2)"


@pytest.mark.parametrize(
    "data",
    [
        lines(FILTER, LAPLACE, RESPONSE, LAPLACE),
        json.dumps([FILTER, LAPLACE, RESPONSE, LAPLACE], indent=1).encode(),
    ],
)
def test_a_log_of_opendp_is_recognised_and_the_budget_of_its_filter_is_a_claim(
    data: bytes,
) -> None:
    ledger = read_ledger(data)
    noise = Mechanism("1/10", label="make_laplace")
    response = Mechanism("ln(3)", label="make_randomized_response_bool")
    assert ledger.mechanisms == (noise, response, noise)
    [claim] = ledger.claims
    assert (str(claim.epsilon), str(claim.delta), claim.basis) == ("1", "0", "composition")
    assert read_ledger(data, "opendp") == ledger


def test_discrete_noise_is_given_by_its_epsilon_and_not_by_the_curve_of_laplace_noise() -> None:
    assert read_ledger(lines(FILTER, LAPLACE)).given_by == "epsilon-delta"


def test_gaussian_noise_of_opendp_is_given_by_its_rho() -> None:
    ledger = read_ledger(lines(GAUSSIAN), distance="2")
    assert ledger.mechanisms == (ConcentratedMechanism("2/25", label="make_gaussian"),)
    assert read_ledger(lines(GAUSSIAN), "opendp", distance="2") == ledger


@pytest.mark.parametrize(
    ("measure", "d_out", "claimed", "notes"),
    [
        (["zero_concentrated_divergence"], 0.5, (None, None, "0.5"), ""),
        (["approximate", "max_divergence"], {"__tuple__": [0.5, 1e-6]}, ("1/2", "1e-06", None), ""),
        (
            ["approximate", "zero_concentrated_divergence"],
            {"__tuple__": [0.5, 0.25]},
            None,
            "the budget that is recorded: rho 0.5, delta 0.25",
        ),
    ],
)
def test_a_budget_is_a_claim_in_its_own_notion_or_a_note(
    measure: list[str], d_out: object, claimed: tuple[str | None, ...] | None, notes: str
) -> None:
    one = described("make_privacy_filter", odometer=measured(*measure), d_in=1, d_out=d_out)
    ledger = read_ledger(lines(one))
    assert ledger.notes == notes
    if claimed is None:
        assert ledger.claims == ()
    else:
        epsilon, delta, rho = claimed
        [claim] = ledger.claims
        assert (None if claim.epsilon is None else str(claim.epsilon)) == epsilon
        assert claim.delta == (None if delta is None else Mechanism(1, delta).delta)
        assert claim.rho == rho


@pytest.mark.parametrize(
    ("data", "distance", "words"),
    [
        (lines(LAPLACE), None, "as no filter is described.*add --d-in 1"),
        (lines(FILTER, LAPLACE), "2", "d_in of the filter"),
        (lines(described("make_laplace", scale=0.0, MO="MaxDivergence")), "1",
         "scale at line 1: 0: expected a number above 0"),
        (lines(described("make_laplace", scale=-1.0, MO="MaxDivergence")), "1", "above 0"),
        (lines(LAPLACE), "-1", "--d-in: -1: expected a distance"),
        (lines(LAPLACE), "0", "--d-in: 0: expected a distance"),
        (lines({**FILTER, "__kwargs__": {**FILTER_ARGUMENTS, "d_in": 0}}, LAPLACE), None,
         "d_in at line 1: 0: expected a distance"),
        (lines(LAPLACE), "x", "--d-in: x"),
        (lines(FILTER, described("make_user_measurement")), None, "make_user_measurement"),
        (TUMULT.replace(b"0.5", b"-1"), None, "epsilon at line 3: -1"),
        (TUMULT + b"remaining: 3\n", None, "line 5.*as Tumult prints it"),
    ],
)  # fmt: skip
def test_what_says_too_little_is_refused_with_its_line(
    data: bytes, distance: str | None, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_ledger(data, distance=distance)


def test_a_distance_is_for_opendp_alone() -> None:
    with pytest.raises(InputError, match=r"--d-in.*not opendp's"):
        read_ledger(b"epsilon\n1\n", "csv", distance="1")
