r"""Accountants asked about mechanisms by their noise, at a mesh or an error that is chosen.

Rules of this file: the standard library and the peer alone, as it runs in the peer's environment;
each is called as its documentation does, imports are not timed, and what a peer has no mechanism
for is an error.

Theory of operation: an entry is that of ``exactdp-ledger/1`` with few keys. Many different entries
are composed as a balanced tree.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, Final

from bench.protocol import Request, Task, answer

Entry = Mapping[str, Any]
Call = Callable[[], Mapping[str, str]]

_ORDERS: Final = [1 + x / 10 for x in range(1, 100)] + list(range(12, 64))


def _entries(request: Request) -> list[Entry]:
    return list(json.loads(request.options["entries"]))


def _number(entry: Entry, key: str, other: str = "") -> float:
    return float(Fraction(entry.get(key, other)))


def _tree(parts: Iterable[Any]) -> Any:  # noqa: ANN401 (distributions of a peer)
    whole = list(parts)
    while len(whole) > 1:
        pairs = zip(whole[::2], whole[1::2], strict=False)
        whole = [*(a.compose(b) for a, b in pairs), *(whole[-1:] if len(whole) % 2 else [])]
    return whole[0]


def _google(request: Request) -> Call:
    """dp-accounting, by distributions of privacy losses."""
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    common = import_module("dp_accounting.pld.common")
    mesh, entries = float(request.options["setting"]), _entries(request)

    def one(entry: Entry) -> Any:  # noqa: ANN401 (a distribution of the peer)
        named: dict[str, float] = {"value_discretization_interval": mesh}
        sampled = {**named, "sampling_prob": _number(entry, "rate", "1")}
        if "sigma" in entry:
            found = pld.from_gaussian_mechanism(_number(entry, "sigma"), **sampled)
        elif "laplace" in entry:
            found = pld.from_laplace_mechanism(_number(entry, "laplace"), 1, **sampled)
        elif "discrete_gaussian" in entry:
            deviation = math.sqrt(_number(entry, "discrete_gaussian"))
            found = pld.from_discrete_gaussian_mechanism(deviation, 1, **sampled)
        else:
            pair = _number(entry, "epsilon"), _number(entry, "delta", "0")
            found = pld.from_privacy_parameters(
                common.DifferentialPrivacyParameters(*pair), **named
            )
        return found.self_compose(entry["count"]) if entry["count"] > 1 else found

    delta = float(request.delta)
    return lambda: {"epsilon": repr(float(_tree(map(one, entries)).get_epsilon_for_delta(delta)))}


def _google_profile(request: Request) -> Call:
    """dp-accounting: δ at many ε of the first entry."""
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    entry = _entries(request)[0]
    points = [float(Fraction(each)) for each in request.options["points"].split()]

    def call() -> Mapping[str, str]:
        whole = pld.from_gaussian_mechanism(
            _number(entry, "sigma"),
            value_discretization_interval=float(request.options["setting"]),
            sampling_prob=_number(entry, "rate", "1"),
        ).self_compose(entry["count"])
        return {"epsilon": repr(float(whole.get_delta_for_epsilon(points)[-1]))}

    return call


def _google_calibrated(request: Request) -> Call:
    """dp-accounting: the least σ of the first entry for ε = 1, to 1e-3."""
    dp = import_module("dp_accounting")
    pld = import_module("dp_accounting.pld")
    entry = _entries(request)[0]
    relation = dp.NeighboringRelation.ADD_OR_REMOVE_ONE
    mesh = float(request.options["setting"])

    def event(sigma: float) -> Any:  # noqa: ANN401 (an event of the peer)
        step = dp.PoissonSampledDpEvent(_number(entry, "rate"), dp.GaussianDpEvent(sigma))
        return dp.SelfComposedDpEvent(step, entry["count"])

    def call() -> Mapping[str, str]:
        found = dp.calibrate_dp_mechanism(
            lambda: pld.PLDAccountant(relation, value_discretization_interval=mesh),
            event,
            1.0,
            float(request.delta),
            dp.LowerEndpointAndGuess(0, 1),
            tol=1e-3,
        )
        return {"epsilon": repr(float(found))}

    return call


def _opake(request: Request) -> Call:
    """opake-accounting, by distributions of privacy losses."""
    core = import_module("opake.api.accounting.core").opake_accounting
    mesh, entries = float(request.options["setting"]), _entries(request)
    config = core.DiscretizationConfig(discretization=mesh)

    def one(entry: Entry) -> Any:  # noqa: ANN401 (a distribution of the peer)
        if "sigma" in entry:
            found = core.gaussian_pld(_number(entry, "sigma"), config)
            found = core.poisson_pld(found, _number(entry, "rate")) if "rate" in entry else found
        else:
            pair = _number(entry, "epsilon"), _number(entry, "delta", "0")
            found = core.eps_delta_pld(*pair, config)
        return found.self_compose(entry["count"]) if entry["count"] > 1 else found

    delta = float(request.delta)
    return lambda: {"epsilon": repr(float(_tree(map(one, entries)).epsilon_at(delta)))}


def _microsoft(request: Request) -> Call:
    """prv-accountant: its upper end, at an error of ε."""
    prv = import_module("prv_accountant")
    variables = import_module("prv_accountant.privacy_random_variables")
    entries, delta = _entries(request), float(request.delta)
    counts = [entry["count"] for entry in entries]

    def one(entry: Entry) -> Any:  # noqa: ANN401 (a variable of the peer)
        if "sigma" in entry and "rate" in entry:
            pair = _number(entry, "rate"), _number(entry, "sigma")
            return variables.PoissonSubsampledGaussianMechanism(*pair)
        return variables.GaussianMechanism(_number(entry, "sigma"))

    def call() -> Mapping[str, str]:
        accountant = prv.PRVAccountant(
            prvs=list(map(one, entries)),
            max_self_compositions=counts,
            eps_error=float(request.options["setting"]),
            delta_error=delta / 1000,
        )
        return {"epsilon": repr(float(accountant.compute_epsilon(delta, counts)[2]))}

    return call


def _opacus(request: Request) -> Call:
    """Opacus: the accountant of random variables at an error of ε, or of Rényi divergences."""
    accountants = import_module("exactdp.accountants.noise_peers").opacus_accountants()
    setting, delta = request.options["setting"], float(request.delta)
    accountant = accountants.RDPAccountant() if setting == "rdp" else accountants.PRVAccountant()
    accountant.history = [
        (_number(each, "sigma"), _number(each, "rate", "1"), each["count"])
        for each in _entries(request)
    ]
    near = {} if setting == "rdp" else {"eps_error": float(setting), "delta_error": delta / 1000}
    return lambda: {"epsilon": repr(float(accountant.get_epsilon(delta=delta, **near)))}


def _accelerator(request: Request) -> Call:
    """dp-accelerator, by Rényi divergences, of one kind of step."""
    batch = import_module("dp_accelerator").compute_epsilon_batch
    (entry,) = _entries(request)
    parameters = _number(entry, "rate"), _number(entry, "sigma"), [entry["count"]], _ORDERS

    def call() -> Mapping[str, str]:
        return {"epsilon": repr(float(batch(*parameters, float(request.delta))[0]))}

    return call


def _searched(task: Task, request: Request) -> Call:
    """The first setting at which an answer is near enough to what is known; the last if none is."""
    options = dict(request.options)
    truth, error = Fraction(options["truth"]), Fraction(options["error"])

    def call() -> Mapping[str, str]:
        found: dict[str, str] = {}
        for setting in options["settings"].split():
            asked = Request(request.task, (), request.delta, {**options, "setting": setting})
            try:
                said = task(asked)()["epsilon"]
            except Exception:  # noqa: BLE001 (a peer may raise anything: another setting may do)
                if found:
                    break
                continue
            found = {"setting": setting, "epsilon": said}
            if abs(Fraction(said) - truth) <= error:
                break
        return found

    return call


SEARCH: Final = "search for "
TASKS: Final[Mapping[str, Task]] = {
    "dp-accounting": _google,
    "dp-accounting profile": _google_profile,
    "dp-accounting calibration": _google_calibrated,
    "opake-accounting": _opake,
    "prv-accountant": _microsoft,
    "opacus": _opacus,
    "dp-accelerator": _accelerator,
}
"""What is asked of a peer; ``setting`` is its mesh, its error, or rdp."""

if __name__ == "__main__":
    answer({**TASKS, **{SEARCH + name: partial(_searched, task) for name, task in TASKS.items()}})
