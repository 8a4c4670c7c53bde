"""What outcomes reject: the level is kept by exhaustion, and published values are met."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import mpmath  # type: ignore[import-untyped]
import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.attacks.attack import attack
from exactdp.attacks.experiment import ManyRuns, OneRun, experiment_of_json
from exactdp.attacks.tails import chance_of_right_guesses, greatest_rate, least_rate, tail_from
from exactdp.errors import DomainError, InputError
from tests.cli.running import exactdp
from tests.marking import each_case

MANY = b'{"members": {"runs": 1000, "found": 300}, "others": {"runs": 1000, "found": 5}}'

rates = st.fractions("1/50", "49/50", max_denominator=50)
sizes = st.integers(1, 60)


def binomial(runs: int, hits: int, p: Fraction) -> Fraction:
    return comb(runs, hits) * p**hits * (1 - p) ** (runs - hits)


def tail(runs: int, least: int, p: Fraction) -> Fraction:
    return sum((binomial(runs, hits, p) for hits in range(max(least, 0), runs + 1)), Fraction(0))


@settings(max_examples=60, deadline=None)
@given(sizes, st.data(), rates)
def test_a_tail_holds_the_sum_of_its_terms(runs: int, data: st.DataObject, p: Fraction) -> None:
    """Feller, An Introduction to Probability Theory I, 1968, Sect VI.2."""
    least = data.draw(st.integers(0, runs + 1))
    truth = mpq(tail(runs, least, p))
    with precision(256):
        found = tail_from(runs, least, ball_of_rational(mpq(p)))
        ends = lower_end(found), upper_end(found)
    assert ends[0] <= truth <= ends[1]
    assert ends[1] - ends[0] < mpq(1, 10**25)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(sizes, st.data(), st.sampled_from([Fraction(1, 40), Fraction(1, 3)]))
def test_limits_are_the_last_decimals_that_the_error_allows(
    runs: int, data: st.DataObject, error: Fraction
) -> None:
    """Clopper & Pearson, Biometrika 26, 1934, Sect 2."""
    hits = data.draw(st.integers(1, runs))
    found = least_rate(runs, hits, mpq(error))
    p = Fraction(int(found.numerator), int(found.denominator))
    step = Fraction(1, 10**12)
    assert tail(runs, hits, p) <= error <= tail(runs, hits, p + step)
    assert greatest_rate(runs, runs - hits, mpq(error)) == 1 - found


def test_who_is_never_found_has_no_rate() -> None:
    assert least_rate(9, 0, mpq(1, 40)) == 0
    assert greatest_rate(9, 9, mpq(1, 40)) == 1


def rejected_outcomes(runs: int, level: str, epsilon: str, delta: str) -> Iterator[tuple[int, int]]:
    for found in range(runs + 1):
        for false in range(runs + 1):
            outcome = ManyRuns((runs, found), (runs, false))
            if attack(outcome, epsilon=epsilon, delta=delta, level=level).rejected:
                yield found, false


@pytest.mark.slow
@each_case(("epsilon", "delta"), [("ln(2)", "0"), ("ln(3/2)", "1/10"), ("0", "1/5")])
def test_what_is_true_is_rejected_no_more_often_than_the_level_says(
    epsilon: str, delta: str
) -> None:
    runs, level = 6, Fraction(1, 4)
    ratio = Fraction(epsilon[3:-1]) if "ln" in epsilon else Fraction(1)
    outcomes = [*rejected_outcomes(runs, str(level), epsilon, delta)]
    assert outcomes
    for q in (Fraction(i, 12) for i in range(13)):
        p = min(ratio * q + Fraction(delta), 1 - (1 - Fraction(delta) - q) / ratio, Fraction(1))
        chance = sum(binomial(runs, a, p) * binomial(runs, b, q) for a, b in outcomes)
        assert chance <= level


def test_a_test_chosen_from_many_rejects_less() -> None:
    once, often = (ManyRuns((100, 30), (100, 5), choices) for choices in (1, 50))
    found = [attack(each, epsilon="1/2").rejected for each in (once, often)]
    assert found == [True, False]
    assert attack(OneRun(100, 20, 19, 50), delta=0).rejected_up_to is not None
    less, more = (attack(OneRun(100, 20, 19, each)).rejected_up_to for each in (50, 1))
    assert less is not None
    assert more is not None
    assert less < more


PUBLISHED = [
    (ManyRuns((1000, 300), (1000, 5)), "1e-5", "3.1511969722"),
    (ManyRuns((500, 500), (500, 0)), "1e-5", "4.9055841359"),
    (ManyRuns((1000, 1000), (1000, 0)), "0", "5.6005875312"),
    (ManyRuns((250000, 2500), (250000, 25)), "0", "4.1763246174"),
    (OneRun(1000, 1000, 700), "0", "0.7320108623"),
]


@pytest.mark.slow
@each_case(("outcome", "delta", "epsilon"), PUBLISHED)
def test_values_of_other_programs_are_met(
    outcome: ManyRuns | OneRun, delta: str, epsilon: str
) -> None:
    found = attack(outcome, delta=delta)
    assert found.rejected_up_to is not None
    assert found.not_rejected_from is not None
    assert found.rejected_up_to <= mpq(epsilon) + mpq(1, 10**10)
    assert found.not_rejected_from >= mpq(epsilon)
    assert found.not_rejected_from - found.rejected_up_to < mpq(1, 10**7)
    assert attack(outcome, epsilon=found.rejected_up_to, delta=delta).rejected
    assert not attack(outcome, epsilon=found.not_rejected_from, delta=delta).rejected


@each_case(
    ("outcome", "delta", "published", "epsilon"),
    [
        (OneRun(1000, 100, 100), "1e-5", "3.4653763478", "3.4922873094"),
        (OneRun(10**5, 1500, 1429), "1e-5", "2.6687544936", "2.7956333855"),
        (OneRun(5000, 200, 195), "1e-5", "2.8708652622", "2.9048281905"),
        (OneRun(100, 100, 75), "1e-4", "0.699", "0.7014814971"),
        (OneRun(1000, 100, 75), "1e-4", "0.673", "0.6947724184"),
        (OneRun(10**5, 1510, 1439), "1e-5", "2.675", "2.8026690575"),
    ],
)
def test_with_delta_one_run_rejects_more_than_the_published_bound(
    outcome: OneRun, delta: str, published: str, epsilon: str
) -> None:
    """Steinke, Nasr & Jagielski, arXiv:2305.08846v1, Appendix D and Sect 7, and their program."""
    found = attack(outcome, delta=delta).rejected_up_to
    assert found == mpq(epsilon)
    assert mpq(published) < found < (attack(outcome).rejected_up_to or 0)


def test_without_delta_the_value_that_the_paper_prints_is_met() -> None:
    """Steinke, Nasr & Jagielski, arXiv:2305.08846v1, Appendix D, at level 1/20."""
    found = attack(OneRun(100, 100, 75)).rejected_up_to
    assert found is not None
    assert abs(found - mpq("0.702")) < mpq(1, 1000)


def test_a_publisher_of_few_canaries_is_not_rejected_at_its_own_delta() -> None:
    """It publishes each with probability 1e-5, in or not; ten or more in half of all runs."""
    outcome = OneRun(10**6, 10, 10)
    assert attack(outcome, epsilon=0, delta="1e-5").rejected is False
    assert attack(outcome, delta="1e-5").rejected_up_to is None
    assert attack(outcome, epsilon=1, delta=0).rejected is True


def test_a_p_value_that_drops_rounded_guesses_alone_rejects_what_is_true_half_of_the_time() -> None:
    """opake-auditing 0.16.1 drops round(rδ) guesses: none of ten, and so reports ε = 1.0519."""
    guesses, delta = 10, Fraction(1, 10**5)
    kept = guesses - round(guesses * delta)
    with mpmath.workdps(30):
        share = mpmath.mpf(1) / 20
        q = mpmath.root(share, kept)
        reported = mpmath.log(q / (1 - q))
        shown = 1 - sum(mpmath.exp(-10) * 10**i / mpmath.factorial(i) for i in range(guesses))
    assert f"{float(reported):.4f}" == "1.0519"
    assert f"{float(shown):.2f}" == "0.54"
    found = attack(OneRun(10**6, guesses, guesses), epsilon=0, delta=delta)
    assert found.rejected is False
    assert found.p_value == 1


def test_limits_of_many_runs_are_those_of_the_design() -> None:
    p, q = attack(ManyRuns((1000, 300), (1000, 5)), delta="1e-5").rates or (mpq(0), mpq(0))
    assert (p, q) == (mpq("0.271721112129"), mpq("0.01162947056"))


@each_case("right", [1, 2, 3, 5])
def test_what_a_publisher_does_is_no_likelier_than_the_bound(right: int) -> None:
    """It is (0, δ)-DP to show each member with probability δ; the rest is guessed by coins."""
    canaries, delta = 30, Fraction(1, 20)
    truth = Fraction(0) + sum(
        binomial(canaries, shown, delta / 2)
        * tail(max(right - shown, 0), right - shown, Fraction(1, 2))
        for shown in range(canaries + 1)
    )
    with precision(256):
        _, most = chance_of_right_guesses(canaries, right, right, arb(1), mpq(delta))
    assert mpq(truth) <= most


@each_case(("canaries", "guesses", "right"), [(6, 6, 5), (8, 5, 5), (5, 3, 2)])
def test_without_delta_the_bound_is_the_tail_of_randomized_responses(
    canaries: int, guesses: int, right: int
) -> None:
    """Each guess about a randomized response with odds 3 is right with probability 3/4."""
    with precision(256):
        low, high = chance_of_right_guesses(canaries, guesses, right, arb(3), mpq(0))
    assert low <= mpq(tail(guesses, right, Fraction(3, 4))) <= high


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.data(), st.sampled_from(["1/1000", "1/100", "1/10"]))
def test_the_bound_holds_its_formula_and_is_at_most_the_published_one_below_one_half(
    guesses: int, data: st.DataObject, delta: str
) -> None:
    """Steinke, Nasr & Jagielski, arXiv:2305.08846v1, Thm 5.2; SPEC, 11.27."""
    right = data.draw(st.integers(1, guesses))
    canaries = data.draw(st.integers(guesses, 30))
    p = Fraction(2, 3)
    above, fails = tail(guesses, right, p), canaries * Fraction(delta)
    truth = above * (1 + fails / (right * binomial(guesses, right, p)))
    with precision(256):
        low, high = chance_of_right_guesses(canaries, guesses, right, arb(2), mpq(delta))
    assert low <= min(mpq(truth), mpq(1)) <= high
    means = (
        sum((binomial(guesses, hits, p) for hits in range(right - i, right)), Fraction(0)) / i
        for i in range(1, right + 1)
    )
    published = above + 2 * fails * max(means)
    assert published > Fraction(1, 2) or truth <= published


@each_case(
    ("guesses", "right", "odds"), [(600, 590, 1), (600, 599, 9), (900, 470, 1), (600, 200, 1)]
)
def test_the_bound_is_near_its_formula_far_from_the_likeliest_number_too(
    guesses: int, right: int, odds: int
) -> None:
    p, delta = Fraction(odds, 1 + odds), Fraction(1, 10**25)
    fails = guesses * delta / (right * binomial(guesses, right, p))
    truth = tail(guesses, right, p) * (1 + fails)
    with precision(256):
        low, high = chance_of_right_guesses(guesses, guesses, right, arb(odds), mpq(delta))
    assert low <= min(mpq(truth), mpq(1)) <= high
    assert high - low <= high / 10**25


def test_ten_million_guesses_and_a_claim_that_no_outcome_rejects_are_judged() -> None:
    found = attack(OneRun(10**7, 10**7, 5_010_000), delta="1e-9")
    assert found.rejected_up_to == mpq("0.0029594973")
    assert found.not_rejected_from == mpq("0.0029594974")
    assert attack(OneRun(1000, 100, 99), epsilon=5000, delta="1e-6").rejected is False


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.data())
def test_more_found_is_rejected_more_and_more_false_alarms_less(
    runs: int, data: st.DataObject
) -> None:
    """Clopper & Pearson, Biometrika 26, 1934, Sect 2: limits rise with the counts."""
    found, false = data.draw(st.integers(0, runs - 1)), data.draw(st.integers(0, runs - 1))
    ends = [
        attack(ManyRuns((runs, a), (runs, b)), delta="1/100").rejected_up_to or mpq(0)
        for a, b in ((found, false), (found + 1, false), (found, false + 1))
    ]
    assert ends[2] <= ends[0] <= ends[1]


@each_case(
    "outcome",
    [ManyRuns((100, 40), (100, 5)), ManyRuns((100, 9), (100, 9)), OneRun(90, 30, 28, 3)],
)
def test_a_p_value_is_a_level_at_which_the_claim_is_rejected(outcome: ManyRuns | OneRun) -> None:
    found = attack(outcome, epsilon="1/2", delta="1e-6").p_value
    assert found is not None
    for level, expected in ((found, found < 1), (found * mpq(4, 5), False)):
        if level < 1:
            again = attack(outcome, epsilon="1/2", delta="1e-6", level=level)
            assert again.rejected is expected


def test_a_ledger_is_rejected_by_its_own_profile() -> None:
    outcome = ManyRuns((1000, 300), (1000, 5))
    assert attack(outcome, ledger=["ln(3)"]).rejected
    assert attack(outcome, ledger=["9"]).rejected is False
    assert "rejected at level 0.05" in str(attack(outcome, ledger=["ln(3)"]))


def test_a_file_bytes_and_an_outcome_are_the_same(tmp_path: Path) -> None:
    text = b'{"members": {"runs": 9, "found": 8}, "others": {"runs": 9, "found": 0}}'
    (tmp_path / "runs.json").write_bytes(text)
    found = [attack(each) for each in (text, tmp_path / "runs.json", experiment_of_json(text))]
    assert found[0] == found[1] == found[2]


RUNS = '{"runs": 9, "found": 1}'


@each_case(
    ("text", "words"),
    [
        ("[]", "outcome: an array of 0 entries: expected an object"),
        ("{}", "members: nothing: expected an object with runs and found"),
        (f'{{"members": {RUNS}, "others": 3}}', "others: 3: expected an object"),
        (f'{{"members": {{"runs": 9, "found": 10}}, "others": {RUNS}}}', "a whole number from 0"),
        (f'{{"members": {{"runs": 0, "found": 0}}, "others": {RUNS}}}', "from 1 to 10000000"),
        (f'{{"members": {{"runs": true, "found": 0}}, "others": {RUNS}}}', "runs: true"),
        (f'{{"members": {{"runs": 9.5, "found": 0}}, "others": {RUNS}}}', "runs: 9.5"),
        (f'{{"members": {RUNS}, "others": {RUNS}, "tries": 2}}', "no key but"),
        (f'{{"members": {RUNS}, "members": {RUNS}}}', "members"),
        ('{"canaries": 5, "guesses": 6, "right": 5}', "guesses: 6: expected a whole number"),
        ('{"canaries": 5, "guesses": 4, "right": -1}', "right: -1"),
        ('{"canaries": 5, "guesses": 4}', "right: nothing"),
        ('{"canaries": 1e3, "guesses": 4, "right": 4}', "canaries: 1e3"),
        ("{", "JSON|end|line"),
    ],
)
def test_what_is_no_outcome_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        experiment_of_json(text.encode())


def test_other_bad_arguments_are_refused() -> None:
    outcome = OneRun(9, 5, 5)
    with pytest.raises(DomainError, match="level: 1: expected"):
        attack(outcome, level=1)
    with pytest.raises(InputError, match="one run: expected many runs"):
        attack(outcome, ledger=["1"])
    with pytest.raises(InputError, match="leave out epsilon"):
        attack(ManyRuns((9, 5), (9, 5)), ledger=["1"], epsilon=1)
    with pytest.raises(InputError, match="outcome: str: expected the path"):
        attack("outcome.json")  # type: ignore[arg-type]  # what a caller may pass
    assert attack(outcome, epsilon=10**6).p_value == 1


def test_a_ledger_is_judged_and_a_delta_beside_it_is_answered(tmp_path: Path) -> None:
    (tmp_path / "o.json").write_bytes(MANY)
    (tmp_path / "l.csv").write_text("mu\n1/2\n")
    asked = ("attack", str(tmp_path / "o.json"), "--against", str(tmp_path / "l.csv"), "--json")
    alone, both = exactdp(*asked).result, exactdp(*asked, "--delta", "1e-5").result
    of_claims = exactdp(*asked[:2], "--delta", "1e-5", "--json").result
    assert alone["verdict"] == both["verdict"] == "rejected"
    assert both["rejected_up_to"] == of_claims["rejected_up_to"] is not None


@each_case(
    ("against", "more", "remedy"),
    [
        ("3", (), "write 3,0"),
        ("three", (), "name a file"),
        ("0.5", (), "write 0.5,0"),
        ("3,1e-5", ("--delta", "1/2"), "ask --against 3,1/2"),
    ],
)
def test_what_is_asked_against_is_a_file_or_a_pair_with_its_own_delta(
    against: str, more: tuple[str, ...], remedy: str, tmp_path: Path
) -> None:
    (tmp_path / "o.json").write_bytes(MANY)
    answer = exactdp("attack", str(tmp_path / "o.json"), "--against", against, *more)
    assert answer.code == 2
    assert remedy in answer.err


@pytest.mark.parametrize("name", ["a,b.csv", "ledger"])
def test_a_file_that_is_there_is_a_ledger_whatever_its_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_bytes(MANY)
    (tmp_path / name).write_text("mu\n1/2\n")
    answer = exactdp("attack", str(tmp_path / "o.json"), "--against", str(tmp_path / name))
    assert answer.code == 1, answer.err
    assert "rejects that the ledger describes" in answer.out


def test_of_a_ledger_about_replacing_it_is_said_that_the_experiment_does_not_speak_of_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "o.json").write_bytes(MANY)
    replaced, added = (
        {"neighbouring": relation, "mechanisms": [{"mu": "1/2"}]}
        for relation in ("replace-one", "add-remove-one")
    )
    answers = []
    for name, ledger in (("r.json", replaced), ("a.json", added)):
        (tmp_path / name).write_text(json.dumps(ledger))
        answers.append(
            exactdp("attack", str(tmp_path / "o.json"), "--against", str(tmp_path / name))
        )
    assert "does not speak of it" in answers[0].out
    assert "beware" not in answers[1].out
