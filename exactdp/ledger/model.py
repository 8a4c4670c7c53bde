r"""The model: mechanisms, published claims, and the ledger that holds both.

Purpose: what every reader produces, every writer prints and every engine composes.

Rules of this file: values are frozen and valid once they exist; numbers are exact, a float is
refused at the door; a count is kept as a count, so that 10^18 mechanisms are as small as one; text
that no format could hold (NUL, lone surrogates) is refused here, so that writing cannot fail.

Theory of operation: the parameters are fixed in advance and mean what Murtagh & Vadhan (Theory of
Computing 14(8), 2018, Definition 1.1) mean by an (ε, δ)-differentially private mechanism, with ε
in nats; ρ is that of zero-concentrated DP (Bun & Steinke, TCC 2016, Definition 1.1), μ that of
Gaussian DP (Dong, Roth & Su, JRSS B 84, 2022, Definition 4). Order and labels say nothing about
privacy; engines merge equal parameters themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError, shorten
from exactdp.ledger.checks import (
    checked_count,
    checked_epsilon,
    checked_text,
    delta_of_claim,
    delta_of_mechanism,
    member,
    not_negative,
    number_text,
)
from exactdp.readable import Readable

if TYPE_CHECKING:
    from gmpy2 import mpq

NEIGHBOURING: Final = ("add-remove-one", "replace-one", "zero-out", "unspecified")
ZERO_OUT: Final = "zero-out"
INTERACTION: Final = ("adaptive", "concurrent")
BASES: Final = ("composition", "amplification", "finer-structure")

Source = str | tuple[tuple[str, str], ...]
_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, init=False)
class Mechanism:
    r"""An (ε, δ)-differentially private mechanism, ``count`` times.

    The constructor takes whatever :func:`exactdp.arithmetic.numbers.as_number` takes.

    Attributes:
        epsilon: ε >= 0, in nats.
        delta: 0 <= δ < 1, rational.
        count: how many such mechanisms, an integer from 1 to 10^18.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> Mechanism("0.1", "1e-9", 3).epsilon
    ExactNumber(rational=mpq(1,10), logs=())
    """

    epsilon: ExactNumber
    delta: mpq
    count: int
    label: str

    def __init__(self, epsilon: object, delta: object = 0, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "epsilon", checked_epsilon(epsilon))
        _set(self, "delta", delta_of_mechanism(as_rational(delta, "delta")))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))


@dataclass(frozen=True, slots=True, init=False)
class ConcentratedMechanism:
    r"""A ρ-zero-concentrated differentially private mechanism, ``count`` times.

    Attributes:
        rho: ρ >= 0, rational.
        count: as for :class:`Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> ConcentratedMechanism("1/8").rho
    mpq(1,8)
    """

    rho: mpq
    count: int
    label: str

    def __init__(self, rho: object, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "rho", not_negative(as_rational(rho, "rho"), "rho"))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))


@dataclass(frozen=True, slots=True, init=False)
class GaussianMechanism:
    r"""A μ-Gaussian differentially private mechanism, ``count`` times.

    Gaussian noise of standard deviation σ on a query of L2 sensitivity s has μ = s/σ.

    Attributes:
        mu: μ >= 0, rational.
        count: as for :class:`Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> GaussianMechanism.of_noise(sigma="2", sensitivity="1").mu
    mpq(1,2)
    """

    mu: mpq
    count: int
    label: str

    def __init__(self, mu: object, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        _set(self, "mu", not_negative(as_rational(mu, "mu"), "mu"))
        _set(self, "count", checked_count(count))
        _set(self, "label", checked_text(label, "label"))

    @staticmethod
    def of_noise(
        sigma: object, sensitivity: object, count: int = 1, label: str = ""
    ) -> GaussianMechanism:
        """The mechanism that adds noise of standard deviation ``sigma`` > 0."""
        deviation = as_rational(sigma, "sigma")
        if deviation <= 0:
            raise DomainError(
                field="sigma", value=str(deviation), expected="a rational number above 0"
            )
        reach = not_negative(as_rational(sensitivity, "sensitivity"), "sensitivity")
        return GaussianMechanism(reach / deviation, count, label)


NoiseShape = dict[str, Any]
"""A mechanism as ``exactdp-ledger/1`` has it: nested, its leaves rationals, integers and names."""


class NoiseMechanism(ABC):
    """A mechanism given by its noise, ``count`` times: see :mod:`exactdp.ledger.noise`."""

    __slots__ = ()
    count: int
    label: str

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The neighbouring relations that it is about, the likeliest first; empty for all."""
        return ()

    def refused(self, _neighbouring: str) -> UnsupportedError | None:
        """The error, if the mechanism does not say enough between such neighbours."""
        return None

    @abstractmethod
    def shape(self) -> NoiseShape:
        """How the format writes it, without count and label."""


Parametric = Mechanism | ConcentratedMechanism | GaussianMechanism
"""A mechanism with its parameters in one of three notions."""

