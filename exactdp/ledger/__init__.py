r"""Ledgers: mechanisms with their privacy parameters, read from JSON, CSV or the command line."""

from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline
from exactdp.ledger.model import Claim, Ledger
from exactdp.ledger.reading import loses, read_ledger, write_ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism

__all__ = [
    "Claim",
    "ConcentratedMechanism",
    "Entry",
    "GaussianMechanism",
    "Ledger",
    "Mechanism",
    "ledger_of_inline",
    "loses",
    "parse_inline",
    "read_ledger",
    "write_ledger",
]
