r"""Section 7.1 of Smith et al. by its own generator: ``python -m bench.published``.

Purpose: how many queries are solved exactly within 60 seconds of processor time, by the size of the
domain, and the points of Figures 1 to 3; with ``--colouring``, how many are coloured alone, the
curve of Figures 1(c) and 3.

Rules of this file: instances are those of the paper's generator, value by value, and the overlap
found is that of the whole instance; results are written after each set, and a run goes on where the
last one was stopped. Processor time is that of exactdp, without drawing predicates.

Theory of operation: m attributes of 10^k values, k uniform from 1 to K; a query names m' of them,
m' uniform from 1 to m, and admits a random subset of a' values of each, a' uniform from 1 to 10^k.
At m = 2857, where domains have 10^10000 rows, 3500 queries list 5·10^11 values: nobody writes them
down. They are drawn where they are looked at, which changes no distribution: a subset is drawn
thousand values by thousand values, each time with the hypergeometric number of those that are
admitted. exactdp is given the attributes of ten values first, of a hundred and of a thousand next,
and then those that tear the set that it found, for the queries that a larger set than the largest
known can have; over few attributes, all at once. Of an attribute of 10^4 to 10^6 values it is given
those that matter: where the queries that admit one value all admit another, the former is left out,
which changes no overlap, and its time is counted. Predicates that are not given can only make
overlaps smaller, so that an upper end holds for the whole instance. For the lower end the row found
is completed: in each attribute that was not given, a value that all of the queries admit is looked
for, and queries are dropped where there is none. An instance is solved where both ends meet.
It is coloured along attributes of ten values, and where there are few along those of a hundred and
a thousand: classes that are disjoint along these are disjoint. Its time is that of the graph too.

Source: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most of Parallel Composition in
Differential Privacy", PoPETs 2022, section 7.1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from exactdp.mechanisms import Mechanism
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import members
from exactdp.workloads.colouring import colourings
from exactdp.workloads.composing import searched
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.kernel import kernel
from exactdp.workloads.workload import Attribute, Query, Workload

RESULTS: Final = Path(__file__).with_suffix(".json")
COLOURED: Final = Path(__file__).with_name("colouring.json")
FEW: Final = 100
"""Of so many attributes those of a hundred and a thousand values are looked at for a colouring."""
LIMIT: Final = 60
BLOCK: Final = 1000
LISTED: Final = (1, 2, 3)
"""Exponents of the sizes that are given to exactdp at first, one after the other."""
FIRST: Final = 1 / 20
"""The part of the time in which a set is looked for before all of these are given."""
MOST_VALUES: Final = 100_000_000
"""Where more may be listed by all queries together, an attribute is looked at for a set alone."""
ALL_VALUES: Final = 1_000_000_000
"""Where no more may be listed of all attributes together, all are given at once."""
MOST_CELLS: Final = 50_000
"""Where more values matter, an attribute is looked at for a set alone."""
ATTRIBUTES: Final = (10, 30, 100, 300, 1000, 2857, 5714, 14286, 22857)
COUNTS: Final = (25, 50, 70, 100, 140, 200, 350, 500, 700, 1000, 1400, 2000, 2800, 3500)
TENTH: Final = Mechanism("1/10")

Record = dict[str, object]


class ProcessorClock(Clock):
    """A time limit in processor time of this process."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(None)
        self._spent_at = None if seconds is None else time.process_time() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._spent_at is not None and time.process_time() >= self._spent_at

    def share(self, part: float) -> ProcessorClock:
        """A clock that stops after this part of the time that is left."""
        if self._spent_at is None:
            return ProcessorClock()
        return ProcessorClock(max(0.0, self._spent_at - time.process_time()) * part)


