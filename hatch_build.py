r"""What an index shows of the package: where the project is, and a README whose links work.

Rules of this file: the repository is named by who makes the release, in ``EXACTDP_REPOSITORY``, for
no copy of the source knows where it is kept; without it there are no addresses, and the README is
as it is. Links lead to the files of this version's tag, so that they stay true.

Theory of operation: the build calls :class:`CustomMetadataHook`. A wheel that is built from the
source of a release takes these fields from that.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE: Final = "EXACTDP_REPOSITORY"
_LINK: Final = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")


class CustomMetadataHook(MetadataHookInterface):
    """The dynamic fields of ``pyproject.toml``: ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill them in."""
        root = Path(self.root)
        text = (root / "README.md").read_text(encoding="utf-8")
        repository = os.environ.get(VARIABLE, "").rstrip("/")
        metadata["urls"] = addresses(repository, metadata["version"]) if repository else {}
        if repository:
            text = with_absolute_links(text, root, repository, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def addresses(repository: str, version: str) -> dict[str, str]:
    """Where the project is, what it says of itself, and where it is told what is wrong.

    >>> addresses("https://example.org/us/exactdp", "1.0")["Changelog"]
    'https://example.org/us/exactdp/blob/v1.0/CHANGELOG.md'
    """
    files = f"{repository}/blob/v{version}"
    return {
        "Source": repository,
        "Documentation": f"{files}/docs/guide.md",
        "Changelog": f"{files}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
        "Security": f"{files}/SECURITY.md",
    }


def with_absolute_links(text: str, root: Path, repository: str, version: str) -> str:
    """A page of the top folder whose links to files and folders are addresses.

    >>> with_absolute_links("[a](b.md#c) [d](#e)", Path(), "https://example.org/x", "1.0")
    '[a](https://example.org/x/blob/v1.0/b.md#c) [d](#e)'
    """

    def address(found: re.Match[str]) -> str:
        kind = "tree" if (root / found[1]).is_dir() else "blob"
        return f"{repository}/{kind}/v{version}/{quote(found[1])}"

    return _LINK.sub(address, text)
