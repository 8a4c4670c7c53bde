"""What a certificate must state as its cost, straight from certs/SPEC.md.

Written from that page alone: nothing here comes from the verifier or the engine, so that a slip in
one of the three shows. Only what test certificates need: numbers in canonical text, and units whose
quotients are rational or given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types

TERM = re.compile(r"(?P<sign>[+-] ?|^)(?:(?P<c>[0-9/]+)\*)?(?:ln\((?P<r>[0-9/]+)\)|(?P<q>[0-9/]+))")

Step = Mapping[str, Any]
Entries = Sequence[Mapping[str, str]]


def bits(value: int) -> int:
    return 0 if value == 0 else len(f"{value:b}")


def size(value: Fraction) -> int:
    return bits(abs(value.numerator)) + bits(value.denominator)


@dataclass(frozen=True)
class Number:
    """c_0 and the pairs (c_j, r_j)."""

    rational: Fraction
    logs: tuple[tuple[Fraction, Fraction], ...]

    @staticmethod
    def of(text: str) -> Number:
        rational, logs = Fraction(0), []
        for term in TERM.finditer(text):
            sign = -1 if "-" in term["sign"] else 1
            if term["r"]:
                logs.append((sign * Fraction(term["c"] or 1), Fraction(term["r"])))
            else:
                rational = sign * Fraction(term["q"])
        return Number(rational, tuple(logs))

    @property
    def size(self) -> int:
        return size(self.rational) + sum(size(c) + size(r) for c, r in self.logs)

    @property
    def terms(self) -> int:
        return 1 + len(self.logs)

    def times(self, factor: int) -> str:
        """The canonical text of a positive multiple."""
        text = str(factor * self.rational) if self.rational or not self.logs else ""
        for c, r in self.logs:
            plus, minus = (" + ", " - ") if text else ("", "-")
            size = abs(factor * c)
            text += (minus if c < 0 else plus) + ("" if size == 1 else f"{size}*") + f"ln({r})"
        return text

    def value(self) -> mpmath.mpf:
        """The value at the precision of the context."""
        logs = (real(c) * mpmath.log(real(r)) for c, r in self.logs)
        return mpmath.fsum((real(self.rational), *logs))

    @property
    def is_zero(self) -> bool:
        """Whether the value is 0 to 100 digits."""
        with mpmath.workdps(200):
            return bool(
                abs(self.value()) < mpmath.mpf(10) ** -100 and (self.logs or not self.rational)
            )


def real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


# --- section 5 ----------------------------------------------------------------------------------


def block_bound(count: int, digits: int) -> int:
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def x(digits: int) -> int:
    return 200_000 + 500 * digits * isqrt(digits)


def m(value: int) -> int:
    return value * isqrt(value) // 64


def y(digits: int) -> int:
    return 300_000 + 50 * digits**2 + digits**3 // 100


def w(lengths: Sequence[int], sums: int) -> int:
    work, table = 1, 1
    for length in lengths:
        work += table * (length + 1)
        table = min(sums, table * (length + 1))
    return work


def sigma(numbers: Sequence[tuple[int, int]]) -> int:
    """For sizes and ℓ of numbers."""
    total = sum(size + 64 * terms for size, terms in numbers)
    logs = sum(size + 64 * terms for size, terms in numbers if terms > 1)
    longest = 64 + max((size for size, _ in numbers), default=0)
    number = sum(terms - 1 for _, terms in numbers)
    return 1000 * len(numbers) + 10 * m(total) + number * x(longest) + logs**2 // 64


def sigma_of(*texts: str) -> int:
    numbers = [Number.of(text) for text in texts]
    return sigma([(number.size, number.terms) for number in numbers])


def tau(delta: str, entries: Entries) -> int:
    failing = [e["delta"] for e in entries if e.get("delta", "0") != "0"]
    sizes = [(2 * size(Fraction(each)) + 8, 2) for each in (delta, *failing)]
    return sigma(sizes) if failing else 0


# --- steps --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """A step with the entries that it is about."""

    entries: Entries
    parameters: Mapping[str, Any]

    @property
    def pairs(self) -> Entries:
        return [entry for entry in self.entries if "epsilon" in entry]

    @property
    def epsilon(self) -> str:
        return str(self.parameters["epsilon"])

    @property
    def delta(self) -> str:
        return str(self.parameters["delta"])

    @property
    def digits(self) -> int:
        return int(self.parameters["digits"])

    @property
    def sums(self) -> int:
        return int(self.parameters["sums"])

    def groups(self) -> dict[str, int]:
        """The counts by epsilon above 0."""
        counts: dict[str, int] = {}
        for entry in self.pairs:
            epsilon = entry["epsilon"]
            if not Number.of(epsilon).is_zero:
                counts[epsilon] = counts.get(epsilon, 0) + int(entry["count"])
        return counts

    def sizes(self) -> Iterator[int]:
        for entry in self.entries:
            yield from (Number.of(text).size for key, text in entry.items() if key != "count")
        for key in ("epsilon", "delta", "unit", "alpha", "pair"):
            if self.parameters.get(key, "every") != "every":
                text = self.parameters[key]
                rational = key in ("delta", "alpha")
                yield size(Fraction(text)) if rational else Number.of(text).size
        yield from (size(Fraction(text)) for text in self.parameters.get("deltas", []))

    @property
    def longest(self) -> int:
        """Z, where a rational is a number without logarithms, of the same size."""
        return max(self.sizes())

    @property
    def fine(self) -> int:
        return self.digits + self.longest // 3

    @property
    def enclosed(self) -> int:
        further = [self.parameters[key] for key in ("epsilon", "unit") if key in self.parameters]
        texts = [*self.groups(), *(text for text in further if text != "every")]
        return sum(Number.of(text).terms for text in texts)

    def fractions(self) -> int:
        keys = ("delta", "mu", "rho")
        nonzero = [e for e in self.entries if any(e.get(key, "0") != "0" for key in keys)]
        return (len(nonzero) + 1) * (x(self.fine) // 10)

    def order(self) -> int:
        own = [] if self.epsilon == "every" else [self.epsilon]
        return sigma_of(*own, *(entry["epsilon"] for entry in self.pairs))

    def multiples(self) -> dict[str, int]:
        """a_i by epsilon."""
        unit = Number.of(self.parameters["unit"])
        return {text: ceiling(Number.of(text), unit) for text in self.groups()}

    def stretch(self) -> int:
        counts, multiples = self.groups(), self.multiples()
        return sum(multiples[e] * block_bound(c, self.digits) + 1 for e, c in counts.items())

    def dots(self) -> int:
        counts, multiples = self.groups(), self.multiples()
        return sum(
            2 * (multiples[e] + 1) * block_bound(c, self.digits) + 1 for e, c in counts.items()
        )


def ceiling(epsilon: Number, unit: Number) -> int:
    """The least a with a·u >= ε; where there are logarithms, equal if equal to 100 digits."""
    if not epsilon.logs and not unit.logs:
        return -(-epsilon.rational // unit.rational)
    with mpmath.workdps(200):
        return int(mpmath.ceil(epsilon.value() / unit.value() - mpmath.mpf(10) ** -100))


def on_cells(work: Work, slots: int) -> int:
    levels = bits(len(work.groups())) + 2
    return (
        1000 * (len(work.pairs) + 1)
        + work.enclosed * x(work.fine)
        + work.fractions()
        + 20 * slots * (work.fine + 30) * levels
    )


def of_sum(work: Work) -> int:
    return 1000 * (len(work.pairs) + 1) + work.order() + tau(work.delta, work.pairs)


def of_infeasible(work: Work) -> int:
    return 1000 * (len(work.entries) + 1) + tau(work.delta, work.pairs)


def odds_size(number: Number) -> int:
    return sum(int(abs(c)) * size(r) for c, r in number.logs)


def of_rational_odds(work: Work) -> int:
    counts = [(e, int(e["count"])) for e in work.pairs]
    odds = sum(count * odds_size(Number.of(e["epsilon"])) for e, count in counts)
    deltas = size(Fraction(work.delta)) + sum(c * size(Fraction(e["delta"])) for e, c in counts)
    bound, terms = 4 * work.digits + 64 + odds, 0
    if work.epsilon != "every":
        epsilon = Number.of(work.epsilon)
        terms = epsilon.terms
        whole = not epsilon.rational and all(c.denominator == 1 for c, _ in epsilon.logs)
        if whole and odds_size(epsilon) <= 2**22:
            bound = odds_size(epsilon)
    return (
        1000 * (len(work.pairs) + 1)
        + terms * x(work.fine)
        + w(list(work.groups().values()), work.sums) * (1000 + odds + bound + m(odds + bound))
        + 10 * m(deltas + 2 * odds + bound)
    )


def of_grid(work: Work) -> int:
    return on_cells(work, work.stretch())


def of_grid_counts(work: Work) -> int:
    groups, multiples = work.groups(), work.multiples()
    stretch = sum(count * multiples[epsilon] for epsilon, count in groups.items())
    total, size = sum(groups.values()), 4 * work.fine + 2 * sum(groups.values()) + 256
    return (
        on_cells(work, 0)
        + (stretch + len(groups) + 1) * (500 + size + 4 * m(size))
        + 4 * (stretch + len(groups) + 101) * total * (total // 64 + 1)
        + 300 * len(groups) * (20 + m(size))
    )


def of_grid_fourier(work: Work) -> int:
    points, values = int(work.parameters["points"]), int(work.parameters["values"])
    own = [work.parameters["unit"], *([] if work.epsilon == "every" else [work.epsilon])]
    one, groups = m(4 * work.fine + 300), work.groups()
    steps = 16 + sum(2 * bits(count) + 3 for count in groups.values())
    return (
        on_cells(work, 0)
        + 16 * sum(Number.of(text).terms for text in own) * x(work.fine)
        + 10**7
        + len(groups) * (10**5 + 2000 * (20 + one))
        + points * (200 + 20 * len(groups))
        + (values * steps + 8 * isqrt(points) + 64) * (1000 + 20 * one)
    )


def of_lattice(work: Work) -> int:
    numbers = [Number.of(text) for text in work.groups()]
    logs = len({r for number in numbers for _, r in number.logs})
    rationals = [c for n in numbers for c in (n.rational, *(c for c, _ in n.logs))]
    room = work.longest + 64 + sum(bits(c.denominator) for c in rationals if c.denominator > 1)
    blocks = [block_bound(count, work.digits) for count in work.groups().values()]
    return (
        1000 * (len(work.pairs) + 1)
        + 1000 * len(numbers) * (logs + 1)
        + (work.enclosed + 2 * logs + 9) * x(work.fine)
        + work.fractions()
        + sum(number.size for number in numbers) ** 2 // 64
        + w(blocks, work.sums) * (500 + 10 * work.fine + (logs + 1) * (100 + room // 2))
        + work.sums * (x(work.fine) // 5)
    )


def of_bracket(work: Work) -> int:
    leaves: list[list[int]] = []
    for count in work.groups().values():
        if leaves and prod(c + 1 for c in leaves[-1]) * (count + 1) <= work.sums:
            leaves[-1].append(count)
        else:
            leaves.append([count])
    atoms = sum(prod(block_bound(c, work.digits) + 1 for c in leaf) for leaf in leaves)
    return on_cells(work, work.dots()) + atoms * (x(work.fine) // 5)


def of_formula(work: Work) -> int:
    return 1000 * (len(work.pairs) + 1) + (work.enclosed + 4) * x(2 * work.fine) + work.fractions()


def of_least_of_three(work: Work) -> int:
    return of_formula(work) + work.order() + tau(work.delta, work.pairs)


def of_steps(work: Work) -> int:
    epsilon = next(iter(work.groups()), None)
    unit = {} if epsilon is None else {"unit": epsilon}
    grid = Work(work.entries, {**work.parameters, **unit})
    slots = 0 if epsilon is None else grid.stretch()
    return on_cells(grid, slots) + work.order() + tau(work.delta, work.pairs)


def of_conversion(work: Work) -> int:
    return (
        1000 * (len(work.entries) + 1) + (3 * work.enclosed + 8) * x(work.fine) + work.fractions()
    )


def of_gaussian(work: Work) -> int:
    terms = 0 if work.epsilon == "every" else Number.of(work.epsilon).terms
    entries = 1000 * (len(work.entries) + 1)
    return entries + terms * x(work.fine) + work.fractions() + y(work.fine)


def of_mixture(work: Work) -> int:
    atoms = prod(block_bound(count, work.digits) + 1 for count in work.groups().values())
    return (
        1000 * (len(work.entries) + 1)
        + work.enclosed * x(work.fine)
        + work.fractions()
        + y(work.fine) * atoms
    )


def of_mesh(work: Work) -> int:
    if work.parameters["bound"] == "upper":
        return of_bracket(work) + (work.dots() + 1) * y(work.fine)
    return of_grid(work) + (work.stretch() + 1) * y(work.fine)


def of_zcdp_pair(work: Work) -> int:
    pair = {"epsilon": work.parameters["pair"], "delta": "0", "count": "1"}
    entries = list(work.entries)
    same = [i for i, e in enumerate(entries) if e.get("epsilon") == pair["epsilon"]]
    entries.insert(same[-1] + 1 if same else len(work.pairs), pair)
    among = Work(entries, work.parameters)
    return of_bracket(among) + (among.dots() + 1) * y(work.fine) + 8 * x(work.fine)


def of_concurrent_basic(work: Work) -> int:
    epsilons = [entry["epsilon"] for entry in work.pairs]
    further = [] if work.epsilon == "every" else [work.epsilon]
    terms = sum(Number.of(text).terms for text in (*epsilons, *further))
    entries = 1000 * (len(work.pairs) + 1)
    return entries + terms * x(work.fine) + work.fractions() + work.order()


def of_group_mechanisms(work: Work) -> int:
    terms = sum(Number.of(entry["epsilon"]).terms for entry in work.pairs)
    return 1000 * (len(work.entries) + 1) + terms * x(work.fine) + work.fractions()


def of_group_privacy(work: Work, premise: Step) -> int:
    claims = [work.parameters, premise["parameters"]]
    epsilons = [claim["epsilon"] for claim in claims if claim["epsilon"] != "every"]
    sizes = [size(Fraction(claim["delta"])) for claim in claims]
    sizes += [Number.of(text).size for text in epsilons]
    one = x(work.digits + max(sizes) // 3)
    if not epsilons:
        return 1000 + one
    terms = sum(Number.of(text).terms for text in epsilons)
    return 1000 + terms * one + sigma_of(*epsilons)


def of_fourier(work: Work) -> int:
    near, far, blocks = (int(work.parameters[key]) for key in ("near", "far", "blocks"))
    products = sum(2 * bits(count) + 1 for count in work.groups().values())
    return (
        1000 * (len(work.pairs) + 1)
        + 10**8
        + (6 * work.enclosed + near + far) * x(work.fine)
        + work.fractions()
        + products * (near * (1000 + 20 * m(4 * work.digits + 128)) + 1000 * far)
        + 2 * 10**4 * blocks
        + len(work.parameters["factors"]) * (2 * 10**6 + 3000 * blocks)
    )


RULES: dict[str, Callable[[Work], int]] = {
    "vacuous": lambda _: 1,
    "sum": of_sum,
    "infeasible": of_infeasible,
    "rational-odds": of_rational_odds,
    "grid": of_grid,
    "grid-counts": of_grid_counts,
    "grid-fourier": of_grid_fourier,
    "lattice": of_lattice,
    "connect-the-dots": of_bracket,
    "gridded-test": of_bracket,
    "fourier-upper": of_fourier,
    "fourier-lower": of_fourier,
    "gaussian-fourier-upper": of_fourier,
    "gaussian-fourier-lower": of_fourier,
    "kairouz-oh-viswanath-homogeneous": of_least_of_three,
    "kairouz-oh-viswanath-heterogeneous": of_least_of_three,
    "murtagh-vadhan-1.4": of_steps,
    "zcdp-bun-steinke": of_conversion,
    "zcdp-canonne-kamath-steinke": of_conversion,
    "renyi": of_conversion,
    "gaussian": of_gaussian,
    "gaussian-mixture": of_mixture,
    "gaussian-mesh": of_mesh,
    "zcdp-pair": of_zcdp_pair,
    "concurrent-basic": of_concurrent_basic,
    "group-mechanisms": of_group_mechanisms,
}
"""The formulas of section 7, but that of 7.9 where a closed form has none of its own."""
