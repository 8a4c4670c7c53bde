r"""What a certificate states, and whether that is what was asked.

Rules of this file: every object has exactly the keys of its table; every number is canonical
text; whatever a later rule relies on (ranges, order, signs) is checked here, once.

Theory of operation: a statement is about a multiset of privacy parameters, its subject. Equal
parameters are merged into one entry with a count, and entries are sorted, so that one multiset
has one writing; a ledger is about the same multiset if its merged entries are equal.

Sources: certs/SPEC.md, sections 1, 3, 4 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from .arithmetic.signs import sign
from .format.numbers import Number, canonical, parse, parse_canonical, parse_integer, rational_text
from .format.outcomes import MalformedError, RejectedError, shown
from .format.strict_json import Json, Numeral, read

if TYPE_CHECKING:
    from .rules.trees import Tree
    from .rules.workload import Workload

FORMAT: Final = "exactdp-certificate/1"
LEDGER_FORMAT: Final = "exactdp-ledger/1"
EVERY: Final = "every"
MAX_COUNT: Final = 10**18
MAX_GROUP: Final = 10**18
MAX_STEPS: Final = 1000

_KINDS: Final = ("upper", "lower", "underivable")
_INTERACTIONS: Final = ("adaptive", "concurrent")
_NEIGHBOURING: Final = ("add-remove-one", "replace-one", "unspecified")
_STATEMENT_KEYS: Final = (
    "delta",
    "epsilon",
    "group",
    "interaction",
    "kind",
    "neighbouring",
    "subject",
    "theorem",
)
_LEDGER_KEYS: Final = (
    "claims",
    "format",
    "interaction",
    "name",
    "neighbouring",
    "notes",
    "source",
    "target_delta",
    "unit_of_privacy",
)
_CLAIMED: Final = ("delta", "epsilon", "mu", "rho")
_BASES: Final = ("composition", "amplification", "finer-structure")
_NOTIONS: Final = (("delta", "epsilon"), ("mu",), ("rho",))
"""The keys of an entry besides its count, in the order in which entries stand."""

Texts = tuple[int, tuple[str, ...]]
"""An entry: the index of its notion, and the canonical texts of its parameters."""


@dataclass(frozen=True)
class Mechanism:
    """An entry of a subject: ``count`` mechanisms that are (epsilon, delta)-DP."""

    epsilon: Number
    delta: Fraction
    count: int
    positive: bool
    """Whether epsilon > 0."""


@dataclass(frozen=True)
class Scaled:
    """An entry of a subject: ``count`` mechanisms that are μ-GDP, or ρ-zCDP, for a rational."""

    parameter: Fraction
    count: int


@dataclass(frozen=True)
class Subject:
    """What a statement is about: mechanisms given by (ε, δ), by μ, and by ρ; or trees alone."""

    mechanisms: tuple[Mechanism, ...]
    gaussian: tuple[Scaled, ...]
    concentrated: tuple[Scaled, ...]
    trees: tuple[Tree, ...] = ()

    @property
    def count(self) -> int:
        """The number of mechanisms, k."""
        pairs = sum(entry.count for entry in self.mechanisms)
        scaled = sum(entry.count for entry in (*self.gaussian, *self.concentrated))
        return pairs + scaled + len(self.trees)

    @property
    def size(self) -> int:
        """The number of entries, n."""
        return len(self.mechanisms) + len(self.gaussian) + len(self.concentrated)

    @property
    def has_mu(self) -> bool:
        """Whether some μ is above 0."""
        return any(entry.parameter for entry in self.gaussian)

    @property
    def has_rho(self) -> bool:
        """Whether some ρ is above 0."""
        return any(entry.parameter for entry in self.concentrated)

    @property
    def entries(self) -> dict[Texts, int]:
        """The counts by canonical texts."""
        return {
            **{
                (0, (canonical(m.epsilon), rational_text(m.delta))): m.count
                for m in self.mechanisms
            },
            **{(1, (rational_text(m.parameter),)): m.count for m in self.gaussian},
            **{(2, (rational_text(m.parameter),)): m.count for m in self.concentrated},
        }


@dataclass(frozen=True)
class Bound:
    """A conclusion about a subject: its kind and (epsilon, delta); no epsilon means every one.

    Inputs differ in at most ``group`` places.
    """

    kind: str
    epsilon: Number | None
    delta: Fraction
    group: int = 1


@dataclass(frozen=True)
class Step:
    """A step of a derivation; a parameter that its rule does not have stands at some value.

    ``given`` holds what the premises conclude.
    """

    rule: str
    premises: tuple[int, ...]
    given: tuple[Bound, ...]
    bound: Bound
    digits: int
    sums: int
    unit: Number
    alpha: Fraction
    pair: Number
    deltas: tuple[Fraction, ...]
    bits: int = 1
    odds: Fraction = Fraction(1)
    input: int = 0
    choices: tuple[int, ...] = ()
    simulation: tuple[tuple[Fraction, ...], ...] = ()


@dataclass(frozen=True)
class Statement:
    """A claim in full."""

    bound: Bound
    subject: Subject | Workload
    neighbouring: str
    interaction: str
    theorem: str


# --- shapes -------------------------------------------------------------------------------------


def members(
    value: Json, required: Iterable[str], what: str, optional: Iterable[str] = ()
) -> dict[str, Json]:
    """An object that has the required keys, may have the optional ones, and has no others."""
    if not isinstance(value, dict):
        raise MalformedError(f"{what} is not an object")
    for key in value:
        if key not in required and key not in optional:
            raise MalformedError(f"{what}: unknown key {shown(key)}")
    for key in required:
        if key not in value:
            raise MalformedError(f"{what}: missing key {key}")
    return value


def array(value: Json, what: str) -> list[Json]:
    """An array."""
    if not isinstance(value, list):
        raise MalformedError(f"{what} is not an array")
    return value


def string(value: Json, what: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise MalformedError(f"{what} is not a string")
    return value


def one_of(value: Json, choices: Iterable[str], what: str) -> str:
    """A string out of a few."""
    text = string(value, what)
    if text not in choices:
        raise MalformedError(f"{what} is not one of {', '.join(choices)}: {shown(text)}")
    return text


def not_negative(number: Number, what: str) -> Number:
    """A number >= 0."""
    if sign(number) < 0:
        raise MalformedError(f"{what} is negative")
    return number


def exact_rational(value: Json, what: str) -> Fraction:
    """A rational at least 0, in canonical text."""
    number = parse_canonical(string(value, what))
    if number.logs or number.rational < 0:
        raise MalformedError(f"{what} is not a rational at least 0")
    return number.rational


def rational(number: Number, what: str) -> Fraction:
    """A rational of [0, 1]."""
    if number.logs or not 0 <= number.rational <= 1:
        raise MalformedError(f"{what} is not a rational from 0 to 1")
    return number.rational


# --- statements ---------------------------------------------------------------------------------


def read_bound(value: Mapping[str, Json], kind_key: str) -> Bound:
    """The bound that a statement or a step speaks of; about groups of 1 if it names none."""
    kind = one_of(value[kind_key], _KINDS, kind_key)
    group = parse_integer(string(value.get("group", "1"), "group"), 1, MAX_GROUP, "group")
    delta = rational(parse_canonical(string(value["delta"], "delta")), "delta")
    text = string(value["epsilon"], "epsilon")
    if text != EVERY:
        return Bound(kind, not_negative(parse_canonical(text), "epsilon"), delta, group)
    if kind != "lower":
        raise MalformedError("epsilon is every in a bound that is not lower")
    return Bound(kind, None, delta, group)


def read_statement(value: Json, read_subject: Callable[[Json], Subject | Workload]) -> Statement:
    """The statement of a certificate."""
    parts = members(value, _STATEMENT_KEYS, "statement")
    subject = read_subject(parts["subject"])
    interactive = isinstance(subject, Subject) and bool(subject.trees)
    return Statement(
        bound=read_bound(parts, "kind"),
        subject=subject,
        neighbouring=one_of(parts["neighbouring"], _NEIGHBOURING, "neighbouring"),
        interaction=one_of(parts["interaction"], _INTERACTIONS[interactive:], "interaction"),
        theorem=string(parts["theorem"], "theorem"),
    )


def read_mechanisms(values: list[Json]) -> Subject:
    """The mechanisms of a ledger, merged and sorted."""
    mechanisms: list[Mechanism] = []
    scaled: tuple[list[Scaled], list[Scaled]] = [], []
    previous: tuple[int, tuple[str, ...]] = (0, ())
    for value in values:
        notion, texts, count_text = _read_entry(value)
        if (notion, texts) <= previous:
            raise MalformedError(f"mechanisms are not sorted and merged at {shown(texts[0])}")
        previous = (notion, texts)
        count = parse_integer(count_text, 1, MAX_COUNT, "count")
        if notion == 0:
            mechanisms.append(_read_mechanism(texts[0], texts[1], count))
        else:
            scaled[notion - 1].append(Scaled(_read_parameter(texts[0]), count))
    return Subject(tuple(mechanisms), tuple(scaled[0]), tuple(scaled[1]))


def _read_entry(value: Json) -> tuple[int, tuple[str, ...], str]:
    """The notion of an entry, the texts that it is sorted by, and its count."""
    notion = _notion_of(value)
    keys = _NOTIONS[notion]
    parts = members(value, ("count", *keys), "mechanism")
    texts = tuple(string(parts[key], key) for key in reversed(keys))
    return notion, texts, string(parts["count"], "count")


def _notion_of(value: Json) -> int:
    """1 for an entry with mu, 2 for one with rho, 0 for all others."""
    if not isinstance(value, dict):
        return 0
    return 1 if "mu" in value else 2 if "rho" in value else 0


def _read_parameter(text: str) -> Fraction:
    number = parse_canonical(text)
    if number.logs or number.rational < 0:
        raise MalformedError("a mechanism's mu or rho is not a rational at least 0")
    return number.rational


def _read_mechanism(epsilon_text: str, delta_text: str, count: int) -> Mechanism:
    epsilon = parse_canonical(epsilon_text)
    order = sign(epsilon)
    if order < 0:
        raise MalformedError("a mechanism's epsilon is negative")
    return Mechanism(epsilon, mechanism_delta(delta_text), count, positive=order > 0)


def mechanism_delta(text: str) -> Fraction:
    """The delta of a mechanism, from 0 to below 1."""
    delta = rational(parse_canonical(text), "a mechanism's delta")
    if delta == 1:
        raise MalformedError("a mechanism's delta is 1")
    return delta


def finite_epsilon(bound: Bound) -> Number:
    """The epsilon of a bound that must have one."""
    if bound.epsilon is None:
        raise RejectedError("epsilon is every")
    return bound.epsilon


# --- ledgers and claims -------------------------------------------------------------------------


def check_ledger(statement: Statement, subject: Subject, data: bytes) -> None:
    """Reject a statement, with this subject, that is not about the ledger in this file."""
    if subject.trees:
        raise RejectedError("the statement is not about a ledger, but interactive mechanisms")
    ledger = members(read(data), ("mechanisms",), "ledger", _LEDGER_KEYS)
    one_of(ledger.get("format", LEDGER_FORMAT), (LEDGER_FORMAT,), "ledger format")
    _check_remarks(ledger)
    entries = _merged(array(ledger["mechanisms"], "mechanisms"))
    _check_agreement(ledger, statement)
    if entries != subject.entries:
        raise RejectedError("the statement is not about this ledger: other mechanisms")


def _check_remarks(ledger: Mapping[str, Json]) -> None:
    """What a ledger says besides its mechanisms is compared with nothing, but must be of its form.

    Numbers here are not read: nothing rests on them.
    """
    for key in ("name", "notes", "unit_of_privacy"):
        string(ledger.get(key, ""), key)
    source = ledger.get("source", "")
    for text in source.values() if isinstance(source, dict) else (source,):
        string(text, "source")
    plain_text(ledger.get("target_delta", ""), "target_delta")
    for claim in array(ledger.get("claims", []), "claims"):
        parts = members(claim, ("basis", "source"), "claim", _CLAIMED)
        one_of(parts["basis"], _BASES, "basis")
        string(parts["source"], "source")
        for key in parts.keys() & _CLAIMED:
            plain_text(parts[key], key)
        if parts.keys().isdisjoint(_CLAIMED[1:]) or ("delta" in parts and "epsilon" not in parts):
            raise MalformedError("claim: not epsilon, with or without delta, nor mu, nor rho")


def _check_agreement(ledger: Mapping[str, Json], statement: Statement) -> None:
    neighbouring = one_of(ledger.get("neighbouring", "unspecified"), _NEIGHBOURING, "neighbouring")
    interaction = one_of(ledger.get("interaction", "adaptive"), _INTERACTIONS, "interaction")
    if neighbouring != statement.neighbouring:
        raise RejectedError("the statement is not about this ledger: another neighbouring relation")
    if interaction != statement.interaction:
        raise RejectedError("the statement is not about this ledger: another interaction")


def _merged(values: list[Json]) -> dict[Texts, int]:
    counts: dict[Texts, int] = {}
    for value in values:
        entry, count_value = ledger_entry(value)
        count = parse_integer(plain_text(count_value, "count"), 1, MAX_COUNT, "count")
        counts[entry] = counts.get(entry, 0) + count
    return counts


def ledger_entry(value: Json) -> tuple[Texts, Json]:
    """The notion and canonical texts of a ledger's mechanism, and its count as it stands."""
    noise = isinstance(value, dict) and "sigma" in value
    notion = 1 if noise else _notion_of(value)
    required = ("sensitivity", "sigma") if noise else (("epsilon",), ("mu",), ("rho",))[notion]
    optional = ("count", "label") if notion else ("count", "delta", "label")
    parts = members(value, required, "mechanism", optional)
    string(parts.get("label", ""), "label")
    numbers = [parse(plain_text(parts[key], key)) for key in required]
    if notion == 0:
        delta = parse(plain_text(parts.get("delta", "0"), "delta"))
        texts: tuple[str, ...] = (canonical(numbers[0]), canonical(delta))
    elif noise:
        texts = (rational_text(_noise_parameter(*numbers)),)
    else:
        texts = (canonical(numbers[0]),)
    return (notion, texts), parts.get("count", "1")


