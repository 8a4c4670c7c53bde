r"""A certificate in plain words.

Rules of this file: the verifier is asked first, and what it does not accept is not explained as
if it were true; a printed number is exact, or rounded so that the sentence stays true.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.explanations import interactive
from exactdp.cli.explanations.chains import CHAINS, THEOREMS_OF_INTERLEAVING
from exactdp.cli.explanations.conversions import CONVERSIONS, THEOREMS_OF_CONVERSIONS
from exactdp.cli.output import print_json
from exactdp.cli.rendering import (
    columns,
    delta_of,
    epsilon_of,
    exact_text,
    facts,
    grouped,
    show,
)
from exactdp.cli.verification import VerificationRequest, read_file
from exactdp.verifier import Verdict

_SHOWN_MECHANISMS: Final = 20

_THEOREMS: Final = {
    "murtagh-vadhan-2018-theorem-1.5": "The optimal composition theorem: Murtagh and Vadhan, "
    "Theory of Computing 14(8), 2018, Theorem 1.5; for adaptive composition, Theorem 3.4 of the "
    "TCC 2016 version.",
    "definition": "The definition of differential privacy alone.",
    "dwork-rothblum-vadhan-2010-theorem-3.3": "Advanced composition: Dwork, Rothblum and Vadhan, "
    "FOCS 2010, Theorem III.3; Theorem 3.20 of Dwork and Roth, 2014.",
    "kairouz-oh-viswanath-2015-theorem-3.4": "Composition of mechanisms that are alike: Kairouz, "
    "Oh and Viswanath, ICML 2015, Theorem 3.4 of arXiv 1311.0776v4.",
    "kairouz-oh-viswanath-2015-theorem-3.5": "Composition of mechanisms that differ: Kairouz, Oh "
    "and Viswanath, ICML 2015, Theorem 3.5 of arXiv 1311.0776v4.",
    "murtagh-vadhan-2018-theorem-1.4": "Composition of mechanisms that are alike, in steps of "
    "their ε: Murtagh and Vadhan, Theory of Computing 14(8), 2018, Theorem 1.4.",
    **THEOREMS_OF_CONVERSIONS,
    **THEOREMS_OF_INTERLEAVING,
}
_NEIGHBOURING: Final = {
    "unspecified": "Neighbouring inputs are those of the mechanisms, whatever they are.",
    "add-remove-one": "Neighbouring inputs differ by adding or removing one.",
    "replace-one": "Neighbouring inputs differ by replacing one.",
}
_INTERACTION: Final = {
    "adaptive": "run one after the other, each free to depend on the answers before it.",
    "concurrent": "all open at once: an adversary interleaves its questions to them as it likes.",
}
_LIMITS: Final = (
    "That the mechanisms are private with these parameters, and that the parameters were fixed in "
    "advance, is taken as given: no certificate of composition can show it."
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """What an accepted certificate states, and the parameters of one of its steps."""

    kind: str
    epsilon: ExactNumber | None
    delta: mpq
    entries: tuple[Mapping[str, str], ...]
    trees: int
    neighbouring: str
    interaction: str
    group: int
    step: Mapping[str, str]
    reduction: Mapping[str, Any]

    @staticmethod
    def of(document: Mapping[str, Any], step: int = -1) -> _Statement:
        """What a certificate states; with what a step concludes, for any but the last."""
        parameters = document["derivation"][step]["parameters"]
        statement = document["statement"]
        if step != -1:
            statement = {**statement, **parameters}
        every = statement["epsilon"] == "every"
        subject = statement["subject"]
        interactive = subject["type"] == "interactive"
        return _Statement(
            statement["kind"],
            None if every else ExactNumber.parse(statement["epsilon"]),
            ExactNumber.parse(statement["delta"]).rational,
            () if interactive else tuple(_entries(subject)),
            len(subject["mechanisms"]) if interactive else 0,
            statement["neighbouring"],
            statement["interaction"],
            int(statement["group"]),
            parameters,
            _reduction(document),
        )

    @property
    def upper(self) -> bool:
        return self.kind == "upper"

    @property
    def size(self) -> int:
        return sum(int(each["count"]) for each in self.entries)

    @property
    def privacy(self) -> str:
        """The property in words, its numbers rounded so that what is said of it stays true."""
        delta = delta_of(self.delta, up=self.upper)
        of_whom = "" if self.group == 1 else f" for groups of up to {grouped(self.group)}"
        if self.epsilon is None:
            return f"(ε, δ)-differentially private{of_whom} with δ = {delta}, whatever the finite ε"
        epsilon = epsilon_of(self.epsilon, up=self.upper)
        return f"(ε, δ)-differentially private{of_whom} with ε = {epsilon} and δ = {delta}"


def _reduction(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """What stands in for a workload: the parameters of the first step, or nothing."""
    workload = document["statement"]["subject"]["type"] == "workload"
    return document["derivation"][0]["parameters"] if workload else {}


def explain(file: str, question: VerificationRequest, *, as_json: bool) -> int:
    """Print what a certificate says; return the verifier's exit code."""
    data = read_file(file, "certificate")
    verdict = question.ask(data)
    if verdict.status != "accepted":
        _refuse(verdict, as_json=as_json)
        return verdict.exit_code
    document = json.loads(data)
    statement = _Statement.of(document)
    sentences = {
        "claim": _claim(statement),
        "subject": _subject(statement),
        "theorem": _THEOREMS.get(verdict.theorem, f"{verdict.theorem} (see certs/SPEC.md)."),
        "check": " ".join(
            _check(rule, _Statement.of(document, step - len(verdict.rules)))
            for step, rule in enumerate(verdict.rules)
        ),
        "limits": interactive.LIMITS if statement.trees else _LIMITS,
    }
    if as_json:
        ends = {"digest": document["digest"], "verdict": verdict.line}
        print_json("explain", {"status": verdict.status, **sentences, **ends})
    else:
        _show(sentences, statement, document["digest"], verdict)
    return 0


