r"""Charges: what a mechanism counts against a budget.

Rules of this file: a charge is at least what the theorem of the budget says; what no theorem
counts is refused with the reason. A parameter that is no rational (an ε of ln 3, the ε of a sample)
is rounded up.

Theory of operation: a spend is given by parameters of a notion, or by a mechanism, which stands for
such parameters:

- (ε, δ) counts as ε, as ρ = ε²/2 (Bun & Steinke, TCC 2016-B), as a Rényi divergence of at most
  min(ε, αε²/2); μ-GDP as ρ = μ²/2; bounded range ε as ρ = ε²/8 (Cesar & Rogers, ALT 2021, Lemmas
  3.2 and 3.4 of arXiv:2004.07223); ρ as αρ at order α;
- ``laplace`` with scale b and sensitivity s is (s/b, 0)-DP, ``discrete_laplace``
  (Σ shifts/scale, 0)-DP, ``discrete_gaussian`` ρ-zCDP for ρ = Σ shifts²/(2·variance) (Canonne,
  Kamath & Steinke, NeurIPS 2020); ``sigma`` is Gaussian noise with μ = sensitivity/σ;
- ``rate`` q, Poisson sampling, takes ε to ln(1 + q·(e^ε − 1)) (Balle, Barthe & Gaboardi, NeurIPS
  2018, Theorem 8), for pure mechanisms whose neighbours differ by one row, added or removed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals
from exactdp.arithmetic.enclosures import ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.mechanisms.entries import DEFAULTS
from exactdp.spending.budget import ZERO, Budget, Charge

_PLACES: Final = 30
_BITS: Final = 256
_MOST_EPSILON: Final = 10**4
_MOST_COUNT: Final = 10**18
_MOST_SHIFTS: Final = 1000
_SHARED: Final = ("count", "rate")

SpendEntry = dict[str, object]


@dataclass(frozen=True, slots=True)
class Loss:
    """What is known of a mechanism: at most these, None where nothing follows.

    Attributes:
        what: the mechanism in words.
        epsilon: a pure ε.
        rho: a ρ.
        mu: a μ.
        orders: bounds of Rényi divergences, by their orders.
        delta: with what probability none of that holds.
    """

    what: str
    epsilon: mpq | None = None
    rho: mpq | None = None
    mu: mpq | None = None
    orders: Sequence[tuple[mpq, mpq]] = ()
    delta: mpq = ZERO


@dataclass(frozen=True, slots=True)
class Spend:
    """A spend as it was asked for.

    Attributes:
        document: its parameters in canonical texts.
        loss: what is known of one such mechanism.
        count: how many there are.
        sampled: whether the mechanisms see a sample.
    """

    document: SpendEntry
    loss: Loss
    count: int
    sampled: bool = False

    def charge(self, budget: Budget, neighbouring: str) -> Charge:
        """What it counts against a budget.

        Raises:
            UnsupportedError: no theorem counts it.
        """
        if self.sampled and neighbouring != "add-remove-one":
            raise UnsupportedError(
                field="rate",
                value=f"{neighbouring} neighbours",
                expected="a log about neighbours that differ by one row, added or removed",
                remedy="say so when the log is made: --neighbouring add-remove-one",
            )
        return Charge(
            _SIZES[budget.kind](self.loss, budget) * self.count, self.loss.delta * self.count
        )


# --- what a budget counts -----------------------------------------------------------------------


def _as_epsilon(loss: Loss, _budget: Budget) -> mpq:
    if loss.epsilon is None:
        raise _uncounted(loss, "epsilon", "it has no ε without a δ; a budget of rho counts it")
    return loss.epsilon


def _as_rho(loss: Loss, _budget: Budget) -> mpq:
    known = [] if loss.rho is None else [loss.rho]
    known += [] if loss.mu is None else [loss.mu**2 / 2]
    known += [] if loss.epsilon is None else [loss.epsilon**2 / 2]
    if not known:
        raise _uncounted(
            loss, "rho", "divergences of some orders bound no ρ; a budget of renyi does"
        )
    return min(known)


def _as_divergence(loss: Loss, budget: Budget) -> mpq:
    alpha = mpq(0) if budget.alpha is None else budget.alpha
    known = [divergence for order, divergence in loss.orders if order >= alpha]
    known += [] if loss.epsilon is None else [loss.epsilon]
    if (loss.rho, loss.mu, loss.epsilon) != (None, None, None):
        known.append(alpha * _as_rho(loss, budget))
    if not known:
        raise _uncounted(loss, "renyi", f"none of its orders is {alpha} or above")
    return min(known)


def _as_square(loss: Loss, _budget: Budget) -> mpq:
    if loss.mu is not None:
        return loss.mu**2
    if loss.epsilon == 0:
        return mpq(0)
    raise _uncounted(
        loss, "mu", "a budget of mu counts Gaussian mechanisms alone; a budget of rho counts it"
    )


_SIZES: Final[dict[str, Callable[[Loss, Budget], mpq]]] = {
    "epsilon": _as_epsilon,
    "rho": _as_rho,
    "renyi": _as_divergence,
    "mu": _as_square,
}


def _uncounted(loss: Loss, kind: str, reason: str) -> UnsupportedError:
    return UnsupportedError(
        field="spend",
        value=loss.what,
        expected=f"what a budget of {kind} can count",
        remedy=reason,
        code="not-counted",
    )


# --- what a spend says --------------------------------------------------------------------------


def spend_of(parameters: Mapping[str, object]) -> Spend:
    """The spend with these parameters.

    Raises:
        InputError: they are not those of one notion or mechanism.

    >>> spend_of({"laplace": {"scale": "2", "sensitivity": "1"}}).loss.epsilon
    mpq(1,2)
    """
    given = [key for key in parameters if key in _READERS]
    if len(given) != 1:
        raise InputError(
            field="spend",
            value=", ".join(given) or "nothing",
            expected=f"exactly one of {', '.join(_READERS)}",
        )
    allowed, read = _READERS[given[0]]
    for key in parameters:
        if key not in (given[0], *allowed, *_SHARED):
            raise InputError(field=key, value="given", expected=f"no {key} beside {given[0]}")
    document, loss = read(parameters)
    count = _count(parameters.get("count", 1))
    if count != 1:
        document["count"] = str(count)
    if "rate" not in parameters:
        return Spend(document, loss, count)
    rate = _number(parameters["rate"], "rate")
    if rate > 1:
        raise DomainError(field="rate", value=str(rate), expected="a rational from 0 to 1")
    return Spend({**document, "rate": str(rate)}, _sampled(loss, rate), count, sampled=True)


Read = tuple[SpendEntry, Loss]


def _pair(parts: Mapping[str, object]) -> Read:
    epsilon = as_number(parts["epsilon"], "epsilon")
    if sign(epsilon) < 0:
        raise DomainError(field="epsilon", value=str(epsilon), expected="a number at least 0")
    size = epsilon.rational if epsilon.is_rational else enclose_in_decimals(epsilon, _PLACES)[1]
    delta = _delta(parts)
    return (
        {"epsilon": str(epsilon), "delta": str(delta)},
        Loss(f"an ε of {epsilon}", epsilon=size, delta=delta),
    )


def _concentrated(parts: Mapping[str, object]) -> Read:
    rho, delta = _number(parts["rho"], "rho"), _delta(parts)
    document: SpendEntry = {"rho": str(rho), **({"delta": str(delta)} if delta else {})}
    return document, Loss(f"a ρ of {rho}", rho=rho, delta=delta)


def _gaussian(parts: Mapping[str, object]) -> Read:
    mu = _number(parts["mu"], "mu")
    return {"mu": str(mu)}, Loss(f"a μ of {mu}", mu=mu)


def _noise(parts: Mapping[str, object]) -> Read:
    sigma, sensitivity = _noise_parts(parts, "sigma")
    return (
        {"sigma": str(sigma), "sensitivity": str(sensitivity)},
        Loss("Gaussian noise", mu=sensitivity / sigma),
    )


def _bounded_range(parts: Mapping[str, object]) -> Read:
    size = _number(parts["bounded_range"], "bounded_range")
    loss = Loss(f"a range of {size}", epsilon=size, rho=size**2 / 8)
    return {"bounded_range": str(size)}, loss


def _orders(parts: Mapping[str, object]) -> Read:
    listed = parts["renyi"]
    if not isinstance(listed, Sequence) or isinstance(listed, str) or not listed:
        raise InputError(
            field="renyi", value=str(listed), expected="pairs of an order and a divergence"
        )
    pairs = []
    for each in listed:
        if not isinstance(each, Sequence) or isinstance(each, str) or len(each) != 2:
            raise InputError(field="renyi", value=str(each), expected="an order and a divergence")
        order = _number(each[0], "alpha")
        if order <= 1:
            raise DomainError(field="alpha", value=str(order), expected="an order above 1")
        pairs.append((order, _number(each[1], "renyi")))
    pairs.sort()
    delta = _delta(parts)
    document: SpendEntry = {"renyi": [[str(order), str(size)] for order, size in pairs]}
    if delta:
        document["delta"] = str(delta)
    return document, Loss("Rényi divergences of some orders", orders=pairs, delta=delta)


def _laplace(parts: Mapping[str, object]) -> Read:
    own = _nested(parts, "laplace", ("scale", "sensitivity"))
    scale, sensitivity = _noise_parts(own, "scale")
    document: SpendEntry = {"laplace": {"scale": str(scale), "sensitivity": str(sensitivity)}}
    return document, Loss("Laplace noise", epsilon=sensitivity / scale)


def _discrete_laplace(parts: Mapping[str, object]) -> Read:
    own = _nested(parts, "discrete_laplace", ("scale", "shifts"))
    scale, shifts = _positive(own["scale"], "scale"), _shifts(own["shifts"])
    document: SpendEntry = {
        "discrete_laplace": {"scale": str(scale), "shifts": [str(shift) for shift in shifts]}
    }
    return document, Loss("discrete Laplace noise", epsilon=sum(shifts) / scale)


def _discrete_gaussian(parts: Mapping[str, object]) -> Read:
    own = _nested(parts, "discrete_gaussian", ("variance", "shifts"))
    variance, shifts = _positive(own["variance"], "variance"), _shifts(own["shifts"])
    document: SpendEntry = {
        "discrete_gaussian": {"variance": str(variance), "shifts": [str(s) for s in shifts]}
    }
    rho = sum(shift**2 for shift in shifts) / (2 * variance)
    return document, Loss("discrete Gaussian noise", rho=rho)


_READERS: Final[dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, object]], Read]]]] = {
    "epsilon": (("delta",), _pair),
    "rho": (("delta",), _concentrated),
    "mu": ((), _gaussian),
    "sigma": (("sensitivity",), _noise),
    "bounded_range": ((), _bounded_range),
    "renyi": (("delta",), _orders),
    "laplace": ((), _laplace),
    "discrete_laplace": ((), _discrete_laplace),
    "discrete_gaussian": ((), _discrete_gaussian),
}
"""The notions and mechanisms, with the further keys of each."""


def _sampled(loss: Loss, rate: mpq) -> Loss:
    """What is known of a pure mechanism that sees a Poisson sample."""
    if loss.epsilon is None or loss.delta:
        raise UnsupportedError(
            field="rate",
            value=loss.what,
            expected="a mechanism with a pure ε, whose sample a theorem of adaptive budgets counts",
            remedy="state the Rényi divergence of the whole step as renyi instead",
            code="not-counted",
        )
    if loss.epsilon > _MOST_EPSILON:
        raise DomainError(
            field="epsilon",
            value=str(loss.epsilon),
            expected=f"at most {_MOST_EPSILON} with a rate",
        )
    with precision(_BITS + 2 * int(loss.epsilon)):
        grown = (ball_of_rational(loss.epsilon).expm1() * ball_of_rational(rate)).log1p()
        epsilon = min(loss.epsilon, ceil_to(upper_end(grown), _PLACES))
    return Loss(f"a sample at rate {rate} of {loss.what}", epsilon=epsilon)


# --- parts --------------------------------------------------------------------------------------


def _number(value: object, field: str) -> mpq:
    number = as_rational(value, field)
    if number < 0:
        raise DomainError(field=field, value=str(number), expected="a rational at least 0")
    return number


def _positive(value: object, field: str) -> mpq:
    number = _number(value, field)
    if not number:
        raise DomainError(field=field, value="0", expected="a rational above 0")
    return number


def _noise_parts(parts: Mapping[str, object], scale: str) -> tuple[mpq, mpq]:
    """A scale above 0, and a sensitivity."""
    sensitivity = parts.get("sensitivity", DEFAULTS["sensitivity"])
    return _positive(parts[scale], scale), _number(sensitivity, "sensitivity")


def _delta(parts: Mapping[str, object]) -> mpq:
    delta = _number(parts.get("delta", 0), "delta")
    if delta >= 1:
        raise DomainError(field="delta", value=str(delta), expected="a rational from 0 to below 1")
    return delta


def _shifts(value: object) -> list[mpq]:
    """How far each coordinate may move: whole numbers."""
    listed = [value] if isinstance(value, str | int) else value
    if not isinstance(listed, Sequence) or not 1 <= len(listed) <= _MOST_SHIFTS:
        raise InputError(field="shifts", value=str(value), expected="a list of whole numbers")
    shifts = [_number(each, "shifts") for each in listed]
    for shift in shifts:
        if shift.denominator != mpz(1):
            raise DomainError(field="shifts", value=str(shift), expected="a whole number")
    return shifts


def _nested(parts: Mapping[str, object], name: str, keys: Sequence[str]) -> Mapping[str, object]:
    own = parts[name]
    if isinstance(own, Mapping):
        own = {key: DEFAULTS[key] for key in keys if key in DEFAULTS} | dict(own)
    if not isinstance(own, Mapping) or sorted(own) != sorted(keys):
        raise InputError(
            field=name,
            value=", ".join(map(str, own)) if isinstance(own, Mapping) else str(own),
            expected=f"exactly {' and '.join(keys)}",
            remedy=f"for example -m {name}=1",
        )
    return own


def _count(value: object) -> int:
    count = as_rational(value, "count")
    if count.denominator != mpz(1) or not 1 <= count <= _MOST_COUNT:
        raise DomainError(
            field="count", value=str(count), expected=f"a whole number from 1 to {_MOST_COUNT}"
        )
    return int(count)
