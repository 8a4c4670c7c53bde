r"""References: the two slow forms of optimal composition, exactly as the theorem and the paper say.

Purpose: what the engines are tested against, and what to read first. Nothing in the package calls
them.

Rules of this file: rationals only, no rounding; every formula in the shape in which it is stated,
however slow; no code shared with the engines.

Theory of operation:

- *The sum over subsets* (:func:`hockey_stick`, :func:`least_odds_by_subsets`) is Theorem 1.5 word
  for word: :math:`2^k` terms. D is convex and piecewise linear in y, with one line for every set
  of outcomes that an adversary may single out; only the sets of largest privacy loss matter.
- *The paper's dynamic programming* (:func:`weights_within`, :func:`table_decision`,
  :func:`least_grid_multiple`) serves ε_i that are integer multiples of one :math:`\epsilon_0` with
  rational :math:`e^{\epsilon_0}`. The paper fills a table over (mechanisms, sums) in the manner of
  Dyer's count of knapsack solutions, decides one candidate ε* from two such tables, and repeats
  that in a binary search over the multiples of :math:`\epsilon_0`. The engines build one product
  instead, which answers every ε* at once.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5 and section 5 (Lemmas 5.1 and
5.2); Dyer, "Approximate counting by dynamic programming", STOC 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from exactdp.arithmetic.threshold import threshold
from exactdp.errors import DomainError


def hockey_stick(odds_ratios: Sequence[Fraction], y: Fraction) -> Fraction:
    r"""Hockey-stick divergence of composed randomized responses, exactly.

    .. math:: D(y) = \prod_i (1+E_i)^{-1}
                     \sum_{S} \max(\prod_{i\in S} E_i - y \prod_{i\notin S} E_i, 0)

    Args:
        odds_ratios: k values E_i = e^{eps_i} >= 1 (eps in nats); k = 0 is allowed.
        y: e^{eps_g} >= 1.

    Returns:
        D(y) in [0, 1), exact, no rounding. O(2^k): the reference for the counting engine.

    Raises:
        DomainError: with name, value and requirement if a ratio is below 1.

    Source: Murtagh & Vadhan, ToC 14(8) 2018, Thm 1.5.
    Proved: proofs/OptComp.v, composition_dp_iff

    >>> hockey_stick([Fraction(3), Fraction(3)], Fraction(3))
    Fraction(3, 8)
    """
    _require_ratios(odds_ratios)
    _require_ratio(y, "y")
    positive = (max(inside - y * outside, Fraction(0)) for inside, outside in _subsets(odds_ratios))
    return sum(positive, Fraction(0)) / _normaliser(odds_ratios)


def least_odds_by_subsets(odds_ratios: Sequence[Fraction], allowed: Fraction) -> Fraction:
    r""":math:`e^{OptComp}` from all subsets: the least y >= 1 with D(y) <= Δ, exactly.

    The sets S are put in order of decreasing privacy loss. The first m of them form the line
    :math:`(U_m - yV_m)/P`, D is the largest of these lines and 0, and a line comes down to Δ at
    :math:`y = (U_m - \Delta P)/V_m`; the last of them to do so decides.

    Args:
        odds_ratios: k values E_i = e^{eps_i} >= 1; k = 0 is allowed.
        allowed: Δ >= 0 (below 0 no y is enough).

    Raises:
        DomainError: with name, value and requirement, if a ratio is below 1 or Δ below 0.

    Source: Murtagh & Vadhan, ToC 14(8) 2018, Thm 1.5.

    >>> least_odds_by_subsets([Fraction(3), Fraction(3)], Fraction(1, 10))
    Fraction(37, 5)
    """
    _require_ratios(odds_ratios)
    _require_allowed(allowed)
    spent = allowed * _normaliser(odds_ratios)
    least = Fraction(1)
    u = v = Fraction(0)
    by_loss = sorted(_subsets(odds_ratios), key=lambda pair: pair[0] / pair[1], reverse=True)
    for inside, outside in by_loss:
        u += inside
        v += outside
        least = max(least, (u - spent) / v)
    return least


def weights_within(multiples: Sequence[int], weights: Sequence[Fraction], bound: int) -> Fraction:
    r"""The sum, over the sets whose multiples add up to at most ``bound``, of their weights.

    .. math:: \sum_{T \subseteq [k],\ \sum_{i \in T} a_i \le B}\ \prod_{i \in T} w_i

    With all weights 1 this counts the solutions of a knapsack. The table is F(r, s), the sum over
    subsets of the first r elements that fit into s:
    :math:`F(r, s) = F(r-1, s) + w_r F(r-1, s-a_r)`, :math:`F(0, s) = 1` for s >= 0, and 0 below.

    Args:
        multiples: integers a_i >= 0.
        weights: one w_i for each.
        bound: B; below 0 no set fits.

    Source: Murtagh & Vadhan, ToC 14(8) 2018, Lemma 5.1. O(kB) additions and multiplications.

    >>> weights_within([1, 1, 2], [Fraction(1)] * 3, 2)
    Fraction(5, 1)
    """
    row = [Fraction(1)] * (bound + 1)
    for a, weight in zip(multiples, weights, strict=True):
        row = [row[s] + (weight * row[s - a] if s >= a else 0) for s in range(bound + 1)]
    return row[bound] if bound >= 0 else Fraction(0)


def table_decision(
    multiples: Sequence[int], unit_odds: Fraction, candidate: int, allowed: Fraction
) -> bool:
    r"""Whether D(y) <= Δ for :math:`y = q^{a^*}`: is ε* = a*·ε₀ enough?

    Write T for the complement of S in Theorem 1.5. The term of T is positive only where
    :math:`q^{A - s} > q^{a^* + s}`, :math:`s = \sum_{i\in T} a_i`, that is for
    :math:`2s < A - a^*` (it is 0 at equality), and so the sum falls apart into two weighted counts
    with the same bound:

    .. math:: P D(y) = q^A \sum_T \prod_{i\in T} q^{-a_i} - q^{a^*} \sum_T \prod_{i\in T} q^{a_i}

    Args:
        multiples: integers a_i >= 0 with ε_i = a_i·ε₀.
        unit_odds: :math:`q = e^{\epsilon_0} > 1`, rational.
        candidate: the integer a* >= 0.
        allowed: Δ.

    Raises:
        DomainError: with name, value and requirement.

    Source: Murtagh & Vadhan, ToC 14(8) 2018, Lemma 5.2; Δ is its right-hand side
    :math:`1 - (1-\delta_g)/\prod(1-\delta_i)`.

    >>> table_decision([1, 1], Fraction(3), 1, Fraction(3, 8))
    True
    >>> table_decision([1, 1], Fraction(3), 0, Fraction(3, 8))
    False
    """
    _require_grid(multiples, unit_odds, candidate)
    total = sum(multiples)
    bound = (total - candidate) // 2
    truthful = weights_within(multiples, [unit_odds**-a for a in multiples], bound)
    other = weights_within(multiples, [unit_odds**a for a in multiples], bound)
    divergence = unit_odds**total * truthful - unit_odds**candidate * other
    return divergence <= allowed * prod((1 + unit_odds**a for a in multiples), start=Fraction(1))


def least_grid_multiple(
    multiples: Sequence[int], unit_odds: Fraction, allowed: Fraction
) -> int | None:
    r"""The least integer a* >= 0 with D(q^{a*}) <= Δ, by the paper's binary search.

    Every step fills both tables of :func:`table_decision` anew. What comes out is OptComp rounded
    up to a multiple of ε₀.

    Args:
        multiples: integers a_i >= 0 with ε_i = a_i·ε₀.
        unit_odds: :math:`q = e^{\epsilon_0} > 1`, rational.
        allowed: Δ; below 0 there is no such a*, and the answer is None.

    Source: Murtagh & Vadhan, ToC 14(8) 2018, section 5.

    >>> least_grid_multiple([1, 1], Fraction(3), Fraction(1, 10))
    2
    """
    if allowed < 0:
        return None
    return threshold(
        lambda n: table_decision(multiples, unit_odds, n, allowed), -1, sum(multiples)
    )[1]


def _subsets(odds_ratios: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """The products of the odds ratios inside and outside of S, for every S."""
    pairs = [(Fraction(1), Fraction(1))]
    for odds in odds_ratios:
        pairs = [(odds * p, q) for p, q in pairs] + [(p, odds * q) for p, q in pairs]
    return pairs


def _normaliser(odds_ratios: Sequence[Fraction]) -> Fraction:
    return prod((1 + odds for odds in odds_ratios), start=Fraction(1))


def _require_ratios(odds_ratios: Sequence[Fraction]) -> None:
    for index, odds in enumerate(odds_ratios):
        _require_ratio(odds, f"odds_ratios[{index}]")


def _require_ratio(value: Fraction, field: str) -> None:
    if value < 1:
        raise DomainError(field=field, value=str(value), expected="an odds ratio at least 1")


def _require_allowed(allowed: Fraction) -> None:
    if allowed < 0:
        raise DomainError(
            field="allowed", value=str(allowed), expected="a Δ at least 0 (below, no ε is enough)"
        )


def _require_grid(multiples: Sequence[int], unit_odds: Fraction, candidate: int) -> None:
    if unit_odds <= 1:
        raise DomainError(field="unit_odds", value=str(unit_odds), expected="q above 1")
    for field, value in (("candidate", candidate), *(("multiples", a) for a in multiples)):
        if value < 0:
            raise DomainError(field=field, value=str(value), expected="an integer at least 0")
