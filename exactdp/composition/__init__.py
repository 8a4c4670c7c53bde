"""Optimal composition: engines, planner, references, and the certificates they justify."""
