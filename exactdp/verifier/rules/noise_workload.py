r"""Workloads of mechanisms by their noise: ``noise-witness`` and ``noise-colouring``.

Rules of this file: as in ``parallel.py``; what stands in for a workload is a ledger of mechanisms
by their noise, and only rules about those are ever asked about it.

Theory of operation: a row that is added, or removed, moves the answers of the queries that it
satisfies, all in the same direction, and of no others. Hence, from below, the laws of all queries
that one given row satisfies compose as those of a ledger do. From above, a row satisfies at most
one query of a class whose queries are disjoint in pairs, so that one that dominates all of its
class stands for it. Classes of (ε, δ) have the greatest of both, as in ``parallel.py``.

Sources: certs/SPEC.md, section 15; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most
of Parallel Composition in Differential Privacy", PoPETs 2022, for the classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Never, Self

from ..format.outcomes import MalformedError
from ..format.strict_json import Json, canonical_bytes
from ..kernel import Form, Judgement, StandsIn
from .domination import Named, greatest_noise
from .ledger import NOTIONS, Mechanism
from .noise_ledger import AnyEntry, ByNoise, NoiseLedger, read_any_entry
from .parallel import Colouring, Witness, greatest_of, satisfying
from .shuffled import Shuffled
from .workload import Conjunction, Queries, Ranges

_RELATION: Final = "add-remove-one"


@dataclass(frozen=True)
class NoiseQuery(Conjunction):
    """A mechanism, with its bytes, and the rows that it sees."""

    text: bytes
    entry: AnyEntry


@dataclass(frozen=True)
class NoiseWorkload(Queries[NoiseQuery]):
    """Queries of which some are given by their noise."""

    type: ClassVar[str] = "noise-workload"
    interactions: ClassVar[tuple[str, ...]] = NoiseLedger.interactions

    @classmethod
    def read(cls, value: Json) -> Self:
        """The workload of a statement."""
        workload = super().read(value)
        if not any(isinstance(query.entry, ByNoise) for query in workload.queries):
            raise MalformedError("no query is given by its noise")
        return workload

    @classmethod
    def read_query(cls, where: Mapping[int, Ranges], parameters: Mapping[str, Json]) -> NoiseQuery:
        """See :class:`Queries`; batches have no row that is added."""
        text, entry = read_any_entry(dict(parameters))
        if isinstance(entry, Shuffled):
            raise MalformedError("a query on shuffled batches")
        return NoiseQuery(where, text, entry)


@dataclass(frozen=True)
class NoiseWitness(Witness[NoiseWorkload]):
    """From below: the mechanisms of all queries that a row satisfies."""

    name: ClassVar[str] = "noise-witness"
    form: ClassVar[Form] = Form(NoiseWorkload, by=NoiseLedger)

    def conclude(self, workload: NoiseWorkload, _premises: Sequence[Never]) -> Judgement:
        """What stands in, found by asking every query."""
        satisfied = satisfying(workload, self.row)
        return StandsIn(workload, _merged((q.text, q.entry) for q in satisfied), self.kind)


@dataclass(frozen=True)
class NoiseColouring(Colouring[NoiseWorkload]):
    """From above: one mechanism for each class of queries that are disjoint."""

    name: ClassVar[str] = "noise-colouring"
    form: ClassVar[Form] = Form(NoiseWorkload, by=NoiseLedger)

    def conclude(self, workload: NoiseWorkload, _premises: Sequence[Never]) -> Judgement:
        """What dominates each class."""
        classes = ([workload.queries[i] for i in colour] for colour in self.colours)
        return StandsIn(workload, _merged(map(_dominating, classes)), self.kind)


def _dominating(queries: Iterable[NoiseQuery]) -> Named:
    """The query that dominates a class; the greatest ε and δ where all are given by these."""
    entries = [(query.text, query.entry) for query in queries]
    pairs = [
        (entry[0], entry[1])
        for _, entry in entries
        if not isinstance(entry, ByNoise) and isinstance(entry[1], Mechanism)
    ]
    if len(pairs) < len(entries):
        return greatest_noise(entries)
    (notion, numbers), most = greatest_of(pairs)
    text = canonical_bytes(dict(zip(NOTIONS[notion], numbers, strict=True)))
    return text, ((notion, numbers), most)


def _merged(entries: Iterable[Named]) -> NoiseLedger:
    """Equal entries merged, in the order of the format."""
    listed = list(entries)
    counts = Counter(text for text, _ in listed)
    ordered = sorted(dict(listed).items())
    ledger = NoiseLedger.of((text, _times(entry, counts[text])) for text, entry in ordered)
    return ledger.among(_RELATION)


def _times(entry: AnyEntry, count: int) -> AnyEntry:
    if isinstance(entry, ByNoise):
        return replace(entry, count=count)
    return entry[0], replace(entry[1], count=count)
