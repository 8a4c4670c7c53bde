r"""``exactdp explain``: what a certificate shows, in plain words.

Rules of this file: the verifier is asked first, and what it does not accept is not explained as if
it were true.
"""

from __future__ import annotations

import json
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.rendering import Prose, answer, tables
from exactdp.cli.tables import Table
from exactdp.cli.verification import VERDICTS, question_of, read_file
from exactdp.pages.explanation import entry_table, explanation_facts
from exactdp.pages.facts import fact, rows_of

_ACCEPTED: Final = "The verifier accepts this certificate, and so what it claims is proved."
_REFUSED: Final = {
    True: "It was not checked, so it is not explained; raise --max-cost to check it.",
    False: "It proves nothing, so there is nothing to explain.",
}


@command("explain")
def explain_command(
    file: str, *, ledger: str | None, inline: tuple[str, ...], max_cost: int
) -> int:
    """Say in plain words what a certificate claims, from what, and how it was checked."""
    question = question_of(
        files=[file], ledger=ledger, inline=inline, claim=None, max_cost=max_cost
    )
    data = read_file(file, "certificate")
    verdict = question.ask(data)
    if verdict.status != "accepted":
        known = [fact("status", verdict.status), fact("reason", verdict.reason)]
        lines = VERDICTS[verdict.status], verdict.line, _REFUSED[verdict.status == "refused"]
        return answer(known, *map(Prose, lines), code=verdict.exit_code)
    document = json.loads(data)
    known = [fact("status", verdict.status), *explanation_facts(document, verdict)]
    (claimed, of, *others), entries = rows_of(known), entry_table(document)
    middle = [("", each) for each in tables(entries)[1:]]
    told = Table((), (claimed, of, *middle, *others))
    return answer(
        [each.for_programs for each in known],
        *(_ACCEPTED, "", Prose(told), "", verdict.line),
    )
