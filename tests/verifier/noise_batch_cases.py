"""Good and bad certificates about shuffled batches, and about records that are replaced.

Written from certs/SPEC.md, sections 7, 11.5 and 11.6, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    CLIPPED,
    NEIGHBOURS,
    PAIR,
    SAMPLED,
    SAMPLED_ABOVE,
    Certificate,
    Plan,
    RuleCase,
    dots,
    entry,
    laplace,
    orders,
    plan,
    score,
    shuffled,
)

EPOCH: Final = [shuffled("1/2", 1000, 1, "fresh")]
EPOCHS: Final = [
    shuffled("1", 100, 2, "fresh"),
    shuffled("1", 3, 2, "persistent"),
    shuffled("2", 1, 3, "fresh", count=2),
    laplace("2"),
    entry(mu="1/2"),
]


def maxima(first: Plan, *cuts: Sequence[int]) -> Plan:
    return {**first, "cuts": [[str(cut) for cut in each] for each in cuts]}


THRESHOLD: Final = maxima(plan([(0, 1)]), [1600])
COARSE: Final = [(-40, 40), (-10, 10), (-3, 3), (-3, 3), (-8, 12)]
COARSE_CUTS: Final = ([-4, 0, 4, 8, 12, 16], [-2, 2, 6, 10, 14, 18], [*range(-9, 11)])
OF_EPOCHS: Final = maxima(plan(COARSE, (-40, 40, 1), (-80, 80, 1)), *COARSE_CUTS)
EPOCH_ABOVE: Final = dots(EPOCH, "9.999", "1/50", plan([(-300, 700)]))
EPOCH_BELOW: Final = score(EPOCH, "9.996", "1/100", THRESHOLD, 1)
GIVEN_WAY: Final = {"relation": "replace-one"}
REPLACED: Final = [shuffled("2", 10, 1, "fresh")]
ONE_SUM: Final = maxima(plan([(0, 1)]), [40])
REPLACED_ABOVE: Final = dots(REPLACED, "4.4", "1/10", plan([(-30, 60)]), **GIVEN_WAY)
REPLACED_BELOW: Final = score(REPLACED, "1.5", "1/20", ONE_SUM, 1, **GIVEN_WAY)
EPOCHS_ABOVE: Final = dots(EPOCHS, "15", "1/10", plan([(-150, 150), (-10, 10)]))
EPOCHS_BELOW: Final = score(EPOCHS, "1", "1/4", OF_EPOCHS, 12, delta="1/100")
EPOCHS_BACK: Final = score(EPOCHS, "1/4", "1/4", OF_EPOCHS, 6, delta="1/100", direction="add")
BATCHES: Final = [*EPOCH, *SAMPLED, entry(pair=PAIR)]
WIDER: Final = plan([(-100, 160), (-60, 60), (-10, 10)], (-120, 120, 1), (-240, 240, 1))
FAR: Final = plan([(-60, 60), (-10, 10), (0, 1000, 1000)], (-120, 120, 1), (-240, 240, 1))
BATCHES_ABOVE: Final = dots(BATCHES, "8", "1/10", WIDER, WIDER, delta="1/10")
BATCHES_BELOW: Final = score(BATCHES, "1", "1/10", maxima(FAR, [80]), 500, delta="1/10")
GIVING_WAY: Final = plan([(-60, 60)], (-120, 120, 1), (-200, 200, 2))
SAMPLED_REPLACED_ABOVE: Final = dots(CLIPPED, "2.6", "1/20", GIVING_WAY, **GIVEN_WAY)
SAMPLED_REPLACED_BELOW: Final = score(CLIPPED, "2.4", "1/20", GIVING_WAY, 25, **GIVEN_WAY)
SUMS: Final = [
    entry(clip="2", discrete_gaussian={"variance": "4"}, rate="1/4"),
    entry(clip="2", discrete_laplace={"scale": "2"}, rate="1/4"),
    entry(clip="1", laplace={"scale": "2"}, rate="1/4"),
]
SUMS_ABOVE: Final = dots(SUMS, "3.6", "1/20", plan([(-80, 80)] * 3), **GIVEN_WAY)
SUMS_BELOW: Final = score(SUMS, "1", "1/20", plan([(-40, 40)] * 3), 21, delta="1/1000", **GIVEN_WAY)
REPLACEABLE: Final = [
    *EPOCH,
    *CLIPPED,
    laplace("2"),
    entry(bounded_range="1/2", rate="1/3"),
    entry(discrete_laplace={"scale": "2", "shifts": ["1"]}),
    entry(clip="1", laplace={"scale": "1"}, rate="1/5"),
]
SUMS_BESIDE: Final = [*REPLACED, *REPLACEABLE[1:]]
WIDEST: Final = plan([(-30, 40), *[(-30, 30)] * 5], (-80, 100, 1), (-120, 130, 1))
BESIDE_BATCHES: Final = plan([*[(-5, 5)] * 5, (0, 1000, 1000)], (-12, 12, 1), (-24, 24, 1))
REPLACEABLE_ABOVE: Final = dots(SUMS_BESIDE, "6", "1/5", WIDEST, **GIVEN_WAY)
REPLACEABLE_BELOW: Final = score(
    REPLACEABLE, "1", "1/10", maxima(BESIDE_BATCHES, [80]), 500, delta="1/10", **GIVEN_WAY
)


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC, forth and back."""
    return {
        "mesh-upper-shuffled": EPOCH_ABOVE,
        "mesh-upper-replaced": REPLACED_ABOVE,
        "mesh-upper-sampled-replaced": SAMPLED_REPLACED_ABOVE,
        "mesh-upper-all-replaced": REPLACEABLE_ABOVE,
        "mesh-upper-epochs": EPOCHS_ABOVE,
        "mesh-lower-shuffled": EPOCH_BELOW,
        "mesh-lower-replaced": REPLACED_BELOW,
        "mesh-lower-sampled-replaced": SAMPLED_REPLACED_BELOW,
        "mesh-upper-sums-replaced": SUMS_ABOVE,
        "mesh-lower-sums-replaced": SUMS_BELOW,
        "mesh-lower-all-replaced": REPLACEABLE_BELOW,
        "mesh-lower-epochs": EPOCHS_BELOW,
        "mesh-lower-epochs-back": EPOCHS_BACK,
        "mesh-upper-batches": BATCHES_ABOVE,
        "mesh-lower-batches": BATCHES_BELOW,
        "moments-shuffled": orders(EPOCH, "13", "4"),
    }


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _shuffled_cases()
    yield from _replaced_cases()


