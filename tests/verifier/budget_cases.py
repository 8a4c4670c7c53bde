"""Good and bad certificates about budgets, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 9 and 11.19, alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.verifier import handmade

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]
ShapeCase = tuple[str, Certificate, str]
Entry = dict[str, str]

THEOREMS: Final = {
    "epsilon": "rogers-roth-ullman-vadhan-2016-basic-filter",
    "rho": "whitehouse-ramdas-rogers-wu-2023-zcdp-filter",
    "renyi": "feldman-zrnic-2021-renyi-filter",
    "mu": "koskela-tobaben-honkela-2023-gdp-filter",
}
CANONNE: Final = "canonne-kamath-steinke-2020-corollary-13"
AT_ONCE: Final = {"rule": "filter", "parameters": {}}
GAUSSIAN: Final = "dong-roth-su-2022-corollary-2.13"
OPTIMAL: Final = handmade.MURTAGH_VADHAN
TENTH: Final = "1/10000000000"
DIGEST: Final = "0" * 64
BEYOND: Final = "a list of Rényi divergences ends below alpha"


def budget(delta: str = "0", **parts: object) -> dict[str, Any]:
    return {"type": "budget", "delta": delta, **parts}


def about(
    subject: Mapping[str, Any], kind: str, theorem: str, epsilon: str, delta: str
) -> dict[str, Any]:
    """The statement."""
    return {
        **handmade.statement(kind, [], epsilon, delta, theorem, interaction="fully-adaptive"),
        "subject": dict(subject),
    }


def filter_sum(subject: Mapping[str, Any], epsilon: str, delta: str) -> Certificate:
    claim = (epsilon, delta)
    return by_ledger(AT_ONCE, subject, "upper", THEOREMS["epsilon"], claim, "sum")


def filter_renyi(
    subject: Mapping[str, Any], epsilon: str, delta: str, digits: int = 30, alpha: str = "8"
) -> Certificate:
    claim, further = (epsilon, delta), {"alpha": alpha, "digits": str(digits)}
    theorem = THEOREMS["renyi"]
    return by_ledger(AT_ONCE, subject, "upper", theorem, claim, "moments", **further)


def by_ledger(
    first: Mapping[str, Any],
    subject: Mapping[str, Any],
    kind: str,
    theorem: str,
    claim: tuple[str, str],
    rule: str,
    **parameters: str,
) -> Certificate:
    """A certificate by a ledger that stands in."""
    epsilon, delta = claim
    given = {"bound": kind, "epsilon": epsilon, "delta": delta, **parameters}
    steps = [
        {"premises": [], **first},
        {"rule": rule, "premises": ["0"], "parameters": given},
    ]
    return handmade.sealed(about(subject, kind, theorem, epsilon, delta), steps)


def fixed(*entries: Entry) -> dict[str, Any]:
    return {"rule": "filter", "parameters": {"mechanisms": list(entries)}}


def entry(**parts: str) -> Entry:
    return {"count": "1", **parts}


def conversion(subject: Mapping[str, Any], epsilon: str, delta: str, alpha: str) -> Certificate:
    digits = 40
    return by_ledger(
        AT_ONCE,
        subject,
        "upper",
        THEOREMS["rho"],
        (epsilon, delta),
        "moments",
        alpha=alpha,
        digits=str(digits),
    )


def gaussian(
    first: Mapping[str, Any],
    subject: Mapping[str, Any],
    kind: str,
    epsilon: str,
    delta: str,
) -> Certificate:
    digits = 30
    theorem = THEOREMS["mu"] if kind == "upper" else GAUSSIAN
    claim = (epsilon, delta)
    return by_ledger(first, subject, kind, theorem, claim, "gaussian", digits=str(digits))


def lower_sum(
    first: Mapping[str, Any], subject: Mapping[str, Any], epsilon: str, delta: str
) -> Certificate:
    return by_ledger(first, subject, "lower", OPTIMAL, (epsilon, delta), "sum")


PURE = filter_sum(budget("1/1000000", epsilon="1"), "1", "1/1000000")
RENYI = filter_renyi(budget(renyi="1/2", alpha="8"), "511/250", "1/1000000")
CENSUS = conversion(
    budget(rho="293764/114921"), str(Fraction("17.143550744")), TENTH, "39110531/10000000"
)
LOSSY = conversion(budget("1/100000000000", rho="293764/114921"), "18", TENTH, "39/10")
ONE_MU = gaussian(AT_ONCE, budget(mu="1"), "upper", str(Fraction("6.547924067")), TENTH)
BELOW_MU = gaussian(fixed(entry(mu="1")), budget(mu="1"), "lower", str(Fraction("6.547924")), TENTH)
HALVES = fixed(entry(epsilon="1/2", delta="1/10"))
BELOW_SUM = lower_sum(HALVES, budget("1/10", epsilon="1/2"), "49/100", "1/10")
BELOW_RENYI = lower_sum(
    fixed(entry(epsilon="1/2", delta="0")), budget(renyi="1/4", alpha="2"), "49/100", "0"
)


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and what else a budget may hold."""
    named = {"digest": DIGEST, "size": "1", "delta": "0"}
    with_log = budget("1/1000000", epsilon="1", log=named)
    return {
        "filter-rho": CENSUS,
        "filter-sum": PURE,
        "filter-sum-more": filter_sum(budget("1/1000000", epsilon="1"), "2", "1"),
        "filter-sum-log": filter_sum(with_log, "1", "1/1000000"),
        "filter-renyi": RENYI,
        "filter-rho-failures": LOSSY,
        "filter-mu": ONE_MU,
        "filter-mu-failures": gaussian(
            AT_ONCE, budget("1/100000000000", mu="1"), "upper", "7", TENTH
        ),
        "filter-lower-gaussian": BELOW_MU,
        "filter-lower-sum": BELOW_SUM,
        "filter-lower-renyi": BELOW_RENYI,
        "filter-lower-rho": gaussian(
            fixed(entry(mu="1"), entry(rho="1/2")), budget(rho="1"), "lower", "8", TENTH
        ),
    }


