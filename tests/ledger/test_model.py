"""The model: what is accepted, what is refused, and that nothing changes afterwards."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import Mechanism
from tests.marking import each_case
from tests.untyped import untyped


@pytest.mark.parametrize("epsilon", ["0.1", "1/10", Fraction(1, 10), Decimal("0.1"), mpq(1, 10)])
def test_a_mechanism_takes_any_exact_number(epsilon: Number) -> None:
    assert Mechanism(epsilon) == Mechanism("0.1", "0", 1, "")


def test_a_mechanism_has_no_delta_and_stands_once_unless_it_says_so() -> None:
    mechanism = Mechanism("ln(3)")
    assert (mechanism.delta, mechanism.count, mechanism.label) == (mpq(0), 1, "")


def test_an_epsilon_that_is_zero_in_value_is_accepted() -> None:
    assert Mechanism("ln(4) - 2*ln(2)").epsilon == ExactNumber.parse("ln(4) - 2*ln(2)")


def test_a_mechanism_cannot_be_changed() -> None:
    mechanism = Mechanism("0.1")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field"):
        mechanism.count = 2  # type: ignore[misc]


def test_a_mechanism_survives_pickling_copying_and_replacing() -> None:
    mechanism = Mechanism("0.1", "1e-9", 3, "a")
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism  # noqa: S301 (our own bytes)
    assert copy.deepcopy(mechanism) == mechanism
    assert dataclasses.replace(mechanism, count=4) == Mechanism("0.1", "1e-9", 4, "a")


REFUSED_MECHANISMS: list[tuple[tuple[Any, ...], type[InputError], str]] = [
    ((0.1,), InputError, "epsilon"),
    ((True,), InputError, "epsilon"),
    ((None,), InputError, "epsilon"),
    (("nan",), InputError, "epsilon"),
    (("-0.1",), DomainError, "epsilon"),
    (("ln(2) - ln(3)",), DomainError, "epsilon"),
    (("1", 1e-9), InputError, "delta"),
    (("1", "-1e-9"), DomainError, "delta"),
    (("1", "1"), DomainError, "delta"),
    (("1", "ln(2)"), DomainError, "delta"),
    (("1", 0, 0), DomainError, "count"),
    (("1", 0, -1), DomainError, "count"),
    (("1", 0, 10**18 + 1), DomainError, "count"),
    (("1", 0, 10**5000), DomainError, "count"),
    (("1", 0, True), InputError, "count"),
    (("1", 0, 1.0), InputError, "count"),
    (("1", 0, "3"), InputError, "count"),
    (("1", 0, 1, 3), InputError, "label"),
    (("1", 0, 1, "\0"), InputError, "label"),
    (("1", 0, 1, "\ud800"), InputError, "label"),
]


@each_case(("arguments", "kind", "field"), REFUSED_MECHANISMS)
def test_a_bad_parameter_is_refused_by_name(
    arguments: tuple[Any, ...], kind: type[InputError], field: str
) -> None:
    with pytest.raises(kind, match=f"^{field}: ") as caught:
        Mechanism(*arguments)
    assert (type(caught.value), caught.value.field) == (kind, field)


def test_a_refused_float_comes_with_its_cure() -> None:
    with pytest.raises(InputError, match=r"Fraction\(0\.1\)"):
        Mechanism(untyped(0.1))


def test_a_ledger_of_tuples_texts_and_mechanisms_is_the_ledger_of_their_mechanisms() -> None:
    ledger = Ledger.of(["0.1", ("0.2", "1e-9"), ["0.3", 0, 5], Mechanism("ln(3)")])
    assert list(ledger) == [
        Mechanism("0.1"),
        Mechanism("0.2", "1e-9"),
        Mechanism("0.3", 0, 5),
        Mechanism("ln(3)"),
    ]


def test_the_size_counts_mechanisms_and_iteration_does_not_expand_them() -> None:
    ledger = Ledger.of([("0.1", 0, 10**18), "0.2"])
    assert ledger.size == 10**18 + 1
    assert len(list(ledger)) == 2


def test_the_empty_ledger_is_a_ledger() -> None:
    assert Ledger.of([]).size == 0


@pytest.mark.parametrize(
    ("entry", "field"), [((), "mechanism"), (("1",) * 5, "mechanism"), (0.5, "epsilon")]
)
def test_a_bad_entry_of_a_ledger_is_placed(entry: object, field: str) -> None:
    with pytest.raises(InputError, match=rf"^{field} at mechanisms\[1\]: ") as caught:
        Ledger.of(["0.1", entry])
    assert (caught.value.field, caught.value.path) == (field, "mechanisms[1]")


def test_a_mapping_given_as_source_becomes_pairs_in_its_order() -> None:
    source: Any = {"title": "t", "year": "2020"}
    assert Ledger((), source=source).source == (("title", "t"), ("year", "2020"))


def test_a_ledger_can_be_hashed() -> None:
    claim = Claim(ExactNumber.of(1), mpq(0), "composition", "s")
    assert len({Ledger((), claims=(claim,)), Ledger((), claims=(claim,))}) == 1


REFUSED_FIELDS: list[tuple[dict[str, Any], type[InputError], str]] = [
    ({"neighbouring": "add-remove"}, InputError, "neighbouring"),
    ({"interaction": "parallel"}, InputError, "interaction"),
    ({"name": 3}, InputError, "name"),
    ({"notes": None}, InputError, "notes"),
    ({"source": {"year": 2020}}, InputError, "source.year"),
    ({"source": {3: "2020"}}, InputError, "source"),
    ({"source": 3}, InputError, "source"),
    ({"target_delta": 1e-6}, InputError, "target_delta"),
    ({"target_delta": "2"}, DomainError, "target_delta"),
    ({"target_delta": "-1e-9"}, DomainError, "target_delta"),
    ({"mechanisms": ("0.1",)}, InputError, "mechanisms"),
    ({"claims": ("0.1",)}, InputError, "claims"),
]


@each_case(("fields", "kind", "field"), REFUSED_FIELDS)
def test_a_bad_field_of_a_ledger_is_refused_by_name(
    fields: dict[str, Any], kind: type[InputError], field: str
) -> None:
    with pytest.raises(kind, match=f"^{field}: ") as caught:
        Ledger(**{"mechanisms": (), **fields})
    assert (type(caught.value), caught.value.field) == (kind, field)


REFUSED_CLAIMS: list[tuple[dict[str, Any], type[InputError], str]] = [
    ({"epsilon": None}, InputError, "epsilon"),
    ({"epsilon": "-1"}, DomainError, "epsilon"),
    ({"delta": "1.1"}, DomainError, "delta"),
    ({"epsilon": None, "rho": "x"}, InputError, "rho"),
    ({"epsilon": None, "rho": 0.5}, InputError, "rho"),
    ({"epsilon": None, "mu": "-1"}, DomainError, "mu"),
    ({"basis": "hope"}, InputError, "basis"),
    ({"source": 3}, InputError, "source"),
    ({"fpr": "1/2"}, InputError, "tpr"),
    ({"success": "1/2"}, InputError, "prior"),
    ({"fpr": "1/2", "tpr": "1"}, InputError, "tpr"),
    ({"fpr": "1", "tpr": "1"}, DomainError, "fpr"),
    ({"fpr": "1/2", "tpr": "2"}, DomainError, "tpr"),
    ({"prior": 0.5, "success": "1"}, InputError, "prior"),
    ({"rho": "1"}, InputError, "rho"),
    ({"prior": "1/2", "success": "1/2"}, InputError, "success"),
    ({"places": -1}, DomainError, "places"),
    ({"epsilon": "0.25", "places": 1}, InputError, "places"),
    ({"epsilon": "ln(3)", "places": 1}, InputError, "places"),
]


@pytest.mark.parametrize(("fields", "kind", "field"), REFUSED_CLAIMS)
def test_a_bad_field_of_a_claim_is_refused_by_name(
    fields: dict[str, Any], kind: type[InputError], field: str
) -> None:
    good = {"epsilon": "1", "delta": "0", "basis": "composition", "source": "s"}
    with pytest.raises(kind, match=f"^{field}: ") as caught:
        Claim(**(good | fields))
    assert (type(caught.value), caught.value.field) == (kind, field)


def test_a_claim_may_state_rho_alone_and_keeps_its_text() -> None:
    assert Claim(None, None, "composition", "s", rho="0.50").rho == "0.50"
