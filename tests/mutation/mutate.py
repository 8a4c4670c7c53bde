"""Mutants of certificates: single fields and coordinated pairs, sealed again.

A mutant is canonical, sorted, and its digest is right, so that only the rules can tell it from an
honest certificate.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, TypeAlias

from exactdp.verifier import verify_bytes
from exactdp.verifier.rules import RULES
from exactdp.verifier.rules.rule import BoundRule
from tests.verifier.declared import parameters_of

Document: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]

MAX_COST = 10**9

_WORDS = {
    "kind": ["upper", "lower", "underivable", "rejected"],
    "bound": ["upper", "lower", "underivable", "rejected"],
    "group": ["1", "2", "3"],
    "theorem": [
        "murtagh-vadhan-2018-theorem-1.5",
        "vadhan-wang-2021-theorem-4.1",
        "vadhan-wang-2021-theorem-5.4",
        "vadhan-zhang-2023-f-dp",
        "definition",
        "basic",
        "canonne-kamath-steinke-2020-proposition-12",
        "bun-steinke-2016-proposition-1.3",
        "canonne-kamath-steinke-2020-corollary-13",
        "dong-roth-su-2022-theorem-3.2",
        "rogers-roth-ullman-vadhan-2016-basic-filter",
        "whitehouse-ramdas-rogers-wu-2023-zcdp-filter",
        "feldman-zrnic-2021-renyi-filter",
        "koskela-tobaben-honkela-2023-gdp-filter",
        "zhu-dong-wang-2022-theorem-10",
        "clopper-pearson-1934",
        "right-guesses-in-one-run",
    ],
    "rule": [*RULES],
    "neighbouring": ["add-remove-one", "replace-one", "unspecified", "zero-out"],
    "order": ["fresh", "persistent"],
    "interaction": ["adaptive", "concurrent", "fully-adaptive"],
    "type": [
        "mechanisms",
        "workload",
        "interactive",
        "budget",
        "experiment",
    ],
    "input": ["0", "1"],
    "format": ["exactdp-certificate/1", "exactdp-certificate/2"],
}
_USUAL: dict[str, Any] = {
    "digits": "30",
    "sums": "64",
    "unit": "1/10",
    "plan": {"levels": [], "windows": []},
    "plans": [],
    "orders": ["2", "8"],
}
# Fields that state the same thing twice, and therefore must change together to reach the rules.
_NUMBERS = ("epsilon", "delta", "rho", "mu")
_TWINS = (*((each, each) for each in _NUMBERS), ("kind", "bound"), ("group", "group"))


def twins(document: Document) -> list[tuple[Path, Path]]:
    """The paths of the fields that the statement and the last step share."""
    last = len(document["derivation"]) - 1
    return [
        (("statement", stated), ("derivation", last, "parameters", concluded))
        for stated, concluded in _TWINS
        if concluded in document["derivation"][last]["parameters"]
    ]


def leaves(value: object, path: Path = ()) -> Iterator[Path]:
    """The paths of all strings."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path


def at(document: Document, path: Path) -> str:
    """The string at a path."""
    value: Any = document
    for key in path:
        value = value[key]
    return str(value)


def with_values(document: Document, values: dict[Path, str]) -> Document:
    """A document with other strings, which shares with the first what stays the same."""
    changed = copy.copy(document)
    for path, text in values.items():
        value: Any = changed
        for key in path[:-1]:
            value[key] = copy.copy(value[key])
            value = value[key]
        value[path[-1]] = text
    return changed


