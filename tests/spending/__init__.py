"""Tests of budgets that are spent as one goes."""
