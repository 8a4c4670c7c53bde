"""Ledgers as other tools keep them: read exactly, refused by name and place, written to be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
    NoiseMechanism,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledBase,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.ledger.reading import WRITERS, loses, read_ledger, write_ledger
from exactdp.ledger.scaling import replace_count
from tests.cli.running import exactdp


def _event(name: str, **fields: object) -> dict[str, Any]:
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


def _read(tree: object) -> Ledger:
    return read_ledger(json.dumps(tree).encode())


LAPLACE = _event("LaplaceDpEvent", noise_multiplier=10.0)


@pytest.mark.parametrize(
    ("event", "mechanism"),
    [
        (LAPLACE, LaplaceMechanism(10)),
        (
            _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3),
            DiscreteLaplaceMechanism(2, (3,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2.5, sensitivity=2.0, dimension=1),
            DiscreteGaussianMechanism("25/4", (2,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2.5, sensitivity=1.0, dimension=None),
            DiscreteGaussianMechanism("25/4"),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2, sensitivity=2.0, dimension=None),
            ConcentratedMechanism("1/2"),
        ),
        (_event("ExponentialMechanismDpEvent", epsilon=0.5), BoundedRangeMechanism("1/2")),
        (_event("PermuteAndFlipDpEvent", epsilon=0.5), Mechanism("1/2")),
        (_event("EpsilonDeltaDpEvent", epsilon=0.5, delta=1e-6), Mechanism("1/2", "1e-6")),
        (_event("GaussianDpEvent", noise_multiplier=4.0), GaussianMechanism("1/4")),
        (_event("ZCDpEvent", rho=0.1, xi=0.0), ConcentratedMechanism("1/10")),
        (_event("ZCDpEvent", rho=0.1), ConcentratedMechanism("1/10")),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2),
            Mechanism("ln(3)"),
        ),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=4),
            Mechanism("ln(5)"),
        ),
        (_event("RandomizedResponseDpEvent", noise_parameter=1, num_buckets=4), Mechanism("0")),
    ],
)
def test_an_event_becomes_the_mechanism_that_it_describes(
    event: dict[str, Any], mechanism: Entry
) -> None:
    assert _read(event).mechanisms == (mechanism,)


def _sampled(event: object, probability: object = 0.5) -> dict[str, Any]:
    return _event("PoissonSampledDpEvent", sampling_probability=probability, event=event)


GAUSSIAN = _event("GaussianDpEvent", noise_multiplier=1.1)


@pytest.mark.parametrize(
    ("event", "base"),
    [
        (GAUSSIAN, GaussianMechanism("10/11")),
        (LAPLACE, LaplaceMechanism("10")),
        (
            _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3),
            DiscreteLaplaceMechanism("2", (3,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2, sensitivity=1, dimension=1),
            DiscreteGaussianMechanism(4),
        ),
        (_event("ExponentialMechanismDpEvent", epsilon=0.5), BoundedRangeMechanism("1/2")),
    ],
)
def test_a_sampled_event_is_the_mechanism_on_a_poisson_sample(
    event: dict[str, Any], base: SampledBase
) -> None:
    ledger = _read(_event("SelfComposedDpEvent", event=_sampled(event), count=7))
    assert ledger.mechanisms == (SampledMechanism(base, "1/2", 7),)
    assert ledger.neighbouring == "add-remove-one"


def test_a_sample_of_everybody_is_none_and_of_nobody_says_nothing() -> None:
    assert _read(_sampled(GAUSSIAN, 1)).mechanisms == (GaussianMechanism("10/11"),)
    assert _read(_sampled(GAUSSIAN, 0)).mechanisms == ()
    assert _read(_sampled(_event("NoOpDpEvent"), 0.5)).mechanisms == ()


@pytest.mark.parametrize(
    ("event", "value"),
    [
        (_event("ZCDpEvent", rho=1), "ZCDpEvent on a sample"),
        (_event("ComposedDpEvent", events=[GAUSSIAN]), "ComposedDpEvent on a sample"),
        (None, "null on a sample"),
    ],
)
def test_other_events_on_a_sample_are_refused_by_name(event: object, value: str) -> None:
    with pytest.raises(UnsupportedError, match="GaussianDpEvent or LaplaceDpEvent") as caught:
        _read(_sampled(event))
    assert (caught.value.value, caught.value.path) == (value, "$.event")


def test_noise_is_written_as_the_events_that_it_was_read_from() -> None:
    discrete = _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=2)
    tree = _event(
        "ComposedDpEvent",
        events=[
            _event("SelfComposedDpEvent", event=_sampled(GAUSSIAN, 0.25), count=14063),
            _sampled(LAPLACE),
            _sampled(discrete),
        ],
    )
    ledger = _read(tree)
    written = write_ledger(ledger, "dp-accounting")
    assert _read(json.loads(written)).mechanisms[1:] == ledger.mechanisms[1:]
    assert '"noise_multiplier": 1.1' in written


@pytest.mark.parametrize(
    "entry", [PairMechanism([1], [1]), RenyiMechanism([(2, 1)]), ShuffledGaussianMechanism(1, 9)]
)
def test_noise_without_an_event_is_not_written(entry: NoiseMechanism) -> None:
    with pytest.raises(UnsupportedError, match="a mechanism that dp-accounting has an event for"):
        write_ledger(
            Ledger((entry,), neighbouring=(*entry.neighbours, "unspecified")[0]), "dp-accounting"
        )


def test_counts_multiply_through_the_tree() -> None:
    inner = _event("SelfComposedDpEvent", event=LAPLACE, count=3)
    tree = _event(
        "ComposedDpEvent",
        events=[_event("NoOpDpEvent"), _event("SelfComposedDpEvent", event=inner, count=5)],
    )
    ledger = _read(tree)
    assert (ledger.mechanisms, ledger.neighbouring) == (
        (LaplaceMechanism(10, 1, 15),),
        "add-remove-one",
    )


@pytest.mark.parametrize(
    ("event", "path", "field"),
    [
        (_event("NonPrivateDpEvent"), "$.events[1]", "class_name"),
        (
            _event("PoissonSampledDpEvent", event=LAPLACE),
            "$.events[1].sampling_probability",
            "sampling_probability",
        ),
        (
            _event("PoissonSampledDpEvent", sampling_probability=2, event=LAPLACE),
            "$.events[1]",
            "rate",
        ),
        (_event("SampledWithoutReplacementDpEvent", event=LAPLACE), "$.events[1]", "class_name"),
        (_event("ZCDpEvent", rho=0.1, xi=0.5), "$.events[1]", "xi"),
        (_event("ExponentialMechanismDpEvent", epsilon=-1), "$.events[1]", "bounded_range"),
        (_event("DiscreteGaussianDpEvent", sigma=0, sensitivity=1), "$.events[1]", "sigma"),
        (
            _event("DiscreteGaussianDpEvent", sigma=1, sensitivity=0.5),
            "$.events[1]",
            "sensitivity",
        ),
        (
            _event(
                "PoissonSampledDpEvent",
                sampling_probability=0.5,
                event=_event("DiscreteGaussianDpEvent", sigma=1, sensitivity=2),
            ),
            "$.events[1]",
            "dimension",
        ),
        (_event("LaplaceDpEvent", noise_multiplier=0), "$.events[1]", "noise_multiplier"),
        (_event("LaplaceDpEvent"), "$.events[1].noise_multiplier", "noise_multiplier"),
        (_event("SelfComposedDpEvent", event=LAPLACE, count=0.5), "$.events[1].count", "count"),
        (_event("SelfComposedDpEvent", count=2), "$.events[1].event", "event"),
        ("nothing", "$.events[1]", "event"),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=2, num_buckets=2),
            "$.events[1]",
            "noise_parameter",
        ),
    ],
)
def test_what_no_ledger_expresses_is_refused_by_name_and_place(
    event: object, path: str, field: str
) -> None:
    with pytest.raises(InputError, match=f"^{field}") as caught:
        _read(_event("ComposedDpEvent", events=[LAPLACE, event]))
    assert caught.value.field == field
    assert caught.value.path.startswith(path) or field == "count"


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


ENTRY = """\
# An entry with all that the registry's schema of July 2026 has, as its 41 entries are laid out.
url_slug: a-release-2026
status: Approved
tier: 3
deployment:
  basic:
    name: A release
    data_curators:
      - A curator
    description: |
      Counts: of visits, by day. See [the report](https://example.org/report).
    intended_use: >-
      Planning.
    data_product_type: Dataset
    data_product_region: Elsewhere
    publication_date: '2026-07-15'
  dp_variant:
    variant_name: VARIANT
    data_domain: Tables of visits
    unprotected_quantities: The number of days
  privacy_loss:
    privacy_unit: a user
    privacy_unit_details: All visits of a user
    privacy_parameters:
      epsilon: 0.1
      delta: 1e-9
      rho: 0.25
    privacy_parameters_details: "For the whole: release"
  deployment_model:
    model_name: Central
    release_type: One release
  accounting:
    composition: basic
  implementation:
    mechanisms: Laplace
    justification: ''
  administrative:
    registry_authors: [Somebody]
"""
FLAT = """
name: A release
dp_variant: {variant_name: VARIANT}
privacy_loss:
  privacy_unit: a user
  privacy_parameters: {epsilon: 0.1, delta: 1e-9, rho: 0.25}
accounting: {composition: basic}
"""


def entry_of(entry: str, variant: str) -> str:
    """The entry, which states a δ unless it is pure."""
    if variant == "Pure DP":
        entry = entry.replace("      delta: 1e-9\n", "").replace("delta: 1e-9, ", "")
    return entry.replace("VARIANT", variant)


WHOLE: Final = "the whole release"
VARIANTS = [
    ("Pure DP", Mechanism("0.1", label="the whole release")),
    ("Approximate DP", Mechanism("0.1", "1e-9", label="the whole release")),
    ("Zero-concentrated DP", ConcentratedMechanism("1/4", label="the whole release")),
]


@pytest.mark.parametrize("entry", [ENTRY, FLAT, f"---\n{ENTRY}"])
@pytest.mark.parametrize(("variant", "mechanism"), VARIANTS)
def test_an_entry_of_the_registry_is_one_mechanism_and_is_recognised(
    entry: str, variant: str, mechanism: Mechanism
) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    data = entry_of(entry, variant).encode()
    ledger = read_ledger(data)
    assert ledger.mechanisms == (mechanism,)
    assert (ledger.name, ledger.unit_of_privacy) == ("A release", "a user")
    assert ledger.notes.startswith("composition: basic")
    assert read_ledger(data, "deployments-registry") == ledger


REGISTRY: Final = Path(__file__).parent / "registry"
REAL: Final = {
    "apple_iconic_scenes_photo_selections_2023": Mechanism("1", "1.5e-7", label=WHOLE),
    "google_mobility": Mechanism("2.64", label=WHOLE),
    "recurve_energy_dp": Mechanism("4.72", "5.06e-9", label=WHOLE),
    "user_url_privacy": ConcentratedMechanism("0.0728", label=WHOLE),
    "wikimedia_current_usage_data": ConcentratedMechanism("0.015", label=WHOLE),
}
REFUSED: Final = {"korean_statistics_datahub": "variant_name", "uber": "delta"}


def test_real_entries_are_read_written_and_read_again() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    assert {path.stem for path in REGISTRY.glob("*.yaml")} == {*REAL, *REFUSED}
    for name, mechanism in REAL.items():
        ledger = read_ledger(REGISTRY / f"{name}.yaml")
        assert ledger.mechanisms == (mechanism,), name
        assert ledger.name
        written = write_ledger(ledger, "deployments-registry").encode()
        assert read_ledger(written).mechanisms == ledger.mechanisms


@pytest.mark.parametrize("name", REFUSED)
def test_real_entries_without_a_number_are_refused_by_what_is_missing(name: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match=f"{REFUSED[name]} at deployment"):
        read_ledger(REGISTRY / f"{name}.yaml")


def test_a_delta_beside_a_pure_variant_is_kept_and_an_epsilon_beside_rho_noted() -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    ledger = read_ledger(FLAT.replace("VARIANT", "Pure DP").encode())
    assert ledger.mechanisms == (Mechanism("0.1", "1e-9", label=WHOLE),)
    notes = read_ledger(REGISTRY / "user_url_privacy.yaml").notes
    assert "epsilon stated beside it: 1.453; delta stated beside it: 1.0e-05" in notes


@pytest.mark.parametrize(("variant", "mechanism"), VARIANTS)
def test_what_is_written_as_an_entry_is_read_again(variant: str, mechanism: Mechanism) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    name = 'A "name": with \\ and \u2028, # too 🙂'
    ledger = Ledger((mechanism,), name=name, unit_of_privacy="a user\na day")
    text = write_ledger(ledger, "deployments-registry")
    assert text.startswith('deployment:\n  basic:\n    name: "A ')
    assert f'variant_name: "{variant}"' in text
    assert read_ledger(text.encode()) == ledger
    third = Ledger((Mechanism("ln(3)", "1/3", label="the whole release"),), notes="composition: x")
    again = read_ledger(write_ledger(third, "deployments-registry").encode())
    assert again == third


@pytest.mark.parametrize(
    "entries", [[Mechanism(1), Mechanism(2)], [Mechanism(1, 0, 2)], [GaussianMechanism(1)], []]
)
def test_an_entry_is_about_one_whole_release(entries: list[Mechanism]) -> None:
    with pytest.raises(UnsupportedError, match="one mechanism given by epsilon or rho"):
        write_ledger(Ledger(tuple(entries)), "deployments-registry")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (ENTRY.replace("VARIANT", "Renyi DP"), "variant_name at deployment.dp_variant"),
        (FLAT.replace("VARIANT", "Renyi DP"), "variant_name at dp_variant"),
        (ENTRY.replace("VARIANT", "Pure DP").replace("epsilon", "eps"), "epsilon at deployment."),
        (FLAT.replace("VARIANT", "Pure DP").replace("0.1", "low"), "epsilon at privacy_loss"),
        ("a: [", "ledger at line"),
        ("deployment: x", "variant_name at deployment"),
        ("- 1", "variant_name at dp_variant"),
    ],
)
def test_another_entry_is_refused_at_its_place(text: str, field: str) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    with pytest.raises(InputError, match=f"^{field}"):
        read_ledger(text.encode(), "deployments-registry")


NUMBERS = st.sampled_from(["0", "0.1", "1/3", "ln(2)", "ln(7/5)", "1e-30", "3"]).map(
    ExactNumber.parse
)
DELTAS = st.sampled_from(["0", "1e-9", "1/7"])


@given(st.lists(st.tuples(NUMBERS, DELTAS, st.integers(1, 3)), max_size=4), st.sampled_from(
    ["diffprivlib", "smartnoise-sql", "psi"]
))  # fmt: skip
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


SIZES = st.fractions(min_value="1/50", max_value=50, max_denominator=60).map(str)
SHIFTS = st.lists(st.integers(1, 4), min_size=1, max_size=3)
COUNTS = st.integers(1, 3)
BASES = st.one_of(
    st.builds(GaussianMechanism, SIZES),
    st.builds(LaplaceMechanism, SIZES, SIZES),
    st.builds(DiscreteLaplaceMechanism, SIZES, st.integers(1, 4).map(lambda each: (each,))),
    st.builds(DiscreteGaussianMechanism, SIZES, st.integers(1, 4).map(lambda each: (each,))),
    st.builds(BoundedRangeMechanism, SIZES),
)
WRITTEN = st.one_of(
    BASES,
    st.builds(SampledMechanism, BASES, st.sampled_from(("1/3", "1/1000")), COUNTS),
    st.builds(DiscreteLaplaceMechanism, SIZES, SHIFTS, COUNTS),
    st.builds(DiscreteGaussianMechanism, SIZES, SHIFTS, COUNTS),
    st.builds(ConcentratedMechanism, SIZES, COUNTS),
    st.builds(Mechanism, SIZES, st.just("1e-9"), COUNTS),
    st.builds(Mechanism, SIZES, st.just(0), COUNTS),
)


def _numbers(entry: Entry) -> list[tuple[str, mpq, int]]:
    """The numbers of a mechanism that events round, each with the side on which more leaks."""
    if isinstance(entry, SampledMechanism):
        return [*_numbers(entry.base), ("rate", entry.rate, 1)]
    if isinstance(entry, LaplaceMechanism):
        return [("laplace", entry.scale / entry.sensitivity, -1)]
    shift = f"shift {getattr(entry, 'shifts', '')}"
    greater = {"mu": 1, "rho": 1, "epsilon": 1, "delta": 1, "scale": -1, "variance": -1}
    return [
        (f"{name} {shift}", _rational(getattr(entry, name)), side)
        for name, side in greater.items()
        if hasattr(entry, name)
    ]


def _rational(number: ExactNumber | mpq) -> mpq:
    """A rational within 10^-20 of a number; randomized response has logarithms."""
    return enclose_in_decimals(number, 20)[1] if isinstance(number, ExactNumber) else number


def _apart(entries: Iterable[Entry]) -> list[Entry]:
    """The mechanisms one by one, and their coordinates as well."""
    parts: list[Entry] = []
    for entry in entries:
        one = replace_count(entry, 1)
        for shift in getattr(entry, "shifts", (1,)):
            part = _with_shift(one, shift) if hasattr(entry, "shifts") else one
            parts += [part] * entry.count
    return parts


def _with_shift(entry: Entry, shift: int) -> Entry:
    if isinstance(entry, DiscreteLaplaceMechanism):
        return DiscreteLaplaceMechanism(entry.scale, (shift,))
    assert isinstance(entry, DiscreteGaussianMechanism)
    return DiscreteGaussianMechanism(entry.variance, (shift,))


@given(st.lists(WRITTEN, min_size=1, max_size=4))
def test_every_family_with_an_event_comes_back_and_leaks_no_less(entries: list[Entry]) -> None:
    written = write_ledger(Ledger(tuple(entries)), "dp-accounting")
    before, after = _apart(entries), _apart(read_ledger(written.encode()).mechanisms)
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert type(one) is type(other)
        for (name, was, side), (same, now, _) in zip(_numbers(one), _numbers(other), strict=True):
            assert name == same
            assert 0 <= side * (now - was) + mpq("1e-19") <= mpq("1e-12") * (1 + was)


@given(st.lists(st.tuples(NUMBERS, st.just("0"), st.integers(1, 3)), max_size=4))
def test_what_is_written_as_events_leaks_no_less(groups: list[tuple[object, ...]]) -> None:
    ledger = Ledger.of(groups)
    read = read_ledger(write_ledger(ledger, "dp-accounting").encode()).approximate()
    for before, after in zip(ledger.approximate(), read, strict=True):
        assert after.count == before.count
        assert compare(after.epsilon, before.epsilon) >= 0
        assert compare(after.epsilon - before.epsilon, ExactNumber.parse("1e-12")) < 0


def test_other_notions_are_written_as_events_that_leak_no_less() -> None:
    ledger = Ledger((GaussianMechanism("1/3"), ConcentratedMechanism("1/3"), GaussianMechanism(0)))
    gaussian, concentrated = read_ledger(write_ledger(ledger, "dp-accounting").encode()).mechanisms
    assert isinstance(gaussian, GaussianMechanism)
    assert isinstance(concentrated, ConcentratedMechanism)
    assert 0 <= gaussian.mu - mpq(1, 3) < mpq(1, 10**15)
    assert 0 <= concentrated.rho - mpq(1, 3) < mpq(1, 10**15)


def test_what_a_format_cannot_express_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"mechanisms\[1\]\.pair"):
        write_ledger(Ledger.of(["1", PairMechanism([1], [1])]), "dp-accounting")
    with pytest.raises(UnsupportedError, match="count"):
        write_ledger(Ledger.of([("1", 0, 10**7)]), "psi")
    with pytest.raises(UnsupportedError, match="rho"):
        write_ledger(Ledger((ConcentratedMechanism(1),)), "diffprivlib")


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "json"])
def test_what_a_format_drops_is_said(name: str) -> None:
    ledger = Ledger((Mechanism(1, label="a"),), name="n", source="s")
    assert "source" in loses(ledger, name)
    assert ("name" in loses(ledger, name)) == (name != "deployments-registry")
    assert ("label" in loses(ledger, name)) == (name != "csv")


def test_the_command_converts_from_and_to_other_tools() -> None:
    matrix = exactdp("convert", "-", "--from", "psi", "--to", "csv", stdin=b"0.1 0\n")
    assert matrix.out == "label,epsilon,delta,count\n,0.1,0,1\n"
    answer = exactdp("convert", "-m", "0.1,1e-9*2", "--to", "diffprivlib")
    assert answer.out == "[[0.1, 1e-9], [0.1, 1e-9]]\n"
    assert exactdp("compose", "-", "--delta", "0", stdin=b"[(0.1, 0)]").code == 0
    assert exactdp("convert", "-m", "1", "--from", "yaml", "--to", "csv").code == 2
