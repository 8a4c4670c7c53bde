"""Keys for the tests, used for nothing else, and envelopes that nobody should make."""

from __future__ import annotations

import json
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner

from exactdp.attestation.envelope import PAYLOAD_TYPE

_OURS: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_THEIRS: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
_CURVE: Final = generate_private_key(SECP256R1())


def _private(key: Any, encryption: Any = None) -> bytes:  # noqa: ANN401 (of any kind)
    pem: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption())
    return pem


def _public(key: Any) -> bytes:  # noqa: ANN401 (of any kind)
    pem: bytes = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem


PRIVATE: Final = _private(_OURS)
PUBLIC: Final = _public(_OURS)
OTHER_PRIVATE: Final = _private(_THEIRS)
OTHER_PUBLIC: Final = _public(_THEIRS)
ENCRYPTED: Final = _private(_OURS, BestAvailableEncryption(b"x"))
CURVE_PRIVATE: Final = _private(_CURVE)
CURVE_PUBLIC: Final = _public(_CURVE)


def sealed_as(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """An envelope that our key has signed around whatever is given."""
    envelope = Envelope(payload, payload_type, {})
    envelope.sign(CryptoSigner(_OURS))
    return json.dumps(envelope.to_dict()).encode()
