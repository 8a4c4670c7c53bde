r"""The certificates of points of a privacy profile, as ``profile`` prints them.

Rules of this file: a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gmpy2 import mpq

from exactdp.cli.composition_options import Request
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.point_proofs import Deciding, PointProofs, prove_point
from exactdp.composition.answers.results import ProfilePoint
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts.profile import point_texts


def proofs_of_points(
    request: Request, points: Sequence[ProfilePoint], width: mpq
) -> list[PointProofs]:
    """Both ends of each point, as they are printed."""
    decide = _deciding(request)
    printed = [point_texts(point, width) for point in points]
    return [
        prove_point(decide, point.epsilon, (mpq(lower), mpq(upper)), width)
        for point, (lower, upper) in zip(points, printed, strict=True)
    ]


def files_of_points(
    request: Request, theorem: str | None, proofs: Sequence[PointProofs], directory: Path
) -> dict[Path, bytes]:
    """Where the certificates go, and their verified bytes."""
    made = {
        f"point-{number}.{bound}": each if theorem is None else each.naming(theorem)
        for number, proof in enumerate(proofs, start=1)
        for bound, each in proof.made.items()
    }
    return certificate_files(directory, request.stem, made)


def _deciding(request: Request) -> Deciding:
    """What decides claims about the ledger, or about groups."""
    ledger, max_cost = request.ledger, request.max_cost
    if request.group == 1:
        return partial(certify, ledger, method=request.method, max_cost=max_cost)
    from exactdp.group_privacy.answers import certify_for_groups  # noqa: PLC0415 (few ask for groups)

    return partial(certify_for_groups, ledger, request.group, max_cost=max_cost)
