r"""What a mechanism answers of itself: the questions, each in one method.

Rules of this file: whoever asks a mechanism asks here, and nobody asks of which family it is. A
question without an answer that holds for all has none here, so that a family which forgets it
cannot be made; *unknown* is None, and means refused, never nothing.

Theory of operation: a family is a way to draw answers. Its *entry* is what the format ``exactdp-
ledger/1`` writes. What it reveals are *pairs* of laws of its answers on two neighbours: a pair
*dominates* the mechanism if its privacy profile is nowhere below the mechanism's, and is *attained*
if some data set has it. Both depend on the neighbouring relation; where records are replaced, a
mechanism reaches as far as that moves it.

Sources: Zhu, Dong & Wang, AISTATS 2022, Definition 7 (dominating pairs).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, get_args

from gmpy2 import mpq

from exactdp.errors import InternalError, UnsupportedError
from exactdp.mechanisms.checks import checked_count, checked_text
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, parameter_texts
from exactdp.readable import line_of

if TYPE_CHECKING:
    from flint import arb

    from exactdp.arithmetic.numbers import ExactNumber
    from exactdp.mechanisms.divergences import RenyiBounds
    from exactdp.mechanisms.order import Order
    from exactdp.mechanisms.pairs import CountedPair, Pair

Pick = Callable[[Iterable[mpq]], mpq]
"""The least of some numbers, or the greatest."""

EntryShape = dict[str, Any]
"""A mechanism as ``exactdp-ledger/1`` has it: nested, its leaves rationals, integers and names."""

ADD_REMOVE_ONE: Final = "add-remove-one"
REPLACE_ONE: Final = "replace-one"
ZERO_OUT: Final = "zero-out"
UNSPECIFIED: Final = "unspecified"
RELATIONS: Final = (ADD_REMOVE_ONE, REPLACE_ONE, ZERO_OUT, UNSPECIFIED)
"""The neighbouring relations."""
THERE_OR_NOT: Final = (ADD_REMOVE_ONE, ZERO_OUT)
"""Those in which a record is there or not."""

GivenBy = Literal["epsilon-delta", "rho-mu", "noise"]
"""(ε, δ); a ρ or μ above 0; or how a mechanism draws its answers."""
GIVEN_BY: Final[tuple[GivenBy, ...]] = get_args(GivenBy)

set_field: Final = object.__setattr__


class Family(ABC):
    """A mechanism, ``count`` times."""

    __slots__ = ()
    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = True
    """Whether the extracted checker judges certificates about it."""

    def __init_subclass__(cls) -> None:
        """Give each family the representation of one line, which dataclasses would replace."""
        cls.__repr__ = Family.__repr__  # type: ignore[method-assign] # of each class itself

    def __repr__(self) -> str:
        """One line: the class, and its entry."""
        more = [f"count={self.count}"] * (self.count != 1)
        more += [f"label={self.label!r}"] * bool(self.label)
        parts = ", ".join([*parameter_texts(self.shape()), *more])
        return f"<{type(self).__name__}: {line_of(parts)}>"

    # --- what it is called ----------------------------------------------------------------------

    KEYS: ClassVar[tuple[Key, ...]]
    """The keys by which entries name it; it takes the parameters of the first in their order."""

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Family:
        """The mechanism of an entry whose shape the schema has checked, count and label included.

        Raises:
            InputError: a value out of range.
        """
        parameters = cls.KEYS[0].read(entry, text_of)
        return cls(*parameters, *counted(entry))  # type: ignore[call-arg] # every family takes both

    def shape(self) -> EntryShape:
        """Its entry without count and label."""
        return self.KEYS[0].shape_of(self)

    def event(self) -> EntryShape:
        """As accountants are asked about it: noise on numbers that a record moves by 1."""
        return self.shape()

    @property
    def name(self) -> str:
        """The key by which the format names the family."""
        return next(iter(self.shape()))

    @property
    def given_by(self) -> GivenBy:
        """What its parameters say."""
        return "noise"

    def parameters(self) -> tuple[object, ...]:
        """All that it says but for its count and its label."""
        kind = type(self)
        return kind, _parameters_of(kind)(self)

    def times(self, count: int) -> Self:
        """The mechanism so many times."""
        return self.changed(count=count)

    def changed(self, **fields: object) -> Self:
        """The mechanism with other values of some fields."""
        return replace(self, **fields)  # type: ignore[type-var] # every family is a dataclass

    def without_label(self, count: int = 1) -> Self:
        """The mechanism so many times, and nameless."""
        same = self.count == count and not self.label
        return self if same else self.changed(count=count, label="")

    def _counted(self, count: int, label: str) -> None:
        """Check and set what every family has."""
        set_field(self, "count", checked_count(count))
        set_field(self, "label", checked_text(label, "label"))

    # --- noise on a sum -------------------------------------------------------------------------

    REACH_KEY: ClassVar[str] = ""
    """What the format calls by how much a record moves the sum; empty if it is no noise on one."""
    REACH_IS_RELATIVE: ClassVar[bool] = False
    """Whether that is relative to the deviation of the noise."""
    ON_INTEGERS: ClassVar[bool] = False
    """Whether that is a whole number, as is all that is added."""

    def sampled_base(self) -> Family:
        """What is run on a sample; itself, if there is none."""
        return self

    def furthest(self) -> tuple[str, mpq] | None:
        """By how much a record moves a coordinate at most, after its name; None if not stated."""
        return None

    def moved(self, _times: mpq) -> Family:
        """The same noise, of a sum that moves so many times as far; refused if it is none."""
        raise InternalError(field="noise", value=self.name, expected="noise on a sum")

    def for_group(self, _times: int) -> Family | None:
        """What dominates it for inputs so many neighbours apart, and is attained; else None."""
        return None

    KNOWS_GREATEST_LOSS: ClassVar[bool] = True  # whether its pairs say it exactly
    # --- between which neighbours ---------------------------------------------------------------
    PROTECTS: ClassVar[str] = ""  # whom neighbours differ by, where it is not one record
    IS_IN_BATCHES: ClassVar[bool] = False  # whether records come into batches: one may be zeroed

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The relations under which it has a meaning, the likeliest first; empty for all."""
        return ()

    def refused(self, _relation: str) -> UnsupportedError | None:
        """The error, if it does not say enough between such neighbours."""
        return None

    def between(self, _relation: str) -> Self:
        """The mechanism as it is between such neighbours."""
        return self

    def with_known_batch(self, relation: str) -> Family:
        """What it is between such neighbours to someone who knows the batch of each record."""
        return self.between(relation)

    # --- what it reveals ------------------------------------------------------------------------

    @abstractmethod
    def failure(self) -> mpq:
        """With what probability it may reveal everything, whatever its pairs say: its δ."""

    @abstractmethod
    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """Pairs that dominate it together, each with how often one mechanism has it."""

    def divergences(self) -> RenyiBounds | None:
        """Rényi divergences that are known of it beside its pairs; None if there are none.

        They have no pair of their own: those of all mechanisms are one curve.
        """
        return None

    @abstractmethod
    def attained(self, relation: str, tilt: mpq) -> Iterator[CountedPair]:
        """Pairs that some data sets have together; none if it is not known to reveal anything.

        A tilt, from 0 to 1, says which of them where there is a choice.
        """

    @abstractmethod
    def gap(self) -> str:
        """Why what dominates it may be more than what is attained, in words; empty if it is not."""

    def attained_by(self, _relation: str) -> Iterator[str]:
        """Who attains the lower end where it is not the mechanism itself, in words."""
        yield from ()

    def tilts(self) -> tuple[mpq, ...]:
        """Of which pairs both ends are met for one alone, though they differ; or none."""
        return ()

    @property
    def has_tilt(self) -> bool:
        """Whether there is a choice of attained pairs."""
        return False

    @property
    def can_be_sampled(self) -> bool:
        """Whether its rate may be changed, 1 where it is not sampled."""
        return False

    @property
    def sampling_rate(self) -> mpq:
        """With what probability a record takes part."""
        return mpq(1)

    @property
    def is_sampled(self) -> bool:
        """Whether some records are left out by chance."""
        return False

    @abstractmethod
    def differs_by_direction(self, relation: str) -> bool:
        """Whether adding a record may reveal something else than removing it does."""

    # --- what theorems make of it ---------------------------------------------------------------

    @abstractmethod
    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq] | None:
        """The (ε, δ) that it has by its parameters, δ < 1; None if it has none."""

    @abstractmethod
    def implied_rho(self) -> mpq | None:
        """The ρ that it has by its parameters; None if that says less than its ε, or nothing."""

    def attained_rho(self) -> mpq:
        return mpq(0)  # of which some such mechanism is known to have no less

    def implied_mu_squared(self) -> mpq | None:
        """The μ² of Gaussian noise; None if it is none."""
        return None

    @abstractmethod
    def rho_estimate(self) -> mpq:
        """About its ρ, or about what would cost so much: to rank mechanisms, never to bound."""

    # --- beside others --------------------------------------------------------------------------

    @abstractmethod
    def ordering(self) -> Order | None:
        """By what it is compared with others of its family; None if it is not."""

    def chain(self) -> Hashable:
        """What all have in common of which any two may be compared; itself if it has no order."""
        order = self.ordering()
        return self.without_label() if order is None else order.family

    @property
    def adds_up(self) -> bool:
        """Whether many of the family, whatever their parameters, are as easy to compose as one."""
        return False

    def rounds_with(self) -> Hashable | None:
        """What others have in common that one mechanism may stand for; None if none may."""
        return None

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Family:
        """The mechanism whose numbers, which rise with what it reveals, are picked from these.

        Raises:
            InternalError: none may stand for others.
        """
        del pick
        raise cls._stands_for_none(group[0])

    @staticmethod
    def _stands_for_none(entry: Family) -> InternalError:
        return InternalError(
            field="mechanism", value=entry.name, expected="mechanisms that one may stand for"
        )

    # --- what may be turned ---------------------------------------------------------------------

    @abstractmethod
    def scaled(self, factor: mpq) -> Family:
        """The mechanism whose answers are ``factor`` > 0 times as large beside its noise.

        Raises:
            UnsupportedError: it has no such factor.
        """

    @property
    def can_be_scaled(self) -> bool:
        """Whether it has such a factor."""
        return True

    @property
    def has_noise(self) -> bool:
        """Whether its parameters say how much noise it draws."""
        return False

    def noise(self) -> tuple[str, mpq]:
        """What says how much noise it draws, and how much that is; refused if nothing does."""
        raise self.not_turned()

    def with_noise(self, _noise: mpq) -> Family:
        """The mechanism with so much noise, in terms of :meth:`noise`."""
        raise self.not_turned()

    def promise(self) -> tuple[str, mpq] | None:
        """What it may reveal, where it is given by that: its ε, ρ or range, and how much."""
        return None

    def with_promise(self, _size: mpq) -> Family:
        """The mechanism that may reveal so much, in terms of :meth:`promise`."""
        raise self.not_turned()

    def expected_error(self) -> mpq | arb | None:
        """E|Y| of the noise on one number, exact where rational; None if it is not such noise."""
        return None

    def not_turned(self) -> UnsupportedError:
        """The error of a mechanism that is given neither by noise nor by what it may reveal."""
        return UnsupportedError(
            field="mechanism",
            value=self.label or type(self).__name__,
            expected="a mechanism given by how much noise it draws, as by mu, sigma or laplace, or "
            "by what it may reveal: epsilon, rho or bounded_range",
            remedy="ask at which rate a table fits (--rate-of LABEL), or how many more of it, or "
            "of a list of Rényi divergences (--count-of LABEL)",
        )


