"""``exactdp dpsgd``: sampled batches with certificates, and shuffled ones beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import exactdp, files_below

SMALL = ("dpsgd", "--batch", "50", "--examples", "100", "--noise", "2", "--epochs", "2")
LITTLE_NOISE = ("dpsgd", "--batch", "10", "--examples", "1000", "--noise", "1/2", "--epochs", "1")
AT = ("--delta", "1e-5")


@pytest.mark.slow
def test_a_loader_that_shuffles_does_not_keep_what_sampling_promises() -> None:
    answer = exactdp(*LITTLE_NOISE, *AT, "--all", "--tolerance", "1/20")
    assert answer.code == 0
    assert "DP-SGD: 1 epoch, batches of 10 out of 1 000, noise 0.5" in answer.out
    assert (
        "A loader that shuffles (drop_last=False) does not keep what sampling promises"
        in answer.out
    )
    sampled, shuffled = (
        exactdp(*LITTLE_NOISE, *AT, "--loader", loader, "--json").result[loader.replace("-", "_")]
        for loader in ("poisson", "shuffled-keep-last")
    )
    assert float(sampled["lower"]) <= float(sampled["upper"]) < float(shuffled["lower"])
    assert float(shuffled["upper"]) - float(shuffled["lower"]) < 1e-2


def test_with_much_noise_nothing_is_said_against_shuffling() -> None:
    answer = exactdp(*_changed("--noise", "50"), *AT, "--all", "--tolerance", "1e-3")
    assert "It is not shown here that shuffling keeps less" in answer.out


def test_a_plan_takes_as_many_steps_as_its_loader_has_batches() -> None:
    plan = ("dpsgd", "--batch", "5", "--examples", "9", "--noise", "2", "--epochs", "3", *AT)
    for loader, steps in {"poisson": "6", "shuffled-keep-last": "6", "shuffled": "3"}.items():
        answer = exactdp(*plan, "--loader", loader)
        assert f"DP-SGD: {steps} steps" in answer.out
        assert exactdp(*plan, "--loader", loader, "--json").result["steps"] == steps
    assert "DP-SGD: 3 epochs, batches of 5" in exactdp(*plan, "--all").out


def _changed(option: str, value: str) -> list[str]:
    changed = dict(zip(SMALL[1::2], SMALL[2::2], strict=True)) | {option: value}
    return ["dpsgd", *(each for pair in changed.items() for each in pair)]


@pytest.mark.slow
def test_both_ends_of_all_loaders_have_certificates_whichever_is_named(place: Path) -> None:
    exactdp(*SMALL, *AT, "--loader", "shuffled", "--all", "--certificates", "made")
    about = {"dpsgd": "sigma=2,rate=1/2*4", "dpsgd-shuffled": "sigma=2,batches=2,epochs=2"}
    about["dpsgd-shuffled-keep-last"] = about["dpsgd-shuffled"]
    names = (*about, "dpsgd-allocated", "dpsgd-fixed-size")
    files = [f"made/{name}.{bound}.json" for name in names for bound in ("lower", "upper")]
    assert [*files_below(place)] == ["made", *sorted(files)]
    for file in files:
        plan = about.get(Path(file).name.partition(".")[0])
        assert exactdp("verify", file, *(["-m", plan] if plan else [])).code == 0


def test_losses_beyond_every_mesh_leave_the_upper_end_of_known_batches(place: Path) -> None:
    plan = ("dpsgd", "--batch", "2", "--examples", "2", "--noise", "1/50", "--epochs", "2")
    answer = exactdp(*plan, *AT, "--loader", "shuffled", "--certificates", "made", "--json")
    assert (answer.code, answer.result["shuffled"]["lower"]) == (0, "0")
    assert "nothing is said from below" in exactdp(*plan, *AT, "--loader", "shuffled").out
    file = "made/dpsgd-known-batch.upper.json"
    assert file in [*files_below(place)]
    assert exactdp("verify", file, "-m", "mu=50*2").code == 0


@pytest.mark.parametrize(
    ("option", "value", "field"),
    [
        ("--noise", "0", "noise"),
        ("--noise", "x", "noise"),
        ("--batch", "101", "batch"),
        ("--epochs", "10000000000", "epochs"),
        ("--batch", "0", "--batch-size"),
    ],
)
def test_impossible_plans_are_refused_by_name(option: str, value: str, field: str) -> None:
    answer = exactdp(*_changed(option, value), *AT, "--json")
    assert (answer.code, answer.error["field"]) == (2, field)


def test_noise_that_is_gaussian_promises_no_epsilon_without_a_delta() -> None:
    loaders = ("poisson", "allocated", "shuffled", "shuffled_keep_last", "fixed_size")
    answer = exactdp(*SMALL, "--delta", "0", "--all", "--json")
    assert answer.code == 0
    assert {answer.result[loader]["upper"] for loader in loaders} == {"inf"}
    assert answer.result["poisson"]["lower"] == "inf"
    said = exactdp(*SMALL, "--delta", "0")
    assert said.lines[0].startswith("With δ = 0, no ε whatsoever")
    assert "no finite ε holds" in said.out
    assert "certified" not in said.out


@pytest.mark.parametrize(
    ("claim", "code", "outcome"),
    [("3", 0, "proved"), ("2", 1, "refuted"), ("2.53", 3, "undecided")],
)
def test_a_claim_is_judged_for_the_loader_that_is_asked_for(
    claim: str, code: int, outcome: str
) -> None:
    asked = (*SMALL, *AT, "--tolerance", "1/20", "--epsilon", claim)
    answer = exactdp(*asked)
    words = {"proved": "holds", "refuted": "does not hold", "undecided": "neither proved nor"}
    assert answer.code == code
    assert answer.lines[0].startswith(f"The claim ε = {claim} at δ = 1e-5 ")
    assert words[outcome] in answer.lines[0]
    result = exactdp(*asked, "--json").result
    expected = {
        "epsilon": answer.lines[0].split()[4],
        "outcome": outcome,
        "evidence": "certificate",
    }
    assert result["claim"] == expected
    others = ("allocated", "shuffled", "shuffled_keep_last", "fixed_size")
    assert [result[key] for key in others] == [None] * 4


def test_no_claim_holds_where_no_epsilon_does() -> None:
    assert exactdp(*SMALL, "--delta", "0", "--epsilon", "9").code == 1


def test_a_refuted_claim_of_shuffled_batches_names_what_the_lower_end_is_about() -> None:
    asked = ("--loader", "shuffled-keep-last", "--tolerance", "1/9", "--epsilon", "1")
    answer = exactdp(*SMALL, *AT, *asked)
    assert answer.code == 1
    assert "(drop_last=False)" in answer.lines[0]
    assert "With drop_last=True only the upper end holds." in answer.out


def test_a_loader_that_drops_the_last_is_answered_by_what_it_leaves_out() -> None:
    """Of 101 examples one is left out; of 100 none, and its batch counts as known."""
    plans = (_changed("--examples", "101"), SMALL)
    asked = ("--delta", "1e-2", "--loader", "shuffled", "--tolerance", "1/9")
    found = [exactdp(*plan, *asked, "--json").result for plan in plans]
    assert [each["shuffled"]["batches"] for each in found] == ["2", "2"]
    less, more = (float(each["shuffled"]["upper"]) for each in found)
    kept = exactdp(*SMALL, *asked[:3], "shuffled-keep-last", *asked[4:], "--json").result
    assert less < more == float(kept["shuffled_keep_last"]["upper"])
    assert "(drop_last=True: not PyTorch's default)" in exactdp(*plans[0], *asked).out


def test_the_names_of_libraries_are_those_of_before() -> None:
    names = {
        "--batch": "--batch-size",
        "--examples": "--dataset-size",
        "--noise": "--noise-multiplier",
    }
    renamed = [names.get(each, each) for each in SMALL]
    rough = (*AT, "--tolerance", "1/9")
    assert exactdp(*renamed, *rough).out == exactdp(*SMALL, *rough).out


@pytest.mark.parametrize("delta", ["1", "2"])
def test_a_delta_that_leaves_nothing_to_ask_is_refused(delta: str) -> None:
    answer = exactdp(*SMALL, "--delta", delta, "--json")
    assert (answer.code, answer.error["field"]) == (2, "delta")


@pytest.mark.parametrize(
    ("loader", "said", "steps"),
    [
        ("poisson", "DP-SGD: 10 steps, batches of 32", 10),
        ("fixed-size", "DP-SGD: 10 steps, batches of 32", 10),
        ("allocated", "DP-SGD: 12 steps (3 epochs of 4 batches), batches of 32", 12),
        ("shuffled", "DP-SGD: 9 steps (3 epochs of 3 batches), batches of 32", 9),
        ("shuffled-keep-last", "DP-SGD: 12 steps (3 epochs of 4 batches), batches of 32", 12),
    ],
)
def test_the_steps_are_those_that_the_loader_takes_and_its_answer_is_about(
    loader: str, said: str, steps: int
) -> None:
    plan = ("dpsgd", "--batch", "32", "--examples", "100", "--noise", "20", "--epochs", "3")
    wide = (*AT, "--loader", loader, "--tolerance", "1")
    assert said in exactdp(*plan, *wide).out
    found = exactdp(*plan, *wide, "--json").result
    assert found["steps"] == str(steps)
    cut = found[loader.replace("-", "_")]
    if "batches" in cut:
        assert int(cut["batches"]) * int(cut["epochs"]) == steps


def test_a_sampling_rate_is_enough_for_poisson_samples() -> None:
    plan = ("--noise-multiplier", "2", *AT, "--json")
    by_rate = exactdp("dpsgd", "--rate", "0.5", "--epochs", "2", *plan).result
    by_size = exactdp(*SMALL, *AT, "--json").result
    assert by_rate == by_size
    text = exactdp("dpsgd", "--rate", "1/3", "--steps", "4", "--noise-multiplier", "2", *AT).out
    assert "DP-SGD: 4 steps, batches at rate 1/3, noise 2" in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--loader", "allocated"), "only of Poisson samples the rate is enough"),
        (("--all",), "only of Poisson samples the rate is enough"),
        (("--batch-size", "5"), "expected a rate, or a batch and examples"),
        (("--dataset-size", "5"), "expected a rate, or a batch and examples"),
        (("--max-batch", "5"), "beside a rate: expected the examples"),
        (("--rate", "3/2"), "above 0, at most 1"),
        (("--rate", "0"), "rate"),
    ],
)
def test_a_rate_is_refused_where_more_must_be_known(more: tuple[str, ...], said: str) -> None:
    plan = ("dpsgd", "--noise-multiplier", "2", "--steps", "4", *AT)
    rate = () if "--rate" in more else ("--rate", "1/2")
    answer = exactdp(*plan, *rate, *more)
    assert (answer.code, said in answer.err) == (2, True)


def test_neither_a_rate_nor_a_batch_is_no_plan() -> None:
    answer = exactdp("dpsgd", "--noise-multiplier", "2", "--steps", "4", *AT)
    assert "expected a batch and examples, or a rate alone" in answer.err


def test_people_with_several_examples_are_protected_as_a_whole(place: Path) -> None:
    person = (*SMALL, *AT, "--records-per-person", "3", "--tolerance", "1e-2")
    answer = exactdp(*person, "--certificates", "made")
    assert answer.code == 0
    assert "people of at most 3 examples" in answer.out
    assert "all examples of a person, at most 3, are added or removed" in answer.out
    known = exactdp(*person, "--json").result
    alone = exactdp(*SMALL, *AT, "--tolerance", "1e-2", "--json").result
    assert known["records_per_person"] == "3"
    assert float(known["poisson"]["lower"]) > float(alone["poisson"]["upper"])
    assert exactdp("verify", "made/dpsgd.upper.json").code == 0
    assert len(files_below(place)) == 3


def test_people_with_several_examples_are_refused_beside_other_loaders() -> None:
    answer = exactdp(*SMALL, *AT, "--records-per-person", "3", "--loader", "allocated", "--json")
    assert (answer.code, answer.error["field"]) == (2, "records_per_person")
    assert "--group" in answer.error["remedy"]