def shapes() -> Iterator[ShapeCase]:
    """Malformed budgets and steps, each one change away from a good certificate."""
    subject = "statement.subject"
    long = f"1/{2**2048}"
    for name, base, key, value, clause in (
        ("no-measure", PURE, "epsilon", ..., "a budget has one of epsilon, mu, renyi, rho"),
        ("two-measures", PURE, "rho", "1", "a budget has one of epsilon, mu, renyi, rho"),
        ("unknown-key", PURE, "unit", "x", "unknown key unit"),
        ("delta-missing", PURE, "delta", ..., "missing key delta"),
        ("delta-one", PURE, "delta", "1", "a budget's delta is 1 or more"),
        ("negative", PURE, "epsilon", "-1", "epsilon is not a rational at least 0"),
        ("logarithm", PURE, "epsilon", "ln(2)", "epsilon is not a rational at least 0"),
        ("long", PURE, "epsilon", long, "a budget's epsilon has more than 2048 bits"),
        ("alpha-missing", RENYI, "alpha", ..., "missing key alpha"),
        ("alpha-one", RENYI, "alpha", "1", "a budget's alpha is not above 1"),
        ("alpha-without-orders", PURE, "alpha", "2", "unknown key alpha"),
        ("log-not-an-object", PURE, "log", "x", "log is not an object"),
        ("log-digest", PURE, "log", _line(digest="A" * 64), "digest is not 64 hexadecimal digits"),
        ("log-short", PURE, "log", _line(digest="a" * 63), "digest is not 64 hexadecimal digits"),
        ("log-negative", PURE, "log", _line(size="-1"), "size is not a rational at least 0"),
    ):
        yield f"budget/{name}", handmade.changed(base, f"{subject}.{key}", value), clause
    yield (
        "budget/adaptive",
        handmade.changed(PURE, "statement.interaction", "adaptive"),
        "interaction is not one of fully-adaptive",
    )
    mechanisms = "derivation.0.parameters.mechanisms"
    many = [entry(mu=f"1/{10**4 + n}") for n in range(17)]
    steps: tuple[tuple[str, object, str], ...] = (
        ("mechanisms-not-an-array", {}, "mechanisms is not an array"),
        ("not-sorted", [entry(rho="1/2"), entry(mu="1")], "are not sorted and merged"),
        ("many", many, "more than 16 entries"),
        ("noise", [{"bounded_range": "1", "count": "1"}], "an entry is given by its noise"),
        ("long", [entry(mu=long)], "an entry has a number of more than 2048 bits"),
    )
    for name, listed, clause in steps:
        yield f"filter-from-below/{name}", handmade.changed(BELOW_MU, mechanisms, listed), clause


