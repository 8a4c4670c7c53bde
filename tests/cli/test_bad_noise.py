"""Mechanisms by their noise that are none, or too much: refused at once, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import exactdp


@pytest.mark.parametrize(
    ("mechanism", "code", "what"),
    [
        ("sigma=1,rate=0", 2, "expected a rational above 0 and at most 1"),
        ("sigma=1,rate=3/2", 2, "expected a rational above 0 and at most 1"),
        ("sigma=0", 2, "expected a rational number above 0"),
        ("sigma=0,rate=1/2", 2, "expected a rational number above 0"),
        ("discrete_gaussian=1e-30", 2, "expected a rational number from 1e-6 to 1e12"),
        ("discrete_gaussian=1e30", 2, "expected a rational number from 1e-6 to 1e12"),
        ("discrete_laplace=1,shifts=", 2, "nothing: expected a whole number"),
        ("discrete_laplace=1,shifts=0", 2, "expected whole numbers from 1 to 1000000"),
        ("discrete_laplace=1,shifts=-3", 2, "the noise is symmetric: write 3"),
        ("discrete_laplace=1,shifts=1000000000", 2, "from 1 to 1000000"),
        ("discrete_laplace=1000000,shifts=1000000", 3, "expected at most 200000"),
        ("sigma=1,rate=1/100*1000000000000000000", 3, "about 1e12 mechanisms would"),
        ("laplace=1*1000000000000000000", 3, "about 1e7 mechanisms would"),
        ("laplace=1e12*1000000000000000000", 3, "a larger limit, or about 1e"),
        ("discrete_laplace=4*1000000000000000000", 3, "a larger limit, or about 1e"),
        ("discrete_gaussian=4*1000000000000000000", 3, "a larger limit, or about 1e"),
        ("bounded_range=0.1*1000000000000000000", 3, "mechanisms would"),
        ("discrete_gaussian=1e12", 3, "a variance of 1e6 would fit"),
        ("discrete_gaussian=1e-6", 3, "noise that leaves some privacy"),
        ("sigma=1,rate=1/100*1000000000000000001", 2, "from 1 to 10^18"),
    ],
)
def test_bad_input_is_answered_with_what_would_be_right(
    mechanism: str, code: int, what: str
) -> None:
    answer = exactdp("compose", "-m", mechanism, "--delta", "1e-6")
    assert answer.code == code
    assert what in " ".join(answer.err.split())


def test_a_rate_of_1_is_the_mechanism_itself() -> None:
    sampled, plain = (
        exactdp("compose", "-m", text, "--delta", "1e-6").out for text in ("mu=1,rate=1", "mu=1")
    )
    assert sampled == plain


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"pair": {"p": ["1/2", "1/4"], "q": ["1/2", "1/2"]}}', "a sum of 3/4"),
        ('{"pair": {"p": ["1"], "q": ["1/2", "1/2"]}}', "p and q over the same answers"),
        ('{"discrete_gaussian": {"variance": 1, "shifts": []}}', "shifts"),
    ],
)
def test_a_table_that_is_none_is_refused_by_its_place(place: Path, text: str, what: str) -> None:
    file = place / "bad.json"
    file.write_text(f'{{"format": "exactdp-ledger/1", "mechanisms": [{text}]}}', encoding="utf-8")
    answer = exactdp("compose", "bad.json", "--delta", "1e-6")
    assert answer.code == 2
    assert what in answer.err
    assert "mechanisms[0]" in answer.err
