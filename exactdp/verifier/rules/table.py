r"""The rules: one function for each, which proves its bound or raises.

Rules of this file: a rule sees the subject and its own parameters, and nothing else; it returns
only if its bound is proved. ``digits``, ``sums`` and ``unit`` decide whether a proof goes through,
never what it proves. A rule that is not in ``RULES`` does not exist; which kinds of bound it
proves stands in that table, and is checked before it is called.

Theory of operation: for mechanisms that are (ε_i, δ_i)-DP let D(y) be the hockey-stick divergence
of the composed randomized responses and Δ = 1 - (1 - δ)/∏(1 - δ_i). Every adaptive composition
is (ε, δ)-DP if D(e^ε) <= Δ; the composed randomized responses are not if D(e^ε) > Δ. With the
probability w(T) that exactly the answers in T are untruthful, and σ(T) the sum of their ε_i,

    D(e^ε) = Σ_T w(T)·max(0, 1 - e^{-r(T)}),   r(T) = Σ_i ε_i - 2σ(T) - ε.            (1)

Sources: certs/SPEC.md, section 7; Murtagh & Vadhan, "The Complexity of Computing the Optimal
Composition of Differential Privacy", Theory of Computing 14(8), 2018, Theorem 1.5; adaptive
composition: Theorem 3.4 of the TCC 2016 version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final, TypeAlias

from ..arithmetic.enclosures import bits_for, enclose, exp_floating
from ..arithmetic.signs import sign_of_sum
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from ..statement import Mechanism, Step, Subject, finite_epsilon
from .bracket import check_connect_the_dots, check_gridded_test
from .closed_forms import (
    check_advanced_composition,
    check_kairouz_oh_viswanath,
    check_kairouz_oh_viswanath_homogeneous,
    check_murtagh_vadhan_steps,
    cost_of_murtagh_vadhan_steps,
)
from .costs import (
    MAX_ODDS_BITS,
    cost_of_bracket,
    cost_of_concurrent_basic,
    cost_of_conversion,
    cost_of_formula,
    cost_of_gaussian,
    cost_of_gaussian_mesh,
    cost_of_gaussian_mixture,
    cost_of_grid,
    cost_of_group_mechanisms,
    cost_of_group_privacy,
    cost_of_infeasible,
    cost_of_lattice,
    cost_of_rational_odds,
    cost_of_sum,
    cost_of_vacuous,
    cost_of_zcdp_pair,
    groups,
    has_rational_odds,
    odds_size,
    rational_odds_sizes,
)
from .fixed_point import check_grid, check_lattice, sign_of_delta
from .gaussian import check_gaussian, check_gaussian_mesh, check_gaussian_mixture, check_zcdp_pair
from .growth import check_concurrent_basic, check_group_mechanisms, check_group_privacy
from .interactive import (
    check_distinguishing_adversary,
    check_post_processing,
    cost_of_interactive,
)
from .theorems import (
    APPROXIMATE,
    DEFINITION,
    MURTAGH_VADHAN,
    OF_PROFILES,
    OF_RENYI_DIVERGENCES,
    VADHAN_WANG_BASIC,
)
from .trees import Tree
from .zcdp import check_bun_steinke, check_canonne_kamath_steinke, check_renyi

_GUARD: Final = 40


# --- closed conditions --------------------------------------------------------------------------


def check_vacuous(_subject: Subject, step: Step) -> None:
    """``upper`` at delta = 1: a probability never exceeds 1."""
    if step.bound.delta != 1:
        raise RejectedError("delta is not 1")


def check_sum(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """``upper``: ε >= Σ ε_i, so that D = 0, and Δ >= 0. ``lower``: ε < Σ ε_i, D > 0, and Δ <= 0."""
    epsilon = finite_epsilon(step.bound)
    excess = sign_of_sum([(1, epsilon), *((-m.count, m.epsilon) for m in mechanisms)])
    slack = sign_of_delta(mechanisms, step.bound.delta)
    if step.bound.kind == "upper":
        if excess < 0:
            raise RejectedError("epsilon is below the sum")
        if slack < 0:
            raise RejectedError("delta is too small: Δ < 0")
    else:
        if excess >= 0:
            raise RejectedError("epsilon is not below the sum")
        if slack > 0:
            raise RejectedError("delta is too large: Δ > 0")


def check_infeasible(subject: Subject, step: Step) -> None:
    """``lower`` for every epsilon: Δ < 0 <= D(e^ε), or Δ <= 0 < G_μ(ε) for some μ > 0."""
    if step.bound.epsilon is not None:
        raise RejectedError("epsilon is not every")
    most = 0 if subject.has_mu or subject.has_rho else -1
    if sign_of_delta(subject.mechanisms, step.bound.delta) > most:
        raise RejectedError("delta is feasible")


# --- rational odds ------------------------------------------------------------------------------


def check_rational_odds(mechanisms: Sequence[Mechanism], step: Step) -> None:
    r"""Theorem 1.5 in integers, multiplied by ∏(1 + E_i)d_i for odds ratios E_i = n_i/d_i.

    With f the product of the n_i in a set S and the d_i outside, g the other way round, and
    y = e^ε or a bound of it, D(y)·∏(n_i + d_i) is the sum of max(0, f - y·g) over the sets.
    """
    if max(rational_odds_sizes(mechanisms, step)) > MAX_ODDS_BITS:
        raise RejectedError("the odds or the deltas are too large")
    table: _Table = {b"": (1, 1, 1)}
    powers = []
    for epsilon, count in groups(mechanisms):  # where ε_i = 0, both sides would double
        n, d = _odds(epsilon)
        powers.append((n + d) ** count)
        table = _multiplied(table, n, d, count, step.sums)
    whole = _product(powers)
    y, unit = _odds_bound(step, whole)
    divergence = sum(sets * max(0, unit * f - y * g) for f, g, sets in table.values())
    delta_above, delta_below = _exact_delta(mechanisms, step.bound.delta)
    left, right = divergence * delta_below, delta_above * unit * whole
    if step.bound.kind == "upper":
        if left > right:
            raise RejectedError("the divergence is above Δ")
    elif left <= right:
        raise RejectedError("the divergence is not above Δ")


def _odds(epsilon: Number) -> tuple[int, int]:
    """Integers n and d with e^epsilon = n/d."""
    n = d = 1
    for c, r in epsilon.logs:
        power = abs(c.numerator)
        above, below = r.numerator**power, r.denominator**power
        n, d = (n * above, d * below) if c > 0 else (n * below, d * above)
    return n, d


_Table: TypeAlias = dict[bytes, tuple[int, int, int]]
"""(f, g, number of sets) by the bytes of f: the hashes of integers may all be equal."""


def _multiplied(table: _Table, n: int, d: int, count: int, sums: int) -> _Table:
    """The table with ``count`` more mechanisms of odds n/d."""
    choices = []
    ways = 1
    for j in range(count + 1):
        choices.append((n**j * d ** (count - j), n ** (count - j) * d**j, ways))
        ways = ways * (count - j) // (j + 1)
    result: _Table = {}
    for f, g, sets in table.values():
        for f_factor, g_factor, ways in choices:
            product_f = f * f_factor
            key = product_f.to_bytes(product_f.bit_length() // 8 + 1, "big")
            known = result[key][2] if key in result else 0
            result[key] = (product_f, g * g_factor, known + sets * ways)
        if len(result) > sums:
            raise RejectedError("more distinct sums than stated")
    return result


def _odds_bound(step: Step, whole: int) -> tuple[int, int]:
    """e^ε as a fraction: exactly if it is rational and small, else from the safe side.

    No f exceeds ``whole``, which may therefore stand for every greater e^ε.
    """
    epsilon = finite_epsilon(step.bound)
    if has_rational_odds(epsilon) and odds_size(epsilon) <= MAX_ODDS_BITS:
        return _odds(epsilon)
    bits = bits_for(step.digits) + _GUARD
    low, high, exponent = exp_floating(enclose(epsilon, bits), bits)
    end = low if step.bound.kind == "upper" else high  # D does not increase in y
    if exponent > whole.bit_length():
        return whole, 1
    return end << max(exponent, 0), 1 << (bits + max(-exponent, 0))


def _exact_delta(mechanisms: Iterable[Mechanism], delta: Fraction) -> tuple[int, int]:
    """Δ as a fraction, not reduced, with a positive denominator."""
    failing = [m for m in mechanisms if m.delta]
    kept = _product([(m.delta.denominator - m.delta.numerator) ** m.count for m in failing])
    whole = _product([m.delta.denominator**m.count for m in failing])
    below = delta.denominator * kept
    return below - (delta.denominator - delta.numerator) * whole, below


def _product(factors: Sequence[int]) -> int:
    """The product, in pairs: a running product would grow with every factor."""
    if len(factors) <= 2:
        return prod(factors)
    half = len(factors) // 2
    return _product(factors[:half]) * _product(factors[half:])


# --- the table ----------------------------------------------------------------------------------

_EITHER: Final = ("upper", "lower")
_FORMULA: Final = ("upper", "underivable")


@dataclass(frozen=True)
class Rule:
    """A row of the table.

    The theorem; the kinds of bound that the rule proves; its parameters besides the bound; its
    cost; its check; the theorems by which its upper bounds hold of concurrent composition; how many
    premises it takes; whether it is about interactive mechanisms, written out, and those alone.
    """

    theorem: str
    kinds: tuple[str, ...]
    parameters: tuple[str, ...]
    cost: Callable[[Subject, Step], int]
    check: Callable[[Subject, Step], None]
    interleaved: tuple[str, ...] = ()
    premises: int = 0
    interactive: bool = False


def _of_pairs(
    theorem: str,
    kinds: tuple[str, ...],
    parameters: tuple[str, ...],
    cost: Callable[[Sequence[Mechanism], Step], int],
    check: Callable[[Sequence[Mechanism], Step], None],
    interleaved: tuple[str, ...] = APPROXIMATE,
) -> Rule:
    """A rule about mechanisms that are all given by (ε, δ), or by a μ or ρ of 0."""

    def pairs(subject: Subject) -> Sequence[Mechanism]:
        if subject.has_mu or subject.has_rho:
            raise RejectedError("is about mechanisms given by epsilon and delta alone")
        return subject.mechanisms

    return Rule(
        theorem,
        kinds,
        parameters,
        lambda subject, step: cost(pairs(subject), step),
        lambda subject, step: check(pairs(subject), step),
        interleaved,
    )


def _of_trees(
    kind: str,
    parameters: tuple[str, ...],
    check: Callable[[Sequence[Tree], Step], None],
) -> Rule:
    """A rule about interactive mechanisms, written out."""
    return Rule(
        DEFINITION,
        (kind,),
        parameters,
        lambda subject, step: cost_of_interactive(subject.trees, step),
        lambda subject, step: check(subject.trees, step),
        interleaved=(DEFINITION,),
        interactive=True,
    )


RULES: Final = {
    "vacuous": Rule(
        DEFINITION, ("upper",), (), cost_of_vacuous, check_vacuous, interleaved=(DEFINITION,)
    ),
    "sum": _of_pairs(MURTAGH_VADHAN, _EITHER, (), cost_of_sum, check_sum),
    "infeasible": Rule(MURTAGH_VADHAN, ("lower",), (), cost_of_infeasible, check_infeasible),
    "rational-odds": _of_pairs(
        MURTAGH_VADHAN, _EITHER, ("digits", "sums"), cost_of_rational_odds, check_rational_odds
    ),
    "grid": _of_pairs(MURTAGH_VADHAN, _EITHER, ("digits", "unit"), cost_of_grid, check_grid),
    "lattice": _of_pairs(
        MURTAGH_VADHAN, _EITHER, ("digits", "sums"), cost_of_lattice, check_lattice
    ),
    "connect-the-dots": _of_pairs(
        MURTAGH_VADHAN,
        ("upper",),
        ("digits", "sums", "unit"),
        cost_of_bracket,
        check_connect_the_dots,
    ),
    "gridded-test": _of_pairs(
        MURTAGH_VADHAN,
        ("lower",),
        ("digits", "sums", "unit"),
        cost_of_bracket,
        check_gridded_test,
    ),
    "advanced-composition": _of_pairs(
        "dwork-rothblum-vadhan-2010-theorem-3.3",
        ("upper",),
        ("digits",),
        cost_of_formula,
        check_advanced_composition,
    ),
    "kairouz-oh-viswanath-homogeneous": _of_pairs(
        "kairouz-oh-viswanath-2015-theorem-3.4",
        ("upper",),
        ("digits",),
        cost_of_formula,
        check_kairouz_oh_viswanath_homogeneous,
    ),
    "kairouz-oh-viswanath-heterogeneous": _of_pairs(
        "kairouz-oh-viswanath-2015-theorem-3.5",
        ("upper",),
        ("digits",),
        cost_of_formula,
        check_kairouz_oh_viswanath,
    ),
    "murtagh-vadhan-1.4": _of_pairs(
        "murtagh-vadhan-2018-theorem-1.4",
        ("upper",),
        ("digits",),
        cost_of_murtagh_vadhan_steps,
        check_murtagh_vadhan_steps,
    ),
    "zcdp-bun-steinke": Rule(
        "bun-steinke-2016-proposition-1.3",
        _FORMULA,
        ("digits",),
        cost_of_conversion,
        check_bun_steinke,
        OF_RENYI_DIVERGENCES,
    ),
    "zcdp-canonne-kamath-steinke": Rule(
        "canonne-kamath-steinke-2020-corollary-13",
        _FORMULA,
        ("alpha", "digits"),
        cost_of_conversion,
        check_canonne_kamath_steinke,
        OF_RENYI_DIVERGENCES,
    ),
    "renyi": Rule(
        "canonne-kamath-steinke-2020-proposition-12",
        ("upper",),
        ("alpha", "digits"),
        cost_of_conversion,
        check_renyi,
        OF_RENYI_DIVERGENCES,
    ),
    "gaussian": Rule(
        "dong-roth-su-2022-corollary-2.13",
        _EITHER,
        ("digits",),
        cost_of_gaussian,
        check_gaussian,
        OF_PROFILES,
    ),
    "gaussian-mixture": Rule(
        "dong-roth-su-2022-theorem-3.2",
        _EITHER,
        ("digits",),
        cost_of_gaussian_mixture,
        check_gaussian_mixture,
        OF_PROFILES,
    ),
    "gaussian-mesh": Rule(
        "dong-roth-su-2022-theorem-3.2",
        _EITHER,
        ("digits", "sums", "unit"),
        cost_of_gaussian_mesh,
        check_gaussian_mesh,
        OF_PROFILES,
    ),
    "zcdp-pair": Rule(
        "dong-roth-su-2022-theorem-3.2",
        ("upper",),
        ("alpha", "digits", "pair", "sums", "unit"),
        cost_of_zcdp_pair,
        check_zcdp_pair,
    ),
    "concurrent-basic": _of_pairs(
        VADHAN_WANG_BASIC,
        ("upper",),
        ("digits",),
        cost_of_concurrent_basic,
        check_concurrent_basic,
        (VADHAN_WANG_BASIC,),
    ),
    "group-privacy": Rule(
        DEFINITION,
        _EITHER,
        ("digits", "group"),
        cost_of_group_privacy,
        check_group_privacy,
        premises=1,
    ),
    "group-mechanisms": Rule(
        DEFINITION,
        ("upper",),
        ("deltas", "digits", "group"),
        cost_of_group_mechanisms,
        check_group_mechanisms,
        premises=1,
    ),
    "post-processing": _of_trees("upper", ("bits", "odds", "simulation"), check_post_processing),
    "distinguishing-adversary": _of_trees(
        "lower", ("bits", "choices", "input", "odds"), check_distinguishing_adversary
    ),
}
