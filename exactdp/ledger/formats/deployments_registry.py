r"""Entries of the OpenDP deployments registry: a reader of their YAML.

Rules of this file: an entry states what a whole release costs, so that it becomes one mechanism; a
variant of differential privacy that (ε, δ) or ρ do not express is refused by name; every scalar is
read as its text.

Theory of operation: ``dp_variant.variant_name`` says which of ``privacy_loss.privacy_parameters``
hold: ε, ε and δ, or ρ. How the parts of a release were composed is free text there, and is kept in
the notes, not judged.

Source: OpenDP deployments registry, ``schemas/deployments-schema.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.formats.strict_json import decode_utf8
from exactdp.ledger.model import ConcentratedMechanism, Entry, Ledger, Mechanism

_PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = {
    "pure dp": ("epsilon",),
    "approximate dp": ("epsilon", "delta"),
    "zero-concentrated dp": ("rho",),
}
_LABEL: Final = "the whole release"
_PLACE: Final = "privacy_loss.privacy_parameters"


def read(data: bytes) -> Ledger:
    """Read an entry.

    Raises:
        InputError: not YAML, or not an entry; or PyYAML is not installed.
        UnsupportedError: another variant of differential privacy.
    """
    yaml = _yaml()
    try:
        tree = yaml.load(decode_utf8(data), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        place = getattr(error, "problem_mark", None)
        raise InputError(
            field="ledger",
            value=getattr(error, "problem", None) or "not YAML",
            path="" if place is None else f"line {place.line + 1}, column {place.column + 1}",
            expected="an entry of the deployments registry, in YAML",
        ) from None
    variant = _text(tree, "dp_variant", "variant_name")
    wanted = _PARAMETERS.get(variant.casefold())
    if wanted is None:
        raise UnsupportedError(
            field="variant_name",
            value=variant,
            path="dp_variant.variant_name",
            expected="Pure DP, Approximate DP or Zero-concentrated DP",
        )
    notes = [
        f"{key}: {text}" for key in ("composition", "post_processing")
        if (text := _optional(tree, "accounting", key))
    ]  # fmt: skip
    return Ledger(
        (_mechanism(tree, wanted),),
        name=_optional(tree, "name") or _optional(tree, "title"),
        unit_of_privacy=_optional(tree, "privacy_loss", "privacy_unit"),
        notes="; ".join(notes),
    )


def _mechanism(tree: object, wanted: tuple[str, ...]) -> Entry:
    texts = [_text(tree, *_PLACE.split("."), key) for key in wanted]
    try:
        if wanted == ("rho",):
            return ConcentratedMechanism(texts[0], label=_LABEL)
        return Mechanism(texts[0], texts[1] if len(texts) > 1 else 0, label=_LABEL)
    except InputError as error:
        raise error.located(f"{_PLACE}.{error.field}") from None


def _text(tree: object, *keys: str) -> str:
    text = _optional(tree, *keys)
    if not text:
        raise InputError(
            field=keys[-1],
            value="nothing",
            path=".".join(keys),
            expected="what an entry of the deployments registry states here",
            code="missing-key",
        )
    return text


def _optional(tree: object, *keys: str) -> str:
    """The text at ``keys``, or ""."""
    value: Any = tree
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _yaml() -> Any:  # noqa: ANN401 (a module that need not be installed)
    """PyYAML."""
    try:
        import yaml  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        raise InputError(
            field="ledger",
            value="PyYAML is not installed",
            expected="PyYAML, which reads the registry's files",
            remedy="pip install 'exactdp[registry]'",
            code="not-installed",
        ) from None
    return yaml
