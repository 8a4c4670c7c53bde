"""``exactdp compose``: the table that people read, and the object that programs read."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from exactdp import verifier
from exactdp.errors import CostLimitError
from exactdp.timing.reading import reading
from exactdp.verifier import verify_bytes
from tests.cli.running import GOOGLE, exactdp, files_below
from tests.workloads.workloads import stepping


def test_a_ledger_is_composed_at_its_target_delta_and_its_claim_judged_at_its_own() -> None:
    answer = exactdp("compose", GOOGLE)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "ε ≤ 2.5631831173 at δ = 1e-6 (certified; not below 2.5631831172): 18 mechanisms run in "
        "turn, each free to depend on the answers before, for one user-day that is added or "
        "removed.\n"
        "\n"
        "Google COVID-19 Community Mobility Reports: 18 mechanisms, protecting one user-day\n"
        "\n"
        "at δ                  1e-6\n"
        "optimal composition   ε ≥ 2.5631831172\n"
        "                      ε ≤ 2.5631831173\n"
        "basic composition     ε = 2.64\n"
        "\n"
        "claimed 2.64 at δ = 0: holds, with equality\n"
    )


def test_json_holds_the_same_for_programs() -> None:
    assert exactdp("compose", GOOGLE, "--json").document == {
        "format": "exactdp-output/1",
        "command": "compose",
        "result": {
            "epsilon": {"lower": "2.5631831172", "upper": "2.5631831173"},
            "exact": None,
            "delta": "1e-6",
            "feasible": True,
            "mechanisms": 18,
            "neighbouring": "add-remove-one",
            "method": "grid",
            "complete": True,
            "basic_epsilon": "2.64",
            "least_feasible_delta": "0",
            "least_feasible_delta_ends": {"lower": "0", "upper": "0", "evidence": "computed"},
            "claims": [
                {
                    "claim": "2.64 at δ = 0",
                    "outcome": "holds-with-equality",
                    "reason": "",
                    "tautology": "",
                    "basis": "composition",
                    "source": "published total, by basic composition of these parameters: "
                    "arXiv:2004.04145",
                }
            ],
            "evidence": "certificate",
        },
    }


def test_a_closed_form_is_printed_with_decimals_around_it() -> None:
    answer = exactdp("compose", "-m", "ln(3)*2", "--delta", "1/10")
    assert answer.details == [
        "2 mechanisms",
        "",
        "at δ                  0.1",
        "optimal composition   ε = ln(37/5)",
        "                      ε ≥ 2.0014800002",
        "                      ε ≤ 2.0014800003",
        "basic composition     ε = 2*ln(3), at most 2.1972245774",
    ]


def test_infeasible_is_an_answer_with_the_least_feasible_delta_exactly() -> None:
    answer = exactdp("compose", "-m", "1,1/10*2", "--delta", "18/100")
    assert answer.code == 0
    assert answer.details[2:] == [
        "at δ                          0.18",
        "optimal composition           infeasible: no finite ε is enough",
        "least feasible δ (computed)   δ = 0.19",
    ]
    result = exactdp("compose", "-m", "1,1/10*2", "--delta", "18/100", "--json").result
    assert result["epsilon"] == {"lower": "inf", "upper": "inf"}
    assert (result["feasible"], result["least_feasible_delta"]) == (False, "0.19")


def test_a_least_feasible_delta_of_absurdly_many_digits_is_a_product_with_an_enclosure() -> None:
    answer = exactdp("compose", "-m", "0.1,1e-9*1000000000", "--delta", "1e-10")
    assert answer.details[4:] == [
        "least feasible δ (computed)   δ = 1 - (999999999/1000000000)^1000000000",
        "                              δ ≥ 0.63212055901249739906",
        "                              δ ≤ 0.63212055901249739907",
    ]


def test_a_long_exact_fraction_is_abridged_for_people_and_whole_in_json() -> None:
    arguments = ("compose", "-m", "0.1,1e-9*50", "--delta", "1e-10")
    answer, result = exactdp(*arguments), exactdp(*arguments, "--json").result
    assert max(map(len, answer.details)) < 108
    assert "… (895 characters; --json prints them all)" in answer.out
    least = 1 - (1 - Fraction(1, 10**9)) ** 50
    assert Fraction(result["least_feasible_delta"]) == least
    ends = result["least_feasible_delta_ends"]
    assert Fraction(ends["lower"]) <= least <= Fraction(ends["upper"])
    assert f"δ ≥ {ends['lower']}" in answer.out
    assert f"δ ≤ {ends['upper']}" in answer.out


def test_a_closed_form_of_thousands_of_digits_is_whole_in_json() -> None:
    arguments = ("compose", "-m", "ln(3^41000)", "--delta", "1/10")
    exact = exactdp(*arguments, "--json").result["exact"]
    assert len(exact) > 19_000
    assert exact.startswith("ln(")
    answer = exactdp(*arguments)
    assert max(map(len, answer.details)) < 140
    assert f"ε = {exact[:30]}… (" in answer.out


@pytest.mark.parametrize("digits", [1, 20, 60])
def test_the_interval_is_no_wider_than_the_tolerance(digits: int) -> None:
    tolerance = f"1e-{digits}"
    answer = exactdp("compose", "-m", "0.1*9", "--delta", "1e-3", "--tolerance", tolerance)
    low, high = (Fraction(line.split()[-1]) for line in answer.details[3:5])
    assert 0 <= high - low <= Fraction(tolerance)


def test_an_optimum_of_zero_is_said() -> None:
    assert (
        "optimal composition   ε = 0" in exactdp("compose", "-m", "0.1", "--delta", "0.1").details
    )


def test_nothing_composed_is_perfectly_private() -> None:
    answer = exactdp("compose", "-", "--delta", "0", stdin=b'{"mechanisms": [], "empty": true}')
    assert answer.details[:4] == [
        "0 mechanisms",
        "",
        "at δ                  0",
        "optimal composition   ε = 0",
    ]


def test_powers_of_two_and_other_fractions_are_shown_as_people_write_them() -> None:
    assert (
        "at δ                  2^-40" in exactdp("compose", "-m", "1", "--delta", "2^-40").details
    )
    assert "at δ                  1/3" in exactdp("compose", "-m", "1", "--delta", "1/3").details


def test_a_ledger_may_come_from_standard_input_in_either_format() -> None:
    told = exactdp("compose", "-m", "0.1,1e-9*3", "--delta", "1e-6", "--json").result
    for stdin in (
        b'{"mechanisms": [{"epsilon": 0.1, "delta": 1e-9, "count": 3}]}',
        b"epsilon,delta,count\n0.1,1e-9,3\n",
    ):
        read = exactdp("compose", "-", "--delta", "1e-6", "--json", stdin=stdin).result
        assert read == told


NOTHING_EXACT = "mechanisms given by ε and δ add nothing exact to ρ or μ"
CLAIMS = {
    "mechanisms": [{"epsilon": "0.1", "count": 10}],
    "target_delta": "1e-6",
    "claims": [
        {"epsilon": "1", "delta": "0", "basis": "composition", "source": "s"},
        {"epsilon": "1.5", "basis": "composition", "source": "s"},
        {"epsilon": "0.9", "delta": "0", "basis": "composition", "source": "s"},
        {"epsilon": "0.4", "delta": "0", "basis": "amplification", "source": "s"},
        {"rho": "0.4", "basis": "composition", "source": "s"},
    ],
}


def test_each_claim_is_a_line_of_its_own() -> None:
    answer = exactdp("compose", "-", stdin=json.dumps(CLAIMS).encode())
    assert answer.code == 0
    assert answer.details[-5:] == [
        "claimed 1 at δ = 0: holds, with equality",
        "claimed 1.5 at δ = 0: holds",
        "claimed 0.9 at δ = 0: refuted: not implied by these parameters",
        "claimed 0.4 at δ = 0: not assessable from this ledger (it rests on amplification)",
        f"claimed ρ = 0.4: not assessable from this ledger ({NOTHING_EXACT})",
    ]


def test_a_claim_of_many_digits_is_abridged_for_people() -> None:
    ledger = {**CLAIMS, "claims": [{**CLAIMS["claims"][0], "epsilon": "1." + "3" * 5000}]}  # type: ignore[dict-item]
    answer = exactdp("compose", "-", stdin=json.dumps(ledger).encode())
    assert len(answer.details[-1]) < 200
    assert answer.details[-1].endswith("at δ = 0: holds")


def test_certificates_are_written_and_accepted(place: Path) -> None:
    answer = exactdp("compose", GOOGLE, "--certificates", "made/here")
    assert answer.code == 0
    names = [
        f"made/here/google_mobility_2020_user_day.{bound}.json" for bound in ("upper", "lower")
    ]
    assert answer.details[6:8] == [
        f"certificates          {names[0]}",
        f"                      {names[1]}",
    ]
    assert sorted(files_below(place)) == sorted(["made", "made/here", *names])
    verified = exactdp("verify", *names, "--ledger", GOOGLE)
    assert verified.code == 0
    assert [line.partition(": ACCEPTED  ")[2] for line in verified.details] == [
        "ε ≤ 2.5631831173 at δ = 1e-6 for 18 mechanisms (upper, adaptive)",
        "ε > 2.5631831172 at δ = 1e-6 for 18 mechanisms (lower, adaptive)",
    ]


def test_json_names_the_certificates(place: Path) -> None:
    result = exactdp("compose", "-m", "1*3", "--delta", "0", "--certificates", ".", "--json").result
    assert result["certificates"] == ["ledger.upper.json", "ledger.lower.json"]
    assert sorted(files_below(place)) == sorted(result["certificates"])


def test_an_infeasible_answer_has_a_lower_certificate_only(place: Path) -> None:
    exactdp("compose", "-m", "1,1/10*2", "--delta", "18/100", "--certificates", ".")
    assert list(files_below(place)) == ["ledger.lower.json"]


def test_an_optimum_of_zero_has_an_upper_certificate_only(place: Path) -> None:
    exactdp("compose", "-m", "0.1", "--delta", "0.1", "--certificates", ".")
    assert list(files_below(place)) == ["ledger.upper.json"]


def test_the_same_input_gives_the_same_bytes(place: Path) -> None:
    exactdp("compose", GOOGLE, "--certificates", "a")
    exactdp("compose", GOOGLE, "--certificates", "b")
    files = files_below(place)
    for name in ("upper", "lower"):
        file = f"google_mobility_2020_user_day.{name}.json"
        assert files[f"a/{file}"] == files[f"b/{file}"]


def test_a_method_may_be_forced_and_says_so_in_json() -> None:
    arguments = ("compose", "-m", "ln(3)*4", "--delta", "1/10", "--json", "--method")
    assert exactdp(*arguments, "atoms").result["method"] == "atoms"
    assert exactdp(*arguments, "grid").result["method"] == "grid"


def test_beyond_the_limit_is_refused_with_the_predicted_cost() -> None:
    answer = exactdp(
        "compose", "-m", "0.1*100", "--delta", "1/10", "--max-cost", "1", "--tolerance", "1e-9"
    )
    assert (answer.code, answer.out) == (CostLimitError.exit_code, "")
    assert "predicted cost" in answer.err
    assert "raise --max-cost" in answer.err


def test_a_certificate_that_the_verifier_rejects_is_our_bug_and_nothing_is_written(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        verifier, "verify_bytes", lambda data, **limits: verify_bytes(data[:-1], **limits)
    )
    answer = exactdp("compose", "-m", "0.1*9", "--delta", "1e-3", "--certificates", "new/place")
    assert answer.code == 70
    assert "please report it" in answer.err
    assert files_below(place) == {}


def test_explain_shows_the_choice_and_what_it_cost() -> None:
    answer = exactdp("compose", "-m", "0.1*50", "--delta", "1e-6", "--explain")
    text = "\n".join(answer.details)
    assert "grid about" in text
    assert "atoms about" in text
    explained = exactdp("compose", "-m", "0.1*50", "--delta", "1e-6", "--explain", "--json")
    explanation = explained.document["result"]["explanation"]
    assert int(explanation["predicted"]["grid"]) < int(explanation["predicted"]["atoms"])
    assert int(explanation["predicted"]["grid"]) < int(explanation["predicted"]["bracket"])
    assert int(explanation["nanoseconds"]) > 0


@pytest.mark.slow
def test_a_time_limit_gives_the_best_certain_interval_so_far() -> None:
    mechanisms = [f"-m0.0{digits}" for digits in range(1234567, 1234567 + 40 * 7919, 7919)]
    limits = ("--delta", "1e-6", "--tolerance", "1e-40", "--method", "bracket")
    with reading(stepping(10**6)):
        answer = exactdp("compose", *mechanisms, *limits, "--time-limit", "1", "--json")
    result = answer.document["result"]
    assert result["complete"] is False
    assert Fraction(result["epsilon"]["lower"]) < Fraction(result["epsilon"]["upper"])
    refused = exactdp("compose", *mechanisms, *limits)
    assert refused.code == 3


def test_a_refused_tolerance_names_one_that_fits() -> None:
    ledger = (
        "compose",
        "-m",
        "0.1234567*5",
        "-m",
        "ln(3)*3",
        "-m",
        "1/7*9",
        "-m",
        "1/9*ln(5/3)*60",
    )
    limits = ("--delta", "1e-7", "--method", "bracket", "--max-cost", "2e8", "--tolerance")
    error = exactdp(*ledger, *limits, "1e-30", "--json").error
    tolerance = error["remedy"].partition("--tolerance ")[2].partition(" fits")[0]
    assert tolerance.startswith("1e-")
    assert exactdp(*ledger, *limits, tolerance).code == 0