Entry = Parametric | NoiseMechanism
"""What a ledger holds."""


@dataclass(frozen=True, slots=True)
class Claim:
    r"""A published statement about the whole ledger, to be judged on its own basis.

    Attributes:
        epsilon: the claimed ε, or None where the claim states none.
        delta: the δ at which ε is claimed, or None where the claim states none.
        basis: what the claim rests on. ``composition``: it should follow from the ledger's
            parameters; ``amplification``: on amplification by sampling or shuffling;
            ``finer-structure``: on more about the mechanisms than (ε, δ) says.
        source: who claims it, where.
        rho: a claimed ρ of zCDP, as the text of a number, or None.
        mu: a claimed μ of Gaussian DP, as the text of a number, or None.
    """

    epsilon: ExactNumber | None
    delta: mpq | None
    basis: str
    source: str
    rho: str | None = None
    mu: str | None = None

    def __post_init__(self) -> None:
        """Check and normalise."""
        if self.epsilon is None and self.rho is None and self.mu is None:
            raise InputError(
                field="epsilon", value="nothing", expected="a claim of epsilon, rho or mu"
            )
        if self.epsilon is not None:
            _set(self, "epsilon", checked_epsilon(self.epsilon))
        if self.delta is not None:
            _set(self, "delta", delta_of_claim(as_rational(self.delta, "delta"), "delta"))
        for field in ("rho", "mu"):
            if (text := getattr(self, field)) is not None:
                _set(self, field, number_text(text, field))
        member(self.basis, "basis", BASES)
        checked_text(self.source, "source")


@dataclass(frozen=True, slots=True)
class Ledger(Readable):
    r"""Mechanisms with what is said about them.

    Attributes:
        mechanisms: in the order of the file; equal ones are not merged.
        name: a name for people.
        neighbouring: which inputs are neighbours, for all mechanisms alike.
        interaction: ``adaptive`` (one mechanism after the other) or ``concurrent``.
        unit_of_privacy: whom or what the parameters protect.
        target_delta: the δ at which to compose, unless the caller names another; or None.
        claims: published statements about the whole.
        source: where the parameters come from: text, or pairs (key, text) in the file's order.
            A mapping is accepted.
        notes: free text.
    """

    mechanisms: tuple[Entry, ...]
    name: str = ""
    neighbouring: str = "unspecified"
    interaction: str = "adaptive"
    unit_of_privacy: str = ""
    target_delta: mpq | None = None
    claims: tuple[Claim, ...] = ()
    source: Source = ""
    notes: str = ""

    def __post_init__(self) -> None:
        """Check and normalise."""
        _set(self, "mechanisms", _all_of(self.mechanisms, _ENTRIES, "mechanisms"))
        _set(self, "claims", _all_of(self.claims, (Claim,), "claims"))
        member(self.neighbouring, "neighbouring", NEIGHBOURING)
        member(self.interaction, "interaction", INTERACTION)
        self._check_noise()
        for field in ("name", "unit_of_privacy", "notes"):
            checked_text(getattr(self, field), field)
        _set(self, "source", _source(self.source))
        if self.target_delta is not None:
            delta = as_rational(self.target_delta, "target_delta")
            _set(self, "target_delta", delta_of_claim(delta, "target_delta"))

    def facts(self) -> list[tuple[str, str]]:
        """What the ledger is called, and how much is in it."""
        found = [
            ("ledger", self.name),
            ("mechanisms", str(self.size)),
            ("unit of privacy", self.unit_of_privacy),
            ("claims", str(len(self.claims) or "")),
        ]
        return [(name, text) for name, text in found if text]

    @staticmethod
    def of(
        mechanisms: Iterable[object],
        *,
        target_delta: object = None,
        neighbouring: str = "unspecified",
        interaction: str = "adaptive",
        name: str = "",
    ) -> Ledger:
        """A ledger of mechanisms, tuples (ε, δ) or (ε, δ, count) or (ε, δ, count, label), or ε.

        Raises:
            InputError: as for :class:`Mechanism`, placed at ``mechanisms[i]``.

        >>> Ledger.of([("0.1", "1e-9", 50), "ln(3)"]).size
        51
        """
        entries: list[Entry] = []
        for index, value in enumerate(mechanisms):
            try:
                entries.append(_mechanism(value))
            except InputError as error:
                raise error.located(f"mechanisms[{index}]") from None
        delta = None if target_delta is None else as_rational(target_delta, "target_delta")
        return Ledger(
            tuple(entries),
            name=name,
            neighbouring=neighbouring,
            interaction=interaction,
            target_delta=delta,
        )

    @property
    def size(self) -> int:
        """The number of mechanisms: the sum of the counts."""
        return sum(mechanism.count for mechanism in self.mechanisms)

    @property
    def is_approximate(self) -> bool:
        """Whether (ε, δ) says all: no mechanism is given by noise, or a ρ or μ above 0."""
        return all(
            isinstance(entry, Mechanism) or not (isinstance(entry, NoiseMechanism) or _size(entry))
            for entry in self.mechanisms
        )

    @property
    def is_noisy(self) -> bool:
        """Whether some mechanism is given by its noise."""
        return any(isinstance(entry, NoiseMechanism) for entry in self.mechanisms)

    def parametric(self) -> tuple[Parametric, ...]:
        """The mechanisms, if every one is given by (ε, δ), ρ or μ.

        Raises:
            UnsupportedError: one is given by its noise.
        """
        entries: list[Parametric] = []
        for index, entry in enumerate(self.mechanisms):
            if isinstance(entry, NoiseMechanism):
                raise _not_parametric(entry, index)
            entries.append(entry)
        return tuple(entries)

    def approximate(self) -> tuple[Mechanism, ...]:
        """The mechanisms, if every one is given by (ε, δ); a ρ or μ of 0 means (0, 0).

        Raises:
            UnsupportedError: one is given by ρ, μ or its noise.
        """
        pairs: list[Mechanism] = []
        for index, entry in enumerate(self.parametric()):
            if isinstance(entry, Mechanism):
                pairs.append(entry)
            elif _size(entry):
                raise _not_approximate(entry, index)
            else:
                pairs.append(Mechanism(0, 0, entry.count, entry.label))
        return tuple(pairs)

    def _check_noise(self) -> None:
        """See that neighbours are of sampling and shuffling, zeroed out beside batches alone."""
        relations = []
        for index, each in enumerate(self.mechanisms):
            if isinstance(each, NoiseMechanism) and each.neighbours:
                relations.append(each.neighbours)
                if error := each.refused(self.neighbouring):
                    raise error.located(f"mechanisms[{index}].{error.field}")
        shuffled = any(each[0] == ZERO_OUT for each in relations)
        listed = relations[0] if relations else NEIGHBOURING
        known = [name for name in listed if shuffled or name != ZERO_OUT]
        allowed = [name for name in known if all(name in each for each in relations)]
        if relations and self.neighbouring == "unspecified":
            _set(self, "neighbouring", allowed[0])
        if self.neighbouring not in allowed:
            raise UnsupportedError(
                field="neighbouring",
                value=self.neighbouring,
                expected=f"{' or '.join(allowed)}, for these mechanisms",
                remedy="records shuffled into batches are zeroed out or replaced, those sampled at "
                "a rate added, removed, or replaced beside a clip or a range: compose others apart",
            )

    def __iter__(self) -> Iterator[Entry]:
        """The mechanisms as written; counts are not expanded."""
        return iter(self.mechanisms)


