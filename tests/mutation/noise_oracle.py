"""Whether a statement about mechanisms by their noise is true, by cells of doubles.

Each law is cut into cells of a small range of privacy losses, whose probabilities are differences
of closed forms; the cells' losses are rounded to the nearest point of a mesh, and multiplied as
polynomials. The error is of the order of the square of the mesh for each mechanism: near the truth
nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from math import ceil, comb, erfc, exp, expm1, isfinite, log, sqrt
from statistics import NormalDist
from typing import Any

from flint import fmpz_poly

from tests.families import KEYS, noise_of
from tests.mutation import constraints_oracle, renyi_oracle, selection_oracle, tables
from tests.mutation.batches_oracle import in_several_laws, is_within_reach, laws_of_batches
from tests.mutation.factorized_oracle import mu_squared
from tests.mutation.reports_oracle import has_too_many_reports, laws_of_reports
from tests.verifier.oracles import value_of

STEP = 1 / 128
SPAN = 12.0
MARGIN = 0.0005
MOST = 64
PERSON = "records_per_person"
MOST_RECORDS = 20
SCALE = 2**80
REACHES = {"zero-out": 1, "replace-one": 2}
REACHED = str(REACHES["replace-one"])

Cells = list[tuple[float, float]]
"""P and Q of each."""

Tails = Callable[[float], tuple[float, float]]


def is_true(statement: dict[str, Any]) -> bool | None:
    """Whether it is, as far as doubles tell; or whether it follows where divergences are given."""
    entries = statement["subject"]["mechanisms"]
    if not fits(entries, statement["neighbouring"]):
        return False
    reach = str(REACHES.get(statement["neighbouring"], 0))
    moved = ("shuffled", "fixed_size", "factorization", "rate")
    entries = [{**each, "reach": reach} if {*moved} & {*each} else each for each in entries]
    statement = about(statement, entries)
    kind = statement["kind"]
    entries = [selection_oracle.plain(entry, kind) for entry in entries]
    statement = about(statement, entries)
    given = [entry for entry in entries if "renyi" in entry or entry.get("rho", "0") != "0"]
    known = [entry for entry in entries if entry not in given]
    if not given:
        return (tables.is_true if tables.decide(statement) else is_true_of_laws)(statement)
    if statement["kind"] == "lower":
        attained = [entry for entry in entries if "renyi" not in entry]
        return is_true_of_laws(about(statement, attained)) if attained else None
    if statement["interaction"] == "fully-adaptive" or statement["kind"] != "upper":
        return False
    joined = {"count": "1", "divergent": given}
    verdicts = {
        renyi_oracle.is_true(statement),
        is_true_of_laws(about(statement, [*known, joined])),
    }
    return True if True in verdicts else None if None in verdicts else False


def about(statement: dict[str, Any], entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The statement about other mechanisms."""
    return {**statement, "subject": {**statement["subject"], "mechanisms": entries}}


def is_true_of_laws(statement: dict[str, Any]) -> bool | None:
    """Whether it is, where every entry has laws."""
    entries = statement["subject"]["mechanisms"]
    adaptive = statement["interaction"] != "fully-adaptive" and statement["kind"] != "underivable"
    if not adaptive or not fits(entries, statement["neighbouring"]):
        return False
    if statement["epsilon"] == "every":
        return never_enough(entries, Fraction(statement["delta"]), statement["kind"])
    epsilon, delta = float(value_of(statement["epsilon"]).mid), float(Fraction(statement["delta"]))
    many = sum(int(entry["count"]) * epochs(entry) for entry in entries) > MOST
    many |= not all(map(is_within_reach, entries))
    many |= any("factorization" in each and square_of(each, "upper") is None for each in entries)
    many |= any(map(has_too_many_reports, entries))
    many |= any(int(each.get(PERSON, "1")) > MOST_RECORDS for each in entries)
    if many or epsilon > SPAN:  # what is cut says nothing beyond
        return None
    margin = MARGIN + rounding(entries)
    above = max(divergence(entries, epsilon - margin, "upper", back=back) for back in (0, 1))
    if above <= delta:
        return bool(statement["kind"] == "upper")
    below = max(divergence(entries, epsilon + margin, "lower", back=back) for back in (0, 1))
    if below > delta:
        return bool(statement["kind"] == "lower")
    return None


