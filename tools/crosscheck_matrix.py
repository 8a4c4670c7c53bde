r"""Ask every accountant about every problem: ``certs/crosscheck`` and its page.

The problems are those of the benchmarks, P1 to P9, the published deployments of ``ledgers``, and a
few that accountants are known to get wrong. The environments of the accountants are those of the
benchmarks, made where they are missing, unless ``--python`` names another. A certificate is kept
for each refuted claim, with its ledger, unless it is long to check; the page is written from the
results, which are kept beside the certificates.

    python -m tools.crosscheck_matrix [--timeout S] [--python PACKAGE=PATH …] [--only NAME …] \
        [--jobs N]
    python -m tools.crosscheck_matrix --render

With ``--jobs`` so many cells are asked at a time, each of a case and an accountant; the rows are
the same, but an accountant that is near its time limit may miss it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

import exactdp
from bench.envs import environment
from bench.problems import problems
from exactdp.accountants.accountants import KNOWN, Accountant, chosen
from exactdp.accountants.checking import Checked, crosscheck
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import Truth
from exactdp.arithmetic.decimal_text import scientific_above, scientific_below, short_text
from exactdp.arithmetic.numbers import as_rational
from exactdp.cli.accountants import file_name, refutation
from exactdp.ledger.formats.inline import ledger_of_inline
from exactdp.ledger.model import Ledger
from exactdp.many.mapping import mapped
from exactdp.pages.facts import result_of
from exactdp.pages.facts.accountants import verdict_facts
from exactdp.verifier import verify_bytes

ROOT: Final = Path(__file__).resolve().parent.parent
LEDGERS: Final = ROOT / "ledgers"
CERTIFICATES: Final = ROOT / "certs" / "crosscheck"
RESULTS: Final = CERTIFICATES / "matrix.json"
PAGE: Final = ROOT / "certs" / "crosscheck" / "README.md"
MOST_COST: Final = 10**9
MOST_BYTES: Final = 2**16

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A ledger at a δ, in a part of the matrix."""

    part: str
    name: str
    title: str
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Cell:
    """A case, an accountant that is asked about it, and the seconds that it may take."""

    case: Case
    accountant: Accountant
    seconds: float


def checked_cell(cell: Cell) -> Checked:
    """What becomes of a cell; the certified interval is kept for the next cell of its case."""
    [row] = crosscheck(_truth(cell.case), [cell.accountant], Limits(seconds=cell.seconds))
    return row


@lru_cache(maxsize=4)
def _truth(case: Case) -> Truth:
    return Truth(AccountantQuestion(case.ledger, delta=case.ledger.target_delta))


def cases() -> Iterator[Case]:
    """All problems, in the order of the page."""
    for problem in problems():
        groups = [(group.epsilon, group.delta, group.count) for group in problem.groups]
        ledger = Ledger.of(groups, target_delta=problem.delta, name=problem.name)
        yield Case("benchmarks", problem.name, f"{problem.title}, δ = {problem.delta}", ledger)
    for name, title, mechanism, delta in _FINDINGS:
        ledger = Ledger.of([mechanism], target_delta=delta, name=name)
        yield Case("findings", name, f"{title}, δ = {delta}", ledger)
    for name, title, text, delta, relation in _NOISE:
        target = as_rational(delta, "delta")
        read = replace(ledger_of_inline([text]), neighbouring=relation)
        ledger = replace(read, target_delta=target, name=name)
        yield Case("noise", name, f"{title}, δ = {short_text(target)}", ledger)
    for path in sorted(LEDGERS.glob("*.json")):
        ledger = exactdp.read_ledger(path)
        if ledger.target_delta is not None and ledger.given_by == "epsilon-delta":
            delta = short_text(ledger.target_delta)
            title = f"[{ledger.name}](../../ledgers/{path.name}), δ = {delta}"
            yield Case("deployments", path.stem, title, ledger)


_FINDINGS: Final[Sequence[tuple[str, str, tuple[object, ...], str]]] = (
    ("F1", "k=100000, ε=0.005", ("0.005", 0, 100_000), "1e-12"),
    ("F2", "k=10, ε=5", ("5", 0, 10), "1e-5"),
    ("F3", "k=500, ε=3, δᵢ=1e-5", ("3", "1e-5", 500), "0.006"),
    ("F4", "k=10, ε=ln 3", ("ln(3)", 0, 10), "1e-6"),
)


