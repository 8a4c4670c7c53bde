r"""``exactdp profile``: the privacy profile of a composition.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.cli.composition_options import Request, receive_request
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.composition.answers.arguments import width_for
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import ProfilePoint
from exactdp.pages.facts import listed
from exactdp.pages.facts.profile import point_facts, profile_facts, profile_sentence
from exactdp.pages.number_text import exact_text
from exactdp.pages.phrases import heading
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after

_PLACES: Final = 30


@command("profile")
@receive_request
def profile_command(
    request: Request,
    *,
    epsilon: tuple[str, ...],
    tolerance: str | None,
    certificates: Path | None,
    plot: Path | None,
    time_limit: int | None,
) -> int:
    """The privacy profile: δ for each ε, as intervals that provably contain it."""
    check_places([request.source], certificates=certificates, plot=plot)
    ledger, group, max_cost = request.ledger, request.group, request.max_cost
    clock = request.clock_of(time_limit)
    with working("composing"), stop_after(clock.left):
        if group > 1:
            from exactdp.group_privacy.answers import profile_for_groups  # noqa: PLC0415 (few ask for groups)

            request.refuse_beside_group(method=request.method, plot=plot, time_limit=time_limit)
            found = profile_for_groups(
                ledger, group, epsilon=epsilon, tolerance=tolerance, max_cost=max_cost
            )
        else:
            found = profile(
                ledger,
                epsilon=epsilon,
                tolerance=tolerance,
                method=request.method,
                max_cost=max_cost,
                time_limit=clock.share(1 / 2).left if plot or certificates else clock.left,
            )
        theorem, width = _theorem(request, found), width_for(ledger, tolerance)
        kinds, files = [point.evidence for point in found], dict[Path, bytes]()
        if certificates is not None:
            from exactdp.cli.point_certificates import files_of_points, proofs_of_points  # noqa: PLC0415 (few ask)

            proofs = proofs_of_points(request, found, width)
            kinds = [each.evidence for each in proofs]
            files = files_of_points(request, theorem, proofs, certificates)
        written = listed("certificates", "written", [*files])
        if plot is not None:
            files[plot] = _picture(request, found, clock, plot.suffix)
    stated = [
        point_facts(ledger, point, width, group, kind)
        for point, kind in zip(found, kinds, strict=True)
    ]
    return answer(
        [*profile_facts(ledger, stated, group, theorem), *(each.for_programs for each in written)],
        profile_sentence(ledger, found, stated, group, kinds),
        "",
        heading(ledger),
        below=tables(stated, written),
        files=files,
        field="--plot" if certificates is None else "--certificates",
        plot=plot,
    )


def _picture(request: Request, points: Sequence[ProfilePoint], clock: Clock, suffix: str) -> bytes:
    """The profile to beyond the greatest ε, with those that were asked about."""
    from exactdp.cli.answer_pictures import ProfileMark, band_picture  # noqa: PLC0415 (few ask)
    from exactdp.pages.profile_band import profile_band  # noqa: PLC0415 (as above)

    places = [enclose_in_decimals(point.epsilon, _PLACES)[1] for point in points]
    marks = [
        ProfileMark(f"ε = {exact_text(point.epsilon)}", place, point.upper_end)
        for place, point in zip(places, points, strict=True)
    ]
    band = profile_band(
        request.ledger, max(places), (), max_cost=request.max_cost, time_limit=clock.left
    )
    return band_picture(band, marks, heading(request.ledger), suffix)


def _theorem(request: Request, points: Sequence[ProfilePoint]) -> str | None:
    if request.ledger.interaction != "concurrent":
        return None
    from exactdp.pages.facts.interleaving import profile_theorem  # noqa: PLC0415 (as above)

    return profile_theorem(request.ledger, request.theorem, points)
