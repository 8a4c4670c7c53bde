"""The Fourier engine: the characteristic function of the privacy loss, and its inverse."""
