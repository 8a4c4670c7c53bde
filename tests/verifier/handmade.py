"""Certificates written by hand: canonical bytes, digest, and costs straight from the SPEC.

Written from certs/SPEC.md alone: nothing here comes from the verifier or the engine, so that a
slip in one of the three shows.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from math import isqrt, prod
from pathlib import Path
from typing import Any

MURTAGH_VADHAN = "murtagh-vadhan-2018-theorem-1.5"
SPEC = (Path(__file__).resolve().parents[2] / "certs" / "SPEC.md").read_text("utf-8")


def theorem_of(rule: str) -> str:
    """What a rule about mechanisms given by (ε, δ), or written out, rests on, by its section."""
    if rule in ("post-processing", "distinguishing-adversary"):
        return "definition"
    section = re.search(
        rf"^### 7\.\d+ `{re.escape(rule)}`\n(.*?)(?=^#)", SPEC, re.MULTILINE | re.DOTALL
    )
    named = section and re.search(r"[Tt]heorem:? `([^`]+)`", section[1])
    return named[1] if named else MURTAGH_VADHAN


Entry = tuple[str, str, int]
"""The texts of epsilon and delta, and a count."""


def canonical_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def statement(
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    theorem: str = MURTAGH_VADHAN,
    *,
    interaction: str = "adaptive",
    group: int = 1,
) -> dict[str, Any]:
    mechanisms = [
        {"count": str(count), "delta": loss, "epsilon": parameter}
        for parameter, loss, count in sorted(entries)
    ]
    return {
        "kind": kind,
        "subject": {"mechanisms": mechanisms, "type": "ledger"},
        "epsilon": epsilon,
        "delta": delta,
        "group": str(group),
        "neighbouring": "unspecified",
        "interaction": interaction,
        "theorem": theorem,
    }


def certificate(
    rule: str,
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    cost: int,
    **parameters: str,
) -> dict[str, Any]:
    claim = statement(kind, entries, epsilon, delta, theorem_of(rule))
    step = {
        "rule": rule,
        "premises": [],
        "parameters": {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters},
    }
    return sealed(claim, [step], cost)


def sealed(claim: dict[str, Any], steps: list[dict[str, Any]], cost: int) -> dict[str, Any]:
    return {
        "format": "exactdp-certificate/1",
        "statement": claim,
        "derivation": steps,
        "cost": str(cost),
        "digest": hashlib.sha256(canonical_bytes(claim)).hexdigest(),
    }


def resealed(value: dict[str, Any]) -> dict[str, Any]:
    """The same certificate, with the digest of the statement that it now has."""
    return {**value, "digest": hashlib.sha256(canonical_bytes(value["statement"])).hexdigest()}


# --- certificates of each rule, with their costs ------------------------------------------------


def vacuous(entries: list[Entry], epsilon: str = "0", delta: str = "1") -> dict[str, Any]:
    return certificate("vacuous", "upper", entries, epsilon, delta, cost=1)


def simple(rule: str, kind: str, entries: list[Entry], epsilon: str, delta: str) -> dict[str, Any]:
    return certificate(rule, kind, entries, epsilon, delta, cost=1000 * (len(entries) + 1))


def bits(value: int) -> int:
    return 0 if value == 0 else len(f"{value:b}")


def size(text: str) -> int:
    value = Fraction(text)
    return bits(abs(value.numerator)) + bits(value.denominator)


def groups(entries: list[Entry]) -> dict[str, int]:
    """The counts by epsilon; only the text ``0`` is taken for 0 here."""
    counts: dict[str, int] = {}
    for epsilon, _, count in sorted(entries):
        if epsilon != "0":
            counts[epsilon] = counts.get(epsilon, 0) + count
    return counts


def block_bound(count: int, digits: int) -> int:
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def transcendental(digits: int) -> int:
    return 200_000 + 500 * digits * isqrt(digits)


def pairs(lengths: list[int], sums: int) -> int:
    work, table = 1, 1
    for length in lengths:
        work += table * (length + 1)
        table = min(sums, table * (length + 1))
    return work


def rational_odds_cost(
    entries: list[Entry], delta: str, digits: int, sums: int, sizes: dict[str, int]
) -> int:
    odds = sum(count * sizes[epsilon] for epsilon, _, count in entries)
    deltas = size(delta) + sum(count * size(loss) for _, loss, count in entries)
    return (
        1000 * (len(entries) + 1)
        + transcendental(digits)
        + pairs(list(groups(entries).values()), sums) * (500 + odds * isqrt(odds) // 64)
        + deltas * isqrt(deltas) // 64
    )


def grid_cost(entries: list[Entry], digits: int, multiples: dict[str, int]) -> int:
    counts = groups(entries)
    stretch = sum(
        multiples[epsilon] * block_bound(count, digits) + 1 for epsilon, count in counts.items()
    )
    return (
        1000 * (len(entries) + 1)
        + len(counts) * transcendental(digits)
        + 20 * stretch * (digits + 30) * (bits(len(counts)) + 2)
    )


def lattice_cost(entries: list[Entry], digits: int, sums: int, logs: int) -> int:
    counts = groups(entries)
    return (
        1000 * (len(entries) + 1) ** 2
        + (len(counts) + 1) * transcendental(digits)
        + pairs([block_bound(count, digits) for count in counts.values()], sums)
        * (500 + 10 * digits + 100 * logs)
        + sums * (transcendental(digits) // 5)
    )


def logarithm_sizes(entries: list[Entry]) -> dict[str, int]:
    """The sizes of the epsilons ``ln(r)`` and ``0``."""
    return {e: 0 if e == "0" else size(e.removeprefix("ln(").rstrip(")")) for e, _, _ in entries}


def rational_odds(
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    digits: int = 30,
    sums: int | None = None,
) -> dict[str, Any]:
    stated = prod(count + 1 for _, _, count in entries) if sums is None else sums
    cost = rational_odds_cost(entries, delta, digits, stated, logarithm_sizes(entries))
    return certificate(
        "rational-odds",
        kind,
        entries,
        epsilon,
        delta,
        cost=cost,
        digits=str(digits),
        sums=str(stated),
    )


def grid(
    kind: str, entries: list[Entry], epsilon: str, delta: str, *, unit: str, digits: int = 30
) -> dict[str, Any]:
    """For rational epsilons and units."""
    multiples = {e: -(-Fraction(e) // Fraction(unit)) for e, _, _ in entries}
    cost = grid_cost(entries, digits, multiples)
    return certificate(
        "grid", kind, entries, epsilon, delta, cost=cost, digits=str(digits), unit=unit
    )


def bracket_cost(entries: list[Entry], unit: str, digits: int, sums: int) -> int:
    """For rational epsilons; a unit that is not rational counts as 1."""
    counts = groups(entries)
    size = Fraction(unit) if "ln" not in unit else Fraction(1)
    stretch = sum(
        2 * (-(-Fraction(e) // size) + 1) * block_bound(c, digits) + 1 for e, c in counts.items()
    )
    leaves: list[list[int]] = []
    for count in counts.values():
        if leaves and prod(c + 1 for c in leaves[-1]) * (count + 1) <= sums:
            leaves[-1].append(count)
        else:
            leaves.append([count])
    atoms = sum(prod(block_bound(c, digits) + 1 for c in leaf) for leaf in leaves)
    return (
        1000 * (len(entries) + 1)
        + len(counts) * transcendental(digits)
        + atoms * (transcendental(digits) // 5)
        + 20 * stretch * (digits + 30) * (bits(len(counts)) + 2)
    )


def bracket(  # noqa: PLR0913 (one argument for each field)
    rule: str,
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    unit: str,
    digits: int = 30,
    sums: int = 16,
) -> dict[str, Any]:
    """For rational epsilons."""
    return certificate(
        rule,
        kind,
        entries,
        epsilon,
        delta,
        cost=bracket_cost(entries, unit, digits, sums),
        digits=str(digits),
        sums=str(sums),
        unit=unit,
    )


def connect_the_dots(
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    kind: str = "upper",
    **parameters: Any,  # noqa: ANN401 (as bracket takes them)
) -> dict[str, Any]:
    return bracket("connect-the-dots", kind, entries, epsilon, delta, **parameters)


def gridded_test(
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    kind: str = "lower",
    **parameters: Any,  # noqa: ANN401 (as bracket takes them)
) -> dict[str, Any]:
    return bracket("gridded-test", kind, entries, epsilon, delta, **parameters)


def lattice(
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    logs: int,
    digits: int = 30,
    sums: int | None = None,
) -> dict[str, Any]:
    stated = prod(count + 1 for _, _, count in entries) if sums is None else sums
    cost = lattice_cost(entries, digits, stated, logs)
    return certificate(
        "lattice", kind, entries, epsilon, delta, cost=cost, digits=str(digits), sums=str(stated)
    )


def formula(
    rule: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    digits: int = 10,
    kind: str = "upper",
) -> dict[str, Any]:
    """A closed form whose cost is that of evaluating it."""
    terms = len(groups(entries)) + 4
    cost = 1000 * (len(entries) + 1) + terms * transcendental(2 * digits)
    return certificate(rule, kind, entries, epsilon, delta, cost=cost, digits=str(digits))


def steps(
    entries: list[Entry], epsilon: str, delta: str, *, digits: int = 30, kind: str = "upper"
) -> dict[str, Any]:
    """Murtagh and Vadhan's Theorem 1.4."""
    cost = grid_cost(entries, digits, dict.fromkeys(groups(entries), 1))
    rule = "murtagh-vadhan-1.4"
    return certificate(rule, kind, entries, epsilon, delta, cost=cost, digits=str(digits))
