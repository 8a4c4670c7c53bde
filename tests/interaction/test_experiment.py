"""Section 6's experiment at a small scale, and the counts of the large one that are kept."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from bench.interactive import FAMILIES, PAPER, Family, run, tree
from exactdp.interaction.mechanism import InteractiveMechanism
from tests.marking import slow_after

ROOT = Path(__file__).parents[2]
RANDOM = Random(1)  # noqa: S311 (no secret)
KEPT = json.loads((ROOT / "bench" / "interactive.json").read_text(encoding="utf-8"))["results"]


@pytest.mark.slow
@pytest.mark.parametrize("family", slow_after(2, FAMILIES), ids=lambda family: family.name)
def test_every_mechanism_is_a_post_processing_and_none_is_just_below(family: Family) -> None:
    number = 20 if family.size == family.rounds == 2 else 1
    counts = run(replace(family, constructed=number, solved=number), 100)
    assert counts["made"] + counts.get("infinite", 0) == counts["mechanisms"] == number
    assert counts.get("solved") == counts.get("made")
    assert counts.get("impossible") == counts.get("refuted")


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("CI"), reason="only continuous integration has every extra")
def test_the_solver_of_linear_programs_is_there() -> None:
    assert find_spec("highspy") is not None


def test_the_paper_s_own_mechanisms_have_ten_probabilities() -> None:
    mechanism = InteractiveMechanism.of(tree(RANDOM, PAPER, PAPER.rounds))
    (answers,) = mechanism.root.queries.values()
    below = [answer.then.queries.values() for answer in answers.values()]
    assert [len(queries) for queries in below] == [2, 2]
    assert len(answers) == 2
    assert all(len(second) == 2 for queries in below for second in queries)


@pytest.mark.parametrize("counts", KEPT, ids=lambda counts: counts["family"])
def test_no_kept_answer_was_of_the_wrong_kind(counts: dict[str, int]) -> None:
    assert counts["made"] + counts.get("infinite", 0) == counts["mechanisms"]
    assert counts["solved"] <= counts["made"]
    assert counts["impossible"] <= counts["refuted"]


def test_the_page_shows_the_counts_that_are_kept() -> None:
    page = (ROOT / "docs" / "composition.md").read_text(encoding="utf-8")
    for counts in KEPT:
        keys = ("mechanisms", "infinite", "made", "refuted", "solved", "impossible")
        numbers = [f"{counts.get(key, 0):,}".replace(",", " ") for key in keys]
        assert f"| {' | '.join([counts['family'], *numbers])} |" in page
