r"""Order: which of two mechanisms of one family is at least as private as the other.

Rules of this file: an order is used only where ``certs/SPEC.md``, section 7.6, proves it; what has
none is compared with its equal alone. Nothing is rounded.

Theory of operation: noise of one family is ordered by its shift, Gaussian, Laplace and discrete
Laplace noise by how little there is of it as well, a sampled mechanism by its rate; discrete
Gaussian noise is not ordered by its variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

_WHOLE: Final = mpq(1)


@dataclass(frozen=True, slots=True)
class Order:
    """A mechanism of an ordered family, by numbers that rise with what it reveals.

    Attributes:
        family: what is equal of two that are compared.
        shifts: the greatest first; where only shift/scale counts, that quotient.
        scale: for discrete Laplace noise 1/scale; else 1.
        rate: of the sample.
    """

    family: tuple[object, ...]
    shifts: tuple[mpq | int, ...] = ()
    scale: mpq = _WHOLE
    rate: mpq = _WHOLE

    def on_sample(self, rate: mpq) -> Order:
        """The same on a Poisson sample."""
        return replace(self, rate=rate)

    def is_below(self, other: Order) -> bool:
        """Whether it reveals no more than the other."""
        return (
            self.family == other.family
            and self.rate <= other.rate
            and self.scale <= other.scale
            and len(self.shifts) <= len(other.shifts)
            and all(s <= t for s, t in zip(self.shifts, other.shifts, strict=False))
        )
