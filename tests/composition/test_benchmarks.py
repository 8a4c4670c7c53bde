"""The problems of the benchmark, against the digits of the design and against exact counts."""

from __future__ import annotations

from collections import Counter

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.composition.answers.compose import compose
from tests.composition.oracle import excess_from_counts, parsed

P4_MULTIPLES = Counter(1 + (37 * i) % 101 for i in range(1000))
P4 = [(f"{a}/1000", "0", count) for a, count in sorted(P4_MULTIPLES.items())]
P3 = [(f"{1 + i % 20}/100", "1e-10", 1) for i in range(50)]
P7 = [("ln(2)", "0", 30), ("ln(3)", "0", 30), ("ln(1.5)", "0", 30)]

PRINTED = [
    ("P1", [("0.1", "0", 100)], "2^-30", "5.967066829"),
    ("P3", P3, "1e-6", "3.403678698"),
    ("P4", P4, "2^-40", "14.264574354"),
    ("P4 at 2^-128", P4, "2^-128", "24.895839307"),
    ("P6", [("0.01", "0", 10_000)], "1e-9", "6.171915016"),
    ("P7", P7, "1e-8", "56.905096676"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "delta", "printed"), [row[1:] for row in PRINTED], ids=[row[0] for row in PRINTED]
)
def test_the_answer_rounds_to_the_digits_of_the_design(
    groups: list[tuple[str, str, int]], delta: str, printed: str
) -> None:
    answer = compose(groups, delta=delta, tolerance="1e-13")
    assert answer.lower is not None
    assert answer.upper is not None
    truth = mpq(printed)
    half = mpq(1, 2 * 10**9) + mpq(1, 10**12)
    assert truth - half <= answer.lower <= answer.upper <= truth + half


def _enclosed(groups: list[tuple[str, str, int]], delta: str) -> tuple[str, str]:
    answer = compose(groups, delta=delta, tolerance="1e-40")
    assert answer.lower is not None
    assert answer.upper is not None
    assert answer.upper - answer.lower <= mpq(1, 10**40)
    return decimal_text(answer.lower), decimal_text(answer.upper)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("delta", "leading"),
    [
        ("2^-40", "14.26457435354076851708651158104854232486"),
        ("2^-60", "17.3967663924894487869325974701361947876"),
        ("1e-30", "22.1583080504692818882334811633771630889"),
        ("2^-128", "24.8958393068548964950437763419343865910"),
    ],
)
def test_forty_digits_of_p4_agree_with_exact_counts(delta: str, leading: str) -> None:
    low, high = _enclosed(P4, delta)
    assert low.startswith(leading)
    groups = sorted(P4_MULTIPLES.items())
    assert excess_from_counts(groups, "0.001", low, parsed(delta)) == 1
    assert excess_from_counts(groups, "0.001", high, parsed(delta)) == -1


@pytest.mark.parametrize("delta", ["2^-30", "2^-200", "2^-250"])
def test_forty_digits_of_p1_agree_with_exact_counts(delta: str) -> None:
    low, high = _enclosed([("0.1", "0", 1000)], delta)
    assert excess_from_counts([(1, 1000)], "0.1", low, parsed(delta)) == 1
    assert excess_from_counts([(1, 1000)], "0.1", high, parsed(delta)) == -1
