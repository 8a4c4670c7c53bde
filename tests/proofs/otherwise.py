"""What the extracted checker may accept though the verifier does not, and why it is true.

The checker looks at nothing that decides nothing about truth: not
at a log beyond what it says was spent. And some rules' bounds it proves by other means than the
verifier does; what of their parameters says how a verifier is to compute decides nothing there, nor
which order the divergences of a budget of one order are converted at. So
it may accept what the verifier rejects or finds malformed. Then the same statement has a
certificate that the verifier accepts: without its log; or by another rule, or
with other parameters of this kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Final

from exactdp.verifier import verify_bytes
from exactdp.verifier.arithmetic.enclosures import enclose
from exactdp.verifier.format.numbers import parse_canonical
from tests.mutation.mutate import Document, seal

OF_WAVES: Final = frozenset({"fourier-lower", "fourier-upper"})
"""Whose points the verifier may look at one by one."""
MEANS: Final = {"grid-fourier": ("grid", "unit")}
"""The other rule, and what of a step's parameters it takes."""
BY_PROFILE: Final = (["mesh-upper"], ["cases", "mesh-upper"])
SCORED: Final = "mesh-lower"
BY_SCORES: Final = ([SCORED], ["rows", SCORED])
NEAR: Final = range(-8, 9)
"""How far the threshold of a best event of scores is from epsilon, in units, about."""
FARTHEST: Final = 10**9
"""The greatest loss, in units, that a window may have."""
MORE_DIGITS: Final = 40
MOST_COST: Final = 10**15


def is_proved_otherwise(certificate: bytes) -> bool:
    """Whether its statement has a certificate by other means, which the verifier accepts."""
    document = _as_it_is_read(json.loads(certificate))
    return any(
        verify_bytes(seal(each), max_cost=MOST_COST).status == "accepted"
        for each in (document, *_otherwise(document))
    )


def _as_it_is_read(document: Document) -> Document:
    """Without what states nothing: the digest of the log from which a budget was spent."""
    statement = document["statement"]
    subject = {key: value for key, value in statement["subject"].items() if key != "log"}
    return document | {"statement": statement | {"subject": subject}}


def _otherwise(document: Document) -> Iterator[Document]:
    steps = document["derivation"]
    if any(step["rule"] in OF_WAVES | MEANS.keys() for step in steps):
        yield document | {"derivation": [_by_other_means(step) for step in steps]}
    elif [step["rule"] for step in steps] == ["filter", "moments"]:
        order = document["statement"]["subject"].get("alpha", "2")
        last = {**steps[1], "parameters": {**steps[1]["parameters"], "alpha": order}}
        yield document | {"derivation": [steps[0], last]}
    elif [step["rule"] for step in steps] in BY_PROFILE:
        yield with_wide_levels(document)
    elif [step["rule"] for step in steps] in BY_SCORES:
        *before, step = steps
        for parameters in _uncut(document["statement"]["subject"], step["parameters"]):
            yield document | {"derivation": [*before, step | {"parameters": parameters}]}


def _by_other_means(step: Document) -> Document:
    parameters = step["parameters"]
    if step["rule"] in OF_WAVES:
        everywhere = {"cut": "100", "far": "1", "near": parameters["last"]}
        more = {"digits": _more(parameters["digits"])}
        return {**step, "parameters": {**parameters, **everywhere, **more}}
    if step["rule"] not in MEANS:
        return step
    rule, *own = MEANS[step["rule"]]
    taken = {key: parameters[key] for key in ("bound", "delta", "epsilon", *own)}
    taken["digits"] = _more(parameters["digits"])
    return {"parameters": taken, "premises": [], "rule": rule}


def _more(digits: str) -> str:
    return str(int(digits) + MORE_DIGITS)


def with_wide_levels(document: Document) -> Document:
    """Of a profile, with levels that no sum of losses leaves, all windows as far as the farthest.

    At a loss where its window ends the checker takes what it can of all that is beyond.
    """
    *before, step = document["derivation"]
    parameters = step["parameters"]
    plans = [_wide(document["statement"]["subject"], plan) for plan in parameters["plans"]]
    for plan in plans:
        ends = max(
            abs(int(end)) for window in plan["windows"] for end in window[:: len(window) - 1]
        )
        ends = FARTHEST if _is_by_pairs(document["statement"]["subject"]) else ends
        plan["windows"] = [[str(-ends), str(ends)]] * len(plan["windows"])
    more = {"digits": _more(parameters["digits"]), "plans": plans}
    return document | {"derivation": [*before, step | {"parameters": parameters | more}]}


def _wide(subject: Document, plan: Document) -> Document:
    windows = plan["windows"]
    farthest = max(abs(int(end)) for window in windows for end in (window[0], window[-1]))
    stated = subject["mechanisms"] if "mechanisms" in subject else subject["queries"]
    each = [int(m.get("count", "1")) * len(_shifts(m)) * _epochs(m) for m in stated]
    width = str(farthest * sum(each))
    return {"windows": windows, "levels": [["-" + width, width, "1"]] * len(plan["levels"])}


def _uncut(subject: Document, parameters: Document) -> Iterator[Document]:
    """With levels that no sum of scores leaves, on the first mesh, and near thresholds.

    Where levels change scores, or all are given by (ε, δ), the checker tests the best event of
    these, whatever threshold there is: it is not far from epsilon.
    """
    plan = _wide(subject, parameters["plan"])
    if "cuts" in parameters["plan"]:
        plan["cuts"] = parameters["plan"]["cuts"]  # between the points of its windows
    elif _is_by_pairs(subject):
        plan["windows"] = [[str(-FARTHEST), str(FARTHEST)]] * len(plan["windows"])
    else:
        plan["windows"] = [[window[0], window[-1]] for window in plan["windows"]]
    times = prod(int(level[2]) for level in parameters["plan"]["levels"])
    middle = int(parameters["threshold"]) * times
    thresholds = {middle: None, middle - (times - 1) // 2: None}
    low, _ = enclose(parse_canonical(parameters["epsilon"]), 64)
    units = round(Fraction(low, 1 << 64) / Fraction(parameters["unit"]))
    thresholds |= {units + away: None for away in sorted(NEAR, key=abs)}
    for threshold in thresholds:
        more = {"digits": _more(parameters["digits"]), "threshold": str(threshold)}
        yield parameters | more | {"plan": plan}


def _is_by_pairs(subject: Document) -> bool:
    """Whether all are given by (ε, δ), so that the checker looks at all losses."""
    return all("epsilon" in each for each in subject.get("mechanisms", [{}]))


def _epochs(mechanism: Document) -> int:
    return int(mechanism.get("shuffled", {"epochs": "1"})["epochs"])


def _shifts(mechanism: Document) -> list[str]:
    shifts: list[str] = mechanism.get("discrete_laplace", {"shifts": ["0"]})["shifts"]
    return shifts
