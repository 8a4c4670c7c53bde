"""Good and bad certificates about interactive mechanisms, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 10, 11.20 and 11.21, as ``handmade`` is from the rest.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.verifier import handmade

Certificate = dict[str, Any]
Case = tuple[str, Certificate, Certificate, str]
Mechanism = list[list[list[list[str]]]]

COIN: Mechanism = [[[["3/4", "1/4"], ["1/4", "3/4"]]]]
"""Randomized response with odds 3."""

LOSSY: Mechanism = [[[["1/10", "0"], ["3/5", "3/10"], ["3/10", "3/5"], ["0", "1/10"]]]]
"""Randomized response with odds 2 and delta 1/10."""

TWO_ROUNDS: Mechanism = [
    [[["1/2", "1/2", "1"], ["1/2", "1/2", "2"]], [["1", "1"]]],
    [[["2/3", "1/3"], ["1/3", "2/3"]]],
    [[["1/3", "2/3"], ["2/3", "1/3"]], [["1/2", "1/2"], ["1/2", "1/2"]]],
]
"""An answer that says nothing; what may be asked then depends on it. Its loss is ln 2."""

PURE_COIN = [["1", "1", "0", "0"], ["0", "0", "1", "1"]]
PURE_ROUNDS = [
    *(["1/2", "1/2", "0", "0"], ["0", "0", "1/2", "1/2"]),
    *(["0", "0", "1/2", "1/2"], ["1/2", "1/2", "0", "0"]),
    *(["1/4", "1/4", "1/4", "1/4"], ["1/4", "1/4", "1/4", "1/4"]),
    ["1", "1", "1", "1"],
]
LOSSY_ROWS = [
    *(["1", "0", "0", "0"], ["0", "1", "0", "0"], ["0", "0", "1", "0"]),
    ["0", "0", "0", "1"],
]


def made(
    rule: str,
    kind: str,
    mechanisms: list[Mechanism],
    epsilon: str,
    delta: str,
    *,
    bits: int = 64,
    **further: Any,  # noqa: ANN401 (texts, and lists of them)
) -> Certificate:
    """A certificate with its cost and digest."""
    parameters = {**further, "bits": str(bits)}
    certificate = handmade.certificate(rule, kind, [], epsilon, delta, **parameters)
    certificate["statement"]["interaction"] = "concurrent"
    certificate["statement"]["subject"] = {"mechanisms": mechanisms, "type": "interactive"}
    return handmade.resealed(certificate)


def simulated(
    mechanisms: list[Mechanism],
    epsilon: str,
    delta: str,
    odds: str,
    rows: list[list[str]],
    kind: str = "upper",
) -> Certificate:
    return made("post-processing", kind, mechanisms, epsilon, delta, odds=odds, simulation=rows)


def told_apart(
    mechanisms: list[Mechanism],
    epsilon: str,
    delta: str,
    odds: str,
    choices: list[str],
    side: str = "0",
    kind: str = "lower",
) -> Certificate:
    return made(
        "distinguishing-adversary",
        kind,
        mechanisms,
        epsilon,
        delta,
        odds=odds,
        choices=choices,
        input=side,
    )


def _both_coins() -> list[list[str]]:
    """T for two interleaved coins at odds 9: four ends for each of the two orders."""
    rows = []
    for p, q in [("9/16", "1/16"), ("3/16", "3/16"), ("3/16", "3/16"), ("1/16", "9/16")]:
        lean = (9 * Fraction(p) - Fraction(q)) / 8
        stray = (9 * Fraction(q) - Fraction(p)) / 8
        rows.append([str(lean), str(lean), str(stray), str(stray)])
    return rows * 2


def accepts() -> dict[str, Certificate]:
    return {
        "post-processing": simulated([COIN], "ln(3)", "0", "3", PURE_COIN),
        "post-processing-two-rounds": simulated([TWO_ROUNDS], "ln(2)", "0", "2", PURE_ROUNDS),
        "post-processing-delta": simulated([LOSSY], "ln(2)", "1/10", "2", LOSSY_ROWS),
        "post-processing-concurrent": simulated([COIN, COIN], "ln(9)", "0", "9", _both_coins()),
        "post-processing-nothing-to-ask": simulated([[]], "0", "0", "1", [["1", "1", "1", "1"]]),
        "distinguishing-adversary": told_apart([COIN], "1", "0", "11/4", ["0"]),
        "distinguishing-adversary-every": told_apart([LOSSY], "every", "9/100", "1", ["0"], "1"),
        "distinguishing-adversary-concurrent": told_apart(
            [COIN, COIN], "2", "1/100", "15/2", ["0", "0", "0"]
        ),
    }


def cases() -> Iterator[Case]:
    """What the rules reject."""
    yield from _post_processing_cases()
    yield from _adversary_cases()


def _post_processing_cases() -> Iterator[Case]:
    rule = "post-processing"
    good = simulated([COIN], "ln(3)", "0", "3", PURE_COIN)
    bad = simulated([COIN], "1", "0", "3", PURE_COIN)
    yield f"{rule}/odds-above-epsilon", bad, good, "odds is above e^epsilon"
    few = {"odds": "3", "simulation": PURE_COIN}
    bad = made(rule, "upper", [COIN], "ln(3)", "0", bits=3, **few)
    yield f"{rule}/too-few-bits", bad, good, "a rational of more than 3 bits"
    bad = simulated([COIN], "ln(3)", "0", "2", PURE_COIN)
    yield f"{rule}/other-odds", bad, good, "the law of the mechanisms"
    for column in range(1, 3):
        rows = copy.deepcopy(PURE_COIN)
        rows[0][column], rows[1][column] = "1/2", "1/2"
        bad = simulated([COIN], "ln(3)", "0", "3", rows)
        yield f"{rule}/column-{column}-of-another-law", bad, good, "the law of the mechanisms"
    bad = simulated([COIN], "ln(3)", "0", "3", [["2", "1", "0", "0"], PURE_COIN[1]])
    yield f"{rule}/total-not-one", bad, good, "does not have total 1"
    bad = simulated([COIN], "ln(3)", "0", "3", PURE_COIN[:1])
    yield f"{rule}/row-missing", bad, good, "fewer rows than there are ends"
    bad = simulated([COIN], "ln(3)", "0", "3", [*PURE_COIN, PURE_COIN[0]])
    yield f"{rule}/row-too-many", bad, good, "more rows than there are ends"
    uneven: Mechanism = [[[["1", "1/2"]]]]
    bad = simulated([uneven], "ln(3)", "1/2", "3", [["1", "1", "0", "0"]])
    yield f"{rule}/probabilities-of-another-sum", bad, good, "do not sum to 1"
    uneven = [[[["1/2", "1"]]]]
    bad = simulated([uneven], "ln(3)", "1/2", "3", [["1", "0", "1", "1"]])
    yield f"{rule}/first-probabilities-of-another-sum", bad, good, "do not sum to 1"
    good = simulated([TWO_ROUNDS], "ln(2)", "0", "2", PURE_ROUNDS)
    rows = copy.deepcopy(PURE_ROUNDS)
    rows[2][0] = rows[3][0] = "1/4"
    rows[4][0] = "1/2"
    bad = simulated([TWO_ROUNDS], "ln(2)", "0", "2", rows)
    yield f"{rule}/inconsistent", bad, good, "depends on the query"
    good = simulated([LOSSY], "ln(2)", "1/10", "2", LOSSY_ROWS)
    bad = simulated([LOSSY], "ln(2)", "1/20", "2", LOSSY_ROWS)
    yield f"{rule}/smaller-delta", bad, good, "the law of the mechanisms"
    bad = simulated([LOSSY], "ln(2)", "1/10", "2", LOSSY_ROWS, kind="lower")
    yield f"{rule}/lower", bad, good, "proves upper bounds only"
    good = simulated([[]], "0", "0", "1", [["1", "1", "1", "1"]])
    wide: Mechanism = [[[["1/100", "1/100", str(i + 1)] for i in range(100)]]]
    wide += [[[["1", "1"]]]] * 100
    states = copy.deepcopy(good)
    states["statement"]["subject"]["mechanisms"] = [wide] * 3
    yield f"{rule}/too-many-states", handmade.resealed(states), good, "more than 100000 states"
    sums = handmade.certificate("sum", "upper", [], "0", "0")
    sums["statement"] |= {
        "interaction": "concurrent",
        "subject": good["statement"]["subject"] | {"mechanisms": [COIN]},
        "theorem": "vadhan-wang-2021-theorem-5.4",
    }
    yield "sum/about-interactive-mechanisms", handmade.resealed(sums), good, "does not fit"
    ledger = copy.deepcopy(good)
    ledger["statement"]["subject"] = {"mechanisms": [], "type": "mechanisms"}
    yield f"{rule}/about-a-ledger", handmade.resealed(ledger), good, "does not fit"


def _adversary_cases() -> Iterator[Case]:
    rule = "distinguishing-adversary"
    good = told_apart([COIN], "1", "0", "11/4", ["0"])
    exactly = told_apart([COIN], "ln(3)", "0", "3", ["0"])
    yield f"{rule}/equality", exactly, good, "does not exceed delta"
    few = {"odds": "11/4", "choices": ["0"], "input": "0"}
    bad = made(rule, "lower", [COIN], "1", "0", bits=6, **few)
    yield f"{rule}/too-few-bits-for-the-sum", bad, good, "a rational of more than 6 bits"
    bad = told_apart([COIN], "1", "0", "27/10", ["0"])
    yield f"{rule}/odds-below-epsilon", bad, good, "odds is below e^epsilon"
    bad = told_apart([COIN], "1", "1/16", "11/4", ["0"])
    yield f"{rule}/delta-attained", bad, good, "does not exceed delta"
    for name, choices in {"missing": [], "of-no-query": ["1"]}.items():
        bad = told_apart([COIN], "1", "0", "11/4", choices)
        yield f"{rule}/choice-{name}", bad, good, "a choice is missing"
    bad = told_apart([COIN], "1", "0", "11/4", ["0", "0"])
    yield f"{rule}/choice-too-many", bad, good, "more choices than histories"
    bad = told_apart([COIN], "1", "0", "11/4", ["0"], kind="upper")
    yield f"{rule}/upper", bad, good, "proves lower bounds only"
    uneven: Mechanism = [[[["3/4", "1/4"], ["3/4", "3/4"]]]]
    bad = told_apart([uneven], "1", "0", "11/4", ["0"])
    yield f"{rule}/probabilities-of-another-sum", bad, good, "do not sum to 1"
    good = told_apart([LOSSY], "every", "9/100", "1", ["0"], "1")
    bad = told_apart([LOSSY], "every", "1/10", "1", ["0"], "1")
    yield f"{rule}/every-at-delta", bad, good, "does not exceed delta"
    bad = told_apart([LOSSY], "every", "9/100", "2", ["0"], "1")
    yield f"{rule}/every-with-odds", bad, good, "odds is not 1"
    one_way: Mechanism = [[[["1/2", "0"], ["1/2", "1"]]]]
    good = told_apart([one_way], "every", "1/3", "1", ["0"], "0")
    bad = told_apart([one_way], "every", "1/3", "1", ["0"], "1")
    yield f"{rule}/other-input", bad, good, "does not exceed delta"


def shapes() -> Iterator[Case]:
    """What is no statement about interactive mechanisms, or no step about them."""
    good = simulated([COIN], "ln(3)", "0", "3", PURE_COIN)
    adversary = told_apart([COIN], "1", "0", "11/4", ["0"])
    line = [[[["1", "1", str(i + 1)]]] for i in range(64)]
    subjects: dict[str, tuple[Any, str]] = {
        "no-mechanism": ([], "not 1 to 8 interactive mechanisms"),
        "nine-mechanisms": ([COIN] * 9, "not 1 to 8 interactive mechanisms"),
        "65-rounds": ([[*line, [[["1", "1"]]]]], "more than 64 queries"),
        "mechanism-not-an-array": (["x"], "interactive mechanism is not an array"),
        "history-not-an-array": ([["x"]], "history is not an array"),
        "history-empty": ([[[]]], "a history is empty"),
        "query-not-an-array": ([[["x"]]], "query is not an array"),
        "query-empty": ([[[[]]]], "a query is empty"),
        "answer-not-an-array": ([[[["x"]]]], "answer is not an array"),
        "answer-of-one-number": ([[[[["1"]]]]], "an answer does not have two probabilities"),
        "probability-not-a-string": ([[[[[[], "1"]]]]], "probability is not a string"),
        "probability-negative": (
            [[[[["-1", "1"], ["2", "0"]]]]],
            "probability is not a rational at least 0",
        ),
        "probability-logarithm": ([[[[["ln(2)", "1"]]]]], "probability is not a rational"),
        "index-not-a-string": (
            [[[[["1", "1", []]]]]],
            "index of a history is not a string",
        ),
        "index-of-itself": ([[[[["1", "1", "0"]]]]], "index of a history is not an integer"),
        "index-of-none": ([[[[["1", "1", "1"]]]]], "index of a history is not an integer"),
        "not-depth-first": (
            [
                [
                    [[["1/2", "1/2", "2"], ["1/2", "1/2", "1"]]],
                    [[["1", "1"]]],
                    [[["1", "1"]]],
                ]
            ],
            "not a tree in depth-first order",
        ),
        "shared-history": (
            [[[[["1/2", "1/2", "1"], ["1/2", "1/2", "1"]]], [[["1", "1"]]]]],
            "not a tree in depth-first order",
        ),
        "history-never-met": ([[*COIN, [[["1", "1"]]]]], "not a tree in depth-first order"),
    }
    for name, (mechanisms, clause) in subjects.items():
        bad = copy.deepcopy(good)
        bad["statement"]["subject"]["mechanisms"] = mechanisms
        yield name, handmade.resealed(bad), good, clause
    bad = copy.deepcopy(good)
    bad["statement"]["interaction"] = "adaptive"
    yield "adaptive", handmade.resealed(bad), good, "interaction is not one of"
    parameters: list[tuple[str, Certificate, str, Any, str]] = [
        ("bits-zero", good, "bits", "0", "bits is not an integer"),
        ("odds-below-one", good, "odds", "1/2", "odds is below 1"),
        ("odds-negative", good, "odds", "-1", "odds is not a rational at least 0"),
        ("odds-logarithm", good, "odds", "ln(3)", "odds is not a rational"),
        ("row-of-three", good, "simulation", [["1", "1", "0"]], "does not have 4 numbers"),
        ("row-not-an-array", good, "simulation", ["1"], "row of simulation is not an array"),
        ("simulation-not-an-array", good, "simulation", "1", "simulation is not an array"),
        (
            "simulation-negative",
            good,
            "simulation",
            [["-1", "1", "0", "0"]],
            "simulation is not a rational at least 0",
        ),
        ("choices-not-an-array", adversary, "choices", "0", "choices is not an array"),
        ("choice-not-a-string", adversary, "choices", [[]], "choice is not a string"),
        ("choice-negative", adversary, "choices", ["-1"], "choice is not an integer"),
        ("input-neither", adversary, "input", "2", "input is not one of"),
    ]
    for name, right, key, value, clause in parameters:
        bad = copy.deepcopy(right)
        bad["derivation"][0]["parameters"][key] = value
        yield name, bad, right, clause
