r"""The cost of the rules about mechanisms by their noise, by ``certs/SPEC.md``, section 13.

Rules of this file: as in :mod:`exactdp.certificate.cost`; a function takes a step as it will be
written, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate import prices
from exactdp.certificate.cost import spectrum_cost
from exactdp.certificate.prices import size_of, size_of_number, terms_of
from exactdp.certificate.step import Step, parameter
from exactdp.errors import InternalError
from exactdp.mechanisms.entries import mechanism_of
from exactdp.mechanisms.family import ADD_REMOVE_ONE, REPLACE_ONE
from exactdp.mechanisms.pairs import OutputTable

_OTHERS = ("epsilon", "mu", "rho", "renyi")
_OF_AN_ORDER = 8
_OF_A_WAVE = 32
_OF_DAMPING = 4_000_000


@dataclass(frozen=True, slots=True)
class _Part:
    """A pair of laws: how many atoms it has, or None for a curve; and how often it is there.

    The maximum of shuffled batches takes twice as much as a curve, and so does continuous noise of
    which a record is replaced; what is known by its Rényi
    divergences, something for each order.
    """

    atoms: int | None
    count: int
    double: bool = False
    orders: int = 0


def dots_cost(step: Step) -> int:
    """The cost of ``profile-dots``, and of ``profile-renyi``."""
    return _cost(step, _list(step.parameters["plans"]), 1)


def event_cost(step: Step) -> int:
    """The cost of ``profile-test``."""
    return _cost(step, [_plan(step.parameters["plan"])], 2)


def waves_cost(step: Step) -> int:
    """The cost of ``noise-fourier-upper`` and ``noise-fourier-lower``."""
    entries = _entries(step)
    fine = int(parameter(step, "digits")) + max(_numbers_of(step, entries)) // 3
    listed = [*_responses(entries).values()]
    noise: list[int] = []
    for entry in entries:
        count = int(entry["count"])
        if "laplace" in entry:
            noise.append(count)
        elif "discrete_laplace" in entry:
            shifts = Counter(map(int, entry["discrete_laplace"]["shifts"]))
            for shift, times in sorted(shifts.items()):
                (listed if shift == 1 else noise).append(times * count)
    single = len(listed) - len(_responses(entries))
    enclosed = _enclosed(step, entries) + single + 2 * len(noise)
    products = sum(2 * count.bit_length() + 1 for count in listed)
    products += sum(2 * count.bit_length() + _OF_A_WAVE for count in noise)
    return (
        prices.entries(len(entries))
        + 6 * enclosed * prices.transcendental(fine)
        + prices.fractions(_fractions(entries), fine)
        + spectrum_cost(step, products, fine)
        + _OF_DAMPING * len(noise)
    )


def divergence_cost(step: Step) -> int:
    """The cost of ``noise-renyi``."""
    entries = _entries(step)
    digits = int(parameter(step, "digits"))
    alpha = mpq(parameter(step, "alpha"))
    fine = digits + max(size_of(alpha), *_numbers_of(step, entries)) // 3
    written = [each["pair"]["p"] for each in entries if "pair" in each and "rate" not in each]
    pairs = len(list(_parts(entries, step.bound, digits)))
    sampled = sum("rate" in each for each in entries)
    evaluations = 6 * (pairs - sampled + sum(len(law) - 1 for law in written))
    evaluations += 8 * sampled * (int(alpha) + 1)
    return (
        prices.entries(len(entries))
        + (_enclosed(step, entries) + 8 + evaluations) * prices.transcendental(fine)
        + prices.fractions(_fractions(entries), fine)
    )


def _cost(step: Step, plans: Sequence[Mapping[str, Any]], products: int) -> int:
    entries = _entries(step)
    digits = int(parameter(step, "digits"))
    fine = digits + max(_sizes(step, entries, plans)) // 3
    parts = list(_parts(entries, step.bound, digits))
    if orders := _list(step.parameters.get("orders", ())):
        parts.append(_Part(None, 1, orders=len(orders)))
    curve = prices.profile(fine) + 2 * prices.transcendental(fine)
    evaluating = slots = 0
    for plan in plans:
        for part, window in zip(parts, plan["windows"], strict=True):
            evaluating += part.orders * _OF_AN_ORDER * prices.transcendental(fine)
            evaluating += (
                _points(window) * (curve * (1 + part.double) + 20 * part.orders * (fine + 30))
                if part.atoms is None
                else part.atoms * prices.transcendental(fine)
            )
        shares = sum(int(level[2]) for level in plan["levels"])
        evaluating += shares * prices.transcendental(fine)
        slots += products * _slots(parts, plan)
    return (
        prices.entries(len(entries) + len(parts))
        + _enclosed(step, entries) * prices.transcendental(fine)
        + prices.fractions(_fractions(entries), fine)
        + evaluating
        + 20 * slots * (fine + 30)
    )


def _points(window: Sequence[str]) -> int:
    """How many points a window has: from its first loss on, sections of equal steps."""
    first, *sections = [int(each) for each in window]
    if len(sections) == 1:
        return sections[0] - first + 1
    ends = [first, *sections[1::2]]
    gaps = zip(pairwise(ends), sections[::2], strict=True)
    return 1 + sum((after - before) // step for (before, after), step in gaps)


def _slots(parts: Sequence[_Part], plan: Mapping[str, Any]) -> int:
    """How many weights are multiplied, each counted once for every two that it meets."""
    lengths = [int(window[-1]) - int(window[0]) + 3 for window in plan["windows"]]
    levels = [[int(each) for each in level] for level in plan["levels"]]
    whole, total = 1, 0
    for place in range(len(levels), -1, -1):
        used = [n for n, part in zip(lengths, parts, strict=True) if part.count >> place & 1]
        total += (2 * whole + sum(used)) * (len(used) + 2).bit_length()
        if place:
            first, last, times = levels[-place]
            whole = (last - first) // times + 3
            lengths = [n // times + 3 for n in lengths]
            total += sum(lengths)
    return total


# --- what is composed ---------------------------------------------------------------------------


def _entries(step: Step) -> Sequence[Mapping[str, Any]]:
    entries = step.subject.document()["mechanisms"]
    if not isinstance(entries, Sequence):
        raise InternalError(field="mechanisms", value=type(entries).__name__, expected="a list")
    return entries


def _plain(entries: Sequence[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    """The entries of a notion."""
    return [each for each in entries if key in each and "rate" not in each]


def _parts(entries: Sequence[Mapping[str, Any]], bound: str, digits: int) -> Iterator[_Part]:
    """The pairs of laws, in the order of section 13.2."""
    yield from (_Part(2, count) for count in _responses(entries).values())
    noise = [mpq(each["mu"]) for each in _plain(entries, "mu")]
    if bound == "lower":
        noise += [mpq(each["rho"]) for each in _plain(entries, "rho")]
    if any(noise) or (bound == "upper" and _plain(entries, "shuffled")):
        yield _Part(None, 1)
    for entry in entries:
        if "rate" in entry or not any(key in entry for key in _OTHERS):
            yield from _noisy(entry, bound, digits)


def _responses(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The ε above 0 as they are written, in order, with their counts."""
    counts: dict[str, int] = {}
    for entry in sorted(_plain(entries, "epsilon"), key=lambda each: str(each["epsilon"])):
        if sign(ExactNumber.parse(entry["epsilon"])) > 0:
            counts[entry["epsilon"]] = counts.get(entry["epsilon"], 0) + int(entry["count"])
    return counts


