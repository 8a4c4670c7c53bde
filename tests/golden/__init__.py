"""What the program answered before its rooms were moved: numbers, exit codes and refusals."""
