"""Several pairs of ε and δ at once: their table against all lines, and against mechanisms."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import exp

import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import lower_end, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import ConstrainedMechanism, LaplaceMechanism, Mechanism, PairMechanism
from exactdp.mechanisms.pairs import OutputTable
from exactdp.mechanisms.table import TablePair
from exactdp.verifier import verify_bytes
from tests.marking import each_case

Law = tuple[mpq, ...]
Constraints = list[tuple[mpq, mpq]]
"""Pairs of e^ε and δ."""
LN3: Constraints = [(mpq(3), mpq(0)), (mpq(3, 2), mpq(1, 10))]
odds = st.fractions(1, 8, max_denominator=6).map(mpq)
deltas = st.fractions(0, Fraction(9, 10), max_denominator=12).map(mpq)
lists = st.dictionaries(odds, deltas, min_size=1, max_size=5).map(lambda each: [*each.items()])
weights = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


def mechanism(constraints: Constraints, count: int = 1) -> ConstrainedMechanism:
    return ConstrainedMechanism([(ExactNumber.ln(y), delta) for y, delta in constraints], count)


def table(constraints: Constraints) -> TablePair:
    """With its failure as outputs that only one of the laws has."""
    made = mechanism(constraints)
    ((pair, _),) = made.pairs("unspecified")
    assert isinstance(pair, TablePair)
    fails = made.failure()
    p, q = (tuple((1 - fails) * x for x in law) for law in (pair.p, pair.q))
    return TablePair((*p, fails, mpq(0)), (*q, mpq(0), fails))


def profile(p: Law, q: Law, y: mpq) -> mpq:
    return sum((max(mpq(0), a - y * b) for a, b in zip(p, q, strict=True)), mpq(0))


def highest(constraints: Constraints, y: mpq) -> mpq:
    """By the least of all lines between two points, of which one is on either side of y."""
    points = [(mpq(0), mpq(1)), *constraints]
    points += [(1 / z, 1 - (1 - delta) / z) for z, delta in constraints]
    found = [v for z, v in points if z <= y]
    for (a, v), (b, w) in product(points, repeat=2):
        if a < y < b:
            found.append(v + (w - v) * (y - a) / (b - a))
    return min(found)


def places(constraints: Constraints) -> list[mpq]:
    """All vertices, and a point between any two and beyond each end."""
    vertices = sorted({mpq(0), *(z for y, _ in constraints for z in (y, 1 / y)), mpq(99)})
    return [*vertices, *((a + b) / 2 for a, b in pairwise(vertices))]


@given(lists)
def test_the_table_has_the_greatest_convex_profile_and_is_its_own_reverse(
    constraints: Constraints,
) -> None:
    pair = table(constraints)
    assert sum(pair.p) == sum(pair.q) == 1
    assert min(*pair.p, *pair.q) >= 0
    for y in places(constraints):
        assert profile(pair.p, pair.q, y) == highest(constraints, y)
        assert profile(pair.q, pair.p, y) == highest(constraints, y)


@given(lists)
def test_the_table_meets_every_constraint_in_both_directions(constraints: Constraints) -> None:
    pair = table(constraints)
    for y, delta in constraints:
        assert profile(pair.p, pair.q, y) <= delta
        assert profile(pair.q, pair.p, y) <= delta


@given(weights, weights, st.lists(odds, min_size=1, max_size=4, unique=True))
def test_what_a_mechanism_has_at_some_places_dominates_it_everywhere(
    above: list[int], below: list[int], places_: list[mpq]
) -> None:
    p, q = (tuple(mpq(x, sum(each)) for x in each) for each in (above, below))
    constraints = [(y, max(profile(p, q, y), profile(q, p, y))) for y in places_]
    assume(all(delta < 1 for _, delta in constraints))
    pair = table(constraints)
    for y in {*places(constraints), *(a / b for a, b in zip(p, q, strict=True) if b)}:
        assert max(profile(p, q, y), profile(q, p, y)) <= profile(pair.p, pair.q, y)


@given(odds, deltas)
def test_one_constraint_is_randomized_response_with_a_failure(y: mpq, delta: mpq) -> None:
    pair = table([(y, delta)])
    for z in places([(y, delta)]):
        response = max((y - z) / (y + 1), mpq(0)) + max((1 - z * y) / (y + 1), mpq(0))
        assert profile(pair.p, pair.q, z) == delta + (1 - delta) * response


def test_one_constraint_is_composed_as_its_epsilon_and_delta_are() -> None:
    one = compose(Ledger((ConstrainedMechanism([("1/2", "1e-3")], 9),)), delta="1/50")
    other = compose(Ledger((Mechanism("1/2", "1e-3", 9),)), delta="1/50")
    assert mpq(one.lower or 9) <= mpq(other.upper or 0)
    assert mpq(other.lower or 9) <= mpq(one.upper or 0)


@each_case(
    "first, implied",
    [
        ((mpq(2), mpq(1, 10)), (mpq(3), mpq(1, 10))),
        ((mpq(2), mpq(1, 10)), (mpq(3), mpq(1, 2))),
        ((mpq(2), mpq(0)), (mpq(1), mpq(1, 2))),
        ((mpq(2), mpq(0)), (mpq(1), mpq(1, 3))),
    ],
)
def test_a_constraint_that_another_implies_changes_nothing(
    first: tuple[mpq, mpq], implied: tuple[mpq, mpq]
) -> None:
    assert table([first, implied]) == table([first])


def test_the_reference_value_is_certified_at_both_ends() -> None:
    """Of twenty that are (ln 3, 0)- and (ln 3/2, 1/10)-DP; of the first alone 21.5934."""
    answer = compose(Ledger((mechanism(LN3, 20),)), delta="1/1000")
    assert mpq("11.8563") <= mpq(answer.lower or 0) <= mpq(answer.upper or 0) <= mpq("11.8565")
    alone = compose(Ledger((Mechanism("ln(3)", 0, 20),)), delta="1/1000")
    assert mpq("21.5934") <= mpq(alone.upper or 0) <= mpq("21.5935")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_irrational_odds_give_the_limit_of_rational_ones() -> None:
    """The ends at ε = 1 and 1/2 lie between those at odds that are near to e and √e."""
    given_, delta = ConstrainedMechanism([(1, 0), ("1/2", "1/10")], 5), "1/100"
    answer = compose(Ledger((given_,)), delta=delta, tolerance="1e-3")
    near = [
        mechanism([(mpq(round(exp(1) * 10**6) + d, 10**6), mpq(0)), (y, mpq(1, 10))], 5)
        for d, y in ((-2, mpq(1648720, 10**6)), (2, mpq(1648722, 10**6)))
    ]
    less, more = (compose(Ledger((each,)), delta=delta, tolerance="1e-5") for each in near)
    assert mpq(answer.lower or 9) <= mpq(more.upper or 0)
    assert mpq(less.lower or 9) <= mpq(answer.upper or 0)
    assert mpq(answer.upper or 9) - mpq(answer.lower or 0) <= mpq("1e-3")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@given(st.lists(st.tuples(st.integers(0, 12), deltas), min_size=1, max_size=4))
def test_the_balls_of_a_table_are_those_of_its_vertices(pairs: list[tuple[int, mpq]]) -> None:
    """With an ε that is rational, all masses enclose a law."""
    assume(len({epsilon for epsilon, _ in pairs}) == len(pairs))
    try:
        made = ConstrainedMechanism([(mpq(each, 4), delta) for each, delta in pairs])
    except InputError:
        assume(False)
    ((pair, _),) = made.pairs("unspecified")
    assert isinstance(pair, OutputTable)
    atoms = [*pair.atoms(20)]
    for total in (sum((x.p for x in atoms), arb(0)), sum((x.q for x in atoms), arb(0))):
        assert lower_end(total) <= 1 <= upper_end(total)
    assert all(upper_end(each.p) > 0 or upper_end(each.q) > 0 for each in atoms)


def test_constraints_that_are_nearly_the_same_have_certified_ends() -> None:
    """Two ε differ by 2^-3798, and each has a δ of its own; all are nearly (0, 0)."""
    near, beside = 2**1900, 2**1900 * 10**9 // 1264911064
    listed = [(f"1/{near}", f"1/{beside}"), (f"1/{near - 4}", f"1/{beside + 1}")]
    table = ConstrainedMechanism([*listed, (f"1/{near // 5}", 0)])
    answer = compose(Ledger((table, LaplaceMechanism(1, 1))), delta="1/1000", tolerance="1e-2")
    assert mpq(answer.lower or 9) <= mpq("0.998") <= mpq(answer.upper or 0)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_a_claim_outside_the_ends_is_decided() -> None:
    ledger = Ledger((mechanism(LN3, 20),))
    assert certify(ledger, epsilon="12", delta="1/1000").holds
    assert not certify(ledger, epsilon="11", delta="1/1000").holds


def test_constraints_stand_beside_all_other_mechanisms() -> None:
    beside = (Mechanism("1/10", "1e-6"), PairMechanism(["3/4", "1/4"], ["1/4", "3/4"]))
    ledger = Ledger((mechanism(LN3, 2), *beside), neighbouring="add-remove-one")
    answer = compose(ledger, delta="1/50")
    alone = compose(Ledger((mechanism(LN3, 2),)), delta="1/50")
    assert mpq(alone.upper or 9) < mpq(answer.lower or 0)


@each_case(
    "entry, error, match",
    [
        ('{"constraints": []}', DomainError, "from 1 to 12"),
        ('{"constraints": [[1, 0], ["1", 0.1]]}', InputError, "each ε once"),
        ('{"constraints": [["ln(4)", 0], ["2*ln(2)", 0.1]]}', InputError, "lesser δ alone"),
        ('{"constraints": [[1001, 0]]}', DomainError, "from 0 to 1000"),
        ('{"constraints": [[-1, 0]]}', DomainError, "from 0 to 1000"),
        ('{"constraints": [[1, 1]]}', DomainError, "below 1"),
        ('{"constraints": [[1, 0, 0]]}', InputError, "an array of 3 entries"),
        ('{"constraints": [[1, 0]], "rate": 0.5}', UnsupportedError, "rate"),
        (
            '{"constraints": [["1/2*ln(2)", 0.3], ["3/2*ln(2)", 0.2], ["1/2*ln(18)", 0.1]]}',
            InputError,
            "leave out the one that the others imply",
        ),
    ],
)
def test_what_is_not_known_of_constraints_is_refused(
    entry: str, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        read_ledger(f'{{"mechanisms": [{entry}]}}'.encode())
