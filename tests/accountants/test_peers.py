"""Real accountants, where they are installed: in ``.bench``, or below EXACTDP_PEERS.

EXACTDP_PEERS holds directories, separated as in PATH; in each, PACKAGE/bin/python.
"""

from __future__ import annotations

import os
import subprocess
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from gmpy2 import mpq

import exactdp.accountants as crosscheck_package
from exactdp import verify
from exactdp.accountants.accountants import KNOWN, Accountant, chosen
from exactdp.accountants.checking import Checked, crosscheck
from exactdp.accountants.doubles import greatest_reading
from exactdp.accountants.noise_peers import NOISE_TASKS
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import ABOUT_EVENTS, AccountantQuestion
from exactdp.accountants.reproductions import reproduction
from exactdp.accountants.verdicts import Truth, judge
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, SampledMechanism
from tests.accountants.asking import question
from tests.composition.oracle import Group, SubsetSums, budget_of, expand, fraction

ROOT = Path(__file__).resolve().parents[2]
PLACES = [ROOT / ".bench", *map(Path, os.environ.get("EXACTDP_PEERS", "").split(os.pathsep))]
NAMES = [
    f"{package}/{setting}"
    for package, settings in KNOWN.items()
    for setting in settings
    if package != "opacus"  # which knows Gaussian noise alone
]
LIMITS = Limits(seconds=60)
ROUNDING = mpq(1, 10**12)
"""What sums of doubles may differ by in two processes."""

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def _installed(name: str) -> Accountant:
    package = name.partition("/")[0]
    for place in PLACES:
        python = place / package / "bin" / "python"
        if python.exists():
            return chosen([name], pythons={package: str(python)})[0]
    pytest.skip(f"{package} is not installed in .bench or below EXACTDP_PEERS")


def _checked(name: str, asked: AccountantQuestion) -> Checked:
    [row] = crosscheck(Truth(asked), [_installed(name)], LIMITS)
    return row


@pytest.mark.parametrize("name", NAMES)
def test_every_accountant_answers_a_plain_question(name: str) -> None:
    row = _checked(name, question([("0.5", 0, 10)], delta="1/1000000"))
    assert row.answer.versions
    if name == "smartnoise-sql/odometer":  # its slack is half of a δ_i, which is 0 here
        assert row.verdict.message == "ZeroDivisionError: float division by zero"
    else:
        assert row.answer.state == "answered"


