"""Certificates that make a verifier work as hard as its limit lets them.

Rules of this file: each is well-formed but for limits on sizes, and none need be true; the same
seed gives the same certificates.

Theory of operation: :func:`known_attacks` holds those that were once found; ``tools.corners`` has
the corners of every rule.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any, Final

from exactdp.verifier.arithmetic.enclosures import enclose_ln
from exactdp.verifier.format.numbers import Number, canonical, rational_text
from exactdp.verifier.rules import RULES

EXACT: Final = {"masses": "exact", "sums": "4096"}
ROUNDED: Final = {"masses": "rounded", "sums": "10000"}
MODULUS: Final = 2**61 - 1
"""Integers that are equal modulo this have equal hashes in Python."""

_THEOREMS_OF_BUDGETS: Final = {
    "epsilon": "rogers-roth-ullman-vadhan-2016-basic-filter",
    "rho": "whitehouse-ramdas-rogers-wu-2023-zcdp-filter",
    "renyi": "feldman-zrnic-2021-renyi-filter",
    "mu": "koskela-tobaben-honkela-2023-gdp-filter",
}
_LOWER: Final = ("mesh-lower", "distinguishing-adversary", "fourier-lower")

Entry = dict[str, str]
Claim = tuple[str, str]
"""The texts of epsilon and delta."""


@dataclass(frozen=True)
class Adversary:
    """A certificate, and what it is called."""

    rule: str
    name: str
    statement: Mapping[str, Any]
    steps: Sequence[Mapping[str, Any]]

    @staticmethod
    def trivial() -> Adversary:
        """One with nothing to check."""
        return of_ledger("trivial", "nothing", [], ("0", "1"))

    @property
    def data(self) -> bytes:
        """The bytes."""
        return _canonical(
            {
                "format": "exactdp-certificate/1",
                "statement": self.statement,
                "derivation": list(self.steps),
                "digest": hashlib.sha256(_canonical(self.statement)).hexdigest(),
            }
        )


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# --- certificates -------------------------------------------------------------------------------


def of_ledger(
    rule: str,
    name: str,
    entries: Sequence[Entry],
    claim: Claim,
    kind: str | None = None,
    **parameters: object,
) -> Adversary:
    """One about a ledger, by one step."""
    bound = kind or ("lower" if rule in _LOWER or claim[0] == "every" else "upper")
    statement = _statement(bound, {"type": "mechanisms", "mechanisms": _sorted(entries)}, claim)
    statement["theorem"] = RULES[rule].theorem
    step = {"rule": rule, "premises": [], "parameters": _parameters(bound, claim, parameters)}
    return Adversary(rule, name, statement, [step])


def of_group(
    rule: str, base: Adversary, group: int, claim: Claim, **parameters: object
) -> Adversary:
    """A rule of groups, from the step of another certificate."""
    kind = base.statement["kind"]
    step = {
        "rule": rule,
        "premises": ["0"],
        "parameters": _parameters(kind, claim, {**parameters, "group": str(group)}),
    }
    statement = {**base.statement, "group": str(group), "epsilon": claim[0], "delta": claim[1]}
    return Adversary(rule, f"{base.name}, {base.rule}, g = {group}", statement, [*base.steps, step])


def of_trees(name: str, trees: Sequence[object], rule: str, **parameters: object) -> Adversary:
    """One about interactive mechanisms."""
    kind = "lower" if rule in _LOWER else "upper"
    claim = ("1", "0")
    statement = _statement(kind, {"type": "interactive", "mechanisms": list(trees)}, claim)
    statement |= {"theorem": "definition", "interaction": "concurrent"}
    step = {"rule": rule, "premises": [], "parameters": _parameters(kind, claim, parameters)}
    return Adversary(rule, name, statement, [step])


def of_experiment(
    rule: str,
    name: str,
    outcome: Mapping[str, object],
    claim: tuple[str, str],
    **parameters: object,
) -> Adversary:
    """One about the outcome of an experiment."""
    statement = _statement("rejected", {"type": "experiment", **outcome}, claim)
    step = {"rule": rule, "premises": [], "parameters": _parameters("rejected", claim, parameters)}
    return Adversary(rule, name, {**statement, "theorem": RULES[rule].theorem}, [step])


def of_workload(
    rule: str,
    name: str,
    sizes: Sequence[int],
    queries: Sequence[object],
    *,
    replaced: bool = False,
    **parameters: object,
) -> Adversary:
    """A reduction of a workload, and what is proved at once of the ledger."""
    lower, rows = rule == "rows", parameters.get("rows")
    replaced = replaced or (isinstance(rows, list) and len(rows) > 1)
    kind, claim = ("lower", ("0", "0")) if lower else ("upper", ("0", "1"))
    domain = [{"name": f"a{i}", "size": str(size)} for i, size in enumerate(sizes)]
    relation = "replace-one" if replaced else "add-remove-one"
    subject = {"type": "workload", "domain": domain, "queries": list(queries)}
    statement = _statement(kind, subject, claim) | {"neighbouring": relation}
    proof = "sum" if kind == "lower" else "trivial"
    statement["theorem"] = RULES[proof].theorem
    steps = [
        {"rule": rule, "premises": [], "parameters": parameters},
        {"rule": proof, "premises": ["0"], "parameters": _parameters(kind, claim, {})},
    ]
    return Adversary(rule, name, statement, steps)


def of_noisy_workload(
    rule: str, name: str, size: int, queries: Sequence[object], **parameters: object
) -> Adversary:
    """A reduction of a workload by its noise over one attribute, and a bound on what is left."""
    lower = rule == "rows"
    kind, claim = ("lower", ("0", "0")) if lower else ("upper", ("40", "1/2"))
    domain = [{"name": "a", "size": str(size)}]
    subject = {"type": "workload", "domain": domain, "queries": list(queries)}
    statement = _statement(kind, subject, claim) | {"neighbouring": "add-remove-one"}
    proof: dict[str, object] = {"alpha": "2", "digits": "20"}
    if lower:
        plan = {"levels": [], "windows": [["-2", "2"]]}
        proof = {"digits": "20", "sums": "0", "unit": "1/10", "plan": plan, "tilt": "0"}
        proof |= {"direction": "remove", "threshold": "1"}
    last = "mesh-lower" if lower else "moments"
    statement["theorem"] = _THEOREMS_OF_NOISE[last]
    steps = [
        {"rule": rule, "premises": [], "parameters": parameters},
        {"rule": last, "premises": ["0"], "parameters": _parameters(kind, claim, proof)},
    ]
    return Adversary(rule, name, statement, steps)


_THEOREMS_OF_NOISE = {
    "fourier-lower": "definition",
    "fourier-upper": "zhu-dong-wang-2022-theorem-10",
    "sum": "zhu-dong-wang-2022-theorem-10",
    "moments": "canonne-kamath-steinke-2020-proposition-12",
    "mesh-upper": "zhu-dong-wang-2022-theorem-10",
    "mesh-lower": "definition",
}


def of_noise(
    rule: str, name: str, entries: Sequence[Mapping[str, Any]], claim: Claim, **parameters: object
) -> Adversary:
    """A rule about mechanisms by their noise, each written without its count and with it."""
    kind = "lower" if rule in ("fourier-lower", "mesh-lower") else "upper"
    plain = of_ledger("trivial", name, [], claim, kind).statement
    ordered = sorted(entries, key=lambda each: _canonical({**each, "count": ""}))
    statement: dict[str, Any] = {
        **plain,
        "subject": {"type": "mechanisms", "mechanisms": ordered},
        "theorem": _THEOREMS_OF_NOISE[rule],
    }
    step = {"rule": rule, "premises": [], "parameters": _parameters(kind, claim, parameters)}
    return Adversary(rule, name, statement, [step])


def of_stand_in(
    rule: str,
    base: Adversary,
    measure: str,
    budget: Mapping[str, str],
    parameters: Mapping[str, object],
) -> Adversary:
    """A ledger that stands in for a budget, and what another step proves of it."""
    kind = base.statement["kind"]
    claim = (base.statement["epsilon"], base.statement["delta"])
    statement = _about_budget(kind, measure, budget, claim)
    if kind == "lower":
        statement["theorem"] = base.statement["theorem"]
    steps = [
        {"rule": rule, "premises": [], "parameters": parameters},
        {**base.steps[0], "premises": ["0"]},
    ]
    return Adversary(rule, f"{base.name}, {measure}, {base.rule}", statement, steps)


def _about_budget(
    kind: str, measure: str, budget: Mapping[str, str], claim: Claim
) -> dict[str, Any]:
    statement = _statement(kind, {"type": "budget", **budget}, claim)
    return statement | {"interaction": "fully-adaptive", "theorem": _THEOREMS_OF_BUDGETS[measure]}


def _statement(kind: str, subject: object, claim: Claim) -> dict[str, Any]:
    return {
        "kind": kind,
        "subject": subject,
        "epsilon": claim[0],
        "delta": claim[1],
        "group": "1",
        "neighbouring": "unspecified",
        "interaction": "adaptive",
        "theorem": "",
    }


def _parameters(kind: str, claim: Claim, further: Mapping[str, object]) -> dict[str, object]:
    return {"bound": kind, "epsilon": claim[0], "delta": claim[1], **further}


def _sorted(entries: Sequence[Entry]) -> list[Entry]:
    def order(entry: Entry) -> bytes:
        return _canonical({key: value for key, value in entry.items() if key != "count"})

    found = {order(entry): entry for entry in entries}  # of equal entries one
    return [found[key] for key in sorted(found)]


def pair(epsilon: Number | Fraction | str, count: int = 1, delta: Fraction = Fraction(0)) -> Entry:
    """An entry given by ε and δ."""
    number = Number(epsilon) if isinstance(epsilon, Fraction) else epsilon
    text = number if isinstance(number, str) else canonical(number)
    return {"epsilon": text, "delta": rational_text(delta), "count": str(count)}


def scaled(key: str, value: Fraction, count: int = 1) -> Entry:
    """An entry given by ``mu`` or ``rho``."""
    return {key: rational_text(value), "count": str(count)}


def distinct(key: str, number: int) -> list[Entry]:
    """So many entries given by ``mu`` or ``rho``, no two alike."""
    return [scaled(key, Fraction(1, 2 * i + 10**9)) for i in range(number)]


# --- numbers ------------------------------------------------------------------------------------


def long(value: Fraction, bits: int, step: int = 0) -> Fraction:
    """A rational next to a value, with a denominator of so many bits; another for each step."""
    below = 2 ** max(bits - 1, 1) + 1 + 2 * step
    return Fraction(value.numerator * below // value.denominator + 1, below)


def logarithm(argument: Fraction | int, factor: Fraction | int = 1) -> Number:
    """factor·ln(argument)."""
    return Number(Fraction(0), ((Fraction(factor), Fraction(argument)),))


def logarithms(number: int, first: int = 3, step: int = 2) -> Number:
    """The sum of so many logarithms of integers in an arithmetic progression."""
    arguments = range(first, first + number * step, step)
    return Number(Fraction(0), tuple((Fraction(1), Fraction(r)) for r in arguments))


def nearly_zero(argument: int, bits: int) -> Number:
    """ln(r) less a rational that is as near, with a denominator of so many bits."""
    low, _ = enclose_ln(Fraction(argument), bits)
    return Number(-Fraction(low, 1 << bits), ((Fraction(1), Fraction(argument)),))


def zeros(number: int) -> Number:
    """2·ln(r) - ln(r²) for so many r: 0, of twice as many logarithms."""
    roots = [Fraction(r) for r in range(10**6 + 1, 10**6 + 1 + number)]
    terms = [(Fraction(2), r) for r in roots] + [(Fraction(-1), r**2) for r in roots]
    return Number(Fraction(0), tuple(sorted(terms, key=lambda term: term[1])))


def primes(number: int) -> list[int]:
    """The first odd primes."""
    found: list[int] = []
    candidates = itertools.count(3, 2)
    while len(found) < number:
        candidate = next(candidates)
        if all(candidate % p for p in found):
            found.append(candidate)
    return found


def sharing(number: int) -> list[int]:
    """Integers that share primes in all patterns: their coprime basis has 2^number - 1 members."""
    each = primes(2**number - 1)
    return [prod(p for j, p in enumerate(each, 1) if j >> i & 1) for i in range(number)]


# --- what was found -----------------------------------------------------------------------------

HALF: Final = Fraction(1, 2)
TENTH: Final = Fraction(1, 10)
CLAIM: Final = ("1", "1/1000000")
LONG: Final = 60_000
"""Bits that the format just allows."""


def known_attacks() -> Iterator[Adversary]:
    """Those that were once found, at their sizes then."""
    yield from small_attacks()
    yield from large_attacks()


def small_attacks() -> Iterator[Adversary]:
    """Those whose files are small, which ``certs/denial-of-service`` keeps."""
    tied = canonical(nearly_zero(2**62_000 + 1, 33_000))
    yield of_ledger("sum", "a tie of 33 000 bits", [pair(tied)], CLAIM)
    yield of_ledger("sum", "3000 logarithms of value 0", [pair(zeros(1500))], CLAIM)
    for bits in (100_000, LONG):
        yield of_responses("mesh-upper", f"ε of {bits} bits", [pair(long(TENTH, bits), 4)], 1)
        fine = [pair(long(TENTH, bits)), pair(HALF)]
        yield of_ledger("atoms", f"ε of {bits} bits", fine, CLAIM, digits="1", **ROUNDED)
    yield _of_mu(LONG)
    odds = [pair(logarithm(r)) for r in primes(12)]
    yield of_ledger("atoms", "ε = 8 000 000", odds, ("8000000", "0"), digits="10", **EXACT)
    yield _of_alpha(LONG)
    odds = [pair(logarithm(1 + i * MODULUS)) for i in range(1, 13)]
    name = "odds of equal hashes"
    yield of_ledger("atoms", name, odds, CLAIM, digits="10", **EXACT)
    yield of_ledger("sum", "2*ln(2) - ln(4)", [pair("2*ln(2) - ln(4)")], ("0", "0"))
    test = [pair(TENTH, 123_456)]
    yield of_responses("mesh-lower", "123 456 mechanisms", test, 1, digits="30")
    mixed = [pair(Fraction(1, 10**6)), scaled("mu", Fraction(1, 10**6))]
    mixture = of_ledger("gaussian-mixture", "a mixture", mixed, CLAIM, digits="10")
    yield of_group("group", mixture, 1000, CLAIM, deltas=["0"], digits="10")
    small = [scaled("mu", Fraction(1, 1000), 5)]
    yield of_ledger("gaussian", "μ = 1/1000 five times", small, ("1/100", "1/1000"), digits="30")
    yield from _waves()
    yield from _factorizations()


def large_attacks() -> Iterator[Adversary]:
    """Those whose files are large."""
    colliding = canonical(logarithms(8000, 2, MODULUS))
    yield of_ledger("sum", "8000 logarithms of equal hashes", [pair(colliding)], CLAIM)
    number = rational_text(Fraction(3**660_000, 2**1_048_000 + 1))
    yield of_ledger("sum", "a rational of 2^21 bits", [pair(number)], CLAIM)
    yield _of_mu(400_000)
    yield _of_alpha(10**6)
    many = distinct("mu", 16_000)
    yield of_ledger("trivial", "16 000 distinct μ", many, ("every", "0"))
    yield of_ledger("gaussian", "16 000 distinct μ", many, CLAIM, digits="10")
    entries = [pair(Fraction(1, 2 * i + 10**9)) for i in range(40_000)]
    yield of_ledger("sum", "40 000 distinct ε", entries, ("1", "0"))
    shared = [pair(logarithm(n)) for n in sharing(12)]
    name = "12 integers that share primes in all patterns"
    yield of_ledger("atoms", name, shared, CLAIM, digits="10", **ROUNDED)
    yield of_ledger("sum", name, shared, (canonical(logarithm(prod(sharing(9)))), "0"))


def _of_mu(bits: int) -> Adversary:
    mu = [scaled("mu", long(TENTH, bits))]
    return of_ledger("gaussian", f"μ of {bits} bits", mu, CLAIM, digits="10")


def _of_alpha(bits: int) -> Adversary:
    alpha = rational_text(1 + long(HALF, bits))
    rho = [scaled("rho", TENTH)]
    return of_ledger("moments", f"α of {bits} bits", rho, CLAIM, alpha=alpha, digits="10")


def _waves() -> Iterator[Adversary]:
    """Points without end for no factor to look at, and angles that take many digits."""
    few = {"tilt": "2", "noise": "1/1000000", "near": "1", "far": "0", "cut": "0", "digits": "1"}
    points: dict[str, Any] = {**few, "step": "1000", "last": str(2**40 - 1), "factors": []}
    for blocks in (20_000, 2**40):
        entries, options = [pair(TENTH, 24)], {**points, "blocks": str(blocks)}
        yield of_ledger("fourier-upper", f"{blocks} blocks, no factor", entries, CLAIM, **options)
    angle: dict[str, Any] = {**few, "step": "1/8", "last": "1000", "factors": [], "blocks": "60"}
    for name, epsilon in (
        ("ε = 2^60000", Number(Fraction(2**LONG))),
        ("ε = 2^20000·ln 3", logarithm(3, 2**20_000)),
    ):
        yield of_ledger("fourier-upper", name, [pair(epsilon)], CLAIM, **angle)
    yield from _far_from_1()


def _factorizations() -> Iterator[Adversary]:
    """Sensitivities that are sought row by row, or of very many rounds."""
    all_rounds: dict[str, object] = {"most": "1000000", "apart": "1"}
    long_ones = [str(2**2000 // 3 + step) for step in range(50)]
    for name, factorization, participation in (
        ("a tree of 4096 rounds", {"tree": "4096"}, all_rounds),
        ("a square root of 10^6 rounds", {"band": "1000000", "sqrt": "1000000"}, all_rounds),
        ("a band in 10^6 rounds", {"steps": "1000000", "toeplitz": ["1", "2"]}, {"every": "2"}),
        ("a programme of 10^6 rounds", {"steps": "1000000", "toeplitz": ["1"]}, all_rounds),
        ("coefficients of 2000 bits", {"steps": "4096", "toeplitz": long_ones[::-1]}, all_rounds),
        ("rising coefficients", {"steps": "4096", "toeplitz": ["1", "2"]}, all_rounds),
        ("rows of 2000 bits", {"from": ["0"] * 6, "rows": [long_ones[:16]] * 6}, all_rounds),
        (
            "buffers of 2000 bits",
            {
                "blt": {
                    "decays": [f"1/{2**2040 + i}" for i in range(40)],
                    "scales": [f"1/{2**2040 + i}" for i in range(40)],
                },
                "steps": "1000000",
            },
            all_rounds,
        ),
        (
            "all rounds listed",
            {"band": "3000", "sqrt": "3000"},
            [[str(i) for i in range(300)]] * 20,
        ),
    ):
        entry = {"factorization": factorization, "participation": participation, "sigma": "1"}
        plan = {"levels": [], "windows": [["-80", "80"]]}
        made = of_noise(
            "mesh-upper",
            name,
            [{"count": "1", **entry}],
            CLAIM,
            digits="20",
            sums="0",
            unit="1/10",
            plans=[plan],
            orders=[],
        )
        yield replace(made, statement={**made.statement, "neighbouring": "zero-out"})


def _far_from_1() -> Iterator[Adversary]:
    """Bounds of a divergence of 2^36 and more bits."""
    sound: dict[str, Any] = {"step": "1/8", "noise": "1/20", "last": "3000", "near": "40"}
    sound |= {"far": "200", "blocks": "60", "cut": "20", "digits": "20", "factors": ["0"]}
    many, near = [pair(Fraction(1), 2**38)], (str(2**38 - 1), "1/1000")
    name = "epsilon near the sum of 2^38"
    yield of_ledger("fourier-upper", name, many, near, **sound, tilt="1")
    of_period = {"unit": "1", "tilt": "1", "points": "101", "cut": "40", "values": "50"}
    yield of_ledger("grid-fourier", name, many, near, digits="20", **of_period)
    half = (str(2**35), "1/1000")
    slopes = {"tilt": "1", "left": "2", "right": "1"}
    name = "epsilon half the sum of 2^36"
    yield of_ledger("fourier-lower", name, [pair(Fraction(1), 2**36)], half, **sound, **slopes)


def of_responses(
    rule: str,
    name: str,
    entries: Sequence[Entry],
    leaves: int,
    *,
    claim: Claim = CLAIM,
    digits: str = "1",
    unit: str = "1/10",
) -> Adversary:
    """Randomized responses in so many leaves, on a mesh."""
    plan = {"levels": [], "windows": [["-1000000000", "1000000000"]] * leaves}
    options: dict[str, object] = {"digits": digits, "sums": "64", "unit": unit}
    if rule == "mesh-upper":
        options |= {"orders": [], "plans": [plan]}
    else:
        options |= {"direction": "remove", "plan": plan, "threshold": "0", "tilt": "0"}
    return of_ledger(rule, name, entries, claim, None, **options)
