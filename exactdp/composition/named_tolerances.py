"""Refusals that say which tolerance is answered within the limits.

Rules of this file: a tolerance is a power of ten that is at most 1, and one that is wider fits too.

Theory of operation: what an enclosure takes is predicted before it is begun, with room to spare, as
the tolerance that is named must be answered. Around a few atoms a bracket's ends move as these fall
on its mesh, so that nothing is predicted there, and none is named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import scientific_above, scientific_below
from exactdp.arithmetic.threshold import threshold
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.engine import BracketEngine, Effort, Engine, Method
from exactdp.composition.engines.refusals import WIDER, OutOfReachError
from exactdp.composition.planner import MOST_MEMORY
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError

_NONE_FITS: Final = "no --tolerance is sure to fit: "
_FITS: Final = " fits; for a smaller one, "
_ROOM: Final = mpq(32)
_SHOWN_DIGITS: Final = 20
_FEW_MECHANISMS: Final = 32


def finest_that_fits(fits: Callable[[mpq], bool], places: int) -> int | None:
    """How many places the least tolerance has that fits and is above 10^-places, if any does."""
    most, _ = threshold(lambda n: not fits(mpq(1, 10**n)), -1, places)
    return most if most >= 0 else None


def advising(error: CostLimitError, places: int | None) -> CostLimitError:
    """An error that asks for a wider tolerance, with the one that fits, or that none does."""
    rest = error.remedy.removeprefix(WIDER)
    if places is None:
        return _with_remedy(error, _NONE_FITS + rest, OutOfReachError)
    return _with_remedy(error, f"--tolerance 1e-{places}{_FITS}{rest}")


def naming_no_tolerance(error: CostLimitError) -> CostLimitError:
    """The error without what it says of tolerances, where nobody asked for one."""
    remedy = error.remedy.removeprefix(WIDER).removeprefix(_NONE_FITS)
    return _with_remedy(error, remedy.rpartition(_FITS)[2])


def _with_remedy(
    error: CostLimitError, remedy: str, kind: type[CostLimitError] = CostLimitError
) -> CostLimitError:
    return kind(
        field=error.field,
        value=error.value,
        expected=error.expected,
        remedy=remedy,
        code=error.code,
    )


def first_sure_effort(engine: Engine, bits: int, tolerance: mpq) -> Effort:
    """An effort that will do for a tolerance, judged by nothing but the engine's first one."""
    if isinstance(engine, BracketEngine):
        return engine.more(engine.last_effort(bits, tolerance), _ROOM)
    return engine.more(engine.first_effort(bits), _ROOM)


def next_sure_effort(engine: Engine, effort: Effort, excess: mpq) -> Effort:
    """An effort that will do where another's enclosure was so many times too wide."""
    return engine.more(effort, _ROOM * max(mpq(1), excess))


def is_sure(engine: Engine, effort: Effort, epsilons: Epsilons, max_cost: int) -> bool:
    """Whether an effort is predicted to keep the limits, and predictions can be relied on."""
    few = sum(count for _, count in epsilons) < _FEW_MECHANISMS
    if few and isinstance(engine, BracketEngine):
        return False
    return engine.cost(effort) <= max_cost and engine.memory(effort) <= MOST_MEMORY


def limit_exceeded(
    problem: Problem, method: Method, limit: str, remedy: str = ""
) -> CostLimitError:
    """The refusal of work that is predicted to be beyond a limit."""
    return CostLimitError(
        field="ledger",
        value=f"{problem.mechanisms} mechanisms, "
        f"{len(problem.epsilons)} distinct ε, method {method}",
        expected=limit,
        remedy=f"{WIDER}{remedy}or round the ε up to a coarser grid (an upper bound)",
    )


def undecided(low: mpq, high: mpq, error: CostLimitError) -> CostLimitError:
    """The refusal of a claim, with certain ends of δ at its ε, and of what stopped the search."""
    return CostLimitError(
        field="claim",
        value=f"undecided within the limits ({error.field}: {error.value})",
        expected=f"more; so far {scientific_below(low, _SHOWN_DIGITS)} <= δ(ε) <= "
        f"{scientific_above(high, _SHOWN_DIGITS)} is certain",
        remedy="raise --max-cost, or claim another ε; a tie between fractions of logarithms "
        "cannot be decided",
    )