def _noise_parameter(sensitivity: Number, sigma: Number) -> Fraction:
    """μ of Gaussian noise: sensitivity/sigma."""
    if sensitivity.logs or sigma.logs or sensitivity.rational < 0 or sigma.rational <= 0:
        raise MalformedError("a mechanism's sigma or sensitivity is not a rational in its range")
    return sensitivity.rational / sigma.rational


def plain_text(value: Json, what: str) -> str:
    """The text of a number that may be a JSON number or a string."""
    return value.text if isinstance(value, Numeral) else string(value, what)


def read_claim(epsilon: str, delta: str) -> tuple[Number, Fraction]:
    """The claim "(ε, δ)-DP", from the texts of a command line."""
    return not_negative(parse(epsilon), "the claim's epsilon"), rational(
        parse(delta), "the claim's delta"
    )


def check_claim(bound: Bound, epsilon: Number, delta: Fraction) -> str:
    """``proves`` or ``refutes``; reject a bound that does not settle the claim "(ε, δ)-DP"."""
    if bound.kind == "upper":
        if sign(epsilon - finite_epsilon(bound)) >= 0 and bound.delta <= delta:
            return "proves"
    elif bound.kind == "underivable":
        raise RejectedError("the statement is about a formula: it settles no claim")
    elif delta <= bound.delta and (bound.epsilon is None or sign(bound.epsilon - epsilon) >= 0):
        return "refutes"
    raise RejectedError("the statement does not settle the claim")
