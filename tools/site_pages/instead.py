r"""What ``mkdocs build`` alone says: the site is made of a copy that another program stages.

Rules of this file: it is the hook of ``mkdocs.yml``, and not of the copy that is built.
"""

message = "The site is built with: python tools/build_site.py [-o DIRECTORY]"
raise SystemExit(message)
