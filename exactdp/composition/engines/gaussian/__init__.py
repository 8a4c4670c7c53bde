"""The Gaussian engine: the curve of Gaussian noise, and mixtures of such curves."""
