r"""What has become of a claim, in three words and colours."""

from __future__ import annotations

from typing import Final, Literal

Standing = Literal["proved", "refuted", "unsettled"]
HEADWORDS: Final[dict[Standing, str]] = {
    "proved": "Proved",
    "refuted": "Refuted",
    "unsettled": "Not settled",
}
SEVERITY: Final[tuple[Standing, ...]] = ("proved", "unsettled", "refuted")
"""From the least severe to the most."""
HOLDING: Final = ("holds", "holds-with-equality")
"""What a claim has come to if it is proved."""
