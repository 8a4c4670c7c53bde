"""A run: every input has one answer, in order, whatever becomes of workers."""

from __future__ import annotations

import itertools
import os
import random
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from exactdp.errors import InputError, InternalError
from exactdp.many.inputs import Input
from exactdp.many.messages import Content
from exactdp.many.processes import Processes
from exactdp.many.running import AnsweredInput, Run
from exactdp.many.store import Asked, Store
from tests.many.working import Ending, Shouting, answered_once, refusal

SEED: Final = 20261122
ASKED: Final = Asked("shout", "1", "shout")


def inputs(words: Iterable[str]) -> Iterator[Input]:
    return (Input(word, word, word.encode()) for word in words)


def run(
    words: Iterable[str],
    marks: Path,
    *,
    jobs: int = 2,
    store: Store | None = None,
    timeout: float | None = None,
    memory: int | None = None,
) -> list[AnsweredInput]:
    pool = Processes(Shouting(marks), jobs=jobs, timeout=timeout, memory=memory)
    try:
        return [*Run(inputs(words), pool, refusal, store).answers()]
    finally:
        pool.close()


def texts(answers: Iterable[AnsweredInput]) -> list[str]:
    return [each.answered.text for each in answers]


def shouted(words: Iterable[str]) -> list[str]:
    return [f'"result":"{word.upper()}"' for word in words]


@pytest.mark.parametrize("jobs", [1, 3])
def test_answers_come_in_the_order_of_the_inputs(tmp_path: Path, jobs: int) -> None:
    words = [f"word {number}" for number in range(500)]
    answers = run(words, tmp_path, jobs=jobs)
    assert [each.source.name for each in answers] == words
    assert texts(answers) == shouted(words)
    assert sorted(answered_once(tmp_path)) == sorted(words)


def test_answers_that_are_there_come_together_and_in_order(tmp_path: Path) -> None:
    words = [f"word {number}" for number in range(500)]
    pool = Processes(Shouting(tmp_path), jobs=2)
    try:
        groups = [*Run(inputs(words), pool, refusal).groups()]
    finally:
        pool.close()
    assert [each.source.name for group in groups for each in group] == words
    assert all(1 <= len(group) <= 64 for group in groups)


def test_no_inputs_have_no_answers(tmp_path: Path) -> None:
    assert run([], tmp_path) == []


def test_identical_contents_are_answered_once(tmp_path: Path) -> None:
    words = ["Same", "same", "other", "SAME"] * 40
    answers = run(words, tmp_path)
    assert texts(answers) == shouted(words)
    assert sorted(answered_once(tmp_path)) == ["other", "same"]
    origins = Counter(each.origin for each in answers)
    assert origins == {"computed": 2, "same": 158}


def test_what_cannot_be_read_is_an_answer_in_its_place(tmp_path: Path) -> None:
    words = ["a", "unreadable", "b"]
    assert texts(run(words, tmp_path)) == ['"result":"A"', '"error":{}', '"result":"B"']


def test_a_store_answers_what_it_knows(tmp_path: Path) -> None:
    words = [f"word {number}" for number in range(50)]
    for known in (0, 50):
        store = Store(tmp_path / "store", ASKED)
        answers = run(words, tmp_path, store=store)
        store.close()
        assert texts(answers) == shouted(words)
        assert Counter(each.origin for each in answers)["kept"] == known
        assert answers[7].answered.files == {"@/ledger.txt": b"word 7"}
    assert len(answered_once(tmp_path)) == 50


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_unit_whose_worker_ends_is_answered_by_another(tmp_path: Path) -> None:
    words = [f"die once {number}" if number % 10 == 3 else str(number) for number in range(100)]
    answers = run(words, tmp_path)
    assert texts(answers) == shouted(words)
    assert sorted(answered_once(tmp_path)) == sorted(words)


