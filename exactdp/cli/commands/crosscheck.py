r"""``exactdp crosscheck``: other accountants against the certified interval.

Rules of this file: it renders what the library answered; the verdict alone decides the head, the
table, the colour and the exit code; an accusation leaves this program with a certificate that the
verifier has accepted, for that ledger and that claim, and which has been written, or says that it
was computed without one; a number is rounded so that the sentence in which it stands stays true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.checking import Checked, checked_values, crosscheck
from exactdp.accountants.doubles import double_near
from exactdp.accountants.protocol import UNSPECIFIED, AccountantQuestion
from exactdp.accountants.values import VALUE, value_of, values_of
from exactdp.accountants.verdicts import COMPUTED, LEAST_GAPS, AnswerOutcome, AnswerVerdict, Truth
from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import (
    decimal_text,
    round_above,
    round_below,
    scientific_above,
    scientific_below,
    scientific_text,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber, as_number, as_rational
from exactdp.cli.accountants import accountants_of, limits_of
from exactdp.cli.composition_options import (
    find_ledger,
)
from exactdp.cli.exit_codes import REFUTED, UNDECIDED
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command, stem_of
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, heading, show
from exactdp.cli.verification import read_file
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats import dp_events
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import bounds_text, exact_text, rational_text
from exactdp.pages.phrases import accountants_low, accountants_negative, accountants_refuted
from exactdp.pages.standing import Opening, standing_of_verdict

_DIGITS: Final = 17
_NAMELESS: Final = "a tool without a name"


@command("crosscheck", cls=ManyCommand)
def crosscheck_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    delta: str | None,
    epsilon: str | None,
    names: tuple[str, ...],
    pythons: tuple[str, ...],
    programs: tuple[str, ...],
    timeout: float,
    memory: float,
    value: tuple[str, ...],
    values: str | None,
    tolerance: str,
    certificates: Path,
    max_cost: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """Ask accountants about LEDGER, and judge what they say by the certified interval.

    Exit code 1 if one promises what is false, by 1e-6 in ε or 1e-3 of its δ; each such verdict
    comes with a certificate, or says that it was computed without one. 3 if one is undecided, or
    none gave an answer that can be judged.
    """
    asked = not (value or values) or names or programs
    accountants = accountants_of(names, pythons, programs) if asked else ()
    question = _question(source, inline, delta, epsilon)
    truth = Truth(question, tolerance=_tolerance(tolerance), max_cost=max_cost)
    answers = [(VALUE, value_of(text, question)) for text in value]
    answers += values_of(read_file(values, "--values")) if values is not None else []
    check_directory(certificates, "--certificates")
    if report is not None:
        from exactdp.cli.places import check_report  # noqa: PLC0415 (few ask for a page)

        check_report(report, [source])
    with working("asking", as_json=as_json):
        certified = _certified(truth)
        rows = [*crosscheck(truth, accountants, limits_of(timeout, memory))]
        rows += checked_values(truth, answers)
        files = certificate_files(question.ledger, rows, certificates, stem_of(source))
        head = _head(question, rows)
        page = {} if report is None else _page(report, source, question, rows, head, max_cost)
    write_together(files.contents | page, "--certificates")
    if as_json:
        print_json("crosscheck", _json(truth, certified, rows, files.names))
    else:
        _show(truth, certified, rows, head, files.names)
    return exit_code(row.verdict for row in rows)


def _page(
    report: Path,
    source: str | None,
    question: AccountantQuestion,
    rows: Sequence[Checked],
    head: Opening,
    max_cost: int,
) -> dict[Path, bytes]:
    from exactdp.pages.accountants import (  # noqa: PLC0415 (few ask for a page)
        AccountantRow,
        accountant_findings,
    )
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    shown = [
        AccountantRow(
            _NAMELESS if row.accountant == VALUE else row.accountant,
            claim_text(row.verdict, delta=None),
            describe(row.verdict),
            row.verdict,
        )
        for row in rows
    ]
    found = accountant_findings(name_of(source), question, shown, max_cost)
    return report_file(report, [found], head)


class Files:
    """Certificates to be written: their bytes by path, and the path for each row that has one."""

    def __init__(self) -> None:
        self.contents: dict[Path, bytes] = {}
        self.names: dict[int, str] = {}


def certificate_files(ledger: Ledger, rows: Sequence[Checked], directory: Path, stem: str) -> Files:
    """Where the certificates of rows go, and their verified bytes."""
    files = Files()
    for number, row in enumerate(rows):
        data = refutation(ledger, row.verdict)
        if data is None:
            continue
        path = directory / f"{stem}.{file_name(row.accountant)}.lower.json"
        while path in files.contents:
            path = path.with_name(f"{path.name.removesuffix('.lower.json')}-{number}.lower.json")
        files.contents[path] = data
        files.names[number] = str(path)
    return files


def refutation(ledger: Ledger, verdict: AnswerVerdict) -> bytes | None:
    """The certificate of a verdict, which the verifier accepts for this ledger and this claim.

    A claim with a negative number is refuted by refuting 0.
    """
    if verdict.certificate is None or verdict.epsilon is None or verdict.delta is None:
        return None
    epsilon = ExactNumber(mpq(0)) if sign(verdict.epsilon) < 0 else verdict.epsilon
    claim = (str(epsilon), str(max(verdict.delta, mpq(0))))
    return verified(verdict.certificate, ledger=ledger, claim=claim)


def file_name(accountant: str) -> str:
    """The name of an accountant as a part of a file's name.

    >>> file_name("dp-accounting/pld-1e-4")
    'dp-accounting-pld-1e-4'
    """
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in accountant)


def exit_code(verdicts: Iterable[AnswerVerdict]) -> int:
    """1 if somebody is accused, 3 if something is open or no promise was judged, else 0."""
    standings = {verdict.standing for verdict in verdicts}
    if "accused" in standings:
        return REFUTED
    return UNDECIDED if "open" in standings or "judged" not in standings else 0


def _question(
    source: str | None, inline: tuple[str, ...], delta: str | None, epsilon: str | None
) -> AccountantQuestion:
    ledger = find_ledger(source, inline)
    events = _events(source)
    if epsilon is not None:
        if delta is not None:
            raise InputError(
                field="--epsilon",
                value=epsilon,
                expected="--delta or --epsilon, not both",
                code="usage",
            )
        return AccountantQuestion(ledger, epsilon=as_number(epsilon, "--epsilon"), events=events)
    target = ledger.target_delta if delta is None else as_rational(delta, "--delta")
    if target is None:
        raise InputError(
            field="--delta",
            value="nothing",
            expected="a global δ, as the ledger states no target_delta",
            remedy="pass --delta, for example 1e-6",
        )
    return AccountantQuestion(ledger, delta=target, events=events)


def _events(source: str | None) -> object:
    """The tree of dp-accounting's events in the file LEDGER, or None."""
    if source in (None, "-"):
        return None
    data = read_file(str(source), "ledger")
    return dp_events.plain_tree(data) if dp_events.recognises_begin(data.lstrip()) else None


