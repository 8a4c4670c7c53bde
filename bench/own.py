r"""The steps of exactdp that are measured: compose, certify, verify, read; and a yardstick.

Theory of operation: each step runs in a process of its own, so that none profits from another.
``certify`` composes first, untimed, and is timed for both certificates; ``verify`` loads the
verifier alone. The yardstick is what no exact method by counts can avoid: one FLINT product of the
two factors whose product is the polynomial of all counts N(s), Murtagh & Vadhan, section 5.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.problems import Group, Problem, cells
from bench.protocol import Request, Task, answer

if TYPE_CHECKING:
    from flint import fmpz_poly

    import exactdp

Call = Callable[[], Mapping[str, str]]

NO_LIMIT: Final = 10**15
_BOUNDS: Final = ("upper", "lower")
_LONGEST: Final = 60


def request_for(task: str, problem: Problem, **options: str) -> Request:
    """What a cell of this module should do about ``problem``."""
    groups = tuple((group.epsilon, group.delta, group.count) for group in problem.groups)
    return Request(
        task,
        groups,
        problem.delta,
        {
            "name": problem.name,
            "tolerance": problem.tolerance,
            "noise": "\n".join(problem.noise),
            **options,
        },
    )


def compose(request: Request) -> Call:
    """The optimum, enclosed to the tolerance."""
    solve = _composer(request)

    def call() -> Mapping[str, str]:
        composed = solve()
        return {
            "lower": str(composed.lower_end),
            "upper": str(composed.upper_end),
            "exact": str(composed.exact or "")[:_LONGEST],
            "method": composed.method,
        }

    return call


def certify(request: Request) -> Call:
    """Both certificates of a composition; they are left in the directory named."""
    composed = _composer(request)()
    directory = Path(request.options["directory"])

    def call() -> Mapping[str, str]:
        made = {"upper": composed.upper_certificate(), "lower": composed.lower_certificate()}
        for bound, certificate in made.items():
            if certificate is not None:
                (directory / f"{bound}.json").write_bytes(certificate.to_bytes())
        return dict.fromkeys(made, "")

    return call


def _composer(request: Request) -> Callable[[], exactdp.Composition]:
    module = import_module("exactdp")
    ledger_of_inline = import_module("exactdp.ledger.formats.inline").ledger_of_inline
    compose = module.compose  # loaded here: a name of the package is, on first use
    noise = request.options["noise"].splitlines()
    ledger = ledger_of_inline(noise) if noise else module.Ledger.of(list(request.groups))
    tolerance = request.options["tolerance"]
    if noise:
        _load_engines()
    return lambda: compose(ledger, delta=request.delta, tolerance=tolerance)


def verify(request: Request) -> Call:
    """The verdicts on both certificates."""
    verifier = import_module("exactdp.verifier")
    directory = Path(request.options["directory"])
    files = [directory / f"{bound}.json" for bound in _BOUNDS]
    contents = {path.stem: path.read_bytes() for path in files if path.exists()}

    def call() -> Mapping[str, str]:
        return {
            bound: verifier.verify_bytes(data, max_cost=NO_LIMIT).status
            for bound, data in contents.items()
        }

    return call


def read(request: Request) -> Call:
    """A ledger of so many rows, in CSV or JSON."""
    reader = import_module("exactdp.ledger.reading").read_ledger
    data = ledger_text(request.options["format"], int(request.options["rows"])).encode()
    return lambda: {"mechanisms": str(reader(data).size)}


def ledger_text(form: str, rows: int) -> str:
    """A ledger of rows with many different parameters."""
    numbers = [f"0.{1 + 7919 * i % 99_991:06}" for i in range(rows)]
    if form == "csv":
        return "epsilon,delta,count\n" + "".join(f"{n},1e-12,1\n" for n in numbers)
    entries = ",\n".join(f'{{"epsilon": {n}, "delta": 1e-12}}' for n in numbers)
    return f'{{"format": "exactdp-ledger/1", "mechanisms": [{entries}]}}'


def _load_engines() -> None:
    """Import what composes noise, as what peers import is not timed either."""
    for module in ("mesh.sides_in_doubles", "mesh.single_mechanism", "fourier.guess"):
        import_module(f"exactdp.composition.engines.{module}")
    for module in ("answers.noise", "answers.conversions", "noise.judging"):
        import_module(f"exactdp.composition.{module}")


def calibrate(request: Request) -> Call:
    """The least noise of the first mechanism for ε = 1, to 1e-3: the number that fits."""
    budget = import_module("exactdp.budgets.api").budget
    _load_engines()
    ledger = import_module("exactdp.ledger.formats.inline").ledger_of_inline(
        request.options["noise"].splitlines()
    )
    asked = {"noise_of": "#1", "epsilon": 1, "delta": request.delta, "tolerance": "1e-3"}
    return lambda: {"upper": str(budget(ledger, **asked).fits)}


def profile(request: Request) -> Call:
    """δ at many ε, each to a thousandth of it: the last."""
    points = request.options["points"].split()
    find = import_module("exactdp.composition.answers.profile").profile
    _load_engines()
    ledger = import_module("exactdp.ledger.formats.inline").ledger_of_inline(
        request.options["noise"].splitlines()
    )

    def call() -> Mapping[str, str]:
        found = find(ledger, epsilon=points, tolerance="1e-3")
        return {"lower": str(found[-1].lower_end), "upper": str(found[-1].upper_end)}

    return call


def yardstick(request: Request) -> Call:
    """One product of the two last factors of the polynomial of counts."""
    groups = tuple(Group(*group) for group in request.groups)
    problem = Problem(request.options["name"], "", groups, request.delta)
    left, right = last_factors(cells(problem) or [])
    counts = left * right
    size = sum(abs(int(count)).bit_length() // 8 + 8 for count in counts.coeffs())
    values = {"cells": str(counts.length()), "bytes": str(size)}
    del counts

    def call() -> Mapping[str, str]:
        product = left * right
        return {**values, "bits": str(product.height_bits())}

    return call


def last_factors(groups: list[tuple[int, int]]) -> tuple[fmpz_poly, fmpz_poly]:
    """The two factors whose product is the polynomial of counts: smallest are multiplied first."""
    from flint import fmpz_poly  # noqa: PLC0415 (cells of other tasks do without)

    if len(groups) == 1:
        [(a, count)] = groups
        groups = [(a, count // 2), (a, count - count // 2)]
    heap = []
    for order, (a, count) in enumerate(groups):
        coefficients = [0] * (a * count + 1)
        coefficients[::a] = _binomials(count)
        heap.append((len(coefficients), order, fmpz_poly(coefficients)))
    heapq.heapify(heap)
    while len(heap) > 2:
        (m, order, left), (n, _, right) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (m + n - 1, order, left * right))
    return heap[0][2], heap[1][2]


def _binomials(count: int) -> list[int]:
    ways = [1]
    for j in range(count):
        ways.append(ways[-1] * (count - j) // (j + 1))
    return ways


TASKS: Final[Mapping[str, Task]] = {
    "compose": compose,
    "certify": certify,
    "verify": verify,
    "calibrate": calibrate,
    "profile": profile,
    "read": read,
    "yardstick": yardstick,
}

if __name__ == "__main__":
    answer(TASKS)
