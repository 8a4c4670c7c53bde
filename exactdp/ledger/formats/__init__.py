"""Formats: one file for each reader and writer of ledgers."""
