"""Good and bad certificates of the rule ``atoms``, for the corpora of ``make_rejects``.

Written from certs/SPEC.md, sections 7.1 and 11.3, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, Final

from tests.verifier import handmade
from tests.verifier.noise_cases import Entry, entry, made
from tests.verifier.optimum_cases import MIXED, PAIR

Certificate = dict[str, Any]
RuleCase = tuple[str, Certificate, Certificate, str]
AcceptCase = dict[str, Certificate]

LN3: Final = {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}
"""Randomized response of ln 3, written out."""
LOPSIDED: Final = {"p": ["1/2", "2/5", "1/10"], "q": ["1/4", "3/4", "0"]}


def cases() -> Iterator[RuleCase]:
    """Each with the name of its file, the good certificate next to it, and what must be said."""
    yield from _exact_cases()
    yield from _rounded_cases()
    yield from _table_cases()


def tables(
    kind: str, entries: list[Entry], epsilon: str, delta: str, **parameters: str
) -> Certificate:
    """With exact masses, of mechanisms that are written out."""
    more = {"digits": "30", "masses": "exact", "sums": "100", **parameters}
    certificate = made("atoms", kind, entries, ("0", delta), **more)
    for path in ("statement.epsilon", "derivation.0.parameters.epsilon"):
        certificate = handmade.changed(certificate, path, epsilon)
    return certificate


def accepts() -> AcceptCase:
    """True certificates, by the names of their files."""
    twice = [entry(2, pair=LN3)]
    beside = [entry(pair=LN3), entry(epsilon="ln(3)", delta="0")]
    sampled = [entry(2, pair=LN3, rate="1/2")]
    return {
        "atoms-exact-upper": handmade.atoms("upper", PAIR, "ln(37/5)", "1/10"),
        "atoms-exact-lower": handmade.atoms("lower", PAIR, "2", "1/10"),
        "atoms-rounded-upper": handmade.rounded_atoms(
            "upper", MIXED, "966687929/1000000000", "1/100"
        ),
        "atoms-rounded-lower": handmade.rounded_atoms(
            "lower", MIXED, "120835991/125000000", "1/100"
        ),
        "atoms-table-upper": tables("upper", twice, "ln(37/5)", "1/10"),
        "atoms-table-lower": tables("lower", twice, "2", "1/10"),
        "atoms-table-beside-response": tables("upper", beside, "ln(37/5)", "1/10"),
        "atoms-table-sampled": tables("upper", sampled, "ln(19/10)", "1/5"),
        "atoms-table-of-one-way-answers": tables("upper", [entry(pair=LOPSIDED)], "ln(3)", "1/10"),
    }


def _table_cases() -> Iterator[RuleCase]:
    twice = [entry(2, pair=LN3)]
    good = tables("upper", twice, "ln(37/5)", "1/10")
    bad = tables("upper", twice, "ln(36999999/5000000)", "1/10")
    yield "atoms/table-just-below", bad, good, "the divergence is above Δ"
    good = tables("lower", twice, "ln(36999999/5000000)", "1/10")
    bad = tables("lower", twice, "ln(37/5)", "1/10")
    yield "atoms/table-lower-equality", bad, good, "the divergence is not above Δ"
    # removing the record shows 1/10 for every ε, adding it has a loss of ln(15/8) at 3/4
    one_way = [entry(pair=LOPSIDED)]
    good = tables("upper", one_way, "ln(2)", "1/10")
    bad = tables("upper", one_way, "ln(2)", "99/1000")
    yield "atoms/table-infinite-loss", bad, good, "the divergence is above Δ"
    turned = [entry(pair={"p": LOPSIDED["q"], "q": LOPSIDED["p"]})]
    bad = tables("upper", turned, "ln(2)", "99/1000")
    yield "atoms/table-infinite-loss-of-adding", bad, good, "the divergence is above Δ"
    good = tables("lower", twice, "1", "1/10", masses="exact")
    bad = tables("lower", twice, "1", "1/10", masses="rounded")
    yield "atoms/table-rounded", bad, good, "masses of tables are exact"
    bad = tables("lower", [*twice, entry(epsilon="1", delta="0")], "1", "1/10")
    yield "atoms/table-beside-irrational-odds", bad, good, "the odds of an epsilon are not rational"
    bad = tables("lower", [*twice, entry(bounded_range="1")], "1", "1/10")
    yield "atoms/beside-noise", bad, good, "is not about noise"
    bad = tables("lower", [*twice, entry(renyi=[["2", "1"]])], "1", "1/10")
    yield "atoms/beside-divergences", bad, good, "is not about noise"
    bad = tables("lower", [entry(3, pair=LOPSIDED)], "1", "1/10", sums="3")
    yield "atoms/table-too-few-sums", bad, good, "more distinct sums than stated"
    bad = tables("lower", [entry(10**7, pair=LN3)], "1", "1/10")
    yield "atoms/table-too-large", bad, good, "the probabilities are too large"


def _exact_cases() -> Iterator[RuleCase]:
    def exact(kind: str, epsilon: str, sums: int = 3) -> Certificate:
        return handmade.atoms(kind, PAIR, epsilon, "1/10", sums=sums)

    rule = "atoms"
    good = exact("upper", "ln(37/5)")
    bad = exact("upper", "ln(36999999/5000000)")
    yield f"{rule}/upper-just-below", bad, good, "the divergence is above Δ"
    bad = exact("upper", "50037/25000")
    yield (
        f"{rule}/upper-rational-epsilon-just-below",
        bad,
        exact("upper", "1251/625"),
        "the divergence is above Δ",
    )
    bad, good = (handmade.atoms("upper", PAIR, "1/2", d) for d in ("2297/5000", "919/2000"))
    yield f"{rule}/upper-small-epsilon-just-below", bad, good, "the divergence is above Δ"
    for kind, delta, said in (  # beside D(e^(1/2)) = 0.45945492058124199082…
        ("upper", f"229727460290621/{5 * 10**14}", "the divergence is above Δ"),
        ("lower", f"4594549205812419/{10**16}", "the divergence is not above Δ"),
    ):
        bad, good = (handmade.atoms(kind, PAIR, "1/2", delta, digits=digits) for digits in (1, 30))
        yield f"{rule}/{kind}-too-few-digits", bad, good, said
    good = exact("lower", "ln(36999999/5000000)")
    bad = exact("lower", "ln(37/5)")
    yield f"{rule}/lower-equality", bad, good, "the divergence is not above Δ"
    yield f"{rule}/lower-above", exact("lower", "3"), good, "the divergence is not above Δ"
    yield f"{rule}/every", exact("lower", "every"), good, "epsilon is every"
    good = exact("upper", "ln(37/5)")
    bad = exact("upper", "ln(37/5)", sums=2)
    yield f"{rule}/too-few-sums-for-a-group", bad, good, "more distinct sums than stated"
    bad, good = exact("upper", "100000000"), exact("upper", "100")
    yield f"{rule}/epsilon-beyond-exponentials", bad, good, "an exponential that is too large"
    failing: list[handmade.Entry] = [("ln(3)", "1/10", 1)]
    bad, good = (handmade.atoms("upper", failing, "100", delta) for delta in ("9/100", "1/10"))
    yield f"{rule}/infeasible-beyond-every-sum", bad, good, "the divergence is above Δ"
    two = [*PAIR, ("ln(2)", "0", 2)]
    good = handmade.atoms("upper", two, "5", "1/10", sums=9)
    bad = handmade.atoms("upper", two, "5", "1/10", sums=8)
    yield f"{rule}/too-few-sums", bad, good, "more distinct sums than stated"
    good = exact("lower", "1")
    bad = handmade.certificate(
        rule, "lower", [("1", "0", 2)], "1", "1/10", digits="30", masses="exact", sums="4"
    )
    yield f"{rule}/irrational-odds", bad, good, "the odds of an epsilon are not rational"
    bad = handmade.atoms("lower", [("1/2*ln(3)", "0", 2)], "0", "1/10", sums=4)
    yield f"{rule}/half-a-logarithm", bad, good, "the odds of an epsilon are not rational"
    huge = [("ln(2)", f"1/{2**4000}", 1100)]
    bad = handmade.atoms("lower", huge, "1", "1/10", sums=1101)
    good = handmade.atoms("lower", [("ln(2)", "1/2", 2)], "0", "1/10")
    yield f"{rule}/deltas-too-large", bad, good, "too large"


def _rounded_cases() -> Iterator[RuleCase]:
    def rounded(kind: str, epsilon: str, sums: int = 8, digits: int = 30) -> Certificate:
        return handmade.rounded_atoms(kind, MIXED, epsilon, "1/100", sums=sums, digits=digits)

    upper = rounded("upper", "966687929/1000000000")
    lower = rounded("lower", "120835991/125000000")
    above, below = "not proved to be at most Δ", "not proved to be above Δ"
    yield "atoms/rounded-upper-below", rounded("upper", "120835991/125000000"), upper, above
    yield "atoms/rounded-lower-above", rounded("lower", "966687929/1000000000"), lower, below
    yield (
        "atoms/rounded-too-few-sums",
        rounded("upper", "966687929/1000000000", sums=7),
        upper,
        "more distinct",
    )
    yield (
        "atoms/rounded-upper-too-few-digits",
        rounded("upper", "966687929/1000000000", digits=2),
        upper,
        above,
    )
    yield (
        "atoms/rounded-lower-too-few-digits",
        rounded("lower", "120835991/125000000", digits=2),
        lower,
        below,
    )
    yield "atoms/rounded-every", rounded("lower", "every"), lower, "epsilon is every"
    entries: list[handmade.Entry] = [("-1/4 + ln(3)", "0", 4)]
    yield (
        "atoms/basis-element-rounded-up",  # test_counterexamples
        handmade.rounded_atoms("upper", entries, "2856873/1000000", "1/10"),
        handmade.rounded_atoms("upper", entries, "2857/1000", "1/10"),
        above,
    )
    shared = handmade.rounded_atoms("upper", _sharing_primes(5), "1", "1/100")
    yield "atoms/shared-factors", shared, upper, "share too many factors"


def _sharing_primes(number: int) -> list[handmade.Entry]:
    """Logarithms of integers that share primes in all patterns: a basis of 2^number - 1."""
    primes = [n for n in range(2, 128) if all(n % d for d in range(2, n))]
    patterns = range(1, 2**number)
    return [
        (f"ln({prod(primes[p - 1] for p in patterns if p >> i & 1)})", "0", 1)
        for i in range(number)
    ]