def never_enough(entries: list[dict[str, Any]], delta: Fraction, kind: str) -> bool | None:
    """Whether more than a δ fails whatever ε is; nothing is said near it, or of no failure.

    Normal noise has losses above any ε.
    """
    if kind != "lower":
        return None
    if not delta and any("sigma" in each and "factorization" not in each for each in entries):
        return True
    text = json.dumps(entries)
    failing = max(
        1 - kept * certain
        for _, _, kept, certain in (together(text, kind, back) for back in (0, 1))
    )
    return True if failing > delta + MARGIN else None


def rounding(entries: list[dict[str, Any]]) -> float:
    """How far the losses of randomized responses are from the mesh, all together."""
    losses = (
        (float(value_of(each["epsilon"]).mid) / STEP, int(each["count"]))
        for each in entries
        if "epsilon" in each
    )
    return STEP * sum(count * abs(loss - round(loss)) for loss, count in losses)


def fits(entries: list[dict[str, Any]], neighbouring: str) -> bool:
    """Whether the mechanisms are about such neighbours."""
    sampled = [entry for entry in entries if "rate" in entry]
    sampled += [
        entry for each in entries if "rate" in (entry := each.get("selection", {}).get("of", {}))
    ]
    finite = any("pair" in entry for entry in entries)
    finite |= any({*KEYS} & {*entry} and "clip" not in entry for entry in sampled)
    known = {"add-remove-one", "replace-one", "unspecified"}
    if any({"allocated", "records_per_person"} & {*entry} for entry in entries):
        known = {"add-remove-one", "zero-out"}
    if any("factorization" in entry for entry in entries):
        known = (known | {"zero-out"}) - {"unspecified"}
    if any({"fixed_size", "shuffled"} & {*entry} for entry in entries):
        known &= {"zero-out", "replace-one"}
        known |= {"zero-out"}
    if any("shuffled_reports" in entry for entry in entries):
        known &= {"replace-one"}
    if sampled or finite:
        known -= {"unspecified"}
    sums = any(not {"bounded_range", "clip"} & {*entry} for entry in sampled)
    if any("clip" in entry for entry in sampled):
        known &= {"replace-one"}
    return neighbouring in (known - {"replace-one"} if finite or sums else known)


def square_of(entry: dict[str, Any], kind: str) -> float | None:
    """About μ² of a factorization."""
    return mu_squared(entry, kind, 2 if entry["reach"] == REACHED else 1)


def epochs(entry: dict[str, Any]) -> int:
    return int(entry.get("shuffled", entry.get("allocated", {"epochs": "1"}))["epochs"])


def divergence(entries: list[dict[str, Any]], epsilon: float, kind: str, *, back: int) -> float:
    """About δ(ε), with the failures."""
    places, weights, kept, certain = together(json.dumps(entries), kind, back)
    total = 0.0
    for j, weight in enumerate(weights, places):
        if j * STEP > epsilon:
            total += weight * -expm1(epsilon - j * STEP)
    return 1 - kept * (1 - total - (1 - certain))


@lru_cache(maxsize=50)
def together(text: str, kind: str, back: int) -> tuple[int, list[float], float, float]:
    """P of all losses from a first one on, and how likely nothing fails, and all are finite."""
    places, whole, kept, certain = 0, fmpz_poly([SCALE]), 1.0, 1.0
    for entry in json.loads(text):
        count = int(entry.pop("count"))
        kept *= (1 - float(Fraction(entry.get("delta", "0")))) ** count
        for first, values, finite in on_mesh(json.dumps(entry), kind, back):
            places += first * count
            for _ in range(count):
                whole = whole * values // SCALE
            certain *= finite**count
    return places, [int(weight) / SCALE for weight in whole.coeffs()], kept, certain


