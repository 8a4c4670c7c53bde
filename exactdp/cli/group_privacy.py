r"""``exactdp compose --group``: what holds for groups, labelled as such.

Rules of this file: it renders what the library answered and computes nothing; which of two ways
gave a bound is always said, and that a bound for groups need not be the least.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.cli.composition_options import Request
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.group_privacy.answers import compose_for_groups
from exactdp.pages.accepted import certificate_files, certificates_of
from exactdp.pages.facts import listed
from exactdp.pages.facts.group_privacy import MEMBERS, group_facts
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.phrases import composed, heading


def compose_for_group(
    request: Request, *, delta: str | None, tolerance: str | None, certificates: Path | None
) -> int:
    """Answer ``compose --group``; return the exit code."""
    ledger, group, max_cost = request.ledger, request.group, request.max_cost
    theorem = one_theorem(ledger, request.theorem)
    files: dict[Path, bytes] = {}
    with working("composing"):
        bound = compose_for_groups(
            ledger, group, delta=delta, tolerance=tolerance, max_cost=max_cost
        )
        if certificates is not None:
            made = {
                f"group-{group}.{name}": each if theorem is None else each.naming(theorem)
                for name, each in certificates_of(bound).items()
            }
            files = certificate_files(certificates, request.stem, made)
    known = [*group_facts(bound), *listed("certificates", "certificates", [*files])]
    standing = "certified" if bound.evidence == "certificate" else "computed"
    sentence = composed(bound.ledger, bound.upper, bound.delta, standing, group=bound.group)
    return answer(known, sentence, "", heading(bound.ledger), files=files, members=MEMBERS)
