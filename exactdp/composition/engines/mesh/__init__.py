"""The mesh engine: privacy losses on a mesh, composed from above and from below."""
