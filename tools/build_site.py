r"""Build the site of the documentation, strictly: a page that links to nothing fails the build.

Rules of this file: the site has the pages of the repository under their own paths, so that every
link of a page is a link of the site; nothing is written beside the target but a folder of its own,
which is gone afterwards.

Theory of operation: from the README and the pages of ``docs`` all links are followed within the
repository. Pages become pages, other files are kept as they are. The reference of the API has a
section for each public name, made from its docstring (:mod:`tools.site_docstrings`). MkDocs then
builds the copy.

    python tools/build_site.py [-o DIRECTORY]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import exactdp

ROOT: Final = Path(__file__).resolve().parent.parent
REFERENCE: Final = "docs/reference.md"
_LINK: Final = re.compile(r"\]\((?![a-z]+:)([^)#\s]+)")
_CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """The pages to begin with."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def linked_files(page: Path) -> Iterator[Path]:
    """The files of the repository that a page links to."""
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / link).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            yield target


def all_files() -> set[Path]:
    """The pages, and whatever they lead to."""
    waiting, found = pages(), set(pages())
    while waiting:
        page = waiting.pop()
        for target in linked_files(page) if page.suffix == ".md" else ():
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def reference() -> str:
    """The reference of the API: a section for each public name."""
    names = [name for name in exactdp.__all__ if name in exactdp._HOMES]  # noqa: SLF001 (its table)
    sections = [f"## exactdp.{name}\n\n::: {'.'.join(exactdp.home_of(name))}\n" for name in names]
    return "\n".join(["# Reference of the API\n", *sections])


def configuration() -> str:
    """What MkDocs is told: ``mkdocs.yml``, and at its end the pages that it does not name."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    names = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]
    others = [name for name in names if f"- {name}\n" not in text and f": {name}\n" not in text]
    return text + "".join(
        ["  - Further pages:\n"] * bool(others) + [f"      - {n}\n" for n in others]
    )


def stage(place: Path) -> None:
    """Copy what the site is made of."""
    for source in all_files():
        target = place / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    (place / "README.md").rename(place / "index.md")
    (place / REFERENCE).write_text(reference(), encoding="utf-8")


def build(output: Path) -> None:
    """Write the site.

    Raises:
        CalledProcessError: a page is wrong; the reason has been printed.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        stage(place / "pages")
        (place / "mkdocs.yml").write_text(configuration(), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
        command += ["--config-file", str(place / "mkdocs.yml"), "--site-dir", str(output.resolve())]
        environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run(command, check=True, cwd=ROOT, env=environment)  # noqa: S603 (our own command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("-o", "--output", type=Path, default=Path("site"))
    build(parser.parse_args(arguments).output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
