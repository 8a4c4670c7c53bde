r"""The gate: policies of a folder, and whether its ledgers keep them."""