def _tolerance(text: str) -> mpq:
    tolerance = as_rational(text, "--tolerance")
    if tolerance <= 0:
        raise DomainError(field="--tolerance", value=text, expected="a rational above 0")
    return tolerance


OpenEnds = tuple[mpq | None, mpq | None]


def _certified(truth: Truth) -> OpenEnds:
    """The ends of the certified interval; None for infinity."""
    if truth.question.delta is None:
        return truth.at_epsilon(truth.question.epsilon or ExactNumber(mpq(0)))
    composed = truth.at_delta(truth.question.delta)
    return composed.lower_end, composed.upper_end


def describe(verdict: AnswerVerdict) -> str:
    """A verdict as a person reads it."""
    computed = f" ({COMPUTED})" if verdict.is_refuted and verdict.evidence == "computed" else ""
    return f"{_WORDS[verdict.outcome]}{_detail(verdict)}{computed}"


_WORDS: Final[Mapping[AnswerOutcome, str]] = {
    "unsound": "UNSOUND",
    "low": "low",
    "not-comparable": "not comparable",
    "sound": "sound",
    "unusable": "unusable",
    "infeasible-handled": "infeasible, handled",
    "infeasible-not-handled": "INFEASIBLE, NOT HANDLED",
    "undecided": "undecided",
    "not-asked": "not asked",
    "not-installed": "not installed",
}


