"""Written: a float becomes the shortest decimal that reads back as the same float."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp
from exactdp.arithmetic.numbers import as_number
from exactdp.errors import InputError
from tests.ledger.test_rows import TABLES, Table


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_decimal_reads_back_as_the_same_double(value: float) -> None:
    text = exactdp.written(value)
    assert float(text) == value
    assert as_number(text, "x").rational == Fraction(text)


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_no_decimal_with_a_digit_less_reads_back_as_it(value: float) -> None:
    digits = Decimal(exactdp.written(value)).normalize().as_tuple().digits
    assert len(digits) <= 17
    assert len(digits) == 1 or float(f"{value:.{len(digits) - 2}e}") != value


def test_floats_of_numpy_are_read_by_their_own_width() -> None:
    assert [exactdp.written(kind(0.1)) for kind in (np.float64, np.float32, np.float16)] == [
        *("0.1", "0.1", "0.1")
    ]
    assert exactdp.written(np.array([[0.1, 1e-9], [0.5, 2]])) == [["0.1", "1e-09"], ["0.5", "2.0"]]
    assert exactdp.written(np.array(0.25)) == "0.25"


def test_what_is_no_float_stays_what_it_is() -> None:
    kept = ["ln(3)", 7, None, True, Fraction(1, 3), Decimal("0.10"), (1, b"x")]
    assert exactdp.written(kept) == kept
    assert exactdp.written({"rate": 0.1, "base": [0.5]}) == {"rate": "0.1", "base": ["0.5"]}


def test_a_list_of_pairs_is_composed_as_it_was_written() -> None:
    mechanisms = exactdp.written([(0.1, 1e-9, 50)])
    answer = exactdp.compose(mechanisms, delta=exactdp.written(1e-6))
    assert answer.ledger == exactdp.Ledger.of([("0.1", "1e-9", 50)])


@pytest.mark.parametrize("table", TABLES)
def test_a_table_becomes_rows_of_texts(table: Table) -> None:
    rows = exactdp.written(table({"epsilon": [0.1, None], "rho": [None, 0.125]}))
    found = exactdp.compose(rows, delta="1e-6").ledger
    assert [each.shape() for each in found] == [
        {"epsilon": as_number("0.1", "epsilon"), "delta": 0},
        {"rho": Fraction(1, 8)},
    ]


def test_no_decimal_stands_for_what_is_not_finite() -> None:
    with pytest.raises(InputError, match=r"value at \[1\]\[0\]: nan: expected a finite number"):
        exactdp.written([1.0, [float("nan")]])


@pytest.mark.parametrize(
    "refused",
    [
        lambda: exactdp.compose([0.1], delta="1e-6"),
        lambda: exactdp.compose([("0.1", 1e-9)], delta="1e-6"),
        lambda: exactdp.compose(["0.1"], delta=1e-6),  # type: ignore[arg-type]
        lambda: exactdp.compose([{"epsilon": 0.1}], delta="1e-6"),
        lambda: exactdp.GaussianMechanism(0.1),  # type: ignore[arg-type]
        lambda: exactdp.profile(["1"], epsilon=[0.1]),  # type: ignore[list-item]
        lambda: exactdp.dpsgd(rate="1/9", noise_multiplier=0.5, epochs=1, delta="1e-5"),  # type: ignore[arg-type]
    ],
)
def test_every_refusal_of_a_float_names_the_way_out(refused: object) -> None:
    assert callable(refused)
    with pytest.raises(InputError, match=r"exactdp\.written\(") as caught:
        refused()
    assert caught.value.code == "float-refused"


def test_no_library_of_arrays_is_imported() -> None:
    program = "import sys, exactdp; exactdp.written([0.1]); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_a_count_behind_an_epsilon_in_a_list_is_refused_with_the_tuple_that_says_it() -> None:
    with pytest.raises(InputError, match="expected an ε, or a tuple") as caught:
        exactdp.compose(["0.1*10"], delta="1e-6")
    assert caught.value.path == "mechanisms[0]"
    assert caught.value.remedy == '("0.1", 0, 10) is 10 such mechanisms'
    assert exactdp.compose([("0.1", 0, 10)], delta="1e-6").ledger.size == 10
    with pytest.raises(InputError, match="write mechanisms as a list such as"):
        exactdp.compose("0.1*10", delta="1e-6")
    with pytest.raises(InputError, match="write the product as one number"):
        exactdp.compose(["0.1*0.5"], delta="1e-6")
