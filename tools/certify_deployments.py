r"""Write the certificates of the deployments: ``certs/deployments``.

For every ledger in ``ledgers``: the upper and the lower certificate of its optimal composition at
its ``target_delta`` (the lower one only where the optimum exceeds 0), and one for each of its
claims on the basis ``composition``, which proves or refutes it; where a claim of zCDP is neither
derived nor refuted, that the conversion does not give it, and what it gives. The independent
verifier accepts each, for that very ledger, before any is written; the same ledgers give the same
bytes.

    python tools/certify_deployments.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import exactdp
from exactdp.claims.verdicts import audit
from exactdp.composition.engines.planner import DEFAULT_MAX_COST

ROOT = Path(__file__).resolve().parent.parent
LEDGERS = ROOT / "ledgers"
DEPLOYMENTS = ROOT / "certs" / "deployments"
ASSESSABLE = "composition"
CONVERSION = "zcdp-canonne-kamath-steinke"


def certificates(path: Path) -> Iterator[tuple[str, bytes]]:
    """The name and the bytes of each certificate of a ledger, accepted by the verifier."""
    ledger = exactdp.read_ledger(path)
    answer = exactdp.compose(ledger)
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    for bound, certificate in made.items():
        if certificate is not None:
            yield f"{path.stem}.{bound}.json", _accepted(certificate, path, claim=None)
    for number, (epsilon, delta) in enumerate(assessable_claims(ledger), start=1):
        try:
            decided = exactdp.certify(ledger, epsilon=epsilon, delta=delta)
        except exactdp.CostLimitError:
            yield from _open_claim(path, ledger, number, (epsilon, delta))
            continue
        data = _accepted(decided.certificate, path, claim=(epsilon, delta))
        yield f"{path.stem}.claim-{number}.json", data


def _open_claim(
    path: Path, ledger: exactdp.Ledger, number: int, claimed: tuple[str, str]
) -> Iterator[tuple[str, bytes]]:
    """For a claim that is neither derived nor refuted: that the conversion does not give it.

    Beside it, what the conversion does give.
    """
    for audited in audit(ledger, max_cost=DEFAULT_MAX_COST):
        if str(audited.claim.epsilon) == claimed[0]:
            for verdict in audited.verdicts:
                if verdict.rule == CONVERSION:
                    for made in (verdict.certificate, verdict.mended):
                        if made is not None:
                            name = f"{path.stem}.claim-{number}.{made.bound}.json"
                            yield name, _accepted(made, path, claim=None)


def assessable_claims(ledger: exactdp.Ledger) -> list[tuple[str, str]]:
    """The texts of (ε, δ) of the claims that should follow from the ledger's parameters."""
    return [
        (str(claim.epsilon), str(claim.delta or 0))
        for claim in ledger.claims
        if claim.basis == ASSESSABLE and claim.epsilon is not None
    ]


def _accepted(
    certificate: exactdp.Certificate, path: Path, *, claim: tuple[str, str] | None
) -> bytes:
    """The bytes of a certificate, if the verifier accepts it for this ledger and claim."""
    data = certificate.to_bytes()
    verdict = exactdp.verify(data, ledger=path.read_bytes(), claim=claim)
    if verdict.status != "accepted":
        message = f"{path.name}: {verdict.line}"
        raise RuntimeError(message)
    return data


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all certificates, or compare them with those that stand; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the certificates of the deployments.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    check: bool = parser.parse_args(arguments).check
    made = {
        DEPLOYMENTS / name: data
        for path in sorted(LEDGERS.glob("*.json"))
        for name, data in certificates(path)
    }
    stale = sorted(set(DEPLOYMENTS.glob("*")) - made.keys())
    new = [path for path, data in made.items() if not (path.exists() and path.read_bytes() == data)]
    for path in (*new, *stale):
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    if not check:
        DEPLOYMENTS.mkdir(parents=True, exist_ok=True)
        for path, data in made.items():
            path.write_bytes(data)
        for path in stale:
            path.unlink()
    return int(check and bool(new or stale))


if __name__ == "__main__":
    sys.exit(main())
