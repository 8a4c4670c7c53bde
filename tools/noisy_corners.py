"""Certificates of mechanisms by their noise, plain, sampled, replaced and shuffled, at corners."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from exactdp.verifier.format.numbers import rational_text
from exactdp.verifier.rules.divergent import MAX_ORDERS
from tools.adversaries import HALF, TENTH, Adversary, of_noise
from tools.corner import BUDGET_BITS, Corner, spectrum


def of_noise_ledger(rule: str, corner: Corner) -> Adversary:
    """Laplace noise of several scales, whose losses lie within 2."""
    short = replace(corner, bits=min(corner.bits, BUDGET_BITS), entries=min(corner.entries, 16))
    entries: list[dict[str, Any]] = [
        {
            "count": str(corner.count),
            "laplace": {
                "scale": rational_text(short.value(Fraction(1), step)),
                "sensitivity": "1",
            },
        }
        for step in range(short.entries)
    ]
    if rule == "moments":
        entries += [*short.noise("rho"), *short.pairs()]
        order: dict[str, object] = {
            "digits": str(corner.digits),
            "alpha": rational_text(2 + short.value(HALF)),
        }
        return of_noise(rule, str(corner), entries, corner.claim(), **order)
    if rule.startswith("fourier"):
        steps = {"scale": rational_text(short.value(Fraction(3))), "shifts": ["1", "2"]}
        entries.append({"count": str(corner.count), "discrete_laplace": steps})
        options = spectrum(rule, corner, len(entries) + 1)
        return of_noise(rule, str(corner), entries, corner.claim(), **options)
    levels = [["-60", "60", "1"]] * (corner.count.bit_length() - 1)
    windows = [["-40", "40"]] * len(entries)
    plan = {"levels": levels, "windows": windows}
    further: dict[str, object] = {"digits": str(corner.digits), "sums": "0", "unit": "1/20"}
    if rule == "mesh-upper":
        entries.append({"count": "1", "rho": rational_text(short.value(HALF))})
        windows.append(["-400", "400"])
        further["orders"] = [str(order) for order in range(2, 2 + MAX_ORDERS)]
    if rule != "mesh-lower":
        return of_noise(rule, str(corner), entries, corner.claim(), plans=[plan], **further)
    event = {"direction": "remove", "threshold": "20", "tilt": "0"}
    return of_noise(rule, str(corner), entries, corner.claim(), plan=plan, **event, **further)


@dataclass(frozen=True)
class Records:
    """What becomes of records, and what noise there is then."""

    name: str
    relation: str
    families: tuple[str, ...]
    rules: tuple[str, ...]


_BITS_OF_ODDS: Final = 120
_PROFILES: Final = ("mesh-upper", "mesh-lower")
_PLAIN: Final = ("mu", "laplace", "discrete_laplace", "discrete_gaussian")
RECORDS: Final = (
    Records("sampled", "add-remove-one", (*_PLAIN, "pair", "bounded_range"), _PROFILES),
    Records("sampled", "add-remove-one", _PLAIN, ("moments",)),
    Records("replaced", "replace-one", ("bounded_range",), _PROFILES),
    Records("shuffled", "zero-out", ("shuffled",), (*_PROFILES, "moments")),
    Records("shuffled and replaced", "replace-one", ("shuffled",), _PROFILES),
    Records("reported", "replace-one", ("shuffled_reports",), _PROFILES),
)
"""Where a mechanism is run on a sample, or on batches of shuffled records."""


def _noise_of(family: str, corner: Corner, step: int) -> dict[str, Any]:
    """A mechanism of a family, without its rate."""
    about = rational_text(corner.value(Fraction(1), step))
    if family == "pair":
        p, q = corner.value(Fraction(1, 3), step), corner.value(Fraction(2, 3), step)
        return {
            "pair": {
                key: [rational_text(x), rational_text(1 - x)] for key, x in (("p", p), ("q", q))
            }
        }
    if family == "shuffled":
        order = ("fresh", "persistent")[step % 2]
        plan = {
            "batches": str(min(corner.count**3, 10**9)),
            "epochs": str(1 + step % 2),
            "order": order,
        }
        return {"sigma": about, "shuffled": plan}
    if family == "shuffled_reports":
        odds = 1 + replace(corner, bits=min(corner.bits, _BITS_OF_ODDS)).value(Fraction(1), step)
        plan = {"odds": rational_text(odds)}
        plan["reports"] = str(min(2 + corner.count**3, 10**9))
        return {family: plan if step % 3 else {**plan, "values": str(2 + step)}}
    parts: dict[str, object] = {
        "laplace": {"scale": about, "sensitivity": "1"},
        "discrete_laplace": {"scale": about, "shifts": ["2"]},
        "discrete_gaussian": {"variance": about, "shifts": ["1"]},
    }
    return {family: parts.get(family, about)}


def of_records(rule: str, corner: Corner, records: Records) -> Adversary:
    """A certificate about samples, or batches, at a corner."""
    made = _of_records(rule, corner, records)
    return replace(made, statement={**made.statement, "neighbouring": records.relation})


def _of_records(rule: str, corner: Corner, records: Records) -> Adversary:
    """The same, where no relation is stated."""
    short = replace(corner, bits=min(corner.bits, BUDGET_BITS), entries=min(corner.entries, 16))
    sampled = records.families not in (("shuffled",), ("shuffled_reports",))
    chosen = itertools.islice(itertools.cycle(records.families), short.entries)
    entries: list[dict[str, Any]] = []
    for step, family in enumerate(chosen):
        rate = {"rate": rational_text(short.value(TENTH, step))} if sampled else {}
        entries.append({**_noise_of(family, short, step), **rate, "count": str(corner.count)})
    name, digits = f"{records.name}, {corner}", str(corner.digits)
    if rule == "moments":
        alpha = str(2 + min(corner.count, 200))
        return of_noise(rule, name, entries, corner.claim(), digits=digits, alpha=alpha)
    shuffled = records.families == ("shuffled",)
    told = shuffled and rule != "mesh-lower"
    windows = [["-40", "40"]] * (1 if told else len(entries))
    levels = [["-60", "60", "1"]] * (0 if told else corner.count.bit_length() - 1)
    further: dict[str, object] = {"digits": digits, "sums": "0", "unit": "1/20"}
    if rule == "mesh-upper":
        entries.append({"count": "1", "rho": rational_text(short.value(HALF))})
        windows.append(["-400", "400"])
        further["orders"] = [str(order) for order in range(2, 2 + MAX_ORDERS)]
    plan: dict[str, object] = {"levels": levels, "windows": windows}
    if rule != "mesh-lower":
        plans = [plan] * (1 + (records.relation == "add-remove-one"))
        return of_noise(rule, name, entries, corner.claim(), plans=plans, **further)
    if shuffled:
        plan["cuts"] = [[str(cut) for cut in range(-40, 40)]] * len(entries)
    event = {"direction": "remove", "threshold": "20", "tilt": "0"}
    return of_noise(rule, name, entries, corner.claim(), plan=plan, **event, **further)
