r"""What is known of interactive mechanisms: their privacy loss, and what simulates them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from exactdp.interaction.answers import Examination
from exactdp.interaction.mechanism import View
from exactdp.interaction.simulation import ANSWERS
from exactdp.pages.facts import Fact, fact, shown, titled
from exactdp.pages.number_text import (
    delta_of,
    epsilon_of,
    exact_and_decimal,
    grouped,
    rational_text,
)
from exactdp.pages.phrases import nothing_promised, promised

SHOWN_ENDS: Final = 16
SimulatedEnds = list[tuple[View, list[str]]]
"""The views that lead to an end, and their probabilities under T."""


def simulated(found: Examination) -> SimulatedEnds | None:
    """The simulation, where it was written out."""
    if found.whole is None or found.simulation is None:
        return None
    rows = zip(found.whole.root.ends(), found.simulation.ends, strict=True)
    return [(view, [str(each) for each in row]) for view, row in rows]


def interaction_facts(
    found: Examination, simulation: SimulatedEnds | None, written: Sequence[Path]
) -> list[Fact]:
    """The privacy loss, and what shows it."""
    many = len(found.mechanisms)
    size = None if found.whole is None else found.whole.root.size
    histories = "" if size is None else f", {grouped(size)} histories"
    interleaved = ", interleaved" if many > 1 else ""
    views = None
    if simulation is not None:
        views = [
            {"view": [list(step) for step in view], "probabilities": row}
            for view, row in simulation
        ]
    paths = [str(path) for path in written]
    return [
        fact("mechanisms", many, "mechanisms", f"{many}{interleaved}{histories}"),
        fact("delta", str(found.delta), "δ", rational_text(found.delta)),
        fact(
            "epsilon",
            None if found.epsilon is None else str(found.epsilon),
            titled("privacy loss", found.evidence),
            _loss_text(found),
        ),
        fact("odds", None if found.odds is None else str(found.odds)),
        fact("histories", size),
        fact("evidence", found.evidence),
        fact("simulation", views, "simulation", _simulation_text(found, simulation)),
        fact("certificates", paths),
        *(shown("certificate", path) for path in paths),
    ]


def end_facts(simulation: SimulatedEnds) -> list[list[Fact]]:
    """The first ends of the simulation, each in a line."""
    titles = ("end of T after", *ANSWERS)
    lines = [(_view_text(view), *row) for view, row in simulation[:SHOWN_ENDS]]
    return [[shown(title, text) for title, text in zip(titles, row, strict=True)] for row in lines]


def interaction_sentence(found: Examination) -> str:
    """What the mechanisms promise, used together."""
    if found.epsilon is None:
        return nothing_promised(found.delta)
    many = len(found.mechanisms)
    subject = "this mechanism" if many == 1 else f"these {grouped(many)} mechanisms, interleaved"
    epsilon, delta = epsilon_of(found.epsilon, up=True), delta_of(found.delta, up=True)
    if (epsilon, delta) != (epsilon_of(found.epsilon, up=False), delta_of(found.delta, up=False)):
        return promised(subject, (epsilon, delta), "rounded up")
    return f"ε = {epsilon} at δ = {delta} (exact; no smaller ε holds): {subject}."


def _loss_text(found: Examination) -> str:
    if found.epsilon is None:
        return "infinite: an event above δ that one of the inputs excludes"
    return exact_and_decimal(found.epsilon)


def _simulation_text(found: Examination, simulation: SimulatedEnds | None) -> str:
    if simulation is not None:
        ends = "1 end" if len(simulation) == 1 else f"{grouped(len(simulation))} ends"
        return f"T after randomized response with this (ε, δ), verified at {ends}"
    if found.odds is None:
        return "none: no finite ε is enough"
    return "not written out: too many histories"


def _view_text(view: View) -> str:
    return "; ".join(f"{query} → {answer}" for query, answer in view) or "nothing"
