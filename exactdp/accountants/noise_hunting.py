r"""Questions about DP-SGD for a hunt: Gaussian noise on Poisson samples, drawn at random.

Rules of this file: as in :mod:`exactdp.accountants.hunting`; whoever is asked, the same is drawn.

Theory of operation: a group has a noise of one or two digits from 0.3 to 9.9, a rate of one digit
and up to four places or of 1, and a count of one digit and up to three zeros; δ is a power of ten
from 10^-2 to 10^-12. Noise is relative to the bound on what one record contributes, and records are
added or removed, or replaced: a replaced one moves a sum by twice that bound. The corners are
problems of the literature, at which accountants differ.

Of batches of a fixed size, m of n records, one of which is replaced, a ledger can say what they
cost at least. Let every other record contribute -C, and the one that differs -C or C: a step is
noise around one point, or around one that is 2C further with probability m/n. It is the pair of
Poisson samples with sensitivity 2C where a record is added or removed. The least ε of batches is
not below its own, and an accountant that says less is refuted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from gmpy2 import mpq

from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, Sampleable, SampledMechanism, sampled

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

NOISE_ALONE: Final = frozenset({"opacus"})
"""Packages whose accountants are asked about nothing else."""
KIND: Final = "noise"
ADDED: Final = "add-remove-one"
REPLACED: Final = "replace-one"
BATCHES: Final = "fixed-size batches"
"""Records are replaced, and samples are batches of a fixed size."""
_MOST_GROUPS: Final = 2

Drawn = tuple[Any, ...]
Questions = Literal["parameters", "noise", "batches"]


def questions_of(*, noise: bool, batches: bool) -> Questions:
    """What is drawn, as it is asked for."""
    return "batches" if batches else "noise" if noise else "parameters"


def settings_of(package: str, questions: Questions) -> tuple[str, ...]:
    """The settings of DP-SGD that are drawn; none where mechanisms are drawn by (ε, δ)."""
    if questions == "batches":
        return (BATCHES,)
    noise = questions == "noise" or package in NOISE_ALONE
    return (ADDED, REPLACED, BATCHES) if noise else ()


def drawn_noise(settings: Sequence[str]) -> SearchStrategy[Drawn]:
    """Tuples (groups, n, setting, kind), where δ = 10^-n."""
    from hypothesis import strategies as st  # noqa: PLC0415 (an extra)

    rate = st.one_of(st.tuples(st.integers(1, 9), st.integers(1, 4)), st.just((1, 0)))
    count = st.tuples(st.integers(1, 9), st.integers(0, 3))
    group = st.tuples(st.integers(3, 99), rate, count)
    groups = st.lists(group, min_size=1, max_size=_MOST_GROUPS)
    setting = st.sampled_from(settings)
    return st.tuples(groups.map(tuple), st.integers(2, 12), setting, st.just(KIND))


def ledger_of_noise(drawn: Drawn) -> Ledger:
    """The ledger that was drawn, with its δ.

    >>> [entry] = ledger_of_noise((((11, (1, 2), (6, 1)),), 5, ADDED, KIND)).mechanisms
    >>> entry.rate, entry.base.mu, entry.count
    (mpq(1,100), mpq(10,11), 60)
    """
    groups, exponent, setting, _ = drawn
    relation = REPLACED if setting == REPLACED else ADDED
    mechanisms = tuple(
        _step(mpq(tenths, 10), mpq(digit, 10**places), lead * 10**zeros, setting)
        for tenths, (digit, places), (lead, zeros) in groups
    )
    return Ledger(mechanisms, target_delta=mpq(1, 10**exponent), neighbouring=relation)


def _step(noise: mpq, rate: mpq, count: int, setting: str) -> Sampleable | SampledMechanism:
    """Steps with noise relative to the bound on one record."""
    if setting != ADDED and (rate == 1 or setting == BATCHES):
        return sampled(GaussianMechanism(2 / noise), rate, count, "")
    clip = 1 if setting == REPLACED else None
    return sampled(GaussianMechanism(1 / noise), rate, count, "", clip)


BOUNDARY_CASES_OF_NOISE: Final[Sequence[Drawn]] = (
    (((10, (1, 0), (1, 0)),), 5, ADDED, KIND),
    (((10, (1, 0), (1, 0)),), 5, REPLACED, KIND),
    (((10, (1, 1), (1, 0)),), 5, ADDED, KIND),
    (((10, (1, 2), (1, 2)),), 5, ADDED, KIND),
    (((10, (1, 2), (1, 2)),), 5, REPLACED, KIND),
    (((10, (1, 2), (1, 2)),), 5, BATCHES, KIND),
    (((10, (1, 2), (1, 3)),), 5, ADDED, KIND),
    (((6, (1, 3), (1, 4)),), 6, ADDED, KIND),
)
"""Questions as they are drawn, the smallest first."""
