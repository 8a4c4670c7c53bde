r"""From results to Markdown: one page that a person reads.

Rules of this file: results come as JSON and are judged here, in exact arithmetic; no number is
judged that was not measured in that run.

Theory of operation: the truth of a row is exactdp's certified interval. A peer's ε below its lower
end is no upper bound: UNSOUND, whatever the margin. A ratio of times says how many times as long
as exactdp a program took; only programs with an error of at most 1e-3 are comparable.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from bench import legends, starting
from bench.measuring import Cost

Row = Mapping[str, Any]

COMPARABLE: Final = Fraction(1, 1000)
_DIGITS: Final = 9
_FEW: Final = 6
_MIB: Final = 2**20
_MOST_TO_VERIFY: Final = 3
CLOSED_FORMS: Final = ("diffprivlib",)
STEPS: Final = ("compose", "certify", "verify")
"""What exactdp is asked of a problem, in turn."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A peer's ε against the truth.

    Attributes:
        verdict: "sound", "UNSOUND", "inf" or "error".
        error: ε minus the truth, or None.
    """

    verdict: str
    error: Fraction | None = None

    @property
    def comparable(self) -> bool:
        """Whether this is near enough to the truth for its time to be compared."""
        return self.error is not None and abs(self.error) <= COMPARABLE


def judge(outcome: Mapping[str, Any], lower: Fraction, upper: Fraction) -> Judgement:
    """Whether an answer is an upper bound, and by how much it misses."""
    if outcome["error"]:
        return Judgement("error")
    value = float(outcome["values"]["epsilon"])
    if not math.isfinite(value):
        return Judgement("inf")
    epsilon = Fraction(value)
    if epsilon < lower:
        return Judgement("UNSOUND", epsilon - lower)
    return Judgement("sound", max(Fraction(0), epsilon - upper))


def markdown(results: Mapping[str, Any], plots: Sequence[str] = (), noise: str = "") -> str:
    """The page, with what :mod:`bench.noise` says in place of the noise of this run."""
    records: list[Row] = results["records"]
    if noise:
        records = [record for record in records if record["table"] != "noise"]
    parts = [
        legends.HEAD,
        _slower(records),
        str(results.get("note", "")),
        _machine(results),
        noise,
        "## Every row, every program",
        legends.of_rows(_widths(records)),
        _rows_table(records),
        *_titled("## Mechanisms by their noise", legends.of_noise(), _noise_table(records)),
        *_titled("## Large ledgers, and dp-accounting at the same error", *_matched(records)),
        *(["## Growth"] if plots else []),
        *(f"![{legends.SERIES[name]}](plots/{name}.svg)" for name in plots),
        "## Reading a ledger",
        _reading(records),
        *_titled("## Starting", legends.STARTING, starting.page(records)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _slower(records: Sequence[Row]) -> str:
    """Where another program answers sooner, and where a check takes long: one paragraph."""
    ours = [r for r in records if r["program"] == "exactdp"]
    own = {r["problem"]: r for r in ours if r["step"] == "compose" and _done(r)}
    sooner: dict[str, tuple[float, str]] = {}
    unbeaten: dict[str, list[str]] = {}
    for row in filter(_done, records):
        truth = own.get(row["problem"])
        if truth is not None and row["program"] not in {"exactdp", "FLINT"}:
            spent, base = cost_of(row).cpu, cost_of(truth).cpu
            judged = judge(row["outcome"], *ends(truth))
            known = sooner.get(row["problem"], (base, ""))
            if judged.comparable and spent < base:
                unbeaten.setdefault(row["program"], []).append(row["problem"])
            if judged.comparable and spent < known[0]:
                who = row["program"] + ", UNSOUND" * (judged.verdict == "UNSOUND")
                against = f"{seconds(spent)} against {seconds(base)}"
                sooner[row["problem"]] = spent, f"{row['problem']} ({who}: {against})"
    checked = [r for r in ours if r["step"] == "verify" and _done(r)]
    shares = [(r["problem"], cost_of(r).cpu / cost_of(own[r["problem"]]).cpu) for r in checked]
    dear = [f"{name} ({share:.2g})" for name, share in shares if share > _MOST_TO_VERIFY]
    failed = [f"{r['problem']} {r['step']}" for r in ours if not _done(r)]
    return (
        "**Where exactdp loses.** With an error of at most 1e-3 in size another program answers "
        f"sooner on {len(sooner)} of {len(own)} rows: "
        f"{'; '.join(told for _, told in sooner.values()) or 'none'}. Checking both certificates "
        f"takes more than {_MOST_TO_VERIFY} times as long as composing on {len(dear)} of "
        f"{len(shares)}: {', '.join(dear) or 'none'}. Given up or refused: "
        f"{', '.join(failed) or 'nothing'}.{_not_beaten(unbeaten)}"
    )


def _not_beaten(unbeaten: Mapping[str, Sequence[str]]) -> str:
    """What is said of closed forms that take less time than exactdp."""
    told = [
        f" The closed forms of {name} take less time on {', '.join(unbeaten[name])}: exactdp does "
        "not beat them."
        for name in CLOSED_FORMS
        if name in unbeaten
    ]
    return "".join(told)


def _titled(title: str, legend: str, table: str) -> Sequence[str]:
    """A section, if there is a table to show."""
    return (title, legend, table) if table else ()


def _machine(results: Mapping[str, Any]) -> str:
    m = results["machine"]
    peers = ", ".join(each.partition(",")[0] for each in results["environments"].values())
    return (
        f"{m['date']} · {m['processor']}, {m['cores']} cores, {m['memory']}, {m['system']} · "
        f"Python {m['python']}, exactdp {m['exactdp']}, python-flint {m['python-flint']} "
        f"(FLINT {m['FLINT']}), gmpy2 {m['gmpy2']} · load at the start {m['load']} · "
        f"one thread each · peers: {peers or 'none'}, given up after {results['timeout']:g} s."
    )


def _widths(records: Sequence[Row]) -> Mapping[str, Fraction]:
    """The widths of exactdp's intervals in the table of rows."""
    rows = [r for r in records if r["table"] == "rows" and r["program"] == "exactdp"]
    composed = [r for r in rows if r["step"] == "compose" and _done(r)]
    return {r["problem"]: upper - lower for r in composed for lower, upper in [ends(r)]}


