r"""Reductions of a workload to a ledger: ``overlap-witness`` and ``parallel-colouring``.

Rules of this file: a reduction concludes no bound but a ledger, and says for which kind of bound
that ledger may stand in for the workload; what it relies on is checked, and nothing else is used.

Theory of operation: adding or removing a row touches the queries that the row satisfies and no
others. Hence, from below, the mechanisms of all queries that one given row satisfies compose as a
ledger does, and their worst case is one of the workload. From above, a row satisfies at most one
query of a class whose queries are disjoint in pairs, so that one mechanism with the greatest
parameters of the class stands for all of it.

Sources: certs/SPEC.md, section 10; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler,
"Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from ..arithmetic.signs import sign
from ..format.numbers import canonical, parse_integer, rational_text
from ..format.outcomes import MalformedError, RejectedError
from ..format.strict_json import Json
from ..statement import Scaled, Subject, Texts, array, members, read_mechanisms, string
from .workload import Query, Ranges, Workload

Row: TypeAlias = Mapping[int, int]
"""The value of each attribute that is named; of all others it is 0."""

Classes: TypeAlias = Sequence[Sequence[int]]
"""Queries by number, in classes."""


@dataclass(frozen=True)
class Reduction:
    """A step that replaces the workload by a ledger; parameters that its rule lacks are empty."""

    rule: str
    premises: tuple[int, ...]
    workload: Workload
    row: Row
    colours: Classes


@dataclass(frozen=True)
class ReductionRule:
    """A row of the table.

    The kind of bound that carries over; the name of the one parameter; the cost; the ledger that
    is concluded, found without proof; the proof that it may be.
    """

    kind: str
    parameter: str
    cost: Callable[[Reduction], int]
    ledger: Callable[[Reduction], Subject]
    check: Callable[[Reduction], None]


def read_reduction(
    rule: str, premises: tuple[int, ...], value: Json, subject: Subject | Workload
) -> Reduction:
    """A step whose rule is one of ``REDUCTIONS``."""
    if not isinstance(subject, Workload):
        raise RejectedError(f"rule {rule}: does not fit: is about workloads alone")
    name = REDUCTIONS[rule].parameter
    argument = members(value, (name,), "parameters")[name]
    if name == "row":
        return Reduction(rule, premises, subject, _read_row(argument, subject), ())
    return Reduction(rule, premises, subject, {}, _read_classes(argument, subject))


# --- the row of a witness -----------------------------------------------------------------------


def _read_row(value: Json, workload: Workload) -> Row:
    row: dict[int, int] = {}
    previous = -1
    for pair in array(value, "row"):
        texts = [string(each, "row") for each in array(pair, "row")]
        if len(texts) != 2:
            raise MalformedError("row: not a pair of attribute and value")
        attribute = parse_integer(texts[0], 0, len(workload.domain) - 1, "attribute")
        if attribute <= previous:
            raise MalformedError("the attributes of a row are not increasing")
        previous = attribute
        row[attribute] = parse_integer(texts[1], 0, workload.domain[attribute].size - 1, "value")
    return row


def _satisfied(step: Reduction) -> Subject:
    """The mechanisms of all queries that the row satisfies."""
    return _ledger(q.texts for q in step.workload.queries if _satisfies(step.row, q))


def _satisfies(row: Row, query: Query) -> bool:
    return all(
        any(low <= row.get(attribute, 0) < high for low, high in ranges)
        for attribute, ranges in query.where.items()
    )


def _check_row(_step: Reduction) -> None:
    """Nothing is left to check: the ledger was found by asking every query."""


# --- the classes of a colouring -----------------------------------------------------------------


def _read_classes(value: Json, workload: Workload) -> Classes:
    """Classes as arrays of increasing query numbers."""
    classes: list[list[int]] = []
    for entry in array(value, "colours"):
        texts = [string(each, "query") for each in array(entry, "colour")]
        colour = [parse_integer(text, 0, workload.count - 1, "query") for text in texts]
        if not colour or any(i >= j for i, j in pairwise(colour)):
            raise MalformedError("a colour is empty, or its queries are not increasing")
        classes.append(colour)
    return classes


def _greatest_of_classes(step: Reduction) -> Subject:
    """One mechanism for each class, with the greatest parameters in it."""
    queries = step.workload.queries
    known = {texts: read_entry(texts) for texts in {query.texts for query in queries}}
    return _ledger(_greatest([queries[i].texts for i in colour], known) for colour in step.colours)


def _greatest(entries: Iterable[Texts], known: Mapping[Texts, Subject]) -> Texts:
    """The first entry of the greatest ε with the greatest δ, or the greatest μ, or ρ."""
    distinct = list(dict.fromkeys(entries))
    notion = distinct[0][0]
    if any(texts[0] != notion for texts in distinct):
        raise RejectedError("the queries of a colour have parameters of different notions")
    if notion:
        return max(distinct, key=lambda texts: _scaled(known[texts]).parameter)
    pairs = [known[texts].mechanisms[0] for texts in distinct]
    greatest = pairs[0].epsilon
    for pair in pairs[1:]:
        if sign(pair.epsilon - greatest) > 0:
            greatest = pair.epsilon
    return notion, (canonical(greatest), rational_text(max(pair.delta for pair in pairs)))


def _scaled(subject: Subject) -> Scaled:
    """The only entry of a subject that is given by μ or ρ."""
    return (*subject.gaussian, *subject.concentrated)[0]


def _check_classes(step: Reduction) -> None:
    """Every query is in one class, but for contradictions; those of a class are disjoint."""
    queries = step.workload.queries
    placed: set[int] = set()
    for colour in step.colours:
        for position, i in enumerate(colour):
            if i in placed:
                raise RejectedError(f"query {i} is in two colours")
            placed.add(i)
            for j in colour[:position]:
                if not _disjoint(queries[i].where, queries[j].where):
                    raise RejectedError(f"queries {j} and {i} of one colour overlap")
    for i, query in enumerate(queries):
        if i not in placed and all(query.where.values()):
            raise RejectedError(f"query {i} is in no colour")


def _disjoint(one: Mapping[int, Ranges], other: Mapping[int, Ranges]) -> bool:
    """Whether no row satisfies both: an attribute has no common value, or none at all."""
    if not all(one.values()) or not all(other.values()):
        return True
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return any(
        attribute in many and not _meet(ranges, many[attribute])
        for attribute, ranges in few.items()
    )


def _meet(one: Ranges, other: Ranges) -> bool:
    """Whether two sets have a value in common; both increase."""
    i = j = 0
    while i < len(one) and j < len(other):
        if max(one[i][0], other[j][0]) < min(one[i][1], other[j][1]):
            return True
        if one[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return False


# --- ledgers ------------------------------------------------------------------------------------


def read_entry(texts: Texts, count: int = 1) -> Subject:
    """The subject of one entry, given by its canonical texts."""
    keys = (("epsilon", "delta"), ("mu",), ("rho",))[texts[0]]
    entry: dict[str, Json] = dict(zip(keys, texts[1], strict=True))
    return read_mechanisms([{**entry, "count": str(count)}])


def _ledger(entries: Iterable[Texts]) -> Subject:
    """Equal entries merged, in the order of the format."""
    counts = sorted(Counter(entries).items())
    parts = [read_entry(texts, count) for texts, count in counts]
    return Subject(
        tuple(m for part in parts for m in part.mechanisms),
        tuple(m for part in parts for m in part.gaussian),
        tuple(m for part in parts for m in part.concentrated),
    )


# --- costs and the table ------------------------------------------------------------------------


def _size(query: Query) -> int:
    """The number of clauses and ranges of a query, and 1."""
    return 1 + sum(1 + len(ranges) for ranges in query.where.values())


def cost_of_witness(step: Reduction) -> int:
    """SPEC 10.3."""
    return 1000 * (1 + sum(map(_size, step.workload.queries)))


def cost_of_colouring(step: Reduction) -> int:
    """SPEC 10.4."""
    sizes = [_size(query) for query in step.workload.queries]
    pairs = sum((len(colour) - 1) * sum(sizes[i] for i in colour) for colour in step.colours)
    return cost_of_witness(step) + 500 * pairs


REDUCTIONS: Final = {
    "overlap-witness": ReductionRule("lower", "row", cost_of_witness, _satisfied, _check_row),
    "parallel-colouring": ReductionRule(
        "upper", "colours", cost_of_colouring, _greatest_of_classes, _check_classes
    ),
}
