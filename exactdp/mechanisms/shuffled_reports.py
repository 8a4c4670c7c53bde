r"""Shuffled reports: local randomizers, of which the answers of all records are mixed.

Rules of this file: everything is a ball at the precision of the context; P is the law with the
record as it is, Q that with the one that takes its place.

Theory of operation: of n reports c = a + b are on the two values in question, each on either with
probability 1/2. With M the probability of (a, b, r), where r of all others are drawn like those,

.. math:: P = M·(κ/n)·(E·a + b + r + v·(n - c - r)),

and Q the same with a and b exchanged. From above, of any randomizer, c counts clones; of k-ary
randomized response c and r are the blanket of reports that are uniform. From below all other
records hold a third value. P > y·Q just where a is above a threshold that is linear in c and r;
P[Bin(c, 1/2) >= a] follows from one c to the next by Pascal's rule. Where ε₀ is given, E is e^ε₀
rounded up from above and down from below: what has less odds is what has more, post-processed.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Feldman, McMillan & Talwar, FOCS 2021; Balle, Bell,
Gascón & Nissim, CRYPTO 2019.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number
from exactdp.errors import DomainError
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import REPLACE_ONE, EntryShape, NeverFails, Symmetric, set_field
from exactdp.mechanisms.keys import SHUFFLED_REPORTS, JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import CountedPair
from exactdp.mechanisms.report_pairs import BinaryPair, CountsPair, HistogramPair, histograms_of

MOST_REPORTS: Final = 10**9
ANY: Final = "any"
UNSAID: Final = "unsaid"
_TWO: Final = 2
_FEW: Final = 24
_ALL: Final = 24
_MOST_OUTPUTS: Final = 1 << 15
_HALF: Final = mpq(1, 2)
_LEAST_LOCAL: Final = mpq(1, 10**9)
_MOST_LOCAL: Final = 40
_BITS: Final = 64


@dataclass(frozen=True, slots=True, init=False)
class ShuffledReportsMechanism(Symmetric, NeverFails):
    r"""Reports of all records, each by a local randomizer, shuffled and then released.

    Between two inputs of one record, the odds of every answer are at most ``odds``, e^{ε₀}; or
    ``local_epsilon``, ε₀ itself, is given. With ``values`` it is randomized response on so many
    values, which lies with equal odds.

    >>> ShuffledReportsMechanism(1000, 3, 16).values
    16
    >>> print(ShuffledReportsMechanism(1000, local_epsilon="1/2").local_epsilon)
    1/2
    """

    reports: int
    odds: mpq | None
    values: int | None
    local_epsilon: mpq | None
    """ε₀, where that is given in place of e^ε₀."""

    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = False
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            SHUFFLED_REPORTS,
            "",
            {"reports": None, "odds": UNSAID, "local_epsilon": UNSAID, "values": ANY},
            in_cells=False,
        ),
    )

    def __init__(
        self,
        reports: int,
        odds: Number | None = None,
        values: int | None = None,
        count: int = 1,
        label: str = "",
        *,
        local_epsilon: Number | None = None,
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "reports", whole(reports, "reports", MOST_REPORTS))
        if (odds is None) == (local_epsilon is None):
            raise DomainError(
                field="odds",
                value="none" if odds is None else "odds and local_epsilon",
                expected="one of odds and local_epsilon",
            )
        local = None if local_epsilon is None else _local(local_epsilon)
        set_field(self, "odds", None if odds is None else positive(odds, "odds"))
        set_field(self, "local_epsilon", local)
        set_field(self, "values", None if values is None else whole(values, "values", MOST_REPORTS))
        for field, number, least in (("reports", self.reports, 2), ("values", values or 2, 2)):
            if number < least:
                raise DomainError(field=field, value=str(number), expected="at least 2")
        if self.odds is not None and self.odds <= 1:
            raise DomainError(
                field="odds",
                value=str(self.odds),
                expected="above 1",
                remedy="write e^ε₀, or ε₀ itself as local_epsilon",
            )
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Self:
        """Values are left out for any randomizer."""
        reports, odds, local, values = cls.KEYS[0].read(entry, text_of)
        return cls(
            whole_of(reports, "reports"),
            None if odds == UNSAID else odds,
            None if values == ANY else whole_of(values, "values"),
            *counted(entry),
            local_epsilon=None if local == UNSAID else local,
        )

    def shape(self) -> EntryShape:
        given = {"odds": self.odds, "local_epsilon": self.local_epsilon, "values": self.values}
        stated = {name: each for name, each in given.items() if each is not None}
        return {SHUFFLED_REPORTS: {"reports": self.reports, **stated}}

    def event(self) -> EntryShape:
        """By odds, at least those of its ε₀."""
        given = {"reports": self.reports, "odds": self._odds(up=True)}
        return {SHUFFLED_REPORTS: given | ({"values": self.values} if self.values else {})}

    @property
    def _local(self) -> ExactNumber:
        """ε₀."""
        return ExactNumber.ln(self.odds) if self.odds else ExactNumber(self.local_epsilon or mpq(0))

    def _odds(self, *, up: bool) -> mpq:
        """e^ε₀, or a rational near it on the safe side."""
        return self.odds or _rounded(self.local_epsilon or mpq(0), up=up)

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (REPLACE_ONE,)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """The clones, or the blanket."""
        n, odds, k, local = self.reports, self._odds(up=True), self.values, self._local
        if k is None:
            yield CountsPair(n, odds, local, 1 / odds, mpq(0), mpq(0), 2 * odds / (odds + 1)), 1
        else:
            yield CountsPair(n, odds, local, 2 / (odds + k - 1), _rest(odds, k), mpq(0)), 1

    def attained(self, _relation: str, tilt: mpq) -> Iterator[CountedPair]:
        """All others hold a third value, or all hold the same one of two, or some as a tilt says.

        For any randomizer it is what tends to reveal more: that of two for odds up to 2, and for
        few reports.
        """
        n, odds, local = self.reports, self._odds(up=False), self._local
        alike = -int(-(2 * tilt - 1) * n // 1) - 1
        if alike >= 0 and self._outputs() <= _MOST_OUTPUTS:
            yield HistogramPair(n, odds, local, self.values or 3, alike), 1
            return
        k = self.values or (_TWO if odds <= _TWO or n <= _FEW * odds else 3)
        if k == _TWO:
            yield BinaryPair(n, odds, local), 1
        else:
            yield CountsPair(n, odds, local, 2 / (odds + k - 1), mpq(0), _rest(odds, k)), 1

    def tilts(self) -> tuple[mpq, ...]:
        """A third value; and where all counts can be listed, some that hold the record's value."""
        n = self.reports
        if self._outputs() > _MOST_OUTPUTS:
            return (_HALF,)
        alike = range(n) if n <= _ALL else [0, 1, 2]
        return (_HALF, *(_HALF + mpq(j + 1, 2 * n) for j in alike))

    def _outputs(self) -> int:
        """How many counts there are of both values in question, of a third, and of all others."""
        return histograms_of(self.reports, self.values or 3)

    def gap(self) -> str:
        return "what the data and the randomizer hide; from above, clones or a blanket"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of shuffled reports, by randomized response on one data set"

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """What one report reveals, and 0."""
        return self._local, mpq(0)

    def implied_rho(self) -> None:
        """No less than by its ε."""

    def rho_estimate(self) -> mpq:
        """About that of clones."""
        odds = self._odds(up=True)
        return 2 * (odds - 1) ** 2 / ((odds + 1) * self.reports)

    def ordering(self) -> None:
        """Only its equal is like it."""

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()


def _rest(odds: mpq, k: int) -> mpq:
    """The probability (k - 2)p over 1 - 2p."""
    return (k - 2) / (odds + k - 3) if k > _TWO else mpq(0)


def _local(value: Number) -> mpq:
    """ε₀, a rational of a range."""
    number = as_number(value, "local_epsilon")
    if number.logs or not _LEAST_LOCAL <= number.rational <= _MOST_LOCAL:
        raise DomainError(
            field="local_epsilon",
            value=shortest_text(number),
            expected=f"a rational from {short_text(_LEAST_LOCAL)} to {_MOST_LOCAL}",
            remedy="write e^ε₀ as odds where that is rational, such as 3 for ln(3)",
        )
    return number.rational


@lru_cache(maxsize=64)
def _rounded(local: mpq, *, up: bool) -> mpq:
    """e^ε₀ as a multiple of 2^-64."""
    with precision(_BITS * 4):
        odds = ball_of_rational(local).exp()
    one = mpq(1 << _BITS)
    return mpq(-(-upper_end(odds) * one // 1) if up else lower_end(odds) * one // 1) / one
