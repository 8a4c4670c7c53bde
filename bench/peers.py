r"""The peers: other accountants, each asked for its ε in an environment of its own.

Rules of this file: what is asked, and how, is what ``exactdp crosscheck`` asks
(:mod:`exactdp.crosscheck.peers`, which needs nothing but the standard library and the peer);
imports are not timed.

Theory of operation: an accountant that knows pure mechanisms only is asked about these, at the δ
that the mechanisms' own δ leave; see :mod:`exactdp.crosscheck.protocol`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final

from bench.protocol import Request, Task, answer
from exactdp.crosscheck.peers import TASKS as ACCOUNTANTS
from exactdp.crosscheck.peers import PeerQuestion

Call = Callable[[], Mapping[str, str]]

QUESTION: Final = "question"
MESH: Final = "mesh"


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


def _prepared(name: str, request: Request) -> Call:
    """Import the peer; the call asks it."""
    call = ACCOUNTANTS[name](PeerQuestion.of(json.loads(request.options[QUESTION])))
    return lambda: {"epsilon": repr(float(call()["epsilon"]))}


def _at_mesh(request: Request, *, balanced: bool) -> Call:
    """dp-accounting at a mesh: composed one by one, as its documentation does, or as a tree."""
    common = import_module("dp_accounting.pld.common")
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    question = PeerQuestion.of(json.loads(request.options[QUESTION]))
    mesh = float(request.options[MESH])

    def call() -> Mapping[str, str]:
        parts = [
            pld.from_privacy_parameters(
                common.DifferentialPrivacyParameters(epsilon, delta),
                value_discretization_interval=mesh,
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
        return {"epsilon": repr(float(total.get_epsilon_for_delta(question.delta)))}

    return call


MATCHED: Final = ("dp-accounting/one by one", "dp-accounting/balanced tree")
"""Ways to compose with dp-accounting, at a mesh that the caller chooses."""
TASKS: Final[Mapping[str, Task]] = {
    **{peer.task: partial(_prepared, peer.task) for peer in PEERS},
    **{way: partial(_at_mesh, balanced=way == MATCHED[1]) for way in MATCHED},
}

if __name__ == "__main__":
    answer(TASKS)
