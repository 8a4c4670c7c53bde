"""The papers' own algorithms, as they are printed, beside what this package computes."""

from typing import Final

ALGORITHMS: Final = ("mv18", "mv16", "poster", "table")
"""Their names: that of the journal, that of the proceedings, that of the poster, the table."""
