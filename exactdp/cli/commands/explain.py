r"""``exactdp explain``: what a certificate shows, in plain words.

Rules of this file: the verifier is asked first, and what it does not accept is not explained as if
it were true.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.rendering import columns, facts, show
from exactdp.cli.verification import VERDICTS, question_of, read_file
from exactdp.pages.explanation import EntryTexts, entries_of, sentences_of
from exactdp.pages.number_text import exact_text, grouped
from exactdp.verifier import Verdict

_SHOWN_MECHANISMS: Final = 20
_ACCEPTED: Final = "The verifier accepts this certificate, and so what it claims is proved."
_SYMBOLS: Final = {"epsilon": "ε", "mu": "μ", "rho": "ρ"}


@command("explain")
def explain_command(
    file: str,
    *,
    ledger: str | None,
    inline: tuple[str, ...],
    max_cost: int,
    as_json: bool,
) -> int:
    """Say in plain words what a certificate claims, from what, and how it was checked."""
    question = question_of(
        files=[file], ledger=ledger, inline=inline, claim=None, max_cost=max_cost
    )
    data = read_file(file, "certificate")
    verdict = question.ask(data)
    if verdict.status != "accepted":
        _refuse(verdict, as_json=as_json)
        return verdict.exit_code
    document = json.loads(data)
    sentences = sentences_of(document, verdict.theorem)
    if as_json:
        ends = {"digest": document["digest"], "verdict": verdict.line}
        print_json("explain", {"status": verdict.status, **sentences, **ends})
    else:
        _show(sentences, document, verdict)
    return 0


def _refuse(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        print_json("explain", {"status": verdict.status, "reason": verdict.reason})
        return
    end = (
        "It was not checked, so it is not explained; raise --max-cost to check it."
        if verdict.status == "refused"
        else "It proves nothing, so there is nothing to explain."
    )
    show(VERDICTS[verdict.status], verdict.line, end, prose=True)


def _show(sentences: Mapping[str, str], document: Mapping[str, Any], verdict: Verdict) -> None:
    entries = entries_of(document)
    rows: Sequence[tuple[str, str, str]] = [
        (_notion_text(each), _parameter_text(each, "delta"), grouped(int(each["count"])))
        for each in entries[:_SHOWN_MECHANISMS]
    ]
    more = len(entries) - len(rows)
    if more:
        rows = [*rows, ("…", "", f"and {grouped(more)} more kinds")]
    page = {
        "claimed": sentences["claim"],
        "of": sentences["subject"],
        "": columns([_title_of(entries), "δ", "count"], rows) if rows else None,
        "by": sentences["theorem"],
        "checked": sentences["check"],
        "not checked": sentences["limits"],
        "digest": f"SHA-256 {document['digest']}",
    }
    show(_ACCEPTED, "")
    show(facts((name, value) for name, value in page.items() if value), prose=True)
    show("", verdict.line)


def _title_of(entries: Sequence[EntryTexts]) -> str:
    """The title of the first column: the symbol that all entries share, or "parameter"."""
    symbols = {_SYMBOLS[key] for each in entries for key in _SYMBOLS if key in each}
    return symbols.pop() if len(symbols) == 1 else "parameter"


def _notion_text(entry: EntryTexts) -> str:
    """The first parameter of an entry, named where ε does not go without saying."""
    key = next(key for key in _SYMBOLS if key in entry)
    value = _parameter_text(entry, key)
    return value if key == "epsilon" else f"{_SYMBOLS[key]} = {value}"


def _parameter_text(entry: EntryTexts, key: str) -> str:
    return exact_text(ExactNumber.parse(entry[key])) if key in entry else ""
