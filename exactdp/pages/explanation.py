r"""What an accepted certificate shows, in plain words.

Rules of this file: a printed number is exact, or rounded so that the sentence stays true; how a
rule is checked stands in the table of rules, and only the values in its sentences are filled in
here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import RULES, THEOREMS
from exactdp.certificate.rules.row import Kind
from exactdp.errors import InputError
from exactdp.mechanisms import REPLACE_ONE
from exactdp.mechanisms.shuffled import ORDERS_OF_DATA
from exactdp.pages.carrying import carried_in_words
from exactdp.pages.experiment_words import (
    TAKEN_AS_GIVEN_OF_EXPERIMENTS,
    rejection_sentence,
    written_out,
)
from exactdp.pages.explained_claim import ExplainedClaim
from exactdp.pages.facts import Fact, fact, shown
from exactdp.pages.number_text import exact_text, grouped
from exactdp.pages.phrases import TAKEN_AS_GIVEN, counted
from exactdp.pages.rule_words import BEST, excess, formula_words, masses_rounding, nothing_left
from exactdp.readable import Readable
from exactdp.verification import File, Written, certificate_bytes, verify
from exactdp.verifier import DEFAULT_MAX_COST, Verdict

if TYPE_CHECKING:
    from exactdp.composition.answers.arguments import LedgerLike

EntryTexts = Mapping[str, str]

_SENTENCES: Final = 5
_PARAMETERS: Final = {"epsilon", "delta", "mu", "mu_squared", "rho", "count", "where"}
_SHOWN_MECHANISMS: Final = 20
_SYMBOLS: Final = {"epsilon": "ε", "mu": "μ", "mu_squared": "μ²", "rho": "ρ"}

_HOWEVER: Final = {
    "ledger": "However these mechanisms are composed",
    "noise-ledger": "However these mechanisms are composed",
    "workload": "However these queries are answered",
    "noise-workload": "However these queries are answered, one after the other",
    "interactive": "Whatever is asked, and in whatever order",
    "budget": "Whatever is chosen as one goes, as long as what is spent keeps within the budget",
}
_SOME: Final = {
    "ledger": ("Some composition of these mechanisms", "parameters"),
    "noise-ledger": ("The composition of such mechanisms, on some inputs,", "noise"),
    "workload": ("Some way of answering these queries", "parameters and predicates"),
    "noise-workload": (
        "Answering these queries by such mechanisms, on some inputs,",
        "noise and predicates",
    ),
    "budget": ("Some way of spending this budget", "parameters"),
}
_NEIGHBOURING: Final = {
    "unspecified": "Neighbouring inputs are those of the mechanisms, whatever they are.",
    "add-remove-one": "Neighbouring inputs differ by adding or removing one.",
    "replace-one": "Neighbouring inputs differ by replacing one.",
    "zero-out": "Neighbouring inputs differ in one record, whose contribution becomes 0.",
}
_SHUFFLED: Final = {
    "upper": "Of shuffled batches someone may know in which a record is: that is one Gaussian "
    "release an epoch.",
    "lower": "Of shuffled batches only the greatest sum counts, on training data where all other "
    "records pull one way and one record the other: this speaks of such data, not of a model.",
}
_PERSON: Final = "records_per_person"
_OF_A_PERSON: Final = "One is a person there, whose records are each in a sample by itself."
_LEFT_OUT: Final = {
    "upper": "Of shuffled batches each epoch has an order of its own, and leaves its last records "
    "out.",
    "lower": "Of shuffled batches each epoch leaves its last records out; what is said is of "
    "training data where all other records pull one way and one record the other, not of a model.",
}
_ALLOCATED: Final = (
    "Of allocated batches each record is in one batch of an epoch, in each as likely, whatever "
    "batches others are in."
)
_FACTORIZED: Final = {
    "upper": "Of correlated noise the sensitivity of its matrix was bounded from above, over all "
    "participations.",
    "lower": "Of correlated noise the sensitivity of its matrix was bounded from below, by a "
    "record that contributes the same, up to its sign, in each of its rounds.",
}
_MOST_LISTED: Final = 8
_GIVES_WAY: Final = (
    "A range of mechanisms on a sample is about a record that is added, removed or replaced alike."
)
_CLIP: Final = (
    "The clip is the most that one record moves the sum: removing it moves the sum by that, "
    "replacing it by twice that."
)
_INTERACTION: Final = {
    "adaptive": "run one after the other, each free to depend on the answers before it.",
    "concurrent": "all open at once: an adversary interleaves its questions to them as it likes.",
}
TAKEN_AS_GIVEN_OF_BUDGETS: Final = (
    "That each mechanism is private with the parameters that were counted for it, and that nothing "
    "else was asked of the same data, is taken as given. This is about all that may be spent; what "
    "has been spent at some moment is no such statement."
)
_TAKEN_AS_GIVEN_OF_TREES: Final = (
    "That a program answers with these probabilities, and that the two inputs are neighbours, is "
    "taken as given: a certificate knows of numbers alone."
)

_LIMITS: Final = {
    "interactive": _TAKEN_AS_GIVEN_OF_TREES,
    "budget": TAKEN_AS_GIVEN_OF_BUDGETS,
    "experiment": TAKEN_AS_GIVEN_OF_EXPERIMENTS,
}
_ADDED: Final = {
    "epsilon": "the ε",
    "rho": "the ρ",
    "mu": "the μ²",
    "renyi": "their Rényi divergences of order",
}
"""What adds up in a budget of each measure."""


def about_of(subject: Mapping[str, Any]) -> str:
    """What sentences speak of: the type of a subject, and whether its mechanisms draw noise."""
    plain = {"mechanisms": "ledger"}.get(subject["type"], subject["type"])
    entries = {"ledger": subject.get("mechanisms"), "workload": subject.get("queries")}.get(plain)
    by_noise = any(not entry.keys() <= _PARAMETERS for entry in entries or ())
    return f"noise-{plain}" if by_noise else plain


def claim_of(document: Mapping[str, Any]) -> ExplainedClaim:
    """What a certificate states."""
    statement = document["statement"]
    return ExplainedClaim.of(statement["kind"], statement, int(statement["group"]))


def entries_of(document: Mapping[str, Any]) -> list[EntryTexts]:
    """The parameters of the subject, with counts; those of a workload's queries are merged."""
    subject = document["statement"]["subject"]
    about = about_of(subject)
    if about in ("experiment", "interactive", "budget", "noise-ledger", "noise-workload"):
        return []
    if about == "ledger":
        return list(subject["mechanisms"])
    counts: Counter[tuple[tuple[str, str], ...]] = Counter()
    for query in subject["queries"]:
        counts[tuple(sorted((key, query[key]) for key in query if key != "where"))] += 1
    return [{**dict(entry), "count": str(count)} for entry, count in counts.items()]


