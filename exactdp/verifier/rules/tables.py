r"""Tables: pairs of laws that are listed output by output.

Rules of this file: as in ``pairs_of_laws``; an output that is left out is lost.

Theory of operation: Poisson sampling at the rate q replaces P by (1 - q)Q + qP, and a loss l by
ln(1 - q + q·e^l), output by output.

Sources: certs/SPEC.md, section 7.4; Zhu, Dong & Wang, AISTATS 2022, Theorem 11 (sampling).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from ..arithmetic.dots import Losses, Mesh, Points, nearest, split, within
from ..arithmetic.enclosures import ceil_shift, enclose, enclose_exact, exp_fixed
from ..format.meter import of_division, pay
from ..format.numbers import Number, normal_form, size
from ..format.outcomes import RejectedError
from .pairs_of_laws import MAX_LOSS, Dominating, Ends, Pair, exp_of, log_of, one_less, quotient


@dataclass(frozen=True)
class Atom:
    """An output: P and Q from below, times 2^bits, and its loss; None where P or Q is 0."""

    p: int
    q: int
    loss: Ends | None

    def reversed(self) -> Atom:
        """The output with P and Q exchanged."""
        return Atom(self.q, self.p, None if self.loss is None else (-self.loss[1], -self.loss[0]))


class Table(Dominating, Pair):
    """A pair of laws with finitely many outputs that matter."""

    @abstractmethod
    def atoms(self, mesh: Mesh) -> list[Atom]:
        """The outputs; what is left out is lost."""

    def _atoms(self, mesh: Mesh, *, back: bool) -> list[Atom]:
        listed = self.atoms(mesh)
        pay(len(listed) * (4000 + 6 * of_division(2 * mesh.bits)))
        return [atom.reversed() for atom in listed] if back else listed

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """The atoms split between points of the mesh."""
        atoms = self._atoms(mesh, back=back)
        finite = ((atom.loss[1], mesh.weight(atom.p)) for atom in atoms if atom.loss)
        return within(split(finite, mesh), points.window, cut=True)

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The multiple next to the loss; the window's end for one that is infinite."""
        first, last = points.window
        p: Losses = {}
        q: Losses = {}
        for atom in self._atoms(mesh, back=back):
            score = last if atom.p else first
            if atom.loss:
                score = min(max(nearest(atom.loss[0], mesh), first), last)
            p[score] = p.get(score, 0) + mesh.weight(atom.p)
            q[score] = q.get(score, 0) + mesh.weight(atom.q)
        return p, q

    def sampled(self, rate: Fraction) -> SampledTable:
        """The table on a record that takes part with this probability."""
        return SampledTable(self, rate)


@dataclass(frozen=True)
class Response(Table):
    """Randomized response: losses ±ε."""

    epsilon: Number

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """e^ε/(1 + e^ε) and 1/(1 + e^ε)."""
        one, bits = 1 << mesh.bits, mesh.bits
        low, high = enclose(self.epsilon, bits)
        x_low, x_high = exp_fixed((-high, -low), bits)
        ends = Fraction(low, one), Fraction(high, one)
        if not self.epsilon.logs:
            ends = self.epsilon.rational, self.epsilon.rational
        true = Atom((one << bits) // (one + x_high), (x_low << bits) // (one + x_low), ends)
        return [true, true.reversed()]


@dataclass(frozen=True)
class GeneralizedResponse(Table):
    """Losses t and t - ε: of bounded range ε."""

    epsilon: Fraction
    t: Fraction

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """The loss t has p = (1 - e^{t-ε})/(1 - e^{-ε}) at t, 1 - p at t - ε; q = p·e^{-t} at t."""
        one, bits = 1 << mesh.bits, mesh.bits
        below = exp_of(-self.epsilon, bits)
        rest = self.t - self.epsilon
        p = quotient(one_less(one, exp_of(rest, bits)), one_less(one, below), bits)
        e_low, e_high = exp_of(-self.t, bits)
        q = p[0] * e_low >> bits, ceil_shift(p[1] * e_high, bits)
        return [
            Atom(p[0], q[0], (self.t, self.t)),
            Atom(max(0, one - p[1]), max(0, one - q[1]), (rest, rest)),
        ]


@dataclass(frozen=True)
class Written(Table):
    """A pair of laws that is written out."""

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """Each output, with ln(p/q)."""
        return [
            Atom(
                enclose_exact(p, mesh.bits)[0],
                enclose_exact(q, mesh.bits)[0],
                log_of(p / q, mesh.bits) if p and q else None,
            )
            for p, q in zip(self.p, self.q, strict=True)
            if p or q
        ]

    def at_infinity(self, *, back: bool) -> Fraction:
        """Of the outputs of P that Q never has; or the other way round."""
        one, other = (self.q, self.p) if back else (self.p, self.q)
        return normal_form([p for p, q in zip(one, other, strict=True) if not q], []).rational


@dataclass(frozen=True)
class SampledTable(Table):
    """A table on a record that takes part with the probability ``rate``."""

    table: Table
    rate: Fraction

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """(1 - q)Q + qP, and ln(1 - q + q·e^loss)."""
        low, _ = enclose_exact(self.rate, mesh.bits)
        rest, _ = enclose_exact(1 - self.rate, mesh.bits)
        listed = self.table.atoms(mesh)
        pay(len(listed) * (6000 + 20 * of_division(2 * mesh.bits + size(self.rate))))
        return [
            Atom(atom.q * rest + atom.p * low >> mesh.bits, atom.q, self._loss(atom, mesh))
            for atom in listed
        ]

    def at_infinity(self, *, back: bool) -> Fraction:
        """Of qP where Q is 0; but all outputs of Q occur in (1 - q)Q + qP too."""
        return Fraction(0) if back else self.rate * self.table.at_infinity(back=back)

    def is_unbounded(self, *, back: bool) -> bool:
        """The greatest loss of Q against (1 - q)Q + qP is -ln(1 - q)."""
        return not back and self.table.is_unbounded(back=back)

    def _loss(self, atom: Atom, mesh: Mesh) -> Ends | None:
        if atom.loss is None:
            return log_of(1 - self.rate, mesh.bits) if atom.q else None
        low, high = atom.loss
        return self._sampled(low, mesh.bits)[0], self._sampled(high, mesh.bits)[1]

    def _sampled(self, loss: Fraction, bits: int) -> Ends:
        """The loss with sampling, for an exact one without."""
        if abs(loss) > MAX_LOSS:
            raise RejectedError(f"a privacy loss above {MAX_LOSS}")
        low, high = exp_of(loss, bits)
        one = Fraction(1 << bits)
        rest = 1 - self.rate
        return log_of(rest + self.rate * low / one, bits)[0], log_of(
            rest + self.rate * high / one, bits
        )[1]
