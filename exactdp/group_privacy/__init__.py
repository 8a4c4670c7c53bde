"""Group privacy: what a composition promises to inputs that differ in more than one place."""
