r"""What ``mkdocs build`` alone says: the site is made of a copy that another program stages.

Rules of this file: it is the hook of the project's ``mkdocs.yml``, which names no theme.
"""

message = "The site is built with: python tools/build_site.py [-o DIRECTORY]"
raise SystemExit(message)
