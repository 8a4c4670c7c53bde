"""Certificates as data: statements, derivations, canonical bytes. No checking lives here."""
