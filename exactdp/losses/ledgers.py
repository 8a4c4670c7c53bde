r"""What the entries of a statement are by their noise: laws with their counts, for each bound.

Rules of this file: the order is that of ``certs/SPEC.md``, section 13.2: randomized responses,
Gaussian noise without sampling as one, and the other entries as they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.noise_subject import NoiseSubject
from exactdp.errors import InternalError
from exactdp.losses.divergences import ByOrders
from exactdp.losses.laws import (
    Cut,
    DiscreteNormal,
    EitherWay,
    GeneralizedResponse,
    Geometric,
    NoiseLaw,
    Normal,
    OutputTable,
    Range,
    Response,
    SampledCurve,
    SampledCut,
    SampledTable,
    TwoSided,
    WrittenLaws,
)
from exactdp.losses.replaced import (
    ReplacedLaplace,
    ReplacedNormal,
    ReplacedTable,
    SumNoise,
    replaced,
)
from exactdp.losses.shuffled import REACHES, Maximum

CountedLaw = tuple[NoiseLaw, int]
"""A law, and how many mechanisms have it."""


_SUMS: Final = ("laplace", "discrete_laplace", "discrete_gaussian")
_SAMPLED: Final = (*_SUMS, "mu", "bounded_range", "pair")
_FAMILIES: Final = ("epsilon", "rho", "renyi", "shuffled", "sigma", *_SAMPLED)
_CLIPPED: Final = frozenset(frozenset({each, "clip", "rate"}) for each in ("sigma", *_SUMS))
_SHAPES: Final = frozenset(
    {
        frozenset({"epsilon", "delta"}),
        frozenset({"rho"}),
        frozenset({"renyi"}),
        frozenset({"shuffled", "sigma"}),
        *(frozenset({each}) for each in _SAMPLED),
        *(frozenset({each, "rate"}) for each in _SAMPLED),
        *_CLIPPED,
    }
)
"""What a mechanism may say of itself: all else is unknown, and an error."""


@dataclass(frozen=True)
class Laws:
    """The laws of a subject."""

    subject: NoiseSubject

    def __post_init__(self) -> None:
        """See that every mechanism is of a known family, for no other would count at all.

        Raises:
            InternalError: one is not.
        """
        for shape, _ in self.subject.mechanisms:
            keys = frozenset(shape)
            if keys not in _SHAPES or (keys in _CLIPPED and not self.replaced):
                raise InternalError(
                    field="mechanism",
                    value=" and ".join(sorted(shape)) or "nothing",
                    expected=f"exactly one of {', '.join(_FAMILIES)}, with what belongs to it, and "
                    "a clip where a sampled record is replaced alone",
                )

    @cached_property
    def failures(self) -> tuple[tuple[mpq, int], ...]:
        """The δ_i above 0, with their counts."""
        found = [(mpq(str(shape["delta"])), count) for shape, count in self._of("epsilon")]
        return tuple((delta, count) for delta, count in found if delta)

    @cached_property
    def square(self) -> mpq:
        """Σμ² of Gaussian noise without sampling."""
        return sum((count * mpq(str(s["mu"])) ** 2 for s, count in self._of("mu")), mpq(0))

    @cached_property
    def rho(self) -> mpq:
        """Σρ."""
        return sum((count * mpq(str(s["rho"])) for s, count in self._of("rho")), mpq(0))

    @cached_property
    def told(self) -> mpq:
        """Σμ² of shuffled batches, for someone who is told the batch."""
        reach = REACHES.get(self.subject.neighbouring, 0)
        return sum(
            (
                mpq(count * reach**2 * int(str(_parts(s["shuffled"])["epochs"])))
                / mpq(str(s["sigma"])) ** 2
                for s, count in self._of("shuffled")
            ),
            mpq(0),
        )

    @property
    def shuffled(self) -> bool:
        """Whether some mechanism shuffles records into batches."""
        return any("shuffled" in shape for shape, _ in self.subject.mechanisms)

    @property
    def apart(self) -> bool:
        """Whether the ends need not meet, however fine the mesh is."""
        return bool(self.ranged or self.rho or self.listed or self.shuffled)

    @property
    def replaced(self) -> bool:
        """Whether a record gives way to another."""
        return self.subject.neighbouring == "replace-one"

    @property
    def gives_way(self) -> bool:
        """Whether some mechanism is of bounded range, on a sample of which a record is replaced."""
        shapes = (shape for shape, _ in self.subject.mechanisms)
        return self.replaced and any("bounded_range" in each and "rate" in each for each in shapes)

    @property
    def converts(self) -> bool:
        """Whether the divergences of one order may say more than profiles do."""
        return bool(self.ranged or self.by_orders) and self.diverges_little

    @cached_property
    def diverges_little(self) -> bool:
        """Whether every mechanism has known, finite divergences.

        One-sided tables have not, nor samples of ranges and tables, nor any of which a record
        gives way to another.
        """
        return all(_diverges_little(law) for law, _ in self.known())

    @property
    def directed(self) -> bool:
        """Whether the two directions differ."""
        return not self.replaced and any(
            "rate" in shape or "pair" in shape for shape, _ in self.subject.mechanisms
        )

    def _of(self, key: str) -> Iterator[tuple[Mapping[str, object], int]]:
        """The entries of a notion."""
        for shape, count in self.subject.mechanisms:
            if key in shape and "rate" not in shape:
                yield shape, count

    def above(self) -> tuple[CountedLaw, ...]:
        """What dominates the mechanisms: those by ρ and lists of divergences as one, the last."""
        return (*self.known(), *([(self.divergent, 1)] if self.by_orders else ()))

    @cached_property
    def divergent(self) -> ByOrders:
        """What the mechanisms by ρ and lists of divergences are together."""
        return ByOrders.of(self.rho, self.listed)

    def known(self) -> tuple[CountedLaw, ...]:
        """What dominates the mechanisms but for those by ρ and lists of divergences."""
        return self._known

    @cached_property
    def _known(self) -> tuple[CountedLaw, ...]:
        return (*self._others(self.square + self.told), *self._noisy(None))

    @cached_property
    def listed(self) -> tuple[tuple[tuple[tuple[mpq, mpq], ...], int], ...]:
        """The lists of orders with their divergences, and their counts."""
        return tuple(
            (tuple((mpq(str(a)), mpq(str(b))) for a, b in map(_list, _list(shape["renyi"]))), count)
            for shape, count in self._of("renyi")
        )

    @property
    def orders(self) -> tuple[mpq, ...]:
        """The orders that are worth looking at where divergences are listed."""
        most = min((orders[-1][0] for orders, _ in self.listed), default=mpq(0))
        return tuple(sorted({a for orders, _ in self.listed for a, _ in orders if a <= most}))

    @property
    def by_orders(self) -> bool:
        """Whether some mechanism has no profile, but Rényi divergences: by ρ, or a list of them."""
        return bool(self.rho or self.listed)

    def below(self, tilt: mpq) -> tuple[CountedLaw, ...]:
        """What some of the mechanisms have; with ρ that of Gaussian noise."""
        others = self._others(self.square + 2 * self.rho)
        return (*others, *self._noisy(tilt), *self._maxima())

    def _maxima(self) -> Iterator[CountedLaw]:
        """The greatest sum of each epoch of shuffled batches, on the worst data."""
        for shape, count in self._of("shuffled"):
            plan, variance = _parts(shape["shuffled"]), mpq(str(shape["sigma"])) ** 2
            epochs, batches = int(str(plan["epochs"])), int(str(plan["batches"]))
            if plan["order"] == "persistent":
                variance, epochs = variance / epochs, 1
            yield Maximum.of(variance, batches, self.subject.neighbouring), count * epochs

    @property
    def sampled(self) -> bool:
        """Whether some mechanism is run on a sample."""
        return any("rate" in shape for shape, _ in self.subject.mechanisms)

    @property
    def ranged(self) -> bool:
        """Whether some mechanism is known by its range alone."""
        return any("bounded_range" in shape for shape, _ in self.subject.mechanisms)

    def _others(self, square: mpq) -> Iterator[CountedLaw]:
        groups: Counter[str] = Counter()
        for shape, count in self._of("epsilon"):
            if sign(ExactNumber.parse(str(shape["epsilon"]))) > 0:
                groups[str(shape["epsilon"])] += count
        for text in sorted(groups):
            yield Response(ExactNumber.parse(text)), groups[text]
        if square:
            yield Normal(square), 1

    def _noisy(self, tilt: mpq | None) -> Iterator[CountedLaw]:
        for shape, count in self.subject.mechanisms:
            rate = mpq(str(shape.get("rate", "1")))
            if "clip" in shape:
                yield _clipped(shape, rate), count
                continue
            for law, times in _laws_of(shape):
                pair = law
                if tilt is not None and isinstance(law, Range):
                    pair = GeneralizedResponse(law.epsilon, tilt * law.epsilon)
                sampled = _sampled(pair, rate)
                replaced = tilt is None and rate < 1 and self.replaced
                yield _either_way(sampled) if replaced else sampled, times * count

    def allowed(self, delta: mpq) -> arb:
        """Δ, at the precision of the context."""
        logs = [count * (ball_of_rational(1 - failure)).log() for failure, count in self.failures]
        if not logs:
            return ball_of_rational(delta)
        return 1 - ball_of_rational(1 - delta) * (-sum(logs, arb(0))).exp()


def _laws_of(shape: Mapping[str, object]) -> Iterator[tuple[NoiseLaw, int]]:
    """The laws of one mechanism without sampling; none for those given by ε, μ or ρ."""
    if "mu" in shape and "rate" in shape:
        yield Normal(mpq(str(shape["mu"])) ** 2), 1
    if "laplace" in shape:
        parts = _parts(shape["laplace"])
        yield TwoSided(mpq(str(parts["sensitivity"])) / mpq(str(parts["scale"]))), 1
    if "bounded_range" in shape:
        yield Range(mpq(str(shape["bounded_range"]))), 1
    if "discrete_laplace" in shape:
        parts = _parts(shape["discrete_laplace"])
        for shift, times in _shifts(parts):
            yield Geometric(mpq(str(parts["scale"])), shift), times
    if "discrete_gaussian" in shape:
        parts = _parts(shape["discrete_gaussian"])
        for shift, times in _shifts(parts):
            yield DiscreteNormal(mpq(str(parts["variance"])), shift), times
    if "pair" in shape:
        parts = _parts(shape["pair"])
        p, q = (tuple(mpq(str(each)) for each in _list(parts[key])) for key in ("p", "q"))
        yield WrittenLaws(p, q), 1


def _clipped(shape: Mapping[str, object], rate: mpq) -> NoiseLaw:
    """What noise on a sum is where a record is sampled, or another in its place."""
    clip = mpq(str(shape["clip"]))
    law: SumNoise
    if "sigma" in shape:
        law = Normal((clip / mpq(str(shape["sigma"]))) ** 2)
    elif "laplace" in shape:
        law = TwoSided(clip / mpq(str(_parts(shape["laplace"])["scale"])))
    elif "discrete_laplace" in shape:
        law = Geometric(mpq(str(_parts(shape["discrete_laplace"])["scale"])), int(clip))
    else:
        law = DiscreteNormal(mpq(str(_parts(shape["discrete_gaussian"])["variance"])), int(clip))
    return replaced(law, rate)


def _sampled(law: NoiseLaw, rate: mpq) -> NoiseLaw:
    if rate == 1:
        return law
    if isinstance(law, OutputTable):
        return SampledTable(law, rate)
    return SampledCut(law, rate) if isinstance(law, Cut) else SampledCurve(law, rate)


def _either_way(law: NoiseLaw) -> EitherWay:
    """What dominates a sampled mechanism where a record gives way to another.

    Raises:
        InternalError: its outputs are listed.
    """
    if isinstance(law, OutputTable):
        raise InternalError(
            field="law", value=type(law).__name__, expected="a curve, where a record is replaced"
        )
    return EitherWay(law)


def _diverges_little(law: NoiseLaw) -> bool:
    match law:
        case WrittenLaws():
            return not law.one_sided
        case SampledCut(curve=base) | SampledTable(table=base):
            return isinstance(base, Normal | TwoSided | Geometric | DiscreteNormal)
        case SampledCurve() | EitherWay() | ReplacedNormal() | ReplacedLaplace() | ReplacedTable():
            return False
        case Response() | Normal() | TwoSided() | Range() | Geometric() | DiscreteNormal():
            return True
        case _:
            raise InternalError(
                field="law",
                value=type(law).__name__,
                expected="a law of which it is known whether its divergences are finite",
            )


def _shifts(parts: Mapping[str, object]) -> list[tuple[int, int]]:
    return sorted(Counter(int(str(shift)) for shift in _list(parts["shifts"])).items())


def _parts(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InternalError(field="mechanism", value=type(value).__name__, expected="an object")
    return value


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, Sequence):
        raise InternalError(field="mechanism", value=type(value).__name__, expected="a list")
    return value
