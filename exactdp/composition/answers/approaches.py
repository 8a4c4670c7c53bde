r"""Three approaches to answers about a ledger, each loaded where a ledger is met that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactdp.composition.answers.arguments import method_of, refuse_method
from exactdp.composition.answers.optimal import OptimalAnswers
from exactdp.ledger.model import Ledger

if TYPE_CHECKING:
    from exactdp.composition.answers.conversions import ConvertedAnswers
    from exactdp.composition.answers.noise import NoiseAnswers


def answering(
    ledger: Ledger, method: str | None, max_cost: int
) -> OptimalAnswers | NoiseAnswers | ConvertedAnswers:
    """What answers ε for δ, δ for ε, and claims: optimal composition, conversions, or losses.

    Raises:
        InputError: there is no such method, or none can be chosen.
    """
    if ledger.given_by == "epsilon-delta":
        return OptimalAnswers(ledger, method_of(method), max_cost)
    refuse_method(method)
    if ledger.given_by == "noise":
        from exactdp.composition.answers.noise import NoiseAnswers  # noqa: PLC0415 (most ledgers need none of it)

        return NoiseAnswers(ledger, max_cost)
    from exactdp.composition.answers.conversions import ConvertedAnswers  # noqa: PLC0415 (most ledgers need none of it)

    return ConvertedAnswers(ledger, max_cost)
