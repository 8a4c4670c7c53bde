r"""Three approaches to answers about a ledger, each loaded where a ledger is met that needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.arguments import method_of, refuse_method
from exactdp.composition.answers.optimal import OptimalAnswers
from exactdp.composition.answers.results import Certified, Composition, ProfilePoint
from exactdp.composition.planner import approach_of
from exactdp.ledger.model import Ledger


class Answers(Protocol):
    """What is asked of a ledger."""

    def compose(
        self, delta: mpq, width: mpq, *, time_limit: float | None, refining: float | None
    ) -> Composition:
        """The least ε at δ, to a width.

        Args:
            delta: the global δ.
            width: in nats, > 0.
            time_limit: seconds for the first certain interval of optimal composition.
            refining: seconds, at most as many, after which no refinement is begun.
        """

    def profile(
        self, points: Sequence[ExactNumber], width: mpq, time_limit: float | None
    ) -> tuple[ProfilePoint, ...]:
        """δ at each ε, to a relative width; seconds are for all points."""

    def certify(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether ε is enough at δ."""


def answering(ledger: Ledger, method: str | None, max_cost: int) -> Answers:
    """The approach that the planner chooses for a ledger.

    Raises:
        InputError: there is no such method, or none can be chosen.
    """
    approach = approach_of(ledger)
    if approach == "optimal":
        return OptimalAnswers(ledger, method_of(method), max_cost)
    refuse_method(method)
    if approach == "noise":
        from exactdp.composition.answers.noise import NoiseAnswers  # noqa: PLC0415 (most ledgers need none of it)

        return NoiseAnswers(ledger, max_cost)
    from exactdp.composition.answers.conversions import ConvertedAnswers  # noqa: PLC0415 (most ledgers need none of it)

    return ConvertedAnswers(ledger, max_cost)
