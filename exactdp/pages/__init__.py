r"""A report on ledgers as one file of HTML that needs nothing else, and verifies itself."""