class DrawnQueries:
    """A set of queries that is drawn where it is looked at.

    Attributes:
        exponents: log10 of each attribute's size.
        names: which queries name which attributes.
    """

    def __init__(self, t: int, m: int, most: int, number: int) -> None:
        self._seed = (t, m, most, number)
        random = np.random.default_rng(self._seed)
        self.exponents: list[int] = random.integers(1, most + 1, m).tolist()
        self.names = np.zeros((t, m), bool)
        for own, count in zip(self.names, random.integers(1, m + 1, t), strict=True):
            own[random.choice(m, count, replace=False)] = True

    def predicates(self, attribute: int, queries: Iterable[int]) -> Iterator[tuple[int, Coverage]]:
        """What those of these queries that name an attribute admit of it."""
        named = self.names[:, attribute]
        if self.exponents[attribute] == 1:
            random = np.random.default_rng((*self._seed, attribute))
            counts = random.integers(1, 11, (len(named), 1))
            ranks = random.random((len(named), 10)).argsort(1).argsort(1)
            codes = ((ranks < counts) @ (1 << np.arange(10))).tolist()
            yield from ((i, _TENS[codes[i]]) for i in queries if named[i])
            return
        for i in queries:
            if named[i]:
                yield i, self._subset(attribute, i).whole()

    def cells(self, attribute: int, queries: Iterable[int]) -> DrawnCells:
        """The values of an attribute that matter to those of these queries that name it."""
        named = [i for i in queries if self.names[i, attribute]]
        subsets = [self._subset(attribute, i) for i in named]
        width = max(1, (len(named) + 63) // 64)
        blocks = []
        for _ in range(0, 10 ** self.exponents[attribute] if named else 0, BLOCK):
            octets = np.packbits([each.block() for each in subsets], 0, "little").T
            words = np.zeros((len(octets), 8 * width), np.uint8)
            words[:, : octets.shape[1]] = octets
            blocks.append(words.view(np.uint64))
        return DrawnCells(named, np.concatenate(blocks or [np.zeros((1, width), np.uint64)]))

    def _subset(self, attribute: int, query: int) -> _Subset:
        return _Subset(10 ** self.exponents[attribute], (*self._seed, attribute, query))

    def has_common(self, attribute: int, queries: Iterable[int]) -> bool:
        """Whether all of these queries that name an attribute admit one of its values."""
        subsets = [self._subset(attribute, i) for i in queries if self.names[i, attribute]]
        for _ in range(0, 10 ** self.exponents[attribute], BLOCK):
            if not subsets or np.logical_and.reduce([each.block() for each in subsets]).any():
                return True
        return False


class DrawnCells:
    """Values of an attribute, each as the set of queries that admit it.

    A value matters only if no other is admitted by the same queries and more: a row that has it
    meets no more than one with that other value.
    """

    def __init__(self, named: list[int], values: NDArray[np.uint64]) -> None:
        self._named = named
        self._values = values

    def predicates(self, most: int, clock: Clock) -> tuple[int, dict[int, Coverage]] | None:
        """How many values matter, and which of these each query admits.

        None if more than most matter, or the time is up before they are told apart.
        """
        left = np.unique(self._values, axis=0)
        left = left[np.bitwise_count(left).sum(1, dtype=int).argsort(kind="stable")[::-1]]
        kept: list[NDArray[np.uint64]] = []
        while len(left):
            if len(kept) == most or clock.is_over:
                return None
            kept.append(left[0].copy())
            left = left[(left & ~left[0]).any(1)]
        octets = np.array(kept).view(np.uint8)
        admitted = np.unpackbits(octets, 1, bitorder="little").T.astype(bool)
        return len(kept), dict(zip(self._named, map(_coverage, admitted), strict=False))


class _Subset:
    """A uniform number of values, drawn uniformly, a thousand after another."""

    def __init__(self, size: int, seed: tuple[int, ...]) -> None:
        self._random = np.random.default_rng(seed)
        self._left = size
        self._admitted = int(self._random.integers(1, size + 1))

    def block(self) -> NDArray[np.bool_]:
        """Which of the next thousand values are admitted."""
        width = min(BLOCK, self._left)
        others = self._left - self._admitted
        found = int(self._random.hypergeometric(self._admitted, others, width))
        self._left -= width
        self._admitted -= found
        return self._random.permutation(width) < found

    def whole(self) -> Coverage:
        """All that is admitted."""
        return _coverage(np.concatenate([self.block() for _ in range(0, self._left, BLOCK)]))


def _coverage(admitted: NDArray[np.bool_] | NDArray[np.int64]) -> Coverage:
    ends = np.flatnonzero(np.diff(np.concatenate(([0], admitted, [0])).astype(np.int8)))
    return Coverage(tuple(zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)))


