r"""The libraries of the extra ``attest``, asked for when they are needed."""

from __future__ import annotations

from typing import Any

from exactdp.errors import InputError


def canonical_json(document: dict[str, Any]) -> bytes:
    """The canonical bytes of a JSON object (RFC 8785).

    Raises:
        InputError: a text that is not Unicode, or the extra is not installed.
    """
    try:
        import rfc8785  # noqa: PLC0415 (an extra)
    except ImportError:
        raise not_installed("rfc8785") from None
    try:
        return rfc8785.dumps(document)
    except rfc8785.CanonicalizationError as error:
        raise InputError(
            field="statement", value=str(error), expected="texts in Unicode, without surrogates"
        ) from None


def not_installed(library: str) -> InputError:
    """The error where the extra is not installed."""
    return InputError(
        field="attestations",
        value=f"{library} is not installed",
        expected="the libraries of the extra attest",
        remedy="pip install 'exactdp[attest]'",
        code="not-installed",
    )
