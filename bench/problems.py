r"""The problems that are measured.

Rules of this file: parameters are decimal texts, exact as written; equal mechanisms are merged, so
that every program gets the same groups; nothing here is random.

Theory of operation: P1 to P9 are rows on which accountants differ. Two of them are repeated at
small δ, where floating point ends. S1 and S2 are DP-SGD, G1 and G2 discrete Gaussian noise. The
growth series vary one size at a time: the number of mechanisms k, the cells A of the grid, the
digits of the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

EXACT: Final = "1e-12"
SMALL_DELTAS: Final = ("2^-40", "2^-60", "1e-30", "2^-128")
QUICK: Final = ("P1", "P3", "P6", "P7", "P8")


@dataclass(frozen=True, slots=True)
class Group:
    """Equal mechanisms: texts of ε and δ, and how many there are."""

    epsilon: str
    delta: str
    count: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A composition to be solved.

    Attributes:
        name: what ``--only`` and the tables call it.
        title: its parameters, for people.
        groups: distinct pairs (ε, δ) with their counts.
        delta: the text of the global δ.
        tolerance: the text of the width of exactdp's interval.
        size: what a growth series varies; 0 elsewhere.
        noise: mechanisms by their noise, as the option -m has them; there are no groups then.
    """

    name: str
    title: str
    groups: tuple[Group, ...]
    delta: str
    tolerance: str = EXACT
    size: int = 0
    noise: tuple[str, ...] = ()

    @property
    def mechanisms(self) -> int:
        """The number of mechanisms, k."""
        return sum(group.count for group in self.groups)


_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


def problems() -> tuple[Problem, ...]:
    """P1 to P9."""
    return (
        Problem("P1", "k=100, ε=0.1", _equal("0.1", 100), "2^-30"),
        Problem("P2", "k=1000, ε=0.01", _equal("0.01", 1000), "2^-30"),
        Problem("P3", "k=50, ε=.01(1+i mod 20), δᵢ=1e-10", _hundredths("1e-10"), "1e-6"),
        Problem("P4", "k=1000, ε=.001(1+37i mod 101)", _thousandths(1000), "2^-40"),
        Problem("P5", "P3 with δᵢ=0", _hundredths("0"), "2^-60"),
        Problem("P6", "k=10000, ε=0.01", _equal("0.01", 10_000), "1e-9"),
        Problem("P7", "30 each of ln 2, ln 3, ln(3/2)", _logarithms(), "1e-8"),
        Problem("P8", "ε=3, 5, 10, 0.5, 20", _merged(("3", "5", "10", "0.5", "20")), "1e-5"),
        Problem("P9", "k=2000, all ε distinct, δᵢ=1e-12", _distinct(), "1e-7", "1e-6"),
    )


def small_deltas() -> tuple[Problem, ...]:
    """P4 and P5 where δ is far below what a double can tell from 0."""
    known = {problem.name: problem for problem in problems()}
    return tuple(
        replace(known[name], name=f"{name}@{delta}", delta=delta)
        for name in ("P4", "P5")
        for delta in SMALL_DELTAS
        if delta != known[name].delta
    )


def by_noise() -> tuple[Problem, ...]:
    """DP-SGD, each to 5e-4, and discrete Gaussian noise, to 1e-4."""
    small = ("sigma=1,rate=0.01*1000",)
    large = ("sigma=1.1,rate=256/60000*14063",)
    counts = ("discrete_gaussian=100*100",)
    sgd = "DP-SGD, q={}, σ={}, T={}"
    return (
        Problem("S1", sgd.format("0.01", 1, 1000), (), "1e-5", "5e-4", noise=small),
        Problem("S2", sgd.format("256/60000", "1.1", 14_063), (), "1e-5", "5e-4", noise=large),
        Problem("G1", "discrete Gaussian, σ²=100, k=100", (), "1e-6", "1e-4", noise=counts),
        Problem("G2", "2020 Census, US housing units", (), "1e-10", "1e-4", noise=_census()),
    )


def _census() -> tuple[str, ...]:
    """The six queries on housing units of P.L. 94-171: variance 1/ρ, and two cells that move."""
    variances = (
        "31231678045/11417641",
        "31231678045/11417641",
        "12492671218/79923487",
        "156158390225/4156021324",
        "624633560900/20083630519",
        "124926712180/1130346459",
    )
    return tuple(f"discrete_gaussian={variance},shifts=1+1" for variance in variances)


def large() -> tuple[Problem, ...]:
    """What no peer is asked: many digits off the grid, and very many mechanisms."""
    drawn = _merged(_eight_digits(i) for i in range(1, 101))
    title = "100 random ε of 8 digits"
    return (
        Problem("random@1e-7", title, drawn, "1e-6", "1e-7"),
        Problem("billion", "k=10⁹, ε=0.00001", _equal("0.00001", 10**9), "1e-9"),
    )


