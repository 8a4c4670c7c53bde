r"""``exactdp.papers``: an algorithm of the papers, by its name."""

from __future__ import annotations

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE, LedgerLike, ledger_of
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import InputError
from exactdp.literature import ALGORITHMS
from exactdp.literature.murtagh_vadhan import JournalAnswer, ProceedingsAnswer, mv16, mv18
from exactdp.literature.poster import READINGS, PosterAnswer, poster
from exactdp.literature.table import TableAnswer, table

PaperAnswer = JournalAnswer | ProceedingsAnswer | TableAnswer | tuple[PosterAnswer, ...]


def papers(  # noqa: PLR0913 (one argument for each option)
    algorithm: str,
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    eta: Number | None = None,
    t: Number | None = None,
    odds: Number | None = None,
    tolerance: Number = DEFAULT_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
) -> PaperAnswer:
    """Run an algorithm as its paper has it; what is true of its answer is for ``judged`` to say.

    Args:
        algorithm: "mv18" (the journal's), "mv16" (that of the proceedings), "poster" or "table"
            (the dynamic programming over rationals of section 5).
        ledger: what to compose.
        delta: the global δ; None takes the ledger's ``target_delta``.
        eta: η, the accuracy, for "mv18" and "mv16".
        t: the number of cells, for "poster".
        odds: e^ε₀, for "table": every ε is a multiple of ε₀.
        tolerance: for "poster": the step of its bisection.
        max_cost: refuse work predicted to cost more.

    Returns: the answer; of "poster", one for each of its two readings.

    Raises:
        InputError: bad arguments.
        CostLimitError: the work would exceed the limits.

    >>> papers("mv18", [("0.1", 0, 20)], delta="1/20", eta="1/10").label
    'sound: never below OptComp'
    """
    checked = ledger_of(ledger)
    if algorithm == "mv18":
        return mv18(checked, delta=delta, eta=_given(eta, "eta"), max_cost=max_cost)
    if algorithm == "mv16":
        return mv16(checked, delta=delta, eta=_given(eta, "eta"), max_cost=max_cost)
    if algorithm == "table":
        return table(checked, delta=delta, odds=_given(odds, "odds"), max_cost=max_cost)
    if algorithm != "poster":
        raise InputError(field="algorithm", value=algorithm, expected=" or ".join(ALGORITHMS))
    cells = _given(t, "t")
    return tuple(
        poster(checked, delta=delta, t=cells, reading=each, tolerance=tolerance, max_cost=max_cost)
        for each in READINGS
    )


def _given(value: Number | None, name: str) -> Number:
    if value is None:
        raise InputError(field=name, value="nothing", expected="a number, for this algorithm")
    return value
