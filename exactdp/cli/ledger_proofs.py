r"""An answer about a ledger and the certificates of its ends, within one time limit.

Rules of this file: it asks the library.

Theory of operation: certificates of what took long take about as long. So an answer is made
narrower in a part of the time alone, and certificates have what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.compose import compose_refining
from exactdp.composition.answers.proving import PART, Proofs, proofs_of_ends
from exactdp.composition.answers.results import Composition
from exactdp.ledger.model import Ledger
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after

if TYPE_CHECKING:
    from exactdp.claims.claims import Judgement
    from exactdp.cli.composition_options import Request
    from exactdp.pages.facts.interleaving import Interleaved

NONE: Proofs[Certificate] = Proofs({})


def compose_within(ledger: Ledger, clock: Clock, *, proved: bool, **asked: Any) -> Composition:  # noqa: ANN401 (what compose takes)
    """The answer, and where certificates are asked for, with time left for them.

    Args:
        ledger: what to compose.
        clock: the time limit.
        proved: whether there shall be certificates.
        asked: what else :func:`exactdp.compose` is asked.

    Raises:
        CostLimitError: it would exceed the limits.
    """
    left, first = clock.left, clock.share(PART) if proved else clock
    with stop_after(left):
        return compose_refining(ledger, time_limit=left, refining=first.left, **asked)


def proofs_within(
    answer: Composition, interleaved: Interleaved | None, clock: Clock
) -> Proofs[Certificate]:
    """The certificates of both ends that are found in time.

    Args:
        answer: of a ledger.
        interleaved: what concurrent composition says beside it.
        clock: what is left of the time limit.
    """
    upper: Callable[[], Certificate | None] = answer.upper_certificate
    if interleaved is not None:
        upper = partial(interleaved.upper_certificate, answer)
    return proofs_of_ends({"upper": upper, "lower": answer.lower_certificate}, clock)


def judgements_of(ledger: Ledger, max_cost: int) -> list[Judgement]:
    """What becomes of the ledger's claims."""
    if not ledger.claims:
        return []
    from exactdp.claims.claims import judge  # noqa: PLC0415 (only a ledger with claims needs it)

    return [judge(ledger, claim, max_cost=max_cost) for claim in ledger.claims]


def interleaved_of(request: Request, answer: Composition) -> Interleaved | None:
    """What concurrent composition says beside the answer."""
    if request.ledger.interaction != "concurrent":
        return None
    from exactdp.pages.facts.interleaving import interleaving_of  # noqa: PLC0415 (as above)

    return interleaving_of(request.ledger, request.theorem, answer.delta, answer.method)
