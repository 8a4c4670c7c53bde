"""The rule ``moments`` beside samples of Gaussian noise, at orders between 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactdp.verifier import verify_bytes
from tests.verifier import handmade
from tests.verifier.noise_cases import entry, orders

_STEPS = [entry(14400, mu="100", rate="1/240")]


def _accepted(certificate: Mapping[str, Any]) -> bool:
    return verify_bytes(handmade.canonical_bytes(certificate)).exit_code == 0


def test_very_little_noise_is_accepted_at_an_order_near_one_and_no_less_is() -> None:
    assert _accepted(orders(_STEPS, "504000", "10001/10000", delta="1/100000"))
    assert not _accepted(orders(_STEPS, "480000", "10001/10000", delta="1/100000"))


def test_noise_on_whole_numbers_has_no_order_below_two_on_samples() -> None:
    steps = [entry(discrete_gaussian={"shifts": ["1"], "variance": "4"}, rate="1/3")]
    assert not _accepted(orders(steps, "100", "3/2"))
    assert _accepted(orders(steps, "100", "2"))
