r"""``exactdp profile``: the privacy profile of a composition.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.answers.arguments import width_for
from exactdp.answers.profile import profile
from exactdp.answers.results import ProfilePoint
from exactdp.arithmetic.decimal_text import (
    enclose_in_decimals,
    places_within,
    shortest_text,
)
from exactdp.cli.composition_options import (
    Request,
    with_request,
)
from exactdp.cli.files import write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.picture_places import check_plot
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, facts, heading, show
from exactdp.ledger.model import Ledger
from exactdp.pages.number_text import epsilon_of, exact_text, grouped, outward
from exactdp.pages.phrases import profiled
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import stop_after

_PLACES: Final = 30


@command("profile")
@with_request
def profile_command(
    request: Request,
    *,
    epsilon: tuple[str, ...],
    tolerance: str | None,
    plot: Path | None,
    time_limit: int | None,
) -> int:
    """The privacy profile: δ for each ε, as intervals that provably contain it."""
    check_plot(plot, [request.source])
    ledger, group, max_cost = request.ledger, request.group, request.max_cost
    clock = request.clock_of(time_limit)
    with working("composing", as_json=request.as_json), stop_after(clock.left):
        if group > 1:
            from exactdp.group_privacy.answers import profile_for_groups  # noqa: PLC0415 (few ask for groups)

            request.refuse_beside_group(method=request.method, plot=plot, time_limit=time_limit)
            points = profile_for_groups(
                ledger, group, epsilon=epsilon, tolerance=tolerance, max_cost=max_cost
            )
        else:
            points = profile(
                ledger,
                epsilon=epsilon,
                tolerance=tolerance,
                method=request.method,
                max_cost=max_cost,
                time_limit=clock.left if plot is None else clock.share(1 / 2).left,
            )
        named = _theorem(request, points)
        files = {} if plot is None else {plot: _picture(request, points, clock, plot.suffix)}
    write_together(files, "--plot")
    rows = profile_rows(points, width_for(ledger, tolerance))
    if request.as_json:
        result = profile_json(ledger, rows, group, named)
        print_json("profile", result | ({} if plot is None else {"plot": str(plot)}))
    else:
        show_profile(ledger, rows, group, named)
        show(*([] if plot is None else ["", f"written: {plot}"]))
    return 0


def _picture(request: Request, points: Sequence[ProfilePoint], clock: Clock, suffix: str) -> bytes:
    """The profile to beyond the greatest ε, with those that were asked about."""
    from exactdp.cli.answer_pictures import ProfileMark, band_picture  # noqa: PLC0415 (few ask)
    from exactdp.pages.profile_band import profile_band  # noqa: PLC0415 (as above)

    places = [enclose_in_decimals(point.epsilon, _PLACES)[1] for point in points]
    marks = [
        ProfileMark(f"ε = {exact_text(point.epsilon)}", place, point.upper_end, "answer")
        for place, point in zip(places, points, strict=True)
    ]
    band = profile_band(
        request.ledger, max(places), (), max_cost=request.max_cost, time_limit=clock.left
    )
    return band_picture(band, marks, heading(request.ledger), suffix)


def _theorem(request: Request, points: Sequence[ProfilePoint]) -> str | None:
    if request.ledger.interaction != "concurrent":
        return None
    from exactdp.cli.interleaving import profile_theorem  # noqa: PLC0415 (as above)

    return profile_theorem(request.ledger, request.theorem, points)


def profile_rows(
    points: Sequence[ProfilePoint], tolerance: mpq
) -> list[tuple[ProfilePoint, str, str]]:
    """The points of a profile with decimal ends, rounded outward within the tolerance."""
    digits = places_within(tolerance) + 2
    return [
        (point, *outward(point.lower_end, point.upper_end, tolerance, digits)) for point in points
    ]


def profile_json(
    ledger: Ledger,
    rows: Sequence[tuple[ProfilePoint, str, str]],
    group: int = 1,
    theorem: str | None = None,
) -> dict[str, object]:
    """The result of ``profile --json``."""
    derived = _is_derived(ledger, group)
    entries = [
        {
            "epsilon": shortest_text(point.epsilon),
            "delta": {"lower": lower, "upper": upper},
            **({"derivation": point.method, "evidence": point.evidence} if derived else {}),
        }
        for point, lower, upper in rows
    ]
    result: dict[str, object] = {"profile": entries, "mechanisms": ledger.size}
    if group > 1:
        result["group"] = str(group)
    if theorem is not None:
        result["theorem"] = theorem
    return result


def show_profile(
    ledger: Ledger,
    rows: Sequence[tuple[ProfilePoint, str, str]],
    group: int = 1,
    theorem: str | None = None,
) -> None:
    """The table of ``profile``."""
    titles = ["ε", "δ at least", "δ at most"]
    cells = [[exact_text(point.epsilon), lower, upper] for point, lower, upper in rows]
    if _is_derived(ledger, group):
        titles.append("by")
        cells = [[*row, _by(point)] for row, (point, _, _) in zip(cells, rows, strict=True)]
    scope = [("for", f"groups of {grouped(group)}")] if group > 1 else []
    scope += [("interleaved, by", theorem)] if theorem is not None else []
    table = columns(titles, cells)
    pairs = [(epsilon_of(point.epsilon, up=True), upper) for point, _, upper in rows]
    parts = [facts(scope), "", table] if scope else [table]
    show(profiled(ledger, pairs, group), "", heading(ledger), "", *parts)


def _is_derived(ledger: Ledger, group: int) -> bool:
    """Whether rules beyond optimal composition gave the upper ends, so that they are named."""
    return group > 1 or not ledger.is_approximate


def _by(point: ProfilePoint) -> str:
    """What gave the upper end, and whether it was computed alone."""
    return point.method if point.evidence == "certificate" else f"{point.method} (computed)"
