r"""``exactdp compose --group`` and ``profile --group``: what holds for groups, labelled as such.

Rules of this file: it renders what the library answered and computes nothing; which of two ways
gave a bound is always said, and that a bound for groups need not be the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.arithmetic.decimal_text import decimal_text, short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.certificates import verified
from exactdp.cli.files import write_together
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import (
    epsilon_of,
    exact_text,
    facts,
    grouped,
    heading,
    rational_text,
    show,
)
from exactdp.conversion import groups
from exactdp.conversion.groups import GroupBound
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger


def refuse_together(option: str, given: str | None, **others: object) -> None:
    """Refuse options that have no meaning beside ``option``.

    Raises:
        InputError: one of them was given.
    """
    for name, value in others.items():
        if value not in (None, False):
            raise InputError(
                field=f"--{name.replace('_', '-')}",
                value=str(value),
                expected=f"not to be given with {option} {given}",
            )


def compose_for_group(  # noqa: PLR0913 (one argument for each option)
    ledger: Ledger,
    group: int,
    *,
    delta: str | None,
    tolerance: str,
    theorem: str | None,
    certificates: Path | None,
    stem: str,
    max_cost: int,
    as_json: bool,
) -> int:
    """Answer ``compose --group``; return the exit code."""
    with working("composing", as_json=as_json):
        bound = groups.compose(ledger, group, delta=delta, tolerance=tolerance, max_cost=max_cost)
        files = {}
        if certificates is not None:
            made = {"upper": bound.upper_certificate(), "lower": bound.lower_certificate()}
            files = {
                certificates / f"{stem}.group-{group}.{name}.json": verified(
                    certificate if theorem is None else certificate.naming(theorem)
                )
                for name, certificate in made.items()
                if certificate is not None
            }
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    if as_json:
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
        "method": bound.way,
        "words": bound.words,
        "other": bound.other,
    }
    if written:
        result["certificates"] = list(written)
    return result


def _show(bound: GroupBound, written: Sequence[str]) -> None:
    size = grouped(bound.group)
    rows = [("at δ", rational_text(bound.delta)), (f"for groups of {size}", _end(bound.upper))]
    rows.append(("by", bound.words))
    if bound.other:
        rows.append(("the other way gives", bound.other))
    if bound.lower is None:
        rows.append(("for neighbours", "infeasible: no finite ε is enough"))
    else:
        rows.append(("not even neighbours", f"keep less than ε = {decimal_text(bound.lower)}"))
    rows += [("certificates" if not i else "", path) for i, path in enumerate(written)]
    show(heading(bound.ledger), "", facts(rows))


def _end(epsilon: ExactNumber | None) -> str:
    if epsilon is None:
        return "no bound is derived"
    exact = exact_text(epsilon)
    above = epsilon_of(epsilon, up=True)
    return f"ε ≤ {exact}" + ("" if exact == above else f", at most {above}")
