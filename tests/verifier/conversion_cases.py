"""Bad and good files for the rules about ρ and μ; ``make_rejects`` writes them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tests.verifier import handmade
from tests.verifier import handmade_conversions as made
from tests.verifier.handmade_conversions import Subject

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]

CENSUS = Subject(concentrated=(("293764/114921", 1),))
HALF = Subject(concentrated=(("1/2", 1),))
MANY = Subject(pairs=(("1/1000000000", "0", 10**18),))
NOISE = Subject(gaussian=(("1/2", 4),))
MIXED = Subject(pairs=(("1/2", "0", 10),), gaussian=(("1", 1),))
TENTHS = Subject(pairs=(("1/10", "0", 20),), gaussian=(("1", 1),))
AND_RHO = Subject(pairs=(("1/2", "0", 10),), concentrated=(("1/20", 1),))
ALL_THREE = Subject(
    pairs=(("1/2", "0", 10),), gaussian=(("1", 1),), concentrated=(("1/1000000", 1),)
)
STATED, RIGHT = "17849145/1041158", "2142943843/125000000"
ORDER = "39110531/10000000"
ABOVE, BELOW = "not proved to be at most Δ", "not proved to be above Δ"
MILLIONTH = "1/1000000"
MESH_ABOVE, MESH_BELOW = "2703/500", "1081/200"
PAIR_ABOVE = "44/5"


def _cks(kind: str, epsilon: str, alpha: str = ORDER) -> Certificate:
    return made.conversion(kind, CENSUS, epsilon, "1/10000000000", alpha=alpha, digits=40)


def _bun_steinke(epsilon: str, kind: str = "underivable") -> Certificate:
    return made.formula(kind, HALF, epsilon, MILLIONTH, alpha="best")


def _moments(epsilon: str, alpha: str = "25/2", kind: str = "upper") -> Certificate:
    return made.moments(AND_RHO, epsilon, MILLIONTH, alpha=alpha, kind=kind)


def _gaussian(kind: str, epsilon: str, subject: Subject = NOISE) -> Certificate:
    return made.gaussian(kind, subject, epsilon, "1/100000")


def _mixture(kind: str, epsilon: str, digits: int = 30, subject: Subject = MIXED) -> Certificate:
    return made.mixture(kind, subject, epsilon, MILLIONTH, digits=digits)


def _mesh(
    kind: str, epsilon: str, unit: str = "1/10", digits: int = 30, subject: Subject = TENTHS
) -> Certificate:
    return made.mesh(kind, subject, epsilon, MILLIONTH, unit=unit, digits=digits)


def as_a_pair(
    epsilon: str = PAIR_ABOVE, alpha: str = "3158", unit: str = "1/20", pair: str = "3/500"
) -> Certificate:
    return made.pair(ALL_THREE, epsilon, MILLIONTH, pair=pair, alpha=alpha, unit=unit, sums=64)


def rule_cases() -> Iterator[RuleCase]:
    yield from _formula_cases()
    yield from _gaussian_cases()
    yield from _mesh_cases()
    yield from _subject_cases()


def _formula_cases() -> Iterator[RuleCase]:
    rule, given = "moments", "this alpha is not proved"
    upper = _cks("upper", RIGHT)
    yield f"{rule}/at-the-stated-epsilon", _cks("upper", STATED), upper, given
    yield f"{rule}/with-another-alpha", _cks("upper", RIGHT, alpha="4"), upper, given
    good = _moments("764/125")
    yield f"{rule}/below-what-it-gives", _moments("6111/1000"), good, given
    yield f"{rule}/another-alpha", _moments("764/125", alpha="10"), good, given
    bad = _moments("764/125", kind="underivable")
    yield f"{rule}/underivable", bad, good, "proves upper bounds only"
    losing = Subject(pairs=(("0", "1/10", 1),), concentrated=(("1/2", 1),))
    bad = made.moments(losing, "9", "1/10", alpha="2")
    good = made.moments(losing, "9", "1/9", alpha="2")
    yield f"{rule}/nothing-left-of-delta", bad, good, "Δ may be 0"
    rule, not_given = "formula", "not proved that no alpha"
    good = _cks("underivable", STATED)
    yield f"{rule}/above", _cks("underivable", RIGHT), good, not_given
    yield f"{rule}/far-alpha", _cks("underivable", STATED, alpha="4"), good, not_given
    yield f"{rule}/upper", made.formula("upper", CENSUS, RIGHT, "1/10000000000"), good, "proves"
    bad = made.formula("underivable", Subject(), "1", "1/2")
    yield f"{rule}/of-nothing", bad, good, "rho is not proved to be above 0"
    bad = made.formula("underivable", losing, "1", "1/10")
    best = made.formula("underivable", losing, "1", "1/9")
    yield f"{rule}/nothing-left-of-delta", bad, best, "Δ may be 0"
    good = _bun_steinke("23/4")
    yield f"{rule}/best-above", _bun_steinke("144/25"), good, "below what the formula gives"
    for name, theorem in (("orders", made.FORMULAS[1]), ("conversion", made.THEOREMS["moments"])):
        other = copy.deepcopy(good)
        other["statement"]["theorem"] = theorem
        yield f"{rule}/best-by-{name}", handmade.resealed(other), good, "rests on another theorem"


def _gaussian_cases() -> Iterator[RuleCase]:
    upper, lower = _gaussian("upper", "10943/2500"), _gaussian("lower", "43771/10000")
    yield "gaussian/upper-below", _gaussian("upper", "43771/10000"), upper, ABOVE
    yield "gaussian/lower-above", _gaussian("lower", "10943/2500"), lower, BELOW
    yield "gaussian/every", _gaussian("lower", "every"), lower, "epsilon is every"
    bad = _gaussian("upper", "10943/2500", subject=MIXED)
    yield "gaussian/with-a-pure-mechanism", bad, upper, "given by mu alone"
    bad = _gaussian("upper", "100", subject=HALF)
    yield "gaussian/rho-from-above", bad, upper, "no upper bound here"
    bad = _gaussian("upper", "1", subject=Subject(gaussian=(("0", 3),)))
    yield "gaussian/no-noise", bad, upper, "no mu is above 0"
    rule = "gaussian-mixture"
    upper, lower = _mixture("upper", "1099/125"), _mixture("lower", "8791/1000")
    yield f"{rule}/upper-below", _mixture("upper", "8791/1000"), upper, ABOVE
    yield f"{rule}/upper-too-few-digits", _mixture("upper", "1099/125", digits=6), upper, ABOVE
    yield f"{rule}/lower-above", _mixture("lower", "1099/125"), lower, BELOW
    bad = _mixture("upper", "100", subject=ALL_THREE)
    yield f"{rule}/rho-from-above", bad, upper, "no upper bound here"
    bad = _mixture("upper", "5", subject=Subject(pairs=(("1/2", "0", 10),)))
    yield f"{rule}/no-noise", bad, upper, "no mu is above 0"


def _mesh_cases() -> Iterator[RuleCase]:
    rule = "gaussian-mesh"
    upper, lower = _mesh("upper", MESH_ABOVE), _mesh("lower", MESH_BELOW)
    yield f"{rule}/upper-below", _mesh("upper", MESH_BELOW), upper, ABOVE
    yield f"{rule}/upper-too-coarse", _mesh("upper", MESH_ABOVE, unit="1"), upper, ABOVE
    yield f"{rule}/upper-too-few-digits", _mesh("upper", MESH_ABOVE, digits=6), upper, ABOVE
    yield f"{rule}/lower-above", _mesh("lower", MESH_ABOVE), lower, BELOW
    yield f"{rule}/lower-too-coarse", _mesh("lower", MESH_BELOW, unit="3/100"), lower, BELOW
    bad = _mesh("upper", "100", subject=ALL_THREE)
    yield f"{rule}/rho-from-above", bad, upper, "no upper bound here"
    rule = "zcdp-pair"
    good = as_a_pair()
    yield f"{rule}/below", as_a_pair("8791/1000"), good, ABOVE
    yield f"{rule}/a-pair-too-small", as_a_pair(pair="1/500"), good, ABOVE
    yield f"{rule}/another-alpha", as_a_pair(alpha="2"), good, ABOVE
    bad = as_a_pair(alpha="1000000")
    yield f"{rule}/no-delta-below-one", bad, good, "no delta below 1"
    lower_pair = copy.deepcopy(good)
    lower_pair["statement"]["kind"] = lower_pair["derivation"][0]["parameters"]["bound"] = "lower"
    yield f"{rule}/lower", handmade.resealed(lower_pair), good, "proves upper bounds only"


def _subject_cases() -> Iterator[RuleCase]:
    nothing = Subject(gaussian=(("0", 1),), concentrated=(("0", 2),))
    good = made.certificate("sum", "upper", nothing, "0", "0")
    bad = made.certificate("sum", "upper", HALF, "9", "1/2")
    yield "sum/rho", bad, good, "is not about mechanisms given by rho"
    good = made.certificate("trivial", "lower", NOISE, "every", "0")
    bad = made.certificate("trivial", "lower", NOISE, "every", MILLIONTH)
    yield "trivial/noise-at-a-positive-delta", bad, good, "delta is feasible"
    bad = made.certificate("trivial", "lower", nothing, "every", "0")
    yield "trivial/no-noise-at-zero", bad, good, "delta is feasible"


def accepts() -> dict[str, Certificate]:
    return {
        "moments-zcdp": _cks("upper", RIGHT),
        "moments-of-all": _moments("764/125"),
        "moments-of-many": made.moments(MANY, "21/4", MILLIONTH, alpha="23/4"),
        "formula": _cks("underivable", STATED),
        "formula-best": _bun_steinke("23/4"),
        "formula-best-below-rho": _bun_steinke("1/4"),
        "gaussian-upper": _gaussian("upper", "10943/2500"),
        "gaussian-lower": _gaussian("lower", "43771/10000"),
        "gaussian-mixture-upper": _mixture("upper", "1099/125"),
        "gaussian-mixture-lower": _mixture("lower", "8791/1000"),
        "gaussian-mesh-upper": _mesh("upper", MESH_ABOVE),
        "gaussian-mesh-lower": _mesh("lower", MESH_BELOW),
        "zcdp-pair-upper": as_a_pair(),
        "trivial-noise-lower": made.certificate("trivial", "lower", NOISE, "every", "0"),
    }


def parameter_cases() -> Iterator[RuleCase]:
    """Malformed parameters that only these rules have."""
    formula, pair = _cks("upper", RIGHT), as_a_pair()
    for name, good, key, text, clause in (
        ("alpha-best", formula, "alpha", "best", "not a number"),
        ("alpha-one", formula, "alpha", "1", "alpha is not a rational above 1"),
        ("alpha-of-logarithms", formula, "alpha", "ln(8)", "alpha is not a rational above 1"),
        ("alpha-not-canonical", formula, "alpha", "3.9", "not a canonical number"),
        ("pair-negative", pair, "pair", "-1/500", "pair is negative"),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = text
        yield f"parameters/{name}", bad, good, clause
