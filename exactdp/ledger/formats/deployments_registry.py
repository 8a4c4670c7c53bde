r"""Entries of the OpenDP deployments registry: reader and writer of their YAML.

Rules of this file: an entry states what a whole release costs, so that it becomes one mechanism; a
variant of differential privacy that (ε, δ) or ρ do not express is refused by name; every scalar is
read as its text. A key that stands twice is refused, and so is one beside the parameters that the
schema does not have, or a parameter that stands elsewhere: it may change what the others say.

Theory of operation: ``dp_variant.variant_name`` says which of ``privacy_loss.privacy_parameters``
hold: ε, ε and δ, or ρ. A δ that is stated of a pure variant is kept, as leaving it out would say
more than the entry does. What the entry states of the whole is a claim of its ledger too, and so
are an ε and a δ beside a ρ, which may not follow from it. How the parts of a release were composed
is free text there, and is kept in the notes, not judged; what is not protected is kept in the
source. The schema of July 2026 has
all of it under ``deployment``, and the name at ``deployment.basic.name``; entries without that
level are read as well.

Source: OpenDP deployments registry, ``schemas/deployments-schema.yaml`` of 2026-07-15.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.strict_json import decode_utf8, nodes
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, Mechanism

_PURE: Final = ("epsilon",)
_APPROXIMATE: Final = ("epsilon", "delta")
_PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = {
    "pure dp": _PURE,
    "approximate dp": _APPROXIMATE,
    "zero-concentrated dp": ("rho",),
}
KEPT: Final = ("name", "unit_of_privacy", "notes")
"""What an entry holds of a ledger beside its mechanism."""
_LOSS: Final = "privacy_loss"
_LOSSES: Final = (
    *("privacy_unit", "privacy_unit_details", "privacy_unit_description"),
    *("privacy_parameters", "privacy_parameters_details", "privacy_parameters_description"),
)
_STATED_ONCE: Final = frozenset(
    {"epsilon", "delta", "rho", "mu", "count", "runs", "privacy_parameters", "privacy_loss"}
)
"""What stands at its own place alone, in whatever case."""
_TABLE: Final = (
    "if it is a table, begin the lines above its header with #, and write into its rows what these "
    "lines say of them (a number of runs is a column count)"
)
_LABEL: Final = "the whole release"
_STATED: Final = "the entry, of the whole release"
_BESIDE: Final = "the entry, beside its rho"
_PLACE: Final = "privacy_loss.privacy_parameters"
_KEY_OF_YAML: Final = re.compile(rb"[A-Za-z_][\w-]*:(?:[ \t\r\n]|$)")
_BEFORE: Final = re.compile(rb"\A(?:(?:---)?[ \t]*(?:#[^\n]*)?\r?\n)*")


def recognises(begin: bytes) -> bool:
    """Whether the bytes begin with a key of YAML, as no other format of ledgers does."""
    return _KEY_OF_YAML.match(_BEFORE.sub(b"", begin, count=1)) is not None


def read(data: bytes) -> Ledger:
    """Read an entry.

    Raises:
        InputError: not YAML, or not an entry; or PyYAML is not installed.
        UnsupportedError: another variant of differential privacy.
    """
    yaml = _yaml()
    try:
        tree = yaml.load(decode_utf8(data), Loader=_loader(yaml))
    except (yaml.YAMLError, RecursionError) as error:
        place = getattr(error, "problem_mark", None)
        raise InputError(
            field="ledger",
            value=getattr(error, "problem", None) or "not YAML",
            path="" if place is None else f"line {place.line + 1}, column {place.column + 1}",
            expected="an entry of the deployments registry, in YAML",
            remedy=_TABLE,
        ) from None
    place = "deployment." if isinstance(tree, dict) and "deployment" in tree else ""
    _check_places(tree, f"{place}{_LOSS}")
    try:
        return _ledger(tree["deployment"] if place else tree)
    except InputError as error:
        raise error.located(place + error.path) from None


def _ledger(tree: object) -> Ledger:
    """The ledger of what an entry states of a deployment."""
    variant = _text(tree, "dp_variant", "variant_name")
    wanted = _PARAMETERS.get(variant.casefold())
    if wanted is None:
        raise UnsupportedError(
            field="variant_name",
            value=variant,
            path="dp_variant.variant_name",
            expected="Pure DP, Approximate DP or Zero-concentrated DP",
        )
    _check_loss(tree, (*_APPROXIMATE, *(key for key in wanted if key not in _APPROXIMATE)))
    if wanted == _PURE and _optional(tree, *_PLACE.split("."), "delta"):
        wanted = _APPROXIMATE
    notes = [
        f"{key}: {text}" for key in ("composition", "post_processing")
        if (text := _optional(tree, "accounting", key))
    ]  # fmt: skip
    return Ledger(
        (_mechanism(tree, wanted),),
        name=_optional(tree, "basic", "name")
        or _optional(tree, "name")
        or _optional(tree, "title"),
        unit_of_privacy=_optional(tree, "privacy_loss", "privacy_unit").strip(),
        claims=tuple(_claims(tree, wanted)),
        source=_source(tree),
        notes="; ".join(notes),
    )


def _claims(tree: object, wanted: tuple[str, ...]) -> Iterator[Claim]:
    """What the entry states of the whole release, and an ε beside its ρ."""
    texts = {key: _optional(tree, *_PLACE.split("."), key) for key in ("rho", *_APPROXIMATE)}
    try:
        if wanted == ("rho",):
            yield Claim(None, None, "composition", _STATED, rho=texts["rho"])
        if texts["epsilon"]:
            delta = as_rational(texts["delta"], "delta") if texts["delta"] else None
            epsilon = as_number(texts["epsilon"], "epsilon")
            yield Claim(epsilon, delta, "composition", _STATED if wanted != ("rho",) else _BESIDE)
    except InputError as error:
        raise error.located(f"{_PLACE}.{error.field}") from None


def _source(tree: object) -> tuple[tuple[str, str], ...]:
    """Where the entry comes from, and what of the data it says is not protected."""
    date = _optional(tree, "basic", "publication_date")
    found = {
        "title": _optional(tree, "basic", "name"),
        "year": date.partition("-")[0],
        "sources": _optional(tree, "administrative", "sources").strip(),
        "via": "OpenDP Deployments Registry",
        "unprotected_quantities": _optional(tree, "dp_variant", "unprotected_quantities").strip(),
    }
    return tuple((key, text) for key, text in found.items() if text)


def _check_loss(tree: object, wanted: Collection[str]) -> None:
    """Refuse what stands beside the parameters of a variant, and one that is no text."""
    loss = tree.get(_LOSS) if isinstance(tree, dict) else None
    parameters = loss.get("privacy_parameters") if isinstance(loss, dict) else None
    for tree_of, known, place in ((loss, _LOSSES, _LOSS), (parameters, wanted, _PLACE)):
        for key, value in tree_of.items() if isinstance(tree_of, dict) else ():
            if key not in known:
                raise _unknown(key, value, place, f"no key but {', '.join(known)}")
            if place == _PLACE and not isinstance(value, str):
                raise _unknown(key, value, place, "one number")


def _check_places(tree: object, loss: str) -> None:
    """Refuse a parameter, or a second loss, that stands elsewhere than the one that is read."""
    for keys, mapping in nodes(tree):
        for key, value in mapping.items() if isinstance(mapping, dict) else ():
            place = ".".join(map(str, keys))
            own = f"{place}.{key}" == f".{loss}" or f"{place}.{key}".startswith(loss)
            if not own and str(key).casefold() in _STATED_ONCE:
                raise _unknown(key, value, place, f"parameters in {loss} alone")


def _unknown(key: object, value: object, place: str, expected: str) -> InputError:
    return InputError(
        field=shorten(str(key)),
        value=shorten(str(value)),
        path=".".join(filter(None, (place, shorten(str(key))))),
        expected=expected,
        remedy="remove it if the parameters hold what it says; otherwise compose first",
        code="unknown-key",
    )


def write(ledger: Ledger) -> str:
    """Write a ledger of one mechanism as an entry; what the registry asks beyond that is left out.

    Raises:
        UnsupportedError: several mechanisms, or one that no variant of the registry expresses.
    """
    entry = ledger.mechanisms[0] if ledger.size == 1 else None
    if entry is None or entry.name not in ("epsilon", "rho"):
        raise UnsupportedError(
            field="mechanisms",
            value=f"{ledger.size} mechanisms" if entry is None else "mu",
            path="$.mechanisms",
            expected="one mechanism given by epsilon or rho, as an entry is about a whole release",
            remedy="compose them first, and write the result as one mechanism",
        )
    deployment: dict[str, object] = {"basic": {"name": ledger.name}} if ledger.name else {}
    deployment["dp_variant"] = {"variant_name": _variant(entry)}
    loss: dict[str, object] = {"privacy_parameters": _parameters(entry)}
    if ledger.unit_of_privacy:
        loss = {"privacy_unit": ledger.unit_of_privacy, **loss}
    deployment["privacy_loss"] = loss
    if ledger.notes:
        deployment["accounting"] = {"composition": ledger.notes.removeprefix("composition: ")}
    return "\n".join(_yaml_lines({"deployment": deployment})) + "\n"


def _variant(entry: Entry) -> str:
    if entry.name == "rho":
        return "Zero-concentrated DP"
    return "Approximate DP" if entry.failure() else "Pure DP"


def _parameters(entry: Entry) -> dict[str, object]:
    """The parameters, exactly; a number that is no decimal is a text."""
    texts = Texts()
    return {key: texts[each] for key, each in entry.shape().items() if key != "delta" or each}


def _yaml_lines(tree: Mapping[str, object], indent: str = "") -> list[str]:
    """Block mappings; numbers as they are, texts in double quotes."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{key}:", *_yaml_lines(value, f"{indent}  ")]
        else:
            lines.append(f"{indent}{key}: {_scalar(key, str(value))}")
    return lines