@pytest.mark.parametrize("name", NAMES)
def test_the_script_prints_what_the_accountant_said(name: str) -> None:
    accountant = _installed(name)
    own = 0 if accountant.pure else "1e-6"
    asked = question([("0.3", own, 7)], delta="1/1000")
    script = reproduction(accountant, asked)
    with accountant.conversation(LIMITS) as conversation:
        answer = accountant.ask(asked, conversation)
    command = [accountant.command[0], "-I", "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    printed = done.stdout.splitlines()[-1].strip("()").partition(",")[0]
    text = printed.removeprefix("np.float64(").removeprefix("epsilon=").rstrip(")")
    assert greatest_reading(text) == answer.epsilon


@pytest.mark.parametrize(
    ("name", "mechanism", "delta", "epsilon"),
    [
        ("dp-accounting/pld-1e-4", ("0.005", 0, 100_000), "1/1000000000000", "11.5946"),
        ("dp-accounting/events", ("ln(3)", 0, 10), "1/1000000", "1.0987"),
        ("prv-accountant/0.1", ("5", 0, 10), "1/100000", "40.1034"),
        ("smartnoise-sql/odometer", ("3", "1e-5", 500), "6/1000", "1500"),
    ],
)
def test_known_answers_are_refuted(
    name: str, mechanism: tuple[object, ...], delta: str, epsilon: str
) -> None:
    row = _checked(name, question([mechanism], delta=delta))
    assert row.verdict.outcome == "unsound"
    assert row.verdict.epsilon is not None
    assert abs(row.verdict.epsilon.rational - mpq(epsilon)) < mpq(1, 1000)
    assert row.verdict.certificate is not None
    assert verify(row.verdict.certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize(
    ("name", "epsilon", "outcome"),
    [
        ("dp-accounting/pld-1e-4", "1.8282", "sound"),
        ("dp-accounting/rdp", "2.1013", "sound"),
        ("prv-accountant/0.1", "1.9286", "sound"),
        ("opacus/rdp", "2.1013", "sound"),
        ("opacus/prv", "1.8382", "sound"),
        ("opacus/gdp", "1.6177", "unsound"),
        ("autodp/rdp", "2.1077", "sound"),
    ],
)
def test_a_thousand_steps_of_dp_sgd_are_judged(name: str, epsilon: str, outcome: str) -> None:
    step = SampledMechanism(GaussianMechanism(1), "1/100", 1000)
    row = _checked(name, AccountantQuestion(Ledger.of([step]), delta=mpq("1/100000")))
    assert row.verdict.outcome == outcome
    assert row.verdict.epsilon is not None
    assert 0 <= row.verdict.epsilon.rational - mpq(epsilon) < mpq(1, 100)


@pytest.mark.parametrize("name", sorted({*NOISE_TASKS, ABOUT_EVENTS}))
def test_the_script_about_noise_prints_what_the_accountant_said(name: str) -> None:
    accountant, knows_samples = _installed(name), name not in ("autodp/afa", "opendp/zcdp")
    step = SampledMechanism(GaussianMechanism(1), "1/10", 7)
    entry = step if knows_samples else GaussianMechanism(1, 7)
    asked = question([entry], delta="1/1000")
    script = reproduction(accountant, asked)
    if name.startswith("opacus/"):  # without torch, as it is asked here
        script = (
            f"import runpy; runpy.run_path({str(ADAPTERS)!r})['opacus_accountants']()\n{script}"
        )
    with accountant.conversation(LIMITS) as conversation:
        answer = accountant.ask(asked, conversation)
    command = [accountant.command[0], "-I", "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    text = done.stdout.splitlines()[-1].removeprefix("np.float64(").rstrip(")")
    assert isinstance(answer.epsilon, mpq)
    assert abs(greatest_reading(text) - answer.epsilon) <= ROUNDING


ADAPTERS = Path(crosscheck_package.__file__).with_name("noise_peers.py")


def test_a_negative_epsilon_is_unusable_and_refuted() -> None:
    row = _checked("autodp/afa", question([("0.5", 0, 10)], delta="1/1000000"))
    assert (row.verdict.outcome, row.verdict.message) == ("unusable", "a negative number")
    assert row.verdict.certificate is not None


def _random_groups(random: Random) -> list[Group]:
    return [
        (f"{random.randint(1, 3000)}/1000", random.choice(["0", "1e-9"]), random.randint(1, 3))
        for _ in range(random.randint(1, 3))
    ]


@pytest.mark.parametrize("name", ["dp-accounting/pld-1e-4", "autodp/rdp", "diffprivlib/total"])
def test_every_accusation_on_five_hundred_random_ledgers_is_confirmed(name: str) -> None:
    random, accountant = Random(5), _installed(name)  # noqa: S311 (repeatable on purpose)
    with accountant.conversation(LIMITS) as conversation:
        for _ in range(500):
            groups = _random_groups(random)
            delta = Fraction(1, 10 ** random.randint(1, 10))
            asked = AccountantQuestion(Ledger.of(groups), mpq(delta))
            verdict = judge(accountant.ask(asked, conversation), Truth(asked))
            if not verdict.accuses or verdict.epsilon is None or verdict.delta is None:
                continue
            oracle = SubsetSums(tuple(expand(groups)), 2000)
            claimed = fraction(verdict.delta)
            epsilon = ExactNumber(verdict.epsilon.rational)
            assert oracle.excess(epsilon, budget_of(groups, claimed)) > 0, (groups, delta)
