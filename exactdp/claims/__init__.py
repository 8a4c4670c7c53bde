"""Published claims against what the composition theorems allow."""
