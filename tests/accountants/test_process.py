"""A program within limits: whatever it does is an answer or a reason."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from exactdp.accountants.process import Conversation, Limits, NoAnswerError
from tests.accountants.asking import QUICK, fake

LINE = '{"mechanisms": [{"epsilon": 2, "delta": 0, "count": 3}], "delta": 0}'


def test_a_program_is_kept_for_further_questions() -> None:
    with Conversation(fake("1").command, QUICK) as conversation:
        assert '"epsilon": 6.0' in conversation.ask(LINE)
        first = conversation._program
        assert '"epsilon": 6.0' in conversation.ask(LINE)
        assert conversation._program is first


@pytest.mark.slow
def test_a_program_that_ends_after_each_answer_is_started_again() -> None:
    with Conversation(fake("once").command, QUICK) as conversation:
        for _ in range(3):
            assert '"epsilon": 6.0' in conversation.ask(LINE)
            assert conversation._program is not None
            conversation._program.wait(10)


@pytest.mark.slow
def test_a_program_that_is_about_to_end_is_not_blamed_for_it() -> None:
    with Conversation(fake("once").command, QUICK) as conversation:
        for _ in range(5):
            assert '"epsilon": 6.0' in conversation.ask(LINE)


@pytest.mark.slow
def test_a_program_that_does_not_read_is_given_up_in_time() -> None:
    with (
        Conversation(("sleep", "60"), Limits(seconds=0.5)) as conversation,
        pytest.raises(NoAnswerError, match="no answer within"),
    ):
        conversation.ask("x" * 2**20)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("crash", r"it ended without an answer \(exit code 1\): the reason"),
        ("wordy", "exit code 1\\): TypeError: (why ){100}and where$"),
        ("hungry", r"exit code 1\): MemoryError"),
        ("endless", "more than 1048576 bytes without an end of line"),
    ],
)
def test_a_failure_is_a_reason(behaviour: str, reason: str) -> None:
    with (
        Conversation(fake(behaviour).command, QUICK) as conversation,
        pytest.raises(NoAnswerError, match=reason),
    ):
        conversation.ask(LINE)


@pytest.mark.slow
def test_a_program_that_hangs_is_given_up_in_time_and_ended() -> None:
    with Conversation(fake("hang").command, Limits(seconds=0.5)) as conversation:
        with pytest.raises(NoAnswerError, match=r"no answer within 0\.5 s"):
            conversation.ask(LINE)
        assert conversation._program is None


def test_a_command_that_does_not_exist_is_a_reason() -> None:
    with (
        Conversation(("no-such-program",), QUICK) as conversation,
        pytest.raises(NoAnswerError, match="no-such-program: No such file"),
    ):
        conversation.ask(LINE)


PARENT = """
import subprocess, sys
child = subprocess.Popen(["sleep", "60"])
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is running")
def test_nothing_that_a_program_has_started_is_left_running() -> None:
    with Conversation((sys.executable, "-c", PARENT), QUICK) as conversation:
        child = Path("/proc") / conversation.ask("") / "stat"
        assert child.exists()
    running = True
    for _ in range(100):
        running = child.exists() and " Z " not in child.read_text()
        if not running:
            break
        time.sleep(0.05)
    assert not running
