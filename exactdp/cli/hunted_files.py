r"""What a hunt leaves behind: ledger, certificate, verifier, script, and a text for maintainers.

Rules of this file: a certificate leaves this program only if the verifier accepts it. What was
computed, as no rule certifies it yet, leaves without a certificate and verifier, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.hunted import Case
from exactdp.accountants.partners import MetamorphicPartner
from exactdp.accountants.reproductions import reproduction
from exactdp.cli.accountants import file_name, refutation
from exactdp.cli.files import check_directory, check_place
from exactdp.cli.replacing import CERTIFICATE
from exactdp.ledger.reading import write_ledger
from exactdp.pages.maintainers import issue_text
from exactdp.pages.verifier_file import NAME, archive

_LIKE: Final = {".lower.json": CERTIFICATE, ".ledger.json": b"{", ".py": b"", ".md": b""}
"""What is left of a case, and of what kind: a script or text of another case is kept."""


def check_output(directory: Path, accountants: Sequence[Accountant]) -> None:
    """Refuse before a long search what could not be written after it."""
    check_directory(directory, "--output")
    if not directory.is_dir():
        return
    for accountant, (ending, like) in product(accountants, _LIKE.items()):
        stem = directory / file_name(accountant.name)
        check_place(Path(f"{stem}{ending}"), like, "--output")


def case_files(
    accountant: Accountant, case: Case, directory: Path, partner: MetamorphicPartner | None = None
) -> dict[Path, bytes]:
    """What a case leaves behind, by path.

    Raises:
        InternalError: the verifier rejects the certificate.
    """
    certificate = refutation(case.question.ledger, case.checked.verdict)
    stem = directory / file_name(accountant.name)
    script = reproduction(accountant, case.question)
    texts = {
        f"{stem}.ledger.json": write_ledger(case.question.ledger),
        f"{stem}.py": script,
        f"{stem}.md": issue_text(case, script, stem.name, partner),
    }
    files = {Path(name): text.encode() for name, text in texts.items()}
    if certificate is None:
        return files
    return {Path(f"{stem}.lower.json"): certificate, **files, directory / NAME: archive()}
