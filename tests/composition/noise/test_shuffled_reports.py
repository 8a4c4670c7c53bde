"""Shuffled reports: known values, all small data sets, and a published formula that is refuted."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Final

import pytest
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import lower_end, precision, upper_end
from exactdp.composition.answers.compose import compose
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism, ShuffledReportsMechanism, report_pairs
from exactdp.mechanisms.pairs import Curve, OutputTable, Pair
from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.enclosures import enclose_exact
from exactdp.verifier.format.meter import metered
from exactdp.verifier.rules import reports as reports_rule
from exactdp.verifier.rules.reports import Counts, Reports
from tests.marking import each_case, slow_after

Law = Mapping[tuple[int, ...], Fraction]
Rows = Sequence[Sequence[Fraction]]
Published = tuple[int, str, int, str, str, tuple[int, ...], str]

PUBLISHED: Final[list[Published]] = [
    (4, "5", 5, "0.045", "1.049415", (0, 0, 2, 2), "0.058733"),
    (3, "3", 5, "0.036", "0.683806", (0, 0, 2, 2), "0.039283"),
    (10, "5", 4, "0.010", "1.081845", (2, 2, 2), "0.012863"),
    (3, "8", 20, "0.01", "1.559981", (0,) * 10 + (2,) * 9, "0.011047"),
    (3, "8", 200, "1e-5", "0.853783", (0,) + (2,) * 198, "1.0010e-5"),
]
"""Values, odds, reports, δ, the ε of VLDB 2024 there, a data set, and its own δ at that ε."""


def shuffled(rows: Rows) -> Law:
    """How likely the counts of all answers are, where each record answers by a row."""
    law: dict[tuple[int, ...], Fraction] = {(0,) * len(rows[0]): Fraction(1)}
    for row in rows:
        found: dict[tuple[int, ...], Fraction] = {}
        for at, weight in law.items():
            for i, chance in enumerate(row):
                more = (*at[:i], at[i] + 1, *at[i + 1 :])
                found[more] = found.get(more, Fraction(0)) + weight * chance
        law = found
    return law


def revealed(p: Law, q: Law, y: Fraction) -> Fraction:
    none = Fraction(0)
    return sum((max(none, weight - y * q.get(at, none)) for at, weight in p.items()), none)


@cache
def responses(values: int, odds: Fraction) -> Rows:
    """Randomized response on so many values: the answers to each."""
    p = 1 / (odds + values - 1)
    return [[odds * p if i == j else p for i in range(values)] for j in range(values)]


def of_data(rows: Rows, others: Sequence[int], y: Fraction) -> Fraction:
    """What the shuffled answers reveal of a record of 0 that is replaced by one of 1."""
    p, q = (shuffled([rows[own], *(rows[each] for each in others)]) for own in (0, 1))
    return revealed(p, q, y)


def profile(pair: Pair, y: Fraction) -> arb:
    odds = arb(y.numerator) / y.denominator
    if isinstance(pair, Curve):
        return pair.profile(odds.log())
    assert isinstance(pair, OutputTable)
    return sum((arb(0).max(each.p - odds * each.q) for each in pair.atoms(60)), arb(0))


def above(mechanism: ShuffledReportsMechanism, y: Fraction) -> arb:
    with precision(300):
        ((pair, _),) = mechanism.pairs("replace-one")
        return profile(pair, y)


def below(mechanism: ShuffledReportsMechanism, y: Fraction, tilt: mpq) -> arb:
    with precision(300):
        ((pair, _),) = mechanism.attained("replace-one", tilt)
        return profile(pair, y)


def is_about(found: arb, exact: Fraction) -> bool:
    with precision(300):
        return bool(abs(found - arb(exact.numerator) / exact.denominator) < arb(10) ** -30)


def is_at_least(found: arb, exact: Fraction) -> bool:
    with precision(300):
        return bool(upper_end(found) >= mpq(exact))


def is_at_most(found: arb, exact: Fraction) -> bool:
    with precision(300):
        return bool(lower_end(found) <= mpq(exact))


@each_case(
    "end, reports, odds, values, y, exact",
    [
        ("below", 10, 3, 3, "3/2", Fraction(373043, 9765625)),
        ("below", 20, 5, 4, "2", Fraction(4727633195912927, 2**58)),
        ("above", 3, 3, 3, "2", Fraction(2, 25)),
        ("below", 3, 3, 3, "2", Fraction(9, 125)),
        ("above", 5, 5, 4, "3", Fraction("0.05462646484375")),
        ("below", 5, 5, 4, "3", Fraction("0.03802490234375")),
        ("histogram", 5, 5, 4, "3", Fraction("0.046142578125")),
        ("best", 5, 5, 4, "3", Fraction("0.04962158203125")),
    ],
)
def test_reference_values_are_met_exactly(
    end: str, reports: int, odds: int, values: int, y: str, exact: Fraction
) -> None:
    mechanism, ratio = ShuffledReportsMechanism(reports, odds, values), Fraction(y)
    if end == "above":
        found = above(mechanism, ratio)
    else:
        alike = {"below": 0, "histogram": 1, "best": 3}[end]
        found = below(mechanism, ratio, mpq(1, 2) + mpq(alike, 2 * reports))
    assert is_about(found, exact)


def test_two_values_have_the_reference_value_where_all_hold_one() -> None:
    found = below(ShuffledReportsMechanism(10, 3, 2), Fraction(3, 2), mpq(1, 2))
    assert float(found.mid()) == pytest.approx(0.04692792892456055, abs=1e-17)
    assert is_about(found, of_data(responses(2, Fraction(3)), (0,) * 9, Fraction(3, 2)))


SMALL = [
    (values, odds, reports)
    for values, most in ((2, 7), (3, 5), (4, 4))
    for odds in (2, 3, 5, 20)
    for reports in range(2, most + 1)
]
MORE = [(3, 2, 6), (3, 20, 6), (3, 5, 7), (4, 5, 5), (4, 3, 6)]
RATIOS = (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(3))


@each_case("values, odds, reports", [each for each in SMALL if each[2] <= 4])
def test_every_data_set_lies_between_the_ends(values: int, odds: int, reports: int) -> None:
    lies_between(values, odds, reports)


@pytest.mark.slow
@each_case("values, odds, reports", [*(each for each in SMALL if each[2] > 4), *MORE])
def test_every_larger_data_set_lies_between_the_ends(values: int, odds: int, reports: int) -> None:
    lies_between(values, odds, reports)


def lies_between(values: int, odds: int, reports: int) -> None:
    """Every data set is at most the blanket, and the greatest at least what is attained."""
    mechanism, rows = (
        ShuffledReportsMechanism(reports, odds, values),
        responses(values, Fraction(odds)),
    )
    others = list(combinations_with_replacement(range(values), reports - 1))
    laws = [
        [shuffled([rows[own], *(rows[each] for each in data)]) for own in (0, 1)] for data in others
    ]
    for y in RATIOS:
        most = max(revealed(p, q, y) for p, q in laws)
        assert is_at_least(above(mechanism, y), most)
        assert is_at_least(above(ShuffledReportsMechanism(reports, odds), y), most)
        for tilt in mechanism.tilts():
            assert is_at_most(below(mechanism, y, tilt), most)


@each_case("values, odds, reports", [(3, 3, 3), (4, 3, 4)])
def test_blocks_reveal_at_least_what_each_count_does_and_hardly_more(
    values: int, odds: int, reports: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of very many reports: here all counts are in blocks of two or four."""
    mechanism, rows = (
        ShuffledReportsMechanism(reports, odds, values),
        responses(values, Fraction(odds)),
    )
    [(pair, _)] = Reports(reports, (Fraction(odds), Fraction(odds)), values, 1, b"").dominating(
        "replace-one"
    )
    assert isinstance(pair, Counts)
    others = list(combinations_with_replacement(range(values), reports - 1))
    alone = [above(mechanism, y) for y in RATIOS]
    for module in (report_pairs, reports_rule):
        monkeypatch.setattr(module, "_WHOLE_BITS", 1)
    report_pairs.forget_columns()
    together, bits = [above(mechanism, y) for y in RATIOS], 200
    report_pairs.forget_columns()
    with metered(10**12):
        checked = pair.at_odds([enclose_exact(y, bits) for y in RATIOS], bits)
    differs = any(bool(more > less) for more, less in zip(together, alone, strict=True))
    assert differs or reports > 3
    for y, less, more, (low, high) in zip(RATIOS, alone, together, checked, strict=True):
        most = max(of_data(rows, data, y) for data in others)
        assert is_at_least(more, most)
        with precision(300):
            assert upper_end(more) >= lower_end(less)
            assert more < less * arb("1.1") + arb("0.03")
            assert low - 1 <= more * 2**bits <= high + 1


