r"""A certificate in plain words.

Rules of this file: the verifier is asked first, and what it does not accept is not explained as
if it were true.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from exactdp.cli.output import print_json
from exactdp.cli.rendering import columns, console
from exactdp.errors import InputError
from exactdp.verifier import Verdict, verify_bytes

_SHOWN_MECHANISMS: Final = 20
_LONGEST_NUMBER: Final = 60
_MAX_BYTES: Final = 2**24

_THEOREMS: Final = {
    "murtagh-vadhan-2018-theorem-1.5": "the optimal composition theorem (Murtagh and Vadhan, "
    "Theory of Computing 14(8), 2018, Theorem 1.5; adaptive composition by Theorem 3.4 of the "
    "TCC 2016 version)",
    "definition": "the definition of differential privacy alone",
}

_CHECKS: Final = {
    "vacuous": "δ is 1, and no probability exceeds 1.",
    "sum": "The epsilons were added and the failure probabilities multiplied exactly, with "
    "logarithms compared in symbols where they tie.",
    "infeasible": "The failure probabilities alone exceed δ: their product was compared with "
    "1 − δ exactly, in logarithms.",
    "rational-odds": "Every odds ratio e^ε is a rational number, so the sum over all subsets of "
    "mechanisms was computed exactly, in integers.",
    "grid": "All ε are multiples of one unit (or rounded to one on the safe side). The "
    "distribution of the privacy loss was recomputed in whole numbers, rounded down at every "
    "step; what rounding lost was counted against the claim.",
    "lattice": "There are few distinct sums of epsilons. Each was recomputed with its "
    "probability in whole numbers, rounded down; what rounding lost was counted against the claim.",
}


def explain(file: str, *, as_json: bool) -> int:
    """Print what a certificate says; return the verifier's exit code."""
    data = _read(file)
    verdict = verify_bytes(data)
    if verdict.status != "accepted":
        if as_json:
            print_json("explain", {"status": verdict.status, "reason": verdict.reason})
        else:
            sys.stdout.write(
                f"{verdict.line}\nIt proves nothing, so there is nothing to explain.\n"
            )
        return verdict.exit_code
    document = json.loads(data)
    statement, steps = document["statement"], document["derivation"]
    sentences = {
        "claim": _claim(statement),
        "subject": _subject(verdict, statement),
        "theorem": f"This rests on {_THEOREMS[verdict.theorem]}.",
        "check": " ".join(_CHECKS[step["rule"]] for step in steps),
        "verdict": verdict.line,
    }
    if as_json:
        print_json("explain", {"status": verdict.status, **sentences, "digest": document["digest"]})
    else:
        _print(sentences, statement, document["digest"])
    return 0


def _read(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(_MAX_BYTES + 1)
        with Path(file).open("rb") as stream:
            return stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            field="CERT",
            value=file,
            expected=f"a certificate that can be read ({error.strerror})",
        ) from None


def _claim(statement: Mapping[str, str]) -> str:
    epsilon, delta = _short(statement["epsilon"]), _short(statement["delta"])
    if statement["kind"] == "upper":
        return (
            f"However these mechanisms are composed, the whole is ({epsilon}, {delta})-"
            "differentially private."
        )
    if epsilon == "every":
        return (
            f"Some composition of these mechanisms is not (ε, {delta})-differentially private "
            "for any finite ε: δ is below what the mechanisms' own δ add up to."
        )
    return (
        f"Some composition of these mechanisms is not ({epsilon}, {delta})-differentially "
        "private: no accountant may rightly promise that from these parameters."
    )


def _subject(verdict: Verdict, statement: Mapping[str, str]) -> str:
    neighbouring = {
        "unspecified": "whatever relation of neighbouring inputs the mechanisms use",
        "add-remove-one": "neighbouring inputs that differ by adding or removing one",
        "replace-one": "neighbouring inputs that differ by replacing one",
    }[statement["neighbouring"]]
    noun = "mechanism" if verdict.mechanisms == "1" else "mechanisms"
    return (
        f"It is about {verdict.mechanisms} {noun} with the parameters below, fixed in advance and "
        f"run one after the other, each seeing the answers before it, for {neighbouring}."
    )


def _print(
    sentences: Mapping[str, str],
    statement: Mapping[str, Mapping[str, list[dict[str, str]]]],
    digest: str,
) -> None:
    out = console()
    for key in ("claim", "subject"):
        out.print(sentences[key], markup=False)
    mechanisms = statement["subject"]["mechanisms"]
    rows = [
        (_short(m["epsilon"]), _short(m["delta"]), m["count"])
        for m in mechanisms[:_SHOWN_MECHANISMS]
    ]
    out.print()
    out.print(columns(["ε", "δ", "count"], rows))
    if len(mechanisms) > len(rows):
        out.print(f"… and {len(mechanisms) - len(rows)} more kinds", markup=False)
    out.print()
    for key in ("theorem", "check"):
        out.print(sentences[key], markup=False)
    out.print(f"Statement digest (SHA-256): {digest}", markup=False)
    out.print(sentences["verdict"], markup=False)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NUMBER else f"{text[:30]}…{text[-20:]}"
