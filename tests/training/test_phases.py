"""Trainings in phases: what each says, and what they are in turn."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.errors import InputError
from exactdp.training.phases import Phase, drawn_by, phases_of
from exactdp.training.plans import LOADERS, Loader, TrainingPlan
from exactdp.training.truncated import longer_sample
from tests.cli.running import exactdp as run
from tests.marking import each_case


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written elsewhere."""
    monkeypatch.chdir(tmp_path)


COMMON: dict[str, Any] = {"batch": 50, "examples": 101, "noise": 2}
AT = ("--delta", "1e-5", "--dataset-size", "101", "--batch-size", "50", "--tolerance", "1/9")


def test_a_phase_says_what_it_has_of_its_own() -> None:
    found = phases_of(["noise-multiplier=3,epochs=1", {"batch_size": 20, "steps": 7}], COMMON)
    assert found == (TrainingPlan.of(50, 101, 1, 3), TrainingPlan.of(20, 101, None, 2, 7))
    by_rate = phases_of(["rate=1/3,steps=2", "steps=1"], COMMON)
    assert by_rate[0] == TrainingPlan.of(None, None, None, 2, 2, "1/3")
    assert by_rate[1] == TrainingPlan.of(50, 101, None, 2, 1)


def test_without_phases_there_is_one_plan() -> None:
    assert phases_of([], {**COMMON, "epochs": 3}) == (TrainingPlan.of(50, 101, 3, 2),)


@each_case(
    "phases",
    [
        ["noise=3"],
        ["epochs=1,steps=1"],
        ["epochs"],
        ["epochs=1,noise=1,noise_multiplier=2"],
        ["epochs=1,delta=1e-5"],
        ["epochs=1,examples=9"],
        ["epochs=1.5"],
        ["epochs=1,noise=0"],
        "epochs=1",
    ],
)
def test_what_is_no_phase_is_refused(phases: Any) -> None:  # noqa: ANN401 (a bad argument)
    with pytest.raises(InputError, match="expected"):
        phases_of(phases, COMMON)


def test_each_loader_runs_the_phases_in_turn() -> None:
    phases: list[Phase] = ["epochs=1", "noise=3,batch=20,epochs=2"]
    plans = phases_of(phases, COMMON)
    for loader in LOADERS:
        alone = [each.drawn_by(loader) for each in plans]
        both = drawn_by(plans, loader)
        assert both.mechanisms == (*alone[0].mechanisms, *alone[1].mechanisms)
        assert both.neighbouring == alone[0].neighbouring


def test_phases_of_equal_noise_and_batches_are_one_training() -> None:
    sizes: dict[str, Any] = {**COMMON, "delta": "1e-5", "tolerance": "1/100"}
    whole = exactdp.dpsgd(**sizes, steps=5).asked
    parts = exactdp.dpsgd(**sizes, phases=["steps=2", {"steps": 3}])
    assert (parts.asked.lower, parts.asked.upper) == (whole.lower, whole.upper)
    assert [each.steps for each in parts.phases] == [2, 3]


def test_longer_samples_of_all_phases_are_counted() -> None:
    phases: list[Phase] = ["noise=20,epochs=1", "batch=20,noise=20,epochs=1"]
    found = exactdp.dpsgd(
        **COMMON | {"noise": None},
        delta="1e-2",
        max_batch=90,
        tolerance="1/9",
        phases=phases,
    ).asked.truncation
    assert found is not None
    each = [longer_sample(plan, 90) for plan in phases_of(phases, {**COMMON, "noise": None})]
    assert found.tail == sum(each, mpq(0)) > each[0]


def test_the_command_says_each_phase_and_its_certificates_are_about_all_of_them() -> None:
    phases = ("--phase", "noise-multiplier=2,epochs=1", "--phase", "noise-multiplier=3,steps=4")
    answer = run("dpsgd", *AT, *phases, "--certificates", "made")
    assert answer.code == 0
    assert "DP-SGD: 3 steps, batches of 50 out of 101, noise 2; then 4 steps" in answer.out
    about = ("-m", "sigma=2,rate=50/101*3", "-m", "sigma=3,rate=50/101*4")
    for end in ("upper", "lower"):
        assert run("verify", f"made/dpsgd.{end}.json", *about).code == 0
    found = run("dpsgd", *AT, *phases, "--json").result
    assert (found["steps"], found["rate"], found["noise"]) == ("7", None, None)
    assert found["phases"] == [
        {"steps": "3", "rate": "50/101", "noise": "2"},
        {"steps": "4", "rate": "50/101", "noise": "3"},
    ]