def _detail(verdict: AnswerVerdict) -> str:
    letter = "δ" if verdict.in_delta else "ε"
    if verdict.looseness is not None:
        if not verdict.looseness:
            return f": {letter} as small as it can be"
        return f": {letter} too large by at most {scientific_above(verdict.looseness, 3)}"
    if verdict.outcome == "infeasible-not-handled" and verdict.is_refuted:
        return ": no finite ε is enough at this δ"
    if verdict.gap is not None:
        small = _SMALL[verdict.in_delta] if verdict.outcome == "low" else ""
        remark = f"; {verdict.message}" if verdict.message else ""
        return f": {letter} too small by at least {scientific_below(verdict.gap, 6)}{small}{remark}"
    return f": {verdict.message}" if verdict.message else ""


_SMALL: Final = (
    f", less than {scientific_text(LEAST_GAPS[0])}",
    f", less than {scientific_text(LEAST_GAPS[1])} of it",
)
"""What is said of a gap in ε, and in δ, that accuses nobody."""


def claim_text(verdict: AnswerVerdict, *, delta: mpq | None) -> str:
    """What an accountant claims; its numbers are rounded as its verdict needs."""
    if verdict.epsilon is None or verdict.delta is None:
        return ""
    up = verdict.outcome == "sound"
    if verdict.epsilon.is_rational:
        epsilon = _short(verdict.epsilon.rational, up=up)
    else:
        epsilon = exact_text(verdict.epsilon)
    other = "" if verdict.delta == delta else f" at δ = {_short(verdict.delta, up=up)}"
    return f"ε = {epsilon}{other}"


def _short(value: mpq, *, up: bool) -> str:
    """A number as accountants print it, the shortest text of a double; on the side that is asked.

    >>> _short(mpq(3, 10), up=True), _short(mpq(1, 3), up=True)
    ('0.3', '0.33333333333333334')
    """
    nearest = as_rational(repr(double_near(ExactNumber(abs(value)))), "claim")
    nearest = -nearest if value < 0 else nearest
    if nearest >= value if up else nearest <= value:
        return scientific_text(nearest)
    return (scientific_above if up else scientific_below)(value, _DIGITS)


def _head(question: AccountantQuestion, rows: Sequence[Checked]) -> Opening:
    """How many promise what is false, and what has become of each promise."""
    sentence = _sentence(rows, " = ".join(_asked_at(question)))
    found = [standing_of_verdict(row.verdict) for row in rows]
    standings = tuple(each for each in found if each is not None)
    return Opening((sentence,), standings or ("unsettled",))


def _asked_at(question: AccountantQuestion) -> tuple[str, str]:
    if question.delta is not None:
        return "at δ", rational_text(question.delta)
    return "at ε", exact_text(question.epsilon or ExactNumber(mpq(0)))


