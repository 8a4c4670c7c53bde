r"""From a decision to a certificate: which rule, with which parameters.

Theory of operation: the solver knows on which side of Δ the divergence lies and by how much
(the slack). The digits that the verifier must carry follow from the slack and from how many
roundings it will make; everything else in a certificate follows from the claim. Where several rules
show the same, and checking takes long, the one is taken that is predicted to take least; one that
the extracted checker does not know is asked only where all others take very long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.prediction import MOST_COUNTED, MOST_DIGITS, grid_slots, predicted
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import CountedEpsilon, Subject
from exactdp.composition import period
from exactdp.composition.decisions import INFEASIBLE, Decision
from exactdp.composition.engines.atoms.lattice import Lattice
from exactdp.composition.engines.grid import Grid, common_grid
from exactdp.composition.precision import Mesh, digits_for, refuse_beyond

_SPARE_POINTS: Final = 128
_DEAR: Final = 10**7
_DEAR_TO_BE_PROVED: Final = 10**8  # a rule that the extracted checker knows is kept up to here


@dataclass(frozen=True, slots=True)
class _Claim:
    """A decided claim."""

    subject: Subject
    epsilon: ExactNumber
    delta: mpq
    decision: Decision

    @property
    def epsilons(self) -> list[CountedEpsilon]:
        """Every ε > 0 of the mechanisms, with its count."""
        return self.subject.positive_epsilons()

    @property
    def deltas(self) -> set[mpq]:
        """The δ_i above 0."""
        return {delta for _, delta, _ in self.subject.pairs if delta}

    @property
    def slack(self) -> mpq:
        """By how much it is decided."""
        return self.decision.slack


_Hints = Mapping[str, object]
"""The parameters of a rule."""


def certificate(
    subject: Subject, epsilon: ExactNumber, delta: mpq, decision: Decision
) -> Certificate:
    """The certificate of a decided claim: an upper one if it holds, else a lower one."""
    claim = _Claim(subject, epsilon, delta, decision)
    shown = _shown(claim, decision.rule, _HINTS[decision.rule](claim))
    for most, rule, choose in _INSTEAD.get(decision.rule, ()):
        groups = claim.epsilons
        if predicted(shown, groups) > most and (found := choose(claim)) is not None:
            other = _shown(claim, rule, found)
            shown = min(shown, other, key=lambda each: predicted(each, groups))
    return shown


def _shown(claim: _Claim, rule: str, parameters: _Hints) -> Certificate:
    """The certificate by one rule."""
    return Certificate(
        claim.subject,
        "upper" if claim.decision.holds else "lower",
        None if claim.decision == INFEASIBLE else claim.epsilon,
        claim.delta,
        rule,
        parameters,
    )


def _without_parameters(claim: _Claim) -> _Hints:
    deltas = set() if claim.delta == 1 else claim.deltas
    if deltas:
        # The verifier compares logarithms that lie as near to 0 as the least δ, doubling its bits.
        longest = max(d.denominator.bit_length() for d in (claim.delta, *deltas))
        if (2 * longest) ** 2 * (len(deltas) + 1) > (3 * MOST_DIGITS) ** 2:
            refuse_beyond(0, longest)
    return {}


def _atoms(claim: _Claim) -> _Hints:
    sums = claim.decision.losses
    if sums:
        # D moves by at most as much as y moves in proportion, so the slack alone decides.
        digits, masses = digits_for(claim.slack), "exact"
    else:
        epsilons, masses = claim.epsilons, "rounded"
        sums = Lattice.of(epsilons).most_sums
        digits = digits_for(claim.slack, sums * (len(epsilons) + 3))
    refuse_beyond(sums, digits)
    return {"digits": str(digits), "masses": masses, "sums": str(sums)}


def _grid_of(claim: _Claim) -> Grid:
    grid = common_grid(claim.epsilons)
    if grid is None:
        raise ValueError("the planner chose a grid for a ledger without one")
    return grid


def _grid(claim: _Claim) -> _Hints:
    epsilons, grid = claim.epsilons, _grid_of(claim)
    multiples = [(grid.multiple(epsilon), count) for epsilon, count in epsilons]
    levels = len(epsilons).bit_length() + 4
    digits = digits_for(claim.slack, grid_slots(multiples, 0) * levels)
    digits = digits_for(claim.slack, grid_slots(multiples, digits) * levels)
    refuse_beyond(grid_slots(multiples, digits), digits)
    return {"digits": str(digits), "unit": str(grid.unit)}


def _grid_counts(claim: _Claim) -> _Hints | None:
    grid = _grid_of(claim)
    if grid.mechanisms > MOST_COUNTED:
        return None
    return {"digits": str(digits_for(claim.slack)), "unit": str(grid.unit)}


def _grid_fourier(claim: _Claim) -> _Hints | None:
    return period.parameters(_grid_of(claim), claim.epsilon, claim.delta, claim.slack)


def _bracket(claim: _Claim) -> _Hints:
    if claim.decision.mesh is None:
        raise ValueError("a bracket decides at a mesh")
    mesh = Mesh(claim.epsilons, claim.decision.mesh)
    # The lower bound multiplies what was lost by e^ε.
    factor = 1 if claim.decision.holds else 4 ** (floor_of(claim.epsilon) + 1)
    digits = mesh.digits(claim.slack, factor)
    refuse_beyond(mesh.slots(digits), digits)
    plan = {"levels": [], "windows": mesh.windows()}
    common = mesh.parameters(digits)
    if claim.decision.holds:
        return {**common, "orders": [], "plans": [plan]}
    event = {"direction": "remove", "threshold": str(claim.decision.threshold), "tilt": "0"}
    return {**common, **event, "plan": plan}


def _fourier(claim: _Claim) -> _Hints:
    """The parameters of a rule by which a Fourier bracket's decision is shown."""
    decision, spectrum = claim.decision, claim.decision.spectrum
    if spectrum is None:
        raise ValueError("a Fourier bracket decides by a spectrum")
    stated, blocks = spectrum.stated(), spectrum.sweep.blocks
    far = sum(n >= stated.near for n in spectrum.far)
    digits = digits_for(decision.slack, 16 * (stated.near + far + _SPARE_POINTS))
    refuse_beyond(0, digits)
    parameters: dict[str, object] = {
        "blocks": str(blocks + blocks // 10 + _SPARE_POINTS),
        "cut": str(stated.cut),
        "digits": str(digits),
        "factors": [str(index) for index in stated.factors],
        "far": str(far + far // 10 + _SPARE_POINTS),
        "last": str(stated.last),
        "near": str(stated.near),
        "noise": str(stated.noise),
        "step": str(stated.step),
        "tilt": str(stated.tilt),
    }
    if not decision.holds:
        parameters |= {"left": str(stated.left), "right": str(stated.right)}
    return parameters


_HINTS: Final[Mapping[str, Callable[[_Claim], _Hints]]] = {
    "trivial": _without_parameters,
    "sum": _without_parameters,
    "atoms": _atoms,
    "grid": _grid,
    "mesh-upper": _bracket,
    "mesh-lower": _bracket,
    "fourier-upper": _fourier,
    "fourier-lower": _fourier,
}
"""How a rule's parameters are chosen."""

_INSTEAD: Final[Mapping[str, Sequence[tuple[int, str, Callable[[_Claim], _Hints | None]]]]] = {
    "grid": (
        (_DEAR, "grid-counts", _grid_counts),
        (_DEAR_TO_BE_PROVED, "grid-fourier", _grid_fourier),
    ),
}
"""Where a check costs more, what else shows the same; None where it does not fit."""
