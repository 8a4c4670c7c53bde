r"""The parts of a report on one ledger.

Rules of this file: it renders what was found; lower ends are rounded down, upper ends up.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.certificate.rule_table import RULES
from exactdp.ledger.model import Ledger
from exactdp.pages.assets import (
    UNKNOWN_OF_NOISE,
    checker_knows,
    is_by_noise,
    unknown_families,
)
from exactdp.pages.band import Band
from exactdp.pages.facts import shown, table_of
from exactdp.pages.facts.claims import claimed_text, outcome_of, verdict_rows
from exactdp.pages.facts.composition import composition_facts
from exactdp.pages.findings import Findings, Proof
from exactdp.pages.markup import (
    Markup,
    definitions,
    foreign,
    joined,
    numbers,
    table,
    tag,
    together,
)
from exactdp.pages.number_text import (
    bounds_text,
    grouped,
    outward,
    rational_text,
)
from exactdp.pages.phrases import promise_of, promise_text
from exactdp.pages.picture import is_drawable, legend, letters, profile_picture
from exactdp.pages.sentences import Conclusion
from exactdp.pages.shares import (
    Share,
    bar,
    named,
    parameters_of,
    shares_of,
    sums_text,
)
from exactdp.pages.standing import HEADWORDS, Opening

_NO_SHARES: Final = (
    "Some of these are given by their noise, of which there is no sum: what each of them spends "
    "depends on all others, and no shares are shown."
)
_MOST_ROWS: Final = 500
_RELATIVE: Final = mpq(1, 1000)
_DIGITS: Final = 5
_UNKNOWN: Final = (
    ". The verified checker inside this page has no proof for {what} yet, and says neither yes nor "
    "no; the program python -m exactdp.verifier checked and accepted it."
)
_TOGETHER: Final = "All together"
_STATED: Final = (
    ("kind", "kind"),
    ("ε, exactly", "epsilon"),
    ("δ, exactly", "delta"),
    ("ρ, exactly", "rho"),
    ("μ, exactly", "mu"),
)
_CAPTIONS: Final = {
    False: (
        "The privacy profile: for each ε, the least δ that holds. The band lies between computed "
        "bounds, joined smoothly for the eye. Dashed: the answer. "
    ),
    True: (
        "The privacy profile: for each δ, the least ε that holds. The band lies between computed "
        "bounds, joined smoothly for the eye. Dashed: the answer. "
    ),
}
_COLUMNS: Final = {False: ("ε", "δ at least", "δ at most"), True: ("δ", "ε at least", "ε at most")}
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
        *_others(findings),
        *_mechanisms(findings),
        *_sources(findings),
        *_certificates(findings, identifier),
    ]
    return tag("section", *parts, id=identifier, aria_labelledby=f"{identifier}-title")


def _conclusion(conclusion: Conclusion, findings: Findings, identifier: str) -> Markup:
    sentences = (tag("p", _linked(each, findings, identifier)) for each in conclusion.sentences)
    parts = (*_number(findings, identifier), headword(conclusion), *sentences)
    return tag("div", *parts, class_=f"conclusion {conclusion.standing}")


def _number(findings: Findings, identifier: str) -> Iterator[Markup]:
    """The answer by itself, for whoever looks once."""
    if promise := _promise(findings, identifier):
        epsilon, delta = promise
        first = tag("span", joined(("ε ≤ ", epsilon)))
        second = tag("span", joined(("at δ = ", delta)))
        yield tag("div", tag("small", _TOGETHER), " ", first, " ", second, class_="number")


def headword(head: Opening) -> Markup:
    """The standing in a word; where it is mixed, each number in its own colour."""
    if head.standing != "mixed":
        return tag("p", head.headword, class_="headword")
    parts = zip(head.headword.split(", "), head.counts, strict=True)
    spans = [tag("span", text, class_=standing) for text, (standing, _) in parts]
    spaced = (part for span in spans for part in (", ", span))
    return tag("p", *list(spaced)[1:], class_="headword")


def _promise(findings: Findings, identifier: str) -> tuple[Markup, Markup] | None:
    """The promised ε and δ, linked to the certificate that proves them; None without a promise.

    The script of the page compares them; a certificate about a logarithm is left to its reader.
    """
    answer = findings.answer
    if answer is None or answer.upper_end is None:
        return None
    epsilon, delta = promise_of(answer.upper_end, answer.delta)
    proof = next(iter(findings.proofs), None)
    if (
        proof is None
        or proof.name != f"{findings.stem}.upper.json"
        or "ln" in proof.stated.get("epsilon", "")
    ):
        return numbers(epsilon), numbers(delta)
    of = _proof_identifier(identifier, 1)
    first, second = (
        tag("data", numbers(text), value=text, data_part=part, data_proof=of)
        for part, text in (("epsilon", epsilon), ("delta", delta))
    )
    return first, second


def _linked(sentence: str, findings: Findings, identifier: str) -> Markup:
    """A sentence whose promised numbers are linked."""
    answer, promise = findings.answer, _promise(findings, identifier)
    if answer is None or answer.upper_end is None or promise is None:
        return numbers(sentence)
    text = promise_text(*promise_of(answer.upper_end, answer.delta))
    before, found, after = sentence.partition(text)
    linked = Markup(promise_text(*promise)) if found else ""
    return joined((numbers(before), linked, numbers(after)))


def _limits(conclusion: Conclusion) -> Markup:
    items = tag("ul", *(tag("li", each) for each in conclusion.limits))
    return tag("div", tag("h3", "What this does not say"), items, class_="limits")


# --- pictures -----------------------------------------------------------------------------------


def _profile(findings: Findings, identifier: str) -> Iterator[Markup]:
    heading = tag("h3", "How δ falls as ε grows")
    band = findings.band
    if not is_drawable(band):
        yield together(heading, tag("p", _NO_PICTURE))
        return
    caption = _CAPTIONS[band.at_deltas]
    shapes = joined(("What is claimed within the picture has a sign beside it; ", legend(), "."))
    picture = profile_picture(findings, band, f"{identifier}-profile")
    with_marks = shapes if findings.claims or findings.marks else ""
    yield together(heading, tag("figure", picture, tag("figcaption", caption, with_marks)))
    points = table("Points of the curve", _COLUMNS[band.at_deltas], _band_rows(band))
    yield tag("details", tag("summary", "The points of the curve, as a table"), points)


def _band_rows(band: Band) -> Iterator[tuple[str, str, str]]:
    for at, lower, upper in band.rows:
        if band.at_deltas:
            yield rational_text(at), *bounds_text(lower, upper)
        else:
            yield decimal_text(at), *outward(lower, upper, _RELATIVE, _DIGITS)


# --- tables -------------------------------------------------------------------------------------


def _bounds(findings: Findings) -> Iterator[Markup]:
    """What ``compose`` says; of what is no ledger the command's own table says it."""
    if findings.answer is not None and findings.subject is None:
        facts = composition_facts(findings.answer, (), None)
        rows = [(each.title, *each.lines) for each in facts if each.lines]
        yield together(tag("h3", "Bounds"), definitions(rows))