def _replaced_cases() -> Iterator[RuleCase]:
    relation = NEIGHBOURS
    bad = changed(SAMPLED_ABOVE, relation, "unspecified")
    yield "noise/unspecified", bad, SAMPLED_ABOVE, "has add-remove-one neighbours"
    table = [entry(discrete_laplace={"scale": "1", "shifts": ["1"]}, rate="1/4")]
    for name, listed in (
        ("table", table),
        ("pair", [*SAMPLED, entry(pair=PAIR)]),
        ("laplace", [laplace("1", rate="1/5")]),
        ("sensitivity", SAMPLED),
    ):
        bad = dots(listed, "30", "1/20", GIVING_WAY, **GIVEN_WAY)
        yield f"noise/replace-one-{name}", bad, SAMPLED_ABOVE, "has add-remove-one neighbours"
    bad = dots(CLIPPED, "2.6", "1/20", GIVING_WAY, GIVING_WAY, **GIVEN_WAY)
    yield "noise/replace-one", bad, SAMPLED_REPLACED_ABOVE, "2 plans, for 1 directions"
    for name in ("add-remove-one", "unspecified"):
        bad = changed(SAMPLED_REPLACED_ABOVE, relation, name)
        yield f"noise/clip-{name}", bad, SAMPLED_REPLACED_ABOVE, "has replace-one neighbours"
    bad = dots([*CLIPPED, entry(pair=PAIR)], "30", "1/20", GIVING_WAY, **GIVEN_WAY)
    yield "noise/clip-pair", bad, SAMPLED_REPLACED_ABOVE, "has no neighbours"
    bad = dots(CLIPPED, "2.5", "1/20", GIVING_WAY, **GIVEN_WAY)
    yield "noise/given-way", bad, SAMPLED_REPLACED_ABOVE, "is not proved to be at most Δ"
    bad = score(CLIPPED, "2.6", "1/20", GIVING_WAY, 27, **GIVEN_WAY)
    yield "noise/given-way-below", bad, SAMPLED_REPLACED_BELOW, "is not proved to be above Δ"
    for name in ("add-remove-one", "replace-one"):
        bad = changed(BATCHES_ABOVE, relation, name)
        yield f"noise/batches-{name}", bad, BATCHES_ABOVE, "has zero-out neighbours"
    far = [entry(clip="9", discrete_gaussian={"variance": "1/100"}, rate="1/10")]
    bad = dots(far, "30", "1/20", plan([(-60, 60)]), **GIVEN_WAY)
    yield "noise/clip-loss", bad, SAMPLED_REPLACED_ABOVE, "a privacy loss above 1000"


