r"""What of an answer is kept: exit codes, certain numbers, outcomes and refusals.

Rules of this file: no text for people and no bytes of a certificate are kept, for these may change
while the answer stays. A refusal is kept by its code and the field that it names.

Theory of operation: every command is run in this process with ``--json``; one function a command
picks the numbers from the result. ``answers.json`` beside this file holds them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

from tests.cli.running import LEDGERS, exactdp
from tests.golden.drawing import Question, questions

Kept = dict[str, Any]
"""An exit code, with numbers and outcomes, or with a refusal."""

FILE: Final = Path(__file__).with_name("answers.json")


def _ends(ends: Mapping[str, Any] | None) -> list[str] | None:
    return None if ends is None else [ends["lower"], ends["upper"]]


def _composed(result: Mapping[str, Any]) -> Kept:
    return {
        "epsilon": _ends(result["epsilon"]),
        "exact": result["exact"],
        "least feasible delta": _ends(result["least_feasible_delta_ends"]),
        "claims": [each["outcome"] for each in result["claims"]],
    }


def _profile(result: Mapping[str, Any]) -> Kept:
    return {"delta": [_ends(row["delta"]) for row in result["profile"]]}


def _certified(result: Mapping[str, Any]) -> Kept:
    return {"verdict": result["verdict"], "equality": result["equality"]}


def _audited(result: Mapping[str, Any]) -> Kept:
    claims = [claim for ledger in result["ledgers"] for claim in ledger["claims"]]
    return {
        "outcomes": [claim["outcome"] for claim in claims],
        "least": [[_ends(rule["least"]) for rule in claim["verdicts"]] for claim in claims],
    }


def _scaled(result: Mapping[str, Any]) -> Kept:
    """The scale, or the count where mechanisms have none."""
    if "count" in result:
        return {"outcome": result["outcome"], "count": result["count"]}
    return {
        "outcome": result["outcome"],
        "scale": _ends(result["scale"]),
        "exact": result["exact"],
    }


def _bounds(result: Mapping[str, Any]) -> Kept:
    return {
        "optimum": _ends(result["optimum"]),
        "bounds": [row["certified"] for row in result["bounds"]],
    }


_PICKED: Final[Mapping[str, Callable[[Mapping[str, Any]], Kept]]] = {
    "compose": _composed,
    "profile": _profile,
    "certify": _certified,
    "audit": _audited,
    "budget": _scaled,
    "bounds": _bounds,
}


def asked(question: Question) -> Kept:
    """What the program answers today to a drawn question."""
    text = json.dumps(question.ledger, ensure_ascii=False)
    return _answer(question.command, "-", *question.arguments, stdin=text.encode())


def published(ledger: Path, command: str) -> Kept:
    """What the program answers today about a published deployment."""
    return _answer(command, str(ledger))


def deployments() -> Iterator[tuple[str, Path, str]]:
    """The name, the ledger and the command of every question about a published deployment."""
    for ledger in sorted(LEDGERS.glob("*.json")):
        for command in ("compose", "audit"):
            yield f"{command} {ledger.stem}", ledger, command


def all_answers() -> dict[str, Kept]:
    """Every answer of the golden file, made again."""
    told = {name: published(ledger, command) for name, ledger, command in deployments()}
    drawn = questions()
    with ProcessPoolExecutor() as pool:
        answers = pool.map(asked, drawn, chunksize=4)
        return told | {each.name: kept for each, kept in zip(drawn, answers, strict=True)}


def differences(before: Mapping[str, Kept], after: Mapping[str, Kept]) -> list[str]:
    """One line for each answer that is not what it was."""
    names = sorted(before.keys() | after.keys())
    return [
        f"{name}: {_line(before.get(name))} → {_line(after.get(name))}"
        for name in names
        if before.get(name) != after.get(name)
    ]


def _answer(*arguments: str, stdin: bytes = b"") -> Kept:
    answer = exactdp(*arguments, "--json", stdin=stdin)
    document = answer.document
    if "error" in document:
        refused = [document["error"]["code"], document["error"]["field"]]
        return {"exit": answer.code, "refused": refused}
    return {"exit": answer.code, **_PICKED[arguments[0]](document["result"])}


def _line(kept: Kept | None) -> str:
    return json.dumps(kept, ensure_ascii=False)