def _claims(findings: Findings) -> Iterator[Markup]:
    if not findings.claims:
        return
    heading = tag("h3", "Claims of this ledger")
    titles = ("claim", "rests on", "outcome")
    numbered = [*enumerate(findings.claims, start=1)]
    rows = [
        (f"{number}: {claimed_text(each)}", each.claim.basis, outcome_of(each))
        for number, each in numbered
    ]
    yield together(heading, table("Claims", titles, rows))
    ruled = table_of(
        [
            [shown("claim", str(number)), *row]
            for number, each in numbered
            for row in verdict_rows(each)
        ]
    )
    inner = table("What each rule says of each claim", *ruled)
    yield tag("details", tag("summary", "Rule by rule"), inner)


def _others(findings: Findings) -> Iterator[Markup]:
    """What others say, and the tables of the command that asks for the report."""
    if findings.marks:
        heading = tag("h3", "What others say")
        rows = [
            (letter, foreign(each.name), foreign(each.text), HEADWORDS[each.standing])
            for letter, each in zip(letters(), findings.marks, strict=False)
        ]
        yield together(
            heading, table("Numbers that others give", ("sign", "who", "number", "outcome"), rows)
        )
    for detail in findings.details:
        titles, rows_of_text = table_of(detail.known)
        cell = foreign if titles else _fact  # a table has labels of a ledger
        foreign_rows = (map(cell, row) for row in rows_of_text)
        inner = table(detail.caption, titles or ("", ""), foreign_rows)
        yield together(tag("h3", detail.title), inner)
        for remark in detail.remarks:
            yield tag("p", remark)


