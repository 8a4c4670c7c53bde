"""What the verifier pays for a certificate, whatever it says of it."""

from __future__ import annotations

import pytest

from exactdp.verifier import Verdict, verify_bytes
from exactdp.verifier.format import meter

NO_LIMIT = 10**30


def verdict_and_paid(data: bytes, max_cost: int = NO_LIMIT) -> tuple[Verdict, int]:
    """The verdict, and what was paid until then."""
    meters: list[meter.Meter] = []

    class Recorded(meter.Meter):
        def __init__(self, limit: int) -> None:
            super().__init__(limit)
            meters.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meter, "Meter", Recorded)
        verdict = verify_bytes(data, max_cost=max_cost)
    [only] = meters
    return verdict, only.paid


def paid(data: bytes) -> int:
    """What is paid for a certificate in full."""
    return verdict_and_paid(data)[1]
