"""Hunt: a case is found, made small, and proved; where there is none, nothing is claimed."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from gmpy2 import mpq

from exactdp import verify
from exactdp.accountants import hunting
from exactdp.accountants.accountants import Accountant, chosen
from exactdp.accountants.hunted import Hunted
from exactdp.accountants.hunting import BOUNDARY_CASES, fresh_seeds, hunt, question_of
from exactdp.accountants.noise_hunting import BOUNDARY_CASES_OF_NOISE, Questions
from exactdp.accountants.noise_peers import NOISE_TASKS
from exactdp.accountants.peers import TASKS
from exactdp.accountants.protocol import ABOUT_EVENTS
from exactdp.accountants.reproductions import reproduction
from exactdp.errors import InputError
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Family,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.timing.reading import reading
from tests.accountants.asking import QUICK, fake, question
from tests.marking import each_case

GAP = mpq(1, 10**6)


def _hunted(
    accountant: Accountant, *, seconds: float = 60, questions: Questions = "parameters"
) -> Hunted:
    return hunt(
        accountant,
        seeds=[1, 2],
        seconds=seconds,
        limits=QUICK,
        least_gap=GAP,
        questions=questions,
    )


def test_dp_sgd_is_hunted_where_it_is_asked_for() -> None:
    hunted = _hunted(fake("0.01"), questions="noise")
    assert hunted.case is not None
    first = question_of(BOUNDARY_CASES_OF_NOISE[0])
    assert (hunted.case.question, hunted.questions) == (first, 1)
    assert hunted.case.checked.verdict.accuses


def test_of_opacus_nothing_else_is_drawn() -> None:
    program = fake("0.01")
    opacus = replace(program, name="opacus/gdp", package="opacus")
    hunted = _hunted(opacus)
    assert hunted.case is not None
    assert hunted.case.question == question_of(BOUNDARY_CASES_OF_NOISE[0])


@pytest.mark.slow
def test_dp_sgd_is_drawn_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "BOUNDARY_CASES_OF_NOISE", ())
    hunted = _hunted(fake("0.01"), questions="noise")
    assert hunted.case is not None
    [entry] = hunted.case.question.ledger.mechanisms
    assert entry.count == 1


def test_five_seeds_are_drawn_and_differ() -> None:
    assert len(set(fresh_seeds())) == 5


def test_corners_are_asked_first_and_in_order() -> None:
    questions = [question_of(corner) for corner in BOUNDARY_CASES]
    shown = [[(str(m.epsilon), m.count) for m in each.ledger.approximate()] for each in questions]
    assert ([("5", 10)], mpq(1, 10**5)) in [
        (groups, each.delta) for groups, each in zip(shown, questions, strict=True)
    ]
    assert len({str(groups) for groups in shown}) == len(BOUNDARY_CASES)
    hunted = _hunted(fake("0.99"))
    assert hunted.case is not None
    assert (hunted.case.question, hunted.case.seed) == (questions[0], None)
    assert (hunted.questions, hunted.complete) == (1, True)


@pytest.fixture
def without_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "BOUNDARY_CASES", ())


@pytest.mark.slow
@pytest.mark.usefixtures("without_corners")
def test_an_accountant_that_is_too_low_is_found_and_the_case_is_as_small_as_can_be() -> None:
    hunted = _hunted(fake("0.99"))
    assert hunted.case is not None
    assert hunted.complete
    [mechanism] = hunted.case.question.ledger.approximate()
    assert (mechanism.count, mechanism.delta) == (1, mpq(0))
    verdict = hunted.case.checked.verdict
    assert verdict.outcome == "unsound"
    assert verdict.gap is not None
    assert verdict.gap >= GAP
    assert verdict.certificate is not None
    assert verify(verdict.certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@pytest.mark.usefixtures("without_corners")
def test_the_same_seed_finds_the_same_case() -> None:
    first, second = _hunted(fake("0.99")), _hunted(fake("0.99"))
    assert first.case is not None
    assert second.case is not None
    assert first.case.question == second.case.question


@pytest.mark.slow
@pytest.mark.usefixtures("without_corners")
def test_seeds_in_processes_find_the_case_of_the_first_that_has_one() -> None:
    """In processes both times: Hypothesis draws constants of the modules that are loaded in one."""
    fewer, more = (
        hunt(fake("0.99"), seeds=seeds, seconds=600, limits=QUICK, least_gap=GAP, jobs=2)
        for seeds in ([1, 2], [1, 2, 3])
    )
    assert fewer.case is not None
    assert fewer.case == more.case
    assert (fewer.questions, fewer.complete) == (more.questions, more.complete)


@pytest.mark.slow
def test_seeds_in_processes_that_find_nothing_have_asked_each_question_once() -> None:
    accountant = fake("knowing")
    hunted = hunt(accountant, seeds=[1, 1], seconds=4, limits=QUICK, least_gap=GAP, jobs=2)
    assert hunted.case is None
    assert hunted.questions > len(BOUNDARY_CASES)


@pytest.mark.slow
@pytest.mark.usefixtures("without_corners")
def test_a_sound_accountant_is_not_accused_and_each_seed_has_its_share_of_the_time() -> None:
    clock = count()  # a question takes one second of it
    with reading(lambda: 10**9 * next(clock)):
        hunted = _hunted(fake("basic"), seconds=40)
    assert (hunted.case, hunted.complete, hunted.last) == (None, True, None)
    assert 20 < hunted.questions <= 40
    assert next(clock) <= 45


def test_one_who_knows_more_is_not_accused() -> None:
    clock = count()  # as above
    with reading(lambda: 10**9 * next(clock)):
        hunted = _hunted(fake("knowing"), seconds=20)
    assert hunted.case is None
    assert hunted.last is not None
    assert hunted.last.outcome == "not-comparable"


def test_an_accountant_that_is_not_installed_is_no_search() -> None:
    with pytest.raises(InputError, match="an accountant that is installed"):
        _hunted(fake("missing"))


@each_case("name", sorted(TASKS))
def test_a_script_has_at_most_five_lines_and_is_python(name: str) -> None:
    [accountant] = chosen([name])
    own = 0 if accountant.pure else "1e-6"
    script = reproduction(accountant, question([("0.3", own, 7)], delta="1/1000"))
    assert len(script.splitlines()) <= 5
    compile(script, name, "exec")
    assert "{" not in script


MOVED = SampledMechanism(GaussianMechanism("1/2"), "1/100", 7)


@each_case("name", sorted({*NOISE_TASKS, ABOUT_EVENTS}))
def test_a_script_about_noise_has_at_most_five_lines_and_is_python(name: str) -> None:
    [accountant] = chosen([name])
    entry = GaussianMechanism("1/2", 7) if name in WITHOUT_SAMPLES else MOVED
    script = reproduction(accountant, question([entry], delta="1/1000"))
    assert len(script.splitlines()) <= 5
    compile(script, name, "exec")
    assert "7" in script
    assert "2" in script


@pytest.mark.parametrize(
    ("entry", "call"),
    [
        (LaplaceMechanism(4), "pld.from_laplace_mechanism(4.0, 1.0, "),
        (DiscreteLaplaceMechanism(4, (3,)), "pld.from_discrete_laplace_mechanism(0.25, 3, "),
        (DiscreteGaussianMechanism(4, (1, 2)), "pld.from_discrete_gaussian_mechanism(2.0, 2, "),
    ],
)
def test_a_script_makes_the_call_of_each_family(entry: Family, call: str) -> None:
    [accountant] = chosen(["dp-accounting/pld-1e-4"])
    beside = Mechanism("1/2", "1/1024")
    script = reproduction(accountant, question([entry, beside], delta="1/1000"))
    assert call in script
    assert "common.DifferentialPrivacyParameters(0.5, 0.0009765625)" in script


WITHOUT_SAMPLES = ("autodp/afa", "opendp/zcdp")


def test_a_users_own_program_is_reproduced_by_its_command() -> None:
    script = reproduction(fake("0.99"), question(["1"], delta="1/1000"))
    assert len(script.splitlines()) <= 5
    compile(script, "script", "exec")
    assert "fake.py" in script
