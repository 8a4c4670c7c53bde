"""Ledgers as other tools keep them: what no format can express, and the command."""

from __future__ import annotations

import pytest

from exactdp.errors import UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import WRITERS, loses, write_ledger
from exactdp.mechanisms import ConcentratedMechanism, Mechanism, PairMechanism
from tests.cli.running import exactdp


def test_what_a_format_cannot_express_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"mechanisms\[1\]\.pair"):
        write_ledger(Ledger.of(["1", PairMechanism([1], [1])]), "dp-accounting")
    with pytest.raises(UnsupportedError, match="count"):
        write_ledger(Ledger.of([("1", 0, 10**7)]), "psi")
    with pytest.raises(UnsupportedError, match="rho"):
        write_ledger(Ledger((ConcentratedMechanism(1),)), "diffprivlib")


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "json"])
def test_what_a_format_drops_is_said(name: str) -> None:
    ledger = Ledger((Mechanism(1, label="a"),), name="n", source="s")
    assert "source" in loses(ledger, name)
    assert ("name" in loses(ledger, name)) == (name != "deployments-registry")
    assert ("label" in loses(ledger, name)) == (name != "csv")


def test_the_command_converts_from_and_to_other_tools() -> None:
    matrix = exactdp("convert", "-", "--from", "psi", "--to", "csv", stdin=b"0.1 0\n")
    assert matrix.out == "label,epsilon,delta,count\n,0.1,0,1\n"
    answer = exactdp("convert", "-m", "0.1,1e-9*2", "--to", "diffprivlib")
    assert answer.out == "[[0.1, 1e-9], [0.1, 1e-9]]\n"
    assert exactdp("compose", "-", "--delta", "0", stdin=b"[(0.1, 0)]").code == 0
    assert exactdp("convert", "-m", "1", "--from", "yaml", "--to", "csv").code == 2
