"""Mechanisms by their noise: checked at the door, written so that they can be read."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Final

import pytest
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import (
    ZERO_OUT,
    BoundedRangeMechanism,
    ConcentratedMechanism,
    ConstrainedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    Family,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    PersonInSampleMechanism,
    RenyiMechanism,
    Sampleable,
    SampledMechanism,
    SelectionMechanism,
    ShuffledGaussianMechanism,
    sampled,
)
from exactdp.mechanisms.checks import MOST_ORDERS, MOST_ROWS, MOST_SHIFTS
from exactdp.mechanisms.selection import NegativeBinomialRuns, PoissonRuns
from tests.families import NOISE_ON_INTEGERS
from tests.marking import each_case
from tests.untyped import untyped

HALF = mpq(1, 2)
LAWS = (["3/4", "1/4"], ["1/4", "3/4"])

positive = st.builds(mpq, st.integers(1, 10**6), st.integers(1, 10**6))
shifts = st.lists(st.integers(1, 10**6), min_size=1, max_size=4)
counts = st.one_of(st.integers(1, 5), st.integers(1, 10**18))


def _law(weights: list[int]) -> list[mpq]:
    return [mpq(weight, sum(weights)) for weight in weights]


laws = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(_law)
bases: st.SearchStrategy[Sampleable] = st.one_of(
    st.builds(GaussianMechanism, positive),
    st.builds(GaussianMechanism.of_variance, positive, positive),
    st.builds(LaplaceMechanism, positive, positive),
    *(st.builds(noise.family, positive, shifts) for noise in NOISE_ON_INTEGERS),
    st.builds(BoundedRangeMechanism, positive),
    st.builds(PairMechanism, laws, laws),
)
rates = st.fractions(0, 1).filter(lambda rate: 0 < rate < 1)
of_one_shift = bases.filter(lambda base: len(getattr(base, "shifts", (1,))) == 1)
sampled_ones = st.builds(SampledMechanism, of_one_shift, rates, counts, st.text("ab", max_size=2))
shuffled_ones = st.builds(
    ShuffledGaussianMechanism,
    positive,
    st.integers(1, 10**9),
    st.integers(1, 10**9),
    st.sampled_from(["fresh", "persistent"]),
    counts,
)


def constrained(pairs: list[tuple[str, Fraction]], count: int) -> ConstrainedMechanism:
    """Constraints of which it is known which say something."""
    try:
        return ConstrainedMechanism(pairs, count)
    except InputError:
        reject()


constrained_ones = st.builds(
    constrained,
    st.dictionaries(
        st.sampled_from(["0", "1/3", "ln(3)", "2", "1/2*ln(7)"]), rates, min_size=1, max_size=3
    ).map(lambda pairs: [(epsilon, delta / 2) for epsilon, delta in pairs.items()]),
    counts,
)
selected_ones = st.builds(
    SelectionMechanism,
    st.one_of(
        st.builds(
            lambda epsilon, count: Mechanism(epsilon, 0, count),
            st.sampled_from(["1/3", "ln(3)", "1/2*ln(7)"]),
            counts,
        ),
        st.builds(GaussianMechanism, st.sampled_from(["1/3", "2"]), counts),
        st.builds(lambda count: RenyiMechanism([(2, "1/9"), (8, 1)], count), counts),
    ),
    st.sampled_from([NegativeBinomialRuns("-1/2", "1/3"), PoissonRuns("7/2")]),
    counts,
)
renyi_ones = st.builds(
    RenyiMechanism,
    st.dictionaries(positive.map(lambda x: 1 + x), positive, min_size=1, max_size=3).map(
        lambda orders: list(orders.items())
    ),
    counts,
)


@settings(deadline=None)
@given(st.lists(st.one_of(sampled_ones, bases), min_size=1, max_size=4))
def test_a_ledger_of_sampled_mechanisms_is_read_as_it_was_written(
    entries: list[SampledMechanism | Sampleable],
) -> None:
    ledger = Ledger(tuple(entries))
    assert read_ledger(write_ledger(ledger).encode()) == ledger


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(shuffled_ones, constrained_ones, selected_ones, renyi_ones),
        min_size=1,
        max_size=4,
    )
)
def test_a_ledger_of_shuffled_mechanisms_is_read_as_it_was_written(
    entries: list[Entry],
) -> None:
    ledger = Ledger(tuple(entries), neighbouring="replace-one")
    assert read_ledger(write_ledger(ledger).encode()) == ledger


def test_csv_holds_every_family_but_tables() -> None:
    entries = (
        Mechanism("0.1", "1e-9", 3),
        ConcentratedMechanism("1/8"),
        GaussianMechanism("1/2"),
        LaplaceMechanism("2", "3", 5, "noise"),
        DiscreteLaplaceMechanism("2", (1, 4)),
        DiscreteGaussianMechanism("25/4", (1, 1)),
        BoundedRangeMechanism("1/10"),
        SampledMechanism(GaussianMechanism("10/11"), "256/60000", 14063),
        SampledMechanism(DiscreteLaplaceMechanism("2"), "1/3"),
    )
    written = write_ledger(Ledger(entries), "csv")
    assert read_ledger(written.encode()).mechanisms == entries
    shuffled = Ledger((ShuffledGaussianMechanism("1/2", 1000),), neighbouring=ZERO_OUT)
    assert write_ledger(shuffled, "csv").splitlines()[0] == (
        "label,epsilon,delta,sigma,batches,epochs,order,count"
    )
    with pytest.raises(UnsupportedError, match=r"^pair: a table"):
        write_ledger(Ledger((PairMechanism(*LAWS),)), "csv")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("laplace,sensitivity\n2,1\n", LaplaceMechanism("2")),
        ("sigma,sensitivity,rate\n1.1,1,0.5\n", SampledMechanism(GaussianMechanism("10/11"), HALF)),
        ("discrete_gaussian,shifts,count\n4,1+2,7\n", DiscreteGaussianMechanism("4", (1, 2), 7)),
    ],
)
def test_csv_columns_are_named_by_the_families(row: str, expected: Family) -> None:
    assert read_ledger(row.encode()).mechanisms == (expected,)


@pytest.mark.parametrize(
    "row", ["sigma,shifts\n1,2\n", "laplace,shifts\n2,1\n", "laplace,mu\n2,1\n", "rate\n1\n"]
)
def test_csv_rows_of_several_families_or_none_are_refused(row: str) -> None:
    with pytest.raises(InputError, match=r"^(row|epsilon)"):
        read_ledger(row.encode())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("laplace=2/1", LaplaceMechanism("2")),
        ("laplace=2,sensitivity=1/2*3", LaplaceMechanism("2", HALF, 3)),
        ("discrete_laplace=2", DiscreteLaplaceMechanism("2")),
        ("discrete_gaussian=25/4,shifts=1+1", DiscreteGaussianMechanism("25/4", (1, 1))),
        ("bounded_range=0.1", BoundedRangeMechanism("1/10")),
        (
            "sigma=1.1,rate=256/60000*14063",
            SampledMechanism(GaussianMechanism("10/11"), "256/60000", 14063),
        ),
        ("mu=1/2, rate=1/2", SampledMechanism(GaussianMechanism(HALF), HALF)),
        ("sigma=2*5", GaussianMechanism(HALF, 5)),
        ("laplace=2,rate=1*5", LaplaceMechanism("2", 1, 5)),
        ("rho=1/8*2", ConcentratedMechanism("1/8", 2)),
        (
            "sigma=1/2,batches=10,epochs=3,order=persistent",
            ShuffledGaussianMechanism(HALF, 10, 3, "persistent"),
        ),
    ],
)
def test_inline_mechanisms_are_named_by_their_families(text: str, expected: object) -> None:
    assert parse_inline(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("sigma=0,rate=.1", "a rational number above 0"),
        ("sigma=1,rate=0", "leave out a mechanism that nobody takes part in"),
        ("sigma=1,rate=1.5", "a rational above 0 and at most 1"),
        ("discrete_gaussian=1e-30", "a rational number from 1e-6 to 1e12"),
        ("discrete_gaussian=1e30", "a rational number from 1e-6 to 1e12"),
        ("discrete_laplace=1,shifts=", "a whole number in plain digits"),
        ("discrete_laplace=1,shifts=0", "leave out a coordinate that does not move"),
        ("discrete_laplace=1,shifts=-3", "the noise is symmetric: write 3"),
        ("discrete_laplace=1,shifts=1000000000", "a whole number from 1 to 1000000"),
        ("discrete_laplace=1,shifts=1e3", "a whole number in plain digits"),
        ("rho=1,rate=.5", "what is known of others is two numbers"),
        ("eps=1", "a plain mechanism is 0.1"),
        ("pair=1", "a table stands in a ledger file in JSON"),
        ("shuffled_reports=8", "shuffled_reports stands in a ledger file in JSON"),
        ("selection=8", "selection stands in a ledger file in JSON"),
        ("laplace=2,shifts=1", "beside laplace: sensitivity, clip, rate"),
        ("laplace=2,laplace=3", "laplace only once"),
        ("sigma=1,rat=.1", "did you mean rate?"),
        ("0.1*3,sigma=1", "each mechanism takes an option -m of its own"),
        ("laplace=2,5", "NAME=VALUE"),
        ("sigma=1,batches=0", "a whole number from 1 to 1000000000"),
        ("sigma=1,batches=5,rate=.1", "beside batches: epochs and order alone"),
        ("sigma=1,epochs=3", "batches beside it"),
        ("sigma=1,batches=3,order=wild", "fresh or persistent"),
        ("bounded_range=ln(2)", "a rational number"),
        ("sigma=1,rate=.1*10000000000000000000", "a whole number from 1 to 10"),
    ],
)
def test_inline_values_out_of_range_are_refused_with_what_would_fit(
    text: str, expected: str
) -> None:
    with pytest.raises(InputError, match="-m ") as caught:
        parse_inline(text)
    assert expected in str(caught.value)


def test_a_count_of_a_billion_billions_is_kept_as_one_entry() -> None:
    assert parse_inline("sigma=1,rate=.1*1000000000000000000").count == 10**18


@each_case(
    ("entry", "path", "expected"),
    [
        ('{"rate":0.5,"epsilon":1}', "rate", "0.5 beside epsilon"),
        ('{"rate":0.5,"rho":1}', "rate", "0.5 beside rho"),
        ('{"renyi":[[3,1]],"rate":0.1}', "rate", "0.1 beside renyi"),
        ('{"sigma":1,"shuffled":{"batches":3},"rate":0.1}', "rate", "0.1 beside shuffled"),
        (
            '{"sigma":1,"shuffled":{"batches":3},"sensitivity":2}',
            "sensitivity",
            "divide sigma by the sensitivity",
        ),
        ('{"pair":{"p":[0.5,0.4],"q":[1,0]}}', "pair.p", "a sum of 9/10"),
        ('{"pair":{"p":[1.5,-0.5],"q":[1,0]}}', "pair.p", "at least 0"),
        ('{"pair":{"p":[0.5,0.5],"q":[1]}}', "pair", "2 and 1 probabilities"),
        ('{"discrete_laplace":{"scale":1,"shifts":[]}}', "discrete_laplace.shifts", "0 shifts"),
        (
            '{"discrete_laplace":{"scale":1,"shifts":[1.5]}}',
            "discrete_laplace.shifts[0]",
            "a whole number in plain digits",
        ),
        (
            '{"discrete_gaussian":{"variance":1e30,"shifts":[1]}}',
            "discrete_gaussian.variance",
            "from 1e-6 to 1e12",
        ),
        ('{"laplace":{"scale":0,"sensitivity":1}}', "laplace.scale", "above 0"),
        ('{"laplace":{"scale":1,"sens":1}}', "laplace.sens", "did you mean sensitivity?"),
        ('{"renyi":[[1,2]]}', "renyi", "an order above 1"),
        ('{"renyi":[[2,1],[2,3]]}', "renyi", "each order once"),
        ('{"renyi":[]}', "renyi", "0 orders"),
        ('{"renyi":[[3]]}', "renyi[0]", "a pair"),
    ],
)
def test_json_values_out_of_range_are_refused_at_their_place(
    entry: str, path: str, expected: str
) -> None:
    with pytest.raises(InputError, match=r"\$\.mechanisms") as caught:
        read_ledger(f'{{"mechanisms":[{entry}]}}'.encode())
    assert caught.value.path == f"$.mechanisms[0].{path}"
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: DiscreteLaplaceMechanism(1, [1] * (MOST_SHIFTS + 1)), "from 1 to 1000 shifts"),
        (lambda: PairMechanism([], []), "from 1 to 4096 probabilities"),
        (lambda: PairMechanism([mpq(1, MOST_ROWS + 1)] * (MOST_ROWS + 1), [1]), "from 1 to 4096"),
        (lambda: RenyiMechanism([(2 + k, 1) for k in range(MOST_ORDERS + 1)]), "from 1 to 1000"),
        (lambda: RenyiMechanism([(2,)]), "pairs of an order and a divergence"),
        (lambda: LaplaceMechanism(untyped(0.5)), "float"),
        (lambda: SampledMechanism(GaussianMechanism(1, 2), HALF), "a base of count 1"),
        (lambda: ShuffledGaussianMechanism(1, True), "a whole number"),
    ],
)
def test_python_values_out_of_range_are_refused(make: object, expected: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=expected):
        make()


def test_what_cannot_be_sampled_is_refused_by_name() -> None:
    base: object = Mechanism(1)
    with pytest.raises(UnsupportedError, match="what is known of others is two numbers"):
        SampledMechanism(base, HALF)  # type: ignore[arg-type]  # what a caller without types may do


@pytest.mark.parametrize(
    "base",
    [
        GaussianMechanism("1/2"),
        LaplaceMechanism("2"),
        DiscreteLaplaceMechanism("2"),
        DiscreteGaussianMechanism("2"),
        BoundedRangeMechanism("2"),
        PairMechanism(*LAWS),
    ],
)
def test_a_sample_of_everybody_is_the_mechanism_itself(base: Sampleable) -> None:
    everybody = sampled(base, 1, 5, "label")
    assert everybody == base.changed(count=5, label="label")
    assert (everybody.count, everybody.label) == (5, "label")


def test_several_coordinates_of_one_sample_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="one sample would serve all coordinates"):
        SampledMechanism(DiscreteGaussianMechanism(2, (1, 1)), HALF)


def test_a_sample_of_what_says_nothing_says_nothing() -> None:
    assert sampled(GaussianMechanism(0), HALF, 3, "") == GaussianMechanism(0, 3)
    assert SampledMechanism(GaussianMechanism(0), HALF).shape() == {"mu": 0}


def test_sampling_is_about_records_that_are_added_or_removed() -> None:
    step = SampledMechanism(GaussianMechanism(1), HALF)
    assert Ledger((step,)).neighbouring == "add-remove-one"
    with pytest.raises(UnsupportedError, match=r"^neighbouring: .* expected add-remove-one"):
        Ledger((step,), neighbouring=ZERO_OUT)
    entry = {"sigma": 1, "sensitivity": 1, "rate": "1/2"}
    with pytest.raises(InputError, match='add "neighbouring": "add-remove-one"'):
        read_ledger(json.dumps({"mechanisms": [entry]}).encode())


def test_shuffling_is_about_records_that_are_zeroed_or_replaced() -> None:
    epochs = ShuffledGaussianMechanism("1/2", 10)
    assert Ledger((epochs,), neighbouring=ZERO_OUT).given_by == "noise"
    assert Ledger((epochs,)).neighbouring == ZERO_OUT
    with pytest.raises(UnsupportedError, match="expected zero-out or replace-one"):
        Ledger((epochs,), neighbouring="add-remove-one")
    entry = {"sigma": 1, "shuffled": {"batches": 3}}
    with pytest.raises(InputError, match='add "neighbouring": "zero-out"'):
        read_ledger(json.dumps({"mechanisms": [entry]}).encode())
    with pytest.raises(UnsupportedError, match="records shuffled into batches are zeroed out"):
        Ledger((Mechanism(1),), neighbouring=ZERO_OUT)
    sampled = SampledMechanism(GaussianMechanism(1), HALF)
    assert Ledger((sampled, epochs)).neighbouring == ZERO_OUT
    with pytest.raises(UnsupportedError, match=r"^neighbouring: zero-out: expected add-remove-one"):
        Ledger((sampled,), neighbouring=ZERO_OUT)


@pytest.mark.parametrize("neighbouring", ["unspecified", "add-remove-one", "replace-one"])
def test_mechanisms_without_a_relation_in_common_are_refused(neighbouring: str) -> None:
    table = {"pair": {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}}
    reports = {"shuffled_reports": {"reports": 2, "odds": 2}}
    document = {"mechanisms": [table, reports], "neighbouring": neighbouring}
    known = "mechanisms that have a neighbouring relation|p is the law with a record"
    with pytest.raises(UnsupportedError, match=known):
        read_ledger(json.dumps(document).encode())


CLIPPED: Final = (
    GaussianMechanism(1),
    LaplaceMechanism(3, 2),
    DiscreteLaplaceMechanism(2, (2,)),
    DiscreteGaussianMechanism(2, (2,)),
)


@pytest.mark.parametrize(
    "step",
    [
        SampledMechanism(BoundedRangeMechanism(1), HALF),
        *(SampledMechanism(base, HALF, clip=2) for base in CLIPPED),
    ],
    ids=repr,
)
def test_a_sampled_record_may_be_replaced_beside_a_clip_or_a_range(step: SampledMechanism) -> None:
    epochs = ShuffledGaussianMechanism("1/2", 10)
    for entries in ((step,), (step, epochs)):
        assert Ledger(entries, neighbouring="replace-one").neighbouring == "replace-one"


@pytest.mark.parametrize("base", CLIPPED, ids=repr)
def test_a_sensitivity_alone_beside_a_rate_is_refused_where_a_record_is_replaced(
    base: Sampleable,
) -> None:
    entries = (Mechanism(1), SampledMechanism(base, HALF))
    with pytest.raises(
        UnsupportedError, match=r"^(sensitivity|shifts) at mechanisms\[1\]"
    ) as caught:
        Ledger(entries, neighbouring="replace-one")
    assert "expected clip beside a rate" in str(caught.value)
    assert "clip=1, rate=1/2 if" in str(caught.value)


def test_a_clip_is_the_reach_of_its_base_and_stands_beside_a_rate_below_one() -> None:
    with pytest.raises(InputError, match="what a removal moves the sum by"):
        SampledMechanism(LaplaceMechanism(3, 2), HALF, clip=1)
    with pytest.raises(UnsupportedError, match="noise on a sum"):
        SampledMechanism(BoundedRangeMechanism(1), HALF, clip=1)
    with pytest.raises(UnsupportedError, match="1 where a record is added or removed, 2 where one"):
        SampledMechanism(GaussianMechanism(1), 1, clip=1)


@pytest.mark.parametrize(
    "entry",
    [
        PairMechanism(["1/2", "1/2"], ["1/4", "3/4"]),
        SampledMechanism(PairMechanism(["1/2", "1/2"], ["1/4", "3/4"]), HALF),
    ],
)
def test_tables_know_of_no_replacement(entry: Entry) -> None:
    with pytest.raises(UnsupportedError, match=r"replace-one: expected add-remove-one"):
        Ledger((entry,), neighbouring="replace-one")


def test_a_table_before_and_after_a_replacement_is_told_how_to_go_on() -> None:
    table = PairMechanism(["1/2", "1/2"], ["1/4", "3/4"])
    with pytest.raises(UnsupportedError, match=r"add-remove-one. and say so in notes"):
        Ledger((table,), neighbouring="replace-one")


def test_what_is_known_of_parameters_alone_refuses_noise_by_name() -> None:
    ledger = ledger_of_inline(["0.1", "bounded_range=0.1"])
    assert ledger.given_by == "noise"
    for refuse in (ledger.parametric, ledger.approximate):
        with pytest.raises(UnsupportedError, match=r"^bounded_range at mechanisms\[1\]"):
            refuse()


def test_several_records_of_a_person_stand_in_one_line_and_in_a_column() -> None:
    person = PersonInSampleMechanism(1, "1/100", 3, 10)
    assert parse_inline("sigma=1,rate=1/100,records_per_person=3*10") == person
    table = b"sigma,rate,records per person,count\n1,1/100,3,10\n2,1/50,1,5\n3,1,2,1\n"
    ledger = read_ledger(table)
    step = SampledMechanism(GaussianMechanism("1/2"), "1/50", 5)
    assert ledger.mechanisms == (person, step, GaussianMechanism("2/3"))
    assert read_ledger(write_ledger(ledger, "csv").encode()).mechanisms == ledger.mechanisms
