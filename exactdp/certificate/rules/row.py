r"""What is known of a rule: the shape of a row of the table of rules.

Rules of this file: names, theorems, kinds and parameters are those of ``certs/SPEC.md``; the
verifier has a table of its own, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["upper", "lower", "underivable", "rejected"]
About = Literal[
    "pairs",
    "mechanisms",
    "interactive",
    "workload",
    "budget",
    "experiment",
]


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that statements name.

    Attributes:
        name: as ``certs/SPEC.md`` writes it.
        citation: what it is and where it is proved, as a sentence.
        link: where it can be read.
        who: who proved it, and where, in few words; of those that ``--theorem`` names.
    """

    name: str
    citation: str
    link: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A row of the table.

    Attributes:
        theorem: what the rule rests on.
        of_noise: what it rests on where a mechanism is given by its noise, if that is another.
        about: "mechanisms", or "pairs" if all of them are given by (ε, δ); "interactive" for
            mechanisms written out, "workload" for a reduction to a ledger, "budget" for what is
            spent as one goes, "experiment" for the outcome of an attack.
        kinds: the kinds of bound that it proves, each with how it is checked: sentences in which
            a name in braces stands for a value that ``exactdp explain`` takes from the certificate.
        parameters: its parameters besides the bound, by their names in the format.
        interleaved: the theorems by which its upper bounds hold of concurrent composition too, the
            first that is about the mechanisms at hand preferred.
        premises: how many steps it is drawn from.
    """

    theorem: Theorem
    about: About
    kinds: Mapping[Kind, str]
    parameters: tuple[str, ...]
    interleaved: tuple[Theorem, ...] = ()
    premises: int = 0
    of_noise: Theorem | None = None