def _line(**parts: str) -> dict[str, str]:
    return {"digest": DIGEST, "size": "1", "delta": "0", **parts}


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    pure = budget("1/1000000", epsilon="1")
    yield from _sums(pure)
    yield from _measures()
    bad = filter_renyi(budget(renyi="1/2", alpha="8"), "51/25", "1/1000000")
    yield "filter-renyi/order", bad, RENYI, "this alpha is not proved to give delta"
    bad = filter_renyi(budget("1/1000000", renyi="1/2", alpha="8"), "511/250", "1/1000000")
    yield "filter-renyi/no-room", bad, RENYI, "too few digits: Δ may be 0"
    bad = filter_renyi(budget(renyi="1/2", alpha="8"), "511/250", "1/1000000", alpha="81/10")
    yield "filter-renyi/greater-order", bad, RENYI, BEYOND
    yield from _fixed_cases()
    yield from _refused_rules()
    for name, log in (("size", _line(size="2")), ("delta", _line(delta="1/2"))):
        bad = filter_sum({**pure, "log": log}, "1", "1/1000000")
        yield f"budget/overspent-{name}", bad, PURE, "more was spent than the budget"


def _sums(pure: Mapping[str, Any]) -> Iterator[RuleCase]:
    rule = "filter-sum"
    bad = filter_sum(pure, "999/1000", "1/1000000")
    yield f"{rule}/epsilon", bad, PURE, "epsilon is below the sum"
    bad = filter_sum(pure, "1", "1/1000001")
    yield f"{rule}/delta", bad, PURE, "delta is too small"
    bad = filter_sum(pure, "ln(2)", "1/1000000")
    yield f"{rule}/logarithm", bad, PURE, "epsilon is below the sum"


def _measures() -> Iterator[RuleCase]:
    """What proves a bound of one measure says nothing of a budget of another."""
    of_these = "is not about fully-adaptive composition of these"
    bad = filter_sum(budget("1/1000000", rho="1"), "1", "1/1000000")
    yield "filter-sum/measure", bad, PURE, of_these
    bad = filter_renyi(budget(rho="1/2"), "511/250", "1/1000000")
    yield "filter-renyi/measure", bad, RENYI, "rests on another theorem"
    bad = gaussian(AT_ONCE, budget(rho="1"), "upper", "7", TENTH)
    yield "filter/measure-of-mu", bad, ONE_MU, of_these
    bad = conversion(budget(mu="1"), "20", TENTH, "39/10")
    yield "filter/measure-of-rho", bad, CENSUS, of_these


def _fixed_cases() -> Iterator[RuleCase]:
    rule = "filter-from-below"
    for name, good, path, value, clause in (
        ("size", BELOW_MU, "statement.subject.mu", "99/100", "mechanisms exceed the budget"),
        ("delta", BELOW_SUM, "statement.subject.delta", "9/100", "exceed the budget of failures"),
        ("renyi", BELOW_RENYI, "statement.subject.renyi", "6/25", "mechanisms exceed the budget"),
    ):
        yield f"{rule}/{name}", handmade.changed(good, path, value), good, clause
    first = fixed(entry(epsilon="ln(2)", delta="1/10"))
    bad = lower_sum(first, budget("1/10", epsilon="1"), "49/100", "1/10")
    yield f"{rule}/logarithm", bad, BELOW_SUM, "an epsilon is not rational"
    bad = gaussian(fixed(entry(mu="1")), budget(epsilon="9"), "lower", "3", TENTH)
    yield f"{rule}/not-pure", bad, BELOW_MU, "a mechanism has no pure epsilon"
    bad = gaussian(fixed(entry(rho="1/2")), budget(mu="1"), "lower", "3", TENTH)
    yield f"{rule}/not-gaussian", bad, BELOW_MU, "a mechanism is not Gaussian"