def _noise_table(records: Sequence[Row]) -> str:
    return _rows_table(records, "noise") if any(r["table"] == "noise" for r in records) else ""


def _rows_table(records: Iterable[Row], table: str = "rows") -> str:
    rows = [r for r in records if r["table"] == table and r["step"] in STEPS]
    peers = list(dict.fromkeys(r["program"] for r in rows if r["program"] != "exactdp"))
    titles = ("problem", "ε", *STEPS, "memory", *peers)
    lines = [_line(*titles), _line(*["---"] * len(titles))]
    for name, steps in _named(rows):
        own = steps["compose"]
        told = [_peer_cell(steps.get(peer), own) for peer in peers]
        lines.append(_line(name, *_own_cells(steps), *told))
    return "\n".join(lines)


def _own_cells(steps: Mapping[str, Row]) -> list[str]:
    row = steps["compose"]
    if not _done(row):
        return [row["outcome"]["error"], "", "", "", ""]
    lower, upper = ends(row)
    value = decimal(lower, _DIGITS)
    if upper - lower > COMPARABLE / 10**3:
        above = Fraction(math.ceil(upper * 10**_FEW), 10**_FEW)
        value = f"[{decimal(lower, _FEW)}, {decimal(above, _FEW)}]"
    return [value, *(_told(steps.get(step)) for step in STEPS), memory(cost_of(row))]


def _peer_cell(row: Row | None, own: Row) -> str:
    """The error of a program's ε, and its time; nothing where it gave no number."""
    if row is None or not _done(own):
        return ""
    error = judge(row["outcome"], *ends(own)).error
    if error is None:
        return ""
    text = f"{float(error):+.1e}" if error else "within"
    return f"{f'**{text}**' if error < 0 else text}, {seconds(cost_of(row).cpu)}"


def _matched(records: Sequence[Row]) -> tuple[str, str]:
    """The legend and the table of large ledgers, and of all that dp-accounting was asked about."""
    lines = [_line("problem", "to", *STEPS, "dp-accounting"), _line(*["---"] * 6)]
    titled = {r["problem"] for r in records if r["table"] == "rows"}
    for name, steps in _named((r for r in records if r["table"] in _OWN_TABLES), titled):
        own = steps["compose"]
        near = [r for r in records if r["table"] == "matched" and r["problem"] == own["problem"]]
        if near or own["table"] != "rows":
            lines.append(_line(name, *_own_texts(steps), _matched_text(near, own)))
    return legends.MATCHED, "\n".join(lines) if lines[2:] else ""


_OWN_TABLES: Final = frozenset({"rows", "hard", "large"})


