"""The costs of steps that are not about ledgers, and of whole derivations, as in ``prices``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any

from tests.verifier import prices_of_noise
from tests.verifier.prices import (
    RULES,
    Entries,
    Number,
    Step,
    Work,
    m,
    of_formula,
    of_group_privacy,
    sigma_of,
    size,
    x,
)


def of_trees(trees: Sequence[Any], parameters: Mapping[str, Any]) -> int:
    states = prod(len(tree) + 1 for tree in trees)
    length = int(parameters["bits"])
    whole = [1]
    for tree in trees:
        whole = shuffled(whole, by_depth(tree))
    cost = 1000 * states + sum(whole) * (50_000 + 20 * m(length) + length**2 // 64)
    if parameters["epsilon"] == "every":
        return cost
    odds = Fraction(parameters["odds"])
    text = "0" if odds == 1 else f"ln({parameters['odds']})"
    return cost + sigma_of(parameters["epsilon"], text)


def by_depth(tree: Sequence[Any]) -> list[int]:
    numbers, level = [1], [0] if tree else []
    while level:
        answers = [answer for index in level for query in tree[index] for answer in query]
        numbers.append(len(answers))
        level = [int(answer[2]) for answer in answers if len(answer) == 3]
    return numbers


def shuffled(one: Sequence[int], other: Sequence[int]) -> list[int]:
    numbers = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            numbers[i + j] += comb(i + j, i) * a * b
    return numbers


def of_reduction(step: Step, queries: Sequence[Mapping[str, Any]]) -> int:
    sizes = [1 + sum(1 + (len(clause) - 1) // 2 for clause in query["where"]) for query in queries]
    if step["rule"] == "replace-case-tree":
        return of_pair_cases(step["parameters"]["tree"], sizes)
    if "tree" in step["parameters"]:
        return of_cases(step["parameters"]["tree"], sizes)
    if step["rule"] == "two-rows":
        return 2000 * (1 + sum(sizes))
    return 1000 * (1 + sum(sizes)) + of_colours(step["parameters"].get("colours", []), sizes)


def of_colours(colours: Sequence[Sequence[str]], sizes: Sequence[int]) -> int:
    return sum(500 * (len(each) - 1) * sum(sizes[int(i)] for i in each) for each in colours if each)


def of_cases(tree: Sequence[Mapping[str, Any]], sizes: Sequence[int]) -> int:
    colours = [colour for node in tree for colour in node.get("colours", [])]
    listed = sum(sizes[int(i)] for colour in colours for i in colour)
    levels = 1 + deepest(list(tree))
    return 1000 * levels * (len(tree) + sum(sizes) + listed) + of_colours(colours, sizes)


def of_pair_cases(tree: Sequence[Mapping[str, Any]], sizes: Sequence[int]) -> int:
    sides = (node.get(row, []) for node in tree for row in ("leaving", "entering"))
    colours = [colour for side in sides for colour in side]
    listed = sum(sizes[int(i)] for colour in colours for i in colour)
    levels = 1 + deepest(list(tree))
    return 1000 * levels * (len(tree) + 2 * sum(sizes) + listed) + of_colours(colours, sizes)


def deepest(nodes: list[Mapping[str, Any]]) -> int:
    """The most splits above a node of the tree that comes first, which is taken off."""
    node = nodes.pop(0)
    return 0 if "below" not in node else 1 + max([deepest(nodes), deepest(nodes)])


REDUCTIONS = (
    *("overlap-witness", "parallel-colouring", "parallel-case-tree"),
    *("two-rows", "replace-colouring", "replace-case-tree"),
    *("noise-witness", "noise-colouring"),
)
STAND_INS = ("workload", "workload-replace-one", "budget")
"""What a ledger stands in for."""
NOISE = ("noise-ledger", "noise-workload")
COMPARING = 1_000_000
BUDGETS = ("filter-sum", "filter-concentrated", "filter-gaussian", "fixed-spends", "filter-renyi")


def of_budget(step: Step) -> int:
    if step["rule"] != "filter-renyi":
        return COMPARING
    parameters = step["parameters"]
    epsilon = Number.of(parameters["epsilon"])
    longest = max(2048, epsilon.size, size(Fraction(parameters["delta"])))
    return COMPARING + (epsilon.terms + 10) * x(int(parameters["digits"]) + longest // 3)


def price(certificate: Mapping[str, Any], reduced: Entries = ()) -> int:
    """The cost of a derivation; about a workload or a budget, ``reduced`` is the ledger."""
    subject, steps = certificate["statement"]["subject"], certificate["derivation"]
    cost = 0
    for index, step in enumerate(steps):
        later = steps[index + 1 :]
        grouped = [each for each in later if each["rule"] == "group-mechanisms"]
        if step["rule"] in REDUCTIONS:
            cost += of_reduction(step, subject["queries"])
        elif step["rule"] in BUDGETS:
            cost += of_budget(step)
        elif step["rule"] in prices_of_noise.RULES and subject["type"] in NOISE:
            cost += prices_of_noise.of_noise(step, subject.get("mechanisms", reduced))
        elif subject["type"] == "interactive":
            cost += of_trees(subject["mechanisms"], step["parameters"])
        elif step["rule"] == "group-privacy":
            work = Work(subject["mechanisms"], step["parameters"])
            cost += of_group_privacy(work, steps[int(step["premises"][0])])
        else:
            entries = reduced if subject["type"] in STAND_INS else subject["mechanisms"]
            entries = scaled(entries, grouped[0]["parameters"]) if grouped else entries
            cost += of_ledger(step, entries)
    return cost


def of_ledger(step: Step, entries: Entries) -> int:
    """A rule with no formula of its own and no parameter but digits is a closed form (7.9)."""
    formula = RULES.get(step["rule"])
    if formula is None and set(step["parameters"]) == {"bound", "delta", "digits", "epsilon"}:
        formula = of_formula
    if formula is None:  # it is not about ledgers, and does not fit
        return 0
    return formula(Work(entries, step["parameters"]))


def scaled(entries: Entries, parameters: Mapping[str, Any]) -> Entries:
    """What rational parameters are for a group."""
    group, deltas = int(parameters["group"]), list(parameters["deltas"])
    changed: list[dict[str, str]] = []
    for entry in entries:
        if "epsilon" in entry:
            epsilon = Number.of(entry["epsilon"]).times(group)
            changed.append({**entry, "epsilon": epsilon, "delta": deltas.pop(0)})
        else:
            [key] = set(entry) - {"count"}
            factor = group if key == "mu" else group**2
            changed.append({**entry, key: str(factor * Fraction(entry[key]))})
    return merged(changed)


def merged(entries: Sequence[Mapping[str, str]]) -> Entries:
    counts: dict[tuple[tuple[str, str], ...], int] = {}
    for entry in entries:
        key = tuple(sorted((k, v) for k, v in entry.items() if k != "count"))
        counts[key] = counts.get(key, 0) + int(entry["count"])
    ordered = sorted(counts.items(), key=lambda item: order_of(dict(item[0])))
    return [{**dict(key), "count": str(count)} for key, count in ordered]


def order_of(entry: Mapping[str, str]) -> tuple[int, str, str]:
    if "epsilon" in entry:
        return 0, entry["epsilon"], entry["delta"]
    return (1, entry["mu"], "") if "mu" in entry else (2, entry["rho"], "")
