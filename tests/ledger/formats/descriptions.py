"""What OpenDP's ``serialize`` gives, for tests of those who read it."""

from __future__ import annotations

import json


def described(function: str, **arguments: object) -> dict[str, object]:
    return {"__function__": function, "__kwargs__": arguments, "__version__": "0.14.2"}


def measured(*measure: str) -> dict[str, object]:
    """An odometer under a measure; the outermost name comes first."""
    *outer, inner = measure
    tree = described(inner)
    for name in outer:
        tree = described(name, measure=tree)
    return described("make_fully_adaptive_composition", output_measure=tree)


def lines(*descriptions: object) -> bytes:
    return "\n".join(map(json.dumps, descriptions)).encode()


FILTER_ARGUMENTS = {"odometer": measured("max_divergence"), "d_in": 1.0, "d_out": 1.0}
FILTER = described("make_privacy_filter", **FILTER_ARGUMENTS)
LAPLACE = described("make_laplace", scale=10.0, k=None, MO="MaxDivergence")
GAUSSIAN = described("make_gaussian", scale=5.0, k=None, MO="ZeroConcentratedDivergence")
RESPONSE = described("make_randomized_response_bool", prob=0.75)
