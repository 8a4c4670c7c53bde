r"""What a rule's check will cost, known before it starts.

Rules of this file: a cost is a function of the statement and the parameters alone, in integers, so
that the writer of a certificate and the verifier agree on it to the unit. A unit is about a
nanosecond. Sizes that decide a cost decide it before anything of that size is built.

Sources: certs/SPEC.md, sections 5 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt, prod
from typing import Final

from ..arithmetic.signs import ceil_quotient, distinct_arguments
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Step, Subject

MAX_ODDS_BITS: Final = 2**22

Group = tuple[Number, int]
"""A distinct positive epsilon, and the number of mechanisms that have it."""


def groups(mechanisms: Iterable[Mechanism]) -> list[Group]:
    """The distinct positive epsilons in their order, with their counts added."""
    found: list[Group] = []
    for mechanism in mechanisms:  # in order: those of one epsilon stand together
        if found and found[-1][0] == mechanism.epsilon:
            found[-1] = (mechanism.epsilon, found[-1][1] + mechanism.count)
        elif mechanism.positive:
            found.append((mechanism.epsilon, mechanism.count))
    return found


def has_rational_odds(epsilon: Number) -> bool:
    """Whether e^epsilon is rational at sight: no rational part, and integer coefficients."""
    return not epsilon.rational and all(c.denominator == 1 for c, _ in epsilon.logs)


def odds_size(epsilon: Number) -> int:
    """The bits of e^epsilon, written as a product of powers."""
    return sum(abs(c.numerator) * size(r) for c, r in epsilon.logs)


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def _transcendental(digits: int) -> int:
    """One logarithm and one exponential."""
    return 200_000 + 500 * digits * isqrt(digits)


def _product(bits: int) -> int:
    """One product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def _pairs(lengths: Iterable[int], sums: int) -> int:
    """The work of collecting at most ``sums`` sums, group by group."""
    work = table = 1
    for length in lengths:
        extended = table * (length + 1)
        work += extended
        table = min(sums, extended)
    return work


def cost_of_vacuous(_subject: Subject, _step: Step) -> int:
    """SPEC 7.1."""
    return 1


def cost_of_sum(mechanisms: Sequence[Mechanism], _step: Step) -> int:
    """SPEC 7.2."""
    return 1000 * (len(mechanisms) + 1)


def cost_of_infeasible(subject: Subject, _step: Step) -> int:
    """SPEC 7.3."""
    return 1000 * (subject.size + 1)


def rational_odds_sizes(mechanisms: Sequence[Mechanism], step: Step) -> tuple[int, int]:
    """B and B_Δ of SPEC 7.4."""
    if not all(has_rational_odds(m.epsilon) for m in mechanisms):
        raise RejectedError("the odds of an epsilon are not rational")
    odds_bits = sum(m.count * odds_size(m.epsilon) for m in mechanisms)
    return odds_bits, size(step.bound.delta) + sum(m.count * size(m.delta) for m in mechanisms)