def _fact(text: str) -> Markup:
    return tag("bdi", numbers(text))


def _mechanisms(findings: Findings) -> Iterator[Markup]:
    ledger = findings.ledger
    if not ledger.mechanisms and findings.subject is not None:
        return
    yield tag("h3", f"Mechanisms ({grouped(ledger.size)})")
    if not ledger.mechanisms:
        yield tag("p", "None.")
        return
    shares = shares_of(ledger)
    if not shares:
        yield tag("p", _NO_SHARES)
    caption = "All mechanisms, in the order of the ledger"
    titles = (f"share of {sums_text(ledger)}, rounded",) if shares else ()
    rows = _mechanism_rows(ledger, shares)
    yield table(caption, ("mechanism", "parameters of each", "count", *titles), rows)
    if len(ledger.mechanisms) > _MOST_ROWS:
        more = grouped(len(ledger.mechanisms) - _MOST_ROWS)
        yield tag("p", f"{more} more entries are in the ledger itself, which is below.")


def _mechanism_rows(ledger: Ledger, shares: Sequence[Share]) -> Iterator[tuple[str, ...]]:
    """The first entries, with their shares if there are any."""
    for number, entry in enumerate(ledger.mechanisms[:_MOST_ROWS], start=1):
        cells = (named(entry, number), parameters_of(entry), grouped(entry.count))
        yield (*cells, *(joined((bar(each), each.percent)) for each in shares[number - 1 : number]))


def _sources(findings: Findings) -> Iterator[Markup]:
    ledger, subject = findings.ledger, findings.subject
    yield tag("h3", "Sources")
    source = ledger.source
    pairs = (("source", source),) if isinstance(source, str) else source
    rows = [
        ("read from", foreign(findings.file)),
        ("neighbouring inputs", ledger.neighbouring),
        ("interaction", ledger.interaction if subject is None else subject.interaction),
        ("unit of privacy", foreign(ledger.unit_of_privacy)),
        *((foreign(key.replace("_", " ")), foreign(text)) for key, text in pairs),
        *(
            (f"claim {number}", foreign(each.claim.source))
            for number, each in enumerate(findings.claims, start=1)
        ),
        *(("of the table", foreign(sentence)) for sentence in ledger.reading),
        ("notes", foreign(ledger.notes)),
    ]
    yield definitions((name, text) for name, text in rows if text not in ("", foreign("")))


# --- files --------------------------------------------------------------------------------------


def _certificates(findings: Findings, identifier: str) -> Iterator[Markup]:
    yield tag("h3", "Certificates")
    subject = findings.subject
    kind = "ledger" if subject is None else subject.kind
    name = f"{findings.stem}.ledger.json" if subject is None else subject.name
    link = download(name, findings.written if subject is None else subject.data)
    yield tag("p", f"The {kind} itself, as it was understood: ", link, ".")
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
    if unknown := unknown_to_checker(proof):
        line += _UNKNOWN.format(what=unknown[0])
    rows = [
        ("python -m exactdp.verifier", line),
        ("rule", f"{proof.rules[-1]}. {RULES[proof.rules[-1]].theorem.citation}"),
        *(
            (title, tag("code", proof.stated[key], class_=key))
            for title, key in _STATED
            if key in proof.stated
        ),
        ("SHA-256", tag("code", proof.digest, class_="digest")),
        ("bytes", grouped(len(proof.data))),
    ]
    return tag("li", tag("p", link), definitions(rows))


def unknown_to_checker(proof: Proof) -> list[str]:
    """What a certificate rests on that the verified checker does not know."""
    rules = [f"the rule {rule}" for rule in proof.rules if not checker_knows(rule)]
    if is_by_noise(proof.mechanisms):
        rules += [f"the rule {rule} of noise" for rule in proof.rules if rule in UNKNOWN_OF_NOISE]
    families = unknown_families(proof.mechanisms)
    return rules + [f"mechanisms given by {family}" for family in families]


def download(name: str, data: bytes, **attributes: str) -> Markup:
    """A link that holds a file, and needs neither network nor script."""
    content = base64.b64encode(data).decode()
    href = f"data:application/json;base64,{content}"
    return tag("a", foreign(name), href=href, download=name, **attributes)
