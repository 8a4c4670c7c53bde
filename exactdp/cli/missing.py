r"""What this installation or this system lacks, and bugs, as errors that say what to do.

Rules of this file: a package that is not there, and a system that exactdp is not made for, are no
bugs of exactdp: whatever fails for that becomes a sentence, here and nowhere else.

Theory of operation: the packages are those of ``pyproject.toml``, each by the name that Python
imports; a module of Python's own that is missing is one that this system does not have.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from exactdp.errors import ExactDPError, InputError, InternalError, UnsupportedError

_REPORT: Final = "this is a bug in exactdp; please report it with the command and its input"
SYSTEMS: Final = "a POSIX system: Linux or macOS"
NEEDED: Final = ("click", "flint", "gmpy2", "jsonschema_rs", "numpy", "rich")
"""What every installation has, but for one made with ``--no-deps``."""
EXTRAS: Final = {
    "autodp": "autodp",
    "cryptography": "attest",
    "diffprivlib": "diffprivlib",
    "distributed": "cluster",
    "dp_accounting": "dp-accounting",
    "highspy": "interactive",
    "hypothesis": "hunt",
    "matplotlib": "plot",
    "networkx": "parallel",
    "opacus": "opacus",
    "opendp": "opendp",
    "openpyxl": "xlsx",
    "prv_accountant": "prv-accountant",
    "pyarrow": "parquet",
    "rfc8785": "attest",
    "securesystemslib": "attest",
    "snsql": "smartnoise-sql",
    "sqlglot": "parallel",
    "yaml": "registry",
}
"""The extra that installs a package."""


_OF_POSIX: Final = frozenset(
    ("crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
)
"""Modules of Python's own that every POSIX system has."""


class UnexpectedError(InternalError):
    """What should not have happened, which is our fault."""

    def __init__(self, what: str) -> None:
        super().__init__(field="", value=what, expected="", remedy=_REPORT)

    def __str__(self) -> str:
        return f"internal error: {self.value}; {self.remedy}"


def known_error(error: Exception) -> ExactDPError:
    """The error that a command reports, whatever ended it."""
    if isinstance(error, ExactDPError):
        return error
    if isinstance(error, MemoryError):
        return UnexpectedError("out of memory")
    return lack_of(error) or UnexpectedError(f"{type(error).__name__}: {error}")


def lack_of(error: Exception) -> ExactDPError | None:
    """The error that a command reports where what failed is not its fault; None where it is.

    >>> print(lack_of(ModuleNotFoundError(name="matplotlib.figure")))
    package: matplotlib is not installed: expected it for this command; pip install 'exactdp[plot]'
    """
    name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    if name in sys.stdlib_module_names:
        if os.name == "posix" and name not in _OF_POSIX:
            return InputError(
                field="package",
                value=f"this Python was built without its own module {name}",
                expected="it for this command",
                remedy=f"install a Python that has {name}; your system may have it as a package",
                code="not-installed",
            )
        return _other_system(f"{sys.platform}, whose Python has no {name}")
    if name and name != "exactdp":
        extra = EXTRAS.get(name)
        return InputError(
            field="package",
            value=f"{name} is not installed",
            expected="it for this command",
            remedy=f"pip install 'exactdp[{extra}]'"
            if extra
            else "pip install --force-reinstall exactdp",
            code="not-installed",
        )
    if os.name != "posix":
        return _other_system(f"{sys.platform} ({type(error).__name__}: {error})")
    return None


def _other_system(value: str) -> UnsupportedError:
    return UnsupportedError(
        field="system",
        value=value,
        expected=SYSTEMS,
        remedy="run this command there; on Windows, in WSL",
        code="unsupported-system",
    )
