"""The papers' own algorithms, as they are printed, beside what this package computes."""
