r"""The commands: one file for each, named after it, which is imported when the command is called.

Rules of these files: a command reads its input, asks the library one question, and renders the
answer; whatever it writes has been verified first, and is written last.
"""

from __future__ import annotations

from typing import Final

COMMANDS: Final = {
    "init": "Write a commented ledger, or a policy, to begin with.",
    "compose": "The least ε for a δ.",
    "profile": "The privacy profile: δ for each ε.",
    "certify": "Prove or refute a claim (ε, δ).",
    "risk": "What an attack on membership gains at most.",
    "attack": "What the outcome of an attack rejects, at a level.",
    "audit": "Check the claims of ledgers under every rule.",
    "gate": "Do the ledgers of a folder keep its policies? For CI.",
    "report": "A page on ledgers that proves what it says, for readers without this program.",
    "bounds": "The field's closed forms beside the optimum.",
    "budget": "The largest scale, or count, that a budget allows.",
    "dpsgd": "What a plan of DP-SGD promises, and what if its loader shuffles.",
    "filter": "A privacy budget with a spend log.",
    "papers": "The papers' own algorithms, and what is true of their answers.",
    "parallel": "The least ε of a workload of queries, by their overlap.",
    "partition": "Count multiplicative partitions of integers with privacy profiles.",
    "interactive": "The privacy loss of interactive mechanisms, and their simulation.",
    "crosscheck": "Does another accountant under-report? With a certificate.",
    "hunt": "Search for a ledger on which an accountant under-reports.",
    "verify": "Check certificates with the standalone verifier.",
    "attest": "Sign that a certificate about a ledger was accepted.",
    "explain": "Say in plain words what a certificate shows.",
    "results": "What a store of many answers holds.",
    "convert": "Convert a ledger between formats.",
}
"""What each command is for, in the order of ``exactdp --help``."""
