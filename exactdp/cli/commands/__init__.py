r"""The commands: one file for each, named after it.

Rules of these files: a command reads its input, asks the library one question, and renders the
answer; whatever it writes has been verified first, and is written last.
"""
