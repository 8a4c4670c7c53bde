r"""Mechanisms by their noise: the families, and the pairs of laws of each.

Rules of this file: every range is checked as an entry is read, once.

Theory of operation: an entry is a family with its parameters. It gives a pair of laws whose profile
is nowhere below that of any of its mechanisms, for ``upper``, and one that some mechanism of the
family has, for ``lower``.

Sources: certs/SPEC.md, sections 7.1 and 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise
from typing import ClassVar, Final, TypeAlias

from ..format.numbers import (
    normal_form,
    size,
)
from ..format.outcomes import MalformedError
from ..format.shapes import array, integer, members, rational
from ..format.strict_json import Json, canonical_bytes
from ..statement import NEIGHBOURING, RELATIONS
from .allocated import Allocated, read_allocated
from .constraints import read_constraints
from .curves import Cut, Normal, Range, TwoSided
from .discrete_noise import ON_INTEGERS, OnIntegers
from .entries import MAX_COUNT, read_square, root
from .factorized import Factorized, read_factorized
from .fixed_size import read_fixed_size
from .pairs_of_laws import Dominating, Pair
from .records_of_person import MOST_RECORDS, Person
from .remainder import has_remainder, read_remainder
from .replaced import replaced as replaced_pair
from .reports import Reports, read_reports
from .selection import NegativeBinomial, read_selection
from .shuffled import REACHES, Shuffled, read_shuffled
from .tables import Response, Table, Written
from .three_laws import Batches

REPLACED: Final = "replace-one"
_DIRECTED: Final = ("add-remove-one", "zero-out")
CLIPPED: Final[Mapping[str, str]] = {
    **{key: family.amount for key, family in ON_INTEGERS.items()},
    "laplace": "scale",
    "sigma": "",
    "variance": "",
}
"""Noise beside a clip, with what says how much there is; a sigma or variance says so itself."""
MAX_SHIFT: Final = 10**6
MAX_SHIFTS: Final = 1000
MAX_ROWS: Final = 4096
MAX_BITS: Final = 2048
_ORDER_AND_BOUND: Final = 2
_BATCHED: Final = ("allocated", "factorization", "fixed_size", "shuffled")
_APART: Final = ("constraints", "renyi", "selection", "shuffled_reports")
_FAMILIES: Final = (*_BATCHED, *_APART, "bounded_range", "laplace", "pair", *ON_INTEGERS)
_GAUSSIAN: Final = ("mu_squared", "mu")
"""Noise only beside a rate."""

Law: TypeAlias = Table | Cut | Range
"""What a family is without sampling."""

Part: TypeAlias = tuple[Law, int]
"""A law, and how often it is there."""

_Read: TypeAlias = tuple[Part, ...]
"""What one mechanism of a family is."""


@dataclass(frozen=True)
class Noisy:
    """``count`` mechanisms of a family, each of which has several laws at once."""

    family: ClassVar[str] = "noise"

    laws: tuple[Part, ...]
    rate: Fraction
    count: int
    directed: bool
    """Whether it matters which law is that with the record."""

    clipped: bool
    """Whether the laws are those of noise on a sum, of which a record is sampled or replaced."""

    text: bytes
    """Its bytes in a statement, without the count."""

    failure: Fraction = Fraction(0)
    """With what probability each reveals everything, apart from its laws."""

    kept: tuple[Part, ...] = ()
    """What some of its mechanisms have, where that is not what dominates them."""

    @property
    def relations(self) -> tuple[str, ...]:
        """Where the directions differ, a record is there or not, or what dominates is known.

        It is for a sample of bounded range, and for one with a clip, which is known nowhere else.
        """
        if not self.directed:
            return RELATIONS
        replaceable = self.clipped or all(isinstance(law, Range) for law, _ in self.laws)
        return (*(() if self.clipped else _DIRECTED), *((REPLACED,) if replaceable else ()))

    def dominating(self, relation: str) -> Iterator[tuple[Dominating, int]]:
        """What dominates its mechanisms, where a record is there or not, or is replaced."""
        for law, times in self.laws:
            pair: Dominating
            pair = law.over(relation, self.rate) if isinstance(law, Range) else self._sampled(law)
            yield pair, times * self.count

    def attained(self, _relation: str, tilt: Fraction) -> Iterator[tuple[Pair, int]]:
        """What one of its mechanisms has."""
        for law, times in self.kept or self.laws:
            pair = law.response(tilt) if isinstance(law, Range) else law
            yield self._sampled(pair), times * self.count

    def _sampled(self, law: Table | Cut) -> Table | Cut:
        """On a record that takes part with the rate; with a clip, or is replaced."""
        if self.rate == 1:
            return law
        return replaced_pair(law, self.rate) if self.clipped else law.sampled(self.rate)


@dataclass(frozen=True)
class Divergences:
    """``count`` mechanisms known by their Rényi divergences of some orders, in order."""

    family: ClassVar[str] = "noise"

    orders: tuple[tuple[Fraction, Fraction], ...]
    count: int

    text: bytes
    """Its bytes in a statement, without the count."""

    relations: tuple[str, ...] = RELATIONS

    def dominating(self, _relation: str) -> tuple[tuple[Dominating, int], ...]:
        """No pair: the orders stand beside what has one."""
        return ()

    def attained(self, _relation: str, _tilt: Fraction) -> tuple[tuple[Pair, int], ...]:
        """None that is known."""
        return ()


ByNoise: TypeAlias = Noisy | Divergences | Shuffled | Batches | Factorized | Reports


def neighbours_of(entries: Sequence[ByNoise]) -> tuple[str, ...]:
    """The neighbouring relations that all have a meaning for; in batches, of a contribution."""
    batched = any(isinstance(each, Shuffled | Batches) for each in entries)
    noisy = [each for each in entries if isinstance(each, Noisy)]
    there = any(isinstance(law, Allocated | Person) for each in noisy for law, _ in each.laws)
    factorized = any(isinstance(each, Factorized) for each in entries)
    stated = [each for each in entries if isinstance(each, Noisy | Divergences | Reports)]
    alone = RELATIONS if there else Factorized.relations if factorized else NEIGHBOURING
    known = tuple(REACHES) if batched else alone
    return tuple(each for each in known if all(each in one.relations for one in stated))


# --- reading ------------------------------------------------------------------------------------


def is_by_noise(value: Mapping[str, Json]) -> bool:
    """Whether an entry says how answers are drawn: a mu beside a rate is noise as well."""
    return not value.keys().isdisjoint(("clip", "rate", *_FAMILIES))


def read_noise(value: dict[str, Json]) -> ByNoise:
    """An entry of a statement that says how answers are drawn."""
    text = canonical_bytes({key: part for key, part in value.items() if key != "count"})
    if "clip" in value:
        return _read_clipped(value, text)
    if "records_per_person" in value:
        return _read_person(value, text)
    family = next((key for key in (*_FAMILIES, *_GAUSSIAN) if key in value), "mu")
    if family in _ALONE:
        further, reader = _ALONE[family]
        return reader(members(value, ("count", family, *further), "mechanism"), text)
    parts = members(value, ("count", family), "mechanism", ("rate",))
    laws = _READERS[family](parts[family])
    rate = _read_rate(parts["rate"]) if "rate" in parts else Fraction(1)
    if rate < 1 and sum(times for _, times in laws) != 1:
        raise MalformedError("a rate beside several shifts")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    directed = rate < 1 or family == "pair"
    return Noisy(laws, rate, count, directed, clipped=False, text=text)


def _read_clipped(value: dict[str, Json], text: bytes) -> Noisy:
    """A sampled sum: noise, a clip, and a rate."""
    family = next((key for key in CLIPPED if key in value), "sigma")
    parts = members(value, ("clip", "count", family, "rate"), "mechanism")
    clip, rate = _positive(parts["clip"], "clip"), _read_rate(parts["rate"])
    noise = parts[family]
    if CLIPPED[family]:
        noise = members(noise, (CLIPPED[family],), family)[CLIPPED[family]]
    amount = _positive(noise, CLIPPED[family] or family)
    law = _clipped_law(family, amount, clip)
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    return Noisy(((law, 1),), rate, count, directed=True, clipped=True, text=text)


def _read_person(value: dict[str, Json], text: bytes) -> Noisy:
    """A sampled sum with Gaussian noise, of which a person has several records."""
    family = "mu_squared" if "mu_squared" in value else "mu"
    parts = members(value, ("count", family, "rate", "records_per_person"), "mechanism")
    square = _read_square(parts[family], family)
    rate = _read_rate(parts["rate"])
    records = integer(parts["records_per_person"], 2, MOST_RECORDS, "records_per_person")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    law = Person(square, rate, records)
    return Noisy(((law, 1),), Fraction(1), count, directed=True, clipped=False, text=text)


def _clipped_law(family: str, amount: Fraction, clip: Fraction) -> Law:
    """The noise, on a sum that a removal moves by the clip."""
    if family == "sigma":
        return Normal((clip / amount) ** 2)
    if family == "variance":
        if root(amount) is not None:
            raise MalformedError("a mechanism's variance is the square of a rational")
        return Normal(clip**2 / amount)
    if family == "laplace":
        return TwoSided(clip / amount)
    if clip.denominator > 1 or clip > MAX_SHIFT:
        raise MalformedError(f"a clip beside discrete noise is no integer up to {MAX_SHIFT}")
    return ON_INTEGERS[family].of(amount, clip.numerator)


def _number(value: Json, what: str) -> Fraction:
    number = rational(value, what)
    if size(number) > MAX_BITS:
        raise MalformedError(f"a mechanism's {what} has more than {MAX_BITS} bits")
    return number


def _positive(value: Json, what: str) -> Fraction:
    number = _number(value, what)
    if not number:
        raise MalformedError(f"a mechanism's {what} is 0")
    return number


def _read_rate(value: Json) -> Fraction:
    rate = _number(value, "rate")
    if not 0 < rate < 1:
        raise MalformedError("a mechanism's rate is not between 0 and 1")
    return rate


def _read_square(value: Json, family: str) -> Fraction:
    """μ², where that or μ is given."""
    number = _positive(value, family)
    return number**2 if family == "mu" else read_square(value, family)


def _read_normal(family: str, value: Json) -> _Read:
    return ((Normal(_read_square(value, family)), 1),)


def _read_range(value: Json) -> _Read:
    epsilon = _positive(value, "bounded_range")
    return ((Range(epsilon), 1),)


def _read_laplace(value: Json) -> _Read:
    parts = members(value, ("scale", "sensitivity"), "laplace")
    scale, sensitivity = (_positive(parts[key], key) for key in ("scale", "sensitivity"))
    return ((TwoSided(sensitivity / scale), 1),)


def _read_on_integers(family: type[OnIntegers], value: Json) -> _Read:
    parts = members(value, (family.amount, "shifts"), family.key)
    amount = _positive(parts[family.amount], family.amount)
    shifts = _read_shifts(parts["shifts"])
    return tuple((family.of(amount, shift), times) for shift, times in shifts)


def _read_shifts(value: Json) -> list[tuple[int, int]]:
    """The shifts in their order, each with how often it occurs."""
    shifts = [integer(each, 1, MAX_SHIFT, "shift") for each in array(value, "shifts")]
    if not 1 <= len(shifts) <= MAX_SHIFTS or shifts != sorted(shifts):
        raise MalformedError(f"shifts are not 1 to {MAX_SHIFTS} in order")
    return [(shift, len(list(same))) for shift, same in groupby(shifts)]


def _read_pair(value: Json) -> _Read:
    parts = members(value, ("p", "q"), "pair")
    p, q = (_read_law(parts[key], key) for key in ("p", "q"))
    if len(p) != len(q):
        raise MalformedError("the laws of a pair are not of one length")
    return ((Written(p, q), 1),)


def _read_divergences(parts: Mapping[str, Json], text: bytes) -> Divergences:
    rows = [array(each, "renyi") for each in array(parts["renyi"], "renyi")]
    if not 1 <= len(rows) <= MAX_ROWS or any(len(row) != _ORDER_AND_BOUND for row in rows):
        raise MalformedError(f"renyi is not 1 to {MAX_ROWS} pairs")
    orders = tuple((_number(order, "order"), _number(bound, "bound")) for order, bound in rows)
    if orders[0][0] <= 1 or any(after[0] <= before[0] for before, after in pairwise(orders)):
        raise MalformedError("the orders of renyi do not rise from above 1")
    return Divergences(orders, integer(parts["count"], 1, MAX_COUNT, "count"), text)


def _read_constraints(parts: Mapping[str, Json], text: bytes) -> Noisy:
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    law, failure = read_constraints(parts["constraints"])
    laws, rate = ((law, 1),), Fraction(1)
    return Noisy(laws, rate, count, directed=False, clipped=False, text=text, failure=failure)


def _read_selection(parts: Mapping[str, Json], text: bytes) -> Noisy | Divergences:
    """What is kept of pure runs is pure; of others its divergences are known."""
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    inner, repetitions = read_selection(parts["selection"])
    if inner.epsilon is not None and isinstance(repetitions, NegativeBinomial):
        most = inner.epsilon.scaled((2 + repetitions.eta) * inner.count)
        laws, kept = ((Response(most), 1),), ((Response(inner.epsilon), inner.count),)
        one = Fraction(1)
        return Noisy(laws, one, count, directed=False, clipped=False, text=text, kept=kept)
    relations = RELATIONS if inner.rate == 1 else _DIRECTED
    return Divergences(repetitions.divergences(inner.curve()), count, text, relations)


def _read_allocated(parts: Mapping[str, Json], text: bytes) -> Noisy:
    one = Normal(1 / _positive(parts["sigma"], "sigma") ** 2)
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    laws = read_allocated(parts["allocated"], one)
    return Noisy(laws, Fraction(1), count, directed=True, clipped=False, text=text)


def _read_factorized(parts: Mapping[str, Json], text: bytes) -> Factorized:
    sigma = _positive(parts["sigma"], "sigma")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    return read_factorized(parts, sigma**2, count, text)


def _read_fixed_size(parts: Mapping[str, Json], text: bytes) -> Batches:
    sigma = _positive(parts["sigma"], "sigma")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    return read_fixed_size(parts["fixed_size"], sigma, count, text)


def _read_shuffled_reports(parts: Mapping[str, Json], text: bytes) -> Reports:
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    return read_reports(parts["shuffled_reports"], count, text)


def _read_shuffled(parts: Mapping[str, Json], text: bytes) -> Shuffled | Batches:
    sigma = _positive(parts["sigma"], "sigma")
    count = integer(parts["count"], 1, MAX_COUNT, "count")
    if has_remainder(parts["shuffled"]):
        return read_remainder(parts["shuffled"], sigma, count, text)
    return read_shuffled(parts["shuffled"], sigma, count, text)


def _read_law(value: Json, what: str) -> tuple[Fraction, ...]:
    rows = array(value, what)
    if not 1 <= len(rows) <= MAX_ROWS:
        raise MalformedError(f"a law does not have 1 to {MAX_ROWS} outputs")
    law = tuple(_number(each, what) for each in rows)
    if normal_form(law, []).rational != 1:
        raise MalformedError(f"the probabilities of {what} do not sum to 1")
    return law


_ALONE: Final[
    Mapping[str, tuple[Sequence[str], Callable[[Mapping[str, Json], bytes], ByNoise]]]
] = {
    "allocated": (("sigma",), _read_allocated),
    "factorization": (("participation", "sigma"), _read_factorized),
    "constraints": ((), _read_constraints),
    "fixed_size": (("sigma",), _read_fixed_size),
    "renyi": ((), _read_divergences),
    "selection": ((), _read_selection),
    "shuffled": (("sigma",), _read_shuffled),
    "shuffled_reports": ((), _read_shuffled_reports),
}
"""What has no rate beside it, with its further keys."""

_READERS: Final[Mapping[str, Callable[[Json], _Read]]] = {
    "bounded_range": _read_range,
    **{key: partial(_read_on_integers, family) for key, family in ON_INTEGERS.items()},
    "laplace": _read_laplace,
    **{key: partial(_read_normal, key) for key in _GAUSSIAN},
    "pair": _read_pair,
}
