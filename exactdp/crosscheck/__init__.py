r"""Crosscheck: other accountants against certified intervals, with certificates for the verdicts.

Nothing is loaded before it is used, for one module of this package runs in interpreters that have
none of exactdp's dependencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactdp.callable_package import make_callable

if TYPE_CHECKING:
    from exactdp.crosscheck.guarding import Guarded, PrivacyAccountant

__all__ = ["guard"]


def guard(accountant: PrivacyAccountant, *, neighbouring: str = "") -> Guarded:
    """An accountant of dp-accounting's interface whose answers are checked as they are given.

    The neighbours are those of the accountant's ``neighboring_relation``; where it has none,
    ``neighbouring`` names them (add-remove-one, replace-one or zero-out).

    An answer below the certified interval raises
    :class:`exactdp.crosscheck.guarding.RefutedError`, with a certificate; one that cannot be
    checked is passed on with a warning. ``certified(delta)`` gives the interval itself.
    """
    from exactdp.crosscheck.guarding import Guarded  # noqa: PLC0415 (see above)

    return Guarded(accountant, neighbouring)


make_callable(__name__, "asking", "crosscheck")
