r"""The peers: other accountants, each asked for its ε in an environment of its own.

Rules of this file: the standard library and the peer at hand; a peer is called as its own
documentation calls it, and what it says is its upper bound on ε. Imports are not timed.

Theory of operation: where an accountant knows pure mechanisms only, the δ_i are taken off first:
it is asked at :math:`1 - (1-\delta)/\prod_i (1-\delta_i)`, as (ε, δ) composition allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from bench.protocol import Request, Task, answer

Floats = list[tuple[float, float, int]]
Call = Callable[[], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Peer:
    """An accountant in one setting.

    Attributes:
        name: what tables call it.
        task: its function here.
        environment: the environment that it runs in.
        options: its setting.
    """

    name: str
    task: str
    environment: str
    options: Mapping[str, str]


PEERS: Final = (
    Peer("dp-accounting 1e-4", "dp-accounting", "dp-accounting", {"interval": "1e-4"}),
    Peer("prv-accountant 0.1", "prv-accountant", "prv-accountant", {"error": "0.1"}),
    Peer("prv-accountant 1e-3", "prv-accountant", "prv-accountant", {"error": "0.001"}),
    Peer("autodp RDP", "autodp-rdp", "autodp", {}),
    Peer("autodp AFA", "autodp-afa", "autodp", {}),
    Peer("diffprivlib", "diffprivlib", "diffprivlib", {}),
)


def dp_accounting(request: Request) -> Call:
    """Privacy loss distributions on a mesh; groups by ``self_compose``."""
    common = import_module("dp_accounting.pld.common")
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    groups, delta = _floats(request)
    interval = float(request.options["interval"])

    def call() -> Mapping[str, str]:
        total = None
        for epsilon, own_delta, count in groups:
            parameters = common.DifferentialPrivacyParameters(epsilon, own_delta)
            part = pld.from_privacy_parameters(
                parameters, value_discretization_interval=interval
            ).self_compose(count)
            total = part if total is None else total.compose(part)
        return _epsilon(math.nan if total is None else total.get_epsilon_for_delta(delta))

    return call


def prv_accountant(request: Request) -> Call:
    """Privacy random variables; the upper end for the error in ε asked for, δ/1000 in δ."""
    accountant = import_module("prv_accountant").PRVAccountant
    mechanism = import_module("prv_accountant.privacy_random_variables").ApproximateDPMechanism
    groups, delta = _floats(request)
    error = float(request.options["error"])

    def call() -> Mapping[str, str]:
        counts = [count for _, _, count in groups]
        solver = accountant(
            prvs=[mechanism(epsilon, own_delta) for epsilon, own_delta, _ in groups],
            eps_error=error,
            delta_error=delta / 1000,
            max_self_compositions=counts,
        )
        return _epsilon(solver.compute_epsilon(delta, counts)[2])

    return call


def autodp_rdp(request: Request) -> Call:
    """Rényi DP of randomized response, summed and converted."""
    return _autodp(request, "Composition", {})


def autodp_afa(request: Request) -> Call:
    """The analytical Fourier accountant, by characteristic functions."""
    return _autodp(request, "ComposeAFA", {"RDP_off": True, "phi_off": False})


def _autodp(request: Request, composer: str, options: Mapping[str, bool]) -> Call:
    mechanism = import_module("autodp.mechanism_zoo").RandresponseMechanism
    transformer = getattr(import_module("autodp.transformer_zoo"), composer)
    groups, delta = _floats(request)

    def call() -> Mapping[str, str]:
        parts = [mechanism(1 / (1 + math.exp(-e)), **options) for e, _, _ in groups]
        composed = transformer()(parts, [count for _, _, count in groups])
        return _epsilon(composed.get_approxDP(_what_is_left(groups, delta)))

    return call


def diffprivlib(request: Request) -> Call:
    """The better of basic, Dwork–Rothblum–Vadhan and Kairouz–Oh–Viswanath composition."""
    accountant = import_module("diffprivlib.accountant").BudgetAccountant
    groups, delta = _floats(request)

    def call() -> Mapping[str, str]:
        spent = [(e, d) for e, d, count in groups for _ in range(count)]
        slack = _what_is_left(groups, delta)
        return _epsilon(accountant().total(spent_budget=spent, slack=slack)[0])

    return call


def _floats(request: Request) -> tuple[Floats, float]:
    groups = [(float(e), float(d), count) for e, d, count in request.groups]
    return groups, float(request.delta)


def _what_is_left(groups: Floats, delta: float) -> float:
    spent = sum(count * math.log1p(-own_delta) for _, own_delta, count in groups)
    return -math.expm1(math.log1p(-delta) - spent)


def _epsilon(value: float) -> Mapping[str, str]:
    return {"epsilon": repr(float(value))}


TASKS: Final[Mapping[str, Task]] = {
    "dp-accounting": dp_accounting,
    "prv-accountant": prv_accountant,
    "autodp-rdp": autodp_rdp,
    "autodp-afa": autodp_afa,
    "diffprivlib": diffprivlib,
}

if __name__ == "__main__":
    answer(TASKS)
