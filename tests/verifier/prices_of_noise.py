"""The costs of the rules about mechanisms by their noise, straight from certs/SPEC.md, 13."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.families import noise_of
from tests.verifier.prices import Number, bits, m, size, x, y

Entry = Mapping[str, Any]
RULES = (
    *("noise-fourier-lower", "noise-fourier-upper", "noise-renyi"),
    *("profile-dots", "profile-renyi", "profile-test"),
)
Part = tuple[int | None, int]
"""The outputs that are listed, if any, and a count."""
MAXIMUM = 0
"""Of shuffled batches, for the outputs."""
DIVERGENT = -1
"""What is known by its divergences, for the outputs."""


def of_noise(step: Mapping[str, Any], entries: Sequence[Entry]) -> int:
    given = step["parameters"]
    if "alpha" in given:
        return of_divergences(step, entries)
    return of_waves(step, entries) if "near" in given else of_plans(step, entries)


def of_waves(step: Mapping[str, Any], entries: Sequence[Entry]) -> int:
    given = step["parameters"]
    digits = int(given["digits"])
    own = [text for text in (given["epsilon"], given["delta"]) if text != "every"]
    sizes = [*numbers(*own), *(each for entry in entries for each in sizes_of(entry))]
    fine = digits + max(sizes) // 3
    responses: dict[str, int] = {}
    for entry in entries:
        if "epsilon" in entry and not Number.of(entry["epsilon"]).is_zero:
            key = entry["epsilon"]
            responses[key] = responses.get(key, 0) + int(entry["count"])
    single: list[int] = []
    noise: list[int] = []
    for entry in entries:
        count = int(entry["count"])
        shifts = entry.get("discrete_laplace", {"shifts": []})["shifts"]
        for shift in dict.fromkeys(shifts):
            (single if shift == "1" else noise).append(count * shifts.count(shift))
        noise += [count] if "laplace" in entry else []
    products = sum(2 * bits(count) + 1 for count in [*responses.values(), *single])
    products += sum(2 * bits(count) + 32 for count in noise)
    near, far, blocks = (int(given[key]) for key in ("near", "far", "blocks"))
    enclosed = enclosures(given, entries) + len(single) + 2 * len(noise)
    return (
        1000 * (len(entries) + 1)
        + 10**8
        + (6 * enclosed + near + far) * x(fine)
        + fractions(entries) * (x(fine) // 10)
        + products * (near * (1000 + 20 * m(4 * digits + 128)) + 1000 * far)
        + 2 * 10**4 * blocks
        + len(given["factors"]) * (2 * 10**6 + 3000 * blocks)
        + 4 * 10**6 * len(noise)
    )


def of_divergences(step: Mapping[str, Any], entries: Sequence[Entry]) -> int:
    given = step["parameters"]
    sizes = [*numbers(given["epsilon"], given["delta"], given["alpha"])]
    sizes += [bits for entry in entries for bits in sizes_of(entry)]
    fine = int(given["digits"]) + max(sizes) // 3
    sampled = [entry for entry in entries if "rate" in entry]
    taken = 6 * (len(list(parts_of(entries, "upper", int(given["digits"])))) - len(sampled))
    taken += 8 * (int(Fraction(given["alpha"])) + 1) * len(sampled)
    taken += sum(6 * len(e["pair"]["p"]) - 6 for e in entries if "pair" in e and "rate" not in e)
    enclosed, lost = enclosures(given, entries), fractions(entries)
    return 1000 * (len(entries) + 1) + (enclosed + 8 + taken) * x(fine) + lost * (x(fine) // 10)


def enclosures(given: Mapping[str, Any], entries: Sequence[Entry]) -> int:
    listed = {e["epsilon"] for e in entries if "epsilon" in e}
    positive = [text for text in listed if not Number.of(text).is_zero]
    own = [given["epsilon"]] if given["epsilon"] != "every" else []
    return sum(Number.of(text).terms for text in (*own, *positive))


def fractions(entries: Sequence[Entry]) -> int:
    plain = [entry for entry in entries if "rate" not in entry]
    return 1 + sum(e.get(key) not in ("0", None) for e in plain for key in ("delta", "mu", "rho"))


def of_plans(step: Mapping[str, Any], entries: Sequence[Entry]) -> int:
    given = step["parameters"]
    plans = given["plans"] if "plans" in given else [given["plan"]]
    times = 1 if "plans" in given else 2
    unit = Fraction(given["unit"])
    reach = [abs(int(w[end])) for plan in plans for w in plan["windows"] for end in (0, -1)]
    sizes = [*numbers(given["epsilon"], given["delta"]), 2 * size(unit)]
    sizes += [size(Fraction(given.get("tilt", "0"))), 2 * (int(max(reach, default=-1) * unit) + 1)]
    sizes += [bits for entry in entries for bits in sizes_of(entry)]
    sizes += numbers(*(orders := given.get("orders", [])))
    fine = int(given["digits"]) + max(sizes) // 3
    parts = list(parts_of(entries, step["parameters"]["bound"], int(given["digits"])))
    parts += [(DIVERGENT, 1)] if orders else []
    cost = 1000 * (len(entries) + len(parts) + 1) + enclosures(given, entries) * x(fine)
    cost += fractions(entries) * (x(fine) // 10)
    for plan in plans:
        for (outputs, _), window in zip(parts, plan["windows"], strict=False):
            number = points_of([int(j) for j in window])
            points = number * (y(fine) + 2 * x(fine)) * (2 if outputs == MAXIMUM else 1)
            if outputs == DIVERGENT:
                points += len(orders) * (8 * x(fine) + number * 20 * (fine + 30))
            curve = outputs in (None, MAXIMUM, DIVERGENT)
            cost += points if curve else (outputs or 0) * x(fine)
        cost += sum(int(level[2]) for level in plan["levels"]) * x(fine)
        cost += 20 * times * slots(parts, plan) * (fine + 30)
    return cost


def points_of(window: Sequence[int]) -> int:
    if len(window) == 2:
        return window[1] - window[0] + 1
    sections = range(1, len(window), 2)
    return 1 + sum((window[i + 1] - window[i - 1]) // window[i] for i in sections)


def slots(parts: Sequence[Part], plan: Mapping[str, Any]) -> int:
    lengths = [int(window[-1]) - int(window[0]) + 3 for window in plan["windows"]]
    levels, whole, total = plan["levels"], 1, 0
    for index in range(len(levels) + 1):
        place = len(levels) - index
        used = [n for n, (_, count) in zip(lengths, parts, strict=False) if count >> place & 1]
        total += (2 * whole + sum(used)) * bits(len(used) + 2)
        if place:
            first, last, times = map(int, levels[index])
            whole = (last - first) // times + 3
            lengths = [n // times + 3 for n in lengths]
            total += sum(lengths)
    return total


def parts_of(entries: Sequence[Entry], bound: str, digits: int) -> Iterator[Part]:
    counts: dict[str, int] = {}
    for entry in sorted((e for e in entries if "epsilon" in e), key=lambda e: str(e["epsilon"])):
        if not Number.of(entry["epsilon"]).is_zero:
            counts[entry["epsilon"]] = counts.get(entry["epsilon"], 0) + int(entry["count"])
    for count in counts.values():
        yield 2, count
    noise = ("mu", "rho") if bound == "lower" else ("mu",)
    told = bound == "upper" and any("shuffled" in entry for entry in entries)
    if told or any("rate" not in e and e.get(key, "0") != "0" for e in entries for key in noise):
        yield None, 1
    for entry in entries:
        if "rate" in entry or not {"epsilon", "mu", "rho", "renyi"} & set(entry):
            for outputs, count in of_family(entry, bound, digits):
                tripled = outputs * (3 if "rate" in entry else 1) if outputs else outputs
                yield tripled, count * int(entry["count"])


def of_family(entry: Entry, bound: str, digits: int) -> Iterator[Part]:
    if "shuffled" in entry:
        fresh = entry["shuffled"]["order"] == "fresh"
        if bound == "lower":
            yield MAXIMUM, int(entry["shuffled"]["epochs"]) if fresh else 1
    elif "pair" in entry:
        yield len(entry["pair"]["p"]), 1
    elif (noise := noise_of(entry)) is not None:
        parts = entry[noise.key]
        shifts = [int(Fraction(shift)) for shift in parts.get("shifts", [entry.get("clip", 0)])]
        for shift in sorted(set(shifts)):
            outputs = noise.outputs(Fraction(parts[noise.amount]), shift, digits)
            yield (4 * outputs if "clip" in entry else outputs), shifts.count(shift)
    elif "clip" in entry:
        yield MAXIMUM, 1
    else:
        yield (2 if bound == "lower" and "bounded_range" in entry else None), 1


def numbers(*texts: str) -> Iterator[int]:
    yield from (Number.of(text).size for text in texts)


def sizes_of(entry: Entry) -> Iterator[int]:
    for key, value in entry.items():
        if key == "shuffled":
            continue
        if isinstance(value, dict):
            yield from sizes_of(value)
        elif isinstance(value, list):
            listed = [each for pair in value for each in pair] if key == "renyi" else value
            yield from numbers(*(listed if key != "shifts" else ()))
        elif key != "count":
            yield from numbers(value)
