"""Certificates of concurrent composition and of groups, written by hand, and bad ones.

Written from certs/SPEC.md alone, as ``handmade`` is.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tests.verifier import atom_cases, conversion_cases, group_noise_cases, handmade, noise_cases
from tests.verifier.handmade import Entry

Certificate = dict[str, Any]

VADHAN_WANG_BASIC = "vadhan-wang-2021-theorem-4.1"
VADHAN_WANG = "vadhan-wang-2021-theorem-5.4"
LYU = "lyu-2022-approximate-dp"
VADHAN_ZHANG = "vadhan-zhang-2023-f-dp"

TWELVE: list[Entry] = [("1/10", "0", 12)]
FAILING: list[Entry] = [("1", "1/1000", 1), ("ln(2)", "1/1000", 1)]
LOSSY: list[Entry] = [("1", "1/10", 2)]


# --- concurrent composition ---------------------------------------------------------------------


def interleaved(value: Certificate, theorem: str) -> Certificate:
    """The same certificate about concurrent composition."""
    changed = copy.deepcopy(value)
    changed["statement"] |= {"interaction": "concurrent", "theorem": theorem}
    return handmade.resealed(changed)


def _step(
    rule: str, kind: str, epsilon: str, delta: str, *, premises: tuple[str, ...] = (), **more: str
) -> dict[str, Any]:
    return {
        "rule": rule,
        "premises": list(premises),
        "parameters": {"bound": kind, "epsilon": epsilon, "delta": delta, **more},
    }


def _of_all() -> dict[str, Certificate]:
    """Of noise, of divergences, and of ρ beside others, by the one theorem that is about them."""
    noise, conversions = noise_cases.accepts(), conversion_cases.accepts()
    lower = noise["mesh-lower"]
    made = {
        "noise-upper": noise["mesh-upper-mixed"],
        "orders-upper": noise["mesh-upper-orders-mixed"],
        "moments-upper": noise["moments-mixed"],
        "table-upper": atom_cases.accepts()["atoms-table-beside-response"],
        "rho-upper": conversions["moments-of-all"],
        "zcdp-pair-upper": conversions["zcdp-pair-upper"],
    }
    known = {f"concurrent-{name}": interleaved(each, VADHAN_ZHANG) for name, each in made.items()}
    return {**known, "concurrent-noise-lower": interleaved(lower, lower["statement"]["theorem"])}


# --- groups -------------------------------------------------------------------------------------


def for_groups(
    value: Certificate, epsilon: str, delta: str, group: int, *, digits: int = 20
) -> Certificate:
    """``group`` after the step of a certificate."""
    kind = value["statement"]["kind"]
    step = _step(
        "group",
        kind,
        epsilon,
        delta,
        premises=("0",),
        digits=str(digits),
        group=str(group),
    )
    return _with_step(value, step)


def of_groups(
    value: Certificate,
    entries: list[Entry],
    group: int,
    *,
    deltas: tuple[str, ...] | None = None,
    digits: int = 20,
) -> Certificate:
    """``group`` with deltas, after the step of a certificate that is about scaled mechanisms."""
    claim = value["statement"]
    step = _step(
        "group",
        claim["kind"],
        claim["epsilon"],
        claim["delta"],
        premises=("0",),
        digits=str(digits),
        group=str(group),
    )
    step["parameters"]["deltas"] = ["0"] * len(entries) if deltas is None else list(deltas)
    changed = copy.deepcopy(value)
    changed["statement"]["subject"] = handmade.statement("upper", entries, "0", "0")["subject"]
    return _with_step(changed, step)


def _with_step(value: Certificate, step: dict[str, Any]) -> Certificate:
    changed = copy.deepcopy(value)
    parameters = step["parameters"]
    changed["derivation"].append(step)
    changed["statement"] |= {key: parameters[key] for key in ("epsilon", "delta", "group")}
    return handmade.resealed(changed)


SUM = handmade.simple("sum", "upper", TWELVE, "6/5", "0")
PAIRS = for_groups(SUM, "12/5", "0", 2)
LOSSY_SUM = handmade.simple("sum", "upper", [("0", "1/10", 1)], "0", "1/10")
SCALED = of_groups(
    handmade.simple("sum", "upper", [("1/5", "0", 12)], "12/5", "0"), TWELVE, group=2
)


# --- bad files ----------------------------------------------------------------------------------


def rejects() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Names, bad files, good ones next to them, and the clauses that must fail."""
    yield from _theorem_rejects()
    yield from _rejects_of_all()
    yield from _privacy_rejects()
    yield from _mechanism_rejects()
    yield from _structure_rejects()


