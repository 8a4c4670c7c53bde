"""``--interaction``, ``--theorem`` and ``--group`` as a user sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Answer, exactdp

LOSSY = ("-m", "0.1,1e-9*50", "-m", "1,1e-8")
BASIC = "vadhan-wang-2021-theorem-4.1"
FIRST = "Vadhan and Wang, TCC 2021, Theorem 4.1"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def interleaved(*arguments: str) -> Answer:
    return exactdp(*arguments, "--interaction", "concurrent")


def accepted(*names: str) -> list[str]:
    answer = exactdp("verify", *names)
    assert answer.code == 0, answer.out
    return answer.details


def test_interleaved_mechanisms_have_the_optimum_by_the_theorem_that_is_named() -> None:
    answer = interleaved("compose", *LOSSY, "--delta", "1e-6", "--certificates", "c", "--json")
    alone = exactdp("compose", *LOSSY, "--delta", "1e-6", "--json")
    assert answer.result["epsilon"] == alone.result["epsilon"]
    assert answer.result["concurrent"]["theorem"] == "vadhan-zhang-2023-f-dp"
    assert answer.result["concurrent"]["basic"]["applies"] is False
    assert "concurrent" not in alone.result
    for line in accepted("c/ledger.upper.json", "c/ledger.lower.json"):
        assert "concurrent)" in line


def test_both_theorems_are_shown() -> None:
    answer = interleaved("compose", *LOSSY, "--delta", "1e-5")
    words = " ".join(answer.out.split())
    assert "interleaved, by Vadhan and Zhang, STOC 2023 (" in words
    assert f"by {FIRST} (computed) ε = 6 at δ ≥ 2.88578484080100" in words


def test_the_first_theorem_can_be_the_only_one() -> None:
    arguments = ("--theorem", BASIC, "--certificates", "c")
    answer = interleaved("compose", *LOSSY, "--delta", "1e-5", *arguments, "--json")
    assert answer.result["epsilon"]["upper"] == "6"
    accepted("c/ledger.upper.json")
    below = interleaved("compose", *LOSSY, "--delta", "1e-6", "--theorem", BASIC, "--json")
    assert below.result["epsilon"]["upper"] == "inf"


def test_beyond_one_the_first_theorem_gives_nothing() -> None:
    answer = interleaved("compose", "-m", "1,1e-3*50", "--delta", "0.1")
    assert "nothing: its δ would exceed 1" in answer.out


@pytest.mark.parametrize(
    ("claim", "theorem", "code"),
    [
        (("6", "1e-5"), BASIC, 0),
        (("6", "1e-6"), BASIC, 3),
        (("6", "1e-6"), "lyu-2022-approximate-dp", 0),
        (("1", "1e-6"), BASIC, 1),
        (("6", "1e-6"), "vadhan-wang-2021-theorem-5.4", 2),
        (("6", "1e-6"), "nobody-2030", 2),
    ],
)
def test_a_claim_is_proved_by_the_theorem_that_is_asked_for(
    claim: tuple[str, str], theorem: str, code: int
) -> None:
    epsilon, delta = claim
    arguments = ("--epsilon", epsilon, "--delta", delta, "--theorem", theorem)
    answer = interleaved("certify", *LOSSY, *arguments, "-o", "c.json", "--json")
    assert answer.code == code
    if code < 2:
        accepted("c.json")
    if code == 0:
        shown = (
            "vadhan-zhang-2023-f-dp" if theorem == BASIC else theorem
        )  # it is the sum that proves
        assert answer.result["theorem"] == shown


def test_a_theorem_of_concurrent_composition_needs_interleaved_mechanisms() -> None:
    answer = exactdp("compose", *LOSSY, "--delta", "1e-6", "--theorem", BASIC)
    assert answer.code == 2
    assert "add --interaction concurrent" in answer.err


def test_a_profile_names_its_theorem_and_refuses_the_first() -> None:
    answer = interleaved("profile", *LOSSY, "--epsilon", "2")
    assert "interleaved, by   Vadhan and Zhang, STOC 2023 (" in answer.out
    assert interleaved("profile", *LOSSY, "--epsilon", "2", "--theorem", BASIC).code == 2


def test_noise_is_interleaved_by_the_theorems_about_it() -> None:
    for mechanism, theorem in (
        ("mu=1/2*3", "vadhan-zhang-2023-f-dp"),
        ("rho=1/8*3", "lyu-2022-renyi-dp"),
    ):
        answer = interleaved(
            "compose", "-m", mechanism, "--delta", "1e-6", "--certificates", "c", "--json"
        )
        assert answer.result["concurrent"] == {"theorem": theorem, "basic": None}
        accepted("c/ledger.upper.json", "c/ledger.lower.json")


@pytest.mark.parametrize(
    "entries",
    [
        ("rho=1/8", "1,1e-9"),
        ("laplace=10*5", "0.1"),
        ("discrete_gaussian=100*5", "rho=1/100", "0.1,1e-9"),
        ("sigma=2,rate=1/50*3",),
    ],
)
def test_noise_and_mixtures_are_interleaved_at_no_cost(
    entries: tuple[str, ...],
) -> None:
    given = [word for each in entries for word in ("-m", each)]
    asked = ("compose", *given, "--delta", "1e-6", "--json")
    answer = interleaved(*asked, "--certificates", "c")
    assert answer.result["concurrent"] == {"theorem": "vadhan-zhang-2023-f-dp", "basic": None}
    assert answer.result["epsilon"] == exactdp(*asked).result["epsilon"]
    for line in accepted("c/ledger.upper.json", "c/ledger.lower.json"):
        assert "concurrent)" in line


def test_a_bound_for_a_group_is_labelled_as_such() -> None:
    answer = exactdp("compose", *LOSSY, "--delta", "1e-5", "--group", "3", "--certificates", "c")
    words = " ".join(answer.out.split())
    assert answer.code == 0
    assert "for groups of 3 ε ≤" in words
    assert "by what each mechanism is for the group, composed" in words
    for line in accepted("c/ledger.group-3.upper.json", "c/ledger.group-3.lower.json"):
        assert line.endswith("groups of 3)")


def test_where_nothing_is_derived_for_a_group_it_is_said() -> None:
    answer = exactdp("compose", *LOSSY, "--delta", "1e-7", "--group", "9")
    assert answer.code == 0
    assert "no bound is derived" in answer.out


def test_a_group_of_one_is_no_group() -> None:
    alone = exactdp("compose", *LOSSY, "--delta", "1e-6", "--json")
    one = exactdp("compose", *LOSSY, "--delta", "1e-6", "--group", "1", "--json")
    assert alone.result == one.result


def test_a_profile_and_a_claim_can_be_about_groups() -> None:
    answer = exactdp("profile", "-m", "0.1*12", "--epsilon", "2.4", "--group", "2", "--json")
    assert answer.result["group"] == "2"
    assert answer.result["profile"][0]["delta"] == {"lower": "0", "upper": "0"}
    shown = exactdp("profile", "-m", "0.1*12", "--epsilon", "2.4", "--group", "2")
    assert "groups of 2" in shown.out
    arguments = ("--epsilon", "2.4", "--delta", "0", "--group", "2", "-o", "c.json")
    proved = exactdp("certify", "-m", "0.1*12", *arguments)
    assert proved.code == 0
    assert "for groups of 2" in proved.out
    accepted("c.json")


def test_bounds_can_be_about_groups_of_interleaved_mechanisms() -> None:
    arguments = ("--delta", "1e-6", "--group", "3", "--certificates", "c")
    answer = interleaved("bounds", "-m", "0.1,1e-9*9", *arguments)
    assert answer.code == 0
    assert "every mechanism scaled for the group" in answer.out
    names = [str(path) for path in sorted(Path("c").iterdir())]
    assert len(names) > 3
    for line in accepted(*names):
        assert line.endswith("(upper, concurrent, groups of 3)")


def test_bounds_for_groups_need_every_delta_below_one() -> None:
    answer = exactdp("bounds", "-m", "5,1e-3", "--delta", "1/2", "--group", "3")
    assert answer.code == 2
    assert "compose --group knows another way" in answer.err
