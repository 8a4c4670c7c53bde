r"""What is known of a workload: which queries overlap, the least ε, and what that saves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    scientific_below,
    shortest_text,
)
from exactdp.composition.answers.results import Composition, EvidenceKind
from exactdp.errors import shorten
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, shown, titled
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import bounds_text, grouped
from exactdp.pages.phrases import (
    nothing_promised,
    promise_of,
    promised,
    queries_of,
    standing_text,
)
from exactdp.pages.standing import Opening
from exactdp.workloads.cases import colourings_of
from exactdp.workloads.composing import Overlap, ParallelComposition
from exactdp.workloads.costliest import Epsilon
from exactdp.workloads.gains import Gain, Gains
from exactdp.workloads.pair_cases import cases_of
from exactdp.workloads.workload import Workload

MEMBERS: Final = (
    "queries delta overlap clique colours cases shares outside witness witness_queries epsilon "
    "optimum optimum_witness neighbouring sequential_epsilon gains out_of_time queries_met "
    "entering_witness certificates_left_out certificates"
)
_GAINS: Final = {
    "epsilon": "ε saved, with this noise",
    "noise": "noise saved, at this ε",
    "expected_error": "utility gain (Eq. 5)",
    "overlap": "1 − γ/t (Eq. 6)",
}
_ERROR_SAVED: Final = "error saved (Eq. 5)"
"""The title of Equation 5 where it is what is saved of the noise, and so of its error."""
_NO_TIME: Final = "not known: --time-limit left no time for it"
_NO_MORE_TIME: Final = "--time-limit left no time for more"
_GAIN_DIGITS: Final = 6
_SHORT_FRACTION: Final = 9
_FINE_GAIN: Final = mpq(1, 100)
_SHOWN_ATTRIBUTES: Final = 12
_SHOWN_OUTSIDE: Final = 5
_BARS: Final = 12
_BAR: Final = 40


def workload_facts(answer: ParallelComposition) -> list[Fact]:
    """What a row meets at most, and the least ε, beside that of the sequence."""
    workload = answer.overlap.workload
    certified = answer.below.lower_end, answer.above.upper_end
    shown = "certified" if answer.above.evidence == "certificate" else "least ε"
    title = "" if answer.optimum == certified else "by searching all rows"
    return [
        fact("queries", len(workload)),
        fact("neighbouring", workload.neighbouring),
        delta_fact(answer.delta),
        *_overlap_facts(answer.overlap),
        *_costliest_facts(answer),
        _cases_fact(answer),
        _shares_fact(answer),
        *_epsilon_facts("epsilon", shown, *certified, answer.above.evidence),
        *_epsilon_facts(
            "optimum", title, *answer.optimum, COMPUTED if title else answer.above.evidence
        ),
        *_sequential_facts(answer.sequential),
    ]


def workload_heading(workload: Workload) -> str:
    """Name and size of a workload, in one line."""
    t, attributes = len(workload), len(workload.attributes)
    title = f"{grouped(t)} {'query' if t == 1 else 'queries'} over {grouped(attributes)} "
    title += "attribute" if attributes == 1 else "attributes"
    return f"{workload.name}: {title}" if workload.name else title


def workload_opening(answer: ParallelComposition) -> Opening:
    """What the queries promise together."""
    upper = answer.above.upper_end
    if upper is None:
        return Opening((nothing_promised(answer.delta),), ("infeasible",))
    evidence = answer.above.evidence
    standing = standing_text(answer.below.lower_end, upper, answer.delta, evidence)
    queries, promise = queries_of(answer.overlap.workload), promise_of(upper, answer.delta)
    sentence = promised(queries, promise, standing)
    return Opening((sentence,), ("proved" if evidence == "certificate" else "computed",))


def _overlap_facts(overlap: Overlap) -> list[Fact]:
    most, clique, workload = overlap.most, overlap.clique, overlap.workload
    met = f"at most {grouped(most.upper)}, at least {most.lower}"
    like = [_row_text(workload, overlap.row)] if overlap.witness else []
    pairs = []
    if clique.lower != most.upper or not clique.exact:
        bound = "" if clique.exact else f" to {grouped(clique.upper)}"
        pairs = [f"{grouped(clique.lower)}{bound}"]
    return [
        labelled(
            "overlap",
            {"lower": most.lower, "upper": most.upper},
            COMPUTED,
            "queries that one row meets",
            grouped(most.upper) if most.exact else met,
        ),
        fact("witness", _named(workload, overlap.row), "such as a row with", *like),
        fact("witness_queries", list(overlap.witness)),
        labelled(
            "clique",
            {"lower": clique.lower, "upper": clique.upper},
            COMPUTED,
            "queries that overlap in pairs",
            *pairs,
        ),
        fact(
            "colours",
            len(overlap.colouring),
            "classes of disjoint queries",
            grouped(len(overlap.colouring)),
        ),
    ]


def _costliest_facts(answer: ParallelComposition) -> list[Fact]:
    """The row, or the two rows, that the lower end rests on."""
    workload, row = answer.overlap.workload, answer.row
    named, text = _named(workload, row), _row_text(workload, row)
    if answer.entering is None:
        lines = [text] if row != answer.overlap.row else []
        return [fact("optimum_witness", named, "the most expensive row has", *lines)]
    open_end = "" if answer.optimum[1] == answer.below.upper_end else " at least"
    entering = _named(workload, answer.entering), _row_text(workload, answer.entering)
    met = grouped(len(answer.met))
    return [
        shown("neighbours", "one row is replaced"),
        fact("queries_met", len(answer.met), "queries that two rows meet", f"{met}{open_end}"),
        fact("optimum_witness", named, "such as if this row leaves", text),
        fact("entering_witness", entering[0], "and this one enters", entering[1]),
    ]


def _cases_fact(answer: ParallelComposition) -> Fact:
    """How many cases the upper end rests on: one, if it rests on classes of all rows."""
    if answer.pair_cases is not None:
        cases = sum(1 for _ in cases_of(answer.pair_cases))
    elif answer.cases is not None:
        cases = sum(1 for _ in colourings_of(answer.cases))
    else:
        return fact("cases", 1)
    text = f"{grouped(len(answer.classes))}, of {grouped(cases)} cases"
    return fact("cases", cases, "classes in each case", text)


def _shares_fact(answer: ParallelComposition) -> Fact:
    """How many queries one row meets at most, where the upper end rests on their shares."""
    if answer.shares is None:
        return fact("shares", None)
    most = answer.shares.most
    return fact("shares", most, "queries that one row meets, by shares", f"at most {grouped(most)}")


def _named(workload: Workload, row: Mapping[int, int]) -> dict[str, str]:
    """A row by the names of its attributes and values."""
    return {
        workload.attributes[number].name: workload.attributes[number].text_of(value)
        for number, value in row.items()
    }


def _row_text(workload: Workload, row: Mapping[int, int]) -> str:
    """The values of a row in words."""
    named = list(_named(workload, row).items())
    values = ", ".join(f"{name} = {value}" for name, value in named[:_SHOWN_ATTRIBUTES])
    more = len(named) - _SHOWN_ATTRIBUTES
    return f"{values}, and {grouped(more)} more" if more > 0 else values or "any values"


def outside_fact(workload: Workload) -> Fact:
    """Predicates about values that no row has: legal, and a slip more often than not."""
    found = [(i, each) for i, query in enumerate(workload) for each in query.outside]
    lines = [f"query {i + 1}: {shorten(each)}" for i, each in found[:_SHOWN_OUTSIDE]]
    more = len(found) - len(lines)
    lines += [f"and {grouped(more)} more"] if more else []
    values = [{"query": i, "predicate": each} for i, each in found]
    return fact("outside", values, "not in the domain", *lines)


def _epsilon_facts(
    key: str, title: str, lower: Epsilon, upper: Epsilon, evidence: EvidenceKind
) -> list[Fact]:
    """An interval for ε, in words where it has a title."""
    if lower is None:
        lines = ["infeasible: no finite ε is enough"]
    elif upper is None:
        lines = [f"ε ≥ {decimal_text(lower)}, with no upper end"]
    elif lower == upper:
        lines = [f"ε = {bounds_text(lower, upper)[0]}"]
    else:
        least, most = bounds_text(lower, upper)
        lines = [f"ε ≥ {least}", f"ε ≤ {most}"]
    return [labelled(key, ends(lower, upper), evidence, title, *(lines if title else []))]


def _sequential_facts(sequential: Composition) -> list[Fact]:
    title, lower, upper = "all queries in sequence", sequential.lower_end, sequential.upper_end
    if sequential.exact is None or upper is None:
        return _epsilon_facts("sequential_epsilon", title, lower, upper, COMPUTED)
    exactly = f"ε = {shortest_text(sequential.exact)}"
    return [labelled("sequential_epsilon", ends(lower, upper), COMPUTED, title, exactly)]


def gain_facts(gains: Gains) -> list[Fact]:
    """What is gained over the sequence, and what was not found for lack of time."""
    named = {name: getattr(gains, name) for name in _GAINS}
    known = {name: gain for name, gain in named.items() if gain is not None}
    texts = {name: _gain_text(gain) for name, gain in known.items()}
    for name in gains.out_of_time:
        texts[name] = f"{texts[name]}; {_NO_MORE_TIME}" if name in texts else _NO_TIME
    values = {
        name: {
            "lower": scientific_below(gain[0], _GAIN_DIGITS),
            "upper": scientific_above(gain[1], _GAIN_DIGITS),
        }
        for name, gain in known.items()
    }
    late = [fact("out_of_time", list(gains.out_of_time))] if gains.out_of_time else []
    saves = gains.noise == gains.expected_error and gains.noise is not None
    titles = {**_GAINS, **({"expected_error": _ERROR_SAVED} if saves else {})}
    lines = [
        shown(titled(title, COMPUTED), texts[name])
        for name, title in titles.items()
        if name in texts
    ]
    return [labelled("gains", values, COMPUTED), *late, *lines]


def _gain_text(gain: Gain) -> str:
    """A gain, exactly if that is short."""
    low, high = gain
    text = str(low)
    if low == high and len(text) <= _SHORT_FRACTION:
        return text if low in (0, 1) else f"{text}, about {scientific_below(low, 3)}"
    least, most = scientific_below(low, 3), scientific_above(high, 3)
    return f"{least} at least" if high - low > _FINE_GAIN else f"{least} to {most}"


def overlap_bars(overlap: Overlap) -> list[str]:
    """Bars: how many queries overlap with so many others."""
    graph = overlap.graph
    if not graph.complete:
        return ["not known: not all pairs of queries were compared"]
    live = graph.live.bit_count()
    degrees = [
        live - graph.conflicts[i].bit_count() for colour in overlap.colouring for i in colour
    ]
    if not degrees:
        return ["no row meets any query"]
    least = min(degrees)
    width = max(1, -(-(max(degrees) - least + 1) // _BARS))
    counts = Counter((degree - least) // width for degree in degrees)
    longest = max(counts.values())
    lines = []
    for place in range(max(counts) + 1):
        first, count = least + place * width, counts[place]
        title = f"{first}" if width == 1 else f"{first}–{first + width - 1}"
        bar = "█" * max(count > 0, count * _BAR // longest)
        lines.append(f"{title:>12}  {bar} {count}")
    return lines
