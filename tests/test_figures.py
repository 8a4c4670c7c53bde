"""The figures of the pages show what the program says now."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from gmpy2 import mpq
from mpmath import mp  # type: ignore[import-untyped]

from exactdp import compose
from exactdp.composition.closed_forms.curves import panels
from exactdp.verifier import verify_bytes
from tools.figures import DELTA, FIGURES, LEDGERS, NOISE_PLOTS, POINTS, points
from tools.paper_figures import DIAGRAMS, PARALLEL_PLOTS, PLOTS, TYPICAL, saving, table


@pytest.mark.slow
@pytest.mark.parametrize("name", LEDGERS)
def test_the_points_of_a_figure_are_those_of_its_ledger(name: str) -> None:
    _, ledger = LEDGERS[name]
    shown = (FIGURES / f"{name}.csv").read_text(encoding="utf-8")
    assert points(panels(ledger, DELTA, points=POINTS)) == shown


@pytest.mark.parametrize("name", PLOTS)
def test_the_points_of_a_plot_of_the_papers_are_computed_again(name: str) -> None:
    shown = (FIGURES / f"{name}.csv").read_text(encoding="utf-8")
    assert table(PLOTS[name].titles, PLOTS[name].points()) == shown


@pytest.mark.slow
@pytest.mark.parametrize("name", NOISE_PLOTS)
def test_the_points_of_a_figure_of_noise_are_composed_again(name: str) -> None:
    plot = NOISE_PLOTS[name]
    shown = (FIGURES / f"{name}.csv").read_text(encoding="utf-8")
    assert table(plot.titles, plot.points()) == shown


@pytest.mark.parametrize("name", PARALLEL_PLOTS)
def test_the_points_of_a_figure_of_overlaps_are_those_that_were_measured(name: str) -> None:
    plot = PARALLEL_PLOTS[name]
    shown = (FIGURES / f"{name}.csv").read_text(encoding="utf-8")
    assert table(plot.titles, plot.points()) == shown


def test_every_figure_is_there_beside_its_points() -> None:
    plots = [*LEDGERS, *PLOTS, *NOISE_PLOTS, *PARALLEL_PLOTS]
    assert {path.name for path in FIGURES.iterdir()} == {
        *(f"{name}.svg" for name in [*plots, *DIAGRAMS]),
        *(f"{name}.csv" for name in plots),
    }


@pytest.mark.parametrize(
    ("epsilon", "count", "percent"), [("1/10", 300, 21), ("1/2", 100, 41), ("1/10", 100, 20)]
)
def test_the_introduction_s_saving_is_not_what_is_saved(
    epsilon: str, count: int, percent: int
) -> None:
    low, high = saving(mpq(epsilon), count, TYPICAL)
    assert percent - mpq(1, 2) <= 100 * low <= 100 * high < percent + mpq(1, 2)


@pytest.mark.parametrize(("epsilon", "count"), [("1/10", 300), ("1/2", 100)])
def test_both_ends_of_a_saving_have_certificates(epsilon: str, count: int) -> None:
    optimum = compose([(epsilon, 0, count)], delta=TYPICAL)
    for certificate in (optimum.upper_certificate(), optimum.lower_certificate()):
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), max_cost=10**11).status == "accepted"


def test_a_saving_is_enclosed_by_an_independent_computation() -> None:
    low, high = saving(mpq(1, 2), 10, mpq(1, 100))
    with mp.workdps(40):
        odds = mp.e ** mp.mpf("0.5")
        weights = [mp.binomial(10, i) * odds**i / (1 + odds) ** 10 for i in range(11)]

        def excess(epsilon: mp.mpf) -> mp.mpf:
            y = mp.e**epsilon
            terms = ((w, w * odds ** (10 - 2 * i)) for i, w in enumerate(weights))
            return mp.fsum(max(p - y * q, 0) for p, q in terms) - mp.mpf(1) / 100

        optimum = mp.findroot(excess, (0, 5), solver="anderson", tol=1e-30)
        advanced = mp.sqrt(20 * mp.log(100)) / 2 + 5 * (odds - 1)
        truth = 1 - optimum / advanced
        assert mp.mpf(int(low.numerator)) / int(low.denominator) <= truth
        assert truth <= mp.mpf(int(high.numerator)) / int(high.denominator)


@pytest.mark.slow
@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_diagram_is_drawn_as_it_is_shown(name: str) -> None:
    if find_spec("matplotlib") is None:
        pytest.skip("the extra plot is not installed")
    assert DIAGRAMS[name]("svg") == (FIGURES / f"{name}.svg").read_bytes()
