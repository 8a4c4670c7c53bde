r"""``exactdp compose --group`` and ``profile --group``: what holds for groups, labelled as such.

Rules of this file: it renders what the library answered and computes nothing; which of two ways
gave a bound is always said, and that a bound for groups need not be the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.arithmetic.decimal_text import decimal_text, short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.composition_options import Request
from exactdp.cli.files import write_together
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, heading, show
from exactdp.group_privacy.answers import GroupBound, compose_for_groups
from exactdp.pages.accepted import verified
from exactdp.pages.facts.interleaving import one_theorem
from exactdp.pages.number_text import epsilon_of, exact_text, grouped, rational_text
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
    written = [str(path) for path in files]
    if request.as_json:
        print_json("compose", _json(bound, written))
    else:
        _show(bound, written)
    return 0


def _json(bound: GroupBound, written: Sequence[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "group": str(bound.group),
        "epsilon": {
            "lower": "inf" if bound.lower is None else decimal_text(bound.lower),
            "upper": "inf" if bound.upper is None else shortest_text(bound.upper),
        },
        "delta": short_text(bound.delta),
        "mechanisms": bound.ledger.size,
        "interaction": bound.ledger.interaction,
        "method": bound.method,
        "words": bound.explanation,
        "other": bound.other,
    }
    if written:
        result["certificates"] = list(written)
    return result


def _show(bound: GroupBound, written: Sequence[str]) -> None:
    size = grouped(bound.group)
    rows = [("at δ", rational_text(bound.delta)), (f"for groups of {size}", _end(bound.upper))]
    rows.append(("by", bound.explanation))
    if bound.other:
        rows.append(("the other way gives", bound.other))
    if bound.lower is None:
        rows.append(("for neighbours", "infeasible: no finite ε is enough"))
    else:
        rows.append(("not even neighbours", f"keep less than ε = {decimal_text(bound.lower)}"))
    rows += [("certificates" if not i else "", path) for i, path in enumerate(written)]
    sentence = composed(bound.ledger, bound.upper, bound.delta, group=bound.group)
    show(sentence, "", heading(bound.ledger), "", facts(rows))


def _end(epsilon: ExactNumber | None) -> str:
    if epsilon is None:
        return "no bound is derived"
    exact = exact_text(epsilon)
    above = epsilon_of(epsilon, up=True)
    return f"ε ≤ {exact}" + ("" if exact == above else f", at most {above}")
