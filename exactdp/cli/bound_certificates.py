r"""The certificates of closed forms, as files.

Rules of this file: a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.closed_forms.bounds import Bounds
from exactdp.errors import InputError
from exactdp.group_privacy.steps import group_mechanisms_certificate, scale_to_group
from exactdp.ledger.model import Ledger
from exactdp.pages.accepted import verified


@dataclass(frozen=True, slots=True)
class Scope:
    """What certificates are about: mechanisms, a group of how many, and by which theorem."""

    ledger: Ledger
    group: int
    theorem: str | None

    def certificate(self, certificate: Certificate) -> Certificate:
        """A certificate about the (scaled) mechanisms, as one about these."""
        if self.group > 1:
            subject = Subject.of(self.ledger)
            certificate = group_mechanisms_certificate(subject, certificate, self.group)
        return certificate if self.theorem is None else certificate.naming(self.theorem)


def scaled_for(ledger: Ledger, group: int) -> Ledger:
    """The ledger, every mechanism of which is scaled for the group.

    Raises:
        InputError: a δ would reach 1.
    """
    scaled = scale_to_group(ledger, group)
    if scaled is None:
        raise InputError(
            field="--group",
            value=str(group),
            expected="mechanisms whose δ stays below 1 for the group",
            remedy="compose --group knows another way",
        )
    return scaled


def bound_certificates(
    answer: Bounds, scope: Scope, directory: Path, stem: str
) -> dict[Path, bytes]:
    """Where the certificates of the bounds go, and their verified bytes."""
    made = {row.rule: row.certificate() for row in answer.rows}
    if not answer.ledger.is_approximate and answer.optimum is not None:
        made[f"best.{answer.optimum.method}"] = answer.optimum.upper_certificate()
    return {
        directory / f"{stem}.{rule}.json": verified(scope.certificate(certificate))
        for rule, certificate in made.items()
        if certificate is not None
    }