@dataclass(frozen=True, slots=True)
class Explanation(Readable):
    """A certificate in sentences.

    Attributes:
        sentences: its claim, what it is about, its theorem, how it was checked, and what was not.
        verdict: what the verifier says of it.
    """

    sentences: Mapping[str, str]
    verdict: Verdict

    def facts(self) -> list[tuple[str, str]]:
        """The sentences, by what they are about."""
        return [*self.sentences.items(), ("verdict", self.verdict.line)]


def explain(
    certificate: File | Written,
    *,
    ledger: File | LedgerLike | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Explanation:
    """Say in plain words what a certificate claims, from what, and how it was checked.

    Args:
        certificate: the bytes of a file, its path, or a certificate as ``compose`` makes them.
        ledger: what it should be about.
        max_cost: refuse a certificate that costs more.

    Raises:
        InputError: the verifier does not accept it: it proves nothing that could be explained.

    >>> from exactdp.composition.answers.compose import compose
    >>> proof = compose([("ln(3)", 0, 2)], delta="1/10").upper_certificate()
    >>> explain(proof).sentences["claim"].startswith("However these mechanisms are composed")
    True
    """
    data = certificate_bytes(certificate)
    verdict = verify(data, ledger=ledger, max_cost=max_cost)
    if verdict.status != "accepted":
        raise InputError(
            field="certificate",
            value=verdict.line,
            expected="one that the verifier accepts",
            code="not-accepted",
        )
    known = explanation_facts(json.loads(data), verdict)[:_SENTENCES]
    return Explanation({each.key: str(each.value) for each in known}, verdict)


def explanation_facts(document: Mapping[str, Any], verdict: Verdict) -> list[Fact]:
    """A certificate in sentences: its claim, of what, by which theorem, how checked, what not."""
    about = about_of(document["statement"]["subject"])
    sentences = {
        "claim": ("claimed", _claim_sentences(document)),
        "subject": ("of", _subject_sentences(document)),
        "theorem": ("by", THEOREMS[verdict.theorem].citation),
        "check": ("checked", " ".join(_check_sentences(document))),
        "limits": ("not checked", _LIMITS.get(about, TAKEN_AS_GIVEN)),
    }
    return [
        *(fact(key, text, title, text) for key, (title, text) in sentences.items()),
        fact("digest", document["digest"], "digest", f"SHA-256 {document['digest']}"),
        fact("verdict", verdict.line),
    ]


def entry_table(document: Mapping[str, Any]) -> list[list[Fact]]:
    """The first mechanisms of the subject, each in a line."""
    entries = entries_of(document)
    symbols = {_SYMBOLS[key] for each in entries for key in _SYMBOLS if key in each}
    title = symbols.pop() if len(symbols) == 1 else "parameter"
    rows = [
        (_first_text(each), _parameter_text(each, "delta"), grouped(int(each["count"])))
        for each in entries[:_SHOWN_MECHANISMS]
    ]
    more = len(entries) - len(rows)
    if more:
        rows.append(("…", "", f"and {grouped(more)} more kinds"))
    titles = title, "δ", "count"
    return [[shown(*pair) for pair in zip(titles, row, strict=True)] for row in rows]


def _first_text(entry: EntryTexts) -> str:
    """The first parameter of an entry, named where ε does not go without saying."""
    key = next(key for key in _SYMBOLS if key in entry)
    value = _parameter_text(entry, key)
    return value if key == "epsilon" else f"{_SYMBOLS[key]} = {value}"


def _parameter_text(entry: EntryTexts, key: str) -> str:
    return exact_text(ExactNumber.parse(entry[key])) if key in entry else ""


def _claim_sentences(document: Mapping[str, Any]) -> str:
    claim, about = claim_of(document), about_of(document["statement"]["subject"])
    if claim.kind == "upper":
        return f"{_HOWEVER[about]}, the whole is {claim.privacy}."
    if claim.kind == "underivable":
        return (
            "The formula of the theorem below does not give, from these parameters, that the whole "
            f"is {claim.privacy}. That is about the formula alone: it refutes no promise, as "
            "the mechanisms may well be better than the formula can tell."
        )
    if claim.kind == "rejected":
        return rejection_sentence(claim.privacy, document["statement"]["subject"])
    if about == "interactive":
        return (
            "Someone who asks the right questions tells the two inputs apart so well that the "
            f"whole is not {claim.privacy}."
        )
    what, parameters = _SOME[about]
    return (
        f"{what} is not {claim.privacy}. From their {parameters} alone, nobody may promise that, "
        "or anything stronger."
    )


def _subject_sentences(document: Mapping[str, Any]) -> str:
    statement = document["statement"]
    about, neighbouring = about_of(statement["subject"]), _NEIGHBOURING[statement["neighbouring"]]
    if about in ("experiment", "interactive"):
        return written_out(statement["subject"])
    if about in ("noise-ledger", "noise-workload"):
        concurrent = statement["interaction"] == "concurrent"
        how = f" They are {_INTERACTION['concurrent']}" if concurrent else ""
        return f"{_noise_sentences(statement)}{how}"
    if about == "budget":
        return f"{_budget_sentence(statement['subject'])} {neighbouring}"
    entries = entries_of(document)
    if not entries:
        return "No mechanisms at all."
    size = sum(int(each["count"]) for each in entries)
    if about == "workload":
        return (
            f"{grouped(size)} queries, each answered from the rows that satisfy its "
            "predicate alone, by mechanisms with the parameters below; parameters and predicates "
            f"fixed in advance, each answer free to depend on those before it. {neighbouring}"
        )
    members = grouped(int(statement["group"]))
    group = f" A group of {members} is reached in {members} such steps." if members != "1" else ""
    return (
        f"{counted(size, 'mechanism')} with the parameters below, fixed in advance, "
        f"{_INTERACTION[statement['interaction']]} {neighbouring}{group}"
    )


def _noise_sentences(statement: Mapping[str, Any]) -> str:
    subject, neighbouring = statement["subject"], _NEIGHBOURING[statement["neighbouring"]]
    if subject["type"] == "workload":
        return f"{_asked_sentence(subject['queries'])} {neighbouring}"
    plans = [entry["shuffled"] for entry in subject["mechanisms"] if "shuffled" in entry]
    known = any("records" not in plan for plan in plans)
    how = f" {_SHUFFLED[statement['kind']]}" if known else ""
    how += f" {_OF_A_PERSON}" if any(_PERSON in each for each in subject["mechanisms"]) else ""
    how += f" {_LEFT_OUT[statement['kind']]}" if any("records" in plan for plan in plans) else ""
    how += f" {_ALLOCATED}" if any("allocated" in each for each in subject["mechanisms"]) else ""
    if any("factorization" in each for each in subject["mechanisms"]):
        how += f" {_FACTORIZED[statement['kind']]}"
    if statement["neighbouring"] == REPLACE_ONE:
        sampled = [entry for entry in subject["mechanisms"] if "rate" in entry]
        how += f" {_CLIP}" if any("clip" in entry for entry in sampled) else ""
        how += f" {_GIVES_WAY}" if any("clip" not in entry for entry in sampled) else ""
    return f"{_noise_sentence(subject['mechanisms'])} {neighbouring}{how}"


def _noise_sentence(mechanisms: Sequence[Mapping[str, Any]]) -> str:
    return (
        f"Mechanisms by their noise, fixed in advance: {_counts_of(mechanisms, 'count')}; run one "
        "after the other, each free to depend on the answers before it."
    )


def _asked_sentence(queries: Sequence[Mapping[str, Any]]) -> str:
    return (
        "Queries, each answered from the rows that satisfy its predicate alone, by mechanisms "
        f"with this noise: {_counts_of(queries, 'where')}; noise and predicates fixed in advance, "
        "each answer free to depend on those before it."
    )


def _counts_of(entries: Sequence[Mapping[str, Any]], beside: str) -> str:
    counts: Counter[str] = Counter()
    for entry in entries:
        noise = {key: value for key, value in entry.items() if key != beside}
        counts[_in_words(noise)] += int(entry.get("count", 1))
    return "; ".join(f"{grouped(count)} × {noise}" for noise, count in counts.items())


def _in_words(value: object) -> str:
    """Nested parameters on one line."""
    if isinstance(value, Mapping) and "shuffled_reports" in value:
        plan = value["shuffled_reports"]
        odds = plan["odds"] if "odds" in plan else f"e^({plan['local_epsilon']})"
        who = "any randomizer, with odds at most"
        if "values" in plan:
            who = f"{plan['values']}-ary randomized response with odds"
        return f"{plan['reports']} shuffled reports of {who} {odds}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_in_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        more = f" + … ({grouped(len(value))} in all)" if len(value) > _MOST_LISTED else ""
        return " + ".join(map(_in_words, value[:_MOST_LISTED])) + more
    if value in ORDERS_OF_DATA:
        return str(value)
    return exact_text(ExactNumber.parse(str(value)))


def _budget_sentence(subject: Mapping[str, str]) -> str:
    measure = next(key for key in _ADDED if key in subject)
    size, delta = (exact_text(ExactNumber.parse(subject[key])) for key in (measure, "delta"))
    limit = f"({size})²" if measure == "mu" else size
    order = f" {exact_text(ExactNumber.parse(subject['alpha']))}" if "alpha" in subject else ""
    return (
        "A privacy budget with a spend log: each mechanism and its parameters may depend on all "
        f"answers before it, but {_ADDED[measure]}{order} never add up to more than {limit}, nor "
        f"their failures to more than {delta}."
    )


# --- how it was checked -------------------------------------------------------------------------


def _check_sentences(document: Mapping[str, Any]) -> Iterator[str]:
    """For each step, the sentences of its rule for the kind of bound that it proves."""
    statement, steps = document["statement"], document["derivation"]
    for step in steps:
        parameters = step["parameters"]
        kinds = RULES[step["rule"]].kinds
        kind: Kind = statement["kind"]
        claim = claim_of(document)
        if "bound" in parameters:
            claim = ExplainedClaim.of(kind, parameters, int(statement["group"]))
        values = _Values(parameters, claim, entries_of(document))
        values |= carried_in_words(parameters, statement["neighbouring"])
        yield kinds[kind].format_map(values)


class _Values(dict[str, object]):
    """What the names in the sentences of the table stand for, for one step."""

    def __init__(
        self, parameters: Mapping[str, Any], claim: ExplainedClaim, entries: list[EntryTexts]
    ) -> None:
        super().__init__(digits=parameters.get("digits", ""))
        for name in ("alpha", "noise", "pair", "threshold", "unit"):
            if name in parameters and parameters[name] != BEST:
                self[name] = exact_text(ExactNumber.parse(parameters[name]))
        one = len(parameters.get("rows", ())) == 1
        self["rows"] = "One row was" if one else "Two different rows were"
        self["masses_rounding"] = masses_rounding(parameters, claim.epsilon)
        self["nothing_left"] = nothing_left(entries)
        self["excess"] = excess(claim.epsilon)
        self["formula"] = formula_words(parameters)
