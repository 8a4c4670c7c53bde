"""Decimal commas: read where nothing else can be meant, and said; never where thousands may be."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from exactdp.errors import InputError
from exactdp.ledger.reading import read_ledger
from exactdp.spending.records import read_record
from tests.cli.running import exactdp
from tests.marking import each_case

SHEET = """\
Datenschutzbudget 2026
Release;Datum;Epsilon;Delta;Anzahl
Wochenbericht;01.02.2026;0,1;1e-9;52
Umfrage;15.03.2026;0,25;0;4
Gesamt;;6,2;;56
"""
SAID = "read with a decimal comma, as 0,1 in line 3; no number has a point"


def test_a_sheet_with_a_title_and_a_total_is_read_as_its_author_reads_it() -> None:
    ledger = read_ledger(SHEET.encode())
    assert [(str(each.epsilon), each.count) for each in ledger.approximate()] == [
        ("1/10", 52),
        ("1/4", 4),
    ]
    said = " | ".join(ledger.reading)
    assert SAID in said
    assert "the title Datenschutzbudget 2026 in line 1" in said
    assert "left out as a total: line 5" in said


@each_case("total", ["6,1", "6,3", "62"])
def test_a_total_that_is_none_is_refused(total: str) -> None:
    with pytest.raises(InputError, match="line 5"):
        read_ledger(SHEET.replace("6,2;;", f"{total};1e-9;").encode())


def test_the_command_says_how_it_read_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "de.csv").write_text(SHEET)
    answer = exactdp("compose", "de.csv", "--delta", "1e-6", "--json")
    assert SAID in answer.err
    assert f"de.csv: {SAID}" in answer.document["reading"]
    assert answer.result["mechanisms"] == 56
    stated = exactdp("compose", "de.csv", "--delta", "1e-6", "--decimal", ",")
    assert "decimal comma" not in stated.err
    refused = exactdp("compose", "de.csv", "--delta", "1e-6", "--decimal", ".")
    assert (refused.code, "decimals take a point" in refused.err) == (2, True)


@each_case("cell", ["1,000", "12,345", "999,999"])
def test_what_may_be_thousands_is_refused_unless_the_user_says_what_it_is(cell: str) -> None:
    table = f"epsilon;delta\n{cell};0\n".encode()
    with pytest.raises(InputError, match="--decimal ,"):
        read_ledger(table)
    [read] = read_ledger(table, decimal=",").approximate()
    assert read.epsilon.rational == Fraction(cell.replace(",", "."))


@each_case("cell", ["1.000", "1.234,5", "0.5"])
def test_a_point_beside_decimal_commas_is_refused(cell: str) -> None:
    for table in (f"epsilon;delta\n0,5;0\n{cell};0\n", f"epsilon;delta\n{cell};0\n0,5;0\n"):
        with pytest.raises(InputError, match="epsilon"):
            read_ledger(table.encode())
        with pytest.raises(InputError, match="a decimal comma and no point"):
            read_ledger(table.encode(), decimal=",")


def test_no_count_is_read_as_a_smaller_one() -> None:
    """Thousands beside decimals: a count with a comma is never a number without its zeros."""
    for count in ("1,000", "1.000", "2,5"):
        with pytest.raises(InputError, match=r"line 2, column (?:count|epsilon)"):
            read_ledger(f"epsilon;count\n0,5;{count}\n".encode())


CELLS = ("0,1", "0,125", "1", "1e-9", "1,000", "2.5", "1,2,3", "ln(3)", "1,5*ln(3)", "3,")


def test_a_guess_agrees_with_what_the_user_may_say_and_is_made_only_without_doubt() -> None:
    """By brute force: a table of three cells is read with commas only if it can be no other."""
    guessed = 0
    for cells in product(CELLS, repeat=3):
        table = "\n".join(["epsilon;delta", *(f"{cell};0" for cell in cells), ""]).encode()
        try:
            read = read_ledger(table)
        except InputError:
            continue
        if not any("decimal comma" in said for said in read.reading):
            assert not any("," in cell for cell in cells)
            continue
        guessed += 1
        assert read.mechanisms == read_ledger(table, decimal=",").mechanisms
        assert any("," in cell and cell != "1,000" for cell in cells)
        assert not any("." in cell or cell in ("1,2,3", "3,") for cell in cells)
    assert guessed > 100


def test_words_and_remarks_keep_their_commas_and_points() -> None:
    ledger = read_ledger(b'label;epsilon;Note\n"a, b. c";0,5;"on 1.2.2026, again"\n')
    assert ledger.mechanisms[0].label == "a, b. c"
    assert "on 1.2.2026, again" in ledger.notes


def test_random_tables_are_the_same_with_either_sign() -> None:
    chance = random.Random(4)  # noqa: S311 (no secret)
    for _ in range(20):
        numbers = [f"0.{chance.randrange(1, 10**6):06}" for _ in range(5)]
        table = "\n".join(["epsilon;count", *(f"{number};3" for number in numbers), ""])
        read = read_ledger(table.replace(".", ",").encode())
        assert read.mechanisms == read_ledger(table.encode()).mechanisms


def test_spends_of_other_tools_are_read_so_too() -> None:
    record = read_record(b"time;rho;spend\n2026-01-05;0,01;\n2026-01-06;;0.1,1e-9\n", "csv")
    assert record.spends[0].parameters == {"rho": "0.01"}
    assert "decimal comma" in record.reading[0]


def test_another_sign_is_refused() -> None:
    with pytest.raises(InputError, match="decimal"):
        read_ledger(b"epsilon\n1\n", decimal=";")
