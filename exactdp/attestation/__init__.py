r"""Attestations: signed statements that a certificate about a ledger was accepted."""
