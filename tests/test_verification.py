"""``exactdp.verify``: bytes, paths and certificates; a mistake in an argument is no verdict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import exactdp
from exactdp.arithmetic.numbers import Number
from exactdp.certificate.statement import Certificate
from tests.untyped import untyped

LEDGER = exactdp.Ledger.of([("ln(3)", 0, 2)])


def certificate() -> Certificate:
    made = exactdp.compose(LEDGER, delta="1/10").upper_certificate()
    assert made is not None
    return made


def test_bytes_a_path_and_the_certificate_itself_have_one_verdict(tmp_path: Path) -> None:
    made = certificate()
    path = tmp_path / "upper.json"
    path.write_bytes(made.to_bytes())
    given = (made.to_bytes(), bytearray(made.to_bytes()), path, str(path), made)
    assert {exactdp.verify(each) for each in given} == {exactdp.verify(made.to_bytes())}
    assert exactdp.verify(path).status == "accepted"


def test_a_ledger_is_bytes_a_path_a_ledger_or_a_list(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    path.write_text(exactdp.write_ledger(LEDGER, "csv"))
    for given in (path, exactdp.write_ledger(LEDGER).encode(), LEDGER, [("ln(3)", 0, 2)]):
        assert exactdp.verify(certificate(), ledger=given).status == "accepted"
    other = exactdp.verify(certificate(), ledger=[("ln(3)", 0, 3)])
    assert other.status == "rejected"


def test_a_claim_is_a_pair_of_exact_numbers() -> None:
    claims: tuple[Sequence[Number], ...] = (
        ("2.1", "0.1"),
        (Fraction(21, 10), Fraction(1, 10)),
        ["2.1", Fraction(1, 10)],
    )
    for claim in claims:
        assert exactdp.verify(certificate(), claim=claim).settles.startswith("proves the claim")
    assert exactdp.verify(certificate(), claim=(1, "0.1")).status == "rejected"


@pytest.mark.parametrize("claim", [(2.1, "0.1"), ("2.1", 0.1)])
def test_a_float_in_a_claim_is_refused_with_its_cure(claim: tuple[object, object]) -> None:
    with pytest.raises(exactdp.InputError, match="float") as raised:
        exactdp.verify(certificate(), claim=untyped(claim))
    assert raised.value.code == "float-refused"


@pytest.mark.parametrize("claim", ["2.1,0.1", ("2.1",), ("1", "0", "0"), 2, {"epsilon": "1"}])
def test_a_claim_that_is_no_pair_is_refused(claim: object) -> None:
    with pytest.raises(exactdp.InputError, match="a pair of ε and δ"):
        exactdp.verify(certificate(), claim=claim)  # type: ignore[arg-type] # what is refused


@pytest.mark.parametrize("given", [None, 5, 1.5, {}, object()])
def test_what_is_no_certificate_is_refused(given: object) -> None:
    with pytest.raises(exactdp.InputError, match="bytes, a path, or a certificate"):
        exactdp.verify(given)  # type: ignore[arg-type] # what is refused


def test_an_answer_is_refused_by_naming_its_certificates() -> None:
    with pytest.raises(exactdp.InputError, match=r"pass its upper_certificate\(\)"):
        exactdp.verify(exactdp.compose(LEDGER, delta="1/10"))  # type: ignore[arg-type] # refused


def test_a_file_that_cannot_be_read_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(exactdp.InputError, match="a file that can be read"):
        exactdp.verify(tmp_path / "missing.json")
    with pytest.raises(exactdp.InputError, match="passed as bytes"):
        exactdp.verify(certificate().to_bytes().decode())
    with pytest.raises(exactdp.InputError, match=r"ledger: .* a file that can be read"):
        exactdp.verify(certificate(), ledger=tmp_path)


@pytest.mark.parametrize("given", [5, 1.5, object(), {"epsilon": 1}])
def test_what_is_no_ledger_is_refused(given: object) -> None:
    with pytest.raises(exactdp.InputError, match="bytes, a path, a Ledger, or a list"):
        exactdp.verify(certificate(), ledger=untyped(given))


@pytest.mark.parametrize("given", [1e11, True, 0, "100"])
def test_a_limit_of_cost_is_a_whole_number(given: object) -> None:
    with pytest.raises(exactdp.InputError, match="max_cost"):
        exactdp.verify(certificate(), max_cost=given)  # type: ignore[arg-type] # what is refused


def test_bytes_of_no_certificate_are_still_a_verdict() -> None:
    verdict = exactdp.verify(json.dumps({"mechanisms": []}).encode())
    assert (verdict.status, verdict.exit_code) == ("malformed", 2)