def _refused_rules() -> Iterator[RuleCase]:
    """What holds for parameters fixed in advance, and conversions of another measure."""
    rho, free = budget(rho="0"), ("0", "0")
    for name, first, subject, rule, good in (
        ("sum", AT_ONCE, rho, "sum", CENSUS),
        ("trivial", AT_ONCE, budget(mu="1"), "trivial", ONE_MU),
    ):
        measure = "rho" if "rho" in subject else "mu"
        claim = free if rule == "sum" else ("0", "1")
        bad = by_ledger(first, subject, "upper", THEOREMS[measure], claim, rule)
        yield f"budget/{name}", bad, good, "is not about fully-adaptive composition of these"
    bad = handmade.changed(CENSUS, "statement.theorem", CANONNE)
    yield "budget/theorem", bad, CENSUS, "rests on another theorem"
    bad = gaussian(fixed(entry(mu="1")), budget(mu="1"), "upper", "7", TENTH)
    yield "budget/direction", bad, ONE_MU, "its premise carries lower bounds only"


# --- spend logs ---------------------------------------------------------------------------------


def sealed_line(document: Mapping[str, object]) -> bytes:
    """A line of a log, with its digest."""
    empty = handmade.canonical_bytes({**document, "digest": ""})
    digest = hashlib.sha256(empty + b"\n").hexdigest()
    return handmade.canonical_bytes({**document, "digest": digest}) + b"\n"


def digest_of(line: bytes) -> str:
    digest: str = json.loads(line)["digest"]
    return digest


HEADER: Final[dict[str, object]] = {
    "format": "exactdp-spend-log/1",
    "entry": "log",
    "budget": {"delta": "1/1000000", "epsilon": "1"},
    "delta": "",
    "neighbouring": "unspecified",
    "unit": "",
    "id": "0",
    "number": "0",
    "place": "1",
    "previous": "",
    "spent": {"delta": "0", "size": "0"},
    "time": "",
}
FIRST: Final = sealed_line(HEADER)


def second(previous: str, size: str = "1/2") -> bytes:
    entry = {"charge": {"delta": "0", "size": size}, "entry": "spend", "label": "", "number": "1"}
    spent = {"delta": "0", "size": size}
    where = {"of": {"epsilon": size, "delta": "0"}, "place": "1", "time": ""}
    return sealed_line({**entry, **where, "previous": previous, "spent": spent})


SECOND: Final = second(digest_of(FIRST))
LOG: Final = FIRST + SECOND
_NAMED: Final = _line(digest=digest_of(SECOND), size="1/2")
WITH_LOG: Final = filter_sum(budget("1/1000000", epsilon="1", log=_NAMED), "1", "1/1000000")
LOGS: Final = {
    "another neighbouring relation": sealed_line({**HEADER, "neighbouring": "replace-one"}),
    "another budget": sealed_line({**HEADER, "budget": {"delta": "0", "epsilon": "1"}}),
    "do not follow one another": FIRST + second(DIGEST),
    "is that of another": FIRST + SECOND.replace(b'"label":""', b'"label":"x"'),
    "no line of that digest": FIRST,
}
"""Logs that ``WITH_LOG`` is not about, by what must be said of them."""


def questions() -> Iterator[tuple[str, Certificate, bytes]]:
    """Each with what must be said, the certificate and the log."""
    for reason, log in LOGS.items():
        yield reason, WITH_LOG, log
    other = {**_NAMED, "size": "1/3"}
    lied = filter_sum(budget("1/1000000", epsilon="1", log=other), "1", "1/1000000")
    yield "says otherwise what was spent", lied, LOG
