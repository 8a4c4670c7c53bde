r"""The side of a bracket from above, with the certificate that it gives.

Rules of this file: a certificate is composed exactly, and made when it is asked for.

Sources: certs/SPEC.md, section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.either_side import Upper
from exactdp.errors import InternalError

T = TypeVar("T")

UPPER_RULE: Final = "mesh-upper"
FINER: Final = (2, 16, 256, 10**6)
"""How much less than searching a certificate loses where it composes: the least that is enough."""


@dataclass(frozen=True)
class UpperBracket:
    """The side from above at one effort."""

    subject: Subject
    unit: mpq
    above: tuple[Upper, ...]
    """For the removal of a record, and for adding one where that differs."""

    orders: tuple[str, ...] = ()
    """Of what is known by its Rényi divergences, if there is any."""

    def certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that ε is enough."""
        least, _ = DominatingPairs(self.subject).allowed_ends(delta)
        tries = ([side.exactly(times, epsilon, least) for side in self.above] for times in FINER)
        above = first_that_proves(
            tries, lambda all_: all(each.divergence(epsilon) <= least for each in all_)
        )
        digits = above[0].mesh.digits
        plans = [side.plan.parameter() for side in above]
        orders = list(self.orders)
        given: dict[str, object] = {"digits": str(digits), "sums": "0", "unit": str(self.unit)}
        given |= {"plans": plans, "orders": orders}
        return Certificate(self.subject, "upper", epsilon, delta, UPPER_RULE, given)


def first_that_proves(tries: Iterable[T], proves: Callable[[T], bool]) -> T:
    """The first that proves a claim which doubles have proved.

    Raises:
        InternalError: none does.
    """
    for each in tries:
        if proves(each):
            return each
    raise InternalError(field="claim", value="unproved", expected="what was found in doubles")