_TENS: Final = [_coverage(code >> np.arange(10) & 1) for code in range(1 << 10)]


class GrowingWorkload:
    """An instance, as far as it was given to exactdp."""

    def __init__(self, instance: DrawnQueries, limit: float) -> None:
        self._instance = instance
        self._limit = limit
        self._spent = 0.0
        self._given: set[int] = set()
        self._beyond: set[int] = set()
        self._sizes = [10**exponent for exponent in instance.exponents]
        self._wheres: list[dict[int, Coverage]] = [{} for _ in instance.names]
        self._kept = list(range(len(instance.names)))
        self.lower = min(1, len(instance.names))
        self.upper = len(instance.names)
        self._graph = QueryGraph.of(Workload((), ()))

    def solve(self) -> Record:
        """γ from below and from above, and the processor time spent."""
        exponents = self._instance.exponents
        rounds = [[a for a, own in enumerate(exponents) if own == size] for size in LISTED]
        part, colours, colouring = FIRST, None, 0.0
        if self._can_list_all():
            rounds, part = [list(range(len(exponents)))], 1
        while rounds:
            self._give(rounds.pop(0))
            begin = time.process_time()
            chosen = self._search(ProcessorClock(self._limit - self._spent), part)
            self._spent += time.process_time() - begin
            if colours is None:
                begin = time.process_time()
                colours = self._colours()
                colouring = time.process_time() - begin
            sound, torn = self._met(chosen)
            self.lower = max(self.lower, len(sound))
            if self.lower == self.upper or self._spent >= self._limit:
                break
            self._drop()
            if self.lower == self.upper:
                break
            small = [a for a in torn if a not in self._beyond and self._values(a) <= MOST_VALUES]
            if not rounds and small:
                rounds.append(small)
            part = 1
        return {
            "lower": self.lower,
            "upper": self.upper,
            "seconds": round(self._spent, 2),
            "colours": max(self.lower, colours or 0),
            "colouring seconds": round(colouring, 2),
        }

    def colour(self) -> Record:
        """How many classes there are at most, and the processor time of graph and colouring."""
        exponents = self._instance.exponents
        sizes = LISTED if len(exponents) <= FEW else LISTED[:1]
        self._give([a for a, own in enumerate(exponents) if own in sizes])
        begin = time.process_time()
        self._graph = QueryGraph.of(self._workload(), ProcessorClock(self._limit))
        colours = self._colours()
        return {"colours": colours, "seconds": round(time.process_time() - begin, 2)}

    def _give(self, attributes: Iterable[int]) -> None:
        for attribute in attributes:
            if self._instance.exponents[attribute] in LISTED:
                predicates = dict(self._instance.predicates(attribute, self._kept))
            else:
                drawn = self._instance.cells(attribute, self._kept)
                begin = time.process_time()
                clock = ProcessorClock(self._limit - self._spent)
                found = drawn.predicates(MOST_CELLS, clock)
                self._spent += time.process_time() - begin
                if found is None:
                    self._beyond.add(attribute)
                    continue
                self._sizes[attribute], predicates = found
            self._given.add(attribute)
            for i, coverage in predicates.items():
                self._wheres[i][attribute] = coverage

    def _search(self, clock: ProcessorClock, part: float) -> list[int]:
        """The largest set found in a part of the time."""
        self._graph = QueryGraph.of(self._workload(), clock)
        most = searched(self._graph, clock.share(part))
        self.upper = min(self.upper, max(self.lower, most.upper))
        return [self._kept[i] for i in members(most.queries)]

    def _workload(self) -> Workload:
        """The queries kept, along the attributes that were given."""
        attributes = tuple(Attribute(f"a{a}", size) for a, size in enumerate(self._sizes))
        return Workload(attributes, tuple(Query(TENTH, self._wheres[i]) for i in self._kept))

    def _colours(self) -> int:
        """The fewer classes of first fit and of DSATUR."""
        each = [1] * self._graph.size
        found = islice(colourings(self._graph, each, ProcessorClock(self._limit)), 2)
        return min(map(len, found))

    def _can_list_all(self) -> bool:
        """Whether every predicate of the instance may be looked at."""
        return sum(map(self._values, range(len(self._sizes)))) <= ALL_VALUES

    def _values(self, attribute: int) -> int:
        """How many values of an attribute the queries kept may list."""
        named = int(self._instance.names[self._kept, attribute].sum())
        size: int = 10 ** self._instance.exponents[attribute]
        return named * size

    def _drop(self) -> None:
        """Keep the queries that a larger set than the largest known can have."""
        begin = time.process_time()
        left = kernel(self._graph, self.lower, ProcessorClock(self._limit - self._spent))
        self._kept = [self._kept[i] for i in members(left)]
        self._spent += time.process_time() - begin
        if not self._kept:
            self.upper = self.lower

    def _met(self, chosen: list[int]) -> tuple[list[int], list[int]]:
        """Those that one row meets along the attributes not given as well; which tore them."""
        torn = []
        for attribute in range(len(self._instance.exponents)):
            if attribute not in self._given:
                while not self._instance.has_common(attribute, chosen):
                    torn.append(attribute)
                    last = next(i for i in reversed(chosen) if self._instance.names[i, attribute])
                    chosen = [i for i in chosen if i != last]
        return chosen, sorted(set(torn))


