r"""``exactdp parallel``: what a workload costs, by the overlap of its queries.

Rules of this file: it renders what the library answered; a certificate leaves this program only if
the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.answers.proving import PART, Proofs
from exactdp.answers.results import Composition
from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.cli.files import check_directory, check_file, keep_ledger, write_together
from exactdp.cli.options import (
    command,
    stem_of,
)
from exactdp.cli.output import print_json
from exactdp.cli.places import check_picture
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, show
from exactdp.cli.workload_picture import refuse_noise, workload_picture
from exactdp.cli.workload_proofs import proof_files
from exactdp.errors import shorten
from exactdp.pages.facts import result_of, rows_of
from exactdp.pages.left_out import left_out
from exactdp.pages.number_text import Rows, bounds_text, grouped, rational_text
from exactdp.pages.phrases import nothing_promised, promise_of, promised, queries_of
from exactdp.pages.standing import Opening
from exactdp.timing.clock import Clock
from exactdp.workloads.cases import colourings_of
from exactdp.workloads.certify import WorkloadProofs, proofs_within
from exactdp.workloads.composing import (
    Overlap,
    ParallelComposition,
    compose_parallel,
)
from exactdp.workloads.costliest import Epsilon
from exactdp.workloads.gains import Gain, Gains, gains_within
from exactdp.workloads.pair_cases import cases_of
from exactdp.workloads.reading import read_workload
from exactdp.workloads.stated_noise import noise_in_option
from exactdp.workloads.workload import Workload

_GAINS: Final = {
    "epsilon": "ε saved, with this noise",
    "noise": "noise saved, at this ε",
    "expected_error": "error saved (Eq. 5)",
    "overlap": "1 − γ/t (Eq. 6)",
}
_SEARCHED: Final = 7 / 8
"""Of the time, for the answer; what is left is for what it is compared with."""
_NO_TIME: Final = "not known: --time-limit left no time for it"
_NO_MORE_TIME: Final = "--time-limit left no time for more"
_GAIN_DIGITS: Final = 6
_SHORT_FRACTION: Final = 9
_FINE_GAIN: Final = mpq(1, 100)
_SHOWN_ATTRIBUTES: Final = 12
_SHOWN_OUTSIDE: Final = 5
_BARS: Final = 12
_BAR: Final = 40


@command("parallel")
def parallel_command(  # noqa: PLR0913 (one argument for each option)
    source: str,
    *,
    delta: str,
    domain: str | None,
    each: str | None,
    collation: str | None,
    tolerance: str | None,
    certificates: Path | None,
    time_limit: int,
    plot: bool,
    trade_off: Path | None,
    max_cost: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """The least ε of a workload: queries that no row meets together do not add up.

    WORKLOAD is a file in the format exactdp-workload/1, or a log of counting queries in SQL.
    """
    if certificates is not None:
        check_directory(certificates, "--certificates", stem_of(source))
    if trade_off is not None:
        keep_ledger(source, trade_off, "--trade-off")
        check_file(trade_off, "--trade-off")
        check_picture(trade_off, "--trade-off")
    if report is not None:
        from exactdp.cli.places import check_report  # noqa: PLC0415 (few ask for a page)

        check_report(report, [source, domain])
    clock = Clock(time_limit)
    workload = read_workload(
        source,
        domain=domain,
        each=None if each is None else noise_in_option(each),
        collation=collation,
    )
    proved = certificates is not None or report is not None
    if trade_off is not None:
        refuse_noise(workload)
    with working("searching", as_json=as_json):
        answer = compose_parallel(
            workload,
            delta=delta,
            tolerance=tolerance,
            max_cost=max_cost,
            clock=clock.share(PART if proved else _SEARCHED),
        )
        proofs: WorkloadProofs = Proofs({})
        files: dict[Path, bytes] = {}
        if proved:
            proofs = proofs_within(answer, clock)
        if certificates is not None:
            files = proof_files(proofs, workload, certificates, stem_of(source))
        written = [str(path) for path in files]
        if trade_off is not None:
            files[trade_off] = workload_picture(answer, trade_off.suffix)
        if report is not None:
            from exactdp.pages.workload import workload_page  # noqa: PLC0415 (few ask)

            head = _head(answer)
            files |= workload_page(report, source, answer, proofs, max_cost, head, clock.left)
        gains = gains_within(answer, clock, max_cost=max_cost)
    write_together(files, "--certificates")
    if as_json:
        print_json("parallel", _json(answer, gains, proofs, written))
    else:
        _show(answer, gains, proofs, written, plot=plot)
    return 0


# --- JSON ---------------------------------------------------------------------------------------


def _json(
    answer: ParallelComposition,
    gains: Gains,
    proofs: WorkloadProofs,
    written: Sequence[str],
) -> dict[str, object]:
    overlap = answer.overlap
    result: dict[str, object] = {
        "queries": len(overlap.workload),
        "delta": short_text(answer.delta),
        "overlap": {"lower": overlap.most.lower, "upper": overlap.most.upper},
        "clique": {"lower": overlap.clique.lower, "upper": overlap.clique.upper},
        "colours": len(overlap.colouring),
        "cases": _number_of_cases(answer),
        "outside": [
            {"query": i, "predicate": each}
            for i, query in enumerate(overlap.workload)
            for each in query.outside
        ],
        "witness": _named(overlap.workload, overlap.row),
        "witness_queries": list(overlap.witness),
        "epsilon": _ends(answer.below.lower_end, answer.above.upper_end),
        "optimum": _ends(*answer.optimum),
        "optimum_witness": _named(overlap.workload, answer.row),
        "neighbouring": overlap.workload.neighbouring,
        "sequential_epsilon": _ends(answer.sequential.lower_end, answer.sequential.upper_end),
        "gains": {
            name: {
                "lower": scientific_below(gain[0], _GAIN_DIGITS),
                "upper": scientific_above(gain[1], _GAIN_DIGITS),
            }
            for name, gain in _known(gains).items()
        },
    }
    if answer.entering is not None:
        result["entering_witness"] = _named(overlap.workload, answer.entering)
    if gains.out_of_time:
        result["out_of_time"] = list(gains.out_of_time)
    if written:
        result["certificates"] = list(written)
    return result | result_of(left_out(proofs))


def _number_of_cases(answer: ParallelComposition) -> int:
    """How many cases the upper end rests on: one, if it rests on classes of all rows."""
    if answer.pair_cases is not None:
        return sum(1 for _ in cases_of(answer.pair_cases))
    return 1 if answer.cases is None else sum(1 for _ in colourings_of(answer.cases))


def _ends(lower: Epsilon, upper: Epsilon) -> dict[str, str]:
    ends = {"lower": lower, "upper": upper}
    return {name: "inf" if end is None else decimal_text(end) for name, end in ends.items()}


def _named(workload: Workload, row: Mapping[int, int]) -> dict[str, str]:
    """A row by the names of its attributes and values."""
    return {
        workload.attributes[number].name: workload.attributes[number].text_of(value)
        for number, value in row.items()
    }


# --- text ---------------------------------------------------------------------------------------


def _show(
    answer: ParallelComposition,
    gains: Gains,
    proofs: WorkloadProofs,
    written: Sequence[str],
    *,
    plot: bool,
) -> None:
    overlap, workload = answer.overlap, answer.overlap.workload
    t, attributes = len(workload), len(workload.attributes)
    title = f"{grouped(t)} {'query' if t == 1 else 'queries'} over {grouped(attributes)} "
    title += "attribute" if attributes == 1 else "attributes"
    rows: Rows = [
        ("at δ", rational_text(answer.delta)),
        *_overlap_rows(overlap),
    ]
    if answer.entering is not None:
        rows += _replacing_rows(answer, answer.entering)
    elif answer.row != overlap.row:
        rows.append(("the most expensive row has", _row_text(workload, answer.row)))
    if answer.cases is not None or answer.pair_cases is not None:
        cases, classes = _number_of_cases(answer), len(answer.classes)
        rows.append(("classes in each case", f"{grouped(classes)}, of {grouped(cases)} cases"))
    rows += _epsilon_rows("certified", answer.below.lower_end, answer.above.upper_end)
    if answer.optimum != (answer.below.lower_end, answer.above.upper_end):
        rows += _epsilon_rows("by searching all rows", *answer.optimum)
    rows += _sequential_rows(answer.sequential)
    rows += _gain_rows(gains)
    rows += _outside_rows(workload)
    rows += [("certificates" if not i else "", path) for i, path in enumerate(written)]
    rows += rows_of(left_out(proofs))
    shown = f"{workload.name}: {title}" if workload.name else title
    heading = "queries, by how many they overlap with, themselves included"
    show(
        *_head(answer).sentences,
        "",
        shown,
        "",
        facts(rows),
        *(["", heading, "", *_profile(overlap)] if plot else []),
    )


def _head(answer: ParallelComposition) -> Opening:
    """What the queries promise together."""
    upper = answer.above.upper_end
    if upper is None:
        return Opening((nothing_promised(answer.delta),), ("infeasible",))
    queries = queries_of(len(answer.overlap.workload))
    return Opening((promised(queries, promise_of(upper, answer.delta)),), ("proved",))


def _overlap_rows(overlap: Overlap) -> Rows:
    most, clique = overlap.most, overlap.clique
    met = f"at most {grouped(most.upper)}" if not most.exact else grouped(most.upper)
    rows = [("queries that one row meets", met if most.exact else f"{met}, at least {most.lower}")]
    if overlap.witness:
        rows.append(("such as a row with", _row_text(overlap.workload, overlap.row)))
    if clique.lower != most.upper or not clique.exact:
        bound = "" if clique.exact else f" to {grouped(clique.upper)}"
        rows.append(("queries that overlap in pairs", f"{grouped(clique.lower)}{bound}"))
    rows.append(("classes of disjoint queries", grouped(len(overlap.colouring))))
    return rows


def _replacing_rows(answer: ParallelComposition, entering: Mapping[int, int]) -> Rows:
    """The two rows that the lower end rests on."""
    workload = answer.overlap.workload
    open_end = "" if answer.optimum[1] == answer.below.upper_end else " at least"
    return [
        ("neighbours", "one row is replaced"),
        ("queries that two rows meet", f"{grouped(len(answer.met))}{open_end}"),
        ("such as if this row leaves", _row_text(workload, answer.row)),
        ("and this one enters", _row_text(workload, entering)),
    ]


def _outside_rows(workload: Workload) -> Rows:
    """Predicates about values that no row has: legal, and a slip more often than not."""
    found = [(i, each) for i, query in enumerate(workload) for each in query.outside]
    shown = [f"query {i + 1}: {shorten(each)}" for i, each in found[:_SHOWN_OUTSIDE]]
    more = len(found) - len(shown)
    shown += [f"and {grouped(more)} more"] if more else []
    return [("not in the domain" if not i else "", text) for i, text in enumerate(shown)]


def _row_text(workload: Workload, row: Mapping[int, int]) -> str:
    """The values of a row in words."""
    named = list(_named(workload, row).items())
    values = ", ".join(f"{name} = {value}" for name, value in named[:_SHOWN_ATTRIBUTES])
    more = len(named) - _SHOWN_ATTRIBUTES
    return f"{values}, and {grouped(more)} more" if more > 0 else values or "any values"


def _epsilon_rows(name: str, lower: Epsilon, upper: Epsilon) -> Rows:
    if lower is None:
        return [(name, "infeasible: no finite ε is enough")]
    if upper is None:
        return [(name, f"ε ≥ {decimal_text(lower)}, with no upper end")]
    if lower == upper:
        return [(name, f"ε = {bounds_text(lower, upper)[0]}")]
    least, most = bounds_text(lower, upper)
    return [(name, f"ε ≥ {least}"), ("", f"ε ≤ {most}")]


def _sequential_rows(sequential: Composition) -> Rows:
    name = "all queries in sequence"
    if sequential.exact is not None and sequential.upper_end is not None:
        return [(name, f"ε = {shortest_text(sequential.exact)}")]
    return _epsilon_rows(name, sequential.lower_end, sequential.upper_end)


def _known(gains: Gains) -> dict[str, Gain]:
    """The gains over the sequence that are known."""
    named = {name: getattr(gains, name) for name in _GAINS}
    return {name: gain for name, gain in named.items() if gain is not None}


def _gain_rows(gains: Gains) -> Rows:
    """What is gained over the sequence, and what was not found for lack of time."""
    known = {name: _gain_text(gain) for name, gain in _known(gains).items()}
    for name in gains.out_of_time:
        known[name] = f"{known[name]}; {_NO_MORE_TIME}" if name in known else _NO_TIME
    return [(title, known[name]) for name, title in _GAINS.items() if name in known]


def _gain_text(gain: Gain) -> str:
    """A gain, exactly if that is short."""
    low, high = gain
    shown = str(low)
    if low == high and len(shown) <= _SHORT_FRACTION:
        return shown if low in (0, 1) else f"{shown}, about {scientific_below(low, 3)}"
    least, most = scientific_below(low, 3), scientific_above(high, 3)
    return f"{least} at least" if high - low > _FINE_GAIN else f"{least} to {most}"


def _profile(overlap: Overlap) -> list[str]:
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
    width = max(1, -(-(max(degrees) - min(degrees) + 1) // _BARS))
    counts: dict[int, int] = {}
    for degree in degrees:
        counts[(degree - min(degrees)) // width] = (
            counts.get((degree - min(degrees)) // width, 0) + 1
        )
    longest = max(counts.values())
    lines = []
    for place in range(max(counts) + 1):
        first = min(degrees) + place * width
        title = f"{first}" if width == 1 else f"{first}–{first + width - 1}"
        count = counts.get(place, 0)
        bar = "█" * max(count > 0, count * _BAR // longest)
        lines.append(f"{title:>12}  {bar} {count}")
    return lines
