r"""The cost of checking a step, by the formulas of ``certs/SPEC.md``, section 7.

Rules of this file: the formulas are normative and shared with the verifier through that page only;
a certificate that states another cost is rejected. A function takes a step as it will be written,
and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt, prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of, multiple_of
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate import prices
from exactdp.certificate.prices import size_of, size_of_number, terms_of, window
from exactdp.certificate.step import Step, parameter
from exactdp.certificate.subject import Epsilons, Subject
from exactdp.errors import InternalError

MOST_SLOTS: Final = 10**8
MOST_DIGITS: Final = 20_000
MOST_COUNTED: Final = 10_000
_MOST_ODDS_BITS: Final = 2**22


# --- what formulas are made of ------------------------------------------------------------------


def _ledger(step: Step) -> Subject:
    if not isinstance(step.subject, Subject):
        raise InternalError(field="subject", value=type(step.subject).__name__, expected="a ledger")
    return step.subject


def _digits(step: Step) -> int:
    return int(parameter(step, "digits"))


def _numbers(step: Step) -> Iterator[ExactNumber]:
    """Epsilon and unit, those that the step has."""
    if step.epsilon is not None:
        yield step.epsilon
    if "unit" in step.parameters:
        yield ExactNumber.parse(parameter(step, "unit"))


def _sizes(step: Step) -> Iterator[int]:
    """The sizes of all numbers of the step and of the mechanisms."""
    subject = _ledger(step)
    yield from (size_of_number(epsilon) for epsilon, _, _ in subject.mechanisms)
    yield from (size_of(delta) for _, delta, _ in subject.mechanisms)
    yield from (size_of(value) for value, _ in (*subject.gaussian, *subject.concentrated))
    yield size_of(step.delta)
    yield from map(size_of_number, _numbers(step))
    for name in ("alpha", "pair"):
        if name in step.parameters:
            yield size_of(mpq(parameter(step, name)))
    deltas = step.parameters.get("deltas", ())
    if isinstance(deltas, Sequence):
        yield from (size_of(mpq(delta)) for delta in deltas)


def _longest(step: Step) -> int:
    """Z."""
    return max(_sizes(step))


def _fine(step: Step) -> int:
    """E: digits that hold every number too."""
    return _digits(step) + _longest(step) // 3


def _groups(step: Step) -> Epsilons:
    return _ledger(step).positive_epsilons()


def _enclosed(step: Step, groups: Epsilons) -> int:
    """Λ: what is to be enclosed."""
    return sum(terms_of(epsilon) for epsilon, _ in groups) + sum(map(terms_of, _numbers(step)))


def _fractions(step: Step, digits: int) -> int:
    """F."""
    subject = _ledger(step)
    failing = sum(1 for _, delta, _ in subject.mechanisms if delta)
    noise = sum(1 for value, _ in (*subject.gaussian, *subject.concentrated) if value)
    return prices.fractions(failing + noise, digits)


def _sign_of_epsilon(step: Step) -> int:
    """σ of epsilon and those of all entries."""
    epsilons = [epsilon for epsilon, _, _ in _ledger(step).mechanisms]
    return prices.sign_of(epsilons if step.epsilon is None else [step.epsilon, *epsilons])


def _sign_of_delta(step: Step) -> int:
    """τ."""
    return prices.sign_of_delta(step.delta, (delta for _, delta, _ in _ledger(step).mechanisms))


def _ceiling(epsilon: ExactNumber, unit: ExactNumber) -> int:
    """The least a with a·unit >= epsilon."""
    if unit.is_rational:
        return -floor_of(epsilon * (-1 / unit.rational))
    multiple = multiple_of(epsilon, unit)
    if multiple is None:
        raise InternalError(field="unit", value=str(unit), expected="one that divides every ε")
    return int(-(-multiple // 1))


def _multiples(step: Step, groups: Epsilons) -> list[tuple[int, int]]:
    """The a_i with their counts."""
    unit = ExactNumber.parse(parameter(step, "unit"))
    return [(_ceiling(epsilon, unit), count) for epsilon, count in groups]


# --- the rules ----------------------------------------------------------------------------------


def vacuous_cost(_step: Step) -> int:
    """The cost of ``vacuous``."""
    return 1


def sum_cost(step: Step) -> int:
    """The cost of ``sum``."""
    entries = prices.entries(len(_ledger(step).mechanisms))
    return entries + _sign_of_epsilon(step) + _sign_of_delta(step)


def infeasible_cost(step: Step) -> int:
    """The cost of ``infeasible``."""
    return prices.entries(_ledger(step).size) + _sign_of_delta(step)


def odds_size(groups: Epsilons) -> int:
    """B: the bits of the products of odds ratios, as the rule ``rational-odds`` bounds them."""
    return sum(
        count * sum(abs(int(c)) * size_of(r) for c, r in epsilon.logs) for epsilon, count in groups
    )


def failure_size(delta: mpq, deltas: Sequence[tuple[mpq, int]]) -> int:
    """B_Δ: the bits of Δ as a fraction; ``deltas`` holds every δ_i with its count, 0 included."""
    return size_of(delta) + sum(count * size_of(d) for d, count in deltas)


def rational_odds_cost(step: Step) -> int:
    """The cost of ``rational-odds``.

    B counts every entry, also one that is 0 in value though not in normal form; the table counts
    only the groups of positive ε.
    """
    mechanisms = _ledger(step).mechanisms
    bits = odds_size([(epsilon, count) for epsilon, _, count in mechanisms])
    bound = _size_of_bound(step, bits)
    failing = failure_size(step.delta, [(delta, count) for _, delta, count in mechanisms])
    counts = [count for _, count in _groups(step)]
    work = prices.collecting(counts, int(parameter(step, "sums")))
    return (
        prices.entries(len(mechanisms))
        + sum(map(terms_of, _numbers(step))) * prices.transcendental(_fine(step))
        + work * (1000 + bits + bound + prices.product(bits + bound))
        + 10 * prices.product(failing + 2 * bits + bound)
    )


def _size_of_bound(step: Step, bits: int) -> int:
    """Y: the bits of y."""
    epsilon = step.epsilon
    if epsilon is not None and not epsilon.rational:
        size = odds_size([(epsilon, 1)])
        if all(c.denominator == 1 for c, _ in epsilon.logs) and size <= _MOST_ODDS_BITS:
            return size
    return 4 * _digits(step) + 64 + bits


def grid_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """S: how many coefficients the blocks of a grid span, for groups (a_i, count)."""
    return sum(a * window(count, digits) + 1 for a, count in groups)


def grid_cost(step: Step) -> int:
    """The cost of ``grid``."""
    groups = _groups(step)
    return _on_cells(step, groups, grid_slots(_multiples(step, groups), _digits(step)))


def _on_cells(step: Step, groups: Epsilons, slots: int, more_entries: int = 0) -> int:
    """What rules that multiply weights have in common."""
    levels = len(groups).bit_length() + 2
    further = prices.entries(more_entries) - prices.entries(0)
    return _common(step, groups) + further + 20 * slots * (_fine(step) + 30) * levels


def _common(step: Step, groups: Epsilons) -> int:
    """What every rule does that compares D with Δ on a grid."""
    fine = _fine(step)
    return (
        prices.entries(len(_ledger(step).mechanisms))
        + _enclosed(step, groups) * prices.transcendental(fine)
        + _fractions(step, fine)
    )


def grid_counts_cost(step: Step) -> int:
    """The cost of ``grid-counts``."""
    groups = _groups(step)
    mechanisms = sum(count for _, count in groups)
    cells = sum(a * count for a, count in _multiples(step, groups)) + len(groups) + 1
    bits = 4 * _fine(step) + 2 * mechanisms + 256
    return (
        _common(step, groups)
        + cells * (500 + bits + 4 * prices.product(bits))
        + 4 * (cells + 100) * mechanisms * (mechanisms // 64 + 1)
        + 300 * len(groups) * (20 + prices.product(bits))
    )


def grid_fourier_cost(step: Step) -> int:
    """The cost of ``grid-fourier``."""
    groups, fine = _groups(step), _fine(step)
    points, values = int(parameter(step, "points")), int(parameter(step, "values"))
    product = prices.product(4 * fine + 300)
    steps = sum(2 * count.bit_length() + 3 for _, count in groups) + 16
    return (
        _common(step, groups)
        + 16 * _enclosed(step, ()) * prices.transcendental(fine)
        + 10**7
        + len(groups) * (10**5 + 2000 * (20 + product))
        + points * (200 + 20 * len(groups))
        + (values * steps + 8 * isqrt(points) + 64) * (1000 + 20 * product)
    )


def fourier_cost(step: Step) -> int:
    """The cost of ``fourier-upper`` and ``fourier-lower``."""
    groups, fine = _groups(step), _fine(step)
    return (
        prices.entries(len(_ledger(step).mechanisms))
        + 6 * _enclosed(step, groups) * prices.transcendental(fine)
        + _fractions(step, fine)
        + spectrum_cost(step, sum(2 * count.bit_length() + 1 for _, count in groups), fine)
    )


def spectrum_cost(step: Step, products: int, fine: int) -> int:
    """What a sum of values of a characteristic function takes, of so many products each."""
    near, far, blocks = (int(parameter(step, name)) for name in ("near", "far", "blocks"))
    chosen = step.parameters["factors"]
    factors = len(chosen) if isinstance(chosen, Sequence) else 0
    return (
        10**8
        + (near + far) * prices.transcendental(fine)
        + products * (near * (1000 + 20 * prices.product(4 * _digits(step) + 128)) + 1000 * far)
        + sweep_cost(factors, blocks)
    )


def sweep_cost(factors: int, blocks: int) -> int:
    """What so many blocks of a sweep take, of so many factors."""
    return 20_000 * blocks + factors * (2_000_000 + 3000 * blocks)


def dots_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """S of the rules for brackets, for groups (a_i, count)."""
    return sum(2 * (a + 1) * window(count, digits) + 1 for a, count in groups)


def bracket_cost(step: Step) -> int:
    """The cost of ``connect-the-dots`` and ``gridded-test``."""
    return _on_mesh(step, _groups(step))


def _on_mesh(step: Step, groups: Epsilons, more_entries: int = 0) -> int:
    digits = _digits(step)
    slots = dots_slots(_multiples(step, groups), digits)
    counts = [count for _, count in groups]
    atoms = sum(
        prod(window(count, digits) + 1 for count in leaf)
        for leaf in _leaves(counts, int(parameter(step, "sums")))
    )
    lists = atoms * (prices.transcendental(_fine(step)) // 5)
    return _on_cells(step, groups, slots, more_entries) + lists


def _leaves(counts: Sequence[int], most: int) -> list[list[int]]:
    """Counts in their order, gathered while a leaf has at most ``most`` atoms."""
    leaves: list[list[int]] = []
    for count in counts:
        if leaves and prod(c + 1 for c in leaves[-1]) * (count + 1) <= most:
            leaves[-1].append(count)
        else:
            leaves.append([count])
    return leaves


def lattice_cost(step: Step) -> int:
    """The cost of ``lattice``."""
    groups, digits, fine = _groups(step), _digits(step), _fine(step)
    logarithms = len({r for epsilon, _ in groups for _, r in epsilon.logs})
    coefficients = (c for e, _ in groups for c in (e.rational, *(c for c, _ in e.logs)))
    common = sum(int(c.denominator).bit_length() for c in coefficients if c.denominator > 1)
    vector = (logarithms + 1) * (100 + (_longest(step) + 64 + common) // 2)
    sums = int(parameter(step, "sums"))
    work = prices.collecting([window(count, digits) for _, count in groups], sums)
    return (
        prices.entries(len(_ledger(step).mechanisms))
        + 1000 * len(groups) * (logarithms + 1)
        + (_enclosed(step, groups) + 2 * logarithms + 9) * prices.transcendental(fine)
        + _fractions(step, fine)
        + sum(size_of_number(epsilon) for epsilon, _ in groups) ** 2 // 64
        + work * (500 + 10 * fine + vector)
        + sums * (prices.transcendental(fine) // 5)
    )


def closed_form_cost(step: Step) -> int:
    """The cost of ``advanced-composition``."""
    fine = _fine(step)
    return (
        prices.entries(len(_ledger(step).mechanisms))
        + (_enclosed(step, _groups(step)) + 4) * prices.transcendental(2 * fine)
        + _fractions(step, fine)
    )


def least_of_three_cost(step: Step) -> int:
    """The cost of the bounds of Kairouz, Oh and Viswanath."""
    return closed_form_cost(step) + _sign_of_epsilon(step) + _sign_of_delta(step)


def stepwise_cost(step: Step) -> int:
    """The cost of ``murtagh-vadhan-1.4``: that of a grid with the only ε for its unit."""
    groups = _groups(step)
    slots = grid_slots([(1, count) for _, count in groups], _digits(step))
    unit = sum(terms_of(epsilon) for epsilon, _ in groups)
    return (
        _on_cells(step, groups, slots)
        + unit * prices.transcendental(_fine(step))
        + _sign_of_epsilon(step)
        + _sign_of_delta(step)
    )


def conversion_cost(step: Step) -> int:
    """The cost of the rules that go through zCDP or Rényi divergences."""
    fine = _fine(step)
    return (
        prices.entries(_ledger(step).size)
        + (3 * _enclosed(step, _groups(step)) + 8) * prices.transcendental(fine)
        + _fractions(step, fine)
    )


def gaussian_cost(step: Step) -> int:
    """The cost of ``gaussian``."""
    fine = _fine(step)
    return (
        prices.entries(_ledger(step).size)
        + sum(map(terms_of, _numbers(step))) * prices.transcendental(fine)
        + _fractions(step, fine)
        + prices.profile(fine)
    )


def mixture_cost(step: Step) -> int:
    """The cost of ``gaussian-mixture``."""
    groups, fine = _groups(step), _fine(step)
    atoms = prod(window(count, _digits(step)) + 1 for _, count in groups)
    return (
        prices.entries(_ledger(step).size)
        + _enclosed(step, groups) * prices.transcendental(fine)
        + _fractions(step, fine)
        + atoms * prices.profile(fine)
    )


def mesh_cost(step: Step) -> int:
    """The cost of ``gaussian-mesh``."""
    groups = _groups(step)
    if step.bound == "upper":
        return _among(step, groups)
    slots = grid_slots(_multiples(step, groups), _digits(step))
    return _on_cells(step, groups, slots) + (slots + 1) * prices.profile(_fine(step))


def _among(step: Step, groups: Epsilons, more_entries: int = 0) -> int:
    slots = dots_slots(_multiples(step, groups), _digits(step))
    return _on_mesh(step, groups, more_entries) + (slots + 1) * prices.profile(_fine(step))


def pair_cost(step: Step) -> int:
    """The cost of ``zcdp-pair``: that of ``gaussian-mesh`` with the pair as one more entry."""
    groups = list(_groups(step))
    pair = ExactNumber.parse(parameter(step, "pair"))
    places = [place for place, (epsilon, _) in enumerate(groups) if epsilon == pair]
    if places:
        groups[places[0]] = (pair, groups[places[0]][1] + 1)
    elif pair.rational or pair.logs:
        groups.append((pair, 1))
    return _among(step, groups, 1) + 8 * prices.transcendental(_fine(step))


def concurrent_basic_cost(step: Step) -> int:
    """The cost of ``concurrent-basic``."""
    mechanisms, fine = _ledger(step).mechanisms, _fine(step)
    terms = sum(map(terms_of, _numbers(step))) + sum(terms_of(e) for e, _, _ in mechanisms)
    return (
        prices.entries(len(mechanisms))
        + terms * prices.transcendental(fine)
        + _fractions(step, fine)
        + _sign_of_epsilon(step)
    )


def group_privacy_cost(step: Step) -> int:
    """The cost of ``group-privacy``, without that of its premise."""
    if step.premise is None:
        raise InternalError(field="premise", value="none", expected="what is carried over")
    epsilons = [each.epsilon for each in (step, step.premise) if each.epsilon is not None]
    sizes = [size_of(step.delta), size_of(step.premise.delta), *map(size_of_number, epsilons)]
    one = prices.transcendental(_digits(step) + max(sizes) // 3)
    if not epsilons:
        return 1000 + one
    return 1000 + sum(map(terms_of, epsilons)) * one + prices.sign_of(epsilons)


def group_mechanisms_cost(step: Step) -> int:
    """The cost of ``group-mechanisms``, without that of its premise."""
    subject, fine = _ledger(step), _fine(step)
    terms = sum(terms_of(epsilon) for epsilon, _, _ in subject.mechanisms)
    one = prices.transcendental(fine)
    return prices.entries(subject.size) + terms * one + _fractions(step, fine)
