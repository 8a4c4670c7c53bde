"""An independent judge of statements about small ledgers, with counts.

D is a sum over count vectors in mpmath's interval arithmetic; nothing comes from exactdp.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod
from typing import Any, Final

from mpmath import iv  # type: ignore[import-untyped]  # mpmath ships no types

from tests.mutation import (
    conversions,
    experiments_oracle,
    groups_oracle,
    interactive_oracle,
    losses_oracle,
    noise_oracle,
    notions_oracle,
)
from tests.verifier.oracles import forced_delta, interval, value_of

MOST_VECTORS = 20_000
MOST_ROWS = 1000
MOST_PAIRS = 40

_Row = tuple[int, ...]


def is_shown(document: dict[str, Any]) -> bool | None:
    """Whether a certificate's statement is true; None if too large, or too close to a tie, to tell.

    For groups: whether it follows from what is true of neighbours, by the step that says how.
    """
    statement = document["statement"]
    group = int(statement["group"])
    if document["derivation"][-1]["rule"] in _OF_GROUPS:
        return _OF_GROUPS[document["derivation"][-1]["rule"]](document)
    if group == 1 or statement["kind"] == "lower" or "epsilon" not in statement:
        return is_true(statement)
    first, last = document["derivation"]
    if "deltas" in last["parameters"]:
        scaled = []
        for entry, delta in zip(
            statement["subject"]["mechanisms"], last["parameters"]["deltas"], strict=True
        ):
            least = _steps(entry["epsilon"], group) * interval(Fraction(entry["delta"]))
            if (interval(Fraction(delta)) - least).b < 0:
                return False
            epsilon = str(Fraction(entry["epsilon"]) * group)
            scaled.append({**entry, "epsilon": epsilon, "delta": delta})
        ledger = {"type": "mechanisms", "mechanisms": scaled}
        return is_true({**statement, "subject": ledger})
    given = first["parameters"]
    steps = _steps(given["epsilon"], group)
    failure = interval(Fraction(statement["delta"])) - steps * interval(Fraction(given["delta"]))
    excess = value_of(statement["epsilon"]) - group * value_of(given["epsilon"])
    if failure.b < 0 or excess.b < 0:
        return False
    return is_true({**statement, "epsilon": given["epsilon"], "delta": given["delta"]})


def _follows_from_noise(document: dict[str, Any]) -> bool | None:
    """Whether it is true of noise that the mechanisms are for the group."""
    statement = document["statement"]
    upper, group = statement["kind"] == "upper", int(statement["group"])
    entries = []
    for entry in statement["subject"]["mechanisms"]:
        moved = groups_oracle.of_group(entry, group, upper=upper)
        if moved is None:
            return None
        entries += moved
    about = {**statement["subject"], "mechanisms": entries}
    return noise_oracle.is_true({**statement, "group": "1", "subject": about})


def _follows_along_a_path(document: dict[str, Any]) -> bool | None:
    """Whether each step is true of neighbours, and the steps lead to the statement."""
    statement, (*premises, last) = document["statement"], document["derivation"]
    points = [each["parameters"] for each in premises]
    steps = [int(each) for each in last["parameters"]["steps"]]
    if statement["kind"] == "lower":
        return is_true({**statement, "group": "1"})
    chain = [point for point, times in zip(points, steps, strict=True) for _ in range(times)]
    epsilon, delta = value_of("0"), iv.mpf(0)
    for point in reversed(chain):
        odds = iv.exp(value_of(point["epsilon"]))
        delta = interval(Fraction(point["delta"])) + odds * delta
        epsilon += value_of(point["epsilon"])
    if (value_of(statement["epsilon"]) - epsilon).b < 0:
        return False
    if (interval(Fraction(statement["delta"])) - delta).b < 0:
        return False
    verdicts = {
        is_true({**statement, "group": "1", "epsilon": point["epsilon"], "delta": point["delta"]})
        for point in points
    }
    return False if False in verdicts else None if None in verdicts else True


def _steps(epsilon: str, group: int) -> Any:  # noqa: ANN401 (mpmath has no types)
    return sum((iv.exp(value_of(epsilon) * t) for t in range(group)), iv.mpf(0))


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether a statement about neighbours is true.

    Concurrent composition is no weaker than adaptive composition: the optimum is the same. Many
    mutants of one certificate state the same, and are judged once.
    """
    judged = _is_true if "epsilon" in statement else _is_true_of_notion
    return judged(json.dumps(statement, sort_keys=True))


