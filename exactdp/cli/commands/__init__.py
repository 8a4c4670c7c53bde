r"""The commands: one file for each, named after it, which is imported when the command is called.

Rules of these files: a command reads its input, asks the library one question, and renders the
answer; whatever it writes has been verified first, and is written last.
"""

from __future__ import annotations

from typing import Final

GROUPS: Final[dict[str, dict[str, str]]] = {
    "Everyday": {
        "init": "Write a commented ledger, or a policy, to begin with.",
        "example": "Write the ledgers of published deployments, to try the commands on.",
        "compose": "The least ε for a δ.",
        "certify": "Prove or refute a claim (ε, δ).",
        "profile": "The privacy profile: δ for each ε.",
        "budget": "The largest scale, or count, that a budget allows.",
        "filter": "A privacy budget with a spend log.",
        "dpsgd": "What a plan of DP-SGD promises, by how its loader draws batches.",
        "risk": "What an attack on membership gains at most.",
        "report": "A page on ledgers that proves what it says, for readers without this program.",
        "convert": "Convert a ledger between formats.",
    },
    "Check others": {
        "audit": "Check the claims of ledgers under every rule.",
        "gate": "Do the ledgers of a folder keep its policies? For CI.",
        "crosscheck": "Does another accountant under-report? With a certificate.",
        "hunt": "Search for a ledger on which an accountant under-reports.",
        "attack": "What the outcome of an attack rejects, at a level.",
    },
    "Proof": {
        "verify": "Check certificates with the standalone verifier.",
        "explain": "Say in plain words what a certificate shows.",
        "attest": "Sign that a certificate about a ledger was accepted.",
    },
    "Research": {
        "bounds": "The field's closed forms beside the optimum.",
        "parallel": "The least ε of a workload of queries, by their overlap.",
        "interactive": "The privacy loss of interactive mechanisms, and their simulation.",
        "papers": "The papers' own algorithms, and what is true of their answers.",
        "partition": "Count multiplicative partitions of integers with privacy profiles.",
        "results": "What a store of many answers holds.",
    },
}
"""What each command is for, in the groups and the order of ``exactdp --help``."""
COMMANDS: Final = {name: text for group in GROUPS.values() for name, text in group.items()}
"""The same without the groups."""
