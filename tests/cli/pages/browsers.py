"""Real browsers without a window, driven over the protocols that they bring with them.

Chromium speaks DevTools over two pipes, Firefox Marionette over a socket of this machine. Neither
needs a program beside itself. What is asked of them is little: open a file, evaluate an expression,
choose files, take a picture, print.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import pytest

PATIENCE: Final = 120
_PAUSE: Final = 0.05
_OUT_OF_THE_WAY: Final = 10


@dataclass(frozen=True)
class Look:
    """How a page is shown."""

    width: int = 900
    height: int = 1200
    dark: bool = False
    scripts: bool = True


class Browser(Protocol):
    """A browser with one page."""

    def go(self, url: str) -> None:
        """Open a page."""

    def go_within(self, url: str, width: int, host: Path) -> None:
        """Open a page so many pixels wide, in a frame of ``host`` where windows are wider."""

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 (whatever the expression gives)
        """The value of an expression of the page."""

    def choose(self, selector: str, files: list[Path]) -> None:
        """Choose files, as a person does by their input."""

    def picture(self) -> bytes:
        """The whole page, as PNG."""

    def printed(self) -> bytes:
        """The page as PDF."""


def wait_until(browser: Browser, expression: str) -> None:
    """Wait until an expression of the page holds; a page that never gets there fails the test."""
    for _ in range(round(PATIENCE / _PAUSE)):
        if browser.evaluate(expression):
            return
        time.sleep(_PAUSE)
    raise AssertionError(f"never: {expression}")


# --- Chromium -----------------------------------------------------------------------------------


class _Chromium:
    def __init__(self, commands: BinaryIO, answers: BinaryIO) -> None:
        self._commands, self._answers = commands, answers
        self._number = 0
        self._session: str | None = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]

    def _ask(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _message(self) -> bytes:
        parts = []
        while (letter := self._answers.read(1)) != b"\0":
            assert letter, "Chromium has ended"
            parts.append(letter)
        return b"".join(parts)

    def look(self, look: Look) -> None:
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=look.width,
            height=look.height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = "dark" if look.dark else "light"
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._ask("Emulation.setEmulatedMedia", features=features)
        self._ask("Emulation.setScriptExecutionDisabled", value=not look.scripts)

    def go(self, url: str) -> None:
        self._ask("Page.navigate", url=url)
        wait_until(self, f"document.readyState === 'complete' && location.href === {url!r}")

    def go_within(self, url: str, width: int, host: Path) -> None:
        del host
        self.look(Look(width=width))
        self.go(url)

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 (as above)
        return self._ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )["result"].get("value")

    def choose(self, selector: str, files: list[Path]) -> None:
        root = self._ask("DOM.getDocument")["root"]["nodeId"]
        node = self._ask("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self._ask("DOM.setFileInputFiles", nodeId=node, files=[str(each) for each in files])

    def picture(self) -> bytes:
        shot = self._ask("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def printed(self) -> bytes:
        return base64.b64decode(self._ask("Page.printToPDF", printBackground=True)["data"])


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are out of the way of 3 and 4, which Chromium calls its own."""
    low = os.pipe()
    reading, writing = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY) for end in low)
    for end in low:
        os.close(end)
    return reading, writing


@contextmanager
def chromium(program: str, folder: Path, look: Look) -> Iterator[Browser]:
    """Chromium, for as long as the block runs."""
    (theirs, ours), (back, forth) = _pipe(), _pipe()
    options = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
        "--disable-dev-shm-usage",
        *("--remote-debugging-pipe", f"--user-data-dir={folder}"),
    ]

    def take_places() -> None:
        os.dup2(theirs, 3)
        os.dup2(forth, 4)

    process = subprocess.Popen(
        [program, *options],
        pass_fds=(3, 4),
        stderr=subprocess.DEVNULL,
        preexec_fn=take_places,  # noqa: PLW1509 (between fork and exec, it only moves two files)
    )
    os.close(theirs)
    os.close(forth)
    try:
        with os.fdopen(ours, "wb") as commands, os.fdopen(back, "rb") as answers:
            browser = _Chromium(commands, answers)
            browser.look(look)
            yield browser
    finally:
        _end(process)


