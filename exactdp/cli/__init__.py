"""The command line: commands and rendering, no mathematics."""
