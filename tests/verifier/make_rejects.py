"""The corpora ``certs/reject`` and ``certs/accept``, made by hand and written deterministically.

Each file that must be rejected comes with the same certificate without the defect, which must be
accepted, so that the named clause is what stands between the two.

    python -m tests.verifier.make_rejects
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.verifier import (
    chains,
    closed_form_cases,
    conversion_cases,
    handmade,
    interactive_cases,
    parallel_cases,
)

CERTS = Path(__file__).resolve().parents[2] / "certs"
Certificate = dict[str, Any]

TWELVE: list[handmade.Entry] = [("1/10", "0", 12)]
PAIR: list[handmade.Entry] = [("ln(3)", "0", 2)]
HUNDRED: list[handmade.Entry] = [("1/10", "0", 100)]
MIXED: list[handmade.Entry] = [("3/10", "0", 1), ("7/1000", "0", 1), ("ln(2)", "0", 1)]
TENS: list[handmade.Entry] = [("123/1000", "0", 10)]
TENS_BELOW, TENS_ABOVE = "947/1000", "237/250"
LOSSY: list[handmade.Entry] = [("1", "1/10", 2)]
TINY = "1/1073741824"
BASE = handmade.simple("sum", "upper", TWELVE, "6/5", "0")


@dataclass(frozen=True)
class Case:
    """A bad file, what must be said of it, and the good file next to it."""

    name: str
    data: bytes
    verdict: str
    clause: str
    repaired: bytes


def written(value: object) -> bytes:
    return handmade.canonical_bytes(value)


def rejects() -> Iterator[Case]:
    yield from _byte_cases()
    yield from _shape_cases()
    yield from _number_cases()
    yield from _statement_cases()
    yield from _derivation_cases()
    yield from _parameter_cases()
    for name, bad, good, clause in conversion_cases.parameter_cases():
        yield Case(f"{name}.json", written(bad), "malformed", clause, written(good))
    yield from _workload_shape_cases()
    for rule, bad, good, clause in (*_rule_cases(), *chains.rejects()):
        name, _, what = rule.partition("/")
        yield Case(f"{name}/{what}.json", written(bad), "rejected", clause, written(good))
    for name, bad, good, clause in interactive_cases.shapes():
        yield Case(f"interactive/{name}.json", written(bad), "malformed", clause, written(good))


# --- the parser ---------------------------------------------------------------------------------


def _byte_cases() -> Iterator[Case]:
    good = written(BASE)
    text = good.decode()
    nested = "[" * 17 + "]" * 17
    defects = {
        "empty": (b"", "not JSON"),
        "final-newline": (good + b"\n", "not canonical JSON"),
        "trailing-bytes": (good + b"{}", "Extra data"),
        "leading-space": (b" " + good, "not canonical JSON"),
        "inner-space": (good.replace(b":", b": ", 1), "not canonical JSON"),
        "byte-order-mark": (b"\xef\xbb\xbf" + good, "byte-order mark"),
        "utf-16": (text.encode("utf-16"), "not UTF-8"),
        "utf-16-without-mark": (text.encode("utf-16-le"), "not JSON"),
        "overlong-utf-8": (good.replace(b"/10", b"\xc0\xaf10", 1), "not UTF-8"),
        "nul": (good + b"\0", "Extra data"),
        "key-order": (json.dumps(BASE, separators=(",", ":")).encode(), "not canonical JSON"),
        "escaped-letter": (good.replace(b"sum", b"s\\u0075m", 1), "not canonical JSON"),
        "escaped-slash": (good.replace(b"6/5", b"6\\/5", 1), "not canonical JSON"),
        "duplicate-key": (good.replace(b'{"cost"', b'{"cost":"1","cost"', 1), "duplicate key"),
        "lone-surrogate": (good.replace(b'"sum"', b'"\\ud800"', 1), "lone surrogate"),
        "lone-surrogate-in-key": (good.replace(b'"rule"', b'"\\udfff"', 1), "lone surrogate"),
        "json-number": (good.replace(b'"cost":"2000"', b'"cost":2000', 1), "a JSON number"),
        "json-float": (good.replace(b'"cost":"2000"', b'"cost":2e3', 1), "a JSON number"),
        "json-true": (good.replace(b'"cost":"2000"', b'"cost":true', 1), "a JSON literal true"),
        "json-null": (good.replace(b'"cost":"2000"', b'"cost":null', 1), "a JSON literal null"),
        "json-nan": (good.replace(b'"cost":"2000"', b'"cost":NaN', 1), "NaN"),
        "nested-too-deep": (good.replace(b'"2000"', nested.encode(), 1), "nested deeper"),
        "truncated": (good[:-1], "not JSON"),
    }
    for name, (data, clause) in defects.items():
        yield Case(f"bytes/{name}.json", data, "malformed", clause, good)


def _changed(path: str, value: object) -> Certificate:
    """The base certificate with the value at a path replaced, or removed if it is ``...``."""
    changed = copy.deepcopy(BASE)
    place: Any = changed
    *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
    for key in parents:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return handmade.resealed(changed)


def _shape_cases() -> Iterator[Case]:
    first = "statement.subject.mechanisms.0"
    step = "derivation.0"
    defects: dict[str, tuple[object, str]] = {
        "not-an-object": ([BASE], "certificate is not an object"),
        "unknown-key": (_changed("note", "x"), "certificate: unknown key note"),
        "missing-cost": (_changed("cost", ...), "certificate: missing key cost"),
        "another-format": (_changed("format", "exactdp-certificate/2"), "format is not one of"),
        "statement-not-an-object": (_changed("statement", "x"), "statement is not an object"),
        "statement-unknown-key": (_changed("statement.x", "y"), "statement: unknown key x"),
        "statement-missing-key": (_changed("statement.delta", ...), "missing key delta"),
        "kind": (_changed("statement.kind", "exact"), "kind is not one of"),
        "epsilon-not-a-string": (_changed("statement.epsilon", []), "epsilon is not a string"),
        "neighbouring": (_changed("statement.neighbouring", "rows"), "neighbouring is not one of"),
        "interaction": (_changed("statement.interaction", "parallel"), "interaction is not one"),
        "group": (_changed("statement.group", "0"), "group is not an integer"),
        "theorem-not-a-string": (_changed("statement.theorem", {}), "theorem is not a string"),
        "subject-type": (_changed("statement.subject.type", "log"), "subject type is not"),
        "subject-unknown-key": (_changed("statement.subject.k", "12"), "subject: unknown key k"),
        "mechanisms-not-an-array": (
            _changed("statement.subject.mechanisms", {}),
            "mechanisms is not an array",
        ),
        "mechanism-unknown-key": (_changed(f"{first}.label", "x"), "mechanism: unknown key label"),
        "mechanism-missing-key": (_changed(f"{first}.count", ...), "mechanism: missing key count"),
        "derivation-not-an-array": (_changed("derivation", {}), "derivation is not an array"),
        "derivation-empty": (_changed("derivation", []), "derivation does not have"),
        "derivation-too-long": (
            _changed("derivation", [BASE["derivation"][0]] * 1001),
            "derivation does not have",
        ),
        "step-unknown-key": (_changed(f"{step}.conclusion", "x"), "step: unknown key conclusion"),
        "step-missing-key": (_changed(f"{step}.premises", ...), "step: missing key premises"),
        "premises-not-an-array": (_changed(f"{step}.premises", "0"), "premises is not an array"),
        "premise-negative": (_changed(f"{step}.premises", ["-1"]), "premise is not an integer"),
        "parameters-not-an-object": (
            _changed(f"{step}.parameters", []),
            "parameters is not an object",
        ),
        "parameters-unknown-key": (
            _changed(f"{step}.parameters.digits", "30"),
            "parameters: unknown key digits",
        ),
        "parameters-missing-key": (
            _changed(f"{step}.parameters.bound", ...),
            "parameters: missing key bound",
        ),
        "bound": (_changed(f"{step}.parameters.bound", "both"), "bound is not one of"),
        "rule-not-a-string": (_changed(f"{step}.rule", []), "rule is not a string"),
    }
    for name, (value, clause) in defects.items():
        yield Case(f"shape/{name}.json", written(value), "malformed", clause, written(BASE))


def _number_cases() -> Iterator[Case]:
    texts = {
        "decimal": ("1.2", "not a canonical number"),
        "not-in-lowest-terms": ("12/10", "not a canonical number"),
        "denominator-one": ("2/1", "not a canonical number"),
        "leading-zero": ("06/5", "not a canonical number"),
        "plus-sign": ("+6/5", "not a canonical number"),
        "space": (" 6/5", "not a canonical number"),
        "minus-zero": ("-0", "not a canonical number"),
        "small-logarithm": ("ln(1/2)", "not a canonical number"),
        "unmerged-logarithms": ("ln(2) + ln(2)", "not a canonical number"),
        "unsorted-logarithms": ("ln(3) + ln(2)", "not a canonical number"),
        "empty": ("", "no number"),
        "word": ("infinity", "no number"),
        "unicode-digits": ("٣", "no number"),
        "trailing-letters": ("6/5x", "not a number"),
        "zero-denominator": ("1/0", "a division by 0"),
        "zero-to-a-negative-power": ("0^-1", "a division by 0"),
        "logarithm-of-zero": ("ln(0)", "ln(0)"),
        "logarithm-of-a-negative": ("ln(-1)", "no number"),
        "logarithm-not-closed": ("ln(2", "not a number"),
        "product-of-rationals": ("2*3", "not a number"),
        "huge-exponent": ("1e999999999", "too large a number"),
        "huge-negative-exponent": ("1e-999999999", "too large a number"),
        "huge-power": ("2^1048577", "too large a number"),
        "huge-tower": ("9^99999999999", "too large a number"),
        "power-of-more-bits": ("3^800000", "too large a number"),
        "exponent-of-5000-digits": (f"1e{'9' * 5000}", "too large a number"),
        "negative": ("-6/5", "epsilon is negative"),
        "negative-logarithm": ("ln(2) - ln(3)", "epsilon is negative"),
        "every-in-upper": ("every", "epsilon is every in a bound that is not lower"),
    }
    for name, (text, clause) in texts.items():
        data = written(_changed("statement.epsilon", text))
        yield Case(f"numbers/{name}.json", data, "malformed", clause, written(BASE))
    ties = range(101, 200, 2)  # the more logarithms, the fewer digits are allowed
    tiny = "-5000*ln(10)" + "".join(f" - 2*ln({n})" for n in ties)
    tiny += "".join(f" + ln({n * n})" for n in ties) + f" + ln(1{'0' * 4999}1)"
    data = written(_changed("statement.epsilon", tiny))
    clause = "a sign cannot be decided within the limits"
    yield Case("numbers/sign-beyond-all-digits.json", data, "rejected", clause, written(BASE))


def _statement_cases() -> Iterator[Case]:
    entry = {"count": "12", "delta": "0", "epsilon": "1/10"}
    other = {"count": "1", "delta": "0", "epsilon": "1/9"}
    mechanisms = "statement.subject.mechanisms"
    defects = {
        "delta-above-one": (_changed("statement.delta", "2"), "delta is not a rational from 0"),
        "delta-negative": (_changed("statement.delta", "-1"), "delta is not a rational from 0"),
        "delta-logarithm": (_changed("statement.delta", "ln(2)"), "delta is not a rational"),
        "mechanism-epsilon-negative": (
            _changed(f"{mechanisms}.0.epsilon", "-1/10"),
            "a mechanism's epsilon is negative",
        ),
        "mechanism-mu-negative": (
            _changed(f"{mechanisms}.0", {"count": "12", "mu": "-1/10"}),
            "a mechanism's mu or rho is not a rational",
        ),
        "mechanism-delta-one": (
            _changed(f"{mechanisms}.0.delta", "1"),
            "a mechanism's delta is 1",
        ),
        "mechanism-delta-above-one": (
            _changed(f"{mechanisms}.0.delta", "3/2"),
            "a mechanism's delta is not a rational",
        ),
        "count-zero": (_changed(f"{mechanisms}.0.count", "0"), "count is not an integer"),
        "count-fraction": (_changed(f"{mechanisms}.0.count", "1/2"), "count is not an integer"),
        "count-leading-zeros": (_changed(f"{mechanisms}.0.count", "007"), "not a canonical number"),
        "count-exponent": (_changed(f"{mechanisms}.0.count", "1e3"), "not a canonical number"),
        "count-too-large": (
            _changed(f"{mechanisms}.0.count", "1000000000000000001"),
            "count is not an integer",
        ),
        "mechanisms-unsorted": (_changed(mechanisms, [other, entry]), "not sorted and merged"),
        "mechanisms-duplicate": (_changed(mechanisms, [entry, entry]), "not sorted and merged"),
    }
    for name, (value, clause) in defects.items():
        yield Case(f"statement/{name}.json", written(value), "malformed", clause, written(BASE))


def _underivable(certificate: Certificate) -> Certificate:
    """A certificate of the kind that speaks of a formula, not of mechanisms."""
    changed = copy.deepcopy(certificate)
    changed["statement"]["kind"] = "underivable"
    changed["derivation"][0]["parameters"]["bound"] = "underivable"
    return handmade.resealed(changed)


def _derivation_cases() -> Iterator[Case]:
    step = BASE["derivation"][0]
    leaning = {**step, "premises": ["0"]}
    twice = handmade.sealed(BASE["statement"], [step, step], 4000)
    swapped = handmade.simple("sum", "upper", TWELVE, "7/5", "0")["digest"]
    dear = handmade.grid("upper", [("1/1000", "0", 10**6)], "1000", "1/2", unit="1/10000000")
    cheap = handmade.grid("upper", [("1/1000", "0", 10**6)], "1000", "1/2", unit="1/1000")
    defects = {
        "swapped-statement": ({**BASE, "digest": swapped}, "digest", BASE),
        "digest-in-capitals": ({**BASE, "digest": BASE["digest"].upper()}, "digest", BASE),
        "cost-understated": (_changed("cost", "1999"), "cost 1999 is stated, 2000", BASE),
        "cost-overstated": (_changed("cost", "2001"), "cost 2001 is stated, 2000", BASE),
        "unknown-rule": (_changed("derivation.0.rule", "trust-me"), "unknown rule", BASE),
        "concurrent": (
            _changed("statement.interaction", "concurrent"),
            "rests on another theorem",
            BASE,
        ),
        "other-notion": (
            _changed("statement.subject.mechanisms.0", {"count": "12", "mu": "1/10"}),
            "given by epsilon and delta alone",
            BASE,
        ),
        "underivable": (
            _underivable(BASE),
            "proves upper and lower bounds only",
            BASE,
        ),
        "wrong-theorem": (_changed("statement.theorem", "definition"), "another theorem", BASE),
        "step-not-used": (twice, "step 0 is not used", BASE),
        "forward-premise": (_changed("derivation.0.premises", ["1"]), "not an earlier step", BASE),
        "own-premise": (_changed("derivation.0.premises", ["0"]), "not an earlier step", BASE),
        "premise-of-a-rule-without": (
            handmade.sealed(BASE["statement"], [step, leaning], 4000),
            "takes no premises",
            BASE,
        ),
        "other-epsilon": (
            _changed("derivation.0.parameters.epsilon", "7/5"),
            "concludes another statement",
            BASE,
        ),
        "other-delta": (
            _changed("derivation.0.parameters.delta", "1/5"),
            "concludes another statement",
            BASE,
        ),
        "other-bound": (
            _changed("derivation.0.parameters.bound", "lower"),
            "concludes another statement",
            BASE,
        ),
        "cost-above-the-limit": (dear, "exceeds the limit", cheap),
    }
    for name, (value, clause, good) in defects.items():
        verdict = "refused" if name == "cost-above-the-limit" else "rejected"
        yield Case(f"derivation/{name}.json", written(value), verdict, clause, written(good))


def _parameter_cases() -> Iterator[Case]:
    grid = handmade.grid("upper", TWELVE, "2", "1/10", unit="1/10")
    lattice = handmade.lattice("upper", TWELVE, "2", "1/10", logs=0)
    defects = {
        "unit-zero": (grid, "unit", "0", "unit is not positive"),
        "unit-negative": (grid, "unit", "-1/10", "unit is not positive"),
        "unit-zero-of-logarithms": (grid, "unit", "-2*ln(2) + ln(4)", "unit is not positive"),
        "unit-not-canonical": (grid, "unit", "0.1", "not a canonical number"),
        "digits-zero": (grid, "digits", "0", "digits is not an integer"),
        "digits-too-many": (grid, "digits", "20001", "digits is not an integer"),
        "sums-zero": (lattice, "sums", "0", "sums is not an integer"),
        "sums-too-many": (lattice, "sums", "10000001", "sums is not an integer"),
        "sums-fraction": (lattice, "sums", "3/2", "sums is not an integer"),
    }
    for name, (good, key, text, clause) in defects.items():
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = text
        yield Case(f"parameters/{name}.json", written(bad), "malformed", clause, written(good))


def _workload_shape_cases() -> Iterator[Case]:
    for name, value, clause in parallel_cases.shapes():
        about_a_row = name.startswith("overlap-witness")
        good = parallel_cases.WITNESS if about_a_row else parallel_cases.COLOURING
        yield Case(f"{name}.json", written(value), "malformed", clause, written(good))


# --- the rules ----------------------------------------------------------------------------------

RuleCase = tuple[str, Certificate, Certificate, str]


def _rule_cases() -> Iterator[RuleCase]:
    yield from _closed_cases()
    yield from _rational_odds_cases()
    yield from _grid_cases()
    yield from _lattice_cases()
    yield from _bracket_cases()
    yield from _counterexamples()
    yield from conversion_cases.rule_cases()
    yield from closed_form_cases.cases()
    yield from parallel_cases.cases()
    yield from interactive_cases.cases()


def _closed_cases() -> Iterator[RuleCase]:
    def simple(rule: str, kind: str, epsilon: str, delta: str) -> Certificate:
        return handmade.simple(rule, kind, LOSSY, epsilon, delta)

    def vacuous(kind: str, delta: str) -> Certificate:
        return handmade.certificate("vacuous", kind, TWELVE, "0", delta, cost=1)

    good = vacuous("upper", "1")
    yield "vacuous/delta-below-one", vacuous("upper", "1/2"), good, "delta is not 1"
    yield "vacuous/lower", vacuous("lower", "1"), good, "proves upper bounds only"

    good = simple("sum", "upper", "2", "19/100")
    yield "sum/epsilon-too-small", simple("sum", "upper", "1", "19/100"), good, "below the sum"
    bad = simple("sum", "upper", "1999999999/1000000000", "19/100")
    yield "sum/epsilon-just-below", bad, good, "epsilon is below the sum"
    bad = simple("sum", "upper", "2", "189999999/1000000000")
    yield "sum/delta-just-below", bad, good, "delta is too small"
    good = simple("sum", "lower", "1999999999/1000000000", "19/100")
    yield "sum/equality-in-lower", simple("sum", "lower", "2", "19/100"), good, "not below the sum"
    bad = simple("sum", "lower", "1999999999/1000000000", "190000001/1000000000")
    yield "sum/delta-just-above", bad, good, "delta is too large"
    bad = simple("sum", "lower", "0", "1")
    yield "sum/lower-at-delta-one", bad, good, "delta is too large"
    yield "sum/every", simple("sum", "lower", "every", "19/100"), good, "epsilon is every"

    good = simple("infeasible", "lower", "every", "9/50")
    bad = simple("infeasible", "lower", "every", "19/100")
    yield "infeasible/feasible-exactly", bad, good, "delta is feasible"
    yield "infeasible/delta-one", simple("infeasible", "lower", "every", "1"), good, "feasible"
    yield "infeasible/one-epsilon", simple("infeasible", "lower", "1", "9/50"), good, "not every"
    bad = simple("infeasible", "upper", "1", "9/50")
    yield "infeasible/upper", bad, good, "proves lower bounds only"


def _rational_odds_cases() -> Iterator[RuleCase]:
    def odds(kind: str, epsilon: str, sums: int = 3) -> Certificate:
        return handmade.rational_odds(kind, PAIR, epsilon, "1/10", sums=sums)

    rule = "rational-odds"
    good = odds("upper", "ln(37/5)")
    bad = odds("upper", "ln(36999999/5000000)")
    yield f"{rule}/upper-just-below", bad, good, "the divergence is above Δ"
    bad = odds("upper", "50037/25000")
    yield (
        f"{rule}/upper-rational-epsilon-just-below",
        bad,
        odds("upper", "1251/625"),
        "the divergence is above Δ",
    )
    good = odds("lower", "ln(36999999/5000000)")
    bad = odds("lower", "ln(37/5)")
    yield f"{rule}/lower-equality", bad, good, "the divergence is not above Δ"
    yield f"{rule}/lower-above", odds("lower", "3"), good, "the divergence is not above Δ"
    yield f"{rule}/every", odds("lower", "every"), good, "epsilon is every"
    good = odds("upper", "ln(37/5)")
    bad = odds("upper", "ln(37/5)", sums=2)
    yield f"{rule}/too-few-sums-for-a-group", bad, good, "more distinct sums than stated"
    bad, good = odds("upper", "100000000"), odds("upper", "100")
    yield f"{rule}/epsilon-beyond-exponentials", bad, good, "an exponential that is too large"
    two = [*PAIR, ("ln(2)", "0", 2)]
    good = handmade.rational_odds("upper", two, "5", "1/10", sums=9)
    bad = handmade.rational_odds("upper", two, "5", "1/10", sums=8)
    yield f"{rule}/too-few-sums", bad, good, "more distinct sums than stated"
    good = odds("lower", "1")
    bad = handmade.certificate(
        rule, "lower", [("1", "0", 2)], "1", "1/10", cost=1, digits="30", sums="4"
    )
    yield f"{rule}/irrational-odds", bad, good, "the odds of an epsilon are not rational"
    bad = handmade.certificate(
        rule, "lower", [("1/2*ln(3)", "0", 2)], "0", "1/10", cost=1, digits="30", sums="4"
    )
    yield f"{rule}/half-a-logarithm", bad, good, "the odds of an epsilon are not rational"
    huge = [("ln(2)", f"1/{2**4000}", 1100)]
    bad = handmade.rational_odds("lower", huge, "1", "1/10", sums=1101)
    good = handmade.rational_odds("lower", [("ln(2)", "1/2", 2)], "0", "1/10")
    yield f"{rule}/deltas-too-large", bad, good, "too large"


def _grid_cases() -> Iterator[RuleCase]:
    def grid(
        kind: str, epsilon: str, delta: str = TINY, unit: str = "1/10", digits: int = 30
    ) -> Certificate:
        return handmade.grid(kind, HUNDRED, epsilon, delta, unit=unit, digits=digits)

    upper = grid("upper", "596706683/100000000")
    lower = grid("lower", "298353341/50000000")
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    yield "grid/upper-just-below", grid("upper", "298353341/50000000"), upper, above
    yield "grid/lower-just-above", grid("lower", "596706683/100000000"), lower, below
    bad = grid("upper", "596706683/100000000", digits=8)
    yield "grid/upper-too-few-digits", bad, upper, above
    bad = grid("lower", "298353341/50000000", digits=8)
    yield "grid/lower-too-few-digits", bad, lower, below
    bad = grid("upper", "596706683/100000000", unit="3/100")
    yield "grid/upper-unit-that-does-not-divide", bad, upper, above
    bad = grid("lower", "298353341/50000000", unit="3/100")
    yield "grid/lower-unit-that-does-not-divide", bad, lower, below
    bad = grid("lower", "298353341/50000000", unit="1")
    yield "grid/lower-unit-above-every-epsilon", bad, lower, below
    huge = [("1" + "0" * 60, "0", 1)]
    bad = handmade.certificate(
        "grid", "upper", huge, "6", TINY, cost=10**9, digits="30", unit="1/3"
    )
    yield "grid/too-many-units", bad, upper, "too many units"
    tiny = "1/1" + "0" * 30_000
    bad = handmade.certificate(
        "grid", "upper", HUNDRED, "6", TINY, cost=10**9, digits="30", unit=tiny
    )
    yield "grid/unit-beyond-all-digits", bad, upper, "the unit is too small"
    shrinking = [("1/10", f"{10**60 - 1}/{10**60}", 1)]
    bad, good = (
        handmade.grid("upper", shrinking, "1", "1", unit="1/10", digits=digits)
        for digits in (1, 100)
    )
    yield "grid/too-few-digits-for-the-deltas", bad, good, "too few digits"
    every = handmade.grid("lower", HUNDRED, "every", TINY, unit="1/10")
    yield "grid/every", every, lower, "epsilon is every"


def _lattice_cases() -> Iterator[RuleCase]:
    def lattice(kind: str, epsilon: str, sums: int = 8, digits: int = 30) -> Certificate:
        return handmade.lattice(kind, MIXED, epsilon, "1/100", logs=1, sums=sums, digits=digits)

    upper = lattice("upper", "966687929/1000000000")
    lower = lattice("lower", "120835991/125000000")
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    yield "lattice/upper-below", lattice("upper", "120835991/125000000"), upper, above
    yield "lattice/lower-above", lattice("lower", "966687929/1000000000"), lower, below
    yield (
        "lattice/too-few-sums",
        lattice("upper", "966687929/1000000000", sums=7),
        upper,
        "more distinct",
    )
    yield (
        "lattice/upper-too-few-digits",
        lattice("upper", "966687929/1000000000", digits=2),
        upper,
        above,
    )
    yield (
        "lattice/lower-too-few-digits",
        lattice("lower", "120835991/125000000", digits=2),
        lower,
        below,
    )
    yield "lattice/every", lattice("lower", "every"), lower, "epsilon is every"


def _bracket_cases() -> Iterator[RuleCase]:
    def upper(
        epsilon: str, unit: str = "1/100", digits: int = 30, kind: str = "upper"
    ) -> Certificate:
        return handmade.connect_the_dots(
            TENS, epsilon, "1/1000", unit=unit, digits=digits, kind=kind
        )

    def lower(
        epsilon: str, unit: str = "1/100", digits: int = 30, kind: str = "lower"
    ) -> Certificate:
        return handmade.gridded_test(TENS, epsilon, "1/1000", unit=unit, digits=digits, kind=kind)

    rule, above, below = (
        "connect-the-dots",
        "not proved to be at most Δ",
        "not proved to be above Δ",
    )
    good = upper(TENS_ABOVE)
    yield f"{rule}/below-the-truth", upper(TENS_BELOW), good, above
    yield f"{rule}/too-coarse-a-mesh", upper(TENS_ABOVE, unit="1/2"), good, above
    yield f"{rule}/too-few-digits", upper(TENS_ABOVE, digits=3), good, above
    many: list[handmade.Entry] = [("1/10", "0", 10**5)]
    bad = handmade.connect_the_dots(many, "1", "1/1000", unit="1/10", digits=1)
    yield f"{rule}/no-weight-at-these-digits", bad, good, above
    yield f"{rule}/irrational-unit", upper(TENS_ABOVE, "ln(2)"), good, "not rational"
    yield f"{rule}/lower", upper(TENS_BELOW, kind="lower"), good, "proves upper bounds only"
    rule = "gridded-test"
    good = lower(TENS_BELOW)
    yield f"{rule}/above-the-truth", lower(TENS_ABOVE), good, below
    yield f"{rule}/too-coarse-a-mesh", lower(TENS_BELOW, unit="10"), good, below
    yield f"{rule}/too-few-digits", lower(TENS_BELOW, digits=3), good, below
    bad = handmade.gridded_test(many, "1", "1/1000", unit="1/10", digits=1)
    yield f"{rule}/no-weight-at-these-digits", bad, good, below
    yield f"{rule}/upper", lower(TENS_ABOVE, kind="upper"), good, "proves lower bounds only"
    yield f"{rule}/irrational-unit", lower(TENS_BELOW, "ln(2)"), good, "not rational"
    yield f"{rule}/every", lower("every"), good, "epsilon is every"


def _counterexamples() -> Iterator[RuleCase]:
    """False claims that would pass if the rule took a known short cut (test_counterexamples)."""
    above = "not proved to be at most Δ"
    entries: list[handmade.Entry] = [("-1/4 + ln(3)", "0", 4)]
    yield (
        "lattice/basis-element-rounded-up",
        handmade.lattice("upper", entries, "2856873/1000000", "1/10", logs=1),
        handmade.lattice("upper", entries, "2857/1000", "1/10", logs=1),
        above,
    )
    for name, entries, delta, bad, good in (
        ("masses-rounded-independently", [("3", "0", 2)], "1/10", "146/25", "589/100"),
        ("curves-compared-from-one-up", [("11/10", "0", 5)], "1/4", "1", "641/200"),
    ):
        unit = entries[0][0]
        yield (
            f"connect-the-dots/{name}",
            handmade.connect_the_dots(entries, bad, delta, unit=unit),
            handmade.connect_the_dots(entries, good, delta, unit=unit),
            above,
        )


# --- good files ---------------------------------------------------------------------------------


def accepts() -> dict[str, bytes]:
    """One certificate for each rule and bound: the worked examples of the SPEC."""
    found: Callable[..., Certificate] = handmade.simple
    good = {
        "vacuous-upper": handmade.vacuous(TWELVE),
        "sum-upper": BASE,
        "sum-lower": found("sum", "lower", TWELVE, "119/100", "0"),
        "infeasible-lower": found("infeasible", "lower", LOSSY, "every", "9/50"),
        "rational-odds-upper": handmade.rational_odds("upper", PAIR, "ln(37/5)", "1/10"),
        "rational-odds-lower": handmade.rational_odds("lower", PAIR, "2", "1/10"),
        "grid-upper": handmade.grid("upper", HUNDRED, "596706683/100000000", TINY, unit="1/10"),
        "grid-lower": handmade.grid("lower", HUNDRED, "298353341/50000000", TINY, unit="1/10"),
        "connect-the-dots-upper": handmade.connect_the_dots(
            TENS, TENS_ABOVE, "1/1000", unit="1/100"
        ),
        "gridded-test-lower": handmade.gridded_test(TENS, TENS_BELOW, "1/1000", unit="1/100"),
        "lattice-upper": handmade.lattice("upper", MIXED, "966687929/1000000000", "1/100", logs=1),
        "lattice-lower": handmade.lattice("lower", MIXED, "120835991/125000000", "1/100", logs=1),
        "empty-ledger": found("sum", "upper", [], "0", "0"),
        **conversion_cases.accepts(),
        **parallel_cases.accepts(),
    }
    good |= chains.accepts()
    good |= closed_form_cases.accepts()
    good |= interactive_cases.accepts()
    return {f"{name}.json": written(value) for name, value in good.items()}


def manifest() -> bytes:
    """The verdict and the words that must occur in the reason, for each bad file."""
    entries = {case.name: {"verdict": case.verdict, "clause": case.clause} for case in rejects()}
    return (json.dumps(entries, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def main() -> None:
    """Write both corpora."""
    files = {f"reject/{case.name}": case.data for case in rejects()}
    files["reject/manifest.json"] = manifest()
    files |= {f"accept/{name}": data for name, data in accepts().items()}
    for name, data in files.items():
        target = CERTS / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


if __name__ == "__main__":
    main()
