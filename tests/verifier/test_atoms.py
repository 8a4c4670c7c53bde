"""The rule ``atoms`` on finite tables, against the sum over all outcomes."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

from tests.marking import each_case, slow_after
from tests.verifier.atom_cases import tables
from tests.verifier.noise_cases import Entry, entry
from tests.verifier.test_rules import verdict_on

Row = tuple[Fraction, Fraction]
Table = list[Row]


def drawn_law(chance: random.Random, outputs: int, *, zeros: bool) -> list[Fraction]:
    """Probabilities over small denominators; some are 0 where that is allowed."""
    parts = [chance.randint(0 if zeros else 1, 4) for _ in range(outputs)]
    parts[0] += not any(parts)
    total = sum(parts)
    return [Fraction(part, total) for part in parts]


def drawn_entry(chance: random.Random, *, zeros: bool) -> Entry:
    outputs = chance.randint(2, 4)
    p, q = (drawn_law(chance, outputs, zeros=zeros) for _ in range(2))
    rate = {"rate": "1/3"} if chance.random() < 0.3 else {}
    pair = {"p": [str(part) for part in p], "q": [str(part) for part in q]}
    return entry(chance.randint(1, 2), pair=pair, **rate)


def drawn(seed: int) -> list[Entry]:
    """One table or two, perhaps beside a randomized response."""
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    listed = {
        str(each["pair"]): each
        for each in (drawn_entry(chance, zeros=bool(seed % 2)) for _ in range(chance.randint(1, 2)))
    }
    beside = [entry(epsilon="ln(2)", delta="1/50")] if seed % 3 == 0 else []
    return [*listed.values(), *beside]


def rows_of(each: Entry) -> Table:
    """The outputs of one mechanism, failures among them."""
    if "epsilon" in each:
        kept = 1 - Fraction(each["delta"])
        two = [(kept * 2 / 3, kept / 3), (kept / 3, kept * 2 / 3)]
        return [*two, (1 - kept, Fraction(0)), (Fraction(0), 1 - kept)]
    rate = Fraction(each.get("rate", "1"))
    laws = ([Fraction(part) for part in each["pair"][law]] for law in ("p", "q"))
    return [((1 - rate) * b + rate * a, b) for a, b in zip(*laws, strict=True)]


def divergence(entries: list[Entry], y: Fraction) -> Fraction:
    """The greater profile of both directions at y: a sum over all outcomes."""
    factors = [rows_of(each) for each in entries for _ in range(int(each["count"]))]
    outcomes = [
        (prod(p for p, _ in outcome), prod(q for _, q in outcome)) for outcome in product(*factors)
    ]
    there = sum((max(Fraction(0), p - y * q) for p, q in outcomes), Fraction(0))
    back = sum((max(Fraction(0), q - y * p) for p, q in outcomes), Fraction(0))
    return max(there, back)


def claim(entries: list[Entry], kind: str, y: Fraction, delta: Fraction) -> dict[str, Any]:
    epsilon = "0" if y == 1 else f"ln({y})"
    return tables(kind, entries, epsilon, str(delta), sums="1000")


def drawn_mirrored(seed: int) -> list[Entry]:
    """A table of which each law is the other in reverse; every second time beside a response."""
    chance = random.Random(seed)  # noqa: S311 (examples, not secrets)
    p = [str(part) for part in drawn_law(chance, chance.randint(2, 5), zeros=bool(seed % 3))]
    listed = [entry(chance.randint(1, 3), pair={"p": p, "q": p[::-1]})]
    return [*listed, entry(epsilon="ln(2)", delta="1/50")] if seed % 2 else listed


@each_case(("draw", "seed"), [*product((drawn, drawn_mirrored), range(30))])
@pytest.mark.parametrize("y", slow_after(1, [Fraction(3, 2), Fraction(1), Fraction(4)]))
def test_tables_are_judged_as_by_the_sum_over_all_outcomes(
    draw: Callable[[int], list[Entry]], seed: int, y: Fraction
) -> None:
    entries = draw(seed)
    exact = divergence(entries, y)
    tiny = Fraction(1, 10**12)
    assert verdict_on(claim(entries, "upper", y, exact)).status == "accepted"
    assert verdict_on(claim(entries, "lower", y, exact)).status == "rejected"
    if exact > tiny:
        assert verdict_on(claim(entries, "upper", y, exact - tiny)).status == "rejected"
        assert verdict_on(claim(entries, "lower", y, exact - tiny)).status == "accepted"


def test_an_output_that_neither_input_gives_says_nothing() -> None:
    listed = [entry(2, pair={"p": ["3/4", "0", "1/4"], "q": ["1/4", "0", "3/4"]})]
    assert verdict_on(tables("upper", listed, "ln(37/5)", "1/10")).status == "accepted"


def test_tables_without_a_common_output_reveal_everything() -> None:
    listed = [entry(3, pair={"p": ["1", "0"], "q": ["0", "1"]})]
    assert verdict_on(tables("upper", listed, "1", "1")).status == "accepted"
    assert verdict_on(tables("lower", listed, "1", "999/1000")).status == "accepted"
    assert verdict_on(tables("upper", listed, "100", "999/1000")).status == "rejected"


def test_outputs_of_one_loss_count_as_one() -> None:
    pair = {"p": ["3/8", "3/8", "1/4"], "q": ["1/8", "1/8", "3/4"]}
    claimed = tables("upper", [entry(2, pair=pair)], "ln(37/5)", "1/10", sums="3")
    assert verdict_on(claimed).status == "accepted"
