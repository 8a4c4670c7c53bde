"""Canonical bytes: how statements and derivations are written, and what they are sorted by."""

from __future__ import annotations

import json


def canonical_bytes(value: object) -> bytes:
    """RFC 8785 for values of objects, arrays and strings whose keys are ASCII.

    >>> canonical_bytes({"b": ["2"], "a": "ε"}).decode()
    '{"a":"ε","b":["2"]}'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")