def hard() -> tuple[Problem, ...]:
    """Ledgers without a common grid that is small enough to be held."""
    days = _merged([f"0.00{1000 + 7919 * i % 9000:04}" for i in range(20)] * 365)
    mixed = _merged(
        f"0.{(7_368_787 * i + 13) % 10 ** (1 + i % 9):0{1 + i % 9}}" for i in range(1, 300)
    )
    many = _merged(f"0.0{(61_803_399 * i + 7) % 99_999_989:08}" for i in range(1, 10_001))
    million = _merged(
        [f"0.000{1_000_000 + 7_368_787 * i % 9_000_000:07}" for i in range(1000)] * 1000
    )
    drawn = _merged(_eight_digits(i) for i in range(1, 101))
    logarithms = _merged(f"ln({n + 1}/{n})" for n in range(1, 201))
    known = {problem.name: problem for problem in problems()}["P9"]
    return (
        *_finer("days", "365 × 20 ε of 6 digits", days, "1e-9", "1e-12"),
        *_finer("mixed", "299 ε of 1 to 9 digits", mixed, "1e-9"),
        *_finer("many", "10⁴ distinct ε", many, "1e-6"),
        *_finer("million", "10⁶ mechanisms, 1000 distinct", million, "1e-6"),
        *_finer("random", "100 random ε of 8 digits", drawn, "1e-9", "1e-12"),
        *_finer("P9", known.title, known.groups, "1e-6", "1e-8", "1e-10", delta=known.delta),
        *_finer("logarithms", "ln(1+1/n), n ≤ 200", logarithms, "1e-9"),
    )


def _finer(
    name: str, title: str, groups: tuple[Group, ...], *tolerances: str, delta: str = "1e-6"
) -> Iterator[Problem]:
    """One ledger to several tolerances."""
    for tolerance in tolerances:
        yield Problem(f"{name}@{tolerance}", title, groups, delta, tolerance)


def growth_in_mechanisms() -> tuple[Problem, ...]:
    """P4 with k from 10² to 10⁵; the grid has about 51k cells."""
    return tuple(
        Problem(f"k={k}", f"P4 with k={k}", _thousandths(k), "2^-40", size=k)
        for k in (100, 1000, 10_000, 100_000)
    )


def growth_in_cells() -> tuple[Problem, ...]:
    """100 distinct ε that add up to about 10, on grids of 10³ to 10⁷ cells."""
    return tuple(
        Problem(f"A={cells}", f"k=100, Σε≈10 on {cells} cells", _spread(cells), "1e-9", size=cells)
        for cells in (1000, 10_000, 100_000, 1_000_000, 10_000_000)
    )


def growth_in_digits() -> tuple[Problem, ...]:
    """P4 to 6, 12, …, 60 digits."""
    [known] = [problem for problem in problems() if problem.name == "P4"]
    return tuple(
        replace(known, name=f"digits={n}", title=f"P4 to 1e-{n}", tolerance=f"1e-{n}", size=n)
        for n in (6, 12, 24, 36, 48, 60)
    )


def growth_without_a_grid() -> tuple[Problem, ...]:
    """The logarithms of the first k primes to 40 digits: 2^k distinct sums, none to be merged."""
    return tuple(
        Problem(
            f"primes={k}",
            f"ln of the first {k} primes, to 1e-40",
            tuple(Group(f"ln({prime})", "0", 1) for prime in _PRIMES[:k]),
            "1e-9",
            "1e-40",
            size=k,
        )
        for k in range(4, len(_PRIMES) + 1, 2)
    )


def cells(problem: Problem) -> list[tuple[int, int]] | None:
    """The grid: pairs (a, count) with ε = a·unit for the largest unit; None if ε has logarithms."""
    if any("ln" in group.epsilon for group in problem.groups):
        return None
    values = [(Fraction(group.epsilon), group.count) for group in problem.groups]
    unit = Fraction(0)
    for value, _ in values:
        unit = _common_divisor(unit, value)
    return [(int(value / unit), count) for value, count in values]


def _common_divisor(left: Fraction, right: Fraction) -> Fraction:
    while right:
        left, right = right, left % right
    return left


def _merged(epsilons: Iterable[str], delta: str = "0") -> tuple[Group, ...]:
    return tuple(Group(text, delta, count) for text, count in Counter(epsilons).items())


def _equal(epsilon: str, count: int) -> tuple[Group, ...]:
    return (Group(epsilon, "0", count),)


def _hundredths(delta: str) -> tuple[Group, ...]:
    return _merged((f"0.{1 + i % 20:02}" for i in range(50)), delta)


def _thousandths(count: int) -> tuple[Group, ...]:
    return _merged(f"0.{1 + 37 * i % 101:03}" for i in range(count))


def _logarithms() -> tuple[Group, ...]:
    return tuple(Group(text, "0", 30) for text in ("ln(2)", "ln(3)", "ln(3/2)"))


def _distinct() -> tuple[Group, ...]:
    golden = Decimal("0.6180339887")
    texts = (
        str((Decimal("0.001") + Decimal("0.0499") * (i * golden % 1)).quantize(Decimal("1e-10")))
        for i in range(2000)
    )
    return _merged(texts, "1e-12")


def _spread(total: int) -> tuple[Group, ...]:
    """ε from 0.05 to 0.15 on a grid of unit 10/total, odd multiples, so that none is coarser."""
    steps: Sequence[int] = [total * (50 + i) // 10_000 | 1 for i in range(100)]
    return _merged(f"{a * 10}/{total}" for a in steps)


def _eight_digits(index: int) -> str:
    return f"0.{(61_803_399 * index * index + 7) % 99_999_989:08}"
