"""Time limits: when work stops, and what of it is begun at all."""
