"""OpenDP's sums and noisy max: the maps that are read are those that the library has."""

from __future__ import annotations

import json
from typing import Any

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.errors import ExactDPError
from exactdp.ledger.reading import read_ledger
from tests.accountants.test_exact_accountant_in_place import run_beside
from tests.ledger.formats.descriptions import described, lines


def summed(
    *bounds: int, atom: str = "i32", size: int | None = None, metric: str = "symmetric_distance"
) -> dict[str, object]:
    """A sum of numbers that are clamped, with Laplace noise of scale 5."""
    domain = described(
        "vector_domain",
        atom_domain=described("atom_domain", bounds=None, nan=None, T=atom),
        size=size,
    )
    space = {"input_domain": domain, "input_metric": described(metric)}
    clamp = described("make_clamp", **space, bounds={"__tuple__": [*bounds]})
    output = {
        "input_domain": described("transformation_output_domain", this=clamp),
        "input_metric": described("transformation_output_metric", this=clamp),
    }
    chain = described(
        "make_chain_tt", transformation1=described("make_sum", **output), transformation0=clamp
    )
    laplace = described("make_laplace", scale=5.0, k=None, MO="MaxDivergence")
    return described("make_chain_mt", measurement1=laplace, transformation0=chain)


def noisy_max(measure: str, *, monotonic: bool, scale: float = 3.0) -> dict[str, object]:
    metric = described("linf_distance", monotonic=monotonic, T="i32")
    return described(
        "make_noisy_max",
        input_metric=metric,
        output_measure=described(measure),
        scale=scale,
        negate=False,
    )


def parameter(description: object, distance: str = "1") -> tuple[str, mpq]:
    [mechanism] = read_ledger(lines(description), distance=distance).mechanisms
    shape = mechanism.shape()
    name = "rho" if "rho" in shape else "epsilon"
    value: Any = shape[name]
    return name, getattr(value, "rational", value)


@pytest.mark.parametrize(
    ("bounds", "distance", "epsilon"),
    [
        ((0, 10), "1", 2),
        ((-7, 3), "1", mpq(7, 5)),
        ((-7, 3), "2", mpq(14, 5)),
        ((2, 3), "1", mpq(3, 5)),
    ],
)
def test_a_sum_moves_by_the_greatest_of_what_is_summed(
    bounds: tuple[int, int], distance: str, epsilon: mpq
) -> None:
    assert parameter(summed(*bounds), distance) == ("epsilon", epsilon)
    assert parameter(summed(*bounds, metric="insert_delete_distance"), distance)[1] == epsilon


@pytest.mark.parametrize(
    "description",
    [
        summed(0, 10, atom="f64"),
        summed(0, 10, size=100),
        summed(0, 10, metric="change_one_distance"),
        summed(0),
    ],
)
def test_a_sum_of_which_less_is_known_is_refused(description: object) -> None:
    with pytest.raises(ExactDPError, match="make_sum of whole numbers"):
        parameter(description)


PURE, CONCENTRATED = "max_divergence", "zero_concentrated_divergence"
MAPS = {
    (PURE, False, "1"): ("epsilon", mpq(2, 3)),
    (PURE, True, "2"): ("epsilon", mpq(2, 3)),
    (CONCENTRATED, False, "1"): ("rho", mpq(1, 18)),
    (CONCENTRATED, True, "1"): ("rho", mpq(1, 72)),
}


@pytest.mark.parametrize(("asked", "said"), MAPS.items())
def test_noisy_max_is_an_exponential_mechanism(
    asked: tuple[str, bool, str], said: tuple[str, mpq]
) -> None:
    measure, monotonic, distance = asked
    assert parameter(noisy_max(measure, monotonic=monotonic), distance) == said


def test_noisy_max_without_noise_is_refused() -> None:
    with pytest.raises(ExactDPError, match="a scale above 0"):
        parameter(noisy_max(PURE, monotonic=True, scale=0.0))


REAL = """
import json
import opendp.prelude as dp
dp.enable_features("contrib")
from exactdp import from_opendp

space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
found = [space >> dp.t.then_clamp(b) >> dp.t.then_sum() >> dp.m.then_laplace(scale=5.0)
         for b in ((0, 10), (-7, 3))]
domain = dp.vector_domain(dp.atom_domain(T=int))
for measure in (dp.max_divergence(), dp.zero_concentrated_divergence()):
    for monotonic in (False, True):
        metric = dp.linf_distance(T=int, monotonic=monotonic)
        found.append(dp.m.make_noisy_max(domain, metric, measure, scale=3.0, negate=False))
for each in found:
    [entry] = from_opendp(each, 1).mechanisms
    shape = entry.shape()
    ours = shape["rho"] if "rho" in shape else shape["epsilon"].rational
    print(json.dumps([float(ours), each.map(1)]))
"""


@pytest.mark.peer
@pytest.mark.slow
def test_opendp_itself_says_the_same() -> None:
    for line in run_beside("opendp", REAL).splitlines():
        ours, theirs = json.loads(line)
        assert abs(ours - theirs) < 1e-12


def test_a_measurement_in_python_is_the_ledger_of_its_description() -> None:
    told = json.dumps(summed(0, 10))
    for each in (told, [told], [told, told]):
        ledger = exactdp.from_opendp(each, 1)
        assert ledger == read_ledger("\n".join([told] * ledger.size).encode(), distance="1")
    with pytest.raises(ExactDPError, match=r"d_in.*--d-in 1.*from_opendp"):
        exactdp.from_opendp(told)
    with pytest.raises(ExactDPError, match="measurements: int: expected measurements of OpenDP"):
        exactdp.from_opendp(7, 1)


def test_one_description_may_be_printed_over_several_lines() -> None:
    tree = summed(0, 10)
    pretty = json.dumps(tree, indent=2).encode()
    assert read_ledger(pretty, distance="1") == read_ledger(lines(tree), distance="1")


def test_a_measurement_in_place_of_a_ledger_is_told_its_reader() -> None:
    measurement = type("Measurement", (), {"__module__": "opendp.mod"})()
    with pytest.raises(ExactDPError, match=r"write exactdp\.from_opendp\(measurement, 1\)"):
        exactdp.compose(measurement, delta="1e-6")
