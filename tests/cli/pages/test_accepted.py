"""Certificates of ours that cost more to check than may be spent: refused, and no bug."""

from __future__ import annotations

import pytest

import exactdp
from exactdp.errors import CostLimitError
from exactdp.pages import accepted


def test_a_certificate_that_costs_too_much_to_check_is_not_called_a_bug(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proof = exactdp.compose([("0.1", 0, 50)], delta="1e-6").upper_certificate()
    assert proof is not None
    assert accepted.verified(proof) == proof.to_bytes()
    monkeypatch.setattr(accepted, "MAX_COST", 1)
    with pytest.raises(CostLimitError, match="a wider --tolerance is cheaper") as caught:
        accepted.verified(proof)
    assert caught.value.exit_code == 3
    assert "REFUSED" in str(caught.value)
