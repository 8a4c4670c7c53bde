r"""``exactdp certify``: prove or refute a claim.

Rules of this file: the certificate is verified before it is written, and written last; a ledger is
never written over. What was computed without a certificate is neither "proved" nor "refuted".
"""

from __future__ import annotations

from pathlib import Path

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.theorems import INTERLEAVED_BASIC
from exactdp.cli.composition_options import Request, receive_request
from exactdp.cli.files import check_certificate, keep_ledger
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, answer
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import Certified
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified
from exactdp.pages.facts.certified import MEMBERS, certified_facts, certified_sentence
from exactdp.pages.phrases import heading


@command("certify", cls=ManyCommand, output_file="output")
@receive_request
def certify_command(request: Request, *, epsilon: str, delta: str, output: Path | None) -> int:
    """Prove or refute a claim (ε, δ); exit code 0 if proved, 1 if refuted."""
    ledger, group, max_cost = request.ledger, request.group, request.max_cost
    if output is not None:
        keep_ledger(request.source, output, "--output")
        check_certificate(output, "--output")
    with working("deciding"):
        if group > 1:
            from exactdp.group_privacy.answers import certify_for_groups  # noqa: PLC0415 (few ask for groups)

            decided = certify_for_groups(
                ledger, group, epsilon=epsilon, delta=delta, max_cost=max_cost
            )
        else:
            decided = certify(
                ledger, epsilon=epsilon, delta=delta, method=request.method, max_cost=max_cost
            )
        if request.theorem is not None:
            decided = _by_theorem(ledger, decided, request.theorem)
        data = None if decided.proof is None else verified(decided.proof)
    files = {} if output is None or data is None else {output: data}
    claim = (epsilon, delta)
    return answer(
        certified_facts(ledger, decided, claim, *files),
        certified_sentence(decided, claim),
        "",
        heading(ledger),
        files=files,
        field="--output",
        members=MEMBERS,
        code=0 if decided.holds else REFUTED,
    )


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