def _refuse(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        print_json("explain", {"status": verdict.status, "reason": verdict.reason})
        return
    end = (
        "It was not checked, so it is not explained; raise --max-cost to check it."
        if verdict.status == "refused"
        else "It proves nothing, so there is nothing to explain."
    )
    show(verdict.line, end, prose=True)


def _claim(statement: _Statement) -> str:
    if statement.trees:
        return interactive.claim(statement.privacy, upper=statement.upper)
    if statement.reduction:
        return _claim_about_workload(statement)
    if statement.upper:
        return f"However these mechanisms are composed, the whole is {statement.privacy}."
    if statement.kind == "underivable":
        return (
            "The formula of the theorem below does not give, from these parameters, that the whole "
            f"is {statement.privacy}. That is about the formula alone: it refutes no promise, as "
            "the mechanisms may well be better than the formula can tell."
        )
    return (
        f"Some composition of these mechanisms is not {statement.privacy}. From their parameters "
        "alone, nobody may promise that, or anything stronger."
    )


def _subject(statement: _Statement) -> str:
    if statement.trees:
        return interactive.subject(statement.trees)
    if not statement.entries:
        return "No mechanisms at all."
    if statement.reduction:
        return (
            f"{grouped(statement.size)} queries, each answered from the rows that satisfy its "
            "predicate alone, by mechanisms with the parameters below; parameters and predicates "
            "fixed in advance, each answer free to depend on those before it. "
            f"{_NEIGHBOURING[statement.neighbouring]}"
        )
    noun = "mechanism" if statement.size == 1 else "mechanisms"
    size = grouped(statement.group)
    group = f" A group of {size} is reached in {size} such steps." if statement.group > 1 else ""
    return (
        f"{grouped(statement.size)} {noun} with the parameters below, fixed in advance, "
        f"{_INTERACTION[statement.interaction]} {_NEIGHBOURING[statement.neighbouring]}{group}"
    )


def _check_vacuous(statement: _Statement) -> str:
    del statement
    return "δ is 1, and no probability exceeds 1: the claim would hold of any mechanism."


def _check_sum(statement: _Statement) -> str:
    if statement.upper:
        return (
            "The ε were added up: the sum is at most the ε claimed. The probabilities 1 − δ were "
            "multiplied: the δ claimed covers all failures. Both were compared exactly, "
            "logarithms in symbols."
        )
    return (
        "The ε were added up: the sum is more than the ε claimed. The probabilities 1 − δ were "
        "multiplied: the δ claimed leaves nothing beyond the failures, so that nothing below the "
        "sum is enough. Both were compared exactly, logarithms in symbols."
    )


def _check_infeasible(statement: _Statement) -> str:
    if any("epsilon" not in each for each in statement.entries):
        return (
            "The probabilities 1 − δ of the mechanisms were multiplied and compared with 1 − δ of "
            "the claim, exactly. The product leaves nothing to Gaussian noise, which no finite ε "
            "describes without some δ of its own."
        )
    return (
        "The probabilities 1 − δ of the mechanisms were multiplied and compared with 1 − δ of the "
        "claim, exactly. The product is smaller: the composition may fail outright more often "
        "than the claim allows."
    )


def _check_rational_odds(statement: _Statement) -> str:
    side = "does not exceed" if statement.upper else "exceeds"
    exact = statement.epsilon is not None and statement.epsilon.rational_odds() is not None
    rounding = "without any rounding" if exact else "only e^ε of the claim rounded, to its harm"
    return (
        "Every odds ratio e^ε of the mechanisms is rational. The theorem's sum over all sets of "
        f"mechanisms was computed in whole numbers, {rounding}. It {side} what δ allows."
    )


def _check_grid(statement: _Statement) -> str:
    way = "up" if statement.upper else "down"
    return (
        f"Every ε was taken as a multiple of {_unit(statement)}, rounded {way} where it is none. "
        "The distribution of the privacy loss was then computed anew, "
        f"{_rounded(statement)}. {_lost(statement)}"
    )


def _check_lattice(statement: _Statement) -> str:
    return (
        "There are few distinct sums of these ε. Each sum was formed exactly, and its probability "
        f"{_rounded(statement)}. {_lost(statement)}"
    )


def _check_connect_the_dots(statement: _Statement) -> str:
    return (
        "The mechanisms were gathered into small groups, and all combinations of answers of a "
        "group listed. Each combination's privacy loss was replaced by the multiples of "
        f"{_unit(statement)} on either side of it, with probabilities that can only make the whole "
        f"more revealing. The distribution of the sum was computed {_rounded(statement)}. "
        f"{_lost(statement)} (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PoPETs 2022.)"
    )


def _check_gridded_test(statement: _Statement) -> str:
    return (
        "An event was found that tells two neighbouring inputs apart better than the claim "
        "allows. It sorts outcomes by their privacy loss, counted roughly in units of "
        f"{_unit(statement)}; its probabilities were computed from the true ε, "
        f"{_rounded(statement)}. Any event would do: how the losses are counted decides how good "
        "the bound is, not whether it holds."
    )


def _check_advanced_composition(statement: _Statement) -> str:
    return (
        "Every mechanism was taken to be as bad as the worst, with ε and δ the greatest of all. "
        "What the δ claimed leaves beyond k times that δ is δ', exactly. The theorem's formula, "
        f"ε·√(2k·ln(1/δ')) + k·ε·(e^ε − 1), was computed {_above(statement)}: the ε claimed is no "
        "less."
    )


def _check_kairouz_oh_viswanath(statement: _Statement) -> str:
    return (
        "The theorem's bound is the least of three, with the δ̃ that the δ claimed forces: the sum "
        "of the ε, compared exactly; and, with the mean M of the privacy loss and the sum V of the "
        f"squares of the ε, M + √(2V·ln(e + √V/δ̃)) and M + √(2V·ln(1/δ̃)), {_above(statement)}. "
        "The ε claimed is no less than one of them."
    )


def _check_murtagh_vadhan_steps(statement: _Statement) -> str:
    return (
        "The mechanisms are alike, so that the privacy loss moves in steps of their ε. At the "
        "greatest such step that does not pass the ε claimed, the theorem's sum is 0, or was "
        f"computed anew, {_rounded(statement)}. {_lost(statement)}"
    )


def _above(statement: _Statement) -> str:
    return f"in whole numbers of at least {statement.step['digits']} decimal digits, rounded up"


def _entries(subject: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """The parameters of a subject with their counts; those of a workload's queries, merged."""
    if subject["type"] == "ledger":
        return list(subject["mechanisms"])
    counts: Counter[tuple[tuple[str, str], ...]] = Counter()
    for query in subject["queries"]:
        counts[tuple(sorted((key, query[key]) for key in query if key != "where"))] += 1
    return [{**dict(entry), "count": str(count)} for entry, count in counts.items()]


def _claim_about_workload(statement: _Statement) -> str:
    if statement.upper:
        return f"However these queries are answered, the whole is {statement.privacy}."
    return (
        f"Some way of answering these queries is not {statement.privacy}. From their parameters "
        "and predicates alone, nobody may promise that, or anything stronger."
    )


def _check_overlap_witness(statement: _Statement) -> str:
    return (
        "One row was given by its values "
        f"({len(statement.reduction['row'])} of them named, all others the first). Every query "
        "was asked whether that row satisfies it; the mechanisms of those that it does see the "
        "row together, and compose as follows."
    )


def _check_parallel_colouring(statement: _Statement) -> str:
    return (
        f"The queries were sorted into classes ({grouped(len(statement.reduction['colours']))}), "
        "and any two of a class were found to have no row in common. A row meets at most one of "
        "each class, so that one mechanism with the greatest parameters of its class stands for "
        "all of it. (Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022.)"
    )


def _unit(statement: _Statement) -> str:
    return exact_text(ExactNumber.parse(statement.step["unit"]))


def _rounded(statement: _Statement) -> str:
    return f"in whole numbers of {statement.step['digits']} decimal digits, rounded down"


def _lost(statement: _Statement) -> str:
    if statement.upper:
        return (
            "What rounding lost was counted against the claim, and still the theorem's sum does "
            "not exceed what δ allows."
        )
    return "Even so the theorem's sum exceeds what δ allows."


_CHECKS: Final[Mapping[str, Callable[[_Statement], str]]] = {
    "vacuous": _check_vacuous,
    "sum": _check_sum,
    "infeasible": _check_infeasible,
    "rational-odds": _check_rational_odds,
    "grid": _check_grid,
    "lattice": _check_lattice,
    "connect-the-dots": _check_connect_the_dots,
    "gridded-test": _check_gridded_test,
    "advanced-composition": _check_advanced_composition,
    "kairouz-oh-viswanath-homogeneous": _check_kairouz_oh_viswanath,
    "kairouz-oh-viswanath-heterogeneous": _check_kairouz_oh_viswanath,
    "murtagh-vadhan-1.4": _check_murtagh_vadhan_steps,
    "post-processing": lambda _: interactive.POST_PROCESSING,
    "distinguishing-adversary": lambda statement: interactive.adversary(
        every=statement.epsilon is None
    ),
    "overlap-witness": _check_overlap_witness,
    "parallel-colouring": _check_parallel_colouring,
}


def _check(rule: str, statement: _Statement) -> str:
    for checks in (CONVERSIONS, CHAINS):
        if rule in checks:
            return checks[rule](statement.kind, statement.step)
    known = _CHECKS.get(rule)
    return known(statement) if known else f"By the rule {rule} of certs/SPEC.md, section 7."


_SYMBOLS: Final = {"epsilon": "ε", "mu": "μ", "rho": "ρ"}


def _titled(statement: _Statement) -> str:
    """The title of the first column: the symbol that all entries share, or "parameter"."""
    symbols = {_SYMBOLS[key] for each in statement.entries for key in _SYMBOLS if key in each}
    return symbols.pop() if len(symbols) == 1 else "parameter"


def _notion(entry: Mapping[str, str]) -> str:
    """The first parameter of an entry, named where ε does not go without saying."""
    key = next(key for key in _SYMBOLS if key in entry)
    value = _parameter(entry, key)
    return value if key == "epsilon" else f"{_SYMBOLS[key]} = {value}"


def _parameter(entry: Mapping[str, str], key: str) -> str:
    return exact_text(ExactNumber.parse(entry[key])) if key in entry else ""


def _show(
    sentences: Mapping[str, str], statement: _Statement, digest: str, verdict: Verdict
) -> None:
    rows: Sequence[tuple[str, str, str]] = [
        (_notion(each), _parameter(each, "delta"), grouped(int(each["count"])))
        for each in statement.entries[:_SHOWN_MECHANISMS]
    ]
    more = len(statement.entries) - len(rows)
    if more:
        rows = [*rows, ("…", "", f"and {grouped(more)} more kinds")]
    said = {
        "claimed": sentences["claim"],
        "of": sentences["subject"],
        "": columns([_titled(statement), "δ", "count"], rows) if rows else None,
        "by": sentences["theorem"],
        "checked": sentences["check"],
        "not checked": sentences["limits"],
        "digest": f"SHA-256 {digest}",
    }
    show(facts((name, value) for name, value in said.items() if value), prose=True)
    show("", verdict.line)
