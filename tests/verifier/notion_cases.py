"""Good and bad certificates of a ρ or a μ.

Written from certs/SPEC.md, sections 3, 11.28 and 11.29, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.verifier import handmade
from tests.verifier.handmade import changed
from tests.verifier.noise_cases import (
    Certificate,
    Entry,
    RuleCase,
    ShapeCase,
    entry,
    laplace,
    statement,
)

RULES: Final = {"rho": "zcdp-sum", "mu": "gdp-sum"}


def summed(
    notion: str,
    kind: str,
    entries: Sequence[Entry],
    amount: str,
    group: int = 1,
    neighbouring: str = "unspecified",
) -> Certificate:
    rule = RULES[notion]
    claimed = {notion: amount, "group": str(group)}
    about = statement(kind, entries, "0", "0", neighbouring)
    kept = {key: value for key, value in about.items() if key not in ("epsilon", "delta")}
    step = {"rule": rule, "premises": [], "parameters": {"bound": kind, **claimed}}
    return handmade.sealed({**kept, **claimed, "theorem": handmade.theorem_of(rule)}, [step])


QUARTERS: Final = [entry(2, rho="1/4")]
RHO: Final = summed("rho", "upper", QUARTERS, "1/2")
BELOW_RHO: Final = summed("rho", "lower", QUARTERS, "49/100")
LEGS: Final = [entry(mu="3"), entry(mu="4")]
MU: Final = summed("mu", "upper", LEGS, "5")
BELOW_MU: Final = summed("mu", "lower", LEGS, "49/10")
STEPS: Final = [entry(2, discrete_gaussian={"shifts": ["1", "2"], "variance": "5"})]
ON_INTEGERS: Final = summed("rho", "upper", STEPS, "1")
BELOW_INTEGERS: Final = summed("rho", "lower", STEPS, "99/100")
MIXED: Final = [
    entry(2, bounded_range="2"),
    entry(delta="0", epsilon="1"),
    entry(discrete_gaussian={"shifts": ["1"], "variance": "1"}, rate="1/2"),
    entry(discrete_laplace={"scale": "1", "shifts": ["1", "1"]}),
    laplace("1"),
    entry(mu="1"),
    entry(mu="1", rate="1/2"),
    entry(mu_squared="2"),
    entry(
        selection={
            "of": {"count": "1", "delta": "0", "epsilon": "1/4"},
            "repetitions": {"negative_binomial": {"eta": "0", "gamma": "1/2"}},
        }
    ),
]
"""1, 1/2, 1/2, 1, 1/2, 1/2, 1/2, 1 and 1/8."""
OF_ALL: Final = summed("rho", "upper", MIXED, "45/8", neighbouring="add-remove-one")
NOISE: Final = [entry(3, mu="1", rate="1/2"), entry(mu="1")]
SAMPLED: Final = summed("mu", "upper", NOISE, "2", neighbouring="add-remove-one")
BATCHES: Final = [
    entry(sigma="1", shuffled={"batches": "9", "epochs": "2", "order": "fresh"}),
]
KNOWN_BATCH: Final = summed("rho", "upper", BATCHES, "4", neighbouring="replace-one")
FIVES: Final = summed("rho", "upper", QUARTERS, "25/2", 5)


def accepts() -> dict[str, Certificate]:
    """The worked examples of the SPEC; of noise, of all that has a ρ, and of groups."""
    return {
        "zcdp-sum-upper": RHO,
        "zcdp-sum-lower": BELOW_RHO,
        "zcdp-sum-logarithm": summed("rho", "upper", QUARTERS, "ln(2)"),
        "zcdp-sum-integers": ON_INTEGERS,
        "zcdp-sum-integers-below": BELOW_INTEGERS,
        "zcdp-sum-all": OF_ALL,
        "zcdp-sum-known-batch": KNOWN_BATCH,
        "zcdp-sum-groups": FIVES,
        "zcdp-sum-groups-below": summed("rho", "lower", STEPS, "899/100", 3),
        "gdp-sum-upper": MU,
        "gdp-sum-lower": BELOW_MU,
        "gdp-sum-sampled": SAMPLED,
        "gdp-sum-groups": summed("mu", "upper", LEGS, "10", 2),
    }


def shapes() -> Iterator[ShapeCase]:
    """Statements that have too much, too little, or no such number."""
    for name, good, path, value, clause in (
        ("delta-too", RHO, "statement.delta", "0", "statement: unknown key delta"),
        ("both", RHO, "statement.mu", "1", "statement: unknown key mu"),
        ("negative", RHO, "statement.rho", "-1", "rho is negative"),
        ("every", RHO, "statement.rho", "every", "not a number"),
        ("logarithm", MU, "statement.mu", "ln(2)", "mu is not a rational"),
        ("no-group", RHO, "derivation.0.parameters.group", ..., "missing key group"),
        ("epsilon-too", RHO, "derivation.0.parameters.epsilon", "1", "unknown key epsilon"),
    ):
        yield f"notions/{name}", changed(good, path, value), good, clause


def cases() -> Iterator[RuleCase]:
    """Claims that miss the sum by a little, and mechanisms that have none."""
    last = f"{10**30 // 2 - 1}/{10**30}"
    below, above = "the bound is below the sum", "the bound is not below what is attained"
    yield from (
        ("zcdp-sum/below", summed("rho", "upper", QUARTERS, last), RHO, below),
        ("zcdp-sum/equal", summed("rho", "lower", QUARTERS, "1/2"), BELOW_RHO, above),
        ("zcdp-sum/group", summed("rho", "upper", QUARTERS, "249/20", 5), FIVES, below),
        ("zcdp-sum/integers", summed("rho", "lower", STEPS, "1"), BELOW_INTEGERS, above),
        ("zcdp-sum/range-below", summed("rho", "lower", MIXED[:1], "1/2"), BELOW_RHO, above),
        (
            "zcdp-sum/failure",
            summed("rho", "upper", [entry(delta="1/10", epsilon="1")], "9"),
            RHO,
            "what may fail has no rho",
        ),
        (
            "zcdp-sum/irrational",
            summed("rho", "upper", [entry(delta="0", epsilon="ln(2)")], "9"),
            RHO,
            "an epsilon with logarithms has no rational rho",
        ),
        (
            "zcdp-sum/skellam",
            summed("rho", "upper", [entry(skellam={"shifts": ["1"], "variance": "9"})], "9"),
            RHO,
            "one of the mechanisms has no rho that is known here",
        ),
        (
            "zcdp-sum/sampled-range",
            summed(
                "rho",
                "upper",
                [entry(bounded_range="1", rate="1/2")],
                "9",
                neighbouring="add-remove-one",
            ),
            RHO,
            "one of the mechanisms has no rho that is known here",
        ),
        (
            "zcdp-sum/some-orders",
            summed("rho", "upper", [entry(renyi=[["2", "1"]])], "9"),
            RHO,
            "divergences of some orders give no rho and no mu",
        ),
        ("gdp-sum/below", summed("mu", "upper", LEGS, "4999999/1000000"), MU, below),
        ("gdp-sum/equal", summed("mu", "lower", LEGS, "5"), BELOW_MU, above),
        (
            "gdp-sum/pure",
            summed("mu", "upper", [entry(delta="0", epsilon="1")], "9"),
            MU,
            "what is given by an epsilon, a delta or a rho has no mu",
        ),
        (
            "gdp-sum/laplace",
            summed("mu", "upper", [laplace("1")], "9"),
            MU,
            "one of the mechanisms is not Gaussian noise",
        ),
    )
    other = changed(RHO, "derivation.0.parameters.rho", "1/3")
    yield "zcdp-sum/another", other, RHO, "the derivation concludes another statement"
