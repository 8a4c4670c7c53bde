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
NOISE = Subject(gaussian=(("1/2", 4),))
MIXED = Subject(pairs=(("1/2", "0", 10),), gaussian=(("1", 1),))
TENTHS = Subject(pairs=(("1/10", "0", 20),), gaussian=(("1", 1),))
AND_RHO = Subject(pairs=(("1/2", "0", 10),), concentrated=(("1/20", 1),))
ALL_THREE = Subject(
    pairs=(("1/2", "0", 10),), gaussian=(("1", 1),), concentrated=(("1/1000000", 1),)
)
STATED, RIGHT = "17849145/1041158", "2142943843/125000000"
CKS, ORDER = "zcdp-canonne-kamath-steinke", "39110531/10000000"
ABOVE, BELOW = "not proved to be at most Δ", "not proved to be above Δ"
MILLIONTH = "1/1000000"
MESH_ABOVE, MESH_BELOW = "2703/500", "1081/200"
PAIR_ABOVE = "44/5"


def _cks(kind: str, epsilon: str, alpha: str = ORDER) -> Certificate:
    return made.formula(CKS, kind, CENSUS, epsilon, "1/10000000000", alpha=alpha, digits=40)


def _bun_steinke(kind: str, epsilon: str) -> Certificate:
    return made.formula("zcdp-bun-steinke", kind, HALF, epsilon, MILLIONTH)


def _renyi(epsilon: str, alpha: str = "25/2", kind: str = "upper") -> Certificate:
    return made.formula("renyi", kind, AND_RHO, epsilon, MILLIONTH, alpha=alpha)


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
    upper, underivable = _cks("upper", RIGHT), _cks("underivable", STATED)
    given, not_given = "this alpha is not proved", "not proved that no alpha"
    yield f"{CKS}/upper-at-the-stated-epsilon", _cks("upper", STATED), upper, given
    yield f"{CKS}/upper-with-another-alpha", _cks("upper", RIGHT, alpha="4"), upper, given
    yield f"{CKS}/underivable-above", _cks("underivable", RIGHT), underivable, not_given
    bad = _cks("underivable", STATED, alpha="4")
    yield f"{CKS}/underivable-far-alpha", bad, underivable, not_given
    yield f"{CKS}/lower", _cks("lower", STATED), upper, "proves upper and underivable bounds only"
    bad = made.formula(CKS, "underivable", Subject(), "1", "1/2", alpha="2")
    yield f"{CKS}/underivable-of-nothing", bad, underivable, "rho is not proved to be above 0"
    losing = Subject(pairs=(("0", "1/10", 1),), concentrated=(("1/2", 1),))
    bad = made.formula(CKS, "underivable", losing, "1", "1/10", alpha="2")
    good = made.formula(CKS, "underivable", losing, "1", "1/9", alpha="2")
    yield f"{CKS}/nothing-left-of-delta", bad, good, "Δ may be 0"
    rule = "zcdp-bun-steinke"
    upper, underivable = _bun_steinke("upper", "144/25"), _bun_steinke("underivable", "23/4")
    given, not_given = "what the formula gives, or more", "below what the formula gives"
    yield f"{rule}/upper-below", _bun_steinke("upper", "23/4"), upper, given
    yield f"{rule}/upper-below-rho", _bun_steinke("upper", "1/4"), upper, given
    yield f"{rule}/underivable-above", _bun_steinke("underivable", "144/25"), underivable, not_given
    yield f"{rule}/lower", _bun_steinke("lower", "23/4"), upper, "upper and underivable"
    good = _renyi("764/125")
    yield "renyi/below-the-formula", _renyi("6111/1000"), good, "this alpha is not proved"
    yield "renyi/another-alpha", _renyi("764/125", alpha="10"), good, "this alpha is not proved"
    bad = _renyi("764/125", kind="underivable")
    yield "renyi/underivable", bad, good, "proves upper bounds only"


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
        f"{CKS}-upper": _cks("upper", RIGHT),
        f"{CKS}-underivable": _cks("underivable", STATED),
        "zcdp-bun-steinke-upper": _bun_steinke("upper", "144/25"),
        "zcdp-bun-steinke-underivable": _bun_steinke("underivable", "23/4"),
        "renyi-upper": _renyi("764/125"),
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
        ("alpha-one", formula, "alpha", "1", "alpha is not a rational above 1"),
        ("alpha-of-logarithms", formula, "alpha", "ln(8)", "alpha is not a rational above 1"),
        ("alpha-not-canonical", formula, "alpha", "3.9", "not a canonical number"),
        ("pair-negative", pair, "pair", "-1/500", "pair is negative"),
    ):
        bad = copy.deepcopy(good)
        bad["derivation"][0]["parameters"][key] = text
        yield f"parameters/{name}", bad, good, clause
