"""Bad certificates whose defect is in the format, in the statement, or in how steps are joined.

Each is a change of one good certificate, and stands beside that.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.verifier import handmade
from tests.verifier.optimum_cases import TWELVE

Certificate = dict[str, Any]

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


def cases() -> Iterator[Case]:
    yield from _byte_cases()
    yield from _shape_cases()
    yield from _number_cases()
    yield from _statement_cases()
    yield from _derivation_cases()
    yield from _parameter_cases()


# --- the parser ---------------------------------------------------------------------------------


def _byte_cases() -> Iterator[Case]:
    good = written(BASE)
    stated = b'"count":"12"'
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
        "duplicate-key": (good.replace(b'"count"', b'"count":"1","count"', 1), "duplicate key"),
        "lone-surrogate": (good.replace(b'"sum"', b'"\\ud800"', 1), "lone surrogate"),
        "lone-surrogate-in-key": (good.replace(b'"rule"', b'"\\udfff"', 1), "lone surrogate"),
        "json-number": (good.replace(stated, b'"count":12', 1), "a JSON number"),
        "json-float": (good.replace(stated, b'"count":12e0', 1), "a JSON number"),
        "json-true": (good.replace(stated, b'"count":true', 1), "a JSON literal true"),
        "json-null": (good.replace(stated, b'"count":null', 1), "a JSON literal null"),
        "json-nan": (good.replace(stated, b'"count":NaN', 1), "NaN"),
        "nested-too-deep": (
            good.replace(stated, b'"count":' + nested.encode(), 1),
            "nested deeper",
        ),
        "truncated": (good[:-1], "not JSON"),
    }
    for name, (data, clause) in defects.items():
        yield Case(f"bytes/{name}.json", data, "malformed", clause, good)


def _changed(path: str, value: object) -> Certificate:
    """The base certificate with the value at a path replaced, or removed if it is ``...``."""
    return handmade.changed(BASE, path, value)


def _shape_cases() -> Iterator[Case]:
    first = "statement.subject.mechanisms.0"
    step = "derivation.0"
    defects: dict[str, tuple[object, str]] = {
        "not-an-object": ([BASE], "certificate is not an object"),
        "unknown-key": (_changed("note", "x"), "certificate: unknown key note"),
        "a-cost": (_changed("cost", "1"), "certificate: unknown key cost"),
        "missing-format": (_changed("format", ...), "certificate: missing key format"),
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
        "subject-without-type": (
            _changed("statement.subject.type", ...),
            "subject is not an object with a type",
        ),
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
    not_canonical = {
        "decimal": "1.2",
        "not-in-lowest-terms": "12/10",
        "denominator-one": "2/1",
        "plus-sign": "+6/5",
        "space": " 6/5",
        "minus-zero": "-0",
        "small-logarithm": "ln(1/2)",
        "unmerged-logarithms": "ln(2) + ln(2)",
        "unsorted-logarithms": "ln(3) + ln(2)",
    }
    not_numbers = {
        "leading-zero": "06/5",
        "empty": "",
        "word": "infinity",
        "unicode-digits": "٣",
        "trailing-letters": "6/5x",
        "logarithm-of-a-negative": "ln(-1)",
        "logarithm-not-closed": "ln(2",
        "product-of-rationals": "2*3",
    }
    too_large = {
        "one-bit-too-many": "9" * 19_729,
        "too-many-bits-together": " + ".join(f"ln({'7' * 15_000}{n})" for n in range(3)),
        "huge-exponent": "1e999999999",
        "huge-negative-exponent": "1e-999999999",
        "huge-power": "2^1048577",
        "huge-tower": "9^99999999999",
        "power-of-more-bits": "3^800000",
        "exponent-of-5000-digits": f"1e{'9' * 5000}",
    }
    texts = {
        **{name: (text, "not a canonical number") for name, text in not_canonical.items()},
        **{name: (text, "not a number") for name, text in not_numbers.items()},
        **{name: (text, "too large a number") for name, text in too_large.items()},
        "zero-denominator": ("1/0", "a division by 0"),
        "zero-to-a-negative-power": ("0^-1", "a division by 0"),
        "logarithm-of-zero": ("ln(0)", "ln(0)"),
        "more-than-1000-logarithms": (
            " + ".join(f"ln({n})" for n in range(2, 1003)),
            "more than 1000 logarithms",
        ),
        "negative": ("-6/5", "epsilon is negative"),
        "negative-logarithm": ("ln(2) - ln(3)", "epsilon is negative"),
        "every-in-upper": ("every", "epsilon is every in a bound that is not lower"),
    }
    for name, (text, clause) in texts.items():
        data = written(_changed("statement.epsilon", text))
        yield Case(f"numbers/{name}.json", data, "malformed", clause, written(BASE))
    tiny = f"-1000*ln(10) + ln(1{'0' * 999}1)"
    ties = "".join(f" - 2*ln({n})" for n in range(101, 200, 2))
    ties += "".join(f" + ln({n * n})" for n in range(101, 200, 2))
    for name, text, clause in (
        ("sign-beyond-all-digits", tiny, "a sign cannot be decided within the limits"),
        ("tie-of-many-logarithms", f"-100*ln(10){ties} + ln(1{'0' * 99}1)", "too many logarithms"),
    ):
        data = written(_changed("statement.epsilon", text))
        yield Case(f"numbers/{name}.json", data, "rejected", clause, written(BASE))


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
        "count-leading-zeros": (_changed(f"{mechanisms}.0.count", "007"), "not a number"),
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
    twice = handmade.sealed(BASE["statement"], [step, step])
    swapped = handmade.simple("sum", "upper", TWELVE, "7/5", "0")["digest"]
    expensive, cheap = (
        handmade.atoms("upper", [("ln(2)", "0", count)], "200000", "1/2") for count in (10**5, 10)
    )
    defects = {
        "swapped-statement": ({**BASE, "digest": swapped}, "digest", BASE),
        "digest-in-capitals": ({**BASE, "digest": BASE["digest"].upper()}, "digest", BASE),
        "unknown-rule": (_changed("derivation.0.rule", "trust-me"), "unknown rule", BASE),
        "concurrent": (
            _changed("statement.interaction", "concurrent"),
            "rests on another theorem",
            BASE,
        ),
        "other-notion": (
            _changed("statement.subject.mechanisms.0", {"count": "12", "mu": "1/10"}),
            "is not about mechanisms given by mu",
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
            handmade.sealed(BASE["statement"], [step, leaning]),
            "does not fit: takes nothing, not Bounds(mechanisms)",
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
        "beyond-the-limit": (expensive, "and what comes next takes", cheap),
    }
    for name, (value, clause, good) in defects.items():
        verdict = "refused" if name == "beyond-the-limit" else "rejected"
        yield Case(f"derivation/{name}.json", written(value), verdict, clause, written(good))


def _parameter_cases() -> Iterator[Case]:
    grid = handmade.grid("upper", TWELVE, "2", "1/10", unit="1/10")
    lattice = handmade.rounded_atoms("upper", TWELVE, "2", "1/10")
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
