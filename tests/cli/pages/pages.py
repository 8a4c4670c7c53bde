"""Reports as tests read them: the elements of a page, and the files within it."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from tests.cli.running import Answer, exactdp

_VOID: Final = frozenset({"input", "link", "meta"})


@dataclass
class Element:
    """An element, with what stands in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    inside: list[Element] = field(default_factory=list)

    @property
    def typed(self) -> str:
        """Its text with powers as one types them: 1e-6."""
        text = re.sub(r"(?:(\d[\d.]*)·|\b)10−(\d+)", lambda m: f"{m[1] or 1}e-{m[2]}", self.text)
        return re.sub(r"\b2−(\d+)", r"2^-\1", text)


class Page(HTMLParser):
    """A page whose elements all close in their order; anything else fails."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(data.decode())
        self.close()
        assert self._open == []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        element = Element(name, {key: value or "" for key, value in attributes})
        assert len(element.attributes) == len(attributes), f"an attribute of {name} stands twice"
        self.elements.append(element)
        if self._open:
            self._open[-1].inside.append(element)
        if name not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(name, attributes)
        if name not in _VOID:
            self.handle_endtag(name)

    def handle_endtag(self, name: str) -> None:
        assert self._open.pop().name == name

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, name: str, class_: str = "") -> list[Element]:
        """The elements of a name, in the order of the page."""
        classes = set(class_.split())
        return [
            each
            for each in self.elements
            if each.name == name and classes <= set(each.attributes.get("class", "").split())
        ]

    def files(self) -> dict[str, bytes]:
        """What can be downloaded, by name."""
        links = [each for each in self.all("a") if "download" in each.attributes]
        return {
            each.attributes["download"]: base64.b64decode(each.attributes["href"].partition(",")[2])
            for each in links
        }


def report(*arguments: str) -> tuple[Answer, Page]:
    """Make a report in the current directory, and read it."""
    answer = exactdp("report", *arguments, "-o", "report.html", "--force")
    return answer, Page(Path("report.html").read_bytes())
