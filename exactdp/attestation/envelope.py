r"""Signed envelopes (DSSE) around statements.

Rules of this file: Ed25519 and nothing else; the type of the payload is signed with it, and another
type is refused; which key is trusted is the caller's to say, never the envelope's: what an envelope
calls its key is not looked at.

Source: DSSE, protocol v1 (pre-authentication encoding) and JSON envelope.
"""

from __future__ import annotations

import binascii
import json
from typing import TYPE_CHECKING, Any, Final

from exactdp.attestation.libraries import canonical_json, not_installed
from exactdp.errors import InputError

if TYPE_CHECKING:
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_PUBLIC: Final = "an Ed25519 public key in PEM"
_PRIVATE: Final = "an Ed25519 private key in PEM (PKCS #8), not encrypted"
_MAKE_KEYS: Final = "openssl genpkey -algorithm ed25519 makes one"
_MOST_SIGNATURES: Final = 16


def sealed(payload: bytes, private_key: bytes) -> tuple[bytes, str]:
    """The bytes of an envelope around a statement, and the identifier of the key.

    Raises:
        InputError: not such a key, or the extra is not installed.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 (an extra)
            Ed25519PrivateKey,
        )
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 (an extra)
            load_pem_private_key,
        )
        from securesystemslib.dsse import Envelope  # noqa: PLC0415 (an extra)
        from securesystemslib.signer import CryptoSigner  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise not_installed(error.name or "securesystemslib") from None
    try:
        key = load_pem_private_key(private_key, None)
    except (ValueError, TypeError) as error:
        raise _bad_key("--key", type(error).__name__, _PRIVATE) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _bad_key("--key", "a key of another kind", _PRIVATE)
    signer = CryptoSigner(key)
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return canonical_json(envelope.to_dict()) + b"\n", signer.public_key.keyid


def opened(data: bytes, public_key: bytes) -> tuple[bytes, str]:
    """The payload of an envelope that this key has signed, and the identifier of the key.

    Raises:
        InputError: not a key, not an envelope, or the extra is not installed.
        NotAttestedError: the key has not signed this, or it is of another type.
    """
    key = _public(public_key)
    envelope = _parsed(data)
    if envelope.payload_type != PAYLOAD_TYPE:
        raise NotAttestedError(f"its payload is of another type ({envelope.payload_type!r})")
    if not _has_signed(key, envelope):
        raise NotAttestedError("this key has not signed it")
    return envelope.payload, key.keyid


class NotAttestedError(Exception):
    """An envelope that says nothing that can be relied upon, and why."""


def _has_signed(key: SSlibKey, envelope: Envelope) -> bool:
    from securesystemslib.exceptions import (  # noqa: PLC0415 (an extra)
        UnverifiedSignatureError,
        VerificationError,
    )
    from securesystemslib.signer import Signature  # noqa: PLC0415 (an extra)

    message = envelope.pae()
    for signature in envelope.signatures.values():
        try:
            key.verify_signature(Signature(key.keyid, signature.signature), message)
        except (UnverifiedSignatureError, VerificationError):
            continue
        return True
    return False


def _public(data: bytes) -> SSlibKey:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 (an extra)
            Ed25519PublicKey,
        )
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 (an extra)
            load_pem_public_key,
        )
        from securesystemslib.signer import SSlibKey  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise not_installed(error.name or "securesystemslib") from None
    try:
        key = load_pem_public_key(data)
    except ValueError as error:
        raise _bad_key("--public-key", type(error).__name__, _PUBLIC) from None
    if not isinstance(key, Ed25519PublicKey):
        raise _bad_key("--public-key", "a key of another kind", _PUBLIC)
    return SSlibKey.from_crypto(key)


def _parsed(data: bytes) -> Envelope:
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 (an extra)
    from securesystemslib.exceptions import FormatError  # noqa: PLC0415 (an extra)

    try:
        tree: Any = json.loads(data)
        if not isinstance(tree["payloadType"], str) or len(tree["signatures"]) > _MOST_SIGNATURES:
            raise _no_envelope("another shape")
        # Two signatures with one identifier are two signatures: identifiers are hints.
        signatures = [
            {"keyid": str(number), "sig": each["sig"]}
            for number, each in enumerate(tree["signatures"])
        ]
        return Envelope.from_dict({**tree, "signatures": signatures})
    except (
        *(ValueError, KeyError, TypeError, AttributeError, RecursionError),
        *(binascii.Error, FormatError),
    ) as error:
        raise _no_envelope(type(error).__name__) from None


def _no_envelope(what: str) -> InputError:
    return InputError(
        field="--attestation",
        value=what,
        expected="a DSSE envelope: a JSON object of payload, payloadType and signatures",
        code="bad-envelope",
    )


def _bad_key(field: str, value: str, expected: str) -> InputError:
    return InputError(field=field, value=value, expected=expected, remedy=_MAKE_KEYS)
