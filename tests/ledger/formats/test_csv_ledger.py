"""CSV ledgers: what is accepted, and what is refused with class, field, path and remedy."""

from __future__ import annotations

import re

import pytest

from exactdp.errors import DomainError, InputError
from exactdp.ledger import Ledger
from exactdp.ledger.formats.csv_ledger import loses, read, write
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism
from tests.marking import each_case

TWO = (Mechanism("0.1", "1e-9", 3), Mechanism("ln(3)", 0, 1))

ACCEPTED = [
    "epsilon,delta,count\n0.1,1e-9,3\nln(3),0,1\n",
    "count,epsilon,delta\n3,0.1,1e-9\n1,ln(3),0",
    "epsilon,delta,count\r\n0.1,1e-9,3\r\nln(3),0,1\r\n",
    "epsilon,delta,count\r0.1,1e-9,3\rln(3),0,1\r",
    "epsilon\tdelta\tcount\n0.1\t1e-9\t3\nln(3)\t0\t1\n",
    " Epsilon , DELTA,Count \n 0.1 , 1e-9 , 3 \n ln(3),0,1\n",
    '"epsilon","delta","count"\n"0.1","1e-9","3"\n"ln(3)","0","1"\n',
    "\ufeffepsilon,delta,count\n0.1,1e-9,3\nln(3),0,1\n",
    "\n\nepsilon,delta,count\n\n0.1,1e-9,3\n  \n,,\nln(3),0,1\n\n",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_ways_of_writing_the_same_table_are_read_alike(text: str) -> None:
    assert read(text.encode()).mechanisms == TWO


def test_delta_count_and_label_are_optional() -> None:
    assert read(b"epsilon\n0.1\n").mechanisms == (Mechanism("0.1"),)


def test_labels_keep_their_blanks_commas_quotes_and_line_breaks() -> None:
    [mechanism] = read(b'epsilon,label\n1," a, ""b""\r\nc "\n')
    assert mechanism.label == ' a, "b"\r\nc '


def test_a_header_alone_is_the_empty_ledger() -> None:
    assert read(b"epsilon\n") == Ledger.of([])


def test_a_table_may_hold_mechanisms_of_several_notions() -> None:
    table = b"epsilon,delta,rho,mu,sigma,sensitivity\n1,1e-9,,,,\n2,0,,,,\n"
    table += b",,1/8,,,\n,,,1/2,,\n,,,,4,2\n"
    assert read(table).mechanisms == (
        Mechanism("1", "1e-9"),
        Mechanism("2"),
        ConcentratedMechanism("1/8"),
        GaussianMechanism("1/2"),
        GaussianMechanism("1/2"),
    )


REFUSED = [
    ("", InputError, "ledger", "line 1"),
    ("0.1,0.2\n", InputError, "ledger", "line 1"),
    ("delta\n0\n", InputError, "epsilon", "line 1"),
    ("epsilon;delta\n0,1;0.5\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon,sampling_rate\n1,1\n", InputError, "row", "line 2"),
    ("epsilon,deltas\n1,1\n", InputError, "deltas", "line 2, column deltas"),
    ("epsilon,n\n1,x\n", InputError, "count", "line 2, column n"),
    ("epsilon,date,date\n1,1,1\n", InputError, "date", "line 1, column date"),
    ("\nepsilon|delta\n", InputError, "ledger", "line 2"),
    ("epsilon,eps\n", InputError, "epsilon", "line 1, column eps"),
    ("epsilon,\n1,x\n", InputError, "cell", "line 2"),
    ("epsilon,\x1b[31m\n1,2\n", InputError, r"\x1b[31m", r"line 2, column \x1b[31m"),
    ("epsilon, EPSILON\n", InputError, "epsilon", "line 1, column EPSILON"),
    ("epsilon,rho\n1,1\n", InputError, "row", "line 2"),
    ("epsilon,rho\n,\n,-1\n", DomainError, "rho", "line 3, column rho"),
    ("mu,label\n,a\n", InputError, "row", "line 2"),
    ("sigma,sensitivity\n0,1\n", DomainError, "sigma", "line 2, column sigma"),
    ("sigma,sensitivity\n1,\n", InputError, "sensitivity", "line 2, column sensitivity"),
    ("delta,mu\n0,1\n", InputError, "row", "line 2"),
    ("epsilon,delta\n1\n", InputError, "row", "line 2"),
    ("epsilon,delta\n\n1,0,0\n", InputError, "row", "line 3"),
    ("epsilon\nx\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon\n1\n\n\n=1+1\n", InputError, "epsilon", "line 5, column epsilon"),
    ("epsilon\n#NUM!\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon\n1 000\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon\n1%\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon\ninf\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon\n-1\n", DomainError, "epsilon", "line 2, column epsilon"),
    ('epsilon,label\n1,"a\n\nb"\n-1,c\n', DomainError, "epsilon", "line 5, column epsilon"),
    ("epsilon,delta\n1,1\n", DomainError, "delta", "line 2, column delta"),
    ("epsilon,delta\n1,ln(2)\n", DomainError, "delta", "line 2, column delta"),
    ("epsilon,delta\n1,\n", InputError, "delta", "line 2, column delta"),
    ("delta,epsilon\n0,\n", InputError, "epsilon", "line 2, column epsilon"),
    ("epsilon,count\n1, \n", InputError, "count", "line 2, column count"),
    ("epsilon,count\n1,1e3\n", InputError, "count", "line 2, column count"),
    ("epsilon,count\n1,3.0\n", InputError, "count", "line 2, column count"),
    ("epsilon,count\n1,007\n", InputError, "count", "line 2, column count"),
    ("epsilon,count\n1,0\n", InputError, "count", "line 2, column count"),
    ("epsilon,count\n1,1000000000000000001\n", InputError, "count", "line 2, column count"),
    ('epsilon,label\n1,"a"b\n', InputError, "ledger", "line 2"),
    ('epsilon,label\n1,a\n1,"b\n', InputError, "ledger", "line 3"),
    ("epsilon,label\n1," + "a" * 200_000, InputError, "ledger", "line 2"),
    ("epsilon\n1\n1\0\n", InputError, "ledger", "line 3, character 2"),
]


@each_case(("text", "kind", "field", "path"), REFUSED)
def test_a_bad_table_is_refused_at_its_place(
    text: str, kind: type[InputError], field: str, path: str
) -> None:
    with pytest.raises(InputError, match=re.escape(f"{field} at {path}: ")) as caught:
        read(text.encode())
    error = caught.value
    assert (type(error), error.field, error.path) == (kind, field, path)


@pytest.mark.parametrize("data", [b"epsilon\n\xff\n", "epsilon\n1\n".encode("utf-16")])
def test_another_encoding_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="text in UTF-8") as caught:
        read(data)
    assert caught.value.code == "bad-encoding"


