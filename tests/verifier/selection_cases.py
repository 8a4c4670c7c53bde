"""Good and bad certificates about private selection.

Written from certs/SPEC.md, sections 7.1, 7.4, 11.5, 11.6 and 11.14, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.verifier.handmade import changed
from tests.verifier.noise_cases import Certificate, Entry, RuleCase, dots, entry, made, plan, score

GEOMETRIC: Final = {"negative_binomial": {"eta": "1", "gamma": "1/10"}}
LOGARITHMIC: Final = {"negative_binomial": {"eta": "0", "gamma": "1/10"}}
HALF: Final = {"negative_binomial": {"eta": "-1/2", "gamma": "1/10"}}
POISSON: Final = {"poisson": {"mean": "10"}}
THEOREM: Final = "canonne-kamath-steinke-2020-proposition-12"
MILLIONTH: Final = "1/1000000"


def best(repetitions: dict[str, Any], count: int = 1, runs: int = 1, **of: object) -> Entry:
    selection = {"of": {"count": str(runs), **of}, "repetitions": repetitions}
    return entry(count, selection=selection)


def moments(
    entries: list[Entry], epsilon: str, alpha: str, delta: str = MILLIONTH, **relation: str
) -> Certificate:
    more = {"alpha": alpha, "digits": "30", **relation}
    good = made("moments", "upper", entries, (epsilon, delta), **more)
    return changed(good, "statement.theorem", THEOREM)


PURE: Final = [best(GEOMETRIC, 2, epsilon="1/10", delta="0")]
WINDOW: Final = plan([(-20, 20)], (-40, 40, 1))
ABOVE: Final = dots(PURE, "599/1000", "1/20", WINDOW, delta="1/1000")
BELOW: Final = score(PURE, "1/10", "1/20", WINDOW, 4, delta="1/1000")
NOISE: Final = [best(GEOMETRIC, mu="1/2")]
BY_MU: Final = moments(NOISE, "5", "10")
RATE: Final = [best(LOGARITHMIC, runs=1000, mu="1", rate="1/100")]
SAMPLED: Final = moments(RATE, "4", "8", relation="add-remove-one")
LISTED: Final = [["2", "1/50"], ["8", "1/10"], ["32", "1/2"]]
BY_LIST: Final = moments([best(POISSON, renyi=LISTED)], "2", "32")
BY_RHO: Final = moments([best(HALF, rho="1/8")], "4", "10")
PURE_POISSON: Final = moments([best(POISSON, epsilon="ln(3/2)", delta="0")], "7/2", "16")


def accepts() -> dict[str, Certificate]:
    """Runs of each kind."""
    return {
        "mesh-upper-selection": ABOVE,
        "mesh-lower-selection": BELOW,
        "moments-selection": BY_MU,
        "moments-selection-sampled": SAMPLED,
        "moments-selection-listed": BY_LIST,
        "moments-selection-concentrated": BY_RHO,
        "moments-selection-poisson": PURE_POISSON,
        "moments-selection-pure": moments(PURE, "2", "16"),
    }


def cases() -> Iterator[RuleCase]:
    """Claims that do not hold."""
    over, at_most = "this alpha is not proved to give delta", "is not proved to be at most Δ"
    for name, entries, epsilon, alpha in (
        ("epsilon", NOISE, "4", "10"),
        ("mu", [best(GEOMETRIC, mu="1")], "5", "10"),
        ("runs", [best(GEOMETRIC, runs=3, mu="1/2")], "5", "10"),
        ("count", [best(GEOMETRIC, 2, mu="1/2")], "5", "10"),
        ("eta", [best({"negative_binomial": {"eta": "3", "gamma": "1/10"}}, mu="1/2")], "5", "10"),
        (
            "gamma",
            [best({"negative_binomial": {"eta": "1", "gamma": "1/1000"}}, mu="1/2")],
            "5",
            "10",
        ),
    ):
        yield f"moments/selection-{name}", moments(entries, epsilon, alpha), BY_MU, over
    bad = moments([best({"poisson": {"mean": "1000"}}, renyi=LISTED)], "2", "32")
    yield "moments/selection-mean", bad, BY_LIST, over
    bad = moments([best(POISSON, renyi=LISTED)], "2", "33")
    yield "moments/selection-order", bad, BY_LIST, "a list of Rényi divergences ends below alpha"
    bad = changed(SAMPLED, "statement.neighbouring", "replace-one")
    yield "moments/selection-replaced", bad, SAMPLED, "has add-remove-one"
    bad = dots(PURE, "2/5", "1/20", WINDOW, delta="1/1000")
    yield "mesh-upper/selection-epsilon", bad, ABOVE, at_most
    # the pair of the bound is not attained: 3/10 twice, of which 1/10 twice is
    bad = score(PURE, "1/5", "1/20", WINDOW, 4, delta="1/1000")
    yield "mesh-lower/selection-epsilon", bad, BELOW, "is not proved to be above Δ"


def shapes() -> Iterator[tuple[str, Certificate, Certificate, str]]:
    """Malformed entries, each one change away from a good certificate."""
    first = "statement.subject.mechanisms.0.selection"
    law = f"{first}.repetitions.negative_binomial"
    changes: list[tuple[str, str, object, str]] = [
        ("of", f"{first}.of", {"count": "1", "laplace": "1"}, "of: unknown key laplace"),
        ("rate", f"{first}.of.rate", "1", "a mechanism's rate is not between 0 and 1"),
        ("mu", f"{first}.of.mu", "0", "what is selected reveals nothing"),
        ("bits", f"{first}.of.mu", f"1/{2**256}", "a selection's mu has more than 256 bits"),
        ("runs", f"{first}.of.count", "0", "count is not an integer from 1"),
        ("eta", f"{law}.eta", "-1", "eta is not a short rational above -1"),
        ("eta-small", f"{law}.eta", "1/10000000", "eta is below a millionth"),
        ("gamma", f"{law}.gamma", "1", "gamma is not from 10^-12"),
        ("both", f"{first}.repetitions.poisson", {"mean": "1"}, "unknown key negative_binomial"),
        ("beside", "statement.subject.mechanisms.0.rate", "1/2", "mechanism: unknown key rate"),
    ]
    for name, path, value, clause in changes:
        yield f"selection/{name}", changed(BY_MU, path, value), BY_MU, clause
    listed = f"{first}.of.renyi"
    further: list[tuple[str, str, object, str]] = [
        ("mean", f"{first}.repetitions.poisson.mean", "0", "the mean of repetitions is not above"),
        ("list", listed, [], "renyi is not 1 to 256 pairs, in a selection"),
        ("orders", listed, [["2", "1"], ["2", "1"]], "the orders of renyi do not rise"),
    ]
    for name, path, value, clause in further:
        yield f"selection/{name}", changed(BY_LIST, path, value), BY_LIST, clause
    delta = f"{first}.of.delta"
    yield "selection/delta", changed(PURE_POISSON, delta, "1/2"), PURE_POISSON, "what is selected"
