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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, cast

from gmpy2 import mpq, mpz

from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.checks import (
    Source,
    checked_places,
    checked_reading,
    checked_source,
    delta_of_claim,
    listed_mechanisms,
    member,
    number_text,
    rate_of_claim,
)
from exactdp.mechanisms import (
    FAMILIES,
    ZERO_OUT,
    ConcentratedMechanism,
    Entry,
    Family,
    GaussianMechanism,
    Mechanism,
    Parametric,
)
from exactdp.mechanisms.checks import checked_epsilon, checked_text
from exactdp.mechanisms.family import GivenBy, given_together_by
from exactdp.readable import Readable

NEIGHBOURING: Final = ("add-remove-one", "replace-one", "zero-out", "unspecified")
INTERACTION: Final = ("adaptive", "concurrent")
_CLAIMED: Final = ("epsilon", "rho", "mu", "tpr", "success")
BASES: Final = ("composition", "amplification", "finer-structure")


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
        fpr: a rate of false positives of an attack on membership, at which ``tpr`` is claimed.
        tpr: the rate of true positives that no attack exceeds there.
        prior: a probability of membership before an attack, at which ``success`` is claimed.
        success: the probability of a right guess that no attack exceeds there.
        places: the decimal places to which the publisher rounded the claimed number; None if it
            is claimed as it stands.
    """

    epsilon: ExactNumber | None
    delta: mpq | None
    basis: str
    source: str
    rho: str | None = None
    mu: str | None = None
    fpr: mpq | None = None
    tpr: mpq | None = None
    prior: mpq | None = None
    success: mpq | None = None
    places: int | None = None

    def __post_init__(self) -> None:
        """Check and normalise."""
        self._check_attack()
        claimed = [name for name in _CLAIMED if getattr(self, name) is not None]
        if len(claimed) != 1:
            raise InputError(
                field="epsilon" if not claimed else claimed[-1],
                value=f"beside {claimed[0]}" if claimed else "nothing",
                expected="a claim of epsilon, rho or mu, or of tpr at fpr, or of success at prior",
                remedy="write one claim for each" if claimed else "",
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
        if self.places is not None:
            checked_places(self.places, self.number)

    def _check_attack(self) -> None:
        """Refuse a rate without the one it stands beside, and one that is none."""
        for at, claimed in (("fpr", "tpr"), ("prior", "success")):
            given = [name for name in (at, claimed) if getattr(self, name) is not None]
            if len(given) == 1:
                missing = claimed if given == [at] else at
                raise InputError(
                    field=missing, value="nothing", expected=f"{missing} beside {given[0]}"
                )
            for name in given:
                _set(self, name, rate_of_claim(getattr(self, name), name, is_open=name == at))

    @property
    def is_about_attacks(self) -> bool:
        """Whether it says what an attack on membership gains."""
        return self.tpr is not None or self.success is not None

    @property
    def number(self) -> ExactNumber:
        """The number that is claimed."""
        known = (getattr(self, name) for name in _CLAIMED)
        return as_number(next(each for each in known if each is not None), "claim")

    @property
    def within_rounding(self) -> Claim:
        """The weakest claim that is rounded to this one, which is what the publisher states."""
        if self.places is None:
            return self
        half = mpq(1, 2 * mpz(10) ** self.places)
        most, plain = self.number + ExactNumber(half), replace(self, places=None)
        if self.epsilon is not None:
            return replace(plain, epsilon=most)
        if self.rho is not None:
            return replace(plain, rho=str(most))
        if self.mu is not None:
            return replace(plain, mu=str(most))
        rate = min(most.rational, mpq(1))
        return replace(plain, tpr=rate) if self.tpr is not None else replace(plain, success=rate)


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
        reading: what a reader of a table made of it, such as what it did not read.
        empty: whether there are meant to be no mechanisms.
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
    reading: tuple[str, ...] = ()
    empty: bool = False

    def __post_init__(self) -> None:
        """Check and normalise."""
        _set(self, "mechanisms", tuple(map(checked_entry, listed_mechanisms(self.mechanisms))))
        _set(self, "claims", tuple(map(_checked_claim, self.claims)))
        member(self.neighbouring, "neighbouring", NEIGHBOURING)
        member(self.interaction, "interaction", INTERACTION)
        self._check_noise()
        for field in ("name", "unit_of_privacy", "notes"):
            checked_text(getattr(self, field), field)
        _set(self, "source", checked_source(self.source))
        _set(self, "reading", checked_reading(self.reading))
        _set(self, "empty", self.empty is True and not self.mechanisms)
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
        target_delta: Number | None = None,
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
        for index, value in enumerate(listed_mechanisms(mechanisms)):
            try:
                entries.append(_mechanism(value))
            except InputError as error:
                raise _counted_apart(error, value).located(f"mechanisms[{index}]") from None
        delta = None if target_delta is None else as_rational(target_delta, "target_delta")
        return Ledger(
            tuple(entries),
            name=name,
            neighbouring=neighbouring,
            interaction=interaction,
            target_delta=delta,
        )

    def said_of_source(self, key: str) -> str:
        """What the source says under ``key``; "" if it says nothing there, or is a text alone."""
        return dict(self.source).get(key, "") if isinstance(self.source, tuple) else ""

    @property
    def unprotected_quantities(self) -> str:
        """What the release uses of the data without protection, as its source says; or ""."""
        return self.said_of_source("unprotected_quantities")

    @property
    def size(self) -> int:
        """The number of mechanisms: the sum of the counts."""
        return sum(mechanism.count for mechanism in self.mechanisms)

    @property
    def given_by(self) -> GivenBy:
        """What says all of the mechanisms: (ε, δ) if it does of each, noise if it must of one."""
        return given_together_by(self.mechanisms)

    @property
    def pairs(self) -> tuple[Mechanism, ...]:
        """The mechanisms that are given by (ε, δ)."""
        return tuple(each for each in self.mechanisms if isinstance(each, Mechanism))

    def parametric(self) -> tuple[Parametric, ...]:
        """The mechanisms, if every one is given by (ε, δ), ρ or μ.

        Raises:
            UnsupportedError: one is given by its noise.
        """
        entries: list[Parametric] = []
        for index, entry in enumerate(self.mechanisms):
            if not isinstance(entry, Mechanism | ConcentratedMechanism | GaussianMechanism):
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
            elif entry.rho_estimate():
                raise _not_approximate(entry, index)
            else:
                pairs.append(Mechanism(0, 0, entry.count, entry.label))
        return tuple(pairs)

    def _check_noise(self) -> None:
        """See that neighbours are of sampling and shuffling, zeroed out beside batches alone."""
        relations = []
        for index, each in enumerate(self.mechanisms):
            if each.neighbours:
                relations.append(each.neighbours)
                if error := each.refused(self.neighbouring):
                    raise error.located(f"mechanisms[{index}].{error.field}")
        batched = any(each.IS_IN_BATCHES for each in self.mechanisms)
        listed = relations[0] if relations else NEIGHBOURING
        known = [name for name in listed if batched or name != ZERO_OUT]
        allowed = [name for name in known if all(name in each for each in relations)]
        if allowed and relations and self.neighbouring == "unspecified":
            _set(self, "neighbouring", allowed[0])
        if self.neighbouring not in allowed:
            raise UnsupportedError(
                field="neighbouring",
                value=self.neighbouring,
                expected=f"{' or '.join(allowed)}, for these mechanisms"
                if allowed
                else "mechanisms that have a neighbouring relation in common",
                remedy="records shuffled into batches are zeroed out or replaced, those allocated "
                "to batches added, removed or zeroed out, those sampled at a rate added, removed, "
                "or replaced beside a clip or a range: compose others apart",
            )

    def __iter__(self) -> Iterator[Entry]:
        """The mechanisms as written; counts are not expanded."""
        return iter(self.mechanisms)


_set = object.__setattr__


def checked_entry(value: object) -> Entry:
    """A mechanism of a class that the engines know.

    A subclass is not known either: nobody but its author can say what its noise does.

    Raises:
        InputError: it is of another class.
    """
    if type(value) in FAMILIES:
        entry: Entry = value  # type: ignore[assignment] # its class is one of them
        return entry
    name = type(value).__name__
    bases = [each.__name__ for each in type(value).__mro__ if each in FAMILIES]
    cure = f"pass a {bases[0]} itself" if bases else "Ledger.of takes tuples and texts"
    if isinstance(value, Family) and not bases:
        cure = (
            f"no engine knows the noise of {name}: give its epsilon and delta (Mechanism), its "
            "rho (ConcentratedMechanism), its Rényi divergences (RenyiMechanism), or its answers "
            "written out (PairMechanism)"
        )
    raise InputError(
        field="mechanisms",
        value=name,
        expected=f"objects of class {' or '.join(sorted(each.__name__ for each in FAMILIES))}",
        remedy=cure,
    )


def _checked_claim(value: object) -> Claim:
    if type(value) is Claim:
        return value
    raise InputError(field="claims", value=type(value).__name__, expected="objects of class Claim")


def _counted_apart(error: InputError, value: object) -> InputError:
    """The error, with how a list says what -m says by a last ``*COUNT``."""
    epsilon, times, count = value.rpartition("*") if isinstance(value, str) else ("", "", "")
    if not times or not count.strip().isdecimal():
        return error
    return InputError(
        field=error.field,
        value=error.value,
        expected="an ε, or a tuple (ε, δ, count)",
        remedy=f'("{epsilon.strip()}", 0, {count.strip()}) is {count.strip()} such mechanisms',
    )


def _mechanism(value: object) -> Entry:
    if isinstance(value, Family):
        return checked_entry(value)
    if isinstance(value, tuple | list):
        if 1 <= len(value) <= 4 and not hasattr(value, "_fields"):
            return Mechanism(*value)
        raise InputError(
            field="mechanism",
            value=value,
            expected="(epsilon, delta), (epsilon, delta, count) or (epsilon, delta, count, label)",
            remedy="rows by name are a list of them, or a table"
            if hasattr(value, "_fields")
            else "",
        )
    return Mechanism(cast("Number", value))  # which refuses whatever is no number


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


def _not_parametric(entry: Entry, index: int) -> UnsupportedError:
    family = entry.name
    return UnsupportedError(
        field=family,
        value="rate" if "rate" in entry.shape() else family,
        path=f"mechanisms[{index}].{family}",
        expected="mechanisms given by epsilon and delta, rho or mu",
        remedy="compose, profile, certify, bounds, budget and crosscheck answer for noise",
    )