@lru_cache(maxsize=500)
def on_mesh(text: str, kind: str, back: int) -> list[tuple[int, fmpz_poly, float]]:
    """P of each law by rounded losses, and how much of it has a finite one."""
    listed = []
    for cells in laws(json.loads(text), kind):
        found: dict[int, float] = {}
        for p, q in (cell[:: -1 if back else 1] for cell in cells):
            if p > 0 and q > 0:
                j = round(log(p / q) / STEP)
                found[j] = found.get(j, 0.0) + p
        first, last = min(found, default=0), max(found, default=0)
        values = [int(found.get(j, 0.0) * SCALE) for j in range(first, last + 1)]
        listed.append((first, fmpz_poly(values), sum(found.values())))
    return listed


def laws(entry: dict[str, Any], kind: str) -> Iterator[Cells]:
    """The laws of one mechanism, sampled if it is; from above either way round, if replaced."""
    if "clip" in entry:
        yield clipped(entry)
        return
    if PERSON in entry:
        yield of_person(entry)
        return
    rate = float(Fraction(entry.get("rate", "1")))
    replaced = kind == "upper" and rate < 1 and entry["reach"] == REACHED
    for cells in whole_laws(entry, kind):
        sampled = [((1 - rate) * q + rate * p, q) for p, q in cells]
        yield either_way(sampled) if replaced else sampled


def clipped(entry: dict[str, Any]) -> Cells:
    """Noise on a sum whose sampled record is replaced: (1 - q)N + qM and (1 - q)N + qM'."""
    clip, rate = float(Fraction(entry["clip"])), float(Fraction(entry["rate"]))
    own, without, other = (masses(entry, clip, at) for at in (clip, 0.0, -clip))
    listed = zip(own, without, other, strict=True)
    cells = [((1 - rate) * n + rate * m, (1 - rate) * n + rate * o) for m, n, o in listed]
    return [cell for cell in cells if min(cell) > 1e-15]


def of_person(entry: dict[str, Any]) -> Cells:
    """Noise around a binomial number of one person's records, and around none."""
    mu, rate = sqrt(gaussian_square(entry)), float(Fraction(entry["rate"]))
    records = int(entry[PERSON])
    drawn = [comb(records, k) * rate**k * (1 - rate) ** (records - k) for k in range(records + 1)]
    outputs = [j / 200 for j in range(-2400, ceil(200 * (records * mu + 12)) + 1)]
    without = [erfc(x / sqrt(2)) / 2 for x in outputs]
    own = [sum(p * erfc((x - k * mu) / sqrt(2)) / 2 for k, p in enumerate(drawn)) for x in outputs]
    of_each = ([a - b for a, b in pairwise([1.0, *above, 0.0])] for above in (own, without))
    return [*zip(*of_each, strict=True)]