def _scalar(key: str, text: str) -> str:
    is_number = key in ("epsilon", "delta", "rho") and _NUMBER.fullmatch(text)
    if is_number:
        return text
    letters = (
        letter if letter.isprintable() and letter not in '"\\' else f"\\U{ord(letter):08x}"
        for letter in text
    )
    return f'"{"".join(letters)}"'


_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


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


def _loader(yaml: Any) -> Any:  # noqa: ANN401 (a class of a module that need not be installed)
    """A loader of texts that refuses a key that stands twice, and an alias."""

    class Loader(yaml.BaseLoader):  # type: ignore[misc]  # its base is not known
        def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401
            """The node; none stands for another one, which could hold itself."""
            if self.check_event(yaml.AliasEvent):
                raise InputError(
                    field="ledger",
                    value="an alias",
                    path=f"line {self.peek_event().start_mark.line + 1}",
                    expected="what it stands for, written out",
                )
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401
            """The mapping; every key of it is there."""
            mapping, seen = super().construct_mapping(node, deep), set[object]()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if key in seen:
                    raise InputError(
                        field=shorten(str(key)),
                        value="a key that stands twice",
                        path=f"line {key_node.start_mark.line + 1}",
                        expected="each key once in a mapping",
                        remedy="remove one of the two",
                        code="duplicate-key",
                    )
                seen.add(key)
            return mapping

    return Loader


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
