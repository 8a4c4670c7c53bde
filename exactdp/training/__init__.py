r"""Training with noise: what a plan of DP-SGD promises, by how its batches are drawn."""
