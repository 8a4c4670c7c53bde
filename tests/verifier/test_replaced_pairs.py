"""The pair of a record that is replaced, at outputs that are hardest to tell."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.rules.curves import Range
from exactdp.verifier.rules.replaced import ReplacedNormal, replaced

HALF = Fraction(1, 2)


def test_a_profile_holds_where_the_threshold_is_beyond_all_digits() -> None:
    """With e^-μ² below 2^-bits the threshold is a guess, and the enclosure holds all the same."""
    bits, pair = 64, ReplacedNormal(Fraction(10**4), HALF)
    low, high = pair.at((0, 0), bits)
    assert low <= 1 << bits - 1 <= high


def test_outputs_may_be_asked_about_at_any_odds() -> None:
    pair = ReplacedNormal(Fraction(1), HALF)
    shown = [pair.at((loss << 60, loss << 60), 64) for loss in (-9, -1, 0, 1, 9)]
    assert all(low <= high for low, high in shown)
    assert [low for low, _ in shown] == sorted((low for low, _ in shown), reverse=True)


def test_what_is_no_noise_on_a_sum_has_no_such_pair() -> None:
    with pytest.raises(RejectedError, match="no noise on a sum"):
        replaced(Range(Fraction(1)), HALF)
