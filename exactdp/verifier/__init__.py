r"""The verifier: an independent checker of certificates.

Purpose: decide whether a file proves the claim that it states, and whether that is the claim that
was asked about.

Rules of this package: Python's standard library only, and nothing of the rest of exactdp, which
writes the certificates; one path per rule; whatever is not proved is rejected; no floats; no
``assert``, so that ``python -O`` changes nothing.

Theory of operation, in the order in which to read (``docs/verifier.md``):

1. ``format``: bytes become a value in one way only; numbers are exact, and have one writing.
2. ``arithmetic``: integers enclose what is real; signs are exact.
3. ``statement``: a bound, what it is about, and the theorem that it relies on.
4. ``kernel``: judgements, rules by their types, and the driver that joins steps to a derivation.
   ``certificate``: the shape of a file.
5. ``rules``: a file for each family; a rule owns its parameters and its check.

Of all that may take long, ``format.meter`` is told before it is done, and stops it at a limit.

At the edge, for people: ``question`` (is it about this ledger, does it settle this claim?),
``subjects``, ``wording``, ``verdicts`` and the command line.

Sources: certs/SPEC.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .certificate import read_certificate
from .format.meter import metered
from .format.numbers import canonical, integer_text, rational_text
from .format.outcomes import MalformedError, VerificationError
from .kernel import Certificate, prove
from .question.claim import Claimed, check_claim, read_claim
from .question.together import check_together
from .rules import RULES
from .statement import EVERY, Bound
from .subjects import COMPARED, SUBJECTS
from .verdicts import ACCEPTED, REFUSED, REJECTED, Verdict, escaped, failure, malformed
from .wording import sentence

__all__ = ["DEFAULT_MAX_COST", "Verdict", "verify_bytes", "verify_together"]

DEFAULT_MAX_COST: Final = 10**11


def verify_bytes(
    data: bytes,
    *,
    ledger: bytes | None = None,
    claim: Claimed | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Verdict:
    """Check the bytes of a certificate; never raises.

    ``ledger`` is the bytes of the ledger, workload or log that it should be about, and ``claim``
    the texts of ε and δ of the claim "(ε, δ)-DP" that it should prove or refute, or of the numbers
    of another claim by their names. The check stops once ``max_cost`` is spent, in units of about a
    nanosecond. The status of the verdict is ``accepted`` only if everything was proved.
    """
    try:
        with metered(max_cost):
            certificate = read_certificate(data, SUBJECTS, RULES)
            settles = _check_question(certificate, ledger, claim)
            prove(certificate)
            return _accepted(certificate, settles)
    except MalformedError as error:
        return malformed(data, str(error))
    except VerificationError as error:
        return failure(error.status, str(error), error.exit_code)
    except MemoryError:
        return failure(REFUSED, "not enough memory", 2)
    except Exception as error:  # noqa: BLE001 (an error of our own must never accept)
        return failure(REJECTED, f"internal error: {type(error).__name__}: {error}", 70)


def verify_together(
    files: Sequence[bytes],
    *,
    claim: Claimed,
    ledger: bytes | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Verdict:
    """Check certificates that refute a claim together; never raises.

    Each is checked as by :func:`verify_bytes`, and none need settle the claim alone. The status is
    ``accepted`` only if everything was proved.
    """
    try:
        with metered(max_cost):
            certificates = [read_certificate(each, SUBJECTS, RULES) for each in files]
            for each in certificates:
                _check_question(each, ledger, None)
                prove(each)
            check_together([each.statement for each in certificates], read_claim(claim))
            settles = f"refutes {_said(claim)}"
            line = f"ACCEPTED  {len(files)} statements, which together refute {_said(claim)}"
            return Verdict(status=ACCEPTED, line=line, exit_code=0, settles=settles)
    except VerificationError as error:
        return failure(error.status, str(error), error.exit_code)
    except MemoryError:
        return failure(REFUSED, "not enough memory", 2)
    except Exception as error:  # noqa: BLE001 (an error of our own must never accept)
        return failure(REJECTED, f"internal error: {type(error).__name__}: {error}", 70)


def _check_question(certificate: Certificate, ledger: bytes | None, claim: Claimed | None) -> str:
    """Reject a statement that was not asked about; say in words what it does to the claim."""
    if ledger is not None:
        statement = certificate.statement
        COMPARED[type(statement.subject)](statement.subject, statement, ledger)
    if claim is None:
        return ""
    verb = check_claim(certificate.statement.bound, read_claim(claim))
    return f"{verb} {_said(claim)}"


def _said(claim: Claimed) -> str:
    """A claim as it was typed."""
    texts = claim if isinstance(claim, tuple) else [f"{name} = {claim[name]}" for name in claim]
    return f"the claim ({', '.join(escaped(text.strip(), 40) for text in texts)})"


def _claimed(bound: Bound) -> dict[str, str]:
    """The texts of its numbers, by the names of the fields of a verdict."""
    epsilon = EVERY if bound.epsilon is None else canonical(bound.epsilon)
    if bound.notion:
        return {bound.notion: epsilon}
    return {"epsilon": epsilon, "delta": rational_text(bound.delta)}


def _accepted(certificate: Certificate, settles: str) -> Verdict:
    statement = certificate.statement
    bound = statement.bound
    return Verdict(
        status=ACCEPTED,
        line=f"ACCEPTED  {sentence(statement)}{' — ' if settles else ''}{settles}",
        exit_code=0,
        kind=bound.kind,
        **_claimed(bound),
        mechanisms=integer_text(statement.subject.count),
        interaction=statement.interaction,
        group=integer_text(bound.group),
        theorem=statement.theorem,
        rules=tuple(step.rule.name for step in certificate.steps),
        settles=settles,
    )
