"""Labels in CSV: no formula, no command of a terminal, and read back as they were."""

from __future__ import annotations

import csv
import io
import unicodedata
from itertools import product
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactdp.ledger.formats.csv_ledger import read, write
from exactdp.ledger.formats.safe_cells import safe_cell, text_of_cell
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from tests.marking import each_case

CONTROLS: Final = [
    letter
    for letter in map(chr, range(1, 0x3000))
    if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp")
]
FORMULAS: Final = (
    *("=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "'=1", "''+1"),
    *("\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "a;=1", "a\t=1", 'a";=1'),
)
APOSTROPHES: Final = (
    "'",
    "''",
    "'a",
    "'\\",
    "'\\x1b",
    "'\\\\x1b",
    "\\x1b",
    "'=\\q",
    "'\\U99999999=",
)
labels = st.lists(
    st.sampled_from([*CONTROLS[::9], *"'=+-@\\xun0 1b;,\"", "\x1b", "\u202e", "\x9b"]), max_size=8
).map("".join)


def ledger(label: str) -> Ledger:
    return Ledger((Mechanism(1, label=label), ConcentratedMechanism("1/2", 2, label)))


def assert_safe_and_kept(label: str) -> None:
    text = write(ledger(label))
    assert read(text.encode()).mechanisms == ledger(label).mechanisms
    assert all(letter.isprintable() for letter in text.replace("\n", ""))
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            assert not row[0].lstrip().startswith(("=", "+", "-", "@")), row


@each_case("label", [*FORMULAS, *APOSTROPHES])
def test_no_label_is_a_formula_whatever_separates_cells(label: str) -> None:
    assert_safe_and_kept(label)


@pytest.mark.slow
def test_no_label_writes_a_control_character() -> None:
    for letter, before in product(CONTROLS, ("", "a", "'")):
        assert_safe_and_kept(f"{before}{letter}b")


@given(labels)
@example("'=")
def test_what_is_written_is_read_back(label: str) -> None:
    assert text_of_cell(safe_cell(label)) == label
    assert_safe_and_kept(label)


@pytest.mark.parametrize(
    "label",
    ["", "ages", "it's", "'quoted'", "C:\\x1b", "a=b", "müde", "'\\x1B", "'\\\\", "'a\\x41"],
)
def test_what_others_write_is_read_as_it_stands(label: str) -> None:
    assert text_of_cell(label) == label


def test_an_ordinary_label_is_written_as_it_is() -> None:
    assert write(ledger("2026, week 1")).splitlines()[1].startswith('"2026, week 1",')
