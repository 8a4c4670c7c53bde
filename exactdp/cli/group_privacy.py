r"""``exactdp compose --group`` and ``profile --group``: what holds for groups, labelled as such.

Rules of this file: it renders what the library answered and computes nothing; which of two ways
gave a bound is always said, and that a bound for groups need not be the least.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.cli.composition_options import Request
from exactdp.cli.files import write_together
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading
from exactdp.group_privacy.answers import compose_for_groups
from exactdp.pages.accepted import verified
from exactdp.pages.facts import listed
from exactdp.pages.facts.group_privacy import group_facts
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.phrases import composed


def compose_for_group(
    request: Request, *, delta: str | None, tolerance: str | None, certificates: Path | None
) -> int:
    """Answer ``compose --group``; return the exit code."""
    theorem = one_theorem(request.ledger, request.theorem)
    with working("composing", as_json=request.as_json):
        bound = compose_for_groups(
            request.ledger,
            request.group,
            delta=delta,
            tolerance=tolerance,
            max_cost=request.max_cost,
        )
        files = {}
        if certificates is not None:
            made = {"upper": bound.upper_certificate(), "lower": bound.lower_certificate()}
            files = {
                certificates / f"{request.stem}.group-{request.group}.{name}.json": verified(
                    certificate if theorem is None else certificate.naming(theorem)
                )
                for name, certificate in made.items()
                if certificate is not None
            }
    write_together(files, "--certificates")
    answer(
        "compose",
        [*group_facts(bound), *listed("certificates", "certificates", [*files])],
        composed(bound.ledger, bound.upper, bound.delta, group=bound.group),
        "",
        heading(bound.ledger),
        as_json=request.as_json,
    )
    return 0
