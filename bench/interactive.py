r"""Is every interactive mechanism a post-processing of randomized response? Ask many, exactly.

Vadhan and Wang's experiment (TCC 2021, section 6) with certainty. Each random mechanism is asked
at (PrivLoss(M, δ), δ), where T must exist, and a millionth below, where none may: by the
construction of ``exactdp.interaction.simulation``, and as a linear system that knows nothing of it
(``exactdp.interaction.post_processing``). Every T and every certificate of impossibility is
verified in rationals. An answer of the wrong kind ends the run with the mechanism printed.

    python -m bench.interactive [--scale PERCENT] [-o bench/interactive.json]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from gmpy2 import mpq

from exactdp.interaction import linear_program
from exactdp.interaction.linear_program import Impossibility
from exactdp.interaction.mechanism import InteractiveMechanism, Node, total
from exactdp.interaction.post_processing import post_processing
from exactdp.interaction.privacy_loss import highest_line, least_odds
from exactdp.interaction.reading import mechanism_to_json
from exactdp.interaction.simulation import Refutation, Simulation, simulate

ROOT = Path(__file__).resolve().parent.parent
SEED = 20211108
BELOW = mpq(1, 10**6)
DELTAS = [mpq(0), mpq(1, 1000), mpq(1, 100), mpq(1, 20), mpq(1, 10), mpq(1, 5), mpq(1, 2)]
KEPT = 12

Sides = tuple[list[int], list[int]]
"""The weights of the answers to a query on the two inputs."""


@dataclass(frozen=True)
class Family:
    """Random mechanisms of one shape.

    Attributes:
        name: what they are.
        rounds: rounds of queries.
        size: queries at each history, and answers to each query.
        weights: the weights of the answers to a query.
        constructed: how many are asked of the construction.
        solved: how many of these are asked as a linear system too.
        first: queries at the beginning, if not ``size``.
    """

    name: str
    rounds: int
    size: int
    weights: Callable[[Random, int], Sides]
    constructed: int
    solved: int
    first: int = 0


def even(random: Random, size: int) -> Sides:
    """Weights from 1 to 1000."""
    return _sides(lambda: random.randint(1, 1000), size)


def coarse(random: Random, size: int) -> Sides:
    """Few different weights."""
    return _sides(lambda: random.randint(1, 3), size)


def extreme(random: Random, size: int) -> Sides:
    """Weights of very different sizes."""
    return _sides(lambda: 10 ** random.randint(0, 12), size)


def sparse(random: Random, size: int) -> Sides:
    """Many answers that never occur, and now and then one that only one input gives."""
    kept = [random.random() < 1 / 2 for _ in range(size)]
    kept[random.randrange(size)] = True
    p, q = _sides(lambda: random.randint(1, 20), size)
    if random.random() < 1 / 20:
        return [w * keep for w, keep in zip(p, kept, strict=True)], q
    p, q = ([w * keep for w, keep in zip(side, kept, strict=True)] for side in (p, q))
    return p, q


def _sides(weight: Callable[[], int], size: int) -> Sides:
    return [weight() for _ in range(size)], [weight() for _ in range(size)]


PAPER = Family("the paper's own: ten probabilities", 2, 2, even, 10_000, 10_000, first=1)
"""A bit without a query, then a query of a bit and a bit: Figure 1."""
FAMILIES = (
    PAPER,
    Family("two rounds, one bit", 2, 2, even, 10_000, 10_000),
    Family("two rounds, one bit, coarse (many ties)", 2, 2, coarse, 10_000, 2_000),
    Family("two rounds, one bit, sparse (zeros)", 2, 2, sparse, 10_000, 2_000),
    Family("two rounds, one bit, extreme (down to 1e-12)", 2, 2, extreme, 10_000, 2_000),
    Family("three rounds, one bit", 3, 2, even, 2_000, 100),
    Family("three rounds, one bit, sparse (zeros)", 3, 2, sparse, 2_000, 100),
    Family("two rounds, two bits", 2, 4, even, 500, 10),
    Family("two rounds, two bits, coarse (many ties)", 2, 4, coarse, 500, 10),
)
WALKS, STEPS = 20, 200


class ExperimentError(Exception):
    """An answer of the wrong kind: a bug, or a counterexample to a theorem."""


def tree(random: Random, family: Family, rounds: int) -> dict[str, Any]:
    """A random tree of queries."""
    if not rounds:
        return {}
    queries = {}
    begins = rounds == family.rounds and family.first
    for query in range(family.first if begins else family.size):
        p, q = family.weights(random, family.size)
        queries[str(query)] = {
            str(i): (mpq(p[i], sum(p)), mpq(q[i], sum(q)), tree(random, family, rounds - 1))
            for i in range(family.size)
        }
    return queries


def ask(mechanism: InteractiveMechanism, delta: mpq, counts: Counter[str], *, solve: bool) -> None:
    """Both questions, of the construction and, if asked for, of the linear system."""
    counts["mechanisms"] += 1
    odds = least_odds([mechanism], delta)
    if odds is None:
        counts["infinite"] += 1
        return
    below = odds - (odds - 1) * BELOW
    _expect(simulate(mechanism, odds, delta), Simulation, mechanism, counts, "made")
    if odds > 1:
        _expect(simulate(mechanism, below, delta), Refutation, mechanism, counts, "refuted")
    if solve:
        found = post_processing(mechanism, odds, delta)
        _expect(found, Simulation, mechanism, counts, "solved")
        if odds > 1:
            found = post_processing(mechanism, below, delta)
            _expect(found, Impossibility, mechanism, counts, "impossible")


def _expect(
    answer: object, kind: type, mechanism: InteractiveMechanism, counts: Counter[str], name: str
) -> None:
    if not isinstance(answer, kind):
        raise ExperimentError(f"{name}: {type(answer).__name__}\n{mechanism_to_json(mechanism)}")
    counts[name] += 1


def run(family: Family, scale: int) -> dict[str, Any]:
    """All mechanisms of a family, always the same ones."""
    random = Random(f"{SEED} {family.name}")  # noqa: S311 (no secret)
    counts: Counter[str] = Counter()
    begun = time.perf_counter()
    for number in range(max(1, family.constructed * scale // 100)):
        mechanism = InteractiveMechanism.of(tree(random, family, family.rounds))
        solve = number < max(1, family.solved * scale // 100)
        ask(mechanism, random.choice(DELTAS), counts, solve=solve)
    return {"family": family.name, **counts, "seconds": round(time.perf_counter() - begun, 1)}


# --- adversarial search -------------------------------------------------------------------------


def looseness(mechanism: InteractiveMechanism, odds: mpq, delta: mpq) -> mpq:
    """How far the first queries, all and both ways, are from the odds that the whole needs.

    Where it is 0 one T must serve adversaries that begin differently, each to the full.
    """
    parts = [
        InteractiveMechanism(Node({query: answers}))
        for query, answers in mechanism.root.queries.items()
    ]
    ways = [each for part in parts for each in (part, part.swapped())]
    return total(1 - _odds_one_way(way, delta) / odds for way in ways)


def _odds_one_way(mechanism: InteractiveMechanism, delta: mpq) -> mpq:
    """The least y >= 1 with P(S) <= y·Q(S) + δ for all events, where there is one."""
    y = mpq(1)
    while True:
        p, q = highest_line([mechanism], y)
        if p - y * q <= delta:
            return y
        y = (p - delta) / q


def walk(random: Random, counts: Counter[str]) -> tuple[mpq, InteractiveMechanism, mpq]:
    """Change one query's probabilities at a time; keep what binds more adversaries at once."""
    family = Family("search", 2, 2, even, 0, 0)
    delta = random.choice(DELTAS[1:])
    current = tree(random, family, 2)
    best: mpq | None = None
    for _ in range(STEPS):
        changed = _changed(random, current)
        mechanism = InteractiveMechanism.of(changed)
        ask(mechanism, delta, counts, solve=True)
        odds = least_odds([mechanism], delta)
        if odds is not None and odds > 1:
            value = looseness(mechanism, odds, delta)
            if best is None or value <= best:
                best, current = value, changed
    return best or mpq(0), InteractiveMechanism.of(current), delta