def _is_true_of_notion(text: str) -> bool | None:
    return notions_oracle.is_true(json.loads(text))


@lru_cache(maxsize=10_000)
def _is_true(text: str) -> bool | None:
    statement = json.loads(text)
    about = statement["subject"]["type"]
    if about == "interactive":
        holds = interactive_oracle.holds(statement)
        return None if holds is None else holds == (statement["kind"] == "upper")
    if about != "mechanisms":
        return _BEYOND_LEDGERS[about](statement)
    if _draws_noise(statement["subject"]["mechanisms"]):
        known = losses_oracle.is_true(statement)
        return noise_oracle.is_true(statement) if known is None else known
    mechanisms = statement["subject"]["mechanisms"]
    if statement["kind"] == "underivable" or any("epsilon" not in m for m in mechanisms):
        return conversions.is_true(statement)
    entries = [(m["epsilon"], m["delta"], int(m["count"])) for m in mechanisms]
    if sum(count for _, _, count in entries) > 10**5:
        return None
    holds = _holds(entries, statement["epsilon"], statement["delta"])
    return None if holds is None else holds == (statement["kind"] == "upper")


def _draws_noise(entries: Iterable[Mapping[str, Any]]) -> bool:
    """Whether any is given by more than parameters of privacy."""
    return any(
        not each.keys() <= {"epsilon", "delta", "mu", "rho", "count", "where"} for each in entries
    )


def _is_true_of_budget(statement: dict[str, Any]) -> bool | None:
    """What is true of one mechanism that spends all, beside one that fails with all of δ.

    Of Rényi divergences the oracle knows Gaussian noise from below, and their formula from above.
    """
    subject = statement["subject"]
    if statement["interaction"] != "fully-adaptive" or statement["kind"] == "underivable":
        return False
    failures = {"epsilon": "0", "delta": subject["delta"], "count": "1"}
    whole = {key: subject[key] for key in ("epsilon", "rho", "mu") if key in subject}
    if "epsilon" in subject:
        entries = [(subject["epsilon"], subject["delta"], 1)]
        holds = _holds(entries, statement["epsilon"], statement["delta"])
        return None if holds is None else holds == (statement["kind"] == "upper")
    if "renyi" in subject:
        whole = {"rho": str(Fraction(subject["renyi"]) / Fraction(subject["alpha"]))}
    ledger = {"type": "mechanisms", "mechanisms": [failures, {**whole, "count": "1"}]}
    return conversions.is_true({**statement, "subject": ledger})


def _is_true_of_workload(statement: dict[str, Any]) -> bool | None:
    """Upper: of the queries that any one row satisfies. Lower: of those of some row.

    Where one row replaces another, of the queries that one of any two different rows satisfies.
    """
    subject = statement["subject"]
    if _draws_noise(subject["queries"]):
        return _is_true_of_noise(statement)
    replaced = statement["neighbouring"] == "replace-one"
    if statement["neighbouring"] not in ("replace-one", "add-remove-one"):
        return False
    if statement["delta"] == "1":
        return bool(statement["kind"] == "upper")
    sizes = [len(each.get("values", ())) or int(each["size"]) for each in subject["domain"]]
    if prod(sizes) > (MOST_PAIRS if replaced else MOST_ROWS):
        return None
    rows = list(product(*map(range, sizes)))
    changes: Iterable[tuple[_Row, ...]] = ((row,) for row in rows)
    if replaced:
        changes = combinations(rows, 2)
    ledgers = (_met_by_any(change, subject["queries"]) for change in changes)
    answers = {is_true({**statement, "subject": ledger}) for ledger in ledgers}
    if statement["kind"] == "upper":
        return False if False in answers else None if None in answers else True
    return True if True in answers else None if None in answers else False