@each_case("alike", range(4))
def test_a_histogram_is_that_of_its_data(alike: int) -> None:
    for values, third in ((2, 1), (3, 2), (6, 2)):
        others = (0,) * alike + (third,) * (3 - alike)
        tilt = mpq(1, 2) + mpq(alike + 1, 8)
        for y in RATIOS:
            exact = of_data(responses(values, Fraction(5, 2)), others, y)
            assert is_about(below(ShuffledReportsMechanism(4, "5/2", values), y, tilt), exact)


def randomizers(seed: int) -> Iterator[tuple[Rows, int]]:
    """Randomizers on three inputs whose odds are bounded, with the bound."""
    drawn = random.Random(seed)  # noqa: S311 (no secret)
    while True:
        odds, answers = drawn.choice([2, 3, 5]), drawn.choice([2, 3, 4])
        base = [drawn.randint(1, 20) for _ in range(answers)]
        rows: list[list[Fraction]] = []
        while len(rows) < 3:
            row = [each * drawn.choice([1, odds, drawn.randint(1, odds)]) for each in base]
            known = [Fraction(each, sum(row)) for each in row]
            near = all(
                max(a / b, b / a) <= odds
                for other in rows
                for a, b in zip(known, other, strict=True)
            )
            if near:
                rows.append(known)
        yield rows, odds


