"""Certificates written by hand: canonical bytes, and digest.

Written from certs/SPEC.md alone: nothing here comes from the verifier or the engine, so that a
slip in one of the three shows.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections import Counter
from fractions import Fraction
from functools import partial
from math import ceil, prod
from pathlib import Path
from typing import Any

MURTAGH_VADHAN = "murtagh-vadhan-2018-theorem-1.5"
SPEC = (Path(__file__).resolve().parents[2] / "certs" / "SPEC.md").read_text("utf-8")


def theorem_of(rule: str) -> str:
    """What a rule rests on, by the table of rules: the first that its row names."""
    cells = rf"[^|]*`{re.escape(rule)}`[^|]*\|[^|]*\|[^|]*\| `([^`]+)`"
    row = re.search(rf"^\|{cells}", SPEC, re.MULTILINE)
    return row[1] if row else MURTAGH_VADHAN


Entry = tuple[str, str, int]
"""The texts of epsilon and delta, and a count."""


def canonical_bytes(value: object) -> bytes:
    """The canonical bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def read_back(data: bytes) -> dict[str, Any]:
    """The certificate that was written."""
    value: dict[str, Any] = json.loads(data)
    return value


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
        for loss, parameter, count in sorted((d, e, count) for e, d, count in entries)
    ]
    return {
        "kind": kind,
        "subject": {"mechanisms": mechanisms, "type": "mechanisms"},
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
    **parameters: object,
) -> dict[str, Any]:
    claim = statement(kind, entries, epsilon, delta, theorem_of(rule))
    step = {
        "rule": rule,
        "premises": [],
        "parameters": {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters},
    }
    return sealed(claim, [step])


def sealed(claim: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """A certificate with its digest."""
    return resealed({"format": "exactdp-certificate/1", "statement": claim, "derivation": steps})


def resealed(value: dict[str, Any]) -> dict[str, Any]:
    """The same certificate, with the digest of the statement that it now has."""
    return {**value, "digest": hashlib.sha256(canonical_bytes(value["statement"])).hexdigest()}


# --- certificates of each rule ------------------------------------------------------------------


def trivial(entries: list[Entry], epsilon: str = "0", delta: str = "1") -> dict[str, Any]:
    return certificate("trivial", "upper", entries, epsilon, delta)


def simple(rule: str, kind: str, entries: list[Entry], epsilon: str, delta: str) -> dict[str, Any]:
    return certificate(rule, kind, entries, epsilon, delta)


def atoms(
    kind: str,
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    digits: int = 30,
    sums: int | None = None,
    masses: str = "exact",
) -> dict[str, Any]:
    stated = prod(count + 1 for _, _, count in entries) if sums is None else sums
    more = {"digits": str(digits), "masses": masses, "sums": str(stated)}
    return certificate("atoms", kind, entries, epsilon, delta, **more)


rounded_atoms = partial(atoms, masses="rounded")


def changed(base: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A certificate with the value at a path replaced, or removed if it is ``...``."""
    result = copy.deepcopy(base)
    place: Any = result
    *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
    for key in parents:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return resealed(result)


def grid(
    kind: str, entries: list[Entry], epsilon: str, delta: str, *, unit: str, digits: int = 30
) -> dict[str, Any]:
    return certificate("grid", kind, entries, epsilon, delta, digits=str(digits), unit=unit)


def windows(entries: list[Entry], unit: str, sums: int) -> list[list[str]]:
    """For each leaf all losses that it may have."""
    counts: Counter[str] = Counter()
    for epsilon, _, count in entries:
        counts[epsilon] += count if Fraction(epsilon) > 0 else 0
    step = Fraction(unit) if Fraction(unit) > 0 else Fraction(1)
    leaves: list[tuple[int, Fraction]] = []
    for epsilon, count in sorted(counts.items()):
        size, loss = count + 1, count * Fraction(epsilon)
        if count and leaves and leaves[-1][0] * size <= sums:
            leaves[-1] = leaves[-1][0] * size, leaves[-1][1] + loss
        elif count:
            leaves.append((size, loss))
    ends = (int(loss / step) + 2 for _, loss in leaves)
    return [[str(-end), str(end)] for end in ends]


def mesh_upper(
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    unit: str,
    kind: str = "upper",
    digits: int = 30,
    sums: int = 16,
) -> dict[str, Any]:
    plan = {"levels": [], "windows": windows(entries, unit, sums)}
    options: dict[str, Any] = {"digits": str(digits), "sums": str(sums), "unit": unit}
    options |= {"orders": [], "plans": [plan]}
    return certificate("mesh-upper", kind, entries, epsilon, delta, **options)


def mesh_lower(
    entries: list[Entry],
    epsilon: str,
    delta: str,
    *,
    unit: str,
    kind: str = "lower",
    digits: int = 30,
    sums: int = 16,
) -> dict[str, Any]:
    """The event that the loss is about at least ε."""
    plan = {"levels": [], "windows": windows(entries, unit, sums)}
    about = ceil(Fraction("0" if epsilon == "every" else epsilon) / Fraction(unit))
    options: dict[str, Any] = {"digits": str(digits), "sums": str(sums), "unit": unit}
    options |= {"direction": "remove", "plan": plan, "threshold": str(about), "tilt": "0"}
    return certificate("mesh-lower", kind, entries, epsilon, delta, **options)
