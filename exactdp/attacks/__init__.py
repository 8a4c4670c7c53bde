"""Attacks on membership: what one gains at most, and what the outcome of one rejects."""