def test_an_error_names_the_file() -> None:
    with pytest.raises(InputError, match=r"^epsilon at a.csv, line 2") as caught:
        read(b"epsilon\nx\n", "a.csv")
    assert caught.value.path == "a.csv, line 2, column epsilon"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("epsilon|delta\n", "comma-separated or tab-separated"),
        ("epsilon,dleta\n1,0\n", "did you mean delta?"),
        ("epsilon\n0,1\n", '0,1 is written "0.1"'),
        ("epsilon,delta\n1,\n", "write 0 for a pure mechanism"),
        ("epsilon,count\n1,\n", "write 1, or leave the column out"),
        ("epsilon,count\n1,1e3\n", "write 1000"),
        ("epsilon,count\n1,52.0\n", "write 52"),
        ("0.1\n", "put that line above the numbers"),
        ('epsilon,label\n1,"b\n', "close every quote"),
        ("epsilon,label\n1," + "a" * 200_000, "write the ledger as JSON"),
    ],
)
def test_common_slips_come_with_their_cure(text: str, remedy: str) -> None:
    with pytest.raises(InputError, match=re.escape(remedy)) as caught:
        read(text.encode())
    assert remedy in caught.value.remedy


def test_the_written_table_has_all_columns_and_quotes_only_where_it_must() -> None:
    ledger = Ledger.of([("0.1", "1e-9", 3, 'a, "b"'), ("ln(3/2)", 0, 1, "c d")])
    assert write(ledger) == ('label,epsilon,delta,count\n"a, ""b""",0.1,1e-9,3\nc d,ln(3/2),0,1\n')


def test_what_csv_drops_is_named_in_the_order_of_the_format() -> None:
    ledger = Ledger.of(["1"], name="n", target_delta="1e-6", interaction="concurrent")
    assert loses(ledger) == ("name", "interaction", "target_delta")
    assert loses(Ledger.of(["1"])) == ()