def _show(
    truth: Truth,
    certified: OpenEnds,
    rows: Sequence[Checked],
    head: Opening,
    files: Mapping[int, str],
) -> None:
    question = truth.question
    lines = [_asked_at(question), *neighbours(question.ledger), *_interval(truth, certified)]
    cells = [
        (row.accountant, claim_text(row.verdict, delta=question.delta), describe(row.verdict))
        for row in rows
    ]
    table = columns(["accountant", "claims", "verdict"], cells)
    written = [("refuted by" if not i else "", name) for i, name in enumerate(files.values())]
    refuted = ("", facts(written)) if written else ()
    parts = [heading(question.ledger), "", facts(lines), "", table, *refuted]
    show(*head.sentences, "", *parts)


def _sentence(rows: Sequence[Checked], at: str) -> str:
    """What is shown of the answers, the worst first; each certificate that is listed is part."""
    judged = sum(row.verdict.standing != "none" for row in rows)
    if wrong := [row.accountant for row in rows if row.verdict.accuses]:
        return accountants_refuted(wrong, judged, at)
    if low := [row.accountant for row in rows if row.verdict.refutes]:
        return accountants_low(low, judged, at)
    if negative := [row.accountant for row in rows if row.verdict.is_refuted]:
        return accountants_negative(negative, at)
    return accountants_refuted((), judged, at)


def neighbours(ledger: Ledger) -> list[tuple[str, str]]:
    """What the interval and all answers are about, where the ledger says so."""
    named = ledger.neighbouring
    return [] if named == UNSPECIFIED else [("neighbours", named)]


def _interval(truth: Truth, certified: OpenEnds) -> list[tuple[str, str]]:
    (lower, upper), question = certified, truth.question
    title = "certified" if truth.evidence == "certificate" else "computed"
    if lower is None or upper is None:
        return [(title, "infeasible: no finite ε is enough")]
    if question.delta is None:
        low, high = scientific_below(lower, _DIGITS), scientific_above(upper, _DIGITS)
        return [(title, f"δ ≥ {low}"), ("", f"δ ≤ {high}")]
    low, high = bounds_text(lower, upper)
    return [(title, f"ε ≥ {low}"), ("", f"ε ≤ {high}")]


def _json(
    truth: Truth, certified: OpenEnds, rows: Sequence[Checked], files: Mapping[int, str]
) -> dict[str, object]:
    question = truth.question
    ends = [
        "inf" if end is None else decimal_text(end) if question.delta is not None else rounded
        for end, rounded in zip(certified, _outward(certified), strict=True)
    ]
    return {
        "delta": None if question.delta is None else short_text(question.delta),
        "epsilon": None if question.epsilon is None else shortest_text(question.epsilon),
        "neighbouring": question.ledger.neighbouring,
        "mechanisms": question.ledger.size,
        "feasible": certified[1] is not None,
        "certified": {"lower": ends[0], "upper": ends[1]},
        "evidence": truth.evidence,
        "accountants": [row_json(row, files.get(number)) for number, row in enumerate(rows)],
    }


def _outward(certified: OpenEnds) -> tuple[str, str]:
    lower, upper = (mpq(0) if end is None else end for end in certified)
    return (
        decimal_text(round_below(lower, _DIGITS)),
        decimal_text(round_above(upper, _DIGITS)),
    )


def row_json(row: Checked, certificate: str | None) -> dict[str, object]:
    """An accountant's answer and verdict; numbers are exact, gap and looseness are bounds."""
    verdict = row.verdict
    return {
        "accountant": row.accountant,
        "verdict": verdict.outcome,
        "message": verdict.message,
        "epsilon": None if verdict.epsilon is None else shortest_text(verdict.epsilon),
        "delta": None if verdict.delta is None else short_text(verdict.delta),
        "in": "delta" if verdict.in_delta else "epsilon",
        "gap": None if verdict.gap is None else scientific_below(verdict.gap, _DIGITS),
        "rounding": verdict.rounding,
        "looseness": None
        if verdict.looseness is None
        else scientific_above(verdict.looseness, _DIGITS),
        "basis": row.answer.basis,
        "versions": dict(row.answer.versions),
        "certificate": certificate,
        "evidence": verdict.evidence,
    }