def _theorem_rejects() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    lossy = handmade.simple("sum", "upper", LOSSY, "2", "19/100")
    good = interleaved(lossy, VADHAN_ZHANG)
    for name, theorem in (
        ("pure-alone", VADHAN_WANG),
        ("adaptive", handmade.MURTAGH_VADHAN),
        ("of-another-rule", VADHAN_WANG_BASIC),
    ):
        yield f"theorem/{name}", interleaved(lossy, theorem), good, "rests on another theorem"
    misnamed = copy.deepcopy(lossy)
    misnamed["statement"]["theorem"] = VADHAN_ZHANG
    yield (
        "theorem/concurrent-for-adaptive",
        handmade.resealed(misnamed),
        lossy,
        "rests on another theorem",
    )
    lower = handmade.simple("sum", "lower", TWELVE, "119/100", "0")
    yield (
        "theorem/concurrent-for-lower",
        interleaved(lower, VADHAN_WANG),
        interleaved(lower, handmade.MURTAGH_VADHAN),
        "rests on another theorem",
    )


def _rejects_of_all() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    good = _of_all()["concurrent-noise-upper"]
    for theorem in (VADHAN_WANG, LYU, "zhu-dong-wang-2022-theorem-10"):
        bad = interleaved(good, theorem)
        yield f"theorem/concurrent-noise-{theorem}", bad, good, "rests on another theorem"
    unknown = {
        "upper": "is not about concurrent composition of these",
        "lower": "rests on another theorem",
    }
    for kind, clause in unknown.items():
        one = group_noise_cases.accepts()[f"group-noise-{kind}"]
        bad = interleaved(one, VADHAN_ZHANG)
        yield f"theorem/concurrent-group-noise-{kind}", bad, one, clause


def _privacy_rejects() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    name = "group"
    below = "2399999999/1000000000"
    yield f"{name}/epsilon-just-below", for_groups(SUM, below, "0", 2), PAIRS, "below the sum along"
    yield f"{name}/epsilon-of-one", for_groups(SUM, "6/5", "0", 2), PAIRS, "below the sum along"
    good = for_groups(LOSSY_SUM, "0", "1/5", 2)
    bad = for_groups(LOSSY_SUM, "0", "199999999/1000000000", 2)
    yield f"{name}/delta-just-below", bad, good, "delta is not proved"
    odds = handmade.simple("sum", "upper", [("ln(2)", "1/100", 1)], "ln(2)", "1/100")
    good = for_groups(odds, "3*ln(2)", "7001/100000", 3)
    yield f"{name}/delta-times-g", for_groups(odds, "3*ln(2)", "3/100", 3), good, "not proved"
    bad = for_groups(odds, "3*ln(2)", "69999999/1000000000", 3)
    yield f"{name}/delta-just-below-of-odds", bad, good, "not proved"
    lower = handmade.simple("sum", "lower", TWELVE, "119/100", "0")
    yield (
        f"{name}/lower-times-g",
        for_groups(lower, "119/50", "0", 2),
        for_groups(lower, "119/100", "0", 2),
        "not those of the premise",
    )
    one = copy.deepcopy(for_groups(SUM, "6/5", "0", 1))
    yield f"{name}/group-of-one", one, PAIRS, "a group of 1 is none"


