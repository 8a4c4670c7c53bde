r"""Deciding a claim for ``exactdp certify``: by how much it holds, and what shows it to people.

Rules of this file: it asks the library; what draws or writes pages is imported when asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.theorems import INTERLEAVED_BASIC
from exactdp.cli.composition_options import Request
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.margins import Margin, margin_of
from exactdp.composition.answers.results import Certified
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Claim, Ledger
from exactdp.pages.facts import Fact
from exactdp.pages.facts.certified import StatedClaim, certified_sentence
from exactdp.pages.standing import Opening, standing_of_outcome


class _Asked(TypedDict):
    """A claim as it is judged."""

    epsilon: ExactNumber
    delta: mpq


def decided_claim(
    request: Request, claim: StatedClaim, **places: Path | None
) -> tuple[Certified, Margin | None]:
    """The decision, and by how much; of interleaved mechanisms without that."""
    ledger, max_cost = request.ledger, request.max_cost
    asked: _Asked = {"epsilon": claim.judged, "delta": claim.target}
    if request.group > 1:
        from exactdp.group_privacy.answers import certify_for_groups  # noqa: PLC0415 (few ask for groups)
        from exactdp.group_privacy.margins import margin_for_groups  # noqa: PLC0415 (as above)

        request.refuse_beside_group(**places)
        decided = certify_for_groups(ledger, request.group, **asked, max_cost=max_cost)
        if decided.equality:
            return decided, None
        return decided, margin_for_groups(
            ledger, request.group, *claim.pair, holds=decided.holds, max_cost=max_cost
        )
    decided = certify(ledger, **asked, method=request.method, max_cost=max_cost)
    if claim.places is not None:  # a rounded number is no least one
        decided = replace(decided, equality=False)
    if request.theorem is not None:
        decided = _by_theorem(ledger, decided, request.theorem)
    if ledger.interaction == "concurrent" or decided.equality:
        return decided, None
    return decided, margin_of(ledger, *claim.pair, holds=decided.holds, max_cost=max_cost)


def shown_claim(
    request: Request,
    decided: Certified,
    claim: StatedClaim,
    known: Sequence[Fact],
    **places: Path | None,
) -> dict[Path, bytes]:
    """The picture of the claim, and the page on it, with what is known of it."""
    plot, report = places["plot"], places["report"]
    epsilon, delta = claim.number, claim.target
    ledger, outcome = request.ledger, "holds" if decided.holds else "refuted"
    standing = standing_of_outcome(outcome, is_computed=decided.evidence == "computed")
    files = {}
    if plot is not None:
        from exactdp.cli.answer_pictures import claim_picture  # noqa: PLC0415 (few ask)

        stated = (epsilon, delta)
        files[plot] = claim_picture(ledger, stated, standing, plot.suffix, request.max_cost)
    if report is not None:
        from exactdp.pages.ledger_pages import claim_page  # noqa: PLC0415 (as above)

        source = "given to exactdp certify"
        about = Claim(epsilon, delta, "composition", source, places=claim.places)
        head = Opening((certified_sentence(decided, claim),), (standing,))
        files[report] = claim_page(
            request.source,
            replace(ledger, claims=(about,)),
            head=head,
            known=known,
            max_cost=request.max_cost,
        )
    return files


def _by_theorem(ledger: Ledger, decided: Certified, theorem: str) -> Certified:
    """The decision with a certificate that names the theorem; what is refuted needs none.

    Raises:
        CostLimitError: the claim is true, but this theorem does not say so.
    """
    if not decided.holds:
        return decided
    claim = decided.certificate
    epsilon: ExactNumber = claim.epsilon or ExactNumber(mpq(0))
    if theorem != INTERLEAVED_BASIC.name:
        return Certified(True, decided.equality, claim.naming(theorem))
    from exactdp.pages.facts.interleaving import interleaving_of  # noqa: PLC0415 (as above)

    interleaved = interleaving_of(ledger, theorem, claim.delta, claim.rule)
    certificate = None
    if interleaved is not None and interleaved.basic is not None and claim.group == 1:
        certificate = interleaved.basic.certificate(epsilon, claim.delta)
    if certificate is None:
        raise CostLimitError(
            field="claim",
            value="not derived by this theorem",
            expected=f"a claim that {theorem} gives",
            remedy="leave out --theorem: a later theorem proves it",
        )
    return Certified(True, False, certificate)
