r"""``exactdp certify``: prove or refute a claim.

Rules of this file: the certificate is verified before it is written, and written last; a ledger is
never written over. What was computed without a certificate is neither "proved" nor "refuted".
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.answers.certify import certify
from exactdp.answers.results import Certified, EvidenceKind
from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber, as_number, as_rational
from exactdp.certificate.theorems import INTERLEAVED_BASIC
from exactdp.cli.composition_options import Request, with_request
from exactdp.cli.exit_codes import REFUTED
from exactdp.cli.files import check_certificate, keep_ledger, write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, heading, show
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import exact_text, grouped, rational_text
from exactdp.pages.phrases import claim_fails, claim_follows


@command("certify", cls=ManyCommand, output_file="output")
@with_request
def certify_command(request: Request, *, epsilon: str, delta: str, output: Path | None) -> int:
    """Prove or refute a claim (ε, δ); exit code 0 if proved, 1 if refuted."""
    ledger, group, max_cost = request.ledger, request.group, request.max_cost
    if output is not None:
        keep_ledger(request.source, output, "--output")
        check_certificate(output, "--output")
    with working("deciding", as_json=request.as_json):
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
    if output is not None and data is not None:
        write_together({output: data}, "--output")
    written = None if output is None or data is None else str(output)
    if request.as_json:
        print_json("certify", _json(decided, epsilon, delta, written))
    else:
        _show(ledger, decided, (epsilon, delta), written)
    return 0 if decided.holds else REFUTED


_VERDICTS: Final[dict[tuple[EvidenceKind, bool], str]] = {
    ("certificate", True): "proved",
    ("certificate", False): "refuted",
    ("computed", True): "holds",
    ("computed", False): "fails",
}
"""The word for a decision; "proved" and "refuted" are for what a certificate shows."""


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
    from exactdp.cli.interleaving import interleaving_of  # noqa: PLC0415 (as above)

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


def _json(decided: Certified, epsilon: str, delta: str, written: str | None) -> dict[str, object]:
    claimed: dict[str, object] = {
        "verdict": _VERDICTS[decided.evidence, decided.holds],
        "evidence": decided.evidence,
        "equality": decided.equality,
        "epsilon": shortest_text(as_number(epsilon, "epsilon")),
        "delta": short_text(as_rational(delta, "delta")),
    }
    if decided.computed is not None:
        return claimed | {
            "rule": decided.computed.rule,
            "theorem": None,
            "interaction": "adaptive",
            "group": "1",
            "certificate": None,
            "no_certificate_because": decided.computed.because,
        }
    return claimed | {
        "rule": decided.certificate.rule,
        "theorem": decided.certificate.theorem,
        "interaction": decided.certificate.subject.interaction,
        "group": str(decided.certificate.group),
        "certificate": written,
    }


def _show(ledger: Ledger, decided: Certified, claim: tuple[str, str], written: str | None) -> None:
    epsilon = exact_text(as_number(claim[0], "epsilon"))
    delta = rational_text(as_rational(claim[1], "delta"))
    group = 1 if decided.proof is None else decided.proof.group
    of_whom = "" if group == 1 else f" for groups of {grouped(group)}"
    claimed = f"ε = {epsilon} at δ = {delta}{of_whom}"
    sentence = claim_fails(claimed)
    if decided.holds:
        sentence = claim_follows(claimed, with_equality=decided.equality)
        verdict = f"every composition of mechanisms with these parameters is (ε, δ)-DP{of_whom}"
        verdict += "; no smaller ε is enough" if decided.equality else ""
    else:
        verdict = f"some composition of mechanisms with these parameters is not (ε, δ)-DP{of_whom}"
    rows = [
        ("claim", claimed),
        (_VERDICTS[decided.evidence, decided.holds], verdict),
    ]
    if decided.computed is not None:
        rows += [
            ("by", decided.computed.rule),
            ("evidence", decided.evidence),
            ("no certificate", decided.computed.because),
        ]
    elif _needs_naming(ledger, group):
        rows.append(("by", f"{decided.certificate.rule} ({decided.certificate.theorem})"))
    if written is not None:
        rows.append(("certificate", written))
    show(sentence, "", heading(ledger), "", facts(rows))


def _needs_naming(ledger: Ledger, group: int) -> bool:
    """Whether it does not go without saying what was proved by what."""
    notions = len(ledger.pairs) < len(ledger.mechanisms)
    return notions or group > 1 or ledger.interaction == "concurrent"
