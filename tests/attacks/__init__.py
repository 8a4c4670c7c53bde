"""Tests of :mod:`exactdp.attacks`."""