_NOISE: Final[Sequence[tuple[str, str, str, str, str]]] = (
    ("S1", "DP-SGD, one step, q=0.1, σ=1", "sigma=1,rate=0.1", "1/100000", "add-remove-one"),
    ("G1", "discrete Gaussian, σ²=100, k=100", "discrete_gaussian=100*100", "1e-6", "unspecified"),
    ("R1", "Gaussian, a record replaced, σ=C=1", "mu=2", "1/100000", "replace-one"),
)


def measure(
    pythons: Mapping[str, str], only: Sequence[str], timeout: float, jobs: int
) -> Iterator[Row]:
    """A row for each case and accountant; certificates and ledgers are written as they come."""
    accountants = chosen((), pythons=pythons)
    cells = [
        Cell(case, accountant, timeout)
        for case in cases()
        if not only or case.name in only
        for accountant in accountants
    ]
    with contextlib.closing(mapped(checked_cell, cells, jobs=jobs)) as rows:
        for cell, checked in zip(cells, rows, strict=True):
            case = cell.case
            print(case.name, checked.accountant, checked.verdict.outcome, file=sys.stderr)
            yield {
                "part": case.part,
                "case": case.name,
                "title": case.title,
                **result_of(verdict_facts(checked, _kept(case, checked), delta=None)),
            }


def _kept(case: Case, checked: Checked) -> str | None:
    """Keep the certificate of a refuted claim, and its ledger; return the name of its file."""
    certificate = checked.verdict.certificate
    if certificate is None:
        return None
    data = refutation(case.ledger, checked.verdict)
    if data is None or len(data) > MOST_BYTES:
        return None
    if verify_bytes(data, max_cost=MOST_COST).status == "refused":
        return None
    name = f"{case.name}.{file_name(checked.accountant)}.lower.json"
    (CERTIFICATES / name).write_bytes(data)
    ledger = replace(case.ledger, claims=(), notes="")
    text = exactdp.write_ledger(ledger)
    (CERTIFICATES / f"{case.name}.ledger.json").write_text(text, encoding="utf-8")
    return name


def page(results: Mapping[str, Any]) -> str:
    """The page, from the results."""
    rows: list[Row] = results["rows"]
    parts = [_HEAD, _versions(results)]
    for part, head in _PARTS.items():
        chosen_rows = [row for row in rows if row["part"] == part]
        if chosen_rows:
            parts += [head, _matrix(chosen_rows), _titles(chosen_rows)]
    parts += [_REFUTED, *_findings(rows)]
    return "\n\n".join(parts) + "\n"


_HEAD: Final = """\
# Other accountants, crosschecked

Each accountant promises an upper bound on ε, for mechanisms of which it knows only (ε, δ), or \
which are randomized responses or noise of a stated law, about the neighbours that the ledger \
states. A cell says how far that is from the certified interval:

- `+0.012`: sound, and too large by at most so much; `+0`: within the interval;
- **−0.40**: UNSOUND, too small by at least so much: some mechanisms with exactly these parameters \
break the promise, and a certificate proves it;
- −2.7e-7, plain: low. Refuted and certified as well, but by less than 10^-6 in ε and 10^-3 of δ;
- ≈0: low, within rounding: less than one part in 10^12 of the claim, which is no finding;
- error, nan, negative, time, inf: unusable (time: none within the limit; a negative ε is no bound);
- undecided: between the ends of the certified interval;
- · : it cannot express the question.

A cell does not say that an accountant is right or wrong elsewhere, or that mechanisms which are \
more private than their parameters leak.

`python -m tools.crosscheck_matrix` writes this page, and keeps a certificate for each refuted \
claim in [certs/crosscheck](.). [Another page](../../docs/accountants.md) says how to ask \
an accountant yourself."""

_PARTS: Final = {
    "benchmarks": "## The rows of the benchmarks",
    "findings": "## Where accountants are known to differ",
    "noise": "## Mechanisms by their noise",
    "deployments": "## Published deployments given by (ε, δ)",
}
_REFUTED: Final = """\
## Findings, by cause

Each has one smallest example; the standalone verifier accepts its certificate for the ledger \
beside it. Rounding and a negative ε are no findings."""


def _versions(results: Mapping[str, Any]) -> str:
    found = {f"{k} {v}" for row in results["rows"] for k, v in row["versions"].items()}
    return (
        f"{results['date']} · exactdp {results['exactdp']} · {', '.join(sorted(found))} · at most "
        f"{results['timeout']:g} s for an answer, loading included. "
        "[matrix.json](matrix.json) has versions and messages of each answer."
    )


_NO_NUMBER: Final = ("·", "negative", "time", "error", "nan", "inf")