def alternatives(path: Path, text: str) -> list[str]:
    """Other values for a field: all words it could hold, or numbers near and far."""
    name = str(path[-1])
    if name in _WORDS:
        return [word for word in _WORDS[name] if word != text]
    if name in ("batches", "bits", "count", "digits", "epochs", "sums"):
        number = int(text)
        others = {number - 1, number + 1, number * 2, max(1, number // 2), 1}
        return [str(other) for other in sorted(others - {number})]
    if re.fullmatch(r"\d+(/\d+)?", text):
        return _nearby(Fraction(text), is_delta=name == "delta")
    return ["0", "1/10", "1", "ln(2)", "every", f"1/1000 + {text}"]


def _nearby(number: Fraction, *, is_delta: bool) -> list[str]:
    small = Fraction(1, 10**6)
    others = {
        number + small,
        number - small,
        number * (1 + small),
        number * (1 - small),
        number * 2,
        number / 2,
        Fraction(0),
        Fraction(1),
        number + Fraction(1, 10**30),
        number - Fraction(1, 10**30),
    }
    kept = sorted(other for other in others - {number} if other >= 0)
    return [str(other) for other in kept if other <= 1 or not is_delta]


def single_mutants(document: Document) -> Iterator[Document]:
    """Every field but the digest, changed alone; twins are changed in pairs too."""
    for path in leaves(document):
        if path[0] != "digest":
            for text in alternatives(path, at(document, path)):
                yield with_values(document, {path: text})
    yield from twin_mutants(document)
    yield from rule_mutants(document)


def rule_mutants(document: Document) -> Iterator[Document]:
    """Every other rule for the first bound, with its theorems and the parameters that it takes."""
    subject = document["statement"]["subject"]
    reduced = "bound" not in document["derivation"][0]["parameters"]
    index = 1 if reduced else 0
    step = document["derivation"][index]
    given = step["parameters"]
    for name, rule in RULES.items():
        if name != step["rule"] and issubclass(rule, BoundRule):
            further: dict[str, Any] = {
                key: given.get(key, _USUAL.get(key, "1")) for key in parameters_of(rule)
            }
            if "deltas" in further:
                further["deltas"] = ["0"] * len(subject.get("mechanisms", []))
            claimed = {key: given.get(key, "1") for key in _NUMBERS if key in rule.keys}
            stated = {k: v for k, v in document["statement"].items() if k not in _NUMBERS}
            for theorem in sorted({rule.theorem, *(each.name for each in rule.interleaved)}):
                changed = copy.deepcopy(document)
                changed["statement"] = {**stated, **claimed, "theorem": theorem}
                changed["derivation"][index] = {
                    **step,
                    "rule": name,
                    "parameters": {"bound": given["bound"], **claimed, **further},
                }
                yield changed


def twin_mutants(document: Document) -> Iterator[Document]:
    """The claim itself changed, in the statement and in the step alike."""
    for first, second in twins(document):
        for text in alternatives(first, at(document, first)):
            yield with_values(document, {first: text, second: text})


def drawn_pair_mutants(document: Document, chance: Random, number: int) -> Iterator[Document]:
    """So many changes of a field together with the claim, drawn one by one."""
    claims, others = list(twin_mutants(document)), _beside_the_claim(document)
    for _ in range(number if claims and others else 0):
        path = chance.choice(others)
        text = chance.choice(alternatives(path, at(document, path)))
        yield with_values(chance.choice(claims), {path: text})


def _beside_the_claim(document: Document) -> list[Path]:
    claimed = [twin for pair in twins(document) for twin in pair]
    return [
        path
        for path in leaves(document)
        if path[0] not in ("digest", "format") and path not in claimed
    ]


def seal(document: Document) -> bytes:
    """Canonical bytes, with mechanisms sorted and the digest right."""
    sealed = copy.deepcopy(document)
    subject = sealed["statement"]["subject"]
    if subject["type"] == "mechanisms" and "mechanisms" in subject:
        subject["mechanisms"].sort(key=_order)
    sealed["digest"] = hashlib.sha256(_canonical(sealed["statement"])).hexdigest()
    return _canonical(sealed)


def _order(mechanism: Any) -> bytes:  # noqa: ANN401 (whatever a mutant puts there)
    """What it says besides its count."""
    if not isinstance(mechanism, dict):
        return _canonical(mechanism)
    return _canonical({key: value for key, value in mechanism.items() if key != "count"})


class Mutant(NamedTuple):
    """The bytes of a mutant, and its verdict."""

    text: str
    status: str
    exit_code: int


def checked(document: Document) -> Mutant:
    """A mutant, sealed, and its verdict."""
    data = seal(document)
    verdict = verify_bytes(data, max_cost=MAX_COST)
    return Mutant(data.decode(), verdict.status, verdict.exit_code)


def _canonical(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()
