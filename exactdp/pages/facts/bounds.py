r"""What is known of the field's closed forms, beside the optimum.

Rules of this file: a bound is rounded up, and how far it lies above the optimum too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    scientific_above,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import RULES
from exactdp.composition.closed_forms.bounds import Bounds
from exactdp.composition.closed_forms.curves import OPTIMAL
from exactdp.composition.closed_forms.proofs import RowProof
from exactdp.composition.closed_forms.rows import Bound
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, result_of, shown, titled
from exactdp.pages.facts.interleaving import interleaved_fact
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import bounds_text, delta_of, grouped
from exactdp.pages.phrases import (
    bound_beside,
    mechanisms_of,
    nothing_promised,
    promise_of,
    promised,
    standing_text,
)

MEMBERS: Final = "delta mechanisms neighbouring optimum reason bounds files group theorem"
_BOUND: Final = (
    "bound formula theorem assumes reason epsilon certified above_optimum evidence "
    "no_certificate_because"
)
_COLUMNS = (
    "over",
    "x",
    "bound",
    "epsilon",
    "above_optimum_at_least",
    "above_optimum_at_most",
    "theorem",
    "assumes",
    "reason",
)
_CSV_PLACES = 20
_DIGITS_OF_EXCESS: Final = 4
_OPTIMAL_THEOREM: Final = "Murtagh, Vadhan 2018, Theorem 1.5"
_ASSUMES: Final = "parameters fixed in advance"
_ABOVE: Final = titled("above the optimum by at most", COMPUTED)
_TITLES: Final = ("bound", "ε at most", _ABOVE, "evidence")


def bounds_facts(
    answer: Bounds, rows: Sequence[Sequence[Fact]], group: int, theorem: str | None
) -> list[Fact]:
    """The bounds, and what they are about."""
    of_whom = f"groups of {grouped(group)}: every mechanism scaled for the group"
    return [
        delta_fact(answer.delta),
        fact("mechanisms", answer.ledger.size),
        fact("neighbouring", answer.ledger.neighbouring),
        fact("optimum", _optimum(answer)),
        fact("reason", answer.reason),
        fact("bounds", [result_of(row, _BOUND) for row in rows]),
        *([] if group == 1 else [fact("group", str(group), "for", of_whom)]),
        *([] if theorem is None else [interleaved_fact(theorem)]),
    ]


def bound_facts(row: Bound, places: int, proof: RowProof | None) -> list[Fact]:
    """A closed form: what it gives, how far that lies above the optimum, and what proves it."""
    form, excess = row.form, row.excess
    most, above, certified, loose = "none", None, None, row.reason
    if row.epsilon is not None:
        certified = shortest_text(row.epsilon)
        lower, upper = enclose_in_decimals(row.epsilon, places)
        most, above = bounds_text(lower, upper)[1], decimal_text(upper)
        loose = "" if excess is None else scientific_above(excess[1], _DIGITS_OF_EXCESS)
    kind = COMPUTED if proof is None or proof.certificate is None else "certificate"
    between = None if excess is None else ends(*excess)
    return [
        fact("bound", form.name, _TITLES[0], form.name),
        fact("epsilon", above, _TITLES[1], most),
        labelled("above_optimum", between, COMPUTED, "above the optimum by at most", loose),
        fact("evidence", kind, _TITLES[3], "" if above is None else kind),
        fact("certified", certified),
        fact("formula", row.formula),
        fact("theorem", form.source),
        fact("assumes", form.assumes),
        fact("reason", row.reason),
        *([] if proof is None or row.epsilon is None else _proof_facts(proof)),
    ]


def _proof_facts(proof: RowProof) -> list[Fact]:
    """Why a bound that was to be proved has no certificate."""
    return [fact("no_certificate_because", proof.reason)] if proof.reason else []


def unproved_lines(answer: Bounds, proofs: Mapping[str, RowProof]) -> list[str]:
    """Of each bound that was to be proved and was not, why there is no certificate."""
    rows = [row for row in answer.rows if row.epsilon is not None and row.formula in proofs]
    found = [(row.form.name, proofs[row.formula].reason) for row in rows]
    return [f"no certificate of {name}: {reason}" for name, reason in found if reason]


def optimum_facts(answer: Bounds) -> list[Fact]:
    """The optimum as the first line of the table."""
    name, optimum = _name_of_optimum(answer), answer.optimum
    if optimum is None:
        return _texts(_TITLES, (name, "not found", answer.reason, ""))
    if optimum.upper_end is None or optimum.lower_end is None:
        return _texts(
            _TITLES, (name, "none", "infeasible: no finite ε is enough", optimum.evidence)
        )
    least = optimum.lower_end or optimum.upper_end
    most = bounds_text(least, optimum.upper_end)[1]
    return _texts(_TITLES, (name, most, "", optimum.evidence))


def theorem_facts(answer: Bounds) -> list[list[Fact]]:
    """By which theorem each bound holds, and what that assumes."""
    theorems = []
    if answer.optimum is not None:
        theorems.append((_name_of_optimum(answer), _theorem_of_optimum(answer), _ASSUMES))
    theorems += [(row.form.name, row.form.source, row.form.assumes) for row in answer.rows]
    return [_texts(("bound", "theorem", "assumes"), row) for row in theorems]


def _texts(titles: Iterable[str], texts: Iterable[str]) -> list[Fact]:
    return [shown(title, text) for title, text in zip(titles, texts, strict=True)]


def _optimum(answer: Bounds) -> dict[str, object] | None:
    optimum = answer.optimum
    if optimum is None:
        return None
    exact = None if optimum.exact is None else shortest_text(optimum.exact)
    found = ends(optimum.lower_end, optimum.upper_end)
    theorem = _theorem_of_optimum(answer)
    return {**found, "exact": exact, "evidence": optimum.evidence, "theorem": theorem}


def bounds_sentence(answer: Bounds, places: int, group: int) -> str:
    """What is certified, and the best that a closed form gives."""
    forms = [(row.epsilon, row.form.name) for row in answer.rows if row.epsilon is not None]
    ends = [(_above(epsilon, places), name) for epsilon, name in forms]
    least = min(ends, default=None)
    beside = bound_beside(None if least is None else (least[1], decimal_text(least[0])))
    optimum = answer.optimum
    if optimum is None:
        at = delta_of(answer.delta, up=True)
        return f"The least ε was not computed at δ = {at}; {beside}."
    if optimum.upper_end is None:
        return nothing_promised(answer.delta)
    promise = promise_of(optimum.upper_end, answer.delta)
    lower = optimum.lower_end if group == 1 else None  # a group may fare better than the scaled
    standing = standing_text(lower, optimum.upper_end, answer.delta, optimum.evidence)
    subject = mechanisms_of(answer.ledger)
    return promised(subject, promise, f"{standing}; {beside}", group=group)


def _name_of_optimum(answer: Bounds) -> str:
    if answer.ledger.given_by == "epsilon-delta":
        return "optimal composition"
    return "least, as computed" if _is_computed(answer) else "best certified"


def _is_computed(answer: Bounds) -> bool:
    """Whether the optimum was computed without a certificate."""
    return answer.optimum is not None and answer.optimum.evidence == "computed"


def _theorem_of_optimum(answer: Bounds) -> str:
    if answer.optimum is not None and answer.optimum.computed_because:
        return "none yet: the greatest privacy losses add up"
    if answer.optimum is None or not answer.optimum.derivations:
        return _OPTIMAL_THEOREM
    return RULES[answer.optimum.derivations[0].rule].theorem.citation.rstrip(".")


def bounds_csv(answer: Bounds, curves: Iterable[tuple[str, str, str, str]]) -> str:
    """The table, and below it the points of the curves."""
    page = io.StringIO()
    writer = csv.DictWriter(page, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    if answer.optimum is not None and answer.optimum.upper_end is not None:
        writer.writerow(_csv_row("ledger", "", OPTIMAL, decimal_text(answer.optimum.upper_end)))
    for row in answer.rows:
        value = "" if row.epsilon is None else decimal_text(_above(row.epsilon, _CSV_PLACES))
        texts = {"theorem": row.form.source, "assumes": row.form.assumes, "reason": row.reason}
        for column, end in zip(_COLUMNS[4:6], row.excess or (), strict=False):
            texts[column] = decimal_text(end)
        writer.writerow(_csv_row("ledger", "", row.form.name, value) | texts)
    writer.writerows(_csv_row(*point) for point in curves)
    return page.getvalue()


def _csv_row(over: str, x: str, bound: str, epsilon: str) -> dict[str, str]:
    return {"over": over, "x": x, "bound": bound, "epsilon": epsilon}


def _above(number: ExactNumber, places: int) -> mpq:
    return enclose_in_decimals(number, places)[1]