def test_no_randomizer_reveals_more_than_clones() -> None:
    for (rows, odds), reports in zip(randomizers(5), [2, 3, 4] * 10, strict=False):
        clones = ShuffledReportsMechanism(reports, odds)
        for y in (Fraction(1), Fraction(5, 4), Fraction(2)):
            found = above(clones, y)
            for others in combinations_with_replacement(range(3), reports - 1):
                assert is_at_least(found, of_data(rows, others, y))


@pytest.mark.parametrize("row", slow_after(3, PUBLISHED))
def test_a_published_formula_is_below_what_some_data_reveal(row: Published) -> None:
    """VLDB 2024's ``amplificationUB``; a bound that came as low would be false as well."""
    values, odds, reports, delta, epsilon, others, exact = row
    mechanism = ShuffledReportsMechanism(reports, odds, values)
    with precision(200):
        y = arb(epsilon).exp()
        ((pair, _),) = mechanism.attained(
            "replace-one", mpq(1, 2) + mpq(others.count(0) + 1, 2 * reports)
        )
        assert isinstance(pair, OutputTable)
        found = sum((arb(0).max(each.p - y * each.q) for each in pair.atoms(60)), arb(0))
    assert float(found.mid()) == pytest.approx(
        float(exact), abs=1e-6 if float(exact) > 1e-3 else 1e-9
    )
    assert float(found.mid()) > float(delta)
    answer = compose(
        Ledger((mechanism,), neighbouring="replace-one"), delta=delta, tolerance="1e-6"
    )
    assert answer.lower is not None
    assert answer.upper is not None
    assert mpq(epsilon.replace(".", "") + "/1000000") < answer.lower <= answer.upper


def test_the_published_pair_is_the_third_value_alone() -> None:
    """At its own ε the formula has δ for the pair that is a lower end here, and no upper one."""
    for values, odds, reports, delta, epsilon, _, _ in PUBLISHED[:4]:
        y = Fraction(str(float(arb(epsilon).exp().mid())))
        found = below(ShuffledReportsMechanism(reports, odds, values), y, mpq(1, 2))
        assert float(found.mid()) == pytest.approx(float(delta), rel=1e-4)


@each_case("values", [None, 2, 3, 16])
def test_ends_are_monotone_in_reports_and_odds(values: int | None) -> None:
    y = Fraction(6, 5)
    for fewer, more in ((40, 60), (60, 90)):
        assert above(ShuffledReportsMechanism(fewer, 3, values), y) > above(
            ShuffledReportsMechanism(more, 3, values), y
        )
    for less, greater in (("2", "3"), ("3", "7/2")):
        assert above(ShuffledReportsMechanism(40, less, values), y) < above(
            ShuffledReportsMechanism(40, greater, values), y
        )


