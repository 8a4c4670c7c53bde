r"""The sentence on top of an answer: what is proved or refuted, of what, and on what condition.

Rules of this file: each function gives one sentence of plain English, with subject and verb, that
ends in a full stop; a number in it is rounded so that it stays true. Pages and terminals take
their sentences from here, so that each stands once. Nothing here computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger
from exactdp.pages.number_text import delta_of, epsilon_of, exact_text, grouped, rational_text
from exactdp.pages.standing import Opening

if TYPE_CHECKING:
    from exactdp.workloads.workload import Workload

COMPUTED_ALONE: Final = "This was computed, and no certificate shows it."
TAKEN_AS_GIVEN: Final = (
    "That the mechanisms are private with these parameters, and that the parameters were fixed in "
    "advance, is taken as given: no certificate of composition can show it."
)
_SINGULAR: Final = 1


def counted(number: int, singular: str, plural: str = "") -> str:
    """A count with its noun.

    >>> counted(1, "query", "queries"), counted(2000, "mechanism")
    ('1 query', '2 000 mechanisms')
    """
    noun = singular if number == _SINGULAR else plural or f"{singular}s"
    return f"{grouped(number)} {noun}"


def budget_text(epsilon: ExactNumber, delta: mpq) -> str:
    """A budget, or a claim, as part of a sentence."""
    return f"ε = {exact_text(epsilon)} at δ = {rational_text(delta)}"


def heading(ledger: Ledger) -> str:
    """Name and size of a ledger, in one line."""
    parts = [counted(ledger.size, "mechanism")]
    if ledger.unit_of_privacy:
        parts.append(f"protecting one {ledger.unit_of_privacy}")
    size = ", ".join(parts)
    return f"{ledger.name}: {size}" if ledger.name else size


# --- what mechanisms are together ---------------------------------------------------------------


def mechanisms_of(ledger: Ledger) -> str:
    """The mechanisms of a ledger, how they are used, and by what neighbours differ.

    >>> from exactdp import Mechanism
    >>> mechanisms_of(Ledger((Mechanism(1, 0, 2),)))
    '2 mechanisms run in turn, each free to depend on the answers before'
    >>> mechanisms_of(Ledger((Mechanism(1, 0),), neighbouring="replace-one"))
    '1 mechanism, for one record that is replaced'
    """
    whom = next((each.PROTECTS for each in ledger.mechanisms if each.PROTECTS), "")
    unit = differing(ledger.unit_of_privacy or whom, ledger.neighbouring)
    if ledger.size == _SINGULAR:
        return f"1 mechanism{unit}"
    how = "used at the same time" if ledger.interaction == "concurrent" else "run in turn"
    mechanisms = f"{counted(ledger.size, 'mechanism')} {how}"
    return f"{mechanisms}, each free to depend on the answers before{unit}"


def queries_of(workload: Workload) -> str:
    """The queries of a workload, and by what neighbours differ."""
    queries = counted(len(workload), "query", "queries")
    row = differing("row", workload.neighbouring)
    return f"{queries}{row}" if len(workload) == _SINGULAR else f"{queries} answered in turn{row}"


_DIFFER: Final = {
    "unspecified": "",
    "add-remove-one": " that is added or removed",
    "replace-one": " that is replaced",
    "zero-out": " whose contribution becomes 0",
}


def differing(unit: str, neighbouring: str) -> str:
    """By what neighbours differ, within a sentence; nothing where neither is known.

    >>> differing("", "add-remove-one"), differing("user", "unspecified")
    (', for one record that is added or removed', ', for one user')
    """
    how = _DIFFER[neighbouring]
    return f", for one {unit or 'record'}{how}" if unit or how else ""


def promise_of(epsilon: mpq, delta: mpq) -> tuple[str, str]:
    """The numbers of a promise as its sentence has them, neither below its value."""
    return epsilon_of(ExactNumber(epsilon), up=True), delta_of(delta, up=True)


def promise_text(epsilon: str, delta: str) -> str:
    """The promised numbers, within a sentence."""
    return f"ε ≤ {epsilon} at δ = {delta}"


def standing_text(lower: mpq | None, upper: mpq, delta: mpq, evidence: str = "certificate") -> str:
    """How sure an upper bound is, and how close to the truth.

    Where δ is rounded in the sentence, nothing is said from below: a greater δ needs a smaller ε.

    >>> standing_text(mpq(1, 2), mpq(1), mpq(0)), standing_text(mpq(1), mpq(1), mpq(0))
    ('certified; not below 0.5', 'certified; tight')
    """
    word = "certified" if evidence == "certificate" else "computed"
    if not lower or delta_of(delta, up=True) != delta_of(delta, up=False):
        return word
    least, most = epsilon_of(ExactNumber(lower), up=False), epsilon_of(ExactNumber(upper), up=True)
    return f"{word}; tight" if least == most else f"{word}; not below {least}"


def promised(
    subject: str, promise: tuple[str, str], standing: str = "certified", *, group: int = 1
) -> str:
    """The number first, then how sure it is, and of what.

    >>> promised("2 queries", ("1", "0"), "certified; not below 0.9", group=3)
    'ε ≤ 1 at δ = 0 for groups of 3 (certified; not below 0.9): 2 queries.'
    """
    whom = "" if group == _SINGULAR else f" for groups of {grouped(group)}"
    return f"{promise_text(*promise)}{whom} ({standing}): {subject}."


def nothing_promised(delta: mpq) -> str:
    """δ is exceeded whatever ε is."""
    return (
        f"With δ = {delta_of(delta, up=True)}, no ε whatsoever can be promised: mechanisms with "
        "these parameters may break any, with a greater probability."
    )


def nothing_derived(delta: mpq, whom: str) -> str:
    """No ε was derived, which does not say that there is none."""
    return f"With δ = {delta_of(delta, up=True)}, no ε is derived for {whom}."


def composed(
    ledger: Ledger,
    epsilon: ExactNumber | mpq | None,
    delta: mpq,
    standing: str = "certified",
    *,
    group: int = 1,
) -> str:
    """What the mechanisms of a ledger promise together; without an ε, that they promise none."""
    if epsilon is None:
        whom = f"groups of {grouped(group)}"
        return nothing_promised(delta) if group == _SINGULAR else nothing_derived(delta, whom)
    number = epsilon if isinstance(epsilon, ExactNumber) else ExactNumber(epsilon)
    promise = epsilon_of(number, up=True), delta_of(delta, up=True)
    return promised(mechanisms_of(ledger), promise, standing, group=group)


def profiled(ledger: Ledger, points: Sequence[tuple[str, str]], evidence: str, group: int) -> str:
    """What a profile says: its first point, and how many more there are."""
    if not points:
        return "No point of the privacy profile was asked for."
    more = len(points) - 1
    also = f"; {counted(more, 'more point')} below" if more else ""
    return promised(mechanisms_of(ledger), points[0], f"{evidence}{also}", group=group)


def attacked(unit: str, neighbouring: str, gain: str) -> str:
    """What no attack on membership gains, whatever it knows.

    >>> attacked("", "replace-one", "Right with a probability ≤ 0.6 from a prior of 0.5")[52:]
    'no attack on which of two records is there does better, whatever else it knows.'
    """
    one = unit or "record"
    replaced = neighbouring == "replace-one"
    whom = f"which of two {one}s is there" if replaced else f"the membership of one {one}"
    return f"{gain}: no attack on {whom} does better, whatever else it knows."


def outcome_rejects(claim: str, level: str, rejected: bool | None) -> str:
    """What the outcome of an attack says of a claim, and what that means."""
    if not rejected:
        return f"This outcome does not reject {claim} at level {level}, and shows nothing for it."
    return (
        f"This outcome rejects {claim} at level {level}: the test's type I error, over "
        f"experiments of this design, is at most {level}."
    )


# --- claims -------------------------------------------------------------------------------------


def claim_follows(claim: str, *, with_equality: bool) -> str:
    """A claim is true of the parameters."""
    also = ", and nothing smaller does" if with_equality else ""
    return f"The claim {claim} follows from the parameters in this ledger{also}."


def claim_fails(claim: str) -> str:
    """A claim is refuted."""
    return (
        f"The claim {claim} does not follow from the parameters in this ledger: some mechanisms "
        "that keep these parameters break it."
    )


def claim_open(claim: str, outcome: str, because: str = "") -> str:
    """A claim is neither proved nor refuted."""
    return f"The claim {claim} is {outcome}{because}."


def claims_counted(
    following: int, refuted: tuple[int, int], claims: int, ledgers: int, computed: int = 0
) -> str:
    """How many claims hold, hold as computed alone, are refuted, and are neither.

    Args:
        following: claims that hold, with a certificate.
        refuted: claims that are refuted, and how many of these without a certificate.
        claims: all claims.
        ledgers: those that state them.
        computed: claims that hold, without a certificate.
    """
    within = "this ledger" if ledgers == _SINGULAR else f"{grouped(ledgers)} ledgers"
    if not claims:
        states = "states" if ledgers == _SINGULAR else "state"
        subject = "This ledger" if ledgers == _SINGULAR else f"These {grouped(ledgers)} ledgers"
        return f"{subject} {states} no claim: there was nothing to judge."
    open_claims = claims - following - computed - refuted[0]
    follow = "follows" if following == _SINGULAR else "follow"
    first = f"{following} of {counted(claims, 'claim')} in {within} {follow} from the parameters"
    also = "follows" if computed == _SINGULAR else "follow"
    parts = [f"{computed} {also} as computed, without a certificate"] if computed else []
    alone = f" ({refuted[1]} as computed, without a certificate)" if refuted[1] else ""
    parts += [f"{refuted[0]} {_are(refuted[0])} refuted{alone}"] if refuted[0] else []
    parts += [f"{open_claims} {_are(open_claims)} not settled"] if open_claims else []
    last = [f"and {each}" for each in parts[-1:]]
    return f"{', '.join([first, *parts[:-1], *last])}."


def _are(number: int) -> str:
    return "is" if number == _SINGULAR else "are"


# --- budgets ------------------------------------------------------------------------------------


def scale_kept(size: int, budget: str, ends: tuple[str, str]) -> str:
    """By how much mechanisms may be scaled within a budget."""
    keep, they = ("keeps", "it does not") if size == _SINGULAR else ("keep", "they do not")
    return (
        f"{counted(size, 'mechanism')}, scaled by {ends[0]}, {keep} the budget {budget}; scaled "
        f"by {ends[1]} {they}."
    )


def count_kept(label: str, fits: int, budget: str) -> str:
    """How many more of a mechanism a budget has room for."""
    verb = "fits" if fits == _SINGULAR else "fit"
    return f"{grouped(fits)} more of {label} {verb} into the budget {budget}."


def dial_kept(label: str, setting: str, budget: str) -> str:
    """The noise, or the rate, with which a budget is kept."""
    return f"The budget {budget} is kept if {label} has {setting}."


def budget_unkept(what: str, budget: str, reason: str) -> str:
    """No number is the most that a budget allows."""
    return f"The budget {budget} gives no {what}: {reason.rstrip('.')}."


def shared(budgets: Sequence[str], statistics: int, kept: int) -> str:
    """A budget is shared among statistics, or cannot be."""
    keep = "keeps" if statistics == 1 else "together keep"
    subject = counted(statistics, "statistic")
    if len(budgets) == _SINGULAR:
        kept_one = f"{keep} the budget {budgets[0]} as below"
        return f"{subject} {kept_one if kept else f'cannot keep the budget {budgets[0]}'}."
    return f"{subject} {keep} {grouped(kept)} of {grouped(len(budgets))} budgets as below."


# --- pages --------------------------------------------------------------------------------------


def reported(heads: Sequence[Opening], place: str) -> str:
    """Where a page is, and what it says of its ledgers."""
    standings = [each.standing for each in heads]
    if len(heads) == _SINGULAR:
        return f"Report written to {place}. Verdict: {heads[0].headword.lower()}."
    parts = [
        f"{standings.count(each)} {each}"
        for each in ("proved", "computed", "refuted", "infeasible", "unsettled", "mixed")
        if each in standings
    ]
    return f"Report written to {place}. Verdicts: {', '.join(parts)}."


# --- other answers ------------------------------------------------------------------------------


def bound_beside(least: tuple[str, str] | None) -> str:
    """How the closest closed form compares, within a sentence."""
    if least is None:
        return "no closed form gives an ε"
    return f"the closest closed form gives {least[1]}: {least[0]}"


def accountants_low(names: Sequence[str], asked: int, at: str) -> str:
    """Which accountants are refuted by so little that nobody is accused."""
    little = "by less than 1e-6 in ε or 1e-3 of δ"
    if asked == _SINGULAR:
        return f"The one answer is too small {at}, {little}: {names[0]}."
    verb = "is" if len(names) == _SINGULAR else "are"
    answers = counted(asked, "answer")
    return f"{len(names)} of {answers} {verb} too small {at}, {little}: {', '.join(names)}."


def accountants_negative(names: Sequence[str], at: str) -> str:
    """Which accountants give a number that is below one that is refuted."""
    return f"A negative number is no answer, and 0 is too small {at}: {', '.join(names)}."


def accountants_refuted(names: Sequence[str], asked: int, at: str) -> str:
    """Which accountants promise what is false."""
    if not asked:
        return f"No accountant gave an answer that can be judged {at}."
    answers = counted(asked, "answer")
    if not names:
        none = "The one answer is not" if asked == _SINGULAR else f"None of {answers} is"
        return f"{none} shown to promise too little {at}."
    if asked == _SINGULAR:
        return f"The one answer promises what is false {at}: {names[0]}."
    verb = "promises" if len(names) == _SINGULAR else "promise"
    return f"{len(names)} of {answers} {verb} what is false {at}: {', '.join(names)}."
