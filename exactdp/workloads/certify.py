r"""Certificates about workloads: a reduction to a ledger, and a proof about that ledger.

Rules of this file: the format is that of ``certs/SPEC.md``, section 8; nothing
is checked here.

Theory of operation: a lower end rests on a row, whose queries are a ledger, or on two of which one
replaces the other; an upper end rests on a tree of colourings, whose classes are one, or on shares.
Either ledger has a certificate of its own, by the rules of composition; its one step gets the
reduction as premise, and the workload as subject.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from exactdp.certificate.statement import Certificate, sealed_bytes
from exactdp.certificate.subject import parameters_of
from exactdp.composition.answers.proving import Proofs, proofs_of_ends
from exactdp.errors import CostLimitError
from exactdp.timing.clock import Clock
from exactdp.workloads.cases import Split
from exactdp.workloads.colouring import Colouring
from exactdp.workloads.composing import ParallelComposition
from exactdp.workloads.pair_cases import PairCase, PairSplit
from exactdp.workloads.workload import Attribute, Query, Workload

_MOST_BYTES: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class WorkloadCertificate:
    """A claim about a workload, and the two steps that prove it.

    Attributes:
        workload: the subject.
        rule: the reduction to a ledger.
        parameters: the reduction's.
        about_ledger: the certificate of the same claim about that ledger.
    """

    workload: Workload
    rule: str
    parameters: Mapping[str, object]
    about_ledger: Certificate

    def to_bytes(self) -> bytes:
        """The canonical bytes of the certificate.

        Raises:
            CostLimitError: there would be more than the format allows.
        """
        statement = self.about_ledger.statement_about(subject_of(self.workload))
        reduction = {"rule": self.rule, "premises": [], "parameters": self.parameters}
        data = sealed_bytes(statement, [reduction, self.about_ledger.step(0)])
        if len(data) > _MOST_BYTES:
            raise CostLimitError(
                field="certificate",
                value=f"{len(data)} bytes",
                expected=f"at most {_MOST_BYTES}, which the format allows",
                remedy="ask for no certificate, or write long lists of values as ranges",
            )
        return data


WorkloadProofs: TypeAlias = "Proofs[WorkloadCertificate]"


def proofs_within(answer: ParallelComposition, clock: Clock) -> WorkloadProofs:
    """The certificates of both ends that are found in the time that is left."""
    ends = {
        "upper": partial(upper_certificate, answer),
        "lower": partial(lower_certificate, answer),
    }
    return proofs_of_ends(ends, clock)


def upper_certificate(answer: ParallelComposition) -> WorkloadCertificate | None:
    """The proof that the upper end is enough; None if the colouring shows no finite ε."""
    about_ledger = answer.above.upper_certificate()
    if about_ledger is None:
        return None
    workload = answer.overlap.workload
    if answer.shares is not None:
        listed = [[str(share) for share in each] for each in answer.shares.shares]
        parameters = {"shares": listed, "unit": str(answer.shares.unit)}
        return WorkloadCertificate(workload, "shares", parameters, about_ledger)
    if answer.cases is not None:
        nodes = [_node(each) for each in answer.cases]
    elif answer.pair_cases is not None:
        nodes = [_pair_node(each) for each in answer.pair_cases]
    else:
        nodes = [_node(answer.colouring)]
    return _by_cases(workload, nodes, about_ledger)


def lower_certificate(answer: ParallelComposition) -> WorkloadCertificate | None:
    """The proof that a little less than the lower end is not enough; None if that end is 0."""
    about_ledger = answer.below.lower_certificate()
    if about_ledger is None:
        return None
    rows = [each for each in (answer.row, answer.entering) if each is not None]
    return _by_rows(answer.overlap.workload, rows, about_ledger)


def _by_cases(
    workload: Workload, nodes: Sequence[Mapping[str, object]], about_ledger: Certificate
) -> WorkloadCertificate:
    return WorkloadCertificate(workload, "cases", {"tree": list(nodes)}, about_ledger)


def _pair_node(node: PairSplit | PairCase) -> dict[str, object]:
    if isinstance(node, PairSplit):
        return {**_node(node), "row": "entering" if node.enters else "leaving"}
    return {"leaving": _listed(node.leaving), "entering": _listed(node.entering)}


def _listed(colouring: Colouring) -> list[list[str]]:
    return [[str(query) for query in colour] for colour in colouring]


def _node(node: Split | Colouring) -> dict[str, object]:
    if isinstance(node, Split):
        return {"attribute": str(node.attribute), "below": str(node.below)}
    return {"colours": _listed(node)}


def _by_rows(
    workload: Workload, rows: Sequence[Mapping[int, int]], about_ledger: Certificate
) -> WorkloadCertificate:
    parameters = {"rows": [_written(row) for row in rows]}
    return WorkloadCertificate(workload, "rows", parameters, about_ledger)


def _written(row: Mapping[int, int]) -> list[list[str]]:
    return [[str(attribute), str(value)] for attribute, value in sorted(row.items())]


def subject_of(workload: Workload) -> dict[str, object]:
    """The subject of a statement about ``workload``."""
    return {
        "type": "workload",
        "domain": [_attribute(attribute) for attribute in workload.attributes],
        "queries": [_query(query) for query in workload],
    }


def _attribute(attribute: Attribute) -> dict[str, object]:
    if attribute.values:
        return {"name": attribute.name, "values": list(attribute.values)}
    return {"name": attribute.name, "size": str(attribute.size)}


def _query(query: Query) -> dict[str, object]:
    clauses = [
        [str(attribute), *(str(end) for pair in coverage.ranges for end in pair)]
        for attribute, coverage in sorted(query.where.items())
    ]
    return {**parameters_of(query.mechanism), "where": clauses}