def _mechanism_rejects() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    name = "group"
    unscaled = of_groups(SUM, TWELVE, group=2)
    yield f"{name}/unscaled", unscaled, SCALED, "rule sum: epsilon is below the sum"
    stronger = copy.deepcopy(SCALED)
    stronger["statement"]["epsilon"] = "6/5"
    stronger["derivation"][1]["parameters"]["epsilon"] = "6/5"
    yield f"{name}/stronger", handmade.resealed(stronger), SCALED, "not those of the premise"
    odds: list[Entry] = [("ln(2)", "1/100", 1)]
    good = of_groups(
        handmade.simple("sum", "upper", [("2*ln(2)", "301/10000", 1)], "2", "301/10000"),
        odds,
        group=2,
        deltas=("301/10000",),
    )
    bad = of_groups(
        handmade.simple("sum", "upper", [("2*ln(2)", "299/10000", 1)], "2", "299/10000"),
        odds,
        group=2,
        deltas=("299/10000",),
    )
    yield f"{name}/one-delta-just-below", bad, good, "one of the deltas is not proved"
    other = copy.deepcopy(good)
    other["derivation"][1]["parameters"]["deltas"] = ["151/5000"]
    yield f"{name}/deltas-of-others", other, good, "rule sum: delta is too small"
    none = copy.deepcopy(good)
    none["derivation"][1]["parameters"]["deltas"] = []
    yield f"{name}/no-deltas", none, good, "not as many deltas"
    lower = of_groups(
        handmade.simple("sum", "lower", [("1/5", "0", 12)], "2", "0"), TWELVE, group=2
    )
    yield f"{name}/lower-with-deltas", lower, SCALED, "deltas in a lower bound"


def _structure_rejects() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    def changed(value: Certificate, *path: object, to: object) -> Certificate:
        result = copy.deepcopy(value)
        place: Any = result
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        return handmade.resealed(result)

    first, last = PAIRS["derivation"]
    yield (
        "derivation/no-premise",
        changed(PAIRS, "derivation", to=[{**last, "premises": []}]),
        PAIRS,
        "does not fit",
    )
    yield (
        "derivation/two-premises",
        changed(PAIRS, "derivation", 1, "premises", to=["0", "0"]),
        PAIRS,
        "does not fit",
    )
    three = changed(PAIRS, "derivation", to=[first, last, {**last, "premises": ["1"]}])
    yield "derivation/groups-of-groups", three, PAIRS, "about groups itself"
    both = changed(PAIRS, "derivation", to=[first, last, {**last, "premises": ["0"]}])
    yield "derivation/step-of-groups-not-used", both, PAIRS, "is not used exactly once"
    bound = changed(PAIRS, "derivation", 0, "parameters", "bound", to="lower")
    yield "derivation/premise-of-another-kind", bound, PAIRS, "of another kind"
    yield (
        "derivation/other-group",
        changed(PAIRS, "statement", "group", to="3"),
        PAIRS,
        "concludes another statement",
    )
    yield (
        "derivation/group-without-a-step",
        changed(SUM, "statement", "group", to="2"),
        SUM,
        "concludes another statement",
    )
    theorem = changed(PAIRS, "statement", "theorem", to="definition")
    yield "derivation/theorem-of-groups", theorem, PAIRS, "rests on another theorem"


# --- good files ---------------------------------------------------------------------------------


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, and others of both interactions."""
    lower = handmade.simple("sum", "lower", TWELVE, "119/100", "0")
    odds = handmade.simple("sum", "upper", [("7/10", "1/100", 1)], "7/10", "1/100")
    return {
        "concurrent-failing-upper": interleaved(
            handmade.simple("sum", "upper", FAILING, "1 + ln(2)", "3001/1000000"), VADHAN_ZHANG
        ),
        "concurrent-pure-upper": interleaved(SUM, VADHAN_WANG),
        "concurrent-approximate-upper": interleaved(
            handmade.simple("sum", "upper", LOSSY, "2", "19/100"), VADHAN_ZHANG
        ),
        "concurrent-approximate-lyu-upper": interleaved(
            handmade.simple("sum", "upper", LOSSY, "2", "19/100"), LYU
        ),
        "concurrent-lower": interleaved(lower, handmade.MURTAGH_VADHAN),
        **_of_all(),
        "concurrent-trivial-upper": interleaved(handmade.trivial(TWELVE), "definition"),
        "group-upper": PAIRS,
        "group-odds-upper": for_groups(odds, "21/10", "71/1000", 3),
        "group-lower": for_groups(lower, "119/100", "0", 2),
        "group-deltas-upper": SCALED,
        "group-deltas-failing-upper": of_groups(
            handmade.simple("sum", "upper", [("7/5", "31/1000", 1)], "7/5", "31/1000"),
            [("7/10", "1/100", 1)],
            group=2,
            deltas=("31/1000",),
        ),
    }
