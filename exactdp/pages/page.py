r"""The page: one file of HTML that needs nothing else.

Rules of this file: the same findings give the same bytes; what the page may do is said in its
head, so that no browser will run, load or send anything that is not in it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.pages.assets import (
    PARAMETERS,
    UNKNOWN_FAMILIES,
    UNKNOWN_OF_NOISE,
    asset,
    checker,
    digest_of_checker,
    unknown_rules,
)
from exactdp.pages.findings import Findings
from exactdp.pages.markup import (
    Markup,
    definitions,
    foreign,
    joined,
    markup_of,
    numbers,
    table,
    tag,
)
from exactdp.pages.number_text import delta_of, epsilon_of, grouped
from exactdp.pages.sections import headword, ledger_section, unknown_to_checker
from exactdp.pages.sentences import Conclusion, conclude
from exactdp.pages.standing import Opening
from exactdp.version import __version__

_RESULT: Final = "Result"
_BEYOND: Final = (
    "{beyond} of the {all} certificates of this page rest on what is not proved in Coq yet "
    "({unknown}). The checker inside has no proof for it and says UNKNOWN, which is no verdict. "
    "The program python -m exactdp.verifier decides these certificates, and has accepted them."
)
_COVER: Final = ("prepared_by", "prepared_for", "date", "version")
"""What a ledger's source may say of the report that is made of it."""
FIRST_LINE: Final = b"<!DOCTYPE html><!-- exactdp-report/1 -->\n"
"""By this line exactdp knows its reports, and may replace them."""


def report_page(findings: Sequence[Findings], head: Opening | None = None) -> bytes:
    """The report on one ledger or several, which begins as the command's answer does.

    Args:
        findings: what is known of each.
        head: how that answer begins; None where the page is the answer.
    """
    alone = head if len(findings) == 1 else None
    conclusions = [conclude(each, alone) for each in findings]
    sections = [
        ledger_section(
            found, conclusion, _title([found]) if len(findings) > 1 else _RESULT, f"ledger-{number}"
        )
        for number, (found, conclusion) in enumerate(
            zip(findings, conclusions, strict=True), start=1
        )
    ]
    page = Template(asset("page.html")).substitute(
        title=markup_of(_title(findings)),
        known=_known(findings),
        cover=_cover(findings),
        **_checking(),
        overview=joined((_head(findings, head), _overview(findings, conclusions))),
        sections=joined(sections),
    )
    return page.encode()


def checking_page() -> bytes:
    """A page of its own, by whose checker anybody checks certificates."""
    return Template(asset("check.html")).substitute(_checking()).encode()


def _checking() -> dict[str, str]:
    """What a page needs to check certificates."""
    style, script = asset("page.css"), asset("page.js")
    return {
        "policy": markup_of(_policy(style, script)),
        "version": markup_of(__version__),
        "style": style,
        "script": script,
        "checker": checker(),
        "checker_digest": digest_of_checker(),
        "length": grouped(len(checker())),
        "beyond": markup_of(" ".join(unknown_rules())),
        "ofnoise": markup_of(" ".join(UNKNOWN_OF_NOISE)),
        "parameters": markup_of(" ".join(PARAMETERS)),
        "families": markup_of(" ".join(UNKNOWN_FAMILIES)),
    }


def _cover(findings: Sequence[Findings]) -> Markup:
    """Who made the report of one ledger, for whom and when, as its source says."""
    if len(findings) > 1:
        return Markup()
    texts = ((key, findings[0].ledger.said_of_source(key)) for key in _COVER)
    rows = [(key.replace("_", " "), foreign(text)) for key, text in texts if text]
    return definitions(rows) if rows else Markup()


def _known(findings: Sequence[Findings]) -> Markup:
    """How many certificates of the page the checker inside does not know."""
    proofs = [proof for each in findings for proof in each.proofs]
    beyond = [unknown for proof in proofs if (unknown := unknown_to_checker(proof))]
    if not beyond:
        return Markup()
    names = ", ".join(sorted(set[str]().union(*beyond)))
    return tag("p", _BEYOND.format(beyond=len(beyond), all=len(proofs), unknown=names))


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_source_of(style)}; script-src {_source_of(script)}; "
        "worker-src blob:; base-uri 'none'; form-action 'none'"
    )


def _source_of(content: str) -> str:
    """How a content security policy allows just this."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _title(findings: Sequence[Findings]) -> str:
    if len(findings) > 1:
        return f"Privacy of {grouped(len(findings))} ledgers"
    return findings[0].ledger.name or findings[0].file


def _head(findings: Sequence[Findings], head: Opening | None) -> Markup:
    """What is said of several ledgers together."""
    if head is None or len(findings) == 1:
        return Markup()
    sentences = (tag("p", numbers(each)) for each in head.sentences)
    return tag("div", headword(head), *sentences, class_=f"conclusion {head.standing}")


def _overview(findings: Sequence[Findings], conclusions: Sequence[Conclusion]) -> Markup:
    """Where there are several ledgers, or ways to train: each with its standing and its numbers."""
    if len(findings) == 1:
        return Markup()
    rows = [
        (
            tag("a", foreign(_title([found])), href=f"#ledger-{number}"),
            tag("strong", conclusion.headword, class_=conclusion.standing),
            *_ends(found),
        )
        for number, (found, conclusion) in enumerate(
            zip(findings, conclusions, strict=True), start=1
        )
    ]
    titles = ("ledger", "verdict", "ε at most", "ε at least", "δ")
    return tag("nav", table("Side by side", titles, rows), aria_label="The ledgers")


def _ends(findings: Findings) -> tuple[str, str, str]:
    """Both ends of ε, and δ, as far as they are known."""
    answer = findings.answer
    if answer is None:
        return "", "", ""
    lower, upper = answer.lower_end, answer.upper_end
    return (
        "none" if upper is None else epsilon_of(ExactNumber(upper), up=True),
        "" if lower is None else epsilon_of(ExactNumber(lower), up=False),
        delta_of(answer.delta, up=True),
    )


def name_of(source: str | None) -> str:
    """What a page calls its ledger's file: never by its folder."""
    if source is None:
        return "ledger.json"
    return "standard input" if source == "-" else Path(source).name