def _matrix(rows: Sequence[Row]) -> str:
    names = _labels(rows)
    lines = [f"| accountant | {' | '.join(names.values())} |", "| --- |" + " ---: |" * len(names)]
    without: list[str] = []
    for accountant in dict.fromkeys(row["accountant"] for row in rows):
        cells = {row["case"]: _cell(row) for row in rows if row["accountant"] == accountant}
        if {*cells.values()} - {*_NO_NUMBER}:
            lines.append(f"| {accountant} | {' | '.join(cells.get(n, '') for n in names)} |")
        elif {*cells.values()} != {"·"}:
            why = ", ".join(each for each in _NO_NUMBER[1:] if each in cells.values())
            without.append(f"{accountant} ({why})")
    return "\n".join([*lines, *(["", f"No usable answer: {', '.join(without)}."] * bool(without))])


def _labels(rows: Sequence[Row]) -> dict[str, str]:
    """The heads of columns by case: its name, or D1, D2, … for a deployment."""
    names = list(dict.fromkeys(row["case"] for row in rows))
    if rows[0]["part"] != "deployments":
        return {name: name for name in names}
    return {name: f"D{number}" for number, name in enumerate(names, start=1)}


def _cell(row: Row) -> str:
    verdict = str(row["verdict"])
    if verdict in ("sound", "unsound", "low") and row["gap"] is row["looseness"] is None:
        return verdict  # the distance costs too much
    if verdict == "sound":
        return f"+{scientific_above(mpq(Fraction(row['looseness'])), 2)}"
    if verdict in ("unsound", "low"):
        letter = "δ " if row["in"] == "delta" else ""
        gap = f"{letter}−{scientific_below(mpq(Fraction(row['gap'])), 2)}"
        return "≈0" if row["rounding"] else f"**{gap}**" if verdict == "unsound" else gap
    if verdict == "unusable":
        return _reason(row["message"])
    return "·" if verdict in ("not-asked", "not-installed") else verdict.replace("-", " ")


def _reason(message: str) -> str:
    if message.startswith("no answer within"):
        return "time"
    return message if message in ("nan", "inf") else "negative" if "negat" in message else "error"


_LEDGER: Final = re.compile(r"\[[^]]*\]\(\S+/(\w+\.json)\)")
_AS_FILE: Final = r"`\1`"


def _titles(rows: Sequence[Row]) -> str:
    titles = dict.fromkeys((row["case"], row["title"]) for row in rows)
    labels = _labels(rows)
    return "\n".join(f"- {labels[name]}: {_LEDGER.sub(_AS_FILE, title)}" for name, title in titles)


