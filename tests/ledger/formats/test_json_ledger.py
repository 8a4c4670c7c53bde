"""JSON ledgers: what is refused, with class, field, path and remedy."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from gmpy2 import mpq

from exactdp.errors import DomainError, InputError
from exactdp.ledger import Claim, Ledger, schema
from exactdp.ledger.formats.json_ledger import read, write
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism
from tests.marking import each_case

ROW = "$.mechanisms[1]"


def test_every_key_is_read() -> None:
    ledger = read(
        b"""{"format": "exactdp-ledger/1", "name": "n", "neighbouring": "replace-one",
        "interaction": "concurrent", "unit_of_privacy": "user", "target_delta": 1e-6,
        "mechanisms": [{"label": "a", "epsilon": 0.1, "delta": "2^-40", "count": "1000000000000"}],
        "claims": [{"epsilon": 1, "delta": 0, "basis": "composition", "source": "s"},
                   {"rho": 0.50, "basis": "finer-structure", "source": "t"}],
        "source": {"title": "t", "year": "2020"}, "notes": "x"}"""
    )
    assert ledger == Ledger(
        (Mechanism("1/10", "2^-40", 10**12, "a"),),
        name="n",
        neighbouring="replace-one",
        interaction="concurrent",
        unit_of_privacy="user",
        target_delta=Mechanism(0, "1e-6").delta,
        claims=(
            Claim(Mechanism(1).epsilon, Mechanism(0).delta, "composition", "s"),
            Claim(None, None, "finer-structure", "t", rho="0.50"),
        ),
        source=(("title", "t"), ("year", "2020")),
        notes="x",
    )


def test_claims_of_what_an_attack_gains_are_read_as_they_are_written() -> None:
    claims = (
        Claim(None, None, "composition", "u", fpr=mpq(1, 100), tpr=mpq(1, 2), places=2),
        Claim(None, None, "composition", "v", prior=mpq(1, 3), success=mpq(3, 5)),
    )
    ledger = Ledger((Mechanism(1),), claims=claims)
    assert read(write(ledger).encode()) == ledger
    text = '{"mechanisms": [{"epsilon": 1}], "claims": [{"prior": 0.5, "success": 0.75, '
    text += '"places": 2, "basis": "composition", "source": "s"}]}'
    [claim] = read(text.encode()).claims
    assert (claim.prior, claim.success, claim.places) == (mpq(1, 2), mpq(3, 4), 2)


def test_a_json_number_is_read_as_decimal_text() -> None:
    [mechanism] = read(b'{"mechanisms": [{"epsilon": 0.1}]}')
    assert mechanism == Mechanism("1/10")


def test_mechanisms_may_be_given_in_any_notion() -> None:
    rows = (
        b'{"rho": 0.125, "count": 2}, {"mu": "1/2"}, {"sigma": 4, "sensitivity": 2}, {"epsilon": 1}'
    )
    assert read(b'{"mechanisms": [' + rows + b"]}").mechanisms == (
        ConcentratedMechanism("1/8", 2),
        GaussianMechanism("1/2"),
        GaussianMechanism("1/2"),
        Mechanism(1),
    )


REFUSED_ROWS = [
    (b"[]", InputError, "mechanisms", ROW),
    (b"null", InputError, "mechanisms", ROW),
    (b"0.1", InputError, "mechanisms", ROW),
    (b"{}", InputError, "epsilon", ROW),
    (b'{"delta": 0}', InputError, "epsilon", ROW),
    (b'{"epsilonn": 1}', InputError, "epsilonn", f"{ROW}.epsilonn"),
    (b'{"epsilon": 1, "x y": 1}', InputError, "x y", f"{ROW}['x y']"),
    (b'{"epsilon": 1, "\\u001b[31m": 1}', InputError, r"\x1b[31m", rf"{ROW}['\x1b[31m']"),
    (b'{"epsilon": 1, "epsilon": 1}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": true}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": null}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": [1]}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": ""}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "0x1"}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "ln(0)"}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "\\ud800"}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "__import__(\'os\')"}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": NaN}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": Infinity}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": -Infinity}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": 1e999999999}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "2^9999999999"}', InputError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": -0.1}', DomainError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": "1 - 2*ln(2)"}', DomainError, "epsilon", f"{ROW}.epsilon"),
    (b'{"epsilon": 1, "delta": 1}', DomainError, "delta", f"{ROW}.delta"),
    (b'{"epsilon": 1, "delta": -1e-9}', DomainError, "delta", f"{ROW}.delta"),
    (b'{"epsilon": 1, "delta": "ln(2)"}', DomainError, "delta", f"{ROW}.delta"),
    (b'{"epsilon": 1, "delta": false}', InputError, "delta", f"{ROW}.delta"),
    (b'{"epsilon": 1, "count": 0}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": -1}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": 1.5}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": 1.0}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": 1e3}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": "007"}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": "1e3"}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": "3\\n"}', InputError, "count", f"{ROW}.count"),
    ('{"epsilon": 1, "count": "٣"}'.encode(), InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": true}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": NaN}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": 1000000000000000001}', InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "count": 1' + b"0" * 5000 + b"}", InputError, "count", f"{ROW}.count"),
    (b'{"epsilon": 1, "label": 3}', InputError, "label", f"{ROW}.label"),
    (b'{"epsilon": 1, "label": null}', InputError, "label", f"{ROW}.label"),
    (b'{"epsilon": 1, "label": "\\u0000"}', InputError, "label", f"{ROW}.label"),
    (b'{"epsilon": 1, "label": "\\udc00"}', InputError, "label", f"{ROW}.label"),
    (b'{"rho": -0.5}', DomainError, "rho", f"{ROW}.rho"),
    (b'{"rho": "ln(2)"}', DomainError, "rho", f"{ROW}.rho"),
    (b'{"mu": -1}', DomainError, "mu", f"{ROW}.mu"),
    (b'{"mu": "1e999999999"}', InputError, "mu", f"{ROW}.mu"),
    (b'{"sigma": 0, "sensitivity": 1}', DomainError, "sigma", f"{ROW}.sigma"),
    (b'{"sigma": 1, "sensitivity": -1}', DomainError, "sensitivity", f"{ROW}.sensitivity"),
    (b'{"sensitivity": 2}', InputError, "sigma", ROW),
    (b'{"sensitivity": 2}', InputError, "sigma", ROW),
    (b'{"delta": 0, "mu": 1}', InputError, "epsilon", ROW),
    (b'{"epsilon": 1, "rho": 0.5}', InputError, "rho", ROW),
]


@each_case(("row", "kind", "field", "path"), REFUSED_ROWS)
def test_a_bad_mechanism_is_refused_at_its_place(
    row: bytes, kind: type[InputError], field: str, path: str
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(field)} at {re.escape(path)}: ") as caught:
        read(b'{"mechanisms": [{"epsilon": 1}, ' + row + b', {"epsilon": 1}]}')
    error = caught.value
    assert (type(error), error.field, error.path) == (kind, field, path)


def _claim(fields: bytes) -> bytes:
    return b'"claims": [{"basis": "composition", "source": "s", ' + fields + b"}]"


REFUSED_TOPS = [
    (b'"x": 1', InputError, "x", "$.x"),
    (b'"name": 3', InputError, "name", "$.name"),
    (b'"name": 3.5', InputError, "name", "$.name"),
    (b'"name": null', InputError, "name", "$.name"),
    (b'"notes": ["a"]', InputError, "notes", "$.notes"),
    (b'"format": "exactdp-ledger/2"', InputError, "format", "$.format"),
    (b'"neighbouring": "bounded"', InputError, "neighbouring", "$.neighbouring"),
    (b'"interaction": "parallel"', InputError, "interaction", "$.interaction"),
    (b'"target_delta": "x"', InputError, "target_delta", "$.target_delta"),
    (b'"target_delta": 2', DomainError, "target_delta", "$.target_delta"),
    (b'"source": {"year": 2020}', InputError, "year", "$.source.year"),
    (b'"source": {"a": "\\ud800"}', InputError, "source.a", "$.source.a"),
    (b'"source": 2020', InputError, "source", "$.source"),
    (b'"source": ' + b"[" * 400 + b"]" * 400, InputError, "ledger", "$"),
    (b'"claims": {}', InputError, "claims", "$.claims"),
    (b'"claims": [{}]', InputError, "basis", "$.claims[0]"),
    (_claim(b'"x": 1'), InputError, "x", "$.claims[0].x"),
    (_claim(b'"delta": 0'), InputError, "epsilon", "$.claims[0]"),
    (_claim(b'"epsilon": "x"'), InputError, "epsilon", "$.claims[0].epsilon"),
    (_claim(b'"epsilon": -1'), DomainError, "epsilon", "$.claims[0].epsilon"),
    (_claim(b'"epsilon": 1, "delta": 2'), DomainError, "delta", "$.claims[0].delta"),
    (_claim(b'"rho": "x"'), InputError, "rho", "$.claims[0].rho"),
    (_claim(b'"mu": -1'), DomainError, "mu", "$.claims[0].mu"),
]


@each_case(("entry", "kind", "field", "path"), REFUSED_TOPS)
def test_a_bad_key_is_refused_at_its_place(
    entry: bytes, kind: type[InputError], field: str, path: str
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(field)} at {re.escape(path)}: ") as caught:
        read(b'{"mechanisms": [], ' + entry + b"}")
    error = caught.value
    assert (type(error), error.field, error.path) == (kind, field, path)


@pytest.mark.parametrize(
    ("data", "field", "path"),
    [
        (b"[]", "ledger", "$"),
        (b"{}", "mechanisms", "$"),
        (b'{"mechanisms": {}}', "mechanisms", "$.mechanisms"),
        (b'{"mechanism": []}', "mechanism", "$.mechanism"),
    ],
)
def test_what_is_no_ledger_is_refused(data: bytes, field: str, path: str) -> None:
    with pytest.raises(InputError, match=f"^{field} at {re.escape(path)}: ") as caught:
        read(data)
    assert (caught.value.field, caught.value.path) == (field, path)


@pytest.mark.parametrize(
    ("row", "remedy"),
    [
        (b'{"epsilonn": 1}', "did you mean epsilon?"),
        (b'{"epsilon": 1, "Delta": 0}', "did you mean delta?"),
        (b'{"epsilon": 1, "comment": "x"}', "did you mean count?"),
        (b'{"epsilon": 1, "zzz": "x"}', "remove it, or move it into notes"),
        (b'{"epsilon": 1, "count": 1e3}', "write 1000"),
        (b'{"epsilon": 1, "count": 52.0}', "write 52"),
        (b'{"epsilon": 1, "count": "1 000"}', "write 1000"),
        (b'{"epsilon": 1, "label": 3}', "put it in quotes"),
    ],
)
def test_common_slips_come_with_their_cure(row: bytes, remedy: str) -> None:
    with pytest.raises(InputError, match=re.escape(remedy)) as caught:
        read(b'{"mechanisms": [' + row + b"]}")
    assert remedy in caught.value.remedy


def test_what_is_expected_is_quoted_from_the_schema() -> None:
    with pytest.raises(InputError, match="which inputs are neighbours, for all mechanisms alike"):
        read(b'{"mechanisms": [], "neighbouring": "bounded"}')


def test_the_value_in_a_message_is_the_text_of_the_file() -> None:
    with pytest.raises(InputError, match="a whole number") as caught:
        read(b'{"mechanisms": [{"epsilon": 1, "count": 1.50}]}')
    assert caught.value.value == "1.50"


def test_of_many_bad_rows_errors_are_built_for_the_first_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The validator's own list of errors would take minutes and gigabytes for a million rows."""
    real, built = schema._validators(schema.SCHEMA_PATH), []

    class Recording:
        def __init__(self, part: str) -> None:
            self.is_valid = real[part].is_valid
            self.part = part

        def iter_errors(self, value: object) -> object:
            built.append(value)
            return real[self.part].iter_errors(value)

    parts = {part: Recording(part) for part in ("#", "#/$defs/mechanism", "#/$defs/claim")}
    monkeypatch.setattr(schema, "_validators", lambda _path: parts)
    with pytest.raises(InputError, match="did you mean epsilon") as caught:
        read(b'{"mechanisms": [' + b",".join([b'{"eps": 1}'] * 1000) + b"]}")
    assert caught.value.path == "$.mechanisms[0].eps"
    assert built == [{"eps": 1}]


def test_the_greatest_count_is_read_as_a_number_and_as_a_text() -> None:
    for count in (b"1000000000000000000", b'"1000000000000000000"'):
        text = b'{"format": "exactdp-ledger/1", "mechanisms": [{"epsilon": 1, "count": %s}]}'
        assert read(text % count).mechanisms[0].count == 10**18


def test_only_a_ledger_without_mechanisms_is_meant_to_be_empty() -> None:
    assert read(b'{"mechanisms": [], "empty": true}') == Ledger((), empty=True)
    assert Ledger.of(["1"]).empty is Ledger((Mechanism(1),), empty=True).empty is False
    for text in (
        b'{"mechanisms": [{"epsilon": 1}], "empty": true}',
        b'{"mechanisms": [], "empty": 1}',
    ):
        with pytest.raises(InputError, match=r"empty at \$.empty"):
            read(text)


def test_what_a_reader_made_of_a_table_is_kept() -> None:
    ledger = Ledger.of(["1"], name="a")
    ledger = replace(ledger, reading=("not read as parameters: column b",))
    assert read(write(ledger).encode()) == ledger
    with pytest.raises(InputError, match="reading"):
        replace(ledger, reading="not a list")  # type: ignore[arg-type]