def cost_of_rational_odds(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.4."""
    odds_bits, delta_bits = rational_odds_sizes(mechanisms, step)
    pairs = _pairs((count for _, count in groups(mechanisms)), step.sums)
    return (
        cost_of_sum(mechanisms, step)
        + _transcendental(step.digits)
        + pairs * (500 + _product(odds_bits))
        + _product(delta_bits)
    )


def stretch(mechanisms: Iterable[Mechanism], step: Step) -> int:
    """S of SPEC 7.5: the weights of all blocks, with the gaps between them."""
    return sum(
        ceil_quotient(epsilon, step.unit)[0] * window(count, step.digits) + 1
        for epsilon, count in groups(mechanisms)
    )


def leaves(mechanisms: Iterable[Mechanism], step: Step) -> list[list[Group]]:
    """The groups in their order, gathered while a leaf has at most ``sums`` atoms."""
    gathered: list[list[Group]] = []
    atoms = step.sums + 1
    for group in groups(mechanisms):
        size = group[1] + 1
        if atoms * size > step.sums:
            gathered.append([])
            atoms = 1
        gathered[-1].append(group)
        atoms *= size
    return gathered


def dots_stretch(mechanisms: Iterable[Mechanism], step: Step) -> int:
    """S of SPEC 7.7: losses of both signs, and one cell more for each mechanism."""
    return sum(
        2 * (ceil_quotient(epsilon, step.unit)[0] + 1) * window(count, step.digits) + 1
        for epsilon, count in groups(mechanisms)
    )


def cost_of_bracket(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.7 and 7.8."""
    number = len(groups(mechanisms))
    atoms = sum(
        prod(window(count, step.digits) + 1 for _, count in leaf)
        for leaf in leaves(mechanisms, step)
    )
    return (
        cost_of_sum(mechanisms, step)
        + number * _transcendental(step.digits)
        + atoms * (_transcendental(step.digits) // 5)
        + 20 * dots_stretch(mechanisms, step) * (step.digits + 30) * (number.bit_length() + 2)
    )


def cost_of_grid(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.5."""
    number = len(groups(mechanisms))
    return (
        cost_of_sum(mechanisms, step)
        + number * _transcendental(step.digits)
        + 20 * stretch(mechanisms, step) * (step.digits + 30) * (number.bit_length() + 2)
    )


def cost_of_concurrent_basic(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.20."""
    return cost_of_sum(mechanisms, step) + len(mechanisms) * _transcendental(step.digits)


def cost_of_group_privacy(_subject: Subject, step: Step) -> int:
    """SPEC 7.21."""
    return 1000 + _transcendental(step.digits)


def cost_of_group_mechanisms(subject: Subject, step: Step) -> int:
    """SPEC 7.22."""
    return 1000 * (subject.size + 1) + len(subject.mechanisms) * _transcendental(step.digits)


def cost_of_formula(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.9 to 7.11."""
    terms = len(groups(mechanisms)) + 4
    return cost_of_sum(mechanisms, step) + terms * _transcendental(2 * step.digits)


def cost_of_lattice(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.6."""
    blocks = groups(mechanisms)
    logs = len(distinct_arguments(epsilon for epsilon, _ in blocks))
    pairs = _pairs((window(count, step.digits) for _, count in blocks), step.sums)
    return (
        1000 * (len(mechanisms) + 1) ** 2
        + (len(blocks) + 1) * _transcendental(step.digits)
        + pairs * (500 + 10 * step.digits + 100 * logs)
        + step.sums * (_transcendental(step.digits) // 5)
    )


def _profile(digits: int) -> int:
    """One value of a Gaussian profile."""
    return 300_000 + 50 * digits * digits


def cost_of_conversion(subject: Subject, step: Step) -> int:
    """SPEC 7.13 to 7.15."""
    return 1000 * (subject.size + 1) + (3 * len(groups(subject.mechanisms)) + 6) * _transcendental(
        step.digits
    )


def cost_of_gaussian(subject: Subject, step: Step) -> int:
    """SPEC 7.16."""
    return 1000 * (subject.size + 1) + _profile(step.digits)


def cost_of_gaussian_mixture(subject: Subject, step: Step) -> int:
    """SPEC 7.17."""
    blocks = groups(subject.mechanisms)
    atoms = prod(window(count, step.digits) + 1 for _, count in blocks)
    return (
        1000 * (subject.size + 1)
        + len(blocks) * _transcendental(step.digits)
        + atoms * _profile(step.digits)
    )


def cost_of_gaussian_mesh(subject: Subject, step: Step) -> int:
    """SPEC 7.18."""
    if step.bound.kind == "upper":
        return _among(subject.mechanisms, step)
    cells = stretch(subject.mechanisms, step) + 1
    return cost_of_grid(subject.mechanisms, step) + cells * _profile(step.digits)


def cost_of_zcdp_pair(subject: Subject, step: Step) -> int:
    """SPEC 7.19."""
    return 6 * _transcendental(step.digits) + _among(with_pair(subject, step, Fraction(0)), step)


def with_pair(subject: Subject, step: Step, failure: Fraction) -> tuple[Mechanism, ...]:
    """The mechanisms given by (ε, δ), and the pair as one more, beside those of its epsilon."""
    pair = Mechanism(step.pair, failure, 1, step.pair != Number(Fraction(0)))
    same = [i for i, m in enumerate(subject.mechanisms, 1) if m.epsilon == step.pair]
    place = same[-1] if same else len(subject.mechanisms)
    return (*subject.mechanisms[:place], pair, *subject.mechanisms[place:])


def _among(mechanisms: Sequence[Mechanism], step: Step) -> int:
    cells = dots_stretch(mechanisms, step) + 1
    return cost_of_bracket(mechanisms, step) + cells * _profile(step.digits)
