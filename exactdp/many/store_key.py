r"""The key of a user's stores: what is kept in a store is believed only if it was written with it.

Rules of this file: the key never stands in a store; whoever can write to a store, and cannot read
the key, changes no answer that is given from it. Without a place for a key, one is made that ends
with the run: nothing is believed that another run has kept.

Theory of operation: a tag is HMAC-SHA-256 over everything that an answer is made of. An answer is
tagged by the process that computed it, or that was told it by its workers, so that a tag says: this
user's exactdp has found just this about just this content.

Sources: RFC 2104 (HMAC); XDG Base Directory Specification 0.8.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from exactdp.errors import InputError

VARIABLE: Final = "EXACTDP_STORE_KEY"
_LEAST_LETTERS: Final = 32
_BYTES: Final = 32
_WRITTEN: Final = re.compile(r"[0-9a-f]{64}\n?")


@dataclass(frozen=True, slots=True)
class StoreKey:
    """A key.

    Attributes:
        secret: its bytes.
        remark: why another run will not believe what this one keeps; "" where it will.
    """

    secret: bytes = field(repr=False)
    remark: str = ""

    def tag(self, *parts: object) -> bytes:
        """The tag of values that JSON can hold."""
        text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
        return hmac.digest(self.secret, text.encode(), "sha256")

    def wrote(self, tag: object, *parts: object) -> bool:
        """Whether a tag is that of these values."""
        return isinstance(tag, bytes) and hmac.compare_digest(tag, self.tag(*parts))


def key_of_user() -> StoreKey:
    """The key that this user's stores are written with; the first call makes it.

    Raises:
        InputError: what stands in its place is no key.
    """
    if (given := os.environ.get(VARIABLE)) is not None:
        return _given(given)
    try:
        place = _place()
        if not place.exists():
            _make(place)
        text = place.read_text("ascii", "replace")
    except (OSError, RuntimeError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "there is no home directory"
        remark = (
            f"no key can be kept for the store ({reason}), so that the next run believes nothing "
            f"of it; set {VARIABLE} to a secret of at least {_LEAST_LETTERS} letters"
        )
        return StoreKey(secrets.token_bytes(_BYTES), remark)
    if _WRITTEN.fullmatch(text) is None:
        raise InputError(
            field="key of the store",
            value=f"{len(text)} letters",
            path=str(place),
            expected=f"{2 * _BYTES} hexadecimal digits",
            remedy="remove this file: another key is made, and answers are computed once more",
        )
    return StoreKey(bytes.fromhex(text.strip()))


def _given(text: str) -> StoreKey:
    if len(text) < _LEAST_LETTERS:
        raise InputError(
            field=VARIABLE,
            value=f"{len(text)} letters",
            expected=f"a secret of at least {_LEAST_LETTERS} letters",
            remedy="python3 -c 'import secrets; print(secrets.token_hex())' makes one",
        )
    return StoreKey(hashlib.sha256(os.fsencode(text)).digest())


def _place() -> Path:
    stated = os.environ.get("XDG_STATE_HOME", "")
    state = Path(stated) if Path(stated).is_absolute() else Path.home() / ".local" / "state"
    return state / "exactdp" / "store.key"


def _make(place: Path) -> None:
    """Make a key, readable by the user alone; if another process is faster, it is theirs."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, f"{secrets.token_hex(_BYTES)}\n".encode())
        os.fsync(descriptor)
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, place)
    finally:
        os.close(descriptor)
        unfinished.unlink()