@pytest.mark.slow
def test_a_content_that_ends_every_worker_is_given_up_and_no_other(tmp_path: Path) -> None:
    words = [*map(str, range(30)), "die", *map(str, range(30, 60))]
    expected = shouted(words)
    expected[30] = '"error":"ended"'
    assert texts(run(words, tmp_path)) == expected


@pytest.mark.slow
def test_a_content_that_takes_too_long_is_given_up_and_no_other(tmp_path: Path) -> None:
    words = [*map(str, range(30)), "sleep", *map(str, range(30, 60))]
    expected = shouted(words)
    expected[30] = '"error":"timeout"'
    store = Store(tmp_path / "store", ASKED)
    assert texts(run(words, tmp_path, store=store, timeout=5.0)) == expected
    store.close()
    again = Store(tmp_path / "store", ASKED)
    answers = run(words, tmp_path, store=again, timeout=5.0)
    again.close()
    assert texts(answers) == expected
    assert Counter(each.origin for each in answers) == {"kept": 60, "computed": 1}


def test_a_worker_out_of_memory_says_so_and_goes_on(tmp_path: Path) -> None:
    words = ["a", "fill", "b"]
    answers = run(words, tmp_path, memory=2**30)
    assert texts(answers) == ['"result":"A"', '"error":"memory"', '"result":"B"']


@pytest.mark.slow
def test_workers_killed_at_random_change_nothing(tmp_path: Path) -> None:
    words = [f"word {number}" for number in range(2000)]
    chance = random.Random(SEED)  # noqa: S311 (which worker, not secrets)
    pool = Processes(Shouting(tmp_path), jobs=2)
    kills = 0
    answers = []
    try:
        for answer in Run(inputs(words), pool, refusal).answers():
            answers.append(answer)
            if chance.random() < 0.01:
                os.kill(chance.choice(pool.identifiers), signal.SIGKILL)
                kills += 1
    finally:
        pool.close()
    print(f"seed {SEED}: {kills} workers killed")
    assert kills > 10
    assert [each.source.name for each in answers] == words
    assert texts(answers) == shouted(words)


@pytest.mark.slow
def test_workers_that_cannot_start_are_an_error_and_not_a_loop() -> None:
    pool = Processes(Ending(), jobs=2)
    try:
        with pytest.raises(InternalError, match="end as they start"):
            list(Run(inputs(["a"]), pool, refusal).answers())
    finally:
        pool.close()


def test_closing_leaves_no_process(tmp_path: Path) -> None:
    pool = Processes(Shouting(tmp_path), jobs=3)
    identifiers = pool.identifiers
    pool.submit(0, [Content("key", b"sleep")])
    pool.close()
    assert [Path(f"/proc/{each}").exists() for each in identifiers] == [False] * 3


def test_a_store_that_takes_nothing_more_does_not_end_the_run(tmp_path: Path) -> None:
    words = [*map(str, range(50))]
    store = Store(tmp_path / "store", ASKED)
    store._base.execute("PRAGMA max_page_count = 13")
    pool = Processes(Shouting(tmp_path), jobs=2)
    running = Run(inputs(f"{word * 300}" for word in words), pool, refusal, store)
    try:
        answers = [*running.answers()]
    finally:
        pool.close()
    assert texts(answers) == shouted(word * 300 for word in words)
    assert [type(error) for error in running.troubles] == [InputError]
    assert "full" in str(running.troubles[0])


@pytest.mark.slow
def test_memory_holds_a_window_of_inputs_and_not_all(tmp_path: Path) -> None:
    taken = itertools.count()
    words = (f"word {next(taken)}" for _ in range(20_000))
    pool = Processes(Shouting(tmp_path), jobs=1)
    furthest = 0
    try:
        for given, _ in enumerate(Run(inputs(words), pool, refusal).answers()):
            furthest = max(furthest, int(repr(taken)[6:-1]) - given)
    finally:
        pool.close()
    assert 0 < furthest <= 4096 + 16
