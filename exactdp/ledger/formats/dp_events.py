r"""dp-accounting's events: reader of trees of ``DpEvent`` as named tuples in JSON.

Purpose: ``event.to_named_tuple()`` says of each event its module, its class and its fields. Read is
what ``json`` makes of ``_asdict()``, recursively: objects with ``module_name``, ``class_name`` and
the fields.

Rules of this file: an event becomes the mechanism that it describes; any that no ledger expresses
is refused by its name and its place in the tree, never dropped, and so is a field that an event of
its class has not.

Theory of operation: with noise of multiplier s, Laplace noise has scale s and sensitivity 1, and
Gaussian noise is 1/s-GDP; discrete Laplace noise with parameter a has scale 1/a, and moves by its
sensitivity in one coordinate, which is worse than by as much in several. An integer vector of a
norm below √2 moves one coordinate by 1, so that a discrete Gaussian in several dimensions is that
of one; with a greater norm it is read by its ρ. The exponential mechanism has range ε; randomized
response over k buckets that answers at random with probability p has odds 1 + k(1-p)/p; a
``ZCDpEvent`` with ξ = 0 is ρ-zCDP; permute-and-flip is ε-DP. A sampled event is one mechanism by
its noise on a Poisson sample; one that is sampled at probability 1 is not sampled. Batches drawn
without replacement are those of a fixed size. An example that is allocated to one of n steps is in
one of n batches, drawn for it by itself. A record that is in one leaf of one tree of n steps
is in at most as many complete nodes as n has binary digits, each with noise of its own.

An event does not say which inputs are neighbours; an accountant does. Its noise is relative to a
bound C on what one record contributes to a sum. A record that is added or removed moves the sum by
C, one that is replaced by 2C, and one that is replaced by a special record, which contributes
nothing, by C again: to sums of records this is a record that is removed, and the ledger says so.
Randomized response answers for a record that is there. Where the caller names no neighbours,
Laplace and Gaussian events are taken to be about adding or removing one record, and randomized
response about replacing one.

Sources: dp-accounting 0.6.0, ``dp_event.py``, and that of 2026 for the events with a discrete
Gaussian, an exponential mechanism, permute-and-flip, and (ε, δ); for randomized response, Wang, Wu
& Hu, "Using randomized response for differential privacy preserving data collection", EDBT/ICDT
workshops 2016.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import DomainError, InputError, UnsupportedError
from exactdp.ledger.formats.event_mechanisms import (
    ALLOCATED,
    BASES,
    DISCRETE,
    FIELDS,
    FIXED_SIZE,
    LEAVES,
    MIXTURE,
    RESPONSE,
    SAMPLED,
    SELECTED,
    TREES,
    UNFIT,
    Field,
    best_of,
    records_in_sample,
    runs_of,
    tree_sums,
)
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.strict_json import Document, check_keys, json_path, parse
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ZERO_OUT,
    AllocatedGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    Sampleable,
    SampledMechanism,
)
from exactdp.mechanisms.checks import MAX_COUNT

MODULE: Final = "dp_accounting.dp_event"
_STATED: Final = (
    "GaussianDpEvent",
    "LaplaceDpEvent",
    "DiscreteLaplaceDpEvent",
    "EpsilonDeltaDpEvent",
    "NoOpDpEvent",
)
"""What a ledger says all of."""
_OF_ANY_NEIGHBOURS: Final = frozenset(
    {
        "EpsilonDeltaDpEvent",
        "ExponentialMechanismDpEvent",
        "PermuteAndFlipDpEvent",
        "ZCDpEvent",
    }
)
RELATIONS: Final[Mapping[str, str]] = {
    "ADD_OR_REMOVE_ONE": "add-remove-one",
    "REPLACE_ONE": "replace-one",
    "REPLACE_SPECIAL": ZERO_OUT,
}
"""The neighbours that an accountant names, and what a caller of :func:`read` calls them."""
REACHES: Final[Mapping[str, int]] = {"replace-one": 2}
"""How many bounds C a record moves a sum, where it is not one."""
_BEGIN: Final = 200
_COVERED: Final = "an event that a ledger can hold"

Keys = list[str | int]


def recognises(tree: object) -> bool:
    """Whether a JSON tree is an event."""
    return isinstance(tree, dict) and "class_name" in tree


def recognises_begin(data: bytes) -> bool:
    """Whether the bytes begin as an event does."""
    return data.startswith(b"{") and b'"class_name"' in data[:_BEGIN]


def read(data: bytes, relation: str = "") -> Ledger:
    """Read a tree of events.

    Args:
        data: its JSON.
        relation: one of the values of :data:`RELATIONS`, as the accountant of the events has it;
            without it the events themselves say what they are usually about.

    Raises:
        InputError: not JSON, or no event; the path is that of the tree.
        UnsupportedError: an event that no ledger can express, or not for these neighbours.

    >>> event = b'{"module_name": "", "class_name": "LaplaceDpEvent", "noise_multiplier": 10.0}'
    >>> print(read(event).mechanisms[0].scale)
    10
    """
    document = parse(data)
    reader = _Reader(document, relation)
    reader.read(document.tree, [], 1)
    is_sum = relation == ZERO_OUT and FIXED_SIZE not in reader.names
    stated = "add-remove-one" if is_sum else relation
    return Ledger(tuple(reader.entries), neighbouring=stated or _neighbouring(reader.names))


def _neighbouring(names: set[str]) -> str:
    """What the events are about; some are about replacing a record, and go with no others."""
    if FIXED_SIZE in names:
        if names <= _OF_ANY_NEIGHBOURS | {FIXED_SIZE}:
            return "replace-one"
        raise UnsupportedError(
            field="class_name",
            value=f"{FIXED_SIZE} beside events about other neighbours",
            expected="events about the same neighbours",
            remedy="ask with the relation of an accountant",
        )
    if names <= _OF_ANY_NEIGHBOURS or (RESPONSE in names and len(names) > 1):
        return "unspecified"
    return "replace-one" if RESPONSE in names else "add-remove-one"


def plain_tree(data: bytes) -> Any:  # noqa: ANN401 (a JSON tree)
    """The tree for dp-accounting itself, its numbers in doubles."""
    return json.loads(data)


def attains_its_parameters(tree: Mapping[str, Any], relation: str = "") -> bool:
    """Whether the ledger of a tree says all of it: the worst of its ε, or the noise itself.

    Randomized response is about replacing a record, and beside events that are about another one
    says less than its ε.
    """
    kinds = set(_kinds(tree)) - {"NoOpDpEvent"}
    same = relation == "replace-one" or len(kinds) < 2 or RESPONSE not in kinds
    return "" not in kinds and same


def _kinds(tree: Mapping[str, Any]) -> Iterator[str]:
    """The names of the events that a ledger says all of; empty for any other."""
    name = tree["class_name"]
    if name in ("ComposedDpEvent", "SelfComposedDpEvent"):
        for each in tree.get("events", [tree.get("event")]):
            yield from _kinds(each)
    elif name == RESPONSE:
        yield name if tree.get("num_buckets") == 2 else ""
    elif name == SAMPLED:
        yield from _kinds(tree["event"])
    else:
        yield name if name in _STATED or (name == DISCRETE and tree.get("dimension") == 1) else ""


@contextmanager
def _placed(keys: Keys) -> Iterator[None]:
    """Errors of the block stand at this place of the tree, where they name none."""
    try:
        yield
    except InputError as error:
        raise (error if error.path else error.located(json_path(keys))) from None


class _Reader:
    """The mechanisms found so far, in the order of the tree."""

    def __init__(self, document: Document, relation: str) -> None:
        self.document = document
        self.relation = relation
        self.reach = REACHES.get(relation, 1)
        self.entries: list[Entry] = []
        self.names: set[str] = set()
        self._readers = {
            SAMPLED: self._sampled,
            FIXED_SIZE: self._fixed_size,
            ALLOCATED: self._allocated,
            TREES: self._trees,
            SELECTED: self._selected,
            MIXTURE: self._mixture,
        }

    def read(self, tree: Any, keys: Keys, count: int) -> None:  # noqa: ANN401 (a JSON tree)
        """Add what an event holds, ``count`` times."""
        if not recognises(tree):
            raise InputError(
                field="event",
                value=self.document.shown(tree),
                path=json_path(keys),
                expected="an object with module_name, class_name and the fields of an event",
            )
        name = str(tree["class_name"])
        if count > MAX_COUNT:
            raise DomainError(
                field="count", value=str(count), path=json_path(keys), expected="at most 10^18"
            )
        self._check_fields(name, tree, keys)
        if name == "ComposedDpEvent":
            for index, event in enumerate(self._list(tree, "events", keys)):
                self.read(event, [*keys, "events", index], count)
        elif name == "SelfComposedDpEvent":
            times = count_of(self._text(tree, "count", keys))
            self.read(tree.get("event"), [*keys, "event"], count * times)
        elif name in self._readers:
            self._readers[name](tree, keys, count)
        elif name != "NoOpDpEvent":
            self._leaf(name, tree, keys, count)

    def _sampled(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add a mechanism on a Poisson sample; nobody takes part with probability 0."""
        rate = self._number(tree, "sampling_probability", keys)
        inner: Any = tree.get("event")
        place = [*keys, "event"]
        if rate == 1 or (recognises(inner) and inner["class_name"] == "NoOpDpEvent"):
            self.read(inner, place, count)
            return
        name = str(inner["class_name"]) if recognises(inner) else self.document.shown(inner)
        if name not in BASES:
            raise UnsupportedError(
                field="class_name",
                value=f"{name} on a sample",
                path=json_path(place),
                expected=f"{' or '.join(BASES)}, sampled",
            )
        self._check_fields(name, inner, place)
        self._check_fits(name, place)
        self.names |= {name, SAMPLED}
        with _placed(keys):
            base = BASES[name](lambda field: self._number(inner, field, place), 1)
            if rate:
                clip = _clip_of(base) if self.relation == "replace-one" else None
                self.entries.append(SampledMechanism(base, rate, count, clip=clip))

    def _fixed_size(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add Gaussian noise on batches that are drawn without replacement."""
        self._check_fits(FIXED_SIZE, keys)
        inner = self._gaussian(tree, keys, "a batch of a fixed size")
        place = [*keys, "event"]
        sizes = [self._text(tree, field, keys) for field in FIELDS[FIXED_SIZE][:2]]
        if as_rational(sizes[0], "source_dataset_size") == as_rational(sizes[1], "sample_size"):
            self.read(inner, place, count)
            return
        self.names.add(FIXED_SIZE)
        with _placed(keys):
            records, batch = map(count_of, sizes)
            noise = self._number(inner, "noise_multiplier", place)
            self.entries.append(FixedSizeGaussianMechanism(noise, batch, records, count))

    def _allocated(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add Gaussian noise on batches, of which an example is in one."""
        self._check_fits(ALLOCATED, keys)
        inner = self._gaussian(tree, keys, "one batch of several")
        if (chosen := self._number(tree, "num_selected", keys)) != 1:
            raise UnsupportedError(
                field="num_selected",
                value=str(chosen),
                path=json_path([*keys, "num_selected"]),
                expected="1: an example is in one batch",
                remedy="several epochs, each of which allocates anew, are a SelfComposedDpEvent",
            )
        with _placed(keys):
            steps = count_of(self._text(tree, "num_steps", keys))
            noise = self._number(inner, "noise_multiplier", [*keys, "event"])
            if steps == 1:
                self.read(inner, [*keys, "event"], count)
                return
            self.names.add(ALLOCATED)
            self.entries.append(AllocatedGaussianMechanism(noise, steps, 1, count))

    def _gaussian(self, tree: Mapping[str, Any], keys: Keys, where: str) -> Mapping[str, Any]:
        """The event on a batch, which is Gaussian noise."""
        inner: Any = tree.get("event")
        place = [*keys, "event"]
        if not (isinstance(inner, dict) and inner.get("class_name") == "GaussianDpEvent"):
            name = inner["class_name"] if recognises(inner) else self.document.shown(inner)
            raise UnsupportedError(
                field="class_name",
                value=f"{name} on {where}",
                path=json_path(place),
                expected="GaussianDpEvent, on a batch",
            )
        self._check_fields("GaussianDpEvent", inner, place)
        return inner

    def _trees(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add noise on the nodes of trees, in one of which a record is in one leaf, once."""
        listed = tree.get("step_counts")
        steps = listed if isinstance(listed, list) else [listed]
        if not steps or any(isinstance(each, bool | dict | list | None) for each in steps):
            raise self._missing("step_counts", listed, keys, "a number of steps, or several")
        with _placed(keys):
            nodes = max(count_of(self.document.text_of(each)) for each in steps).bit_length()
            noise = self._number(tree, "noise_multiplier", keys)
            base = tree_sums(noise, nodes, self.reach)
        self.names.add(TREES)
        self.entries.append(base.times(count))

    def _mixture(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add Gaussian noise on a sample of which a person may have several records."""
        self._check_fits(MIXTURE, keys)
        noise, *lists = FIELDS[MIXTURE]
        reaches, weights = [
            [self._number({field: each}, field, keys) for each in self._list(tree, field, keys)]
            for field in lists
        ]
        self.names.add(MIXTURE)
        with _placed(keys):
            sigma = self._number(tree, noise, keys)
            self.entries.append(records_in_sample(sigma, reaches, weights, count))

    def _selected(self, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        """Add the best of a random number of runs of one mechanism."""
        inner = _Reader(self.document, self.relation)
        inner.read(tree.get("event"), [*keys, "event"], 1)
        self.names |= inner.names
        with _placed(keys):
            runs = runs_of(self._text(tree, "shape", keys), self._text(tree, "mean", keys))
            self.entries.append(best_of(inner.entries, runs, count))

    def _leaf(self, name: str, tree: Mapping[str, Any], keys: Keys, count: int) -> None:
        if name not in LEAVES and name not in BASES:
            raise UnsupportedError(
                field="class_name",
                value=name,
                path=json_path(keys),
                expected=_COVERED,
                remedy=_REASONS.get(name, ""),
            )
        self._check_fits(name, keys)
        with _placed(keys):
            entry = self._entry(name, lambda field: self._number(tree, field, keys), count)
        self.names.add(name)
        if entry is not None:
            self.entries.append(entry)

    def _check_fields(self, name: str, tree: Mapping[str, Any], keys: Keys) -> None:
        """Refuse a field that an event of this class has not: nobody knows what it changes."""
        if name in FIELDS:  # another class is refused by its name
            known = (*_NAMES, *FIELDS[name])
            if tree.get(_LIST) == [key for key in tree if key != _LIST]:
                known = (*known, _LIST)
            remedy = _REPEATED if "count" in tree else ""
            check_keys(tree, known, self.document, keys, of=name, remedy=remedy)

    def _check_fits(self, name: str, keys: Keys) -> None:
        """Refuse an event that says nothing about these neighbours."""
        if (expected := UNFIT.get((name, self.relation))) is not None:
            raise UnsupportedError(
                field="class_name",
                value=f"{name} under {self.relation}",
                path=json_path(keys),
                expected=expected,
            )

    def _entry(self, name: str, field: Field, count: int) -> Entry | None:
        if name in LEAVES:
            return LEAVES[name](field, count)
        return BASES[name](field, self.reach).times(count)

    def _list(self, tree: Mapping[str, Any], field: str, keys: Keys) -> list[Any]:
        value = tree.get(field)
        if not isinstance(value, list):
            of = "events" if field == "events" else "numbers"
            raise self._missing(field, value, keys, f"a list of {of}")
        return value

    def _text(self, tree: Mapping[str, Any], field: str, keys: Keys) -> str:
        value = tree.get(field)
        value = _DEFAULTS.get(field) if value is None else value
        if value is None or isinstance(value, bool | dict | list):
            raise self._missing(field, value, keys, "a number")
        return self.document.text_of(value)

    def _number(self, tree: Mapping[str, Any], field: str, keys: Keys) -> mpq:
        try:
            return as_rational(self._text(tree, field, keys), field)
        except InputError as error:
            raise error.located(json_path([*keys, field])) from None

    def _missing(self, field: str, value: object, keys: Keys, expected: str) -> InputError:
        shown = "nothing" if value is None else self.document.shown(value)
        return InputError(
            field=field, value=shown, path=json_path([*keys, field]), expected=expected
        )


def _clip_of(base: Sampleable) -> int | None:
    """What one record contributes to the sum that noise is added to; None where there is none."""
    match base:
        case GaussianMechanism() | LaplaceMechanism():
            return 1
        case DiscreteLaplaceMechanism(shifts=(shift,)):
            return shift
        case _:
            return None


_NAMES: Final = ("module_name", "class_name")
_LIST: Final = "_fields"
"""What Qrlew's named tuples list their own fields by."""
_REPEATED: Final = "an event that is repeated stands in a SelfComposedDpEvent with this count"
_DEFAULTS: Final[Mapping[str, str]] = {"xi": "0", "dimension": "0", "num_selected": "1"}
_OTHER_SAMPLE: Final = "write the entry fixed_size where each batch has one size and no repetition"
_CUT: Final = "exactdp dpsgd --max-batch answers for samples that keep at most so many examples"
_REASONS: Final[Mapping[str, str]] = {
    "NonPrivateDpEvent": "it has no finite parameters",
    "SampledWithReplacementDpEvent": _OTHER_SAMPLE,
    "TruncatedSubsampledGaussianDpEvent": _CUT,
}