def _own_texts(steps: Mapping[str, Row]) -> list[str]:
    """What exactdp did: its times for a problem that the first table does not have."""
    row = steps["compose"]
    again = row["table"] == "rows"
    if not _done(row):
        return [str(row["outcome"]["error"]), "", "", ""]
    lower, upper = ends(row)
    to = f"{_power(upper - lower)}, {row['outcome']['values']['method']}"
    return [to, *("" if again else _told(steps.get(step)) for step in STEPS)]


def _matched_text(found: Sequence[Row], own: Row) -> str:
    """The faster way to the least error that was reached, its time and ×; or why there is none."""
    done = [r for r in found if _done(r)]
    if not done:
        reasons = {_way(r): str(r["outcome"]["error"]).partition(":")[0] for r in found}
        if len({*reasons.values()}) <= 1:
            return "".join({*reasons.values()})
        return "; ".join(f"{way}: {reason}" for way, reason in reasons.items())
    least = max(r["step"] for r in done)  # 1e-4 comes after 1e-3
    best = min((r for r in done if r["step"] == least), key=lambda r: cost_of(r).cpu)
    outcome, cost = best["outcome"], cost_of(best)
    how = f"{least}: {_way(best)}, mesh {outcome['values']['mesh']}"
    if judge(outcome, *ends(own)).verdict == "UNSOUND":
        how += ", UNSOUND"
    return f"{how}, {seconds(cost.cpu)}, {_ratio(cost.cpu, cost_of(own).cpu)} ×"


def _way(row: Row) -> str:
    return str(row["program"]).partition(", ")[2]


def _reading(records: Iterable[Row]) -> str:
    rows = [r for r in records if r["table"] == "reading"]
    lines = [_line("format", "rows", "time", "memory"), _line(*["---"] * 4)]
    lines += [
        _line(r["problem"], r["title"], _told(r), memory(cost_of(r)) if _done(r) else "")
        for r in rows
    ]
    return "\n".join(lines) if rows else "Not measured in this run."


def ends(row: Row) -> tuple[Fraction, Fraction]:
    """The interval that exactdp found."""
    values = row["outcome"]["values"]
    return Fraction(values["lower"]), Fraction(values["upper"])


def cost_of(row: Row) -> Cost:
    """What the cell cost."""
    return Cost(**row["outcome"]["cost"])


def _done(row: Row) -> bool:
    return not row["outcome"]["error"]


def _by_problem(rows: Iterable[Row]) -> Iterator[tuple[str, Mapping[str, Row]]]:
    """For each problem its rows, by step for exactdp and by name for peers."""
    grouped: dict[str, dict[str, Row]] = {}
    for row in rows:
        key = row["step"] if row["program"] in {"exactdp", "FLINT"} else row["program"]
        grouped.setdefault(row["problem"], {})[key] = row
    yield from grouped.items()


def _named(
    rows: Iterable[Row], titled: Iterable[str] = ()
) -> Iterator[tuple[str, Mapping[str, Row]]]:
    """For each problem that was composed its name, with the title of its ledger once, and rows."""
    named = {*titled}
    for problem, steps in _by_problem(rows):
        if "compose" in steps:
            ledger = problem.partition("@")[0]
            title = "" if ledger in named else f" {steps['compose']['title']}"
            named.add(ledger)
            yield f"**{problem}**{title}", steps


def _told(row: Row | None) -> str:
    if row is None:
        return ""
    return seconds(cost_of(row).cpu) if _done(row) else str(row["outcome"]["error"])


def seconds(value: float) -> str:
    """A time with two digits and a unit.

    >>> seconds(0.00123), seconds(0.45), seconds(12.3)
    ('1.2 ms', '450 ms', '12 s')
    """
    if value < 0.9995:
        value, unit = value * 1000, "ms"
    else:
        unit = "s"
    return f"{value:.2g} {unit}" if value < 99.5 else f"{value:.0f} {unit}"


def memory(cost: Cost) -> str:
    """Mebibytes."""
    return f"{cost.memory / _MIB:.1f} MiB"


def _ratio(value: float, base: float) -> str:
    if base <= 0:
        return ""
    ratio = value / base
    return f"{ratio:.2g}" if ratio < 99.5 else f"{ratio:.0f}"


def decimal(value: Fraction, places: int) -> str:
    """The value rounded down to so many decimals."""
    scaled = int(value * 10**places)
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}}"


def _power(width: Fraction) -> str:
    return f"{float(width):.0e}" if width else "every digit"


def _line(*entries: str) -> str:
    return f"| {' | '.join(entries)} |"
