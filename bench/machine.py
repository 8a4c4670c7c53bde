r"""What the numbers were measured on: the processor, the memory, versions and the day.

Rules of this file: nothing here names the machine, its users or its files.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

_GIB: Final = 2**30


def description() -> Mapping[str, str]:
    """The machine and the versions, as texts by name."""
    from flint import __FLINT_VERSION__  # noqa: PLC0415 (only here)

    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": _first("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
        "system": platform.system(),
        "python": platform.python_version(),
        "exactdp": version("exactdp"),
        "python-flint": version("python-flint"),
        "FLINT": str(__FLINT_VERSION__),
        "gmpy2": version("gmpy2"),
        "load": f"{load():.1f}",
    }


def load() -> float:
    """How many processes wanted a core during the last minute."""
    return os.getloadavg()[0]


def _memory() -> str:
    kibibytes = _first("/proc/meminfo", "MemTotal").split()
    return f"{int(kibibytes[0]) * 1024 / _GIB:.0f} GiB" if kibibytes else "unknown"


def _first(file: str, key: str) -> str:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    pairs = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in pairs if name.strip() == key), "")