def test_noise_is_said_for_all_or_in_each_phase() -> None:
    answer = run("dpsgd", *AT, "--phase", "epochs=1", "--json")
    assert (answer.code, answer.error["field"]) == (2, "noise")


def test_the_report_of_phases_names_each() -> None:
    phases = ("--phase", "noise=2,epochs=1", "--phase", "noise=3,epochs=2")
    answer = run("dpsgd", *AT, *phases, "--report", "page.html")
    assert answer.code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "phase 1" in page
    assert "batches of 50 out of 101, noise 3" in page


def test_without_noise_the_command_that_finds_it_is_named() -> None:
    with pytest.raises(InputError, match="exactdp budget finds the least one for an ε"):
        exactdp.dpsgd(batch=50, examples=101, epochs=1, delta="1e-5")


LENGTHS: tuple[dict[str, int], ...] = ({}, {"epochs": 1}, {"steps": 6}, {"epochs": 2, "steps": 6})
OWN_SIZES: tuple[dict[str, Any], ...] = ({}, {"batch": 25}, {"rate": "1/3"})


def length_of(all_: dict[str, int], own: dict[str, int]) -> dict[str, int] | None:
    """How long a phase is: by itself, or else as all are; None unless it is said once."""
    said = own or all_
    return said if len(said) == 1 else None


def expected_steps(loader: str, length: dict[str, int], batch: int) -> int | None:
    """Of 101 examples, a multiple of no batch; None where no whole epochs come out."""
    batches = {"shuffled": 101 // batch}.get(loader, -(-101 // batch))
    if loader in ("poisson", "fixed-size"):
        return length.get("steps") or -(-length["epochs"] * 101 // batch)
    if "epochs" in length:
        return length["epochs"] * batches
    return length["steps"] if length["steps"] % batches == 0 else None


@each_case("loader", LOADERS)
def test_phases_loaders_and_lengths_agree_or_are_refused_whoever_says_them(loader: Loader) -> None:
    """What is said for all and by each phase: nothing is replaced that no phase takes."""
    tried = made = 0
    for all_, one, other in product(LENGTHS, repeat=3):
        for size in OWN_SIZES:
            first: dict[str, Any] = {**one, **size}
            second: dict[str, Any] = {"noise": 3, **other}
            lengths = [length_of(all_, one), length_of(all_, other)]
            is_unused = bool(all_) and bool(one) and bool(other)
            tried += 1
            try:
                plans = phases_of([first, second], {**COMMON, **all_})
                ledger = drawn_by(plans, loader)
            except InputError:
                steps = [
                    each and expected_steps(loader, each, batch)
                    for each, batch in zip(lengths, (size.get("batch", 50), 50), strict=True)
                ]
                assert is_unused or None in steps or ("rate" in size and loader != "poisson")
                continue
            made += 1
            assert not is_unused
            assert None not in lengths
            found = [each.steps_by(loader) for each in plans]
            batch = size.get("batch", 50)
            if "rate" not in size:
                assert found[0] == expected_steps(loader, lengths[0] or {}, batch)
            assert found[1] == expected_steps(loader, lengths[1] or {}, 50)
            assert [each.noise for each in plans] == [2, 3]
            assert len(ledger.mechanisms) == 2
    assert 0 < made < tried


@each_case(("name", "value"), [("epochs", 60), ("steps", 60), ("noise", 9), ("batch", 9)])
def test_what_is_said_for_all_and_taken_by_no_phase_is_refused(name: str, value: int) -> None:
    own = {"epochs": "steps=3", "steps": "epochs=1", "noise": "noise=1", "batch": "rate=1/3"}[name]
    common = {**COMMON, "epochs": 1} if name in ("noise", "batch") else COMMON
    with pytest.raises(InputError, match="a phase that takes it") as raised:
        phases_of([own, {"noise": 3, **phase_given(own)}], {**common, name: value})
    assert raised.value.field == name


def phase_given(text: str) -> dict[str, str]:
    key, _, value = text.partition("=")
    return {key: value}


@each_case("loader", LOADERS)
def test_phases_whose_batch_is_all_examples_stand_beside_others(loader: Loader) -> None:
    for phases in (["batch=101", "batch=50"], ["batch=50", "batch=101"]):
        plans = phases_of(phases, {"noise": 2, "examples": 101, "epochs": 1})
        ledger = drawn_by(plans, loader)
        assert ledger.neighbouring == plans[phases.index("batch=50")].drawn_by(loader).neighbouring