@each_case("reports, values, y", product((7, 60), (0, 2, 3, 9), ("1", "9/8", "2", "7/2")))
def test_engine_and_verifier_have_one_profile(reports: int, values: int, y: str) -> None:
    ratio, bits = Fraction(y), 200
    [(pair, _)] = Reports(reports, (Fraction(7, 2), Fraction(7, 2)), values, 1, b"").dominating(
        "replace-one"
    )
    assert isinstance(pair, Counts)
    with metered(10**12):
        low, high = pair.at_odds([enclose_exact(ratio, bits)], bits)[0]
    found = above(ShuffledReportsMechanism(reports, "7/2", values or None), ratio)
    with precision(300):
        assert low - 1 <= found * 2**bits <= high + 1
    assert high - low < 2**20


def test_the_table_of_the_design_is_certified() -> None:
    mechanism = ShuffledReportsMechanism(1000, 3)
    answer = compose(
        Ledger((mechanism,), neighbouring="replace-one"), delta="1e-6", tolerance="1e-8"
    )
    assert mpq("0.14894958") < mpq(answer.lower or 0) < mpq("0.14894960")
    assert mpq("0.20941077") < mpq(answer.upper or 9) < mpq("0.20941079")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@each_case(
    "reports, odds, values, delta, lower, upper",
    [
        (1000, 3, 3, "1e-6", "0.14894959", "0.14909940"),
        (1000, 3, 16, "1e-6", "0.07491589", "0.07496412"),
        (10**4, 8, None, "1e-6", "0.11479825", "0.16550547"),
        (10**3, 8, 3, "1e-6", "0.39727434", "0.39759212"),
        (10**4, 8, 3, "1e-6", "0.11479825", "0.11480550"),
        (10**4, 8, 16, "1e-6", "0.07335934", "0.07336943"),
    ],
)
def test_more_rows_of_the_table_are_certified(
    reports: int, odds: int, values: int | None, delta: str, lower: str, upper: str
) -> None:
    mechanism = ShuffledReportsMechanism(reports, odds, values)
    answer = compose(
        Ledger((mechanism,), neighbouring="replace-one"), delta=delta, tolerance="1e-8"
    )
    assert float(answer.lower or 0) == pytest.approx(float(lower), abs=1.1e-8)
    assert float(answer.upper or 0) == pytest.approx(float(upper), abs=1.1e-8)
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@each_case(
    "odds, values, lower, upper",
    [
        (8, None, "0.01308487", "0.01871662"),
        (55, None, "0.04483804", "0.06446201"),
        (55, 16, "0.04025872", None),
    ],
)
def test_rows_of_a_million_reports_are_met(
    odds: int, values: int | None, lower: str, upper: str | None
) -> None:
    mechanism = ShuffledReportsMechanism(10**6, odds, values)
    answer = compose(
        Ledger((mechanism,), neighbouring="replace-one"), delta="1e-8", tolerance="1e-6"
    )
    near = 1e-6 if values else 1.1e-8
    assert float(answer.lower or 0) == pytest.approx(float(lower), abs=near)
    most = float(answer.upper or 9)
    assert upper is None or most == pytest.approx(float(upper), abs=near)
    assert float(answer.lower or 0) <= most


@pytest.mark.slow
def test_a_month_of_daily_reports_beside_noise_is_certified() -> None:
    ledger = Ledger(
        (ShuffledReportsMechanism(1000, 3, count=30), GaussianMechanism("1/10")),
        neighbouring="replace-one",
    )
    answer = compose(ledger, delta="1e-6", tolerance="1e-2")
    assert mpq("1.0") < mpq(answer.lower or 0) < mpq("1.05")
    assert mpq("1.35") < mpq(answer.upper or 9) < mpq("1.4")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.slow