def _noisy(entry: Mapping[str, Any], bound: str, digits: int) -> Iterator[_Part]:
    """The parts of one entry: outputs, or a curve; continuous noise with a clip is two."""
    count = int(entry["count"])
    if "shuffled" in entry:
        fresh = entry["shuffled"]["order"] == "fresh"
        epochs = int(entry["shuffled"]["epochs"]) if fresh else 1
        if bound == "lower":
            yield _Part(None, count * epochs, double=True)
    elif bound == "lower" and "bounded_range" in entry:
        yield _Part(3 * 2 if "rate" in entry else 2, count)
    else:
        for size, times in _tables(entry, digits):
            yield _Part(size, count * times, double="clip" in entry and size is None)


def _tables(entry: Mapping[str, Any], digits: int) -> Iterator[tuple[int | None, int]]:
    """Of each pair of a mechanism how many outputs it has, or None for a curve; and how often."""
    relation = REPLACE_ONE if "clip" in entry else ADD_REMOVE_ONE
    for pair, times in mechanism_of(entry).pairs(relation):
        yield pair.size(digits) if isinstance(pair, OutputTable) else None, times


# --- sizes --------------------------------------------------------------------------------------


def _sizes(
    step: Step, entries: Sequence[Mapping[str, Any]], plans: Sequence[Mapping[str, Any]]
) -> Iterator[int]:
    """The sizes of all numbers."""
    unit = mpq(parameter(step, "unit"))
    tilt = mpq(str(step.parameters.get("tilt", "0")))
    yield from _numbers_of(step, entries)
    yield from (2 * size_of(unit), size_of(tilt))
    yield from (size_of(mpq(str(each))) for each in _list(step.parameters.get("orders", ())))
    reach = 0
    for plan in plans:
        most = max(abs(int(window[end])) for window in plan["windows"] for end in (0, -1))
        reach = max(reach, int(most * unit) + 1)
    yield 2 * reach


def _numbers_of(step: Step, entries: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """The sizes of epsilon, delta and the numbers of the mechanisms."""
    yield size_of(step.delta)
    if step.epsilon is not None:
        yield size_of_number(step.epsilon)
    for entry in entries:
        yield from _sizes_of(entry)


def _sizes_of(entry: Mapping[str, Any]) -> Iterator[int]:
    for key, value in entry.items():
        if key == "epsilon":
            yield size_of_number(ExactNumber.parse(value))
        elif key not in ("count", "shifts", "shuffled"):
            if isinstance(value, str):
                yield size_of(mpq(value))
            elif isinstance(value, Mapping):
                yield from _sizes_of(value)
            else:
                listed = value if key != "renyi" else [each for pair in value for each in pair]
                yield from (size_of(mpq(each)) for each in listed)
    if "epsilon" not in entry:
        yield size_of(mpq(str(entry.get("rate", "1"))))


def _enclosed(step: Step, entries: Sequence[Mapping[str, Any]]) -> int:
    """What is to be enclosed of epsilon and of each distinct one of the mechanisms."""
    own = 0 if step.epsilon is None else terms_of(step.epsilon)
    listed = {each["epsilon"] for each in _plain(entries, "epsilon")}
    epsilons = [ExactNumber.parse(text) for text in listed]
    return own + sum(terms_of(each) for each in epsilons if sign(each) > 0)


def _fractions(entries: Sequence[Mapping[str, Any]]) -> int:
    """How many δ_i, μ and ρ are above 0."""
    values = [mpq(each["delta"]) for each in _plain(entries, "epsilon")]
    values += [mpq(each[key]) for key in ("mu", "rho") for each in _plain(entries, key)]
    return sum(1 for value in values if value)


def _list(value: object) -> Sequence[Any]:
    if not isinstance(value, Sequence):
        raise InternalError(field="parameters", value=type(value).__name__, expected="a list")
    return value


def _plan(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InternalError(field="plan", value=type(value).__name__, expected="an object")
    return value
