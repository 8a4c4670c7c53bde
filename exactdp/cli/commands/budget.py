r"""``exactdp budget``: what a budget (ε, δ) allows.

Rules of this file: it renders what the library answered; the scale to use is the lower end, rounded
down; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exactdp.budgets.answers import BudgetAnswer
from exactdp.budgets.api import budget
from exactdp.cli.budget_questions import check_question, one_budget
from exactdp.cli.composition_options import (
    find_ledger,
)
from exactdp.cli.files import write_together
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import verified
from exactdp.pages.facts.budget import budget_facts, budget_sentence


@command("budget")
def budget_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: str | None,
    deltas: tuple[str, ...],
    allocate: str | None,
    fix: tuple[str, ...],
    without: tuple[str, ...],
    confidence: str | None,
    tolerance: str | None,
    certificates: Path | None,
    max_cost: int,
    as_json: bool,
    **others: Any,  # noqa: ANN401 (what the library's budget is asked as well)
) -> int:
    """The largest factor for every mechanism with which the ledger keeps the budget (E, D).

    The factor is that of every ε_i and μ; of a ρ it is the square, and noise is divided by it.

    With --count-of: how many more of one mechanism fit. LABEL may be #N, the N-th mechanism.

    A table and a list of Rényi divergences have no factor: they stay as they are. A ledger of
    nothing else is asked how often more it may be run.

    With --allocate: how much of the budget each statistic of a file gets, and how accurate it is.
    """
    questions = {name: others[name] for name in ("count_of", "noise_of", "rate_of")}
    check_question(allocate=allocate, **questions)
    if allocate is not None:
        from exactdp.cli.allocating import (  # noqa: PLC0415 (the other questions need none of it)
            AllocationRequest,
            run_allocation,
        )

        return run_allocation(
            AllocationRequest(
                source=allocate,
                epsilon=epsilon,
                deltas=deltas,
                fix=fix,
                without=without,
                confidence=confidence,
                tolerance=tolerance,
                max_cost=max_cost,
                certificates=certificates,
                as_json=as_json,
            )
        )
    epsilon, delta = one_budget(epsilon, deltas)
    ledger = find_ledger(source, inline)
    check_places([source], certificates=certificates, stem=stem_of(source))
    with working("searching", as_json=as_json):
        found = budget(
            ledger, epsilon=epsilon, delta=delta, tolerance=tolerance, max_cost=max_cost, **others
        )
        files = {} if certificates is None else _files(found, certificates, stem_of(source))
    write_together(files, "--certificates")
    answer(
        "budget",
        budget_facts(found, [*files]),
        budget_sentence(found),
        "",
        heading(ledger),
        as_json=as_json,
    )
    return 0


def _files(answer: BudgetAnswer, directory: Path, stem: str) -> dict[Path, bytes]:
    """Where the certificates and the ledger that fits go; only those that exist."""
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    files = {
        directory / f"{stem}.{bound}.json": verified(certificate)
        for bound, certificate in made.items()
        if certificate is not None
    }
    if answer.fitting is not None:
        files[directory / f"{stem}.fits.json"] = write_ledger(answer.fitting).encode()
    return files
