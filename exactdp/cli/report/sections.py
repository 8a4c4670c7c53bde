r"""The parts of a report on one ledger.

Rules of this file: it renders what was found; lower ends are rounded down, upper ends up.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.audit.verdicts import OUTCOMES, Audited, RuleVerdict
from exactdp.cli.rendering import (
    bounds_text,
    exact_and_decimal,
    exact_text,
    grouped,
    outward,
    rational_text,
)
from exactdp.cli.report.assets import checker_knows
from exactdp.cli.report.findings import Findings, Proof
from exactdp.cli.report.markup import Markup, definitions, foreign, joined, markup_of, table, tag
from exactdp.cli.report.picture import is_drawable, legend, profile_picture
from exactdp.cli.report.sentences import Conclusion, claimed_text, promise_of, promise_text
from exactdp.cli.report.shares import (
    named,
    parameters_of,
    shares_of,
    shares_picture,
    sums_text,
)

_RULED: Final = ("claim", "rule", "outcome", "above the claim by", "assuming")
_MOST_ROWS: Final = 500
_RELATIVE: Final = mpq(1, 1000)
_DIGITS: Final = 5
_UNKNOWN: Final = (
    ". The verified checker inside this page does not know the rule {rule}; the program "
    "python -m exactdp.verifier does, and accepted it."
)
_STATED: Final = (("kind", "kind"), ("ε, exactly", "epsilon"), ("δ, exactly", "delta"))
_NO_PICTURE: Final = (
    "The privacy profile is not drawn: it would take more work than was allowed, or its numbers "
    "are beyond what a picture can hold."
)


def ledger_section(
    findings: Findings, conclusion: Conclusion, title: str, identifier: str
) -> Markup:
    """All about one ledger, under a title."""
    parts = [
        tag("h2", foreign(title), id=f"{identifier}-title"),
        _conclusion(conclusion, findings, identifier),
        _limits(conclusion),
        *_profile(findings, identifier),
        *_bounds(findings),
        *_claims(findings),
        *_mechanisms(findings),
        *_sources(findings),
        *_certificates(findings, identifier),
    ]
    return tag("section", *parts, id=identifier, aria_labelledby=f"{identifier}-title")


def _conclusion(conclusion: Conclusion, findings: Findings, identifier: str) -> Markup:
    headword = tag("p", conclusion.headword, class_="headword")
    sentences = (tag("p", _linked(each, findings, identifier)) for each in conclusion.sentences)
    return tag("div", headword, *sentences, class_=f"conclusion {conclusion.standing}")


def _linked(sentence: str, findings: Findings, identifier: str) -> Markup:
    """A sentence in which the promised numbers are linked to the certificate that proves them.

    The script of the page compares them; a certificate about a logarithm is left to its reader.
    """
    answer = findings.answer
    if answer is None or answer.upper is None or not findings.proofs:
        return markup_of(sentence)
    proof = findings.proofs[0]
    if proof.name != f"{findings.stem}.upper.json" or "ln" in proof.stated["epsilon"]:
        return markup_of(sentence)
    epsilon, delta = promise_of(answer.upper, answer.delta)
    before, promise, after = sentence.partition(promise_text(epsilon, delta))
    if not promise:
        return markup_of(sentence)
    of = _proof_identifier(identifier, 1)
    numbers = (
        tag("data", text, value=text, data_part=part, data_proof=of)
        for part, text in (("epsilon", epsilon), ("delta", delta))
    )
    return joined((before, Markup(promise_text(*numbers)), after))


def _limits(conclusion: Conclusion) -> Markup:
    items = tag("ul", *(tag("li", each) for each in conclusion.limits))
    return tag("div", tag("h3", "What this does not say"), items, class_="limits")


# --- pictures -----------------------------------------------------------------------------------


def _profile(findings: Findings, identifier: str) -> Iterator[Markup]:
    yield tag("h3", "How δ falls as ε grows")
    if not is_drawable(findings.band):
        yield tag("p", _NO_PICTURE)
        return
    caption = (
        "The privacy profile: for each ε, the least δ that holds. It is a band between two "
        "certified ends, and looks like a line where these are close; in between its points, "
        "straight lines are for the eye. Dashed: the answer. "
    )
    shapes = joined(("Claims are numbered; ", legend(), ".")) if findings.claims else ""
    picture = profile_picture(findings, f"{identifier}-profile")
    yield tag("figure", picture, tag("figcaption", caption, shapes))
    rows = []
    for point in findings.band:
        lower, upper = outward(point.lower, point.upper, _RELATIVE, _DIGITS)
        rows.append((decimal_text(point.epsilon.rational), lower, upper))
    points = table("Points of the curve", ("ε", "δ at least", "δ at most"), rows)
    yield tag("details", tag("summary", "The points of the curve, as a table"), points)


# --- tables -------------------------------------------------------------------------------------


def _bounds(findings: Findings) -> Iterator[Markup]:
    answer = findings.answer
    if answer is None:
        return
    yield tag("h3", "Bounds")
    rows = [("at δ", rational_text(answer.delta))]
    if answer.upper is None or answer.lower is None:
        rows.append(("least ε", "none: no finite ε is enough"))
        rows.append(("least feasible δ", answer.least_feasible_delta))
    else:
        lower, upper = bounds_text(answer.lower, answer.upper)
        if answer.exact is not None:
            rows.append(("least ε, exactly", exact_text(answer.exact)))
        rows += [("ε, upper bound", f"ε ≤ {upper}"), ("ε, lower bound", f"ε ≥ {lower}")]
        if answer.basic_epsilon is not None:
            rows.append(("by adding up", exact_and_decimal(answer.basic_epsilon)))
        for each in answer.derivations:
            rows.append((f"by {each.rule}", f"ε ≤ {decimal_text(each.epsilon)}"))
        rows += [("theorem", each.theorem) for each in answer.derivations[:1]]
        if not answer.complete:
            rows.append(("in between", answer.open_because))
    yield definitions(rows)


def _claims(findings: Findings) -> Iterator[Markup]:
    if not findings.claims:
        return
    yield tag("h3", "Claims of this ledger")
    titles = ("claim", "rests on", "outcome")
    rows = [
        (f"{number}: {claimed_text(each)}", each.claim.basis, OUTCOMES[each.outcome])
        for number, each in enumerate(findings.claims, start=1)
    ]
    yield table("Claims", titles, rows)
    ruled = [
        (f"{number}", verdict.rule, _outcome(verdict), _gap(each, verdict), verdict.assumption)
        for number, each in enumerate(findings.claims, start=1)
        for verdict in each.verdicts
    ]
    inner = table("What each rule says of each claim", _RULED, ruled)
    yield tag("details", tag("summary", "Rule by rule"), inner)


def _outcome(verdict: RuleVerdict) -> str:
    return OUTCOMES[verdict.outcome] + (f" ({verdict.reason})" if verdict.reason else "")


def _gap(audited: Audited, verdict: RuleVerdict) -> str:
    gap = audited.gap(verdict)
    return "" if gap is None else f"at least {outward(gap[0], gap[1], mpq(1), 3)[0]}"


def _mechanisms(findings: Findings) -> Iterator[Markup]:
    ledger = findings.ledger
    yield tag("h3", f"Mechanisms ({grouped(ledger.size)})")
    if not ledger.mechanisms:
        yield tag("p", "None.")
        return
    if len(ledger.mechanisms) > 1:
        yield tag("figure", shares_picture(ledger))
    rows = [
        (
            named(each.entry, number),
            parameters_of(each.entry),
            grouped(each.entry.count),
            each.percent,
        )
        for number, each in enumerate(shares_of(ledger)[:_MOST_ROWS], start=1)
    ]
    titles = ("mechanism", "parameters of each", "count", f"share of {sums_text(ledger)}, rounded")
    yield table("All mechanisms, in the order of the ledger", titles, rows)
    if len(ledger.mechanisms) > _MOST_ROWS:
        more = grouped(len(ledger.mechanisms) - _MOST_ROWS)
        yield tag("p", f"{more} more entries are in the ledger itself, which is below.")


def _sources(findings: Findings) -> Iterator[Markup]:
    ledger = findings.ledger
    yield tag("h3", "Sources")
    source = ledger.source
    pairs = (("source", source),) if isinstance(source, str) else source
    rows = [
        ("read from", foreign(findings.file)),
        ("neighbouring inputs", ledger.neighbouring),
        ("interaction", ledger.interaction),
        ("unit of privacy", foreign(ledger.unit_of_privacy)),
        *((foreign(key), foreign(text)) for key, text in pairs),
        *(
            (f"claim {number}", foreign(each.claim.source))
            for number, each in enumerate(findings.claims, start=1)
        ),
        ("notes", foreign(ledger.notes)),
    ]
    yield definitions((name, text) for name, text in rows if text not in ("", foreign("")))


# --- files --------------------------------------------------------------------------------------


def _certificates(findings: Findings, identifier: str) -> Iterator[Markup]:
    yield tag("h3", "Certificates")
    ledger = download(f"{findings.stem}.ledger.json", findings.written)
    yield tag("p", "The ledger itself, as it was understood: ", ledger, ".")
    if not findings.proofs:
        yield tag("p", "There is no certificate: nothing was proved that needs one.")
        return
    yield tag("p", "Each of these is in this page in full.")
    items = [
        _proof_item(proof, _proof_identifier(identifier, number))
        for number, proof in enumerate(findings.proofs, start=1)
    ]
    yield tag("ol", *items, class_="certificates")


def _proof_identifier(identifier: str, number: int) -> str:
    return f"{identifier}-proof-{number}"


def _proof_item(proof: Proof, identifier: str) -> Markup:
    """What the script of the page compares with the certificate has a class of its own."""
    link = download(proof.name, proof.data, class_="certificate", id=identifier)
    line = proof.line
    if not checker_knows(proof.certificate.rule):
        line += _UNKNOWN.format(rule=proof.certificate.rule)
    rows = [
        ("python -m exactdp.verifier", line),
        ("rule", proof.certificate.rule),
        *((title, tag("code", proof.stated[key], class_=key)) for title, key in _STATED),
        ("SHA-256", tag("code", proof.digest, class_="digest")),
        ("bytes", grouped(len(proof.data))),
    ]
    return tag("li", tag("p", link), definitions(rows))


def download(name: str, data: bytes, **attributes: str) -> Markup:
    """A link that holds a file, and needs neither network nor script."""
    content = base64.b64encode(data).decode()
    href = f"data:application/json;base64,{content}"
    return tag("a", foreign(name), href=href, download=name, **attributes)
