r"""``exactdp audit``: a ledger's own claims under every rule that applies.

Rules of this file: it renders what the library judged; a certificate leaves this program only if
the verifier accepts it; what a line does not prove is said below the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.certificate.statement import Certificate
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import OUTCOMES, Audited, ClaimOutcome, RuleVerdict, audit
from exactdp.cli.composition_options import (
    find_ledger,
    scoped,
)
from exactdp.cli.exit_codes import REFUTED, UNDECIDED
from exactdp.cli.files import write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import (
    command,
    stem_of,
)
from exactdp.cli.output import print_json
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, heading, show
from exactdp.errors import InputError, shorten
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import bounds_text, exact_text, rational_text
from exactdp.pages.phrases import claims_counted
from exactdp.pages.standing import Opening

_GAP_DIGITS: Final = 3
_LEAST_PLACES: Final = 12
_PLACES: Final = 30
_EXITS: Final[dict[ClaimOutcome, int]] = {
    "refuted": REFUTED,
    "not-derivable": UNDECIDED,
    "undecided": UNDECIDED,
}
_RANKS: Final = {0: 0, UNDECIDED: 1, REFUTED: 2}
_TOTALS: Final[dict[ClaimOutcome, str]] = {
    "holds": "true",
    "holds-with-equality": "true",
    "refuted": "refuted",
    "not-assessable": "not assessable",
}
_NOT_DERIVABLE: Final = (
    "Not derivable: the rule does not give the claim from these parameters, which for a conversion "
    "of zCDP is proved. About the mechanisms nothing is proved: the claim may be true of them."
)
_ASSUMED: Final = (
    "Lines with an assumption settle nothing: discrete Gaussian noise, for one, is not Gaussian."
)


@dataclass(frozen=True, slots=True)
class _Report:
    """A ledger with its audited claims, and the certificates that were written."""

    source: str
    ledger: Ledger
    claims: tuple[Audited, ...]
    written: tuple[str, ...] = ()


@command("audit", cls=ManyCommand, takes_several=True)
def audit_command(  # noqa: PLR0913 (one argument for each option)
    sources: tuple[str, ...],
    *,
    certificates: Path | None,
    plot: Path | None,
    interaction: str | None,
    group: int,
    max_cost: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """Check the claims that ledgers state about themselves, each at its own δ and on its own basis.

    Exit code 1 if a claim is refuted, 3 if one is neither derived nor refuted, else 0.
    """
    ledgers = [(each, scoped(find_ledger(each, ()), interaction)) for each in sources]
    if report is not None:
        _refuse_group(group)
    check_places(sources, certificates=certificates, plot=plot, report=report)
    with working("auditing", as_json=as_json):
        reports = [
            _Report(source, ledger, audit(ledger, max_cost=max_cost, group=group))
            for source, ledger in ledgers
        ]
        files: dict[Path, bytes] = {}
        if certificates is not None:
            for index, each in enumerate(reports):
                made = dict(_certificates(each, certificates))
                files |= {path: verified(certificate) for path, certificate in made.items()}
                reports[index] = replace(each, written=tuple(map(str, made)))
        if plot is not None:
            files[plot] = _picture(reports, plot.suffix)
        if report is not None:
            files |= _page(report, ledgers, max_cost, _head(reports))
    write_together(files, "--certificates")
    if as_json:
        result = {"group": str(group), "ledgers": [_json(each) for each in reports]}
        print_json("audit", result | ({} if plot is None else {"plot": str(plot)}))
    else:
        _show(reports, group)
        show(*([] if plot is None else ["", f"written: {plot}"]))
    return _exit_code(reports)


def _refuse_group(group: int) -> None:
    if group > 1:
        raise InputError(
            field="--report",
            value="given",
            expected="no --group beside it, as a page is about neighbours",
            remedy="leave out one of the two; --certificates and --json know groups",
        )


def _page(
    report: Path, ledgers: Sequence[tuple[str, Ledger]], max_cost: int, head: Opening
) -> dict[Path, bytes]:
    """A page on these ledgers; at the δ of their first claim where they name no other."""
    from exactdp.pages.findings import find  # noqa: PLC0415 (few ask for a page)
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    return report_file(
        report,
        [
            find(name_of(source), ledger, delta=None, max_cost=max_cost, needs_delta=False)
            for source, ledger in ledgers
        ],
        head,
    )


def _exit_code(reports: Sequence[_Report]) -> int:
    codes = [_EXITS.get(claim.outcome, 0) for report in reports for claim in report.claims]
    return max(codes, key=lambda code: _RANKS[code], default=0)


def _certificates(report: _Report, directory: Path) -> Iterator[tuple[Path, Certificate]]:
    stem = stem_of(report.source)
    for number, claim in enumerate(report.claims, start=1):
        for verdict in claim.verdicts:
            for certificate in (verdict.certificate, verdict.mended):
                if certificate is not None:
                    name = f"{stem}.claim-{number}.{certificate.rule}.{certificate.bound}.json"
                    yield directory / name, certificate


def _picture(reports: Sequence[_Report], suffix: str) -> bytes:
    """Every claim of a number above 0, and beside it what rules give."""
    from exactdp.cli.answer_pictures import (  # noqa: PLC0415 (few ask for it)
        ClaimBound,
        ClaimRow,
        claims_picture,
        look_of,
    )

    rows = []
    for report in reports:
        for audited in report.claims:
            number = audited.claimed
            most = mpq(0) if number is None else enclose_in_decimals(number, _PLACES)[1]
            if not most:
                continue
            bounds = [
                ClaimBound(verdict.rule, verdict.least[0] / most)
                for verdict in audited.verdicts
                if verdict.least is not None and not verdict.assumption
            ]
            text = claim_text(audited.claim, exact_text, rational_text)
            outcome = OUTCOMES[audited.outcome].partition(":")[0]
            title = f"{shorten(stem_of(report.source))}: {text}, {outcome}"
            rows.append(ClaimRow(title, look_of(audited.outcome), bounds))
    return claims_picture(rows, "Claims, and what rules give", suffix)


# --- JSON ---------------------------------------------------------------------------------------


def _json(report: _Report) -> dict[str, object]:
    result: dict[str, object] = {
        "file": report.source,
        "name": report.ledger.name,
        "mechanisms": report.ledger.size,
        "interaction": report.ledger.interaction,
        "claims": [_claim_json(claim) for claim in report.claims],
    }
    if report.written:
        result["certificates"] = list(report.written)
    return result


def _claim_json(audited: Audited) -> dict[str, object]:
    return {
        "claim": claim_text(audited.claim, shortest_text, short_text),
        "basis": audited.claim.basis,
        "source": audited.claim.source,
        "outcome": audited.outcome,
        "verdicts": [_verdict_json(audited, verdict) for verdict in audited.verdicts],
    }


def _verdict_json(audited: Audited, verdict: RuleVerdict) -> dict[str, object]:
    gap = audited.gap(verdict)
    return {
        "rule": verdict.rule,
        "theorem": verdict.theorem,
        "outcome": verdict.outcome,
        "evidence": verdict.evidence,
        "reason": verdict.reason,
        "assumption": verdict.assumption,
        "least": None if verdict.least is None else _ends(*verdict.least),
        "gap": None if gap is None else _ends(*gap),
    }


def _ends(lower: mpq, upper: mpq) -> dict[str, str]:
    return {"lower": scientific_below(lower, 20), "upper": scientific_above(upper, 20)}


# --- tables -------------------------------------------------------------------------------------


def _show(reports: Sequence[_Report], group: int) -> None:
    show(*_head(reports).sentences, "")
    for place, report in enumerate(reports):
        if place:
            show("")
        scope = "" if group == 1 else f", claims read for groups of {group}"
        show(heading(report.ledger) + scope)
        if not report.claims:
            show("", "states no claims")
        for claim in report.claims:
            text = claim_text(claim.claim, exact_text, rational_text)
            show("", f"claimed {text} ({claim.claim.source}): {OUTCOMES[claim.outcome]}")
            rows = [_cells(claim, verdict) for verdict in claim.verdicts]
            show("", columns(["rule", "verdict", "gives at least", "above the claim by"], rows))
        show(*(f"written: {path}" for path in report.written))
    if len(reports) > 1 or any(len(report.claims) > 1 for report in reports):
        show("", _total(reports))
    verdicts = [each for report in reports for claim in report.claims for each in claim.verdicts]
    if any(each.outcome == "not-derivable" for each in verdicts):
        show("", _NOT_DERIVABLE, prose=True)
    if any(each.assumption for each in verdicts):
        show("", _ASSUMED, prose=True)


def _head(reports: Sequence[_Report]) -> Opening:
    """What became of the one claim, or how many of them hold."""
    from exactdp.pages.sentences import about_claim, standing_of  # noqa: PLC0415 (of pages)

    claims = [claim for report in reports for claim in report.claims]
    standings = tuple(map(standing_of, claims))
    following, refuted = standings.count("proved"), standings.count("refuted")
    sentence = (
        about_claim(claims[0])
        if len(claims) == 1
        else claims_counted(
            following, refuted, len(claims), len(reports), standings.count("computed")
        )
    )
    return Opening((sentence,), standings or ("unsettled",))


def _total(reports: Sequence[_Report]) -> str:
    """How many claims there are, and what became of them, in one line."""
    outcomes = Counter(
        _TOTALS.get(claim.outcome, OUTCOMES[claim.outcome])
        for report in reports
        for claim in report.claims
    )
    claims, ledgers = outcomes.total(), len(reports)
    counted = f"{claims} claim{'' if claims == 1 else 's'}"
    parts = [f"{number} {outcome}" for outcome, number in sorted(outcomes.items())]
    within = f"{counted} in {ledgers} ledger{'' if ledgers == 1 else 's'}"
    return f"In all: {within}{': ' if parts else ''}{', '.join(parts)}"


def _cells(audited: Audited, verdict: RuleVerdict) -> tuple[str, str, str, str]:
    name = f"{verdict.rule}, {verdict.assumption}" if verdict.assumption else verdict.rule
    text = OUTCOMES[verdict.outcome]
    text += f" ({verdict.reason})" if verdict.reason else ""
    gap = audited.gap(verdict)
    return (
        name,
        text,
        _least(verdict),
        "" if gap is None else scientific_below(gap[0], _GAP_DIGITS),
    )


def _least(verdict: RuleVerdict) -> str:
    """The lower end of what the rule gives, with the places that are certain."""
    if verdict.least is None:
        return ""
    lower, upper = verdict.least
    return bounds_text(lower, upper)[0] if lower < upper else decimal_text_of(lower)


def decimal_text_of(value: mpq) -> str:
    """An exact rational, as a decimal where it is one."""
    text = short_text(value)
    return text if "/" not in text else decimal_text(_floor(value))


def _floor(value: mpq) -> mpq:
    return mpq(value * 10**_LEAST_PLACES // 1) / 10**_LEAST_PLACES
