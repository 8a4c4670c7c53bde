r"""``exactdp budget``: what a budget (ε, δ) allows.

Rules of this file: it renders what the library answered; the scale to use is the lower end, rounded
down; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exactdp.budgets.answers import EXCEEDED
from exactdp.budgets.api import budget
from exactdp.cli.budget_questions import check_question, one_budget
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, answer
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import certificate_files, certificates_of
from exactdp.pages.facts.budget import MEMBERS, budget_facts, budget_sentence
from exactdp.pages.phrases import heading


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
    certificates: Path | None,
    hold: tuple[str, ...],
    method: str | None,
    **asked: Any,  # noqa: ANN401 (what the library is asked)
) -> int:
    """The largest factor for every mechanism with which the ledger keeps the budget (E, D).

    The factor is that of every ε_i and μ; of a ρ it is the square, and noise is divided by it.

    With --count-of: how many more of one mechanism fit. LABEL may be #N, the N-th mechanism.

    A table and a list of Rényi divergences have no factor: they stay as they are. A ledger of
    nothing else is asked how often more it may be run.

    With --allocate: how little noise each statistic of a file gets, and how accurate it is.
    """
    check_question(
        allocate=allocate, **{name: asked[name] for name in ("count_of", "noise_of", "rate_of")}
    )
    if allocate is not None:
        from exactdp.cli.allocating import run_allocation  # noqa: PLC0415 (few ask)

        for name in ("count_of", "noise_of", "rate_of"):
            del asked[name]
        asked |= {"epsilon": epsilon, "fix": fix, "without": without, "confidence": confidence}
        return run_allocation(allocate, deltas, certificates, **asked)
    epsilon, delta = one_budget(epsilon, deltas)
    ledger, stem = find_ledger(source, inline), stem_of(source)
    check_places([source], certificates=certificates, stem=stem)
    files: dict[Path, bytes] = {}
    with working("searching"):
        found = budget(ledger, epsilon=epsilon, delta=delta, hold=hold, method=method, **asked)
        if certificates is not None:
            files = certificate_files(certificates, stem, certificates_of(found))
            if found.fitting is not None:
                files[certificates / f"{stem}.fits.json"] = write_ledger(found.fitting).encode()
    known, sentence = budget_facts(found, [*files]), budget_sentence(found)
    code = REFUTED if found.reason == EXCEEDED else 0
    return answer(known, sentence, "", heading(ledger), files=files, members=MEMBERS, code=code)
