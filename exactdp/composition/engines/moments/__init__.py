"""The engine of moments: Rényi divergences, and what they give at one order."""