def shapes() -> Iterator[RuleCase]:
    """What a clip must be, and stand beside."""
    good = SAMPLED_REPLACED_ABOVE
    whole = "a clip beside discrete noise is no integer up to 1000000"
    for name, listed, clause in (
        ("zero", entry(clip="0", rate="1/10", sigma="1"), "a mechanism's clip is 0"),
        ("without-rate", entry(clip="1", sigma="1"), "mechanism"),
        ("rate-one", entry(clip="1", rate="1", sigma="1"), "rate is not between 0 and 1"),
        ("mu", entry(clip="1", mu="1", rate="1/10"), "mechanism"),
        ("sensitivity", entry(clip="1", rate="1/10", **laplace("1")), "laplace"),
        ("half", entry(clip="1/2", discrete_laplace={"scale": "1"}, rate="1/10"), whole),
        (
            "variance",
            entry(clip="1", discrete_gaussian={"variance": "1/10000000"}, rate="1/10"),
            "variance is not from 1e-6 to 1e12",
        ),
    ):
        bad = dots([listed], "2.9", "1/20", GIVING_WAY, **GIVEN_WAY)
        yield f"noise/clip-{name}", bad, good, clause


def _shuffled_cases() -> Iterator[RuleCase]:
    for rule, good, name in (
        ("mesh-upper", EPOCH_ABOVE, "add-remove-one"),
        ("mesh-lower", EPOCH_BELOW, "unspecified"),
    ):
        bad = changed(good, "statement.neighbouring", name)
        yield f"{rule}/shuffled-{name}", bad, good, "has zero-out or replace-one neighbours"
    replaced = changed(EPOCH_ABOVE, "statement.neighbouring", "replace-one")
    yield "mesh-upper/replaced", replaced, EPOCH_ABOVE, "is not proved to be at most Δ"
    zeroed = changed(REPLACED_BELOW, "statement.neighbouring", "zero-out")
    yield "mesh-lower/zeroed", zeroed, REPLACED_BELOW, "is not proved to be above Δ"
    unproved = "is not proved to be above Δ"
    for name, given, clause in (
        ("cuts-missing", plan([(0, 1)]), "0 lists of cuts, for 1 pairs of laws"),
        ("cuts-twice", maxima(THRESHOLD, [1600], [1600]), "2 lists of cuts, for 1 pairs of laws"),
        ("cuts-few", maxima(plan([(0, 2)]), [1600]), "1 cuts, for 3 points"),
        ("cut-low", maxima(THRESHOLD, [1500]), unproved),
        ("cut-high", maxima(THRESHOLD, [1700]), unproved),
    ):
        bad = score(EPOCH, "9.996", "1/100", given, 1)
        yield f"mesh-lower/{name}", bad, EPOCH_BELOW, clause
    for name, one in (
        ("batches", shuffled("1/2", 2000, 1, "fresh")),
        ("sigma", shuffled("51/100", 1000, 1, "fresh")),
    ):
        yield (
            f"mesh-lower/{name}",
            score([one], "9.996", "1/100", THRESHOLD, 1),
            EPOCH_BELOW,
            unproved,
        )
    more = [shuffled("1/2", 1000, 2, "persistent")]
    bad = dots(more, "9.999", "1/50", plan([(-300, 700)]))
    yield "mesh-upper/epochs", bad, EPOCH_ABOVE, "is not proved to be at most Δ"
    bad = dots(EPOCH, "9.999", "1/50", maxima(plan([(-300, 700)]), [1600]))
    yield "mesh-upper/cuts", bad, EPOCH_ABOVE, "1 lists of cuts, for 0 pairs of laws"
