"""Correlated noise: sensitivities against all participations, known values, and what follows.

Theory of operation: small matrices of both signs are judged by every participation and every choice
of signs; engine and verifier, which share nothing, must find the same two ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, isclose
from random import Random
from typing import Any, Final

import pytest
from gmpy2 import mpq

from exactdp import Ledger
from exactdp.certificate.canonical import canonical_bytes
from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.noise.solve import solve
from exactdp.errors import ExactDPError, UnsupportedError
from exactdp.ledger.formats.json_ledger import read as read_json
from exactdp.mechanisms import Entry, FactorizedGaussianMechanism, GaussianMechanism
from exactdp.mechanisms.factorizations import factorization_of, participation_of
from exactdp.mechanisms.keys import each_leaf
from exactdp.mechanisms.sensitivity import squared_sensitivity
from exactdp.verifier.format.meter import metered
from exactdp.verifier.rules.factorized import read_factorized
from tests.marking import each_case

Matrix = list[list[Fraction]]
Written = Mapping[str, Any]
TINY: Final = Fraction(1, 2**220)
DELTA: Final = "1e-6"


# --- oracles ------------------------------------------------------------------------------------


def products(rows: Matrix) -> Matrix:
    """X = CᵀC."""
    rounds = range(len(rows[0]))
    return [[sum((row[i] * row[j] for row in rows), Fraction(0)) for j in rounds] for i in rounds]


def patterns(rounds: int, most: int, apart: int, first: int = 0) -> Iterator[tuple[int, ...]]:
    """All participations but the empty one."""
    for i in range(first, rounds):
        yield (i,)
        if most > 1:
            yield from ((i, *rest) for rest in patterns(rounds, most - 1, apart, i + apart))


def above(x: Matrix, pattern: Sequence[int]) -> Fraction:
    return sum((abs(x[i][j]) for i in pattern for j in pattern), Fraction(0))


def below(x: Matrix, pattern: Sequence[int]) -> Fraction:
    """The best of all signs."""
    signed = product((1, -1), repeat=len(pattern))
    taken = ([*zip(pattern, signs, strict=True)] for signs in signed)
    return max(
        sum((s * t * x[i][j] for i, s in each for j, t in each), Fraction()) for each in taken
    )


def toeplitz(coefficients: Sequence[Fraction], rounds: int) -> Matrix:
    padded = [*coefficients, *[Fraction(0)] * rounds]
    return [
        [padded[i - j] if i >= j else Fraction(0) for j in range(rounds)] for i in range(rounds)
    ]


def root(rounds: int, band: int) -> list[Fraction]:
    return [Fraction(comb(2 * t, t), 4**t) for t in range(min(band, rounds))]


@cache
def ends_of(factorization: str, participation: str) -> tuple[Fraction, Fraction]:
    """What the engine and the verifier find, which must be one."""
    written, taken = json.loads(factorization), json.loads(participation)
    matrix = factorization_of(written)
    asked = participation_of(taken, matrix.rounds)
    engine = squared_sensitivity(matrix, asked)
    stated = {"factorization": matrix.shape(), "participation": asked.shape()}
    parts: Any = each_leaf(stated, str)
    with metered(10**11):
        read = read_factorized(parts, Fraction(1), 1, b"")
        pairs = read.attained("zero-out", Fraction(0)), read.dominating("zero-out")
        known = [sum((noise.square for noise, _ in each), Fraction(0)) for each in pairs]
    assert [Fraction(int(e.numerator), int(e.denominator)) for e in engine] == known
    return known[0], known[1]


def ends(factorization: Written, participation: object) -> tuple[Fraction, Fraction]:
    texts = each_leaf({"c": factorization, "p": participation}, _text)
    return ends_of(json.dumps(texts["c"]), json.dumps(texts["p"]))


def _text(value: object) -> object:
    return value if isinstance(value, int) else str(value)


def rows_of(rows: Matrix) -> Written:
    return {"rows": [[str(each) for each in row] for row in rows]}


# --- all participations -------------------------------------------------------------------------


def drawn(seed: int) -> tuple[Random, int, int, int]:
    random = Random(seed)  # noqa: S311 (tests)
    rounds = random.randint(1, 9)
    return random, rounds, random.randint(1, 4), random.randint(1, 4)


def judged(x: Matrix, written: Written, rounds: int, most: int, apart: int) -> None:
    every = [*patterns(rounds, most, apart)]
    low, high = ends(written, {"most": most, "apart": apart})
    assert low <= max(below(x, each) for each in every)
    assert max(above(x, each) for each in every) <= high
    listed = [[*each] for each in every]
    least, greatest = ends(written, listed)
    assert greatest == max(above(x, each) for each in every) <= high
    assert least <= max(below(x, each) for each in every)


def test_no_participation_of_a_matrix_of_both_signs_is_outside() -> None:
    for seed in range(12):
        random, rounds, most, apart = drawn(seed)
        rows = [
            [Fraction(random.randint(-3, 3), random.randint(1, 3)) for _ in range(rounds)]
            for _ in range(random.randint(1, rounds + 2))
        ]
        rows[0][0] = Fraction(2)
        judged(products(rows), rows_of(rows), rounds, most, apart)


def test_no_participation_of_a_toeplitz_matrix_of_both_signs_is_outside() -> None:
    for seed in range(16):
        random, rounds, most, apart = drawn(seed)
        band = random.randint(1, rounds)
        listed = [Fraction(1), *(Fraction(random.randint(-3, 3), 2) for _ in range(band - 1))]
        written = {"toeplitz": [str(each) for each in listed], "steps": rounds}
        judged(products(toeplitz(listed, rounds)), written, rounds, most, apart)


def test_coefficients_that_fall_have_their_greatest_sum_at_the_first_equal_steps() -> None:
    for seed in range(40):
        random, rounds, most, apart = drawn(seed)
        falling = sorted((Fraction(random.randint(0, 9), 4) for _ in range(rounds)), reverse=True)
        listed = [Fraction(3), *falling[1:]]
        x = products(toeplitz(listed, rounds))
        best = max(above(x, each) for each in patterns(rounds, most, apart))
        written = {"toeplitz": [str(each) for each in listed], "steps": rounds}
        assert ends(written, {"most": most, "apart": apart}) == (best, best)


@pytest.mark.slow
def test_no_participation_in_fourteen_rounds_is_outside() -> None:
    for seed in range(12):
        random = drawn(seed)[0]
        rows = [
            [Fraction(random.randint(-4, 4), 3) if j <= i else Fraction(0) for j in range(14)]
            for i in range(14)
        ]
        rows[0][0] = Fraction(1)
        for most, apart in ((3, 3), (4, 4), (2, 5), (14, 7)):
            judged(products(rows), rows_of(rows), 14, most, apart)


def test_bands_no_wider_than_the_steps_are_exact() -> None:
    for seed in range(40):
        random, rounds, most, apart = drawn(seed)
        rows = [
            [
                Fraction(random.randint(-4, 4) or 1, 3) if i - apart < j <= i else Fraction(0)
                for j in range(rounds)
            ]
            for i in range(rounds)
        ]
        x = products(rows)
        best = max(above(x, each) for each in patterns(rounds, most, apart))
        starts = [max(0, i - apart + 1) for i in range(rounds)]
        short = [
            row[first : i + 1] for i, (first, row) in enumerate(zip(starts, rows, strict=True))
        ]
        written = {**rows_of(short), "from": starts}
        assert ends(written, {"most": most, "apart": apart}) == (best, best)


def test_fixed_epochs_are_the_participations_that_they_list() -> None:
    for seed in range(40):
        random, rounds, _, apart = drawn(seed)
        rows = [[Fraction(random.randint(-3, 3)) for _ in range(rounds)] for _ in range(rounds)]
        rows[0][0] = Fraction(2)
        listed = [[*range(first, rounds, apart)] for first in range(min(apart, rounds))]
        assert ends(rows_of(rows), {"every": apart}) == ends(rows_of(rows), listed)
        falling = {"sqrt": rounds}
        (least, most), (low, high) = (ends(falling, each) for each in ({"every": apart}, listed))
        assert abs(least - low) + abs(most - high) <= TINY


# --- known values -------------------------------------------------------------------------------


REFERENCES: Final = [
    ({"sqrt": 12}, {"most": 3, "apart": 3}, 9.42819431487078),
    ({"sqrt": 10}, {"most": 4, "apart": 2}, 14.813702046172693),
    ({"sqrt": 64}, {"most": 4, "apart": 16}, 15.686512908430243),
    ({"sqrt": 200, "band": 20}, {"most": 5, "apart": 20}, 10.079449140435536),
    ({"tree": 16}, {"most": 4, "apart": 4}, 36.0),
    ({"tree": 32}, {"most": 4, "apart": 8}, 40.0),
    ({"tree": 64}, {"most": 4, "apart": 16}, 44.0),
    (
        {"blt": {"scales": ["3/10", "1/5"], "decays": ["99/100", "3/5"]}, "steps": 2000},
        {"most": 5, "apart": 400},
        5.4886968928**2,
    ),
]


@each_case("factorization, participation, expected", REFERENCES)
def test_the_reference_values_lie_between_both_ends(
    factorization: Written, participation: object, expected: float
) -> None:
    low, high = ends(factorization, participation)
    assert high - low <= TINY
    assert isclose(float(high), expected, rel_tol=3e-11)


def test_signs_of_a_matrix_are_chosen_for_the_lower_end() -> None:
    """The bound of the rows is above the truth, which is that of a list of all participations."""
    written = {"toeplitz": ["1", "-1/2", "1/4", "-1/8"], "steps": 12}
    exact = Fraction(287, 64)
    assert ends(written, {"most": 3, "apart": 3}) == (exact, Fraction(295, 64))
    assert ends(written, [[*each] for each in patterns(12, 3, 3)]) == (exact, exact)


def test_rows_leave_a_gap_where_the_greatest_of_each_does_not_fit_together() -> None:
    """The square root in ten rounds, written out: the bound of its rows is above the truth."""
    rows = toeplitz(root(10, 10), 10)
    low, high = ends(rows_of(rows), {"most": 4, "apart": 2})
    assert isclose(float(low), 14.813702046172693, rel_tol=1e-14)
    assert isclose(float(high), 14.883027493255213, rel_tol=1e-14)


def test_one_gaussian_mechanism_with_the_mu_of_a_published_model_has_its_known_epsilon() -> None:
    """ρ = 0.81, which is μ² = 1.62, at δ = 1e-10."""
    one = FactorizedGaussianMechanism(
        "10/9", {"toeplitz": [1], "steps": 2}, {"most": 2, "apart": 1}
    )
    assert one.squares() == (mpq("1.62"), mpq("1.62"))
    low, high = epsilon_of(one, delta="1e-10", tolerance="1e-11")
    assert low <= mpq("8.5489170284")
    assert mpq("8.5489170282") <= high <= low + mpq("1e-10")


# --- identities ---------------------------------------------------------------------------------


def test_a_record_that_takes_part_once_has_the_greatest_column() -> None:
    rows = [[Fraction(i * j % 5 - 2) for j in range(6)] for i in range(7)]
    x = products(rows)
    greatest = max(x[i][i] for i in range(6))
    assert ends(rows_of(rows), {"most": 1, "apart": 1}) == (greatest, greatest)


@each_case("rounds, most, apart", [(12, 4, 3), (12, 9, 5), (7, 2, 9), (1, 3, 1)])
def test_independent_noise_counts_the_rounds(rounds: int, most: int, apart: int) -> None:
    expected = Fraction(min(most, -(-rounds // apart)))
    taken = {"most": most, "apart": apart}
    assert ends({"toeplitz": [1], "steps": rounds}, taken) == (expected, expected)


def test_prefix_sums_are_a_matrix_of_ones() -> None:
    falling = {"toeplitz": [1] * 9, "steps": 9}
    written = rows_of(toeplitz([Fraction(1)] * 9, 9))
    for taken in ({"most": 3, "apart": 2}, {"every": 4}, {"most": 9, "apart": 1}):
        assert ends(falling, taken) == ends(written, taken)


def test_who_takes_part_in_all_rounds_of_a_matrix_without_signs_has_its_row_sums() -> None:
    rows = [[Fraction((3 * i + j) % 4) for j in range(8)] for i in range(8)]
    expected = sum(sum(row) ** 2 for row in rows)
    assert ends(rows_of(rows), {"most": 8, "apart": 1}) == (expected, expected)


def test_coefficients_that_are_enclosed_lie_about_those_that_are_exact() -> None:
    for rounds, apart in ((300, 40), (150, 7)):
        exact = {"toeplitz": root(rounds, rounds), "steps": rounds}
        taken = {"most": 6, "apart": apart}
        (low, high), (least, most) = (ends(each, taken) for each in ({"sqrt": rounds}, exact))
        assert low <= least == most <= high <= low + TINY


def test_buffers_are_the_coefficients_that_they_say() -> None:
    scales, decays = (Fraction(3, 10), Fraction(1, 5)), (Fraction(9, 10), Fraction(3, 5))
    both = [*zip(scales, decays, strict=True)]
    written = [Fraction(1), *(sum(s * d ** (t - 1) for s, d in both) for t in range(1, 40))]
    blt = {"scales": scales, "decays": decays}
    taken = {"most": 3, "apart": 11}
    (low, high), (exact, same) = (
        ends({"blt": blt, "steps": 40}, taken),
        ends({"toeplitz": written, "steps": 40}, taken),
    )
    assert low <= exact == same <= high <= low + TINY


def test_scaling_matrix_and_noise_together_changes_nothing() -> None:
    taken = {"most": 3, "apart": 2}
    one = FactorizedGaussianMechanism("3", {"toeplitz": ["1", "1/2"], "steps": 8}, taken)
    other = FactorizedGaussianMechanism("21", {"toeplitz": ["7", "7/2"], "steps": 8}, taken)
    assert one.squares() == other.squares()


def test_a_multiplier_is_of_the_sensitivity_that_the_library_found() -> None:
    """One that is a little below ours makes μ greater than one over the multiplier."""
    parts = {"tree": 16}, {"most": 4, "apart": 4}
    exact = FactorizedGaussianMechanism.of_multiplier("2", "6", *parts)
    rounded = FactorizedGaussianMechanism.of_multiplier("2", "5.9999999", *parts)
    assert exact.squares() == (mpq(1, 4), mpq(1, 4))
    assert rounded.squares()[0] > mpq(1, 4)


# --- composition --------------------------------------------------------------------------------


TREE: Final = FactorizedGaussianMechanism("12", {"tree": 16}, {"most": 4, "apart": 4})


def epsilon_of(
    *mechanisms: Entry, relation: str = "zero-out", delta: str = DELTA, tolerance: str = "1e-9"
) -> tuple[mpq, mpq]:
    laws = DominatingPairs(Subject.of(Ledger(mechanisms, neighbouring=relation)))
    found = solve(laws, mpq(delta), mpq(tolerance))
    return found.lower, found.upper


@each_case("relation, mu", [("zero-out", "1/2"), ("add-remove-one", "1/2"), ("replace-one", "1")])
def test_a_factorization_is_one_gaussian_mechanism(relation: str, mu: str) -> None:
    known = "unspecified" if relation == "zero-out" else relation
    one = epsilon_of(TREE, relation=relation)
    other = epsilon_of(GaussianMechanism(mu), relation=known)
    assert one[0] <= other[1]
    assert other[0] <= one[1]


def test_several_factorizations_and_other_noise_add_up() -> None:
    """The sum of μ² is 2/4 + 1 + 3/4."""
    found = epsilon_of(TREE.times(2), GaussianMechanism("1"), GaussianMechanism("1/2", 3))
    known = epsilon_of(GaussianMechanism("3/2"), relation="unspecified")
    assert found[0] <= known[1]
    assert known[0] <= found[1]


def test_where_rows_leave_a_gap_both_ends_hold() -> None:
    written = rows_of(toeplitz(root(10, 10), 10))
    one = FactorizedGaussianMechanism("4", written, {"most": 4, "apart": 2})
    exact = FactorizedGaussianMechanism("4", {"sqrt": 10}, {"most": 4, "apart": 2})
    assert one.gap()
    assert not exact.gap()
    (least, most), (low, high) = epsilon_of(one, tolerance="0.01"), epsilon_of(exact)
    assert least <= high
    assert low <= most <= high + mpq("0.05")


def test_cyclic_samples_of_a_band_are_samples_by_the_greatest_column() -> None:
    """C = (2, 1), so that the norm of a column is √5, of the last 2."""
    written = {"toeplitz": [2, 1], "steps": 7}
    found = FactorizedGaussianMechanism("1", written, {"every": 3}).on_cyclic_samples("1/4")
    assert isinstance(found.base, GaussianMechanism)
    assert (found.rate, found.count) == (mpq(1, 4), 3)
    assert 0 <= found.base.mu**2 - 5 <= mpq(1, 2**60)
    exact = FactorizedGaussianMechanism("1", written, {"every": 1})
    for one in (exact, TREE):
        with pytest.raises(UnsupportedError, match="a band no wider"):
            one.on_cyclic_samples("1/4")


# --- refusals -----------------------------------------------------------------------------------


def entry_of(factorization: object, participation: object, relation: str = "zero-out") -> bytes:
    one = {"sigma": 2, "factorization": factorization, "participation": participation}
    ledger = {"neighbouring": relation, "mechanisms": [one]}
    return json.dumps(ledger).encode()


AT_MOST: Final = {"most": 2, "apart": 2}
REFUSED: Final = [
    ({"tree": 16}, {"most": 0, "apart": 2}, "most"),
    ({"tree": 16}, {"most": 2}, "most and apart"),
    ({"tree": 16}, [[3, 3]], "increase"),
    ({"tree": 16}, [[16]], "from 1 to 15"),
    ({"tree": 16}, [], "arrays of rounds"),
    ({"tree": 4097}, AT_MOST, "from 1 to 4096"),
    ({"sqrt": 10, "band": 11}, AT_MOST, "from 1 to 10"),
    ({"sqrt": 10, "steps": 10}, AT_MOST, "band"),
    ({"steps": 10}, AT_MOST, "an object with one of"),
    ({"toeplitz": [1]}, AT_MOST, "steps"),
    ({"toeplitz": [1, 1], "steps": 1}, AT_MOST, "1 to 1 numbers"),
    ({"toeplitz": [0], "steps": 5}, AT_MOST, "influence"),
    ({"toeplitz": [1, "1/2", "3/4"], "steps": 5000}, AT_MOST, "at most 4096"),
    ({"rows": []}, AT_MOST, "arrays of numbers"),
    ({"rows": [[1]], "from": [0, 1]}, AT_MOST, "first round of each row"),
    ({"rows": [["1/3"], ["1e-700"]]}, AT_MOST, "bits"),
    ({"blt": {"scales": ["-1/2"], "decays": ["1/2"]}, "steps": 9}, AT_MOST, "scales"),
    ({"blt": {"scales": ["1/2"], "decays": ["3/2"]}, "steps": 9}, AT_MOST, "decays"),
    ({"blt": {"scales": ["3/4"] * 2, "decays": ["1/2"] * 2}, "steps": 9}, AT_MOST, "sum"),
    ({"blt": {"scales": ["1/2"], "decays": ["1/2"] * 2}, "steps": 9}, AT_MOST, "as many"),
]


def test_a_sensitivity_beside_a_factorization_is_refused() -> None:
    data = entry_of({"tree": 16}, AT_MOST).replace(b'"sigma": 2', b'"sigma": 2, "sensitivity": 1')
    with pytest.raises(ExactDPError, match="divide sigma by the clip norm"):
        read_json(data)


@each_case("factorization, participation, words", REFUSED)
def test_what_is_no_factorization_is_refused_with_what_would_do(
    factorization: object, participation: object, words: str
) -> None:
    with pytest.raises(ExactDPError, match=words):
        read_json(entry_of(factorization, participation))


@each_case(
    "beside, words", [("rate", "beside factorization"), ("shuffled", "one way"), ("clip", "rate")]
)
def test_nothing_else_says_how_records_take_part(beside: str, words: str) -> None:
    value = {"rate": "1/2", "shuffled": {"batches": 3}, "clip": 1}[beside]
    document = json.loads(entry_of({"tree": 16}, AT_MOST))
    document["mechanisms"][0][beside] = value
    with pytest.raises(ExactDPError, match=words):
        read_json(json.dumps(document).encode())


def test_participation_without_a_matrix_is_refused() -> None:
    one = {"sigma": 2, "participation": AT_MOST}
    with pytest.raises(ExactDPError, match="factorization"):
        read_json(json.dumps({"mechanisms": [one]}).encode())


def test_neighbours_are_named() -> None:
    with pytest.raises(ExactDPError, match="neighbouring"):
        read_json(entry_of({"tree": 16}, AT_MOST, "unspecified"))
    assert Ledger((TREE,)).neighbouring == "zero-out"


def test_a_matrix_that_would_take_too_long_is_refused() -> None:
    rising = {"toeplitz": ["1", "2"] + ["1"] * 300, "steps": 4096}
    with pytest.raises(UnsupportedError, match="list the participations"):
        FactorizedGaussianMechanism("1", rising, {"most": 100, "apart": 10})


def test_an_entry_is_written_as_it_is_read() -> None:
    for factorization, participation, _ in REFERENCES:
        one = FactorizedGaussianMechanism("7/2", factorization, participation, 3, "x")
        stated: Any = each_leaf(one.shape(), str)
        assert canonical_bytes(stated) == canonical_bytes(
            each_leaf(FactorizedGaussianMechanism(**stated).shape(), str)
        )
