r"""``exactdp interactive``: the privacy loss of interactive mechanisms, and what proves it.

Rules of this file: it renders what the library answered; a certificate leaves this program only
if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from exactdp.certificate.statement import Certificate
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, show
from exactdp.errors import CostLimitError, InputError
from exactdp.interaction.answers import MOST_CERTIFIED, Examination, examine
from exactdp.interaction.mechanism import View
from exactdp.interaction.reading import read_mechanism
from exactdp.interaction.simulation import ANSWERS
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import (
    delta_of,
    epsilon_of,
    exact_and_decimal,
    grouped,
    rational_text,
)
from exactdp.pages.phrases import nothing_promised, promised
from exactdp.verifier.format.strict_json import MAX_BYTES

_SHOWN_ENDS: Final = 16


@command("interactive")
def interactive_command(
    sources: tuple[str, ...], *, delta: str, certificates: Path | None, as_json: bool
) -> int:
    """The exact privacy loss of interactive mechanisms, used concurrently if they are several.

    Each MECHANISM is a file in the format exactdp-interactive/1, or - for standard input. The
    mechanisms are shown to be randomized response, post-processed.
    """
    if sources.count("-") > 1:
        raise InputError(
            field="-",
            value="standard input, twice",
            expected="one file at most from standard input",
        )
    if certificates is not None:
        check_directory(certificates, "--certificates")
    mechanisms = [read_mechanism(source) for source in sources]
    with working("composing", as_json=as_json):
        found = examine(mechanisms, delta=delta)
        simulation = _simulated(found)
        files = {} if certificates is None else _files(found, certificates, sources)
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    if as_json:
        print_json("interactive", _json(found, simulation, written))
    else:
        _show(found, simulation, written)
    return 0


_Ends = list[tuple[View, list[str]]]


def _simulated(found: Examination) -> _Ends | None:
    """The views that lead to an end, and their probabilities under T."""
    if found.whole is None or found.simulation is None:
        return None
    rows = zip(found.whole.root.ends(), found.simulation.ends, strict=True)
    return [(view, [str(each) for each in row]) for view, row in rows]


def _files(found: Examination, directory: Path, sources: Sequence[str]) -> dict[Path, bytes]:
    """Where the certificates go, and their verified bytes."""
    if not found.certifiable:
        size = "too many" if found.whole is None else grouped(found.whole.root.size)
        raise InputError(
            field="--certificates",
            value=f"{size} histories",
            expected=f"at most {grouped(MOST_CERTIFIED)} histories, and 64 rounds, to certify",
            remedy="leave out --certificates, or compose fewer mechanisms",
        )
    stem = "-".join("mechanism" if source == "-" else Path(source).stem for source in sources)
    made = {"upper": found.upper_certificate(), "lower": found.lower_certificate()}
    return {
        directory / f"{stem}.{bound}.json": _of_limited_size(certificate)
        for bound, certificate in made.items()
        if certificate is not None
    }


def _of_limited_size(certificate: Certificate) -> bytes:
    """The verified bytes, unless probabilities of many digits make them too many."""
    size = len(certificate.to_bytes())
    if size > MAX_BYTES:
        raise CostLimitError(
            field="--certificates",
            value=f"{grouped(size)} bytes",
            expected=f"a certificate of at most {grouped(MAX_BYTES)} bytes",
            remedy="leave out --certificates, or use probabilities of fewer digits",
        )
    return verified(certificate)


def _json(found: Examination, simulation: _Ends | None, written: list[str]) -> dict[str, object]:
    return {
        "mechanisms": len(found.mechanisms),
        "delta": str(found.delta),
        "epsilon": None if found.epsilon is None else str(found.epsilon),
        "odds": None if found.odds is None else str(found.odds),
        "histories": None if found.whole is None else found.whole.root.size,
        "simulation": None
        if simulation is None
        else [
            {"view": [list(step) for step in view], "probabilities": row}
            for view, row in simulation
        ],
        "certificates": written,
    }


def _show(found: Examination, simulation: _Ends | None, written: list[str]) -> None:
    many = len(found.mechanisms)
    histories = "" if found.whole is None else f", {grouped(found.whole.root.size)} histories"
    rows = [
        ("mechanisms", f"{many}{', interleaved' if many > 1 else ''}{histories}"),
        ("δ", rational_text(found.delta)),
        ("privacy loss", _loss_text(found)),
        ("simulation", _simulation_text(found, simulation)),
        *(("certificate", name) for name in written),
    ]
    show(_sentence(found), "", facts(rows))
    if simulation is not None:
        shown = [(_view_text(view), *row) for view, row in simulation[:_SHOWN_ENDS]]
        show("", columns(["end of T after", *ANSWERS], shown))
        if len(simulation) > _SHOWN_ENDS:
            more = grouped(len(simulation) - _SHOWN_ENDS)
            show(f"and {more} more ends; --json prints them all")


def _sentence(found: Examination) -> str:
    if found.epsilon is None:
        return nothing_promised(found.delta)
    many = len(found.mechanisms)
    subject = (
        "This mechanism is" if many == 1 else f"These {grouped(many)} mechanisms, interleaved, are"
    )
    promise = epsilon_of(found.epsilon, up=True), delta_of(found.delta, up=True)
    return promised(subject, promise, also=", and with no smaller ε")


def _loss_text(found: Examination) -> str:
    if found.epsilon is None:
        return "infinite: an event above δ that one of the inputs excludes"
    return exact_and_decimal(found.epsilon)


def _simulation_text(found: Examination, simulation: _Ends | None) -> str:
    if simulation is not None:
        ends = "1 end" if len(simulation) == 1 else f"{grouped(len(simulation))} ends"
        return f"T after randomized response with this (ε, δ), verified at {ends}"
    if found.odds is None:
        return "none: no finite ε is enough"
    return "not written out: too many histories"


def _view_text(view: View) -> str:
    return "; ".join(f"{query} → {answer}" for query, answer in view) or "nothing"
