r"""A workload's answer as a picture: trade-off functions, of what is guaranteed and of what is met.

Rules of this file: what is drawn was certified before; numbers become floats for the eye alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from exactdp.cli.plotting import gaussian_corners, trade_off_picture
from exactdp.errors import UnsupportedError
from exactdp.mechanisms import Parametric
from exactdp.mechanisms.multiset import merged
from exactdp.workloads.composing import ParallelComposition
from exactdp.workloads.tradeoff import NOTHING_LEARNED, trade_off_of
from exactdp.workloads.workload import Workload


def workload_picture(answer: ParallelComposition, suffix: str) -> bytes:
    """What the classes guarantee, and what one row attains, or two."""
    workload = answer.overlap.workload
    met = [workload.queries[i].parameters for i in answer.met]
    functions = {
        "nothing learned": NOTHING_LEARNED.knots,
        f"attained, by {'one row' if answer.entering is None else 'two rows'}": _corners(
            merged(met)
        ),
        "guaranteed, by the classes": _corners(answer.guaranteed.parametric()),
    }
    return trade_off_picture(functions, workload.name or "trade-off functions", suffix)


def refuse_noise(workload: Workload) -> None:
    """Refuse trade-off functions of noise.

    Raises:
        UnsupportedError: a query is given by its noise.
    """
    if workload.given_by == "noise":
        raise UnsupportedError(
            field="--plot",
            value="queries by their noise",
            expected="queries given by epsilon and delta, rho or mu, whose trade-off functions are "
            "known in closed form",
            remedy="leave it out; --report draws the privacy profile, from below and from above",
        )


def _corners(entries: Sequence[Parametric]) -> Sequence[tuple[mpq, mpq]]:
    """The trade-off function of a composition; a smooth one by points close to each other."""
    known = [(e.count, e.implied_mu_squared()) for e in entries]
    squares = [count * square for count, square in known if square is not None]
    if squares and len(squares) == len(entries):
        return gaussian_corners(sum(squares, mpq(0)))
    return trade_off_of(entries).knots