def _met_by_any(rows: tuple[_Row, ...], queries: list[dict[str, Any]]) -> dict[str, Any]:
    """The ledger of the queries that any of some rows satisfies, equal ones counted together."""
    met = (query for query in queries if any(_satisfies(row, query) for row in rows))
    equal = Counter(tuple(sorted((k, v) for k, v in q.items() if k != "where")) for q in met)
    mechanisms = [{**dict(each), "count": str(count)} for each, count in equal.items()]
    return {"type": "mechanisms", "mechanisms": mechanisms}


def _is_true_of_noise(statement: dict[str, Any]) -> bool | None:
    """Upper: of the mechanisms of the queries that any one row satisfies. Lower: of some row's."""
    subject = statement["subject"]
    if statement["neighbouring"] != "add-remove-one" or statement["interaction"] != "adaptive":
        return False
    sizes = [len(each.get("values", ())) or int(each["size"]) for each in subject["domain"]]
    if prod(sizes) > MOST_ROWS:
        return None
    answers = {
        noise_oracle.is_true(noise_oracle.about(statement, _met(row, subject["queries"])))
        for row in product(*map(range, sizes))
    }
    deciding = statement["kind"] == "lower"
    return deciding if deciding in answers else None if None in answers else not deciding


def _met(row: _Row, queries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mechanisms of the queries that a row satisfies, each counted once."""
    met = (query for query in queries if _satisfies(row, query))
    return [{**{k: v for k, v in q.items() if k != "where"}, "count": "1"} for q in met]


def _satisfies(row: _Row, query: dict[str, Any]) -> bool:
    """Whether the value of each clause's attribute lies in one of its ranges."""
    for attribute, *ends in query["where"]:
        pairs = zip(ends[::2], ends[1::2], strict=True)
        if not any(int(low) <= row[int(attribute)] < int(high) for low, high in pairs):
            return False
    return True


def _holds(entries: list[tuple[str, str, int]], epsilon: str, delta: str) -> bool | None:
    """Whether every composition is (epsilon, delta)-DP; "every" asks for any epsilon at all."""
    allowed = forced_delta(entries, delta)
    if delta == "1" or allowed < 0 or epsilon == "every":
        return delta == "1" or allowed >= 0
    if _is_basic(entries, epsilon):
        return True
    divergence = _divergence(entries, epsilon)
    if divergence is None:
        return None
    excess = divergence - interval(allowed)
    if excess.a > 0:
        return False
    return True if excess.b < 0 else None


def _is_basic(entries: list[tuple[str, str, int]], epsilon: str) -> bool:
    """Whether all is rational and epsilon is at least the sum: D is exactly 0 then."""
    texts = [epsilon, *(text for text, _, _ in entries)]
    if any("ln" in text for text in texts):
        return False
    return Fraction(epsilon) >= sum(Fraction(text) * count for text, _, count in entries)


def _divergence(entries: list[tuple[str, str, int]], epsilon: str) -> Any:  # noqa: ANN401
    vectors = 1
    for _, _, count in entries:
        vectors *= count + 1
    if vectors > MOST_VECTORS:
        return None
    odds = [(iv.exp(value_of(text)), count) for text, _, count in entries]
    y = iv.exp(value_of(epsilon))
    total = interval(Fraction(0))
    for vector in product(*(range(count + 1) for _, count in odds)):
        inside = outside = interval(Fraction(1))
        ways = 1
        for chosen, (ratio, count) in zip(vector, odds, strict=True):
            inside *= ratio**chosen
            outside *= ratio ** (count - chosen)
            ways *= comb(count, chosen)
        gap = (inside - y * outside) * ways
        total += iv.mpf([max(gap.a, 0), max(gap.b, 0)])
    for ratio, count in odds:
        total /= (1 + ratio) ** count
    return total


_OF_GROUPS: Final[dict[str, Callable[[dict[str, Any]], bool | None]]] = {
    "group-noise": _follows_from_noise,
    "group-path": _follows_along_a_path,
}
_BEYOND_LEDGERS: Final[dict[str, Callable[[dict[str, Any]], bool | None]]] = {
    "workload": _is_true_of_workload,
    "budget": _is_true_of_budget,
    "experiment": experiments_oracle.is_true,
}