def masses(entry: dict[str, Any], clip: float, at: float) -> list[float]:
    """How likely noise around a point is in each cell of outputs, or at each whole number."""
    if {"sigma", "variance", "laplace"} & {*entry}:
        key = entry["laplace"]["scale"] if "laplace" in entry else entry.get("sigma", "0")
        size = float(Fraction(key)) or sqrt(Fraction(entry["variance"]))
        below = partial(laplace_below, at, size) if "laplace" in entry else NormalDist(at, size).cdf
        most = ceil(200 * (clip / size + 12))
        ends = [below(j * size / 200) for j in range(-most, most + 1)]
        return [after - here for here, after in pairwise([0.0, *ends, 1.0])]
    noise = noise_of(entry)
    assert noise is not None
    amount = Fraction(entry[noise.key][noise.amount])
    most = ceil(clip) + noise.reach(float(amount))
    law = [float(mass) for mass in noise.law(amount, most + 1 + ceil(clip))]
    shift = int(at)
    return [law[x - shift + len(law) // 2] for x in range(-most - 1, most + 2)]


def laplace_below(at: float, scale: float, output: float) -> float:
    half = exp(-abs(output - at) / scale) / 2
    return 1 - half if output > at else half


def either_way(cells: Cells) -> Cells:
    """What has the profile of the cells above y = 1, and is its own reverse."""
    more = [(p, q) for p, q in cells if p > q]
    rest = 1 - sum(p + q for p, q in more)
    return [*more, *((q, p) for p, q in more), (rest, rest)]


def whole_laws(entry: dict[str, Any], kind: str) -> Iterator[Cells]:
    if "epsilon" in entry:
        odds = exp(float(value_of(entry["epsilon"]).mid))
        yield [(odds / (1 + odds), 1 / (1 + odds)), (1 / (1 + odds), odds / (1 + odds))]
    elif "pair" in entry:
        laws_of_both = zip(entry["pair"]["p"], entry["pair"]["q"], strict=True)
        yield [(float(Fraction(p)), float(Fraction(q))) for p, q in laws_of_both]
    elif "constraints" in entry:
        pairs = [(float(value_of(one).mid), float(Fraction(d))) for one, d in entry["constraints"]]
        yield constraints_oracle.table([(exp(epsilon), delta) for epsilon, delta in pairs])
    elif "bounded_range" in entry and kind == "lower":
        size = float(Fraction(entry["bounded_range"]))
        p = expm1(-size / 2) / expm1(-size)
        q = p * exp(-size / 2)
        yield [(p, q), (1 - p, 1 - q)]
    elif "divergent" in entry:
        yield divergent(entry["divergent"])
    elif "shuffled_reports" in entry:
        yield laws_of_reports(entry, kind)
    elif in_several_laws(entry):
        yield from [laws_of_batches(entry, kind)] * epochs(entry)
    elif "shuffled" in entry and kind == "lower":
        fresh = entry["shuffled"]["order"] == "fresh"
        yield from [maximum(entry, 1 if fresh else epochs(entry))] * (epochs(entry) if fresh else 1)
    elif noise_of(entry):
        yield from on_integers(entry)
    else:
        yield from continuous(entry, kind)


def continuous(entry: dict[str, Any], kind: str) -> Iterator[Cells]:
    if "laplace" in entry:
        sensitivity, scale = (Fraction(entry["laplace"][key]) for key in ("sensitivity", "scale"))
        yield cut(partial(laplace_tails, float(sensitivity / scale)))
    elif "bounded_range" in entry:
        yield cut(partial(range_tails, float(Fraction(entry["bounded_range"]))))
    elif "shuffled" in entry:
        mu = int(entry["reach"]) * sqrt(epochs(entry)) / float(Fraction(entry["sigma"]))
        yield cut(partial(normal_tails, mu))
    elif "factorization" in entry:
        square = square_of(entry, kind) or 0.0
        if square:
            yield cut(partial(normal_tails, sqrt(square)))
    else:
        square = gaussian_square(entry)
        if square:
            yield cut(partial(normal_tails, sqrt(square)))


def gaussian_square(entry: dict[str, Any]) -> float:
    """μ² of a Gaussian mechanism, by any of its names."""
    if "mu_squared" in entry:
        return float(Fraction(entry["mu_squared"]))
    return float(Fraction(entry["mu"]) ** 2 if "mu" in entry else 2 * Fraction(entry["rho"]))


def divergent(entries: list[dict[str, Any]]) -> Cells:
    """What dominates all that is given by divergences: the lower hull of what they convert to.

    What stands at an infinite loss is left out, as nothing of Q is there.
    """
    exponents = least_exponents(json.dumps(entries))
    hull: list[tuple[float, float]] = [(0.0, 1.0)]
    for j in range(-ceil(SPAN / STEP), len(exponents)):
        odds, height = exp(j * STEP), exp(exponents[abs(j)])
        point = odds, height if j >= 0 else 1 - odds * (1 - height)
        while len(hull) > 1 and slope(hull[-2], hull[-1]) >= slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    slopes = [slope(here, after) for here, after in pairwise(hull)]
    q = [after - here for here, after in pairwise([*slopes, 0.0])]
    return [(odds * share, share) for (odds, _), share in zip(hull[1:], q, strict=True)]


@lru_cache(maxsize=100)
def least_exponents(text: str) -> list[float]:
    """The logarithm of what the best order gives for δ at each step of ε.

    Each order gives a line; the larger ε is, the larger is the best order.
    """
    entries = json.loads(text)
    listed = sorted({Fraction(a) for entry in entries for a, _ in entry.get("renyi", ())})
    alphas = [float(alpha) for alpha in listed] or renyi_oracle.GRID
    heights = renyi_oracle.at_loss_zero(entries, alphas)
    lines = [(alpha - 1, height) for alpha, height in zip(alphas, heights, strict=True)]
    best, least = 0, []
    for j in range(ceil(2 * SPAN / STEP) + 1):
        values = [height - steepness * j * STEP for steepness, height in lines[best:]]
        best += values.index(min(values))
        least.append(min(0.0, *values))
    return least


def slope(here: tuple[float, float], after: tuple[float, float]) -> float:
    return (after[1] - here[1]) / (after[0] - here[0])


def maximum(entry: dict[str, Any], together: int) -> Cells:
    """The greatest sum of a batch, in cells of a fortieth of its deviation."""
    deviation = float(Fraction(entry["sigma"])) / sqrt(together)
    batches, zeroed = int(entry["shuffled"]["batches"]), 2 - int(entry["reach"])
    normal, ends = NormalDist(0, deviation), [(1.0, 1.0)]
    for j in range(-400, 401 + ceil(80 / deviation)):
        at = j * deviation / 40
        rest = normal.cdf(at) ** (batches - 1)
        ends.append((1 - normal.cdf(at - 2) * rest, 1 - normal.cdf(at - zeroed) * rest))
    cells = [(here[0] - after[0], here[1] - after[1]) for here, after in pairwise([*ends, (0, 0)])]
    return [cell for cell in cells if min(cell) > 1e-15]


def on_integers(entry: dict[str, Any]) -> Iterator[Cells]:
    noise = noise_of(entry)
    assert noise is not None
    amount = Fraction(entry[noise.key][noise.amount])
    for shift in map(int, entry[noise.key]["shifts"]):
        most = noise.reach(float(amount)) + shift
        law = [float(mass) for mass in noise.law(amount, most + shift)]
        yield [*zip(law[shift:], law, strict=False)]


def cut(tails: Tails) -> Cells:
    """Cells of losses, of half a step."""
    number = int(2 * SPAN / STEP)
    ends = [(1.0, 1.0), *(tails((j + 0.5) * STEP / 2) for j in range(-number, number)), (0.0, 0.0)]
    cells = [(here[0] - after[0], here[1] - after[1]) for here, after in pairwise(ends)]
    return [cell for cell in cells if min(cell) > 1e-15 and isfinite(cell[0])]


def normal_tails(mu: float, loss: float) -> tuple[float, float]:
    normal = NormalDist()
    return normal.cdf(mu / 2 - loss / mu), normal.cdf(-mu / 2 - loss / mu)


def laplace_tails(most: float, loss: float) -> tuple[float, float]:
    if abs(loss) > most:
        return (1.0, 1.0) if loss < 0 else (0.0, 0.0)
    return 1 - exp((loss - most) / 2) / 2, exp(-(loss + most) / 2) / 2


def range_tails(size: float, loss: float) -> tuple[float, float]:
    """Of the profile (1 - e^{(l - ε)/2})²/(1 - e^{-ε}): Q is minus its slope in y."""
    if abs(loss) > size:
        return (1.0, 1.0) if loss < 0 else (0.0, 0.0)
    root = exp((loss - size) / 2)
    q = (1 - root) * root * exp(-loss) / -expm1(-size)
    return (1 - root) ** 2 / -expm1(-size) + exp(loss) * q, q
