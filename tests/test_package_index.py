"""What a package index shows of a release: addresses, and a README with links that work."""

from __future__ import annotations

import email
import email.message
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

import exactdp
import hatch_build

ROOT: Final = Path(__file__).resolve().parents[1]
REPOSITORY: Final = "https://example.org/somebody/exactdp"
TAG: Final = f"v{exactdp.__version__}"
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")


class Links(HTMLParser):
    """The targets of links and pictures of a page, and its places that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for key, value in attrs if key in ("href", "src")]
        self.places |= {f"#{value}" for key, value in attrs if key == "id"}


def built(target: str, place: Path, repository: str = "") -> email.message.Message:
    """The metadata of a wheel or source distribution."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(place)]
    environment = {key: text for key, text in os.environ.items() if key != hatch_build.VARIABLE}
    if repository:
        environment[hatch_build.VARIABLE] = repository
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return metadata_of(next(place.iterdir()))


def metadata_of(path: Path) -> email.message.Message:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            [name] = [each for each in wheel.namelist() if each.endswith(".dist-info/METADATA")]
            return email.message_from_bytes(wheel.read(name))
    with tarfile.open(path) as archive:
        [member] = [each for each in archive.getmembers() if each.name.count("/") == 1
                    and each.name.endswith("/PKG-INFO")]  # fmt: skip
        content = archive.extractfile(member)
        assert content is not None
        return email.message_from_bytes(content.read())


def links_as_shown(metadata: email.message.Message) -> list[str]:
    """The links of the description, as the index renders it."""
    renderer = pytest.importorskip("readme_renderer.markdown", reason="readme-renderer is missing")
    assert metadata["Description-Content-Type"] == "text/markdown"
    description = metadata.get_payload(decode=True)
    assert isinstance(description, bytes)
    page = renderer.render(description.decode())
    assert page is not None
    links = Links()
    links.feed(page)
    return [link for link in links.found if link not in links.places]


def leads_somewhere(link: str) -> bool:
    """Whether a link of the page is to what the repository has at the tag, or elsewhere."""
    if not link.startswith(REPOSITORY):
        return re.match(r"https://[\w.-]+/", link) is not None
    kind, tag, path = link.removeprefix(f"{REPOSITORY}/").split("/", 2)
    target = ROOT / path.partition("#")[0]
    return tag == TAG and (target.is_dir() if kind == "tree" else target.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_every_link_of_the_readme_works_on_the_index(target: str, tmp_path: Path) -> None:
    metadata = built(target, tmp_path, REPOSITORY)
    links = links_as_shown(metadata)
    assert len([link for link in links if link.startswith(REPOSITORY)]) > 30
    assert [link for link in links if not leads_somewhere(link)] == []
    stated = dict(each.split(", ", 1) for each in metadata.get_all("Project-URL", []))
    assert stated == hatch_build.addresses(REPOSITORY, exactdp.__version__)
    assert all(leads_somewhere(url) for url in stated.values() if "/blob/" in url)


@pytest.mark.slow
def test_without_a_repository_there_are_no_addresses(tmp_path: Path) -> None:
    metadata = built("wheel", tmp_path)
    assert metadata.get_all("Project-URL") is None
    description = metadata.get_payload(decode=True)
    assert isinstance(description, bytes)
    assert description.decode().strip() == README.strip()


@pytest.mark.slow
def test_a_wheel_from_the_source_of_a_release_says_the_same(tmp_path: Path) -> None:
    stated = built("sdist", tmp_path / "source", REPOSITORY)
    [source] = (tmp_path / "source").iterdir()
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    [unpacked] = (tmp_path / "unpacked").iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "w")]
    environment = {key: text for key, text in os.environ.items() if key != hatch_build.VARIABLE}
    subprocess.run(command, cwd=unpacked, env=environment, check=True, capture_output=True)
    [wheel] = (tmp_path / "w").iterdir()
    again = metadata_of(wheel)
    assert again.get_all("Project-URL") == stated.get_all("Project-URL")
    assert again.get_payload() == stated.get_payload()


def test_a_link_that_leads_nowhere_is_found_out() -> None:
    page = hatch_build.with_absolute_links(
        "[a](docs) [b](README.md#exit-codes) [c](gone.md)", ROOT, REPOSITORY, exactdp.__version__
    )
    links = re.findall(r"\((.*?)\)", page)
    assert [leads_somewhere(link) for link in links] == [True, True, False]
    assert not leads_somewhere("docs/guide.md")


def test_every_relative_link_of_the_readme_becomes_an_address() -> None:
    page = hatch_build.with_absolute_links(README, ROOT, REPOSITORY, exactdp.__version__)
    assert re.findall(r"\]\((?!https:)[^)]*\)", page) == []
    links = re.findall(r"\]\((https:[^)]*)\)", page)
    assert len(links) > 30
    assert all(map(leads_somewhere, links))
