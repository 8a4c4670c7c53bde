r"""The peers: other accountants, each asked for its ε in an environment of its own.

Rules of this file: what is asked, and how, is what ``exactdp crosscheck`` asks
(:mod:`exactdp.accountants.peers`, which needs nothing but the standard library and the peer);
imports are not timed.

Theory of operation: an accountant that knows pure mechanisms only is asked about these, at the δ
that the mechanisms' own δ leave; see :mod:`exactdp.accountants.protocol`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final

from bench.protocol import Request, Task, answer
from exactdp.accountants.noise_peers import NOISE_TASKS, ask_about_noise, opacus_accountants
from exactdp.accountants.peers import TASKS as ACCOUNTANTS
from exactdp.accountants.peers import PeerQuestion

Call = Callable[[], Mapping[str, str]]

QUESTION: Final = "question"
MESH: Final = "mesh"
MESHES: Final = "meshes"
SECONDS: Final = "seconds"


@dataclass(frozen=True, slots=True)
class Peer:
    """An accountant in one setting.

    Attributes:
        name: what tables call it.
        task: its name in crosscheck.
    """

    name: str
    task: str

    @property
    def environment(self) -> str:
        """The environment that it runs in."""
        return self.task.partition("/")[0]


PEERS: Final = (
    Peer("dp-accounting 1e-4", "dp-accounting/pld-1e-4"),
    Peer("prv-accountant 0.1", "prv-accountant/0.1"),
    Peer("prv-accountant 1e-3", "prv-accountant/1e-3"),
    Peer("autodp RDP", "autodp/rdp"),
    Peer("autodp AFA", "autodp/afa"),
    Peer("diffprivlib", "diffprivlib/total"),
)

NOISE_PEERS: Final = (
    Peer("dp-accounting 1e-4", "dp-accounting/pld-1e-4"),
    Peer("dp-accounting RDP", "dp-accounting/rdp"),
    Peer("prv-accountant 0.1", "prv-accountant/0.1"),
    Peer("prv-accountant 1e-3", "prv-accountant/1e-3"),
    Peer("Opacus RDP", "opacus/rdp"),
    Peer("Opacus PRV", "opacus/prv"),
    Peer("Opacus GDP", "opacus/gdp"),
    Peer("autodp RDP", "autodp/rdp"),
    Peer("OpenDP zCDP", "opendp/zcdp"),
)
"""Those that are asked about DP-SGD; the last knows no samples."""
DISCRETE_PEERS: Final = (NOISE_PEERS[0], NOISE_PEERS[-1])
"""Those that know discrete Gaussian noise."""
ABOUT_NOISE: Final = "noise of "


def _about_noise(name: str, request: Request) -> Call:
    """Import the peer; the call asks it about mechanisms by their noise."""
    _load(name.partition("/")[0])
    question = PeerQuestion.of(json.loads(request.options[QUESTION]))

    def call() -> Mapping[str, str]:
        given = ask_about_noise(name, question.entries, question.delta, question.epsilon)
        if "unsupported" in given:
            raise LookupError(given["unsupported"])
        return {"epsilon": repr(float(given["epsilon"]))}

    return call


_LOADED: Final[Mapping[str, tuple[str, ...]]] = {
    "dp-accounting": ("dp_accounting.pld.privacy_loss_distribution", "dp_accounting.rdp"),
    "prv-accountant": ("prv_accountant",),
    "autodp": ("autodp.mechanism_zoo", "autodp.transformer_zoo"),
    "opendp": ("opendp.prelude",),
}


def _load(package: str) -> None:
    """Import what an accountant needs, so that its answers are timed without that."""
    if package == "opacus":
        opacus_accountants()
    for module in _LOADED.get(package, ()):
        import_module(module)


def _prepared(name: str, request: Request) -> Call:
    """Import the peer; the call asks it."""
    call = ACCOUNTANTS[name](PeerQuestion.of(json.loads(request.options[QUESTION])))
    return lambda: {"epsilon": repr(float(call()["epsilon"]))}


def _at_mesh(request: Request, *, balanced: bool) -> Call:
    """dp-accounting at a mesh."""
    composed = _composer(request, balanced=balanced)
    return lambda: {"epsilon": composed(request.options[MESH])}


def _over_meshes(request: Request, *, balanced: bool) -> Call:
    """dp-accounting at one mesh after the other, while the next is likely to end in time."""
    composed = _composer(request, balanced=balanced)

    def call() -> Mapping[str, str]:
        found: dict[str, str] = {}
        end = now = time.monotonic()
        end += float(request.options[SECONDS])
        for mesh in request.options[MESHES].split():
            found[mesh] = composed(mesh)
            began, now = now, time.monotonic()
            if 2 * now - began > end:
                break
        return found

    return call


def _composer(request: Request, *, balanced: bool) -> Callable[[str], str]:
    """ε by mesh: composed one by one, as the documentation does, or as a balanced tree."""
    common = import_module("dp_accounting.pld.common")
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    question = PeerQuestion.of(json.loads(request.options[QUESTION]))

    def composed(mesh: str) -> str:
        parts = [
            pld.from_privacy_parameters(
                common.DifferentialPrivacyParameters(epsilon, delta),
                value_discretization_interval=float(mesh),
            ).self_compose(count)
            for epsilon, delta, count in question.groups
        ]
        while balanced and len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=False)
            odd = parts[-1:] if len(parts) % 2 else []
            parts = [*(left.compose(right) for left, right in pairs), *odd]
        total = parts[0]
        for part in parts[1:]:
            total = total.compose(part)
        return repr(float(total.get_epsilon_for_delta(question.delta)))

    return composed


MATCHED: Final = ("dp-accounting/one by one", "dp-accounting/balanced tree")
"""Ways to compose with dp-accounting, at a mesh that the caller chooses."""
OVER_MESHES: Final = "meshes of "
TASKS: Final[Mapping[str, Task]] = {
    **{peer.task: partial(_prepared, peer.task) for peer in PEERS},
    **{ABOUT_NOISE + task: partial(_about_noise, task) for task in NOISE_TASKS},
    **{way: partial(_at_mesh, balanced=way == MATCHED[1]) for way in MATCHED},
    **{OVER_MESHES + way: partial(_over_meshes, balanced=way == MATCHED[1]) for way in MATCHED},
}

if __name__ == "__main__":
    answer(TASKS)
