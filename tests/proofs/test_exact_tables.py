"""Both programs decide exact masses of tables to the last digit.

The divergence of a product is summed here over all choices of outputs, in fractions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from exactdp.verifier import verify_bytes
from tests.mutation.mutate import MAX_COST, Document, seal
from tests.proofs.agreement import written
from tests.proofs.checker import said_of

pytestmark = pytest.mark.usefixtures("checker")

Rows: TypeAlias = list[tuple[Fraction, Fraction]]
Entry: TypeAlias = dict[str, object]

ACCEPTED = Path(__file__).resolve().parents[2] / "certs" / "accept"
TIE = ACCEPTED / "atoms-table-upper.json"
TINY = Fraction(1, 10**40)
WEIGHTS = (0, 1, 1, 2, 3, 4, 6, 9)


def _law(chance: Random, outputs: int) -> list[Fraction]:
    weights = [1 + chance.choice(WEIGHTS), *(chance.choice(WEIGHTS) for _ in range(outputs - 1))]
    chance.shuffle(weights)
    return [Fraction(weight, sum(weights)) for weight in weights]


def _table(chance: Random) -> tuple[Entry, Rows]:
    """A table of up to four outputs, several times, and perhaps on a sample."""
    outputs, count = chance.randint(1, 4), chance.randint(1, 3)
    p, q = _law(chance, outputs), _law(chance, outputs)
    entry: Entry = {"count": str(count), "pair": {"p": [*map(str, p)], "q": [*map(str, q)]}}
    if chance.randint(0, 1):
        rate = Fraction(chance.randint(1, 3), 4)
        entry["rate"] = str(rate)
        p = [(1 - rate) * b + rate * a for a, b in zip(p, q, strict=True)]
    return entry, _power(list(zip(p, q, strict=True)), count)


def _power(rows: Rows, count: int) -> Rows:
    product: Rows = [(Fraction(1), Fraction(1))]
    for _ in range(count):
        product = [(a * p, b * q) for a, b in product for p, q in rows]
    return product


def _divergence(rows: Rows, y: Fraction) -> Fraction:
    there = sum((max(Fraction(0), p - y * q) for p, q in rows), Fraction(0))
    return max(there, sum((max(Fraction(0), q - y * p) for p, q in rows), Fraction(0)))


def _claim(entries: list[Entry], kind: str, y: Fraction, delta: Fraction) -> Document:
    document: Document = json.loads(TIE.read_bytes())
    statement, [step] = document["statement"], document["derivation"]
    bound = {"delta": str(delta), "epsilon": f"ln({y})"}
    statement |= bound | {"kind": kind}
    step["parameters"] |= bound | {"bound": kind, "sums": "1000"}
    texts = sorted(json.dumps(each, sort_keys=True, separators=(",", ":")) for each in entries)
    statement["subject"]["mechanisms"] = [json.loads(text) for text in texts]
    return document


def _at_the_threshold(chance: Random) -> Iterator[tuple[Document, bool]]:
    """A table beside randomized responses: at its δ and below, whether it holds and whether not."""
    table, rows = _table(chance)
    odds, count, failure = (
        chance.randint(2, 4),
        chance.randint(1, 3),
        Fraction(chance.randint(0, 1), 50),
    )
    truth = Fraction(odds, odds + 1)
    response: Entry = {"count": str(count), "delta": str(failure), "epsilon": f"ln({odds})"}
    others = _power([(truth, 1 - truth), (1 - truth, truth)], count)
    y = Fraction(chance.randint(11, 60), 10)
    divergence = _divergence([(a * p, b * q) for a, b in rows for p, q in others], y)
    delta = 1 - (1 - divergence) * (1 - failure) ** count
    entries = [table, response]
    yield _claim(entries, "upper", y, delta), True
    yield _claim(entries, "lower", y, delta), False
    if delta > TINY:
        yield _claim(entries, "upper", y, delta - TINY), False
        yield _claim(entries, "lower", y, delta - TINY), True


def test_ties_of_tables_beside_responses_are_decided_exactly(tmp_path: Path) -> None:
    chance = Random(5)  # noqa: S311 (a fixed sample)
    made = [each for _ in range(60) for each in _at_the_threshold(chance)]
    files = written((seal(document) for document, _ in made), tmp_path)
    for file, line, (_, holds) in zip(files, said_of(files, MAX_COST), made, strict=True):
        assert line == ("ACCEPTED" if holds else "REJECTED"), file.read_text()
        status = verify_bytes(file.read_bytes(), max_cost=MAX_COST).status
        assert status == ("accepted" if holds else "rejected"), file.read_text()


def _workload(kind: str, first: dict[str, object], rule: str) -> Document:
    """Two queries of rows apart, and one that meets both."""
    document: Document = json.loads(TIE.read_bytes())
    pair = document["statement"]["subject"]["mechanisms"][0]["pair"]
    apart = [["0", "0", "1"], ["0", "1", "3"], ["0", "0", "2"]]
    domain = [{"name": "age", "size": "3"}]
    queries = [{"pair": pair, "where": [each]} for each in apart]
    subject = {"domain": domain, "queries": queries, "type": "workload"}
    bound = {"epsilon": "ln(37/5)" if kind == "upper" else "2"}
    document["statement"] |= bound | {"kind": kind, "subject": subject}
    [step] = document["derivation"]
    step["parameters"] |= bound | {"bound": kind}
    step["premises"] = ["0"]
    document["derivation"] = [{"parameters": first, "premises": [], "rule": rule}, step]
    return document


@pytest.mark.parametrize("kind", ["upper", "lower"])
def test_exact_tables_bound_a_workload(kind: str, tmp_path: Path) -> None:
    first = {
        "upper": _workload("upper", {"tree": [{"colours": [["0", "1"], ["2"]]}]}, "cases"),
        "lower": _workload("lower", {"rows": [[["0", "0"]]]}, "rows"),
    }
    [file] = written([seal(first[kind])], tmp_path)
    assert verify_bytes(file.read_bytes(), max_cost=MAX_COST).status == "accepted"
    assert said_of([file], MAX_COST) == ["ACCEPTED"]


@pytest.mark.parametrize("parameter", ["mu", "rho"])
def test_what_reveals_nothing_may_stand_beside_tables(parameter: str, tmp_path: Path) -> None:
    document: Document = json.loads(TIE.read_bytes())
    document["statement"]["subject"]["mechanisms"].insert(0, {"count": "7", parameter: "0"})
    document["statement"]["subject"]["mechanisms"].sort(key=json.dumps)
    [file] = written([seal(document)], tmp_path)
    assert verify_bytes(file.read_bytes(), max_cost=MAX_COST).status == "accepted"
    assert said_of([file], MAX_COST) == ["ACCEPTED"]
