"""Noise counts beside the sensitivity of what it is added to: a law over aggregates and noise.

The judge is a database: the most that one row changes the answer, found by adding each row of the
domain to a table, or putting it in place of another. Whatever states the noise, and whatever it
states of a sensitivity, the mechanism that is composed is that noise beside at least so much, or
the statement is refused.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdp.errors import InputError, UnsupportedError
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    SampledMechanism,
)
from exactdp.workloads.api import parallel
from exactdp.workloads.reading import read_workload
from exactdp.workloads.stated_noise import noise_in_option
from exactdp.workloads.workload import REPLACE_ONE
from tests.cli.running import exactdp
from tests.marking import slow_after

VALUES = (-3, 0, 2, 50)
DOMAIN = {"domain": {"a": {"values": list(VALUES)}}, "queries": []}
CLIPS = ((0, 10), (-2, 3), (-40, 0), (1, 4), ("0", "0.5"), (0, 1000), (0, 0))
AGGREGATES = (
    "COUNT(*)",
    "COUNT(DISTINCT a)",
    *(f"SUM(LEAST(GREATEST(a, {low}), {high}))" for low, high in CLIPS),
    *(f"SUM(CLAMP(a, {low}, {high}))" for low, high in CLIPS[:2]),
)
NOISE = (
    *({"laplace": "10"}, {"laplace": "10", "rate": "1/4"}),
    *({"discrete_laplace": "3"}, {"discrete_laplace": "3", "rate": "1/4"}),
    *({"discrete_gaussian": "4"}, {"discrete_gaussian": "4", "rate": "1/4"}),
    *({"sigma": "5"}, {"sigma": "5", "rate": "1/4"}),
)
SENSITIVITIES = (None, "0.001", "1", "10", "100000")


@cache
def moved_by_one_row(aggregate: str, *, replaces: bool) -> Fraction:
    """The most that one row changes the answer, by trying all tables of at most two rows."""
    table = sqlite3.connect(":memory:")
    table.create_function("LEAST", 2, min)
    table.create_function("GREATEST", 2, max)
    table.create_function("CLAMP", 3, lambda x, low, high: min(max(x, low), high))
    table.execute("CREATE TABLE t (a INTEGER)")

    def answer(*rows: int) -> Fraction:
        table.execute("DELETE FROM t")
        table.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
        [found] = table.execute(f"SELECT {aggregate} FROM t").fetchone()  # noqa: S608 (made here)
        return Fraction(found or 0)

    if replaces:
        return max(abs(answer(x) - answer(y)) for x, y in product(VALUES, VALUES))
    pairs = [((), (x,)) for x in VALUES] + [((y,), (y, x)) for x, y in product(VALUES, VALUES)]
    return max(abs(answer(*one) - answer(*other)) for one, other in pairs)


@dataclass(frozen=True)
class EntryShape:
    """Noise as it was added: its family, its scale and a rate."""

    family: str
    scale: Fraction
    rate: Fraction


def shape_of(noise: dict[str, str]) -> EntryShape:
    family = next(iter(noise))
    return EntryShape(family, Fraction(noise[family]), Fraction(noise.get("rate", "1")))


def beside(entry: Entry, shape: EntryShape) -> Fraction:
    """The sensitivity beside which a mechanism has noise of this shape."""
    rate, base = mpq(1), entry
    if isinstance(entry, SampledMechanism):
        rate, base = entry.rate, entry.base
    if isinstance(base, Mechanism):
        assert base.epsilon == Mechanism(0).epsilon
        return Fraction(0)
    assert rate == mpq(shape.rate.numerator, shape.rate.denominator)
    scale = mpq(shape.scale.numerator, shape.scale.denominator)
    match shape.family, base:
        case "laplace", LaplaceMechanism():
            assert base.scale == scale
            found = base.sensitivity
        case "discrete_laplace", DiscreteLaplaceMechanism():
            assert base.scale == scale
            found = mpq(max(base.shifts))
        case "discrete_gaussian", DiscreteGaussianMechanism():
            assert base.variance == scale
            found = mpq(max(base.shifts))
        case "sigma", GaussianMechanism():
            found = base.mu * scale
        case _:
            pytest.fail(f"{shape} is no {base}")
    return Fraction(int(found.numerator), int(found.denominator))


def key_of(noise: dict[str, str]) -> str:
    return "shifts" if next(iter(noise)).startswith("discrete") else "sensitivity"


def in_comment(aggregate: str, cells: dict[str, str]) -> Entry:
    comment = ", ".join(f"{key}: {value}" for key, value in cells.items())
    text = f"-- {comment}\nSELECT {aggregate} FROM t"
    return read_workload(text.encode(), domain=json.dumps(DOMAIN).encode()).queries[0].mechanism


def in_option(aggregate: str, cells: dict[str, str]) -> Entry:
    each = noise_in_option(",".join(f"{key}={value}" for key, value in cells.items()))
    text = f"SELECT {aggregate} FROM t".encode()  # noqa: S608 (made here)
    return read_workload(text, domain=json.dumps(DOMAIN).encode(), each=each).queries[0].mechanism


def in_nested_option(aggregate: str, cells: dict[str, str]) -> Entry:
    """As in JSON, where the family stands first and its scale has the name that it has there."""
    family = next(iter(cells))
    first = {"laplace": "scale", "discrete_laplace": "scale", "discrete_gaussian": "variance"}
    if family not in first:
        return in_option(aggregate, cells)
    named = [f"{first.get(key, key)} = {value}" for key, value in cells.items()]
    each = noise_in_option(f"{family}, {' , '.join(reversed(named))}")
    text = f"SELECT {aggregate} FROM t".encode()  # noqa: S608 (made here)
    return read_workload(text, domain=json.dumps(DOMAIN).encode(), each=each).queries[0].mechanism


WAYS: dict[str, Callable[[str, dict[str, str]], Entry]] = {
    "comment": in_comment,
    "each": in_option,
    "each, nested": in_nested_option,
}


@pytest.mark.parametrize("way", slow_after(1, WAYS))
@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_noise_counts_beside_the_sensitivity_that_a_database_shows(
    aggregate: str, way: str
) -> None:
    truth = moved_by_one_row(aggregate, replaces=False)
    bound = max(map(abs, bounds_of(aggregate)))
    for noise, stated, by_clip in product(NOISE, SENSITIVITIES, (False, True)):
        if by_clip and "rate" not in noise:
            continue  # a clip is of records that are sampled
        given = {} if stated is None else {"clip" if by_clip else key_of(noise): stated}
        found = sensitivity_of(way, aggregate, noise, given)
        fits = "discrete" not in next(iter(noise)) or bound.denominator == 1
        if stated is None:
            assert found == (bound if fits else None), noise
        elif Fraction(stated) < truth:
            assert found is None, (noise, stated)
        elif Fraction(stated) >= bound and Fraction(stated).denominator == 1:
            assert found == Fraction(stated), (noise, stated)


def sensitivity_of(
    way: str, aggregate: str, noise: dict[str, str], given: dict[str, str]
) -> Fraction | None:
    """The sensitivity that is taken; None if the statement is refused."""
    try:
        entry = WAYS[way](aggregate, noise | given)
    except InputError:
        return None
    return beside(entry, shape_of(noise))


def bounds_of(aggregate: str) -> tuple[Fraction, Fraction]:
    """The least and the most that a row adds by what the statement says."""
    if aggregate.startswith("COUNT"):
        return Fraction(0), Fraction(1)
    numbers = aggregate.replace("(", " ").replace(")", " ").replace(",", " ").split()
    low, high = sorted(Fraction(each) for each in numbers if each[-1].isdigit())
    return low, high


@pytest.mark.parametrize("noise", [each for each in NOISE if "rate" in each], ids=str)
def test_a_clip_is_refused_by_name_where_rows_are_replaced(noise: dict[str, str]) -> None:
    domain = json.dumps(DOMAIN | {"neighbouring": REPLACE_ONE}).encode()
    cells = noise | {"clip": "1"}
    each = noise_in_option(",".join(f"{key}={value}" for key, value in cells.items()))
    with pytest.raises(UnsupportedError, match="a query by its noise") as refused:
        read_workload(b"SELECT COUNT(*) FROM t", domain=domain, each=each)
    assert refused.value.remedy


@pytest.mark.parametrize("noise", NOISE, ids=str)
def test_a_clip_without_a_sampling_rate_or_within_json_is_refused(noise: dict[str, str]) -> None:
    domain = json.dumps(DOMAIN).encode()
    first = {"laplace": "scale", "discrete_laplace": "scale", "discrete_gaussian": "variance"}
    (family, scale), *_ = noise.items()
    own: dict[str, object] = {family: scale, "rate": "1/4", "clip": "1/1000"}
    if family in first:
        own[family] = {first[family]: scale}
    with pytest.raises(InputError, match="clip"):
        read_workload(json.dumps({**DOMAIN, "queries": [own]}).encode())
    with pytest.raises(InputError, match="clip"):
        noise_in_option(f"{family}={scale},clip=1000")
    text = f"-- {family}: {scale}, clip: 1000\nSELECT COUNT(*) FROM t"
    with pytest.raises(InputError, match="clip"):
        read_workload(text.encode(), domain=domain)


def test_the_instance_of_a_clip_below_a_sum_is_refused_by_its_bound() -> None:
    each = noise_in_option("sigma=10,clip=1/1000,rate=1/2")
    text = b"SELECT SUM(LEAST(GREATEST(a, 0), 1000)) FROM t"
    with pytest.raises(InputError, match=r"clip at line 1, column 1: .*at least 1000"):
        read_workload(text, domain=json.dumps(DOMAIN).encode(), each=each)


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_noise_of_a_scale_implies_an_epsilon_by_the_sensitivity_under_each_relation(
    aggregate: str,
) -> None:
    text = f"-- scale: 10\nSELECT {aggregate} FROM t".encode()
    for replaces in (False, True):
        relation = {"neighbouring": REPLACE_ONE} if replaces else {}
        domain = json.dumps(DOMAIN | relation).encode()
        [query] = read_workload(text, domain=domain)
        assert isinstance(query.mechanism, Mechanism)
        truth = moved_by_one_row(aggregate, replaces=replaces)
        assert Fraction(str(query.mechanism.epsilon)) >= truth / 10


@pytest.mark.parametrize("noise", NOISE, ids=str)
def test_a_workload_in_json_states_the_sensitivity_as_it_has_no_aggregate(
    noise: dict[str, str],
) -> None:
    family, scale, rate = (shape := shape_of(noise)).family, str(shape.scale), str(shape.rate)
    key = key_of(noise)
    stated: object = [7] if key == "shifts" else 7
    first = "variance" if family == "discrete_gaussian" else "scale"
    parts = {key: stated}
    for given in ({}, parts):
        query: dict[str, object] = {family: {first: scale} | given, "rate": rate}
        if family == "sigma":
            query = {"sigma": scale, "rate": rate} | given
        data = json.dumps({**DOMAIN, "queries": [query]}).encode()
        if given:
            assert beside(read_workload(data).queries[0].mechanism, shape) == 7
        else:
            with pytest.raises(InputError, match=rf"^{key} at \$\.queries\[0\]"):
                read_workload(data)


MECHANISMS = (
    LaplaceMechanism(10),
    LaplaceMechanism(10, 3),
    DiscreteLaplaceMechanism(3, [1, 9]),
    DiscreteGaussianMechanism(4),
    SampledMechanism(LaplaceMechanism(10), "1/4"),
    SampledMechanism(LaplaceMechanism(10), "1/4", clip=1),
    SampledMechanism(GaussianMechanism("1/10000"), "1/4", clip="1/1000"),
    SampledMechanism(DiscreteGaussianMechanism(4), "1/4", clip=1),
)


@pytest.mark.parametrize("noise", MECHANISMS, ids=str)
def test_a_mechanism_whose_sensitivity_is_below_the_sums_is_refused_in_python(noise: Entry) -> None:
    text = b"SELECT SUM(LEAST(GREATEST(a, 0), 10)) FROM t"
    with pytest.raises(InputError, match="at least 10, by which one row moves this answer"):
        parallel(text, domain=json.dumps(DOMAIN).encode(), each=noise, delta="1e-6")


def test_a_guarantee_is_about_the_answer_and_is_taken_as_it_is_stated() -> None:
    text = b"SELECT SUM(LEAST(GREATEST(a, 0), 10)) FROM t"
    domain = json.dumps(DOMAIN).encode()
    for stated in ("0.1", "rho=1/8", "mu=1/2", "bounded_range=1/2"):
        each = noise_in_option(stated)
        [query] = read_workload(text, domain=domain, each=each)
        assert query.mechanism == each


def test_discrete_noise_on_a_sum_that_is_not_whole_is_refused() -> None:
    text = b"-- discrete_laplace: 3\nSELECT SUM(LEAST(GREATEST(a, 0), 2.5)) FROM t"
    with pytest.raises(InputError, match="give the sum bounds that are whole numbers"):
        read_workload(text, domain=json.dumps(DOMAIN).encode())


def test_the_command_multiplies_epsilon_by_the_clip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.json").write_text('{"domain": {"a": {"size": 10}}, "queries": []}')
    options = ("--domain", "domain.json", "--each", "laplace=10", "--delta", "0.000001")
    ends = []
    for statement in ("SELECT COUNT(*) FROM t", "SELECT SUM(LEAST(GREATEST(a,0),10)) FROM t"):
        (tmp_path / "log.sql").write_text(statement)
        ends.append(exactdp("parallel", "log.sql", *options, "--json").result["epsilon"])
    assert float(ends[0]["upper"]) <= 0.1 + 1e-9
    assert 0.99 < float(ends[1]["lower"]) <= float(ends[1]["upper"]) <= 1
    answer = exactdp("parallel", "log.sql", *options[:3], "laplace=10,sensitivity=1", "--json")
    assert answer.code == 2
