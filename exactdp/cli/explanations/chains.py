r"""How certificates about concurrent composition and about groups were checked, in plain words.

Rules of this file: as in :mod:`exactdp.cli.explanations.certificates`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from exactdp.cli.rendering import grouped

Parameters = Mapping[str, str]

THEOREMS_OF_INTERLEAVING: Final = {
    "vadhan-wang-2021-theorem-4.1": "A first bound for concurrent composition: Vadhan and Wang, "
    "TCC 2021, Theorem 4.1.",
    "vadhan-wang-2021-theorem-5.4": "Interleaving gains nothing where mechanisms are pure: Vadhan "
    "and Wang, TCC 2021, Theorem 5.4. So what holds of mechanisms run one after the other holds.",
    "lyu-2022-approximate-dp": "Interleaving gains nothing: Lyu, NeurIPS 2022, for approximate "
    "differential privacy. So what holds of mechanisms run one after the other holds.",
    "lyu-2022-renyi-dp": "Interleaving gains nothing: Lyu, NeurIPS 2022, for Rényi divergences. So "
    "what these say of mechanisms run one after the other holds.",
    "vadhan-zhang-2023-f-dp": "Interleaving gains nothing: Vadhan and Zhang, STOC 2023; an "
    "interactive mechanism can be simulated from one that asks no questions. So what holds of "
    "mechanisms run one after the other holds.",
}


def _concurrent_basic(kind: str, step: Parameters) -> str:
    del kind
    return (
        "The ε were added up exactly. The δ were added up in the best order, each times e to the "
        f"power of all ε before it, with {step['digits']} digits and some more, rounded up; the "
        "sum is at most the δ claimed."
    )


def _group_privacy(kind: str, step: Parameters) -> str:
    if kind == "lower":
        return "That is about neighbours, and neighbours are a group too."
    return (
        f"From that, a group of {_size(step)} is reached in as many steps, each of which "
        "multiplies by e^ε and adds δ: g·ε, and δ·(1 + e^ε + … + e^{(g−1)ε}), are at most what is "
        "claimed, the second computed from above."
    )


def _group_mechanisms(kind: str, step: Parameters) -> str:
    del kind
    return (
        f"That is not about the mechanisms below, but about what they are for a group of "
        f"{_size(step)}: ε and μ times g, ρ times g², and each δ at least "
        "δ·(1 + e^ε + … + e^{(g−1)ε})."
    )


def _size(step: Parameters) -> str:
    return grouped(int(step["group"]))


CHAINS: Final[Mapping[str, Callable[[str, Parameters], str]]] = {
    "concurrent-basic": _concurrent_basic,
    "group-privacy": _group_privacy,
    "group-mechanisms": _group_mechanisms,
}