@each_case(
    "first, second",
    [((3, 3, 3), (3, 3, 3)), ((4, 5, 3), (2, 2, 2)), ((2, 20, 4), (3, 8, 3)), ((3, 8, 4), None)],
)
def test_two_rounds_on_every_two_data_sets_lie_between_the_ends(
    first: tuple[int, int, int], second: tuple[int, int, int] | None
) -> None:
    """The records may answer another question in each round, or beside a randomized response."""
    laws, mechanisms = list[list[tuple[Law, Law]]](), list[Mechanism | ShuffledReportsMechanism]()
    for values, odds, reports in [first, *([second] if second else [])]:
        rows = responses(values, Fraction(odds))
        others = combinations_with_replacement(range(values), reports - 1)
        laws.append(
            [
                (shuffled([rows[0], *o]), shuffled([rows[1], *o]))
                for o in ([rows[each] for each in data] for data in others)
            ]
        )
        mechanisms.append(ShuffledReportsMechanism(reports, odds, values))
    if not second:
        p: Law = {(0,): Fraction(2, 3), (1,): Fraction(1, 3)}
        q: Law = {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}
        laws.append([(p, q), (q, p)])
        mechanisms.append(Mechanism("ln(2)"))
    ledger = Ledger(tuple(mechanisms), neighbouring="replace-one")
    for y in (Fraction(3, 2), Fraction(3)):
        most = max(
            revealed(_product(one[0], other[0]), _product(one[1], other[1]), y)
            for one, other in product(*laws)
        )
        answer = compose(ledger, delta=most, tolerance="1e-5")
        with precision(200):
            loss = (arb(y.numerator) / y.denominator).log()
            assert mpq(answer.lower or 0) <= upper_end(loss)
            assert lower_end(loss) <= mpq(answer.upper or 0)


def _product(one: Law, other: Law) -> Law:
    return {(*a, *b): p * q for a, p in one.items() for b, q in other.items()}


def test_histograms_are_chosen_beside_other_mechanisms() -> None:
    """Beside noise that hides hardly anything less, as many others as alone are alike."""
    reports = ShuffledReportsMechanism(20, 8, 3)
    beside = Ledger((reports, GaussianMechanism("1/10")), neighbouring="replace-one")
    alone = compose(Ledger((reports,), neighbouring="replace-one"), delta="1e-2")
    found = compose(beside, delta="1e-2")
    assert mpq(alone.lower or 9) < mpq(found.lower or 0)
    certificate = found.lower_certificate()
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize("values", [None, 2, 3])
def test_local_epsilon_lies_between_odds_on_either_side(values: int | None) -> None:
    """e^(1/2) = 1.648721270700128…"""
    y, near = Fraction(6, 5), ("1.6487212707001281", "1.6487212707001282")
    given = ShuffledReportsMechanism(30, values=values, local_epsilon="1/2")
    less, more = (ShuffledReportsMechanism(30, odds, values) for odds in near)
    with precision(300):
        assert above(less, y) < above(given, y) < above(more, y)
        assert below(less, y, mpq(1, 2)) < below(given, y, mpq(1, 2)) < below(more, y, mpq(1, 2))
    ledger = Ledger((given,), neighbouring="replace-one")
    answer = compose(ledger, delta="1e-3", tolerance="1e-6")
    for certificate in (answer.upper_certificate(), answer.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"
    at_zero = compose(ledger, delta=0)
    assert at_zero.lower == at_zero.upper == mpq(1, 2)


@each_case(
    "parts, relation, error, match",
    [
        ('"reports": 9, "odds": 3', "add-remove-one", UnsupportedError, "replace-one"),
        ('"reports": 9, "odds": 3', "zero-out", UnsupportedError, "replace-one"),
        ('"reports": 9, "odds": 1', "replace-one", InputError, "above 1"),
        ('"reports": 1, "odds": 3', "replace-one", InputError, "at least 2"),
        ('"reports": 9, "odds": 3, "values": 1', "replace-one", InputError, "at least 2"),
        ('"reports": 9', "replace-one", InputError, "odds"),
        ('"reports": 9, "odds": 3, "local_epsilon": 1', "replace-one", InputError, "odds"),
        ('"reports": 9, "local_epsilon": 0', "replace-one", InputError, "1e-9 to 40"),
        (
            '"reports": 9, "local_epsilon": "ln(3)"',
            "replace-one",
            InputError,
            "write e\\^ε₀ as odds",
        ),
        ('"reports": 9, "odds": "ln(3)"', "replace-one", InputError, "rational"),
    ],
)
def test_what_is_not_known_of_shuffled_reports_is_refused(
    parts: str, relation: str, error: type[Exception], match: str
) -> None:
    text = f'{{"neighbouring": "{relation}", "mechanisms": [{{"shuffled_reports": {{{parts}}}}}]}}'
    with pytest.raises(error, match=match):
        read_ledger(text.encode())
