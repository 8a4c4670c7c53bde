r"""Write what is made from the deployments: ``ledgers/by_noise`` and two folders of certificates.

*The Census's ledgers by noise*: its production code of 2020 draws discrete Gaussian noise of
variance 1/ρ for each query, and a person who is replaced moves two cells by one. So a mechanism
with ρ is written as discrete Gaussian noise of variance 1/ρ and shifts [1, 1]; claims, source and
notes are those of the ledger.

*Certificates*: for every ledger in ``ledgers`` and in ``ledgers/modelled`` (into
``certs/deployments`` and ``certs/modelled``) the upper and the lower certificate of its optimal
composition at its ``target_delta`` (the lower one only where the optimum exceeds 0), and one for
each of its claims on the basis ``composition``, which proves or refutes it (``rho`` for one of ρ);
where a claim of zCDP is neither derived nor refuted, that the conversion does not give it, and what
it gives. The independent verifier accepts each, for that very ledger, before any is written; the
same ledgers give the same bytes.

    python tools/deployments.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import exactdp
from exactdp.claims.sums import verdict_on_sum
from exactdp.claims.verdicts import audit
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger import Ledger
from exactdp.mechanisms import ConcentratedMechanism, DiscreteGaussianMechanism

ROOT = Path(__file__).resolve().parent.parent
LEDGERS = ROOT / "ledgers"
DEPLOYMENTS = ROOT / "certs" / "deployments"
ASSESSABLE = "composition"
CONVERSION = "zcdp-canonne-kamath-steinke"
MODELLED = ROOT / "certs" / "modelled"
FOLDERS = ((LEDGERS, DEPLOYMENTS), (LEDGERS / "modelled", MODELLED))
"""The ledgers, and the place of their certificates."""
BY_NOISE = LEDGERS / "by_noise"
NAMES = (
    "census_2020_dhc_us_persons",
    "census_2020_dhc_us_units",
    "census_2020_pl94_pr_units",
    "census_2020_pl94_us_persons",
    "census_2020_pl94_us_units",
)
SHIFTS = (1, 1)


def by_noise(ledger: Ledger) -> Ledger:
    """The ledger with the noise that has these ρ."""
    entries = tuple(
        DiscreteGaussianMechanism(1 / each.rho, SHIFTS, each.count, each.label)
        for each in ledger.mechanisms
        if isinstance(each, ConcentratedMechanism)
    )
    assert len(entries) == len(ledger.mechanisms)
    return replace(ledger, mechanisms=entries, name=f"{ledger.name}, by noise")


def ledgers_by_noise() -> dict[Path, str]:
    """The text of each of the Census's ledgers by noise."""
    read = {name: exactdp.read_ledger(LEDGERS / f"{name}.json") for name in NAMES}
    return {
        BY_NOISE / f"{name}.json": exactdp.write_ledger(by_noise(ledger))
        for name, ledger in read.items()
    }


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
        if decided.proof is not None:
            data = _accepted(decided.proof, path, claim=(epsilon, delta))
            yield f"{path.stem}.claim-{number}.json", data
    for claim in ledger.claims:
        if claim.rho is not None and claim.basis == ASSESSABLE:
            proof = verdict_on_sum(ledger, claim.within_rounding).certificate
            if proof is not None:
                yield f"{path.stem}.rho.json", _accepted(proof, path, claim=None)


def _open_claim(
    path: Path, ledger: Ledger, number: int, claimed: tuple[str, str]
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


def assessable_claims(ledger: Ledger) -> list[tuple[str, str]]:
    """The texts of (ε, δ) of the claims that should follow, a rounded ε up to its rounding."""
    return [
        (str(claim.epsilon), str(claim.delta or 0))
        for claim in (each.within_rounding for each in ledger.claims)
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
    """Write all files, or compare them with those that stand; return the exit code."""
    parser = argparse.ArgumentParser(description="Write what is made from the deployments.")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if something would")
    check: bool = parser.parse_args(arguments).check
    made = {path: text.encode() for path, text in ledgers_by_noise().items()}
    for ledgers, place in FOLDERS:
        for path in sorted(ledgers.glob("*.json")):
            made |= {place / name: data for name, data in certificates(path)}
    kept = {*DEPLOYMENTS.glob("*"), *MODELLED.glob("*"), *BY_NOISE.glob("*.json")}
    stale = sorted(kept - made.keys())
    new = [path for path, data in made.items() if path not in kept or path.read_bytes() != data]
    for path in (*new, *stale):
        print(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made[path]) if path in made else path.unlink()
    return int(check and bool(new or stale))


if __name__ == "__main__":
    sys.exit(main())