def test_semicolons_separate_cells() -> None:
    assert read(b"epsilon;delta;count\n0.1;1e-9;3\n") == Ledger.of([("0.1", "1e-9", 3)])


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nepsilon;delta;count\n0.1;1e-9;3\nln(3);0;1\n",
        "\ufeffsep=;\r\nepsilon;delta;count\r\n0.1;1e-9;3\r\nln(3);0;1\r\n",
        "sep=\t\nepsilon\tdelta\tcount\n0.1\t1e-9\t3\nln(3)\t0\t1\n",
        "epsilon;delta;count;;\n0.1;1e-9;3;;\nln(3);0;1; ;\n",
        "epsilon,,delta,count\n0.1,,1e-9,3\nln(3),,0,1\n",
        "# ours\n\nepsilon;delta;count\n0.1;1e-9;3\nln(3);0;1\n",
    ],
)
def test_what_spreadsheets_write_of_themselves_is_passed_over(text: str) -> None:
    assert read(text.encode()).mechanisms == TWO


def test_semicolons_commas_and_quotes_within_cells_separate_nothing() -> None:
    table = 'label;epsilon;note\n"a;b, ""c""";1;d, e\nf,g;2;"h;i"\n'
    ledger = read(table.encode())
    assert [each.label for each in ledger.mechanisms] == ['a;b, "c"', "f,g"]
    assert ledger.notes == "line 2: note d, e\nline 3: note h;i"


@each_case(
    "name", ["date", "Date", "datum", "timestamp", "release date", "team", "updated", "Über uns"]
)
@each_case("separator", [",", ";", "\t"])
def test_dates_and_other_remarks_are_kept_with_their_line(name: str, separator: str) -> None:
    cells = [["epsilon", name], ["1", "2026-01-05"], ["2", ""], ["3", "5.1.2026"]]
    ledger = read("\n".join(map(separator.join, cells)).encode())
    key = name.casefold()
    assert ledger.notes == f"line 2: {key} 2026-01-05\nline 4: {key} 5.1.2026"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("epsilon;delta\n0,1;0.5\n", "line 2, column epsilon: 0,1.*decimals take a point: 0.1"),
        ("epsilon;delta\n1,000;0\n", "line 2, column epsilon: 1,000.*with --decimal ,"),
        ("epsilon;delta;\n1;0;x\n", "cell at line 2: x: expected cells below the name"),
        ("epsilon;e\n1;2\n", "column e"),
        ("epsilon;eps date\n1;2\n", "column eps date"),
        ("epsilon;date;date\n1;a;b\n", "column date: date and date: a column that stands twice"),
        ("sep=|\nepsilon|delta\n1|0\n", "column sep=|separated by commas, tabs or semicolons"),
    ],
)
def test_a_table_with_a_doubtful_column_or_comma_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(text.encode())


def test_what_a_table_says_beside_parameters_is_kept_as_notes() -> None:
    table = b"date,epsilon,Team,count\n2024-01-31,0.1,A,3\n,0.2,,1\n2024-02-29,0.3,,1\n"
    ledger = read(table)
    assert ledger.mechanisms == Ledger.of([("0.1", 0, 3), "0.2", "0.3"]).mechanisms
    assert ledger.notes == "line 2: date 2024-01-31, team A\nline 4: date 2024-02-29"


def test_remarks_stand_beside_every_notion() -> None:
    ledger = read(b"rho,epsilon,quarter\n1/8,,Q1\n,1,Q2\n")
    assert [type(each).__name__ for each in ledger] == ["ConcentratedMechanism", "Mechanism"]
    assert ledger.notes == "line 2: quarter Q1\nline 3: quarter Q2"


def test_comments_stand_above_the_header_and_nowhere_else() -> None:
    ledger = read(b'# one, "two\n\n#three\nlabel,epsilon\n#4,1\n')
    assert [(each.label, str(each.epsilon)) for each in ledger.approximate()] == [("#4", "1")]
    with pytest.raises(InputError, match="line 4"):
        read(b"# one\n\nepsilon\nx\n")


def test_a_file_of_comments_alone_is_no_ledger() -> None:
    with pytest.raises(InputError, match="names the columns"):
        read(b"# one\n# two")
