"""Engines: what the divergence of one composition is, computed in four ways, and at what cost."""
