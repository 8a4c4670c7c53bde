"""Time limits: when work stops."""
