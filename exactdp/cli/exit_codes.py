"""Exit codes of commands that answered: 0 unless what was asked is refuted or undecided."""

from __future__ import annotations

from typing import Final

REFUTED: Final = 1
UNDECIDED: Final = 3