def _colour(options: argparse.Namespace) -> None:
    """Colour set after set, and write them all."""
    found: list[Record] = []
    for m in options.attributes:
        for t in options.counts:
            for number in range(options.sets):
                instance = DrawnQueries(t, m, options.most, number)
                record: Record = {"m": m, "k": options.most, "t": t, "set": number}
                record["digits"] = sum(instance.exponents)
                found.append(record | GrowingWorkload(instance, LIMIT).colour())
                print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    COLOURED.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n", encoding="utf-8")


def main() -> None:
    """Solve set after set, and write after each."""
    parser = argparse.ArgumentParser(description="Section 7.1 of Smith et al., as published.")
    parser.add_argument("--attributes", type=int, nargs="*", default=ATTRIBUTES)
    parser.add_argument("--counts", type=int, nargs="*", default=COUNTS)
    parser.add_argument("--most", type=int, default=6, help="the greatest k")
    parser.add_argument("--sets", type=int, default=3, help="for each t and m")
    parser.add_argument("--colouring", action="store_true", help="colour alone")
    options = parser.parse_args()
    if options.colouring:
        _colour(options)
        return
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    done = {(each["m"], each["k"], each["t"], each["set"]) for each in known}
    for m in options.attributes:
        for t in options.counts:
            found = [
                each for each in known if (each["m"], each["k"], each["t"]) == (m, options.most, t)
            ]
            for number in range(options.sets):
                if (m, options.most, t, number) in done:
                    continue
                instance = DrawnQueries(t, m, options.most, number)
                record: Record = {"m": m, "k": options.most, "t": t, "set": number}
                record |= {
                    "digits": sum(instance.exponents),
                    **GrowingWorkload(instance, LIMIT).solve(),
                }
                known.append(record)
                found.append(record)
                print(json.dumps(record), file=sys.stderr, flush=True)
                RESULTS.write_text(
                    "[\n" + ",\n".join(map(json.dumps, known)) + "\n]\n", encoding="utf-8"
                )
            solved = sum(each["lower"] == each["upper"] for each in found)
            if 2 * solved < len(found):
                break


if __name__ == "__main__":
    main()