def _changed(random: Random, queries: dict[str, Any]) -> dict[str, Any]:
    """The tree with other probabilities for one query, at the empty history or after an answer."""
    query = random.choice(sorted(queries))
    name = random.choice(sorted(queries[query]))
    p, q, then = queries[query][name]
    if then and random.random() < 2 / 3:
        return {
            **queries,
            query: {**queries[query], name: (p, q, _changed(random, then))},
        }
    sides = [_moved(random, [pair[side] for pair in queries[query].values()]) for side in (0, 1)]
    pairs = zip(*sides, strict=True)
    renewed = {
        each: (*pair, old[2])
        for (each, old), pair in zip(queries[query].items(), pairs, strict=True)
    }
    return {**queries, query: renewed}


def _moved(random: Random, probabilities: list[mpq]) -> list[mpq]:
    """Two probabilities, one moved by a random step; of few bits, so that none grow."""
    step = mpq(random.choice([-1, 1]) * random.choice([1, 10, 100, 300]), 1000)
    first = max(mpq(0), min(mpq(1), mpq(int(probabilities[0] * 1000), 1000) + step))
    return [first, 1 - first]


def search(scale: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The walks, and the tightest mechanisms that they ended in."""
    random = Random(f"{SEED} search")  # noqa: S311 (no secret)
    counts: Counter[str] = Counter()
    begun = time.perf_counter()
    found = [walk(random, counts) for _ in range(max(1, WALKS * scale // 100))]
    found.sort(key=lambda each: each[0])
    corpus = [
        {
            "delta": str(delta),
            "looseness": str(value),
            "mechanism": json.loads(mechanism_to_json(mechanism)),
        }
        for value, mechanism, delta in found[:KEPT]
    ]
    seconds = round(time.perf_counter() - begun, 1)
    return {"family": "adversarial search", **counts, "seconds": seconds}, corpus


def main() -> None:
    """Run all families, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", type=int, default=100, help="percent of the full numbers")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "bench" / "interactive.json")
    options = parser.parse_args()
    fallbacks = _count_fallbacks()
    results = []
    for family in FAMILIES:
        results.append(run(family, options.scale) | fallbacks())
        sys.stdout.write(f"{json.dumps(results[-1])}\n")
        sys.stdout.flush()
    searched, corpus = search(options.scale)
    results.append(searched | fallbacks())
    sys.stdout.write(f"{json.dumps(results[-1])}\n")
    document = {"seed": SEED, "below": str(BELOW), "results": results, "corpus": corpus}
    options.output.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def _count_fallbacks() -> Callable[[], dict[str, int]]:
    """How often the exact simplex had to decide since last asked."""
    original = linear_program.solve_by_exact_simplex
    count = 0

    def counted(system: linear_program.System) -> linear_program.SolutionOrProof:
        nonlocal count
        count += 1
        return original(system)

    def since() -> dict[str, int]:
        nonlocal count
        found, count = count, 0
        return {"exact_simplex": found}

    linear_program.solve_by_exact_simplex = counted
    return since


if __name__ == "__main__":
    main()
