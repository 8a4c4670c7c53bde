"""Of two mechanisms with one table the one that fails is not at most the other."""

from __future__ import annotations

import pytest

from exactdp.verifier.format.meter import metered
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.rules.domination import greatest
from exactdp.verifier.rules.ledger import Entry, read_entry


def meeting(delta: str) -> Entry:
    """Randomized response, whatever the delta is, where it does not fail."""
    return read_entry({"constraints": [["ln(2)", delta]], "count": "1"})


def test_a_failure_is_compared_as_well_as_the_table() -> None:
    with metered(10**9):
        never, often = meeting("0"), meeting("1/10")
        assert greatest([never, never]) is never
        for pair in ([never, often], [often, never]):
            with pytest.raises(RejectedError, match="no query of a colour"):
                greatest(pair)
