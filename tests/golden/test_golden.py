"""The golden file: no step of the rebuilding changes an answer unless the change is listed."""

from __future__ import annotations

import json

import pytest

from tests.golden.answers import FILE, Kept, asked, deployments, differences, published
from tests.golden.drawing import COMMANDS, FAMILIES, RELATIONS, Question, questions

GOLDEN: dict[str, Kept] = json.loads(FILE.read_text(encoding="utf-8"))
_PART = 2
"""Of each family every other question is asked; ``python -m tools.golden`` asks all."""
_SAMPLE = 19
"""Every nineteenth question belongs to the fast tests, so that all parts are met."""


def test_every_family_meets_every_relation_and_every_command() -> None:
    assert len(questions()) == len(FAMILIES) * len(RELATIONS) * len(COMMANDS) >= 300


def test_the_golden_file_holds_the_questions_that_are_asked_and_no_others() -> None:
    names = {name for name, _, _ in deployments()} | {each.name for each in questions()}
    assert names == GOLDEN.keys()


@pytest.mark.slow
@pytest.mark.parametrize("question", questions()[::_SAMPLE], ids=lambda each: each.name)
def test_a_sample_of_the_golden_answers_stands(question: Question) -> None:
    assert asked(question) == GOLDEN[question.name]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_golden_answer_about_a_drawn_ledger_stands(family: str) -> None:
    drawn = [each for each in questions() if each.family == family][::_PART]
    answers = {each.name: asked(each) for each in drawn}
    assert len(answers) == len(RELATIONS) * len(COMMANDS) // _PART
    assert differences({name: GOLDEN[name] for name in answers}, answers) == []


@pytest.mark.slow
def test_every_golden_answer_about_a_deployment_stands() -> None:
    answers = {name: published(ledger, command) for name, ledger, command in deployments()}
    assert differences({name: GOLDEN[name] for name in answers}, answers) == []
