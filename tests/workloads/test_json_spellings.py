"""Another spelling of a value of the domain is refused in JSON; what is unlike all is outside."""

from __future__ import annotations

import json
from itertools import product

import pytest

from exactdp.errors import InputError
from exactdp.workloads.collations import Spellings
from exactdp.workloads.reading import read_workload, write_workload
from tests.marking import each_case

DOMAINS = (
    ("[1, 2.5, 10]", ("1.0", "1e0", '"1.0"', "2.50", "10.00", "1e1"), ("3", '"x"', "0.1")),
    ('["1", "2"]', ("1.0", "1e0", '"01"', '" 1"'), ("3", '"x"')),
    ('["f", "m"]', ('"F"', '"f "', '" m"', '"m."', '"é"'), ('"x"', "0")),
    ('["Straße", "Weg"]', ('"strasse"', '"STRASSE"', '"wég"'), ('"Platz"',)),
    ('["2026-01-01"]', ('"2026-1-1"', '"20260101"'), ('"2026-01-02"',)),
)
SLIPS = [(domain, slip) for domain, slips, _ in DOMAINS for slip in slips if slip != '"é"']
OTHERS = [(domain, other) for domain, _, others in DOMAINS for other in others]


def workload(domain: str, predicate: str) -> bytes:
    query = f'{{"epsilon": 1, "where": {{"a": {predicate}}}}}'
    return f'{{"domain": {{"a": {{"values": {domain}}}}}, "queries": [{query}]}}'.encode()


@each_case(("domain", "slip"), SLIPS)
def test_another_spelling_of_a_value_is_refused_with_that_of_the_domain(
    domain: str, slip: str
) -> None:
    for form in ("[{}]", '{{"not": [{}]}}'):
        with pytest.raises(InputError, match=r"at \$\.queries\[0\]\.where\.a.*as the domain does"):
            read_workload(workload(domain, form.format(slip)))


@pytest.mark.parametrize(("domain", "other"), OTHERS)
def test_a_value_unlike_all_of_the_domain_is_a_contradiction_that_is_named(
    domain: str, other: str
) -> None:
    [query] = read_workload(workload(domain, f"[{other}]")).queries
    assert query.is_contradiction
    assert query.outside == (f"a = {json.loads(other)}",)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("[1, 1.0]", "1.0 beside 1: expected numbers that differ"),
        ("[10, 1e1]", "1e1 beside 10: expected numbers that differ"),
        ('["x", "x"]', "values that differ from one another"),
    ],
)
def test_a_domain_has_each_value_once(values: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_workload(workload(values, "[]"))


def test_values_without_quotes_are_numbers_and_are_written_as_texts() -> None:
    read = read_workload(workload("[0.5, 2]", "[0.5]"))
    assert (read.attributes[0].numeric, read.attributes[0].values) == (True, ("0.5", "2"))
    again = read_workload(write_workload(read).encode())
    assert (again, again.attributes[0].numeric) == (read, False)
    assert not read_workload(workload('[1, "x"]', "[1]")).attributes[0].numeric


ALIKE = (
    *(("x", "X"), ("x", "x "), ("x", "\tx"), ("é", "e"), ("é", "É"), ("ﬁ", "fi"), ("ｘ", "x")),
    *(("ß", "ss"), ("ß", "s"), ("ü", "ue"), ("ü", "u"), ("å", "aa"), ("ø", "o"), ("æ", "ae")),
    *(("v", "w"), ("i", "y"), ("i", "j"), ("ı", "I"), ("か", "ガ"), ("つ", "っ"), ("ё", "е")),
    *(
        ("a-b", "ab"),
        ("2026-01-01", "20260101"),
        ("2026-01-01", "2026-1-1"),
        ("a", "a\0"),
        ("", " "),
        ("+", "-"),
        ("A1", "A01"),
        ("þ", "th"),
        ("😀", "😁"),
    ),
)
APART = (("x", "y"), ("a1", "a2"), ("10", "100"), ("Москва", "Киев"), ("東京", "京都"), ("", "a"))


@each_case(("one", "other"), ALIKE)
def test_texts_that_some_collation_takes_for_equal_are_alike(one: str, other: str) -> None:
    for before, after in product(("", "q"), repeat=2):
        pair = [before + one + after, before + other + after]
        assert [Spellings(pair).alike(each) for each in pair] == pair[::-1]


@pytest.mark.parametrize(("one", "other"), APART)
def test_texts_that_every_collation_tells_apart_are_not_alike(one: str, other: str) -> None:
    assert [Spellings([one, other]).alike(each) for each in (one, other)] == [None, None]