def given_together_by(entries: Iterable[Family]) -> GivenBy:
    """What says all of some mechanisms: (ε, δ) if it does of each, noise if it must of one."""
    return max({each.given_by for each in entries}, key=GIVEN_BY.index, default="epsilon-delta")


@cache
def _parameters_of(kind: Any) -> attrgetter[object]:  # noqa: ANN401 (a dataclass)
    return attrgetter(*(each.name for each in fields(kind) if each.name not in ("count", "label")))


class Attained(Family):
    """A mechanism with data sets that attain what dominates it."""

    __slots__ = ()

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """All that dominates it."""
        yield from self.pairs(relation)

    def gap(self) -> str:
        """There is none."""
        return ""


class Symmetric(Family):
    """A mechanism that reveals as much of a record that is added as of one that is removed."""

    __slots__ = ()

    def differs_by_direction(self, _relation: str) -> bool:
        return False


class NeverFails(Family):
    """A mechanism whose pairs say all."""

    __slots__ = ()

    def failure(self) -> mpq:
        return mpq(0)


class Sampleable(Family):
    """A mechanism that may be run on a Poisson sample: of one pair, if it has one shift."""

    __slots__ = ()

    IS_ABOUT_REPLACEMENT: ClassVar[bool] = False
    """Whether it says as much of a record that is replaced as of one that is there or not."""

    @property
    def can_be_sampled(self) -> bool:
        return True

    @abstractmethod
    def pair(self) -> Pair:
        """What dominates it, and what it attains if it has no gap."""

    def attained_pair(self, tilt: mpq) -> Pair:
        """What some data set has."""
        del tilt
        return self.pair()

    def reach(self) -> mpq | None:
        """By how much a record moves the sum; None if it is no noise on a sum."""
        return None

    def scaled(self, factor: mpq) -> Sampleable:
        del factor
        raise self.not_turned()

    def with_noise(self, noise: mpq) -> Sampleable:
        del noise
        raise self.not_turned()

    def with_promise(self, size: mpq) -> Sampleable:
        del size
        raise self.not_turned()

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Sampleable:
        del pick
        raise cls._stands_for_none(group[0])

    def moved(self, times: mpq) -> Sampleable:
        del times
        raise InternalError(field="noise", value=self.name, expected="noise on a sum")

    def reach_beside(self) -> str:
        """The noise that its reach is relative to, as ``-m`` has it; empty if to none."""
        return ""

    def noise_shape(self, _clip: mpq) -> EntryShape:
        """Its entry beside a clip: the noise alone."""
        [(name, parts)] = self.shape().items()
        return {name: {key: part for key, part in parts.items() if key != self.REACH_KEY}}