_set = object.__setattr__
_ENTRIES: Final = (Mechanism, ConcentratedMechanism, GaussianMechanism, NoiseMechanism)


def _mechanism(value: object) -> Entry:
    if isinstance(value, _ENTRIES):
        return value
    if isinstance(value, tuple | list):
        if 1 <= len(value) <= 4:
            return Mechanism(*value)
        raise InputError(
            field="mechanism",
            value=value,
            expected="(epsilon, delta), (epsilon, delta, count) or (epsilon, delta, count, label)",
        )
    return Mechanism(value)


def _size(entry: ConcentratedMechanism | GaussianMechanism) -> mpq:
    return entry.rho if isinstance(entry, ConcentratedMechanism) else entry.mu


def _not_approximate(
    entry: ConcentratedMechanism | GaussianMechanism, index: int
) -> UnsupportedError:
    field = "rho" if isinstance(entry, ConcentratedMechanism) else "mu"
    return UnsupportedError(
        field=field,
        value=str(getattr(entry, field)),
        path=f"mechanisms[{index}].{field}",
        expected="mechanisms given by epsilon and delta alone",
        remedy="compose, profile, certify, bounds, budget, audit and crosscheck answer for rho "
        "and mu",
    )


def _not_parametric(entry: NoiseMechanism, index: int) -> UnsupportedError:
    family = next(iter(entry.shape()))
    return UnsupportedError(
        field=family,
        value="rate" if "rate" in entry.shape() else family,
        path=f"mechanisms[{index}].{family}",
        expected="mechanisms given by epsilon and delta, rho or mu",
        remedy="compose, profile, certify, bounds, budget and crosscheck answer for noise",
    )


def _all_of(values: Iterable[_Part], kinds: tuple[type, ...], field: str) -> tuple[_Part, ...]:
    entries = tuple(values)
    for value in entries:
        if not isinstance(value, kinds):
            raise InputError(
                field=field,
                value=type(value).__name__,
                expected=f"objects of class {' or '.join(kind.__name__ for kind in kinds)}",
                remedy="Ledger.of takes tuples and texts" if Mechanism in kinds else "",
            )
    return entries


def _source(value: object) -> Source:
    if isinstance(value, Mapping):
        value = tuple(value.items())
    if not isinstance(value, tuple):
        return checked_text(value, "source")
    return tuple(
        (checked_text(key, "source"), checked_text(text, f"source.{shorten(key)}"))
        for key, text in value
    )