def is_finding(row: Row) -> bool:
    """Whether a row refutes a number that claims to be a bound, by more than rounding."""
    return row["verdict"] in ("unsound", "low", "infeasible-not-handled") and not row["rounding"]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why some accountants fail, what became of it upstream, and where it shows best."""

    title: str
    accountants: tuple[str, ...]
    words: str
    example: tuple[str, str]


CAUSES: Final[Sequence[Cause]] = (
    Cause(
        "dp-accounting: the count of randomized responses is ignored",
        ("dp-accounting/events",),
        "n responses are charged as one ([report](../../docs/upstream/dp-accounting-count.md)).",
        ("F4", "dp-accounting/events"),
    ),
    Cause(
        "dp-accounting: Rényi divergences of a removed record where one is replaced",
        ("dp-accounting/rdp",),
        "`RdpAccountant` accepts `REPLACE_ONE` for Gaussian and Laplace events, and answers for a "
        "record that is added or removed, which moves the sum half as far "
        "([report](../../docs/upstream/dp-accounting-replace.md)).",
        ("R1", "dp-accounting/rdp"),
    ),
    Cause(
        "prv-accountant: the domain of pure mechanisms is too small",
        ("prv-accountant/0.1", "prv-accountant/1e-3"),
        "`PureDPMechanism.rdp` is no upper bound, so mass wraps around in the FFT "
        "([report](../../docs/upstream/prv-accountant-pure.md)).",
        ("F2", "prv-accountant/0.1"),
    ),
    Cause(
        "smartnoise-sql: the odometer's δ falls as more is spent",
        ("smartnoise-sql/odometer",),
        "A factor of its formula is wrong ([report](../../docs/upstream/smartnoise-odometer.md)).",
        ("F3", "smartnoise-sql/odometer"),
    ),
    Cause(
        "Opacus: a limit theorem as if it were a bound",
        ("opacus/gdp",),
        "`gdp` rests on the central limit theorem of Gaussian DP, and warns that it can "
        "underestimate. With a few steps, or a small rate, it does so by much "
        "([report](../../docs/upstream/opacus-gdp.md)).",
        ("S1", "opacus/gdp"),
    ),
    Cause(
        "dp-accounting: rounding of the FFT",
        ("dp-accounting/pld-1e-4", "dp-accounting/pld-1e-3", "dp-accounting/pld-1e-5"),
        "A pessimistic distribution is convolved in doubles, whose rounding is not counted "
        "([report](../../docs/upstream/dp-accounting-fft.md)).",
        ("F1", "dp-accounting/pld-1e-4"),
    ),
)


def _findings(rows: Sequence[Row]) -> Iterator[str]:
    """For each cause its words, its example with a certificate, and its rows in one line."""
    labels = {
        name: label
        for part in _PARTS
        if (chosen_rows := [row for row in rows if row["part"] == part])
        for name, label in _labels(chosen_rows).items()
    }
    for cause in CAUSES:
        affected = [row for row in rows if row["accountant"] in cause.accountants]
        affected = [row for row in affected if is_finding(row)]
        shown = [row for row in affected if (row["case"], row["accountant"]) == cause.example]
        names = dict.fromkeys(labels[row["case"]] for row in affected)
        if affected:
            yield f"### {cause.title}"
            yield cause.words
            yield from (_example(row) for row in shown)
            cells = "1 cell" if len(affected) == 1 else f"{len(affected)} cells"
            yield f"Affected: {', '.join(names)} ({cells})."


def _example(row: Row) -> str:
    epsilon, delta = (scientific_below(mpq(Fraction(row[key])), 12) for key in _CLAIM)
    name = row["certificate"]
    return (
        f"Smallest example, {row['case']} (by {row['accountant']}): it claims ε = {epsilon} at "
        f"δ = {delta}, but {_in_delta(row)} ([certificate]({name}))."
    )


def _in_delta(row: Row) -> str:
    """By which factor the claimed δ is exceeded at the claimed ε, at least."""
    case = next(each for each in cases() if each.name == row["case"])
    epsilon, delta = (mpq(Fraction(row[key])) for key in _CLAIM)
    tolerance = "1e-4" if case.ledger.given_by == "noise" else "1e-6"
    [point] = exactdp.profile(case.ledger, epsilon=[epsilon], tolerance=tolerance)
    factor = scientific_below(point.lower_end / delta, 4)
    least = scientific_below(point.lower_end, 3)
    return f"δ is at least {least} there, {factor} times what is claimed"


_CLAIM: Final = ("epsilon", "delta")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write, or write the page alone."""
    options = _parser().parse_args(arguments)
    if not options.render:
        pythons = dict(text.split("=", 1) for text in options.python)
        for package in KNOWN:
            if package not in pythons and not (home := environment(package)).problem:
                pythons[package] = str(home.python)
        _renew(pythons, options.only, options.timeout, options.jobs)
    PAGE.write_text(page(_read()), encoding="utf-8")
    return 0


def _renew(pythons: Mapping[str, str], only: Sequence[str], timeout: float, jobs: int) -> None:
    """Measure all cases, or some of them again, and write the results and certificates."""
    CERTIFICATES.mkdir(exist_ok=True)
    rows = [row for row in _read()["rows"] if row["case"] not in only] if only else []
    for path in CERTIFICATES.glob("*.json"):
        if path != RESULTS and (not only or path.name.partition(".")[0] in only):
            path.unlink()
    results = {
        "date": datetime.now(UTC).date().isoformat(),
        "exactdp": exactdp.__version__,
        "timeout": timeout,
        "rows": rows,
    }
    for row in measure(pythons, only, timeout, jobs):
        rows.append(row)
        _write(results)  # an interrupted run leaves what it found
    order = [case.name for case in cases()]
    rows.sort(key=lambda row: order.index(row["case"]))
    _write(results)


def _read() -> Any:  # noqa: ANN401 (JSON)
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def _write(results: Mapping[str, Any]) -> None:
    text = json.dumps(results, indent=1, ensure_ascii=False)
    RESULTS.write_text(f"{text}\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Crosscheck every accountant on every problem.")
    parser.add_argument("--render", action="store_true", help="the page alone, from the results")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="P4 F1 D2 …")
    parser.add_argument("--python", nargs="+", default=[], metavar="PACKAGE=PATH")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds for an answer")
    parser.add_argument("--jobs", type=int, default=1, help="cells at a time, in processes")
    return parser


if __name__ == "__main__":
    from tools import crosscheck_matrix  # by the name under which processes find its functions

    sys.exit(crosscheck_matrix.main())