# --- Firefox ------------------------------------------------------------------------------------


class _Firefox:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._message()
        self._ask("WebDriver:NewSession", capabilities={})

    def _ask(self, command: str, **parameters: object) -> Any:  # noqa: ANN401 (as above)
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._connection.sendall(f"{len(message)}:".encode() + message)
        _, _, error, result = json.loads(self._message())
        assert error is None, error
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _message(self) -> bytes:
        length = b""
        while not length.endswith(b":"):
            length += self._received(1)
        return self._received(int(length[:-1]))

    def _received(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            more = self._connection.recv(length - len(data))
            assert more, "Firefox has ended"
            data += more
        return data

    def go(self, url: str) -> None:
        self._ask("WebDriver:Navigate", url=url)

    def go_within(self, url: str, width: int, host: Path) -> None:
        frame = f'<iframe src="{url}" style="border: 0; width: {width}px; height: 90vh"></iframe>'
        host.write_text(f"<!DOCTYPE html><title>A frame</title>{frame}")
        self.go(host.as_uri())
        found = self._ask("WebDriver:FindElement", using="css selector", value="iframe")
        [identifier] = found.values()
        self._ask("WebDriver:SwitchToFrame", element=identifier)

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 (as above)
        script = f"return ({expression})"
        return self._ask("WebDriver:ExecuteScript", script=script, args=[], sandbox=None)

    def choose(self, selector: str, files: list[Path]) -> None:
        found = self._ask("WebDriver:FindElement", using="css selector", value=selector)
        [identifier] = found.values()
        text = "\n".join(map(str, files))
        self._ask("WebDriver:ElementSendKeys", id=identifier, text=text)

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("WebDriver:TakeScreenshot", full=True))

    def printed(self) -> bytes:
        return base64.b64decode(self._ask("WebDriver:Print", background=True))


@contextmanager
def firefox(program: str, folder: Path, look: Look) -> Iterator[Browser]:
    """Firefox, for as long as the block runs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    preferences = {
        "marionette.port": port,
        "ui.systemUsesDarkTheme": int(look.dark),
        "layout.css.prefers-color-scheme.content-override": 0 if look.dark else 1,
        "javascript.enabled": look.scripts,
        "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
    folder.mkdir(exist_ok=True)
    lines = [f'user_pref("{key}", {json.dumps(value)});\n' for key, value in preferences.items()]
    (folder / "user.js").write_text("".join(lines))
    size = {"MOZ_HEADLESS_WIDTH": str(look.width), "MOZ_HEADLESS_HEIGHT": str(look.height)}
    process = subprocess.Popen(
        [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
        env={**os.environ, **size, "HOME": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with _connected(port) as connection:
            yield _Firefox(connection)
    finally:
        _end(process)


def _connected(port: int) -> socket.socket:
    for _ in range(round(PATIENCE / _PAUSE)):
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        time.sleep(_PAUSE)
    raise AssertionError("Firefox does not answer")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=600)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# --- which there are ----------------------------------------------------------------------------

PROGRAMS: Final = {
    "chromium": (chromium, ("chromium", "chromium-browser")),
    "firefox": (firefox, ("firefox-esr", "firefox")),
}


@contextmanager
def opened(name: str, folder: Path, look: Look) -> Iterator[Browser]:
    """A browser for as long as the block runs; without it the test is skipped, and says so."""
    start, programs = PROGRAMS[name]
    program = next((found for each in programs if (found := shutil.which(each))), None)
    if program is None:
        pytest.skip(f"no {name} is installed: apt-get install chromium firefox-esr")
    with start(program, folder, look) as browser:
        yield browser
