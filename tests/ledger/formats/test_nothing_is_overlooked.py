"""Whatever stands in a record of another tool and is not understood is refused, at its place."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import json_path, nodes
from exactdp.ledger.reading import read_ledger
from tests.cli.running import exactdp


def _event(name: str, **fields: object) -> dict[str, Any]:
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


GAUSSIAN: Final = _event("GaussianDpEvent", noise_multiplier=1)
BASES: Final = (
    GAUSSIAN,
    _event("LaplaceDpEvent", noise_multiplier=1),
    _event("DiscreteLaplaceDpEvent", noise_parameter=1, sensitivity=1),
    _event("DiscreteGaussianDpEvent", sigma=1, sensitivity=1, dimension=1),
    _event("ExponentialMechanismDpEvent", epsilon=1),
)
EVENTS: Final = (
    *BASES,
    *(_event("PoissonSampledDpEvent", sampling_probability=p, event=e)
      for e in BASES for p in (0, 0.5, 1)),
    _event("PoissonSampledDpEvent", sampling_probability=0.5, event=_event("NoOpDpEvent")),
    _event("NoOpDpEvent"),
    _event("PermuteAndFlipDpEvent", epsilon=1),
    _event("EpsilonDeltaDpEvent", epsilon=1, delta=0),
    _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2),
    _event("ZCDpEvent", rho=1, xi=0),
    _event("ComposedDpEvent", events=[GAUSSIAN, GAUSSIAN]),
    _event("SelfComposedDpEvent", event=GAUSSIAN, count=2),
)  # fmt: skip
UNKNOWN: Final = (
    *("count", "sensitivity", "epsilon", "delta", "rho", "events", "event", "Count", "weight", ""),
    *("noise_multiplier", "sampling_probability", "note", "dimension", "xi"),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["class_name"])
def test_an_event_with_a_field_that_its_class_has_not_is_refused_at_its_place(
    event: dict[str, Any],
) -> None:
    read_ledger(json.dumps(event).encode(), "dp-accounting")
    for keys, value in nodes(event):
        if not isinstance(value, dict):
            continue
        for unknown in UNKNOWN:
            if unknown in value:
                continue
            changed = json.loads(json.dumps(event))
            place: Any = changed
            for key in keys:
                place = place[key]
            place[unknown] = 1000
            with pytest.raises(InputError, match="no key but") as caught:
                read_ledger(json.dumps(changed).encode(), "dp-accounting")
            assert caught.value.path == json_path([*keys, unknown])
            assert caught.value.code == "unknown-key"


def test_a_count_in_a_gaussian_event_is_refused_and_the_class_that_repeats_is_named() -> None:
    event = json.dumps({**GAUSSIAN, "count": 1000}).encode()
    answer = exactdp("compose", "-", "--delta", "1e-6", stdin=event)
    assert answer.code == 2
    assert "count at $.count: 1000" in answer.err
    assert "SelfComposedDpEvent" in answer.err
