"""Mechanisms by their noise: their privacy losses on a mesh, composed from above and from below."""
