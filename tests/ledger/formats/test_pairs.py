"""Lists of pairs and matrices: read exactly, refused by place, written to leak no less."""

from __future__ import annotations

import re

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import Mechanism

PAIRS = (Mechanism("0.1"), Mechanism("0.2", "1e-9"))


@pytest.mark.parametrize(
    "text",
    [
        "[[0.1, 0], [0.2, 1e-9]]",
        "[(0.1, 0), (0.2, 1e-09)]",
        "BudgetAccountant(spent_budget=[(0.1, 0), (0.2, 1e-09)])",
        "BudgetAccountant(epsilon=1, slack=5e-07, spent_budget=[(0.1, 0), (0.2, 1e-09)])",
    ],
)
def test_lists_of_pairs_are_recognised(text: str) -> None:
    assert read_ledger(text.encode()).mechanisms == PAIRS


def test_the_ceilings_of_a_budget_accountant_are_kept() -> None:
    text = b"BudgetAccountant(epsilon=1, delta=1e-06, slack=5e-07, spent_budget=[(0.1, 0)])"
    ledger = read_ledger(text)
    assert (ledger.target_delta, ledger.notes) == (
        mpq(1, 10**6),
        "BudgetAccountant: epsilon=1, slack=5e-07",
    )
    assert read_ledger(b"BudgetAccountant()").size == 0


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[[0.1, 0], [0.2]]", "$[1]"),
        ("[[0.1, 0, 3]]", "$[0]"),
        ("[[0.1, 0], [0.1, 0, 3]]", "$[1]"),
        ("[[0.1, true]]", "$[0]"),
        ("[[0.1, 1]]", "$[0].delta"),
        ("[(np.float64(0.1), 0)]", ""),
        ("BudgetAccountant(spent_budget=[(0.1, 0), ...])", ""),
    ],
)
def test_what_is_no_pair_is_refused_with_its_place(text: str, path: str) -> None:
    with pytest.raises(InputError, match=re.escape(path) or "^ledger") as caught:
        read_ledger(text.encode())
    assert caught.value.path.startswith(path)


@pytest.mark.parametrize(
    "text",
    [
        "0.1 0\n0.2 1e-9\n",
        "0.1,0\n\n0.2,1e-9\n",
        "     [,1]  [,2]\n[1,]  0.1 0e+00\n[2,]  0.2 1e-09\n",
        '"V1" "V2"\n"1" 0.1 0\n"2" 0.2 1e-09\n',
    ],
)
def test_matrices_are_read_as_r_writes_them(text: str) -> None:
    assert read_ledger(text.encode(), "psi").mechanisms == PAIRS


def test_a_matrix_of_another_width_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match="line 2"):
        read_ledger(b"0.1 0\n0.2\n", "psi")


NUMBERS = st.sampled_from(["0", "0.1", "1/3", "ln(2)", "ln(7/5)", "1e-30", "3"]).map(
    ExactNumber.parse
)
DELTAS = st.sampled_from(["0", "1e-9", "1/7"])


@given(
    st.lists(st.tuples(NUMBERS, DELTAS, st.integers(1, 3)), min_size=1, max_size=4),
    st.sampled_from(["diffprivlib", "smartnoise-sql", "psi"]),
)
def test_what_is_written_as_pairs_leaks_no_less(
    groups: list[tuple[ExactNumber, str, int]], name: str
) -> None:
    ledger = Ledger.of(groups)
    read = read_ledger(write_ledger(ledger, name).encode(), name).approximate()
    expanded = [each for each in ledger.approximate() for _ in range(each.count)]
    for before, after in zip(expanded, read, strict=True):
        assert compare(after.epsilon, before.epsilon) >= 0
        assert after.delta >= before.delta
        assert compare(after.epsilon - before.epsilon, ExactNumber.parse("1e-15")) < 0
